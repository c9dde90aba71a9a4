//! What every suite is read into: programs, how their kernels are launched, and what must come out.

use std::path::PathBuf;

use clc_tests::builtins::want::ulp;
use clc_tests::case::{Argument, Case};
use clc_tests::data::{Data, Element};
use clc_tests::hex;

/// A source with the launches of its kernels.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// In the suite.
    pub name: String,
    pub source: PathBuf,
    /// Of the compilation.
    pub options: Vec<String>,
    /// Whether it must be refused.
    pub must_be_refused: bool,
    /// None: that it compiles and the driver takes it is all.
    pub tests: Vec<Test>,
}

/// One launch of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Test {
    pub name: String,
    pub case: Case,
    pub expected: Vec<Expected>,
    pub printed: Printed,
}

/// What an argument holds afterwards.
#[derive(Clone, Debug)]
pub struct Expected {
    pub argument: usize,
    pub data: Data,
    /// Elements that may hold anything.
    pub unknown: Vec<bool>,
    pub tolerance: Tolerance,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    Exact,
    /// Units in the last place (OpenCL C 7.4).
    Ulp(u64),
    Absolute(f64),
    Relative(f64),
}

/// What kernels print.
#[derive(Clone, Debug, Default)]
pub enum Printed {
    #[default]
    Anything,
    /// These lines, in order or in any, and no others.
    Lines { lines: Vec<String>, sorted: bool },
    /// Lines with these texts, in order.
    Parts(Vec<String>),
    /// No line with this text.
    Without(String),
}

impl Test {
    /// What is wrong with what the runner wrote; `None`: nothing.
    pub fn judge(&self, results: &str, printed: &str) -> Option<String> {
        if let Some(error) = results.strip_prefix("error ") {
            return Some(error.trim().to_owned());
        }
        let after = self.case.after(results);
        for expected in &self.expected {
            let Some(got) = after.get(expected.argument).and_then(Option::as_ref) else {
                return Some(format!("argument {}: no result", expected.argument));
            };
            if let Some(difference) = expected.difference(got) {
                return Some(format!("argument {}{difference}", expected.argument));
            }
        }
        self.printed.complaint(printed)
    }
}

impl Printed {
    fn complaint(&self, printed: &str) -> Option<String> {
        let mut got: Vec<&str> = printed.lines().map(str::trim_end).collect();
        match self {
            Printed::Anything => None,
            Printed::Lines { lines, sorted } => {
                let mut lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
                if *sorted {
                    got.sort_unstable();
                    lines.sort_unstable();
                }
                let first =
                    (0..lines.len().max(got.len())).find(|&i| lines.get(i) != got.get(i))?;
                Some(format!(
                    "line {} of the output is {:?}, expected {:?}",
                    first + 1,
                    got.get(first).unwrap_or(&""),
                    lines.get(first).unwrap_or(&"")
                ))
            }
            Printed::Parts(parts) => {
                let mut rest = got.iter();
                let missing = parts.iter().find(|part| !rest.any(|line| line.contains(*part)))?;
                Some(format!("it does not print {missing:?}"))
            }
            Printed::Without(text) => {
                let line = got.iter().find(|line| line.contains(text.as_str()))?;
                Some(format!("it prints {line:?}"))
            }
        }
    }
}

impl Expected {
    pub fn new(argument: usize, data: Data) -> Expected {
        let unknown = vec![false; data.len()];
        Expected { argument, data, unknown, tolerance: Tolerance::Exact }
    }

    /// The first element that is not as expected, in brackets, and both values.
    fn difference(&self, got: &Data) -> Option<String> {
        let element = self.data.element;
        if got.bytes.len() < self.data.bytes.len() {
            return Some(format!(" has {} bytes", got.bytes.len()));
        }
        let size = element.size();
        let pairs = got.bytes.chunks(size).zip(self.data.bytes.chunks(size));
        let differs = |(index, (got, want)): &(usize, (&[u8], &[u8]))| {
            !self.unknown[*index] && !self.allows(element, got, want)
        };
        let (index, (got, want)) = pairs.enumerate().find(differs)?;
        Some(format!("[{index}] is {}, expected {}", shown(element, got), shown(element, want)))
    }

    fn allows(&self, element: Element, got: &[u8], want: &[u8]) -> bool {
        if got == want {
            return true;
        }
        let (got, want) = (element.to_f64(got), element.to_f64(want));
        if element.is_float() && (got == want || got.is_nan() && want.is_nan()) {
            // Suites of text do not tell the zeros apart.
            return true;
        }
        let distance = (got - want).abs();
        match self.tolerance {
            Tolerance::Exact => false,
            Tolerance::Ulp(ulps) => {
                element.is_float() && distance <= ulps as f64 * ulp(element, want)
            }
            Tolerance::Absolute(most) => distance <= most,
            Tolerance::Relative(most) => distance <= most * want.abs(),
        }
    }
}

fn shown(element: Element, bytes: &[u8]) -> String {
    if element.is_float() {
        return format!("{:?}", element.to_f64(bytes));
    }
    let digits: Vec<u8> = bytes.iter().rev().copied().collect();
    format!("0x{}", hex::encode(&digits))
}

/// The arguments in order; a gap is an error of the suite's file.
pub fn in_order(
    arguments: impl IntoIterator<Item = (usize, Argument)>,
) -> Result<Vec<Argument>, String> {
    let mut sorted: Vec<(usize, Argument)> = arguments.into_iter().collect();
    sorted.sort_by_key(|(index, _)| *index);
    match sorted.iter().enumerate().find(|(at, (index, _))| at != index) {
        Some((at, _)) => Err(format!("argument {at} is missing or there twice")),
        None => Ok(sorted.into_iter().map(|(_, argument)| argument).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(text: &str, tolerance: Tolerance) -> Expected {
        let data = Data::parse(Element::Float, 2, text).unwrap();
        Expected { tolerance, ..Expected::new(0, data) }
    }

    #[test]
    fn values_are_allowed_within_their_tolerance() {
        let got = |text| Data::parse(Element::Float, 2, text).unwrap();
        assert_eq!(expected("1 nan", Tolerance::Exact).difference(&got("1 nan")), None);
        assert_eq!(expected("0 1", Tolerance::Exact).difference(&got("-0 1")), None);
        let wrong = expected("1 2", Tolerance::Ulp(4)).difference(&got("1 2.000002"));
        assert_eq!(wrong.unwrap(), "[1] is 2.000001907348633, expected 2.0");
        assert_eq!(expected("1 2", Tolerance::Ulp(8)).difference(&got("1 2.000002")), None);
        assert!(expected("1 2", Tolerance::Absolute(0.5)).difference(&got("1 2.6")).is_some());
        assert_eq!(expected("10 2", Tolerance::Relative(0.1)).difference(&got("11 2")), None);
        assert!(expected("1 2", Tolerance::Ulp(9)).difference(&got("nan 2")).is_some());
    }

    #[test]
    fn elements_may_hold_anything() {
        let mut any = expected("1 2", Tolerance::Exact);
        any.unknown[0] = true;
        assert_eq!(any.difference(&Data::parse(Element::Float, 2, "5 2").unwrap()), None);
        assert!(any.difference(&Data::parse(Element::Float, 2, "5 3").unwrap()).is_some());
    }

    #[test]
    fn printed_lines_are_compared() {
        let lines = |sorted| Printed::Lines { lines: vec!["a".into(), "b".into()], sorted };
        assert_eq!(lines(false).complaint("a \nb\n"), None);
        assert!(lines(false).complaint("b\na\n").unwrap().contains("line 1"));
        assert_eq!(lines(true).complaint("b\na\n"), None);
        assert!(lines(true).complaint("b\na\nc\n").is_some());
        let parts = Printed::Parts(vec!["x = 1".into(), "y".into()]);
        assert_eq!(parts.complaint("z x = 1\ny\n"), None);
        assert!(parts.complaint("y\nx = 1\n").is_some());
        assert!(Printed::Without("FAIL".into()).complaint("FAIL: 3\n").is_some());
    }
}
