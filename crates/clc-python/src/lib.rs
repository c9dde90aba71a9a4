//! The native half of the Python package `clc`: what `python/clc` makes classes of.
//!
//! A compilation runs without the interpreter's lock. Where include files come from a function of
//! Python, it runs on a thread of its own and asks the thread that called, for the stack that a
//! compilation runs on is none that the interpreter knows the end of.

#![warn(missing_docs)]

mod includes;

use clc::cli::{self, Includes, Outcome, Request};
use clc::render::{MessageFormat, Style, render};
use clc::{Artifact, IncludeResolver};
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use includes::Memory;

pyo3::create_exception!(_clc, RefusedOptions, PyException, "Options are wrong.");

/// What a compilation gives to Python.
struct Compiled {
    status: u8,
    output: Option<Vec<u8>>,
    is_module: bool,
    reflection: Option<String>,
    log: String,
    /// JSON objects.
    diagnostics: Vec<String>,
    dependencies: Vec<String>,
}

impl Compiled {
    fn new(outcome: Outcome, name: &str, request: &Request) -> Compiled {
        let mut compiled = Compiled {
            status: outcome.status,
            output: None,
            is_module: false,
            reflection: None,
            log: outcome.log,
            diagnostics: Vec::new(),
            dependencies: Vec::new(),
        };
        if let Some(error) = &outcome.internal_error {
            compiled.log.push_str(&error.report(name, "clc.compile"));
        }
        let Some(compilation) = outcome.compilation else { return compiled };
        let json = Style { format: MessageFormat::Json, color: false };
        for diagnostic in &compilation.diagnostics {
            let mut text = String::new();
            render(&mut text, diagnostic, &compilation.sources, json);
            compiled.diagnostics.push(text);
        }
        compiled.reflection = request.reflection(&compilation);
        compiled.dependencies = compilation.dependencies;
        compiled.is_module = matches!(compilation.artifact, Some(Artifact::Module(_)));
        compiled.output = compilation.artifact.map(|artifact| match artifact {
            Artifact::Module(words) => clc::fs::module_bytes(&words),
            Artifact::Text(text) => text.into_bytes(),
            Artifact::Object(bytes) => bytes,
            Artifact::Nothing => Vec::new(),
        });
        compiled
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let object = PyDict::new(py);
        object.set_item("status", self.status)?;
        object.set_item("output", self.output.map(|bytes| PyBytes::new(py, &bytes)))?;
        object.set_item("is_module", self.is_module)?;
        object.set_item("reflection", self.reflection)?;
        object.set_item("log", self.log)?;
        object.set_item("diagnostics", self.diagnostics)?;
        object.set_item("dependencies", self.dependencies)?;
        Ok(object)
    }
}

fn compile_with(
    request: &Request,
    name: &str,
    source: &[u8],
    files: bool,
    first: &mut dyn IncludeResolver,
) -> Compiled {
    let mut includes = Includes::new(first, request);
    if files {
        includes = includes.and_beside(request);
    }
    Compiled::new(request.compile(name, source, &mut includes), name, request)
}

/// Compiles `source`. Include files are those of `memory`, a dictionary; then what the function
/// `includer` returns for a name, the name of the including file and whether it stands in quotes; then
/// those of the folders that `options` name and, with `files`, those beside the including file.
#[pyfunction]
#[pyo3(signature = (source, name, options, memory, includer, files))]
fn compile<'py>(
    py: Python<'py>,
    source: Vec<u8>,
    name: String,
    options: Vec<String>,
    memory: Vec<(String, Vec<u8>)>,
    includer: Option<Bound<'py, PyAny>>,
    files: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let request = clc::guard::catch(|| Request::of_options(&options))
        .map_err(|error| PyRuntimeError::new_err(error.report("the options", "clc.compile")))?
        .map_err(RefusedOptions::new_err)?;
    for warning in &request.warnings {
        let category = py.get_type::<pyo3::exceptions::PyUserWarning>();
        let text = std::ffi::CString::new(warning.replace('\0', "\u{fffd}")).unwrap_or_default();
        PyErr::warn(py, &category, &text, 3)?;
    }
    let memory = Memory::new(memory);
    let Some(includer) = includer else {
        let compiled =
            py.detach(|| compile_with(&request, &name, &source, files, &mut memory.and_then(None)));
        return compiled.into_python(py);
    };
    let includer = includer.unbind();
    let (questions, answers) = includes::channel();
    let compiled = py.detach(|| {
        std::thread::scope(|scope| {
            let (request, name, source) = (&request, &name, &source);
            let thread = std::thread::Builder::new().name("clc".to_owned());
            let running = thread.spawn_scoped(scope, move || {
                let mut first = memory.and_then(Some(questions));
                compile_with(request, name, source, files, &mut first)
            });
            let running = running.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            let raised = answers.serve(&includer);
            let compiled = running.join().map_err(|_| PyRuntimeError::new_err("a panic"))?;
            raised.map(|()| compiled)
        })
    });
    compiled?.into_python(py)
}

/// Options in one text, as `clBuildProgram` has them.
#[pyfunction]
fn split_options(text: &str) -> PyResult<Vec<String>> {
    cli::split_options(text).map_err(RefusedOptions::new_err)
}

/// The command: its arguments, the first of which is its name, to its exit code.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| cli::run(arguments))
}

/// The module `clc._clc`.
#[pymodule]
fn _clc(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("RefusedOptions", module.py().get_type::<RefusedOptions>())?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(compile, module)?)?;
    module.add_function(wrap_pyfunction!(split_options, module)?)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
