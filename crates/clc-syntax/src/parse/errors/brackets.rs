//! Which brackets of a program belong together.

use crate::token::{Punctuator, Token, TokenKind};

const NONE: u32 = u32::MAX;

/// Which brackets belong together. A brace outranks what is open inside it, so that a forgotten `)`
/// spoils one block at most.
pub(in crate::parse) struct Brackets {
    partners: Vec<u32>,
}

impl Brackets {
    pub fn new(tokens: &[Token]) -> Brackets {
        let mut partners = vec![NONE; tokens.len()];
        // Open brackets, and how many `(` and `[` are open inside the innermost brace.
        let mut open: Vec<(u32, Punctuator)> = Vec::new();
        let mut inside = [0u32; 2];
        let mut outside: Vec<[u32; 2]> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let TokenKind::Punctuator(punctuator) = token.kind else { continue };
            let index = index as u32;
            match punctuator {
                Punctuator::LeftParen => {
                    inside[0] += 1;
                    open.push((index, punctuator));
                }
                Punctuator::LeftBracket => {
                    inside[1] += 1;
                    open.push((index, punctuator));
                }
                Punctuator::LeftBrace => {
                    outside.push(std::mem::take(&mut inside));
                    open.push((index, punctuator));
                }
                Punctuator::RightParen if inside[0] > 0 => {
                    close(&mut open, &mut inside, &mut partners, Punctuator::LeftParen, index);
                }
                Punctuator::RightBracket if inside[1] > 0 => {
                    close(&mut open, &mut inside, &mut partners, Punctuator::LeftBracket, index);
                }
                // The wrong one of the two kinds.
                Punctuator::RightParen if ends_with(&open, Punctuator::LeftBracket) => {
                    close(&mut open, &mut inside, &mut partners, Punctuator::LeftBracket, index);
                }
                Punctuator::RightBracket if ends_with(&open, Punctuator::LeftParen) => {
                    close(&mut open, &mut inside, &mut partners, Punctuator::LeftParen, index);
                }
                Punctuator::RightBrace => {
                    if let Some(counts) = outside.pop() {
                        close(&mut open, &mut inside, &mut partners, Punctuator::LeftBrace, index);
                        inside = counts;
                    }
                }
                _ => {}
            }
        }
        Brackets { partners }
    }

    pub fn partner(&self, index: usize) -> Option<usize> {
        match self.partners.get(index) {
            None | Some(&NONE) => None,
            Some(&partner) => Some(partner as usize),
        }
    }
}

fn ends_with(open: &[(u32, Punctuator)], opening: Punctuator) -> bool {
    open.last().is_some_and(|&(_, punctuator)| punctuator == opening)
}

fn close(
    open: &mut Vec<(u32, Punctuator)>,
    inside: &mut [u32; 2],
    partners: &mut [u32],
    opening: Punctuator,
    index: u32,
) {
    while let Some((opener, punctuator)) = open.pop() {
        match punctuator {
            Punctuator::LeftParen => inside[0] = inside[0].saturating_sub(1),
            Punctuator::LeftBracket => inside[1] = inside[1].saturating_sub(1),
            _ => {}
        }
        if punctuator == opening {
            partners[opener as usize] = index;
            partners[index as usize] = opener;
            return;
        }
    }
}
