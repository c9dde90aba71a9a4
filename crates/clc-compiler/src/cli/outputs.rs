//! What the outputs of a call are called: of one input or several, for one target or several.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use super::output::{Output, Sink};
use super::{Job, header};
use crate::Emit;

/// Whether a path says of itself that it is a folder: `out/`.
pub(super) fn is_folder_name(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    last.is_some_and(|&byte| std::path::is_separator(char::from(byte)))
}

fn is_folder(path: &Path) -> bool {
    is_folder_name(path) || path.is_dir()
}

/// The outputs of all inputs for all targets: those of the first input first.
pub(super) fn of_all(jobs: &[Job], inputs: &[OsString]) -> Result<Vec<Output>, String> {
    if let ([job], [input]) = (jobs, inputs) {
        return Ok(vec![job.output_of_one(Path::new(input))?]);
    }
    let several = if jobs.len() > 1 { "targets" } else { "inputs" };
    if jobs.iter().any(|job| job.depend.file.is_some()) {
        return Err(format!("`-MF` names one file, but there are several {several}"));
    }
    if inputs.iter().any(|input| input == "-") {
        return Err(match inputs.len() {
            1 => "standard input is read once, but there are several targets".to_owned(),
            _ => "standard input cannot be one of several inputs".to_owned(),
        });
    }
    let mut taken: HashMap<PathBuf, (&OsString, &Job)> = HashMap::new();
    let mut outputs = Vec::new();
    for input in inputs {
        for job in jobs {
            let output = job.output_among_several(Path::new(input), several)?;
            let file = match &output.sink {
                Some(Sink::File(path)) => Some(path.clone()),
                Some(Sink::Stdout) | None => None,
            };
            for path in file.into_iter().chain(output.reflection.clone()) {
                if let Some((other, _)) = taken.insert(path.clone(), (input, job)) {
                    return Err(format!(
                        "`{}` and `{}` would both be written to `{}`",
                        other.display(),
                        input.display(),
                        path.display()
                    ));
                }
            }
            outputs.push(output);
        }
    }
    Ok(outputs)
}

impl Job {
    /// Whether a file of a module's words is written.
    fn is_module(&self) -> bool {
        self.request.emit == Emit::Spirv && self.header.is_none()
    }

    /// The name of an output that the command line does not name: the input's, and the target's where
    /// there are several.
    pub(super) fn default_name(&self, input: &Path, extension: &str) -> PathBuf {
        let mut name = input.file_stem().unwrap_or(input.as_os_str()).to_owned();
        for part in self.target_name.as_deref().into_iter().chain([extension]) {
            name.push(".");
            name.push(part);
        }
        PathBuf::from(name)
    }

    fn output_of_one(&self, input: &Path) -> Result<Output, String> {
        let sink = self.sink_of_one(input)?;
        let reflection = self.reflection.as_ref().map(|path| match is_folder(path) {
            true => path.join(self.default_name(input, "json")),
            false => path.clone(),
        });
        Ok(Output { sink, reflection })
    }

    fn sink_of_one(&self, input: &Path) -> Result<Option<Sink>, String> {
        if self.request.emit == Emit::Nothing {
            return Ok(None);
        }
        if let Some(asked) = &self.header {
            header::variable_name(asked.as_deref(), input)?;
        }
        let is_module = self.is_module();
        let sink = match &self.output {
            Some(path) if path == Path::new("-") => Sink::Stdout,
            Some(path) if is_module && is_folder(path) => {
                Sink::File(path.join(self.default_name(input, "spv")))
            }
            Some(path) => Sink::File(path.clone()),
            None if !is_module || input == Path::new("-") => Sink::Stdout,
            None => Sink::File(self.default_name(input, "spv")),
        };
        if is_module && matches!(sink, Sink::Stdout) && io::stdout().is_terminal() {
            return Err("a module would go to the terminal; name a file with `-o`".to_owned());
        }
        Ok(Some(sink))
    }

    fn output_among_several(&self, input: &Path, several: &str) -> Result<Output, String> {
        let reflection = match &self.reflection {
            None => None,
            Some(path) if is_folder(path) => Some(path.join(self.default_name(input, "json"))),
            Some(path) => {
                return Err(format!(
                    "`--reflection` names one file, but there are several {several}; give it a folder, \
                     `{}/`",
                    path.parent().unwrap_or(path).join("FOLDER").display()
                ));
            }
        };
        let sink = match self.request.emit {
            Emit::Nothing => None,
            Emit::Spirv if self.is_module() => {
                let folder = match &self.output {
                    None => PathBuf::new(),
                    Some(path) if is_folder(path) => path.clone(),
                    Some(path) => {
                        return Err(format!(
                            "several {several} need a folder to write to, and `{0}` is none (`{0}/` \
                             makes one)",
                            path.display()
                        ));
                    }
                };
                Some(Sink::File(folder.join(self.default_name(input, "spv"))))
            }
            _ => return Err(format!("only modules can be made of several {several} at once")),
        };
        Ok(Output { sink, reflection })
    }

    /// Makes the folders that the command line names as such.
    pub(super) fn make_folders(&self) -> Result<(), String> {
        for path in self.output.iter().chain(&self.reflection) {
            if is_folder_name(path) {
                std::fs::create_dir_all(path).map_err(|error| {
                    format!(
                        "cannot make the folder `{}`: {}",
                        path.display(),
                        crate::fs::reason(&error)
                    )
                })?;
            }
        }
        Ok(())
    }
}

/// The environments that `--target-env` lists; `None` is the default one.
pub(super) fn targets(list: Option<&OsStr>) -> Result<Vec<Option<String>>, String> {
    let Some(list) = list else { return Ok(vec![None]) };
    let list = list.to_string_lossy();
    let names: Vec<&str> = list.split(',').collect();
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(format!("`--target-env={list}`: `{name}` is given twice"));
        }
    }
    Ok(names.into_iter().map(|name| Some(name.to_owned())).collect())
}
