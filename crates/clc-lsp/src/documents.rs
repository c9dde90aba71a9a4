//! The texts that are open in the editor, and what is known of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clc_base::Diagnostic;
use clc_ide::Analysis;
use lsp_types::Uri;

use super::paths;
use super::settings::{self, Problem};
use super::text::Lines;
use clc::compiler::{self, FrontEnd};
use clc::fs::FileResolver;
use clc::{IncludeRequest, IncludeResolver, Included};

/// A text that is open.
pub(super) struct Document {
    pub text: String,
    pub version: i32,
    /// What diagnostics and spans call it: its path, or its URI if it is no file.
    pub name: String,
    /// `None` after a change.
    facts: Option<Rc<Facts>>,
    /// The diagnostics that the editor has are of this text.
    pub is_published: bool,
}

/// What is known of a text.
pub(super) struct Facts {
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// `None` for a file of options, and where options leave nothing to analyse.
    pub analysis: Option<Analysis>,
    /// Of the text as the analysis has it.
    pub lines: Lines,
    /// The files that it includes.
    dependencies: Vec<String>,
    /// It is a file of options, the one that `settings` has.
    pub is_settings: bool,
    /// The file with its options, its text, and what is wrong with it.
    pub settings: Option<(PathBuf, String, Vec<Problem>)>,
}

/// All texts that are open.
#[derive(Default)]
pub(super) struct Documents {
    open: HashMap<Uri, Document>,
    cache: settings::Cache,
}

impl Documents {
    /// Opens a text, or replaces it.
    pub fn open(&mut self, uri: Uri, text: String, version: i32) {
        let name = match paths::path_of(&uri) {
            Some(path) => path.to_string_lossy().into_owned(),
            None => uri.as_str().to_owned(),
        };
        self.touched(&name);
        let document = Document { text, version, name, facts: None, is_published: false };
        self.open.insert(uri, document);
    }

    /// Changes a text.
    pub fn change(&mut self, uri: &Uri, version: i32, change: impl FnOnce(&mut String)) {
        let Some(document) = self.open.get_mut(uri) else { return };
        change(&mut document.text);
        document.version = version;
        let name = document.name.clone();
        self.touched(&name);
    }

    /// Closes a text: what is on disk counts again.
    pub fn close(&mut self, uri: &Uri) {
        if let Some(document) = self.open.remove(uri) {
            self.touched(&document.name);
        }
    }

    /// Forgets what is known of a text, and of all that include it.
    fn touched(&mut self, name: &str) {
        let is_settings = Path::new(name).file_name().is_some_and(|file| file == settings::FILE);
        for document in self.open.values_mut() {
            let depends = document.facts.as_ref().is_some_and(|facts| {
                is_settings || facts.dependencies.iter().any(|file| file == name)
            });
            if document.name == name || depends {
                document.facts = None;
                document.is_published = false;
            }
        }
    }

    /// Forgets everything that files on disk decide.
    pub fn forget(&mut self) {
        for document in self.open.values_mut() {
            document.facts = None;
            document.is_published = false;
        }
    }

    pub fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri)
    }

    pub fn uris(&self) -> Vec<Uri> {
        let mut uris: Vec<Uri> = self.open.keys().cloned().collect();
        uris.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        uris
    }

    /// A text whose diagnostics the editor does not have yet.
    pub fn unpublished(&self) -> Option<Uri> {
        let waiting = self.open.iter().filter(|(_, document)| !document.is_published);
        waiting.map(|(uri, _)| uri.clone()).min_by(|a, b| a.as_str().cmp(b.as_str()))
    }

    pub fn published(&mut self, uri: &Uri) {
        if let Some(document) = self.open.get_mut(uri) {
            document.is_published = true;
        }
    }

    /// The text of a file that is open.
    pub fn text_of(&self, path: &Path) -> Option<&str> {
        let name = path.to_string_lossy();
        self.open.values().find(|open| open.name == name).map(|open| open.text.as_str())
    }

    /// The URI of a file by its name in an analysis.
    pub fn uri_of(&self, name: &str) -> Option<Uri> {
        let open = self.open.iter().find(|(_, document)| document.name == name);
        match open {
            Some((uri, _)) => Some(uri.clone()),
            None => paths::uri_of(&std::path::absolute(name).ok()?),
        }
    }

    /// What is known of a text; it is analysed if it has changed.
    pub fn facts(&mut self, uri: &Uri) -> Option<Rc<Facts>> {
        let document = self.open.get(uri)?;
        if let Some(facts) = &document.facts {
            return Some(facts.clone());
        }
        let path = PathBuf::from(&document.name);
        let is_settings = path.file_name().is_some_and(|name| name == settings::FILE);
        let facts = if is_settings {
            let (_, problems) = settings::from_toml(&document.text, &path, &path);
            Facts {
                diagnostics: Vec::new(),
                analysis: None,
                lines: Lines::new(&document.text),
                dependencies: Vec::new(),
                is_settings,
                settings: Some((path, document.text.clone(), problems)),
            }
        } else {
            let mut cache = std::mem::take(&mut self.cache);
            let open = |path: &Path| self.text_of(path).map(str::to_owned);
            let (found, file) = match path.is_absolute() {
                true => cache.settings(&path, &open),
                false => Default::default(),
            };
            self.cache = cache;
            let document = self.open.get(uri)?;
            let mut resolver = Overlay { files: found.resolver, documents: self };
            let (compilation, front_end) = compiler::analyse(
                &document.name,
                document.text.as_bytes(),
                &found.options,
                &mut resolver,
            );
            let analysis = front_end.map(analysis_of);
            let lines = match &analysis {
                Some(analysis) => Lines::new(analysis.text()),
                None => Lines::new(&document.text),
            };
            Facts {
                diagnostics: compilation.diagnostics,
                analysis,
                lines,
                dependencies: compilation.dependencies,
                is_settings,
                settings: file,
            }
        };
        let facts = Rc::new(facts);
        self.open.get_mut(uri)?.facts = Some(facts.clone());
        Some(facts)
    }
}

/// What the queries of editors are asked of.
pub fn analysis_of(front_end: FrontEnd) -> Analysis {
    let FrontEnd { sources, main, ast, module, index, trace, macros, interner, tokens, language } =
        front_end;
    Analysis { sources, main, ast, module, index, trace, macros, interner, tokens, language }
}

/// Files of the file system, with the text that the editor has of those that are open.
struct Overlay<'a> {
    files: FileResolver,
    documents: &'a Documents,
}

impl IncludeResolver for Overlay<'_> {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        let found = self.files.resolve(request)?;
        Ok(found.map(|mut file| {
            if let Some(text) = self.documents.text_of(Path::new(&file.name)) {
                file.contents = text.as_bytes().to_vec();
            }
            file
        }))
    }
}
