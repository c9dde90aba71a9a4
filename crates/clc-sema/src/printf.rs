//! The format of `printf` against its arguments (OpenCL C 6.15.14).

use clc_base::diagnostic::counted;
use clc_base::{Diagnostic, Span};
use clc_builtins::Scalar;

use crate::context::Sema;
use crate::diagnostics::builtins::*;
use crate::hir::{self, Constant, ExprKind};
use crate::types::Type;

/// A conversion specification: what follows a `%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conversion<'a> {
    text: &'a str,
    /// Components of the vector specifier `v4`; 1 without.
    count: u8,
    length: &'a str,
    letter: char,
}

/// What a piece of a format is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    Conversion(Conversion<'a>),
    /// This text begins with `%` and is no conversion specification.
    Wrong(&'a str),
}

/// The conversion specifications of a format, `%%` left out.
fn pieces(format: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(start) = rest.find('%') {
        rest = &rest[start..];
        let after_flags = rest[1..].trim_start_matches(['-', '+', ' ', '#', '0']);
        let after_width = after_flags.trim_start_matches(|c: char| c.is_ascii_digit());
        let after_precision = match after_width.strip_prefix('.') {
            Some(precision) => precision.trim_start_matches(|c: char| c.is_ascii_digit()),
            None => after_width,
        };
        let (count, after_vector) = match after_precision.strip_prefix('v') {
            Some(vector) => {
                let digits = vector.bytes().take_while(u8::is_ascii_digit).count();
                (vector[..digits].parse().unwrap_or(0), &vector[digits..])
            }
            None => (1, after_precision),
        };
        let length = ["hh", "hl", "h", "l", "z", "t"]
            .into_iter()
            .find(|length| after_vector.starts_with(length))
            .unwrap_or("");
        let after_length = &after_vector[length.len()..];
        let Some(letter) = after_length.chars().next() else {
            found.push(Piece::Wrong(rest));
            break;
        };
        let end = rest.len() - after_length.len() + letter.len_utf8();
        let text = &rest[..end];
        rest = &rest[end..];
        match letter {
            '%' if text == "%%" => {}
            'd' | 'i' | 'o' | 'u' | 'x' | 'X' | 'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A'
                if matches!(count, 1 | 2 | 3 | 4 | 8 | 16) =>
            {
                found.push(Piece::Conversion(Conversion { text, count, length, letter }));
            }
            'c' | 's' | 'p' if count == 1 => {
                found.push(Piece::Conversion(Conversion { text, count, length, letter }));
            }
            _ => found.push(Piece::Wrong(text)),
        }
    }
    found
}

impl Sema<'_> {
    /// Warns of arguments that do not fit a format which is a literal.
    pub(crate) fn check_printf(&mut self, arguments: &[hir::ExprId], span: Span) {
        let Some((&format, arguments)) = arguments.split_first() else { return };
        if self.is_kernel_argument(format) {
            let message = "the format of `printf` must be known at compile time";
            let diagnostic = Diagnostic::new(&E0504, self.span(format), message)
                .at("an argument of the kernel")
                .note("a kernel's arguments are given when it runs (OpenCL C 6.15.14.2)")
                .help("write the format as a string literal, or choose among literals");
            self.report(diagnostic);
            return;
        }
        let Some(text) = self.literal_text(format) else { return };
        let mut next = arguments.iter();
        for (number, piece) in pieces(&text).into_iter().enumerate() {
            let conversion = match piece {
                Piece::Wrong(text) => {
                    let message = format!("`{text}` is not a conversion of `printf`");
                    let span = self.span(format);
                    self.report(
                        Diagnostic::new(&W0501, span, message)
                            .at("a conversion in this format is unknown"),
                    );
                    // What follows cannot be matched with arguments.
                    return;
                }
                Piece::Conversion(conversion) => conversion,
            };
            let Some(&argument) = next.next() else {
                let message = format!(
                    "the format has more conversions than there are arguments: `{}` is number {}",
                    conversion.text,
                    number + 1
                );
                self.report(
                    Diagnostic::new(&W0501, span, message)
                        .at(format!("{} after the format", counted(arguments.len(), "argument"))),
                );
                return;
            };
            if let Some(needed) = self.wrong_argument(conversion, argument) {
                let message = format!(
                    "`{}` prints {needed}, but the argument is `{}`",
                    conversion.text,
                    self.type_text(self.ty(argument))
                );
                let diagnostic = Diagnostic::new(&W0501, self.span(argument), message)
                    .at(format!("printed with `{}`", conversion.text))
                    .label(self.span(format), "in this format");
                self.report(diagnostic);
            }
        }
        if let Some(&surplus) = next.next() {
            let message = "there are more arguments than the format has conversions";
            let diagnostic = Diagnostic::new(&W0501, self.span(surplus), message)
                .at("no conversion prints this")
                .label(self.span(format), "in this format");
            self.report(diagnostic);
        }
    }

    /// What a conversion needs, if the argument is something else.
    fn wrong_argument(
        &self,
        conversion: Conversion<'_>,
        argument: hir::ExprId,
    ) -> Option<&'static str> {
        let types = &self.module.types;
        let ty = self.ty(argument);
        let arithmetic = types.as_arithmetic(ty);
        let vector = conversion.count > 1;
        let shape = arithmetic.is_some_and(|(_, count)| count == conversion.count);
        let scalar = arithmetic.map(|(scalar, _)| scalar);
        match conversion.letter {
            'd' | 'i' | 'o' | 'u' | 'x' | 'X' | 'c' => {
                if !shape || !scalar.is_some_and(Scalar::is_integer) {
                    return Some(if vector { "a vector of integers" } else { "an integer" });
                }
                // The lengths of vector components are often left out.
                let size = scalar.map_or(0, Scalar::size);
                match (vector, conversion.length, size) {
                    (false, "l" | "z" | "t", 1..8) => Some("a 64-bit integer"),
                    (false, "" | "h" | "hh", 8) => Some("an `int`"),
                    _ => None,
                }
            }
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                let float = shape && scalar.is_some_and(Scalar::is_float);
                let needed = if vector { "a vector of floats" } else { "a floating-point number" };
                (!float).then_some(needed)
            }
            's' => {
                let string = types.as_pointer(ty).is_some_and(|(pointee, _)| {
                    types.as_scalar(pointee.ty).is_some_and(|scalar| scalar.size() == 1)
                });
                (!string).then_some("a string")
            }
            'p' => {
                let pointer = matches!(types.get(ty), Type::Pointer { .. });
                (!pointer).then_some("a pointer")
            }
            _ => None,
        }
    }

    /// Whether a pointer is an argument of the kernel, or one moved from there.
    fn is_kernel_argument(&self, pointer: hir::ExprId) -> bool {
        let Some(function) = self.function.as_ref().filter(|function| function.is_kernel) else {
            return false;
        };
        let mut at = pointer;
        loop {
            match self.module.exprs[at].kind {
                ExprKind::PtrAdd { pointer, .. } => at = pointer,
                ExprKind::AddressOf(lvalue) | ExprKind::Load(lvalue) => {
                    match self.module.exprs[lvalue].kind {
                        ExprKind::Deref(pointer) => at = pointer,
                        ExprKind::Local(local) => {
                            return local.0 < self.module.functions[function.id].param_count;
                        }
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
    }

    /// The text of a string literal, without the final zero.
    fn literal_text(&self, value: hir::ExprId) -> Option<String> {
        let ExprKind::Decay(lvalue) = self.module.exprs[value].kind else { return None };
        let ExprKind::Global(global) = self.module.exprs[lvalue].kind else { return None };
        let global = &self.module.globals[global];
        if !global.name.starts_with(".str") {
            return None;
        }
        let Some(Constant::Scalars(characters)) = &global.initializer else { return None };
        let bytes: Vec<u8> =
            characters.iter().map(|&bits| bits as u8).take_while(|&byte| byte != 0).collect();
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_taken_apart() {
        let conversion = |text, count, length, letter| {
            Piece::Conversion(Conversion { text, count, length, letter })
        };
        assert_eq!(pieces("plain 100%%"), []);
        assert_eq!(
            pieces("%d:%-08.3lx %v4hlf,%c"),
            [
                conversion("%d", 1, "", 'd'),
                conversion("%-08.3lx", 1, "l", 'x'),
                conversion("%v4hlf", 4, "hl", 'f'),
                conversion("%c", 1, "", 'c'),
            ]
        );
        assert_eq!(pieces("%"), [Piece::Wrong("%")]);
        assert_eq!(pieces("%n"), [Piece::Wrong("%n")]);
        assert_eq!(pieces("%v5d"), [Piece::Wrong("%v5d")]);
        assert_eq!(pieces("%5%é%é"), [Piece::Wrong("%5%"), Piece::Wrong("%é")]);
    }
}
