//! One line for a diagnostic, as editors and scripts parse them.

use std::fmt::Write as _;

use clc_base::{Diagnostic, SourceMap};

use super::{severity_name, shorten};

/// Appends `path:line:column: error[E0312]: text`. Lines follow `#line`; columns count
/// characters. Without a place, the line begins with `clc: `.
pub fn render(out: &mut String, diagnostic: &Diagnostic, map: &SourceMap) {
    let place = diagnostic.primary.span;
    let location = if place.is_none() { None } else { map.location(place.lo) };
    match location {
        Some(location) => {
            let (name, line) =
                map.presumed(place.lo).unwrap_or((&map.file(location.file).name, location.line));
            let _ = write!(out, "{name}:{line}:{}: ", location.column);
        }
        None => out.push_str("clc: "),
    }
    let _ = write!(out, "{}[{}]: ", severity_name(diagnostic.severity), diagnostic.code.id);
    // A message never spans lines in this format.
    out.extend(shorten(&diagnostic.message).chars().map(|c| if c.is_control() { ' ' } else { c }));
    out.push('\n');
}
