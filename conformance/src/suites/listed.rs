//! Lists of what does not pass: a line for each program, with the doors, what happens there, and why.
//!
//! ```text
//! # counts: 12 programs, 40 launches; source 12, opencl-O0 11, opencl-O 11, vulkan-O0 10, vulkan-O 10
//! execute/sampler.cl | vulkan | refused E0720 | Vulkan has no such filter
//! execute/wrong.cl | source opencl vulkan-O | fails | the expected values are those of another device
//! ```
//!
//! `opencl` and `vulkan` stand for both levels.

use std::collections::BTreeMap;

use crate::run::{DOORS, Door};

/// How the line with the counts begins.
pub const COUNTS: &str = "# counts: ";

/// What a list says of programs and doors.
#[derive(Debug, Default)]
pub struct Listed {
    pub entries: BTreeMap<(String, Door), String>,
    /// The line without its head.
    pub counts: String,
}

impl Listed {
    pub fn parse(text: &str) -> Result<Listed, String> {
        let mut out = Listed::default();
        for line in text.lines() {
            if let Some(counts) = line.strip_prefix(COUNTS) {
                counts.clone_into(&mut out.counts);
            }
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let parts: Vec<&str> = line.splitn(4, " | ").map(str::trim).collect();
            let [name, doors, kind, reason] = parts[..] else {
                return Err(format!("`{line}`: a name, doors, what happens and why are wanted"));
            };
            if reason.is_empty() || reason == "?" {
                return Err(format!("`{line}`: why?"));
            }
            for word in doors.split_whitespace() {
                let mut found = false;
                for door in DOORS {
                    if word == door.kind.name() || word == door.to_string() {
                        found = true;
                        let known = out.entries.insert((name.to_owned(), door), kind.to_owned());
                        if known.is_some() {
                            return Err(format!("`{line}`: {door} is listed twice"));
                        }
                    }
                }
                if !found {
                    return Err(format!("`{line}`: no door is called {word}"));
                }
            }
        }
        Ok(out)
    }

    /// The kind that is listed; `passes` if nothing is.
    pub fn kind(&self, program: &str, door: Door) -> &str {
        let entry = self.entries.get(&(program.to_owned(), door));
        entry.map_or("passes", String::as_str)
    }
}

/// The doors in short: those of both levels by their common name.
pub fn doors(doors: &[Door]) -> String {
    let mut out: Vec<String> = Vec::new();
    for door in doors {
        let same = |other: &&Door| other.kind == door.kind;
        let all = DOORS.iter().filter(same).count();
        let name = match doors.iter().filter(same).count() == all {
            true => door.kind.name().to_owned(),
            false => door.to_string(),
        };
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_doors_and_reasons() {
        let text = "# counts: 3\n\na/b.cl | opencl vulkan-O | fails | so\n";
        let listed = Listed::parse(text).unwrap();
        let [_, low, high, vulkan_low, vulkan_high] = DOORS;
        assert_eq!(listed.counts, "3");
        assert_eq!([low, high, vulkan_high].map(|door| listed.kind("a/b.cl", door)), ["fails"; 3]);
        assert_eq!(listed.kind("a/b.cl", vulkan_low), "passes");
        assert_eq!(doors(&[low, high, vulkan_high]), "opencl vulkan-O");
        for bad in [
            "a | opencl | fails",
            "a | door | fails | so",
            "a | opencl | fails | ?",
            "a | opencl opencl-O | fails | so",
        ] {
            assert!(Listed::parse(bad).is_err(), "{bad}");
        }
    }
}
