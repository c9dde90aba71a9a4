//! The diagnostics of this crate, by family.

use clc_base::Code;

pub(crate) mod grammar;
pub(crate) mod preprocessor;

/// Every code of this crate.
pub static CODES: &[&Code] = &ALL;

static ALL: [&Code; preprocessor::CODES.len() + grammar::CODES.len()] = {
    let mut all = [preprocessor::CODES[0]; _];
    let mut index = 0;
    while index < all.len() {
        let count = preprocessor::CODES.len();
        all[index] = match index < count {
            true => preprocessor::CODES[index],
            false => grammar::CODES[index - count],
        };
        index += 1;
    }
    all
};
