//! Macros that are computed at each use: `__LINE__` and its like, and what the program can ask
//! the compiler (`__has_include`, …).

use clc_base::{Diagnostic, Span};
use clc_builtins::features;

use super::engine::Preprocessor;
use super::macros::Builtin;
use crate::diagnostics::preprocessor as codes;
use crate::lex::{PpKind, PpToken};
use crate::token::Punctuator;

/// Attributes that mean something to this compiler.
const ATTRIBUTES: &[&str] = &[
    "aligned",
    "always_inline",
    "const",
    "deprecated",
    "endian",
    "flatten",
    "format",
    "hot",
    "intel_reqd_sub_group_size",
    "noinline",
    "nosvm",
    "opencl_unroll_hint",
    "packed",
    "pure",
    "reqd_work_group_size",
    "spec_constant",
    "unused",
    "used",
    "vec_type_hint",
    "work_group_size_hint",
];

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

/// Year, month (from 0), day of the month (from 1) of a day counted from 1970-01-01.
fn civil(days: u64) -> (u64, usize, u64) {
    let mut year = 1970 + days / 146_097 * 400;
    let mut rest = days % 146_097;
    loop {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let length = 365 + u64::from(leap);
        if rest >= length {
            rest -= length;
            year += 1;
            continue;
        }
        let february = 28 + u64::from(leap);
        let mut month = 0;
        for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
            if rest < length {
                break;
            }
            rest -= length;
            month += 1;
        }
        return (year, month.min(11), rest + 1);
    }
}

/// `text` as a string literal.
fn quoted(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for char in text.chars() {
        if matches!(char, '"' | '\\') {
            literal.push('\\');
        }
        literal.push(char);
    }
    literal.push('"');
    literal
}

impl Preprocessor<'_> {
    pub(super) fn expand_builtin(&mut self, name: PpToken, builtin: Builtin) -> PpToken {
        let number = |number: u64| (PpKind::Integer, number.to_string());
        let (kind, text) = match builtin {
            Builtin::Line => {
                let line = self.map.presumed(self.line_position).map_or(1, |(_, line)| line);
                number(line.into())
            }
            Builtin::File => (PpKind::String, quoted(&self.presumed_file())),
            Builtin::FileName => {
                let file = self.presumed_file();
                let last = file.rsplit(['/', '\\']).next().unwrap_or("");
                (PpKind::String, quoted(last))
            }
            Builtin::BaseFile => {
                let file = self.files.first().map_or("", |file| &*file.name);
                (PpKind::String, quoted(file))
            }
            Builtin::IncludeLevel => number(self.files.len().saturating_sub(1) as u64),
            Builtin::Counter => {
                let value = self.counter;
                self.counter = self.counter.wrapping_add(1);
                number(value.into())
            }
            Builtin::Date | Builtin::Time | Builtin::Timestamp => {
                (PpKind::String, quoted(&self.clock(builtin)))
            }
            Builtin::IncludeQuery => number(self.ask_include(name).into()),
            Builtin::AttributeQuery | Builtin::FunctionQuery | Builtin::ExtensionQuery => {
                number(self.ask(name, builtin).into())
            }
        };
        PpToken { kind, symbol: self.interner.intern(&text), ..name }
    }

    fn presumed_file(&self) -> String {
        self.map.presumed(self.line_position).map_or(String::new(), |(name, _)| name.to_owned())
    }

    /// The time of [`Options::timestamp`](super::Options::timestamp), in the formats of C99 6.10.8.
    fn clock(&self, builtin: Builtin) -> String {
        // Beyond the year 9999 the formats have no room.
        let seconds = self.options.timestamp.unwrap_or(0).min(253_402_300_799);
        let (days, second) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = civil(days);
        let month = MONTHS[month];
        let time = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
        match builtin {
            Builtin::Time => time,
            Builtin::Timestamp => {
                let weekday = WEEKDAYS[(days % 7) as usize];
                format!("{weekday} {month} {day:2} {time} {year}")
            }
            _ => format!("{month} {day:2} {year}"),
        }
    }

    fn query_error(&mut self, name: PpToken, end: PpToken, message: &str) {
        let text = self.interner.resolve(name.symbol).to_owned();
        let span = name.span().to(if end.is_end() { Span::NONE } else { end.span() });
        let label = if end.lo == name.lo { "no `(` follows" } else { "not of this form" };
        self.report(
            Diagnostic::new(&codes::QUERY_SYNTAX, span, format!("`{text}` {message}")).at(label),
        );
    }

    /// `(NAME)`, unexpanded.
    fn ask(&mut self, query: PpToken, builtin: Builtin) -> bool {
        if !self.next_is_left_paren() {
            self.query_error(query, query, "needs an operand in parentheses");
            return false;
        }
        self.collecting += 1;
        self.next_raw();
        let name = self.next_raw();
        let close = if name.kind == PpKind::Identifier { self.next_raw() } else { name };
        self.collecting -= 1;
        if !close.is(Punctuator::RightParen) || name.kind != PpKind::Identifier {
            self.query_error(query, close, "needs one identifier in parentheses");
            return false;
        }
        let name = self.interner.resolve(name.symbol);
        match builtin {
            Builtin::AttributeQuery => {
                let plain = name
                    .strip_prefix("__")
                    .and_then(|name| name.strip_suffix("__"))
                    .unwrap_or(name);
                ATTRIBUTES.contains(&plain)
            }
            Builtin::FunctionQuery => clc_builtins::is_builtin(name),
            _ => features::by_name(name)
                .is_some_and(|extension| self.options.extensions.contains(extension)),
        }
    }

    /// `("file")` or `(<file>)`.
    fn ask_include(&mut self, query: PpToken) -> bool {
        if !self.next_is_left_paren() {
            self.query_error(query, query, "needs a file name in parentheses");
            return false;
        }
        self.collecting += 1;
        self.next_raw();
        let mut tokens = self.list();
        let mut first = self.next_raw();
        if first.kind == PpKind::Identifier {
            // The name may come from a macro.
            self.collecting -= 1;
            self.enter_list(vec![first]);
            loop {
                let token = self.next_expanded();
                if token.is_end() {
                    break;
                }
                tokens.push(token);
            }
            self.leave_list();
            self.collecting += 1;
            first = self.next_raw();
        }
        let mut depth = 0;
        let close = loop {
            match first.kind {
                PpKind::Punctuator(Punctuator::LeftParen) => depth += 1,
                PpKind::Punctuator(Punctuator::RightParen) if depth == 0 => break first,
                PpKind::Punctuator(Punctuator::RightParen) => depth -= 1,
                _ if first.is_end() => break first,
                _ => {}
            }
            tokens.push(first);
            first = self.next_raw();
        };
        self.collecting -= 1;
        match self.header_from_tokens(&tokens) {
            Some((spelling, None)) if !close.is_end() => self.has_include(&spelling),
            _ => {
                self.query_error(query, close, "needs \"file\" or <file> in parentheses");
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 0, 1));
        assert_eq!(civil(59), (1970, 2, 1));
        assert_eq!(civil(11_016), (2000, 1, 29));
        assert_eq!(civil(19_782), (2024, 1, 29));
        assert_eq!(civil(20_454), (2026, 0, 1));
    }
}
