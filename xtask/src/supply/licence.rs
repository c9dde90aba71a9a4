//! Expressions of SPDX: `(MIT OR Apache-2.0) AND Unicode-3.0`.

/// The licences of an expression of which all are in `allowed`, if one choice of alternatives leaves only such.
/// Old crates separate alternatives by `/`.
pub fn chosen(expression: &str, allowed: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { words: &words, allowed };
    let choice = parser.alternatives()?;
    if parser.words.is_empty() { choice } else { None }
}

struct Parser<'a> {
    words: &'a [&'a str],
    allowed: &'a dyn Fn(&str) -> bool,
}

/// What is chosen; `None` if nothing that is allowed can be.
type Choice = Option<Vec<String>>;

/// The outer `None` is an expression that does not parse.
impl Parser<'_> {
    fn takes(&mut self, word: &str) -> bool {
        let found = self.words.first() == Some(&word);
        if found {
            self.words = &self.words[1..];
        }
        found
    }

    fn alternatives(&mut self) -> Option<Choice> {
        let mut choice = self.all()?;
        while self.takes("OR") {
            let other = self.all()?;
            choice = choice.or(other);
        }
        Some(choice)
    }

    fn all(&mut self) -> Option<Choice> {
        let mut choice = self.one()?;
        while self.takes("AND") {
            let other = self.one()?;
            choice = choice.zip(other).map(|(a, b)| [a, b].concat());
        }
        Some(choice)
    }

    fn one(&mut self) -> Option<Choice> {
        if self.takes("(") {
            let inner = self.alternatives()?;
            return self.takes(")").then_some(inner);
        }
        let (name, rest) = self.words.split_first()?;
        if ["AND", "OR", "WITH", ")"].contains(name) {
            return None;
        }
        self.words = rest;
        let mut name = (*name).to_owned();
        if self.takes("WITH") {
            let (exception, rest) = self.words.split_first()?;
            self.words = rest;
            name = format!("{name} WITH {exception}");
        }
        Some((self.allowed)(&name).then(|| vec![name]))
    }
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn alternatives_need_one_and_conjunctions_all() {
        let allowed =
            |name: &str| ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].contains(&name);
        for (expression, expected) in [
            ("MIT", Some("MIT")),
            ("GPL-3.0", None),
            ("GPL-3.0 OR MIT", Some("MIT")),
            ("GPL-3.0/MIT", Some("MIT")),
            ("MIT AND GPL-3.0", None),
            ("MIT AND Zlib", Some("MIT, Zlib")),
            ("(GPL-3.0 OR MIT) AND Zlib", Some("MIT, Zlib")),
            ("GPL-3.0 OR MIT AND Zlib", Some("MIT, Zlib")),
            ("Apache-2.0 WITH LLVM-exception OR GPL-3.0", Some("Apache-2.0 WITH LLVM-exception")),
            ("Apache-2.0", None),
            ("", None),
            ("MIT OR", None),
            ("(MIT", None),
            ("MIT Zlib", None),
        ] {
            let found = chosen(expression, &allowed).map(|names| names.join(", "));
            assert_eq!(found.as_deref(), expected, "{expression}");
        }
    }
}
