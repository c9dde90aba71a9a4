//! Expectations in the comments of an input, and how output is compared with them.

/// The lines `// keyword: text` and `// keyword` of a source, for keywords that a test knows.
#[derive(Debug)]
pub struct Comments<'a> {
    entries: Vec<(&'a str, &'a str)>,
}

impl<'a> Comments<'a> {
    /// Reads the comments of `source`. A comment with one lower-case word and a colon is an error
    /// unless the word is one of `keywords`.
    pub fn parse(source: &'a str, keywords: &[&str]) -> Result<Comments<'a>, String> {
        let mut entries = Vec::new();
        for (index, line) in source.lines().enumerate() {
            let Some(text) = line.trim().strip_prefix("// ") else { continue };
            match text.split_once(':') {
                Some((keyword, text)) if keywords.contains(&keyword) => {
                    entries.push((keyword, text.trim()));
                }
                Some((keyword, _)) if looks_like_keyword(keyword) => {
                    return Err(format!("line {}: `{keyword}:` is not known", index + 1));
                }
                _ if keywords.contains(&text.trim()) => entries.push((text.trim(), "")),
                _ => {}
            }
        }
        Ok(Comments { entries })
    }

    /// The texts behind a keyword, in order.
    pub fn all(&self, keyword: &str) -> Vec<&'a str> {
        let entries = self.entries.iter().filter(|(found, _)| *found == keyword);
        entries.map(|&(_, text)| text).collect()
    }

    /// Whether a keyword is there.
    pub fn has(&self, keyword: &str) -> bool {
        self.entries.iter().any(|(found, _)| *found == keyword)
    }
}

/// Whether a comment that begins with this and a colon is meant for a test, rather than a reader.
pub(crate) fn looks_like_keyword(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// Whether `text` has all of `wanted`, each behind the end of the one before it; if not, the message.
pub fn in_order<'w>(text: &str, wanted: impl IntoIterator<Item = &'w str>) -> Result<(), String> {
    let mut rest = text;
    for wanted in wanted {
        rest = match rest.split_once(wanted) {
            Some((_, behind)) => behind,
            None if text.contains(wanted) => {
                return Err(format!(
                    "`{wanted}` is there, but not behind what is wanted before it"
                ));
            }
            None => return Err(format!("`{wanted}` is missing")),
        };
    }
    Ok(())
}

/// Whether `text` has none of `unwanted`; if not, the message.
pub fn absent<'w>(text: &str, unwanted: impl IntoIterator<Item = &'w str>) -> Result<(), String> {
    match unwanted.into_iter().find(|unwanted| text.contains(unwanted)) {
        Some(unwanted) => Err(format!("`{unwanted}` is there")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_known_or_refused() {
        let source = "// Reads nothing: a comment.\n// ir: load: x\nint x; // ir: no\n// part\n";
        let comments = Comments::parse(source, &["ir", "part"]).unwrap();
        assert_eq!(comments.all("ir"), ["load: x"]);
        assert!(comments.has("part"));
        let error = Comments::parse("\n// it: load", &["ir"]).unwrap_err();
        assert_eq!(error, "line 2: `it:` is not known");
    }

    #[test]
    fn texts_come_in_order() {
        let text = "a b\nc a\n";
        assert_eq!(in_order(text, ["a", "b", "a"]), Ok(()));
        assert!(in_order(text, ["c", "b"]).unwrap_err().contains("not behind"));
        assert!(in_order(text, ["c", "d"]).unwrap_err().contains("missing"));
        assert_eq!(absent(text, ["d"]), Ok(()));
        assert!(absent(text, ["d", "c"]).is_err());
    }
}
