//! What an editor can fold: blocks, comments, runs of directives.

use crate::analysis::Analysis;
use crate::scan::{self, LexemeKind};

/// Lines that can be folded into their first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From 0.
    pub first_line: u32,
    /// The last line that is hidden.
    pub last_line: u32,
    /// What is folded.
    pub kind: FoldKind,
}

/// What is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// `{ … }`
    Block,
    /// `/* … */`, or lines of `//`.
    Comment,
    /// `#if … #endif`
    Condition,
    /// Lines of `#include`.
    Includes,
}

impl Analysis {
    /// What can be folded, in the order of the first lines.
    pub fn folds(&self) -> Vec<Fold> {
        let text = self.text();
        let file = self.sources.file(self.main);
        let line = |offset: u32| file.line_at(offset).0;
        let mut folds: Vec<Fold> = Vec::new();
        let mut add = |first_line: u32, last_line: u32, kind: FoldKind| {
            if first_line < last_line {
                folds.push(Fold { first_line, last_line, kind });
            }
        };
        let (mut braces, mut conditions) = (Vec::new(), Vec::new());
        // Runs of lines of one kind: comments, includes.
        let mut comments: Option<(u32, u32)> = None;
        let mut includes: Option<(u32, u32)> = None;
        let lexemes = scan::scan(text);
        let mut words = lexemes.iter().peekable();
        while let Some(lexeme) = words.next() {
            let at = line(lexeme.start);
            if lexeme.kind == LexemeKind::Comment {
                if !lexeme.text(text).starts_with("//") {
                    add(at, line(lexeme.end), FoldKind::Comment);
                    continue;
                }
                comments = match comments {
                    Some((first, last)) if last + 1 == at => Some((first, at)),
                    other => {
                        if let Some((first, last)) = other {
                            add(first, last, FoldKind::Comment);
                        }
                        Some((at, at))
                    }
                };
                continue;
            }
            match lexeme.kind {
                LexemeKind::Sign(b'{') => braces.push(at),
                LexemeKind::Sign(b'}') => {
                    if let Some(first) = braces.pop() {
                        // The closing brace stays to be seen.
                        add(first, at.saturating_sub(1), FoldKind::Block);
                    }
                }
                LexemeKind::Sign(b'#') if lexeme.in_directive => {
                    match words.peek().map_or("", |word| word.text(text)) {
                        "if" | "ifdef" | "ifndef" => conditions.push(at),
                        "elif" | "else" | "elifdef" | "elifndef" => {
                            if let Some(first) = conditions.pop() {
                                add(first, at.saturating_sub(1), FoldKind::Condition);
                                conditions.push(at);
                            }
                        }
                        "endif" => {
                            if let Some(first) = conditions.pop() {
                                add(first, at.saturating_sub(1), FoldKind::Condition);
                            }
                        }
                        "include" => {
                            includes = match includes {
                                Some((first, last)) if last + 1 == at => Some((first, at)),
                                other => {
                                    if let Some((first, last)) = other {
                                        add(first, last, FoldKind::Includes);
                                    }
                                    Some((at, at))
                                }
                            };
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        for (run, kind) in [(comments, FoldKind::Comment), (includes, FoldKind::Includes)] {
            if let Some((first, last)) = run {
                add(first, last, kind);
            }
        }
        folds.sort_by_key(|fold| (fold.first_line, fold.last_line));
        folds
    }
}
