//! Parts of programs for Vulkan: objects are compiled of sources, and linked.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::output::{Output, Sink};
use super::{COMPILED, Job, parsed_args};
use crate::{Artifact, Emit, Unit, fs, object};

/// What a command line asks for.
pub(super) struct Request {
    /// The command line of `clc` for it.
    pub arguments: Vec<OsString>,
    /// The inputs are objects.
    pub objects_in: bool,
    /// The output is one.
    pub objects_out: bool,
}

impl Request {
    /// Whether objects are read or written.
    pub(super) fn is_separate(&self) -> bool {
        self.objects_in || self.objects_out
    }
}

/// What `clc link` is asked to do, if its inputs are objects. It takes the options of `clc` then, for
/// what is linked is compiled.
pub(super) fn link_of(arguments: &[OsString]) -> Option<Request> {
    let is_object = |name: &OsString| {
        let starts = std::fs::File::open(name).and_then(|mut file| {
            let mut start = [0; object::MAGIC.len()];
            std::io::Read::read_exact(&mut file, &mut start).map(|()| start == object::MAGIC)
        });
        starts.unwrap_or(false)
    };
    let rest = arguments.get(2..)?;
    if !rest.iter().any(is_object) {
        return None;
    }
    const LIBRARY: &str = "--create-library";
    let kept = rest.iter().filter(|word| *word != LIBRARY).cloned();
    // The user's own comes last, so that it counts.
    let all = ["clc", "--target-env=vulkan1.3"].map(OsString::from);
    Some(Request {
        arguments: all.into_iter().chain(kept).collect(),
        objects_in: true,
        objects_out: rest.iter().any(|word| word == LIBRARY),
    })
}

/// Does what a request asks for that reads or writes objects.
pub(super) fn compile_parts(request: Request, command_line: String) -> Result<u8, String> {
    let (args, matches) = match parsed_args(request.arguments)? {
        Ok(parsed) => parsed,
        Err(code) => return Ok(code),
    };
    if args.usual.inputs.is_empty() {
        return Err("no input file; `--help` shows the options".to_owned());
    }
    if args.watch {
        return Err("`--watch` is for `clc KERNEL.cl`, not for objects".to_owned());
    }
    let Some(output) = &args.usual.output else {
        return Err("name the output with `-o`".to_owned());
    };
    let mut job = Job::new(&args, &matches, command_line)?;
    let mut objects = Vec::new();
    let mut last = None;
    for input in &args.usual.inputs {
        let name = input.to_string_lossy().into_owned();
        let bytes = fs::read_input(Path::new(input))?;
        if request.objects_in {
            objects.push((name, bytes));
            continue;
        }
        job.request.options.unit = Unit::Part;
        let (options, mut resolver) = (job.request.options.clone(), job.request.resolver.clone());
        let compiled = job.guarded(Path::new(input), move || {
            crate::compile(&name, &bytes, Emit::Spirv, &options, &mut resolver)
        });
        let compiled = match compiled {
            Ok(compiled) => compiled,
            Err(code) => return Ok(code),
        };
        let Some(Artifact::Object(object)) = &compiled.artifact else {
            return Err("objects are made for Vulkan".to_owned());
        };
        objects.push((input.to_string_lossy().into_owned(), object.clone()));
        last = Some(compiled);
    }
    let made = match last {
        Some(only) if objects.len() == 1 && request.objects_out => only,
        _ => {
            job.request.options.unit = if request.objects_out { Unit::Part } else { Unit::Program };
            let (options, to_object) = (job.request.options.clone(), request.objects_out);
            let linked = job.guarded(Path::new(&args.usual.inputs[0]), move || {
                crate::compiler::link(&objects, to_object, &options)
            });
            match linked {
                Ok(linked) => linked,
                Err(code) => return Ok(code),
            }
        }
    };
    let sink = match output {
        output if output == "-" => Sink::Stdout,
        output => Sink::File(PathBuf::from(output)),
    };
    let output = Output { sink: Some(sink), reflection: job.reflection.clone() };
    job.write(&args.usual.inputs[0].to_string_lossy(), &made, &output)?;
    Ok(COMPILED)
}
