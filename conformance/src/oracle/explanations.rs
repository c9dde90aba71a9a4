//! `disagreements.md`: the disagreements that the specification decides.
//!
//! A section explains those that fit one of its lists:
//!
//! ```text
//! ## Title
//!
//! - clc: E0345              clc's first error has this text; `accepts` if there is none
//! - clang: incompatible     the same for clang
//! - family: pointers        optional; the family has this text
//! - source: *static*        optional, may be repeated; the source fits one of these, `*` is any text
//! - dialects: 2.0 3.0       optional
//!
//! - clc: …                  another list, if a blank line or text lies between
//!
//! Decided by 6.5.15: …
//! ```

use std::path::Path;

pub struct Disagreement<'a> {
    pub family: &'a str,
    pub source: &'a str,
    pub dialect: &'a str,
    /// `None` is that the compiler accepts.
    pub ours: Option<&'a str>,
    pub theirs: Option<&'a str>,
}

#[derive(Default)]
struct Pattern {
    ours: String,
    theirs: String,
    family: String,
    sources: Vec<String>,
    dialects: Vec<String>,
    used: bool,
}

struct Section {
    title: String,
    patterns: Vec<Pattern>,
    decided: bool,
}

pub struct Explanations {
    sections: Vec<Section>,
}

impl Explanations {
    pub fn read(path: &Path) -> Result<Explanations, String> {
        let place = |error: String| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| place(error.to_string()))?;
        Explanations::parse(&text).map_err(place)
    }

    fn parse(text: &str) -> Result<Explanations, String> {
        let mut sections: Vec<Section> = Vec::new();
        let mut in_list = false;
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("## ") {
                sections.push(Section {
                    title: title.to_owned(),
                    patterns: Vec::new(),
                    decided: false,
                });
            }
            let Some(section) = sections.last_mut() else { continue };
            section.decided |= line.contains("Decided by ");
            let Some((key, value)) = line.strip_prefix("- ").and_then(|line| line.split_once(": "))
            else {
                in_list = false;
                continue;
            };
            if !in_list {
                section.patterns.push(Pattern::default());
                in_list = true;
            }
            let Some(pattern) = section.patterns.last_mut() else { continue };
            let value = value.trim().trim_matches('`').to_owned();
            match key {
                "clc" => pattern.ours = value,
                "clang" => pattern.theirs = value,
                "family" => pattern.family = value,
                "source" => pattern.sources.push(value),
                "dialects" => {
                    pattern.dialects = value.split_whitespace().map(str::to_owned).collect();
                }
                _ => return Err(format!("`{}`: what is `{key}`?", section.title)),
            }
        }
        for section in &sections {
            let complete = |pattern: &Pattern| {
                !pattern.ours.is_empty()
                    && !pattern.theirs.is_empty()
                    && (pattern.ours == "accepts") != (pattern.theirs == "accepts")
            };
            if !section.decided
                || section.patterns.is_empty()
                || !section.patterns.iter().all(complete)
            {
                return Err(format!(
                    "`{}` must say what clc and clang do, one of them `accepts`, and have a \
                     sentence that begins with `Decided by`",
                    section.title
                ));
            }
        }
        Ok(Explanations { sections })
    }

    /// The title of the section that explains it.
    pub fn find(&mut self, disagreement: &Disagreement<'_>) -> Option<&str> {
        let section = self.sections.iter_mut().find_map(|section| {
            let pattern = section.patterns.iter_mut().find(|pattern| pattern.fits(disagreement))?;
            pattern.used = true;
            Some(&section.title)
        });
        section.map(String::as_str)
    }

    /// What no disagreement needed.
    pub fn unused(&self) -> impl Iterator<Item = String> {
        let unused = |section: &Section| {
            let patterns = section.patterns.iter().filter(|pattern| !pattern.used);
            let text = |pattern: &Pattern| {
                format!("{}: clc {}, clang {}", section.title, pattern.ours, pattern.theirs)
            };
            patterns.map(text).collect::<Vec<_>>()
        };
        self.sections.iter().flat_map(unused)
    }
}

impl Pattern {
    fn fits(&self, disagreement: &Disagreement<'_>) -> bool {
        let opinion = |wanted: &str, opinion: Option<&str>| match opinion {
            None => wanted == "accepts",
            Some(message) => wanted != "accepts" && message.contains(wanted),
        };
        opinion(&self.ours, disagreement.ours)
            && opinion(&self.theirs, disagreement.theirs)
            && disagreement.family.contains(&self.family)
            && (self.dialects.is_empty() || self.dialects.iter().any(|d| d == disagreement.dialect))
            && (self.sources.is_empty()
                || self.sources.iter().any(|source| fits(source, disagreement.source)))
    }
}

/// Whether `text` is `pattern`, in which `*` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|head| text.strip_prefix(head)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(tail) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        assert!(fits("a*c*", "abcd") && fits("*", "") && fits("ab", "ab") && fits("*b", "ab"));
        assert!(!fits("a*c", "abcd") && !fits("ab", "abc") && !fits("ab*bc", "abc"));
    }

    #[test]
    fn a_section_explains_what_fits_one_of_its_lists() {
        let text = "# Page\n\n## One\n\n- clc: E0345\n- clang: accepts\n- source: *?*\n\
                    - dialects: 2.0\n\nDecided by 6.4.5.\n";
        let mut explanations = Explanations::parse(text).expect("a page");
        let mut disagreement = Disagreement {
            family: "conditional",
            source: "c ? p : q",
            dialect: "2.0",
            ours: Some("E0345 no"),
            theirs: None,
        };
        assert_eq!(explanations.unused().count(), 1);
        disagreement.dialect = "1.2";
        assert_eq!(explanations.find(&disagreement), None);
        disagreement.dialect = "2.0";
        assert_eq!(explanations.find(&disagreement), Some("One"));
        assert_eq!(explanations.unused().count(), 0);
        assert!(Explanations::parse("## One\n\n- clc: accepts\n- clang: accepts\n").is_err());
    }
}
