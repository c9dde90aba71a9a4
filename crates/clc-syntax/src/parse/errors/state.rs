//! What the parse remembers of errors and of where they may have begun.

use super::brackets::Brackets;
use crate::ast::Declaration;

/// Nothing but what was read, until something fails.
#[derive(Default)]
pub(in crate::parse) struct Trouble {
    /// The opening bracket of the group that was read last, but for its closing one.
    pub opener: Option<usize>,
    /// The `{` of the function being parsed.
    pub function_body: Option<usize>,
    /// The first token of the body that was read last.
    pub last_body: usize,
    /// Where the body of a function in the style before C89 begins, once one was reported.
    pub old_style_body: Option<usize>,
    /// Where the file goes on after [`Progress::Unwinding`]; its end if nothing was said.
    pub resume: Option<usize>,
    /// An error was reported in the statement, member or declaration that is being read; what else
    /// fails in it most likely follows from that.
    pub said: bool,
    /// An error was reported in it or in statements in it.
    pub said_inside: bool,
    /// Where that begins.
    pub item_start: usize,
    /// It begins where a `;` was missed, which is a guess.
    pub is_guess: bool,
    /// Where the last failure was reported.
    pub last_error: Option<usize>,
    /// That was the want of a `;`.
    pub wanted_semicolon: bool,
    /// A failure at a brace was reported: that braces do not match follows from it.
    pub brace_error: bool,
    /// For how many statements more a failure at a bracket, which was reported, matters.
    pub bracket_error: u8,
    /// The next item begins where a `;` was missed, which is a guess.
    pub after_guess: bool,
    /// The first token behind what did not parse last.
    pub broken_end: Option<usize>,
    /// What was read of the declaration that failed last.
    pub salvage: Option<Declaration>,
    /// Bracket pairs, computed at the first error.
    pub brackets: Option<Brackets>,
}
