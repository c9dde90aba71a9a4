//! The expressions of `#if` and `#elif` (C99 6.10.1), in 64 bits.
//!
//! Two stacks instead of recursion, so that parentheses may nest as deep as they like. Operands
//! that are not evaluated (`0 && 1 / 0`) are computed all the same; a division by zero in them
//! becomes part of the value and is forgotten with it.

use clc_base::diagnostic::did_you_mean;
use clc_base::{Diagnostic, Span, Symbol};

use super::engine::Preprocessor;
use crate::diagnostics::preprocessor as codes;
use crate::lex::{NO_EXPAND, PpKind, PpToken};
use crate::token::Punctuator;

/// An `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy, Debug)]
struct Value {
    bits: u64,
    unsigned: bool,
    /// A division by zero was needed to compute it.
    division: Option<Span>,
}

impl Value {
    fn signed(value: i64) -> Value {
        Value { bits: value as u64, unsigned: false, division: None }
    }

    fn truth(self) -> bool {
        self.bits != 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Paren,
    Plus,
    Minus,
    Complement,
    Not,
    Binary(Punctuator),
    /// `?`, until its `:` is met.
    Question,
    /// `? :`, waiting for its third operand.
    Conditional,
}

/// Binding strength of a binary operator.
fn precedence(punctuator: Punctuator) -> Option<u8> {
    Some(match punctuator {
        Punctuator::Star | Punctuator::Slash | Punctuator::Percent => 12,
        Punctuator::Plus | Punctuator::Minus => 11,
        Punctuator::ShiftLeft | Punctuator::ShiftRight => 10,
        Punctuator::Less
        | Punctuator::Greater
        | Punctuator::LessEqual
        | Punctuator::GreaterEqual => 9,
        Punctuator::EqualEqual | Punctuator::NotEqual => 8,
        Punctuator::Ampersand => 7,
        Punctuator::Caret => 6,
        Punctuator::Bar => 5,
        Punctuator::AndAnd => 4,
        Punctuator::OrOr => 3,
        Punctuator::Comma => 1,
        _ => return None,
    })
}

const UNARY: u8 = 13;
const CONDITIONAL: u8 = 2;

fn strength(operator: Operator) -> u8 {
    match operator {
        Operator::Paren | Operator::Question => 0,
        Operator::Plus | Operator::Minus | Operator::Complement | Operator::Not => UNARY,
        Operator::Binary(punctuator) => precedence(punctuator).unwrap_or(0),
        Operator::Conditional => CONDITIONAL,
    }
}

fn binary(operator: Punctuator, a: Value, b: Value, at: Span) -> Value {
    let unsigned = a.unsigned || b.unsigned;
    let both = a.division.or(b.division);
    let arithmetic = |bits: u64| Value { bits, unsigned, division: both };
    let truth = |holds: bool| Value { bits: holds.into(), unsigned: false, division: both };
    let (x, y) = (a.bits as i64, b.bits as i64);
    let less = if unsigned { a.bits < b.bits } else { x < y };
    match operator {
        Punctuator::Star => arithmetic(a.bits.wrapping_mul(b.bits)),
        Punctuator::Slash | Punctuator::Percent if b.bits == 0 => {
            Value { bits: 0, unsigned, division: both.or(Some(at)) }
        }
        Punctuator::Slash if unsigned => arithmetic(a.bits / b.bits),
        Punctuator::Slash => arithmetic(x.wrapping_div(y) as u64),
        Punctuator::Percent if unsigned => arithmetic(a.bits % b.bits),
        Punctuator::Percent => arithmetic(x.wrapping_rem(y) as u64),
        Punctuator::Plus => arithmetic(a.bits.wrapping_add(b.bits)),
        Punctuator::Minus => arithmetic(a.bits.wrapping_sub(b.bits)),
        Punctuator::ShiftLeft | Punctuator::ShiftRight => {
            // The type is the left operand's; a negative count shifts the other way.
            let left = (operator == Punctuator::ShiftLeft) == (b.unsigned || y >= 0);
            let count = if b.unsigned { b.bits } else { y.unsigned_abs() };
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            let bits = match (left, a.unsigned) {
                (true, _) => a.bits.checked_shl(count).unwrap_or(0),
                (false, true) => a.bits.checked_shr(count).unwrap_or(0),
                (false, false) => (x >> count.min(63)) as u64,
            };
            Value { bits, unsigned: a.unsigned, division: both }
        }
        Punctuator::Less => truth(less),
        Punctuator::Greater => truth(!less && a.bits != b.bits),
        Punctuator::LessEqual => truth(less || a.bits == b.bits),
        Punctuator::GreaterEqual => truth(!less),
        Punctuator::EqualEqual => truth(a.bits == b.bits),
        Punctuator::NotEqual => truth(a.bits != b.bits),
        Punctuator::Ampersand => arithmetic(a.bits & b.bits),
        Punctuator::Caret => arithmetic(a.bits ^ b.bits),
        Punctuator::Bar => arithmetic(a.bits | b.bits),
        Punctuator::AndAnd => {
            let division = if a.truth() { both } else { a.division };
            Value { bits: (a.truth() && b.truth()).into(), unsigned: false, division }
        }
        Punctuator::OrOr => {
            let division = if a.truth() { a.division } else { both };
            Value { bits: (a.truth() || b.truth()).into(), unsigned: false, division }
        }
        // The comma operator; `precedence` lets no other punctuator through.
        _ => Value { division: both, ..b },
    }
}

/// What went wrong, and where.
/// For how many undefined names it is looked for what was meant.
const MOST_GUESSES: usize = 16;

type Problem = (Span, String, &'static str);

#[derive(Default)]
struct Stacks {
    values: Vec<Value>,
    operators: Vec<(Operator, Span)>,
}

impl Stacks {
    /// Applies the operator on top.
    fn apply(&mut self) -> Result<(), Problem> {
        let Some((operator, at)) = self.operators.pop() else { return Ok(()) };
        let missing = || (at, "an operand is missing".to_owned(), "has too few operands");
        let operand = self.values.pop().ok_or_else(missing)?;
        let value = match operator {
            Operator::Plus => operand,
            Operator::Minus => Value { bits: operand.bits.wrapping_neg(), ..operand },
            Operator::Complement => Value { bits: !operand.bits, ..operand },
            Operator::Not => Value { bits: (!operand.truth()).into(), unsigned: false, ..operand },
            Operator::Binary(punctuator) => {
                let left = self.values.pop().ok_or_else(missing)?;
                binary(punctuator, left, operand, at)
            }
            Operator::Conditional => {
                let second = self.values.pop().ok_or_else(missing)?;
                let condition = self.values.pop().ok_or_else(missing)?;
                let chosen = if condition.truth() { second } else { operand };
                Value {
                    bits: chosen.bits,
                    unsigned: second.unsigned || operand.unsigned,
                    division: condition.division.or(chosen.division),
                }
            }
            Operator::Paren => {
                return Err((at, "`(` is not closed".to_owned(), "no `)` belongs to it"));
            }
            Operator::Question => {
                return Err((at, "`?` without `:`".to_owned(), "the third operand is missing"));
            }
        };
        self.values.push(value);
        Ok(())
    }

    /// Applies operators that bind at least as strongly as `limit`.
    fn apply_down_to(&mut self, limit: u8) -> Result<(), Problem> {
        while self.operators.last().is_some_and(|&(operator, _)| strength(operator) >= limit) {
            self.apply()?;
        }
        Ok(())
    }
}

impl Preprocessor<'_> {
    /// Evaluates the rest of an `#if` or `#elif` line. If it is `!defined NAME`, returns the name,
    /// which may guard the file.
    pub(super) fn condition(&mut self, directive: Span) -> (bool, Option<Symbol>) {
        let tokens = self.condition_tokens();
        let guard = match tokens[..] {
            [not, defined, name] | [not, defined, _, name, _]
                if not.is(Punctuator::Exclamation)
                    && defined.symbol == self.names.defined
                    && name.kind == PpKind::Identifier =>
            {
                Some(name.symbol)
            }
            _ => None,
        };
        let whole = match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => first.span().to(last.span()),
            _ => directive,
        };
        let before = self.output.diagnostics.len();
        self.enter_list(tokens);
        let value = self.evaluate(directive);
        self.leave_list();
        match value {
            Err(_) if self.output.diagnostics[before..].iter().any(Diagnostic::is_error) => {
                // What was said explains this too.
                (false, None)
            }
            Ok(Value { division: Some(at), .. }) => {
                self.report(
                    Diagnostic::new(&codes::CONDITION_DIVISION, at, "division by zero in `#if`")
                        .at("the right side is 0")
                        .label(whole, "the condition counts as false"),
                );
                (false, None)
            }
            Ok(value) => (value.truth(), guard),
            Err((at, message, label)) => {
                self.error(&codes::CONDITION_SYNTAX, at, message, label);
                (false, None)
            }
        }
    }

    /// The value of `tokens` as a constant expression, if they are one and use no names.
    pub(super) fn constant(&mut self, tokens: &[PpToken]) -> Option<i64> {
        if tokens.iter().any(|token| token.kind == PpKind::Identifier) {
            return None;
        }
        let mut list = self.list();
        list.extend_from_slice(tokens);
        self.enter_list(list);
        let value = self.evaluate(Span::NONE);
        self.leave_list();
        value.ok().filter(|value| value.division.is_none()).map(|value| value.bits as i64)
    }

    /// The rest of the line, with the operands of `__has_include` taken literally.
    fn condition_tokens(&mut self) -> Vec<PpToken> {
        let mut tokens = self.list();
        loop {
            let token = self.lex();
            if token.is_end() {
                return tokens;
            }
            let after_query = token.is(Punctuator::LeftParen)
                && tokens.last().is_some_and(|last| last.symbol == self.names.has_include);
            tokens.push(token);
            if after_query
                && let Some(name) =
                    self.with_lexer(|lexer, text, cx| lexer.header_name(text, cx)).flatten()
            {
                tokens.push(name);
            }
        }
    }

    fn evaluate(&mut self, directive: Span) -> Result<Value, Problem> {
        let mut stacks = Stacks::default();
        let mut operand_next = true;
        let mut latest = directive;
        loop {
            let token = self.next_expanded();
            if token.is_end() {
                if stacks.values.is_empty() && stacks.operators.is_empty() {
                    return Err((
                        directive,
                        "`#if` without a condition".to_owned(),
                        "nothing follows",
                    ));
                }
                if operand_next {
                    return Err((
                        latest,
                        "an operand is missing behind this".to_owned(),
                        "the line ends behind this",
                    ));
                }
                stacks.apply_down_to(0)?;
                return stacks.values.pop().ok_or_else(|| {
                    (directive, "`#if` without a condition".to_owned(), "nothing follows")
                });
            }
            latest = token.span();
            if operand_next {
                let prefix = match token.kind {
                    PpKind::Punctuator(Punctuator::LeftParen) => Some(Operator::Paren),
                    PpKind::Punctuator(Punctuator::Plus) => Some(Operator::Plus),
                    PpKind::Punctuator(Punctuator::Minus) => Some(Operator::Minus),
                    PpKind::Punctuator(Punctuator::Tilde) => Some(Operator::Complement),
                    PpKind::Punctuator(Punctuator::Exclamation) => Some(Operator::Not),
                    _ => None,
                };
                match prefix {
                    Some(operator) => stacks.operators.push((operator, token.span())),
                    None => {
                        let value = self.operand(token)?;
                        stacks.values.push(value);
                        operand_next = false;
                    }
                }
                continue;
            }
            match token.kind {
                PpKind::Punctuator(Punctuator::RightParen) => {
                    stacks.apply_down_to(1)?;
                    match stacks.operators.pop() {
                        Some((Operator::Paren, _)) => {}
                        Some((_, at)) => {
                            return Err((
                                at,
                                "`?` without `:`".to_owned(),
                                "the third operand is missing",
                            ));
                        }
                        None => {
                            return Err((
                                token.span(),
                                "`)` without `(`".to_owned(),
                                "no parenthesis is open",
                            ));
                        }
                    }
                }
                PpKind::Punctuator(Punctuator::Question) => {
                    stacks.apply_down_to(CONDITIONAL + 1)?;
                    stacks.operators.push((Operator::Question, token.span()));
                    operand_next = true;
                }
                PpKind::Punctuator(Punctuator::Colon) => {
                    stacks.apply_down_to(1)?;
                    match stacks.operators.last_mut() {
                        Some(top @ (Operator::Question, _)) => top.0 = Operator::Conditional,
                        _ => {
                            return Err((
                                token.span(),
                                "`:` without `?`".to_owned(),
                                "no `?` goes before it",
                            ));
                        }
                    }
                    operand_next = true;
                }
                PpKind::Punctuator(punctuator) => {
                    let Some(limit) = precedence(punctuator) else {
                        let text = punctuator.as_str();
                        let hint = match punctuator {
                            Punctuator::Equal => "; `==` compares",
                            _ => "",
                        };
                        let message = format!("`{text}` is no operator of `#if`{hint}");
                        return Err((token.span(), message, "not an operator here"));
                    };
                    stacks.apply_down_to(limit)?;
                    stacks.operators.push((Operator::Binary(punctuator), token.span()));
                    operand_next = true;
                }
                _ => {
                    let text = token.spelling(self.interner);
                    let message = format!("expected an operator before `{text}`");
                    return Err((token.span(), message, "does not continue what is before it"));
                }
            }
        }
    }

    fn operand(&mut self, token: PpToken) -> Result<Value, Problem> {
        match token.kind {
            PpKind::Integer => {
                let text = token.spelling(self.interner);
                integer(text).map_err(|problem| (token.span(), problem, "not an integer"))
            }
            PpKind::Char => {
                let text = token.spelling(self.interner);
                character(text).map(Value::signed).ok_or_else(|| {
                    (token.span(), "invalid character constant".to_owned(), "not one character")
                })
            }
            PpKind::Identifier if token.symbol == self.names.defined => self.defined(token),
            PpKind::Identifier => {
                self.undefined_name(token);
                Ok(Value::signed(0))
            }
            PpKind::Float => Err((
                token.span(),
                "`#if` has no floating-point numbers".to_owned(),
                "a floating-point number",
            )),
            PpKind::String => {
                Err((token.span(), "`#if` has no string literals".to_owned(), "a string literal"))
            }
            _ => {
                let text = token.spelling(self.interner);
                Err((token.span(), format!("expected a value, found `{text}`"), "not a value"))
            }
        }
    }

    /// `defined NAME` or `defined(NAME)`.
    fn defined(&mut self, operator: PpToken) -> Result<Value, Problem> {
        if self.map.expansion_at(operator.lo).is_some() {
            self.error(
                &codes::EXPANSION_TO_DEFINED,
                operator.span(),
                "a macro expands to `defined`",
                "not every compiler looks for it here",
            );
        }
        let mut name = self.next_raw();
        let open = name.is(Punctuator::LeftParen);
        if open {
            name = self.next_raw();
        }
        if name.kind != PpKind::Identifier {
            let at = if name.is_end() { operator.span() } else { name.span() };
            return Err((
                at,
                "`defined` needs the name of a macro".to_owned(),
                "no name follows it",
            ));
        }
        if open && !self.next_raw().is(Punctuator::RightParen) {
            return Err((
                name.span(),
                "expected `)` behind the operand of `defined`".to_owned(),
                "not followed by `)`",
            ));
        }
        self.trace_use(name.symbol, name.span());
        Ok(Value::signed(self.is_defined(name.symbol).into()))
    }

    fn undefined_name(&mut self, token: PpToken) {
        if token.has(NO_EXPAND) || !self.undefined.insert(token.symbol) {
            return;
        }
        let text = self.interner.resolve(token.symbol);
        let diagnostic = Diagnostic::new(
            &codes::UNDEFINED_IN_CONDITION,
            token.span(),
            format!("`{text}` is not a macro and counts as 0"),
        )
        .at("not defined");
        // A suggestion is looked for among all macros. After so many undefined names it is not worth the
        // time: most programs that test many names expect them to be undefined.
        let guess = if self.undefined.len() <= MOST_GUESSES {
            let own = self.macros.names().map(|name| self.interner.resolve(name));
            let candidates = own.chain(super::predefined::names());
            did_you_mean(text, candidates).map(str::to_owned)
        } else {
            None
        };
        self.report(diagnostic.suggest(token.span(), guess));
    }
}

/// An integer constant as `intmax_t` or `uintmax_t` (C99 6.4.4.1).
fn integer(text: &str) -> Result<Value, String> {
    let lower = text.to_ascii_lowercase();
    let digits_end = lower.trim_end_matches(['u', 'l']).len();
    let (digits, suffix) = lower.split_at(digits_end);
    let unsigned = match suffix {
        "" | "l" | "ll" => false,
        "u" | "ul" | "ull" | "lu" | "llu" => true,
        _ => return Err(format!("invalid suffix of `{text}`")),
    };
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x', ..] => (&digits[2..], 16),
        [b'0', b'b', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    if digits.is_empty() || digits.bytes().any(|digit| !(digit as char).is_digit(radix)) {
        return Err(format!("`{text}` is not an integer constant"));
    }
    let bits = u64::from_str_radix(digits, radix)
        .map_err(|_| format!("`{text}` does not fit in 64 bits"))?;
    Ok(Value { bits, unsigned: unsigned || bits > i64::MAX as u64, division: None })
}

/// The value of a character constant; several characters count as digits of base 256.
fn character(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut bytes = Vec::new();
    let mut rest = inner.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let [escape, tail @ ..] = rest else { return None };
        rest = tail;
        bytes.push(match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' => 27,
            b'x' => {
                let digits = rest.iter().take_while(|b| b.is_ascii_hexdigit()).count();
                let value = rest[..digits]
                    .iter()
                    .fold(0u8, |v, &b| v << 4 | (b as char).to_digit(16).unwrap_or(0) as u8);
                rest = &rest[digits..];
                value
            }
            b'0'..=b'7' => {
                let more = rest.iter().take(2).take_while(|b| (b'0'..=b'7').contains(*b)).count();
                let value = rest[..more]
                    .iter()
                    .fold(u32::from(escape - b'0'), |v, &b| v << 3 | u32::from(b - b'0'));
                rest = &rest[more..];
                value as u8
            }
            other => *other,
        });
    }
    match bytes[..] {
        [] => None,
        // `char` is signed (OpenCL C 6.3.1).
        [one] => Some(i64::from(one as i8)),
        _ => {
            let value = bytes.iter().fold(0u32, |value, &b| value << 8 | u32::from(b));
            Some(i64::from(value as i32))
        }
    }
}
