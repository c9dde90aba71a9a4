//! The first pass that makes a program wrong, found by running fewer of them (`--passes-limit`).

use crate::check::{Checker, Finding, Way};
use crate::generate::Program;

/// Names the pass after which the finding is there.
pub fn first_bad_pass(
    checker: &Checker,
    program: &Program,
    finding: &Finding,
    name: &str,
) -> Result<String, String> {
    let way = finding.way().ok_or("it is the driver's")?;
    let passes = checker.passes(program, name, way)?;
    let is_bad = |limit: usize| {
        let way = Way { limit: Some(limit), ..way };
        let found = checker.check(&[program], name, &[way]);
        found.is_none_or(|found| !found.is_empty())
    };
    if !is_bad(passes.len()) {
        return Err("with as many passes as there are, it does not fail".to_owned());
    }
    Ok(match first(passes.len(), is_bad) {
        None => "it fails without the passes of -O, too".to_owned(),
        Some(bad) => format!(
            "the first pass that makes it fail is `{}`, number {bad} of {}: `--passes-limit={bad}` \
             fails, `--passes-limit={}` does not",
            passes[bad - 1],
            passes.len(),
            bad - 1
        ),
    })
}

/// The smallest number up to `last`, which is bad, that is bad; `None` if zero is.
fn first(last: usize, is_bad: impl Fn(usize) -> bool) -> Option<usize> {
    if is_bad(0) {
        return None;
    }
    let (mut good, mut bad) = (0, last);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if is_bad(middle) { bad = middle } else { good = middle }
    }
    Some(bad)
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn the_first_is_found() {
        for last in 1..40 {
            for bad in 1..=last {
                assert_eq!(first(last, |number| number >= bad), Some(bad));
            }
            assert_eq!(first(last, |_| true), None);
        }
    }
}
