//! Where the grammar leaves chumsky's combinators: `custom`, as often as the architecture page says,
//! which has the reasons.

use std::fmt::Write as _;

use super::rust_files;
use crate::shell::{Result, read, root};

const PAGE: &str = "docs/architecture.md";

pub(super) fn check(problems: &mut Vec<String>) -> Result {
    let folder = root().join("crates/clc-syntax/src/parse");
    let mut counts = Vec::new();
    for path in rust_files(&folder) {
        let count = read(&path)?.matches("custom(").count();
        if count > 0 {
            let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
            counts.push((name, count));
        }
    }
    counts.sort();
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let mut wanted = format!("`custom(` stands {total} times in the grammar:");
    for (index, (name, count)) in counts.iter().enumerate() {
        let _ = write!(wanted, "{} `{name}` {count}", if index == 0 { "" } else { "," });
    }
    wanted.push('.');
    let page = read(&root().join(PAGE))?;
    let one_line = page.split_whitespace().collect::<Vec<_>>().join(" ");
    if !one_line.contains(&wanted) {
        problems.push(format!("{PAGE} must say, with the reasons: {wanted}"));
    }
    Ok(())
}
