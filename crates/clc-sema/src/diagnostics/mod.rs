//! What semantic analysis can find wrong, by family.

pub(crate) mod address_spaces;
pub(crate) mod blocks;
pub(crate) mod builtins;
pub(crate) mod constants;
pub(crate) mod conversions;
pub(crate) mod declarations;
pub(crate) mod expressions;
pub(crate) mod lints;
pub(crate) mod statements;
pub(crate) mod types;

use clc_base::Code;

/// Defines the codes of a family and their list.
macro_rules! codes {
    ($($id:ident = $kind:ident $name:literal $explain:literal;)*) => {
        $(pub(crate) static $id: clc_base::Code =
            clc_base::Code::$kind(stringify!($id), $name, $explain);)*

        pub(crate) const LIST: &[&clc_base::Code] = &[$(&$id),*];
    };
}
pub(crate) use codes;

const FAMILIES: &[&[&Code]] = &[
    declarations::LIST,
    types::LIST,
    address_spaces::LIST,
    conversions::LIST,
    expressions::LIST,
    statements::LIST,
    builtins::LIST,
    blocks::LIST,
    constants::LIST,
    lints::LIST,
];

const COUNT: usize = {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
};

/// Every code of this crate.
pub static CODES: &[&Code] = &{
    let mut codes = [FAMILIES[0][0]; COUNT];
    let (mut next, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut index = 0;
        while index < FAMILIES[family].len() {
            codes[next] = FAMILIES[family][index];
            next += 1;
            index += 1;
        }
        family += 1;
    }
    codes
};
