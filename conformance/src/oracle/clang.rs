//! The second opinion.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Dialect;
use crate::generate::{PRELUDE, Variation};

pub struct Clang {
    program: String,
    folder: PathBuf,
}

impl Clang {
    pub fn new(program: &str, folder: &Path) -> Result<Clang, String> {
        let runs = Command::new(program).arg("--version").output().is_ok();
        if !runs {
            return Err(format!(
                "NOTHING WAS COMPARED: there is no `{program}` here. It is in Debian's package \
                 of that name; `--clang` names another."
            ));
        }
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Clang { program: program.to_owned(), folder: folder.to_owned() })
    }

    /// The first error in each variation, `batch` of them to a process.
    pub fn judge(
        &self,
        dialect: &Dialect,
        variations: &[&Variation],
        batch: usize,
    ) -> Result<Vec<Option<String>>, String> {
        let mut out = Vec::with_capacity(variations.len());
        for batch in variations.chunks(batch) {
            let lines: Vec<&str> = batch.iter().map(|v| v.source.as_str()).collect();
            let mut errors = self.errors(dialect, &lines)?;
            out.extend((0..batch.len()).map(|index| errors.remove(&index)));
        }
        Ok(out)
    }

    /// The first error of each line, by the line's index.
    fn errors(&self, dialect: &Dialect, lines: &[&str]) -> Result<BTreeMap<usize, String>, String> {
        let path = self.folder.join("oracle.cl");
        let text = format!("{PRELUDE}\n{}\n", lines.join("\n"));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        let output = Command::new(&self.program)
            .args(["--target=spir64", "-fsyntax-only", "-x", "cl", "-w", "-ferror-limit=0"])
            .args(["-fno-caret-diagnostics", "-fno-spell-checking"])
            .arg(format!("-cl-std={}", dialect.standard))
            .arg("-Xclang")
            .arg(format!("-cl-ext={}", dialect.extensions))
            .arg(&path)
            .output()
            .map_err(|error| format!("{}: {error}", self.program))?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let mut errors = BTreeMap::new();
        for line in stderr.lines() {
            let Some((place, message)) = line.split_once("error: ") else { continue };
            let number = place.rsplit("oracle.cl:").next().and_then(|rest| rest.split(':').next());
            let Some(number) = number.and_then(|number| number.parse::<usize>().ok()) else {
                return Err(format!("{}: {line}", self.program));
            };
            if let Some(index) = number.checked_sub(PRELUDE.lines().count() + 1) {
                errors.entry(index).or_insert_with(|| message.to_owned());
            } else {
                return Err(format!("an error in what all variations begin with: {line}"));
            }
        }
        if !output.status.success() && errors.is_empty() {
            return Err(format!("{}: {}\n{stderr}", self.program, output.status));
        }
        Ok(errors)
    }
}
