//! Names of vector components (OpenCL C 6.3.7): `xyzw`, `rgba`, `s0` to `sF`, `lo`, `hi`, `even`,
//! `odd`.

use clc_base::diagnostic::did_you_mean;

use crate::hir::Swizzle;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SwizzleError {
    /// This character names no component, or not one of the set that the first belongs to.
    Unknown(char),
    /// The component exists in longer vectors only.
    OutOfRange(char),
    /// So many components make no vector.
    Length(usize),
}

/// The components that `name` selects from a vector of `count`, and whether it is spelled with
/// `rgba`, which came with OpenCL C 3.0.
pub(crate) fn parse(name: &str, count: u8) -> Result<(Swizzle, bool), SwizzleError> {
    // In these a vector of three counts as one of four, whose last component is undefined.
    let half = count.next_power_of_two() / 2;
    let select = |component: fn(u8, u8) -> u8| {
        let mut components = [0; 16];
        for index in 0..half {
            let component = component(index, half);
            let exists = component < count;
            components[usize::from(index)] = if exists { component } else { Swizzle::UNDEFINED };
        }
        Ok((Swizzle { components, count: half }, false))
    };
    match name {
        "lo" => return select(|index, _| index),
        "hi" => return select(|index, half| index + half),
        "even" => return select(|index, _| 2 * index),
        "odd" => return select(|index, _| 2 * index + 1),
        _ => {}
    }
    let numeric = name.len() > 1 && name.starts_with(['s', 'S']);
    let letters = if numeric { &name[1..] } else { name };
    let mut set = "";
    let mut components = [0; 16];
    let mut length = 0;
    for letter in letters.chars() {
        let index = if numeric {
            letter.to_digit(16)
        } else {
            if length == 0 {
                set = if "rgba".contains(letter) { "rgba" } else { "xyzw" };
            }
            set.find(letter).map(|index| index as u32)
        };
        let Some(index) = index else { return Err(SwizzleError::Unknown(letter)) };
        if index >= u32::from(count) {
            return Err(SwizzleError::OutOfRange(letter));
        }
        if let Some(component) = components.get_mut(length) {
            *component = index as u8;
        }
        length += 1;
    }
    match length {
        1 | 2 | 3 | 4 | 8 | 16 => Ok((Swizzle { components, count: length as u8 }, set == "rgba")),
        _ => Err(SwizzleError::Length(length)),
    }
}

/// Whether some component is selected twice: such a swizzle cannot be assigned to.
pub(crate) fn has_duplicates(swizzle: &Swizzle) -> bool {
    let mut seen = 0u16;
    swizzle.as_slice().iter().filter(|&&component| component != Swizzle::UNDEFINED).any(
        |component| {
            let bit = 1u16 << (component & 15);
            let duplicate = seen & bit != 0;
            seen |= bit;
            duplicate
        },
    )
}

/// The components of `components` of a vector that is itself `inner`.
pub(crate) fn compose(inner: &Swizzle, outer: &Swizzle) -> Swizzle {
    let mut swizzle = *outer;
    for component in &mut swizzle.components[..usize::from(outer.count)] {
        if *component != Swizzle::UNDEFINED {
            *component = inner.components[usize::from(*component & 15)];
        }
    }
    swizzle
}

/// The components that a wrong name was meant to select: names of both sets in one, letters in
/// the wrong case, misspelt halves.
pub(crate) fn similar(name: &str, count: u8) -> Option<String> {
    const HALVES: &[&str] = &["lo", "hi", "even", "odd"];
    let lower = name.to_ascii_lowercase();
    let position = |c: char| "rgba".find(c).and_then(|index| "xyzw".chars().nth(index));
    let one_set: String = lower.chars().map(|c| position(c).unwrap_or(c)).collect();
    let digits = format!("s{}", lower.strip_prefix(['x', 'v']).unwrap_or_default());
    let half = did_you_mean(&lower, HALVES.iter().copied()).unwrap_or_default();
    [&lower, &one_set, &digits, half]
        .into_iter()
        .find(|&guess| {
            let select = parse(guess, count).ok().filter(|_| guess != name);
            select.is_some_and(|(swizzle, _)| !has_duplicates(&swizzle))
        })
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(name: &str, count: u8) -> Result<Vec<u8>, SwizzleError> {
        parse(name, count).map(|(swizzle, _)| swizzle.as_slice().to_vec())
    }

    #[test]
    fn component_names_select() {
        assert_eq!(components("x", 2), Ok(vec![0]));
        assert_eq!(components("wzyx", 4), Ok(vec![3, 2, 1, 0]));
        assert_eq!(components("xx", 4), Ok(vec![0, 0]));
        assert_eq!(components("bgr", 3), Ok(vec![2, 1, 0]));
        assert_eq!(components("s0aF", 16), Ok(vec![0, 10, 15]));
        assert_eq!(components("S10", 2), Ok(vec![1, 0]));
        assert_eq!(components("lo", 8), Ok(vec![0, 1, 2, 3]));
        assert_eq!(components("hi", 2), Ok(vec![1]));
        assert_eq!(components("even", 4), Ok(vec![0, 2]));
        assert_eq!(components("odd", 4), Ok(vec![1, 3]));
        assert_eq!(components("lo", 3), Ok(vec![0, 1]));
        assert_eq!(components("hi", 3), Ok(vec![2, Swizzle::UNDEFINED]));
        assert_eq!(components("odd", 3), Ok(vec![1, Swizzle::UNDEFINED]));
        assert!(parse("rg", 4).unwrap().1);
        assert!(!parse("xy", 4).unwrap().1);
    }

    #[test]
    fn wrong_names_are_explained() {
        assert_eq!(components("xr", 4), Err(SwizzleError::Unknown('r')));
        assert_eq!(components("foo", 4), Err(SwizzleError::Unknown('f')));
        assert_eq!(components("s", 4), Err(SwizzleError::Unknown('s')));
        assert_eq!(components("sG", 16), Err(SwizzleError::Unknown('G')));
        assert_eq!(components("s4", 4), Err(SwizzleError::OutOfRange('4')));
        assert_eq!(components("z", 2), Err(SwizzleError::OutOfRange('z')));
        assert_eq!(components("xyzwx", 4), Err(SwizzleError::Length(5)));
        let long = format!("s{}", "0".repeat(300));
        assert_eq!(components(&long, 4), Err(SwizzleError::Length(300)));
    }
}
