//! Include files from memory and from a function of Python.

use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver, Sender};

use clc::{IncludeKind, IncludeRequest, IncludeResolver, Included};
use pyo3::prelude::*;

/// Files by the names that sources ask for, relative to the including file first where quotes do.
pub(crate) struct Memory(HashMap<String, Vec<u8>>);

impl Memory {
    pub(crate) fn new(files: Vec<(String, Vec<u8>)>) -> Memory {
        Memory(files.into_iter().collect())
    }

    /// These files before those that are asked for.
    pub(crate) fn and_then(self, questions: Option<Questions>) -> MemoryThen {
        MemoryThen { memory: self, questions }
    }

    fn find(&self, request: &IncludeRequest<'_>) -> Option<Included> {
        let beside = match (request.kind, request.from.rsplit_once('/')) {
            (IncludeKind::Quote, Some((folder, _))) => {
                Some(tidy(&format!("{folder}/{}", request.name)))
            }
            _ => None,
        };
        let names = beside.into_iter().chain([tidy(request.name), request.name.to_owned()]);
        for name in names {
            if let Some(contents) = self.0.get(&name) {
                return Some(Included { name, contents: contents.clone(), system: false });
            }
        }
        None
    }
}

/// A path without `.` and, where a folder comes before it, `..`.
fn tidy(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|&last| !last.is_empty() && last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

pub(crate) struct MemoryThen {
    memory: Memory,
    questions: Option<Questions>,
}

impl IncludeResolver for MemoryThen {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        match (self.memory.find(request), &self.questions) {
            (None, Some(questions)) => questions.ask(request),
            (found, _) => Ok(found),
        }
    }
}

struct Question {
    name: String,
    from: String,
    is_quoted: bool,
}

/// What the thread that compiles has of the other.
pub(crate) struct Questions {
    ask: Sender<Question>,
    answer: Receiver<Option<Vec<u8>>>,
}

/// What the thread that called has of the other.
pub(crate) struct Answers {
    asked: Receiver<Question>,
    answer: Sender<Option<Vec<u8>>>,
}

/// Connects a thread that compiles with the one that called.
pub(crate) fn channel() -> (Questions, Answers) {
    let (ask, asked) = mpsc::channel();
    let (answer, answered) = mpsc::channel();
    (Questions { ask, answer: answered }, Answers { asked, answer })
}

impl Questions {
    fn ask(&self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        let question = Question {
            name: request.name.to_owned(),
            from: request.from.to_owned(),
            is_quoted: request.kind == IncludeKind::Quote,
        };
        let gone = "the function that brings in include files raised an exception";
        self.ask.send(question).map_err(|_| gone)?;
        let contents = self.answer.recv().map_err(|_| gone)?;
        let name = request.name.to_owned();
        Ok(contents.map(|contents| Included { name, contents, system: false }))
    }
}

impl Answers {
    /// Answers by calling `includer`, until the compilation has ended. The first exception ends it: from
    /// then on there are no files, and it is raised when the compilation has come to its end.
    pub(crate) fn serve(self, includer: &Py<PyAny>) -> PyResult<()> {
        while let Ok(question) = self.asked.recv() {
            let contents = Python::attach(|py| -> PyResult<Option<Vec<u8>>> {
                py.check_signals()?;
                let Question { name, from, is_quoted } = question;
                includer.call1(py, (name, from, is_quoted))?.extract(py)
            });
            // Who asked waits, so it is there.
            let _ = self.answer.send(contents?);
        }
        Ok(())
    }
}
