//! Strings in a module: of arguments as compilers keep them for `clGetKernelArgInfo`, and formats of
//! `printf`.

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Op, OpenclStd100Op};

use super::description::PrintfString;
use super::scan::Scan;

/// Steps from a pointer to the variable that it points into.
const MOST_STEPS: usize = 16;

/// OpStrings in the form of the translators between SPIR-V and LLVM:
/// `kernel_arg_type.NAME.float*,int,`.
#[derive(Default)]
pub(super) struct ArgumentStrings {
    types: FxHashMap<String, String>,
    qualifiers: FxHashMap<String, String>,
}

impl ArgumentStrings {
    pub fn of(scan: &Scan<'_>) -> ArgumentStrings {
        let mut strings = ArgumentStrings::default();
        for &place in &scan.strings {
            let Some((text, _)) = scan.at(place).get(2..).and_then(crate::read::string) else {
                continue;
            };
            let (map, rest) = if let Some(rest) = text.strip_prefix("kernel_arg_type.") {
                (&mut strings.types, rest)
            } else if let Some(rest) = text.strip_prefix("kernel_arg_type_qual.") {
                (&mut strings.qualifiers, rest)
            } else {
                continue;
            };
            // Names of types have no dots.
            if let Some((kernel, list)) = rest.rsplit_once('.') {
                map.insert(kernel.to_owned(), list.to_owned());
            }
        }
        strings
    }

    /// The names of the types of a kernel's arguments, if the module has one for each.
    pub fn types_of(&self, kernel: &str, count: usize) -> Option<Vec<String>> {
        list(&self.types, kernel, count)
    }

    /// As [`ArgumentStrings::types_of`], of their qualifiers.
    pub fn qualifiers_of(&self, kernel: &str, count: usize) -> Option<Vec<String>> {
        list(&self.qualifiers, kernel, count)
    }
}

fn list(map: &FxHashMap<String, String>, kernel: &str, count: usize) -> Option<Vec<String>> {
    let text = map.get(kernel)?;
    let text = text.strip_suffix(',').unwrap_or(text);
    let items = || text.split(',');
    (count > 0 && items().count() == count).then(|| items().map(str::to_owned).collect())
}

/// The constant strings that OpenCL's `printf` is called with, each once.
pub(super) fn printf_formats(scan: &Scan<'_>) -> Vec<PrintfString> {
    let sets = scan.sets.iter().filter(|(_, name)| name == "OpenCL.std");
    let sets: FxHashSet<u32> = sets.map(|&(id, _)| id).collect();
    let (mut seen, mut formats) = (FxHashSet::default(), Vec::new());
    // Variables may share an initializer.
    let mut elements_left = scan.words.len();
    for &place in &scan.ext_insts {
        let [_, _, _, set, number, format, ..] = *scan.at(place) else { continue };
        if number != OpenclStd100Op::printf as u32 || !sets.contains(&set) {
            continue;
        }
        if let Some(variable) = variable_of(scan, format)
            && seen.insert(variable)
            && let Some(string) = contents(scan, variable, &mut elements_left)
        {
            formats.push(PrintfString { id: None, string });
        }
    }
    formats
}

/// The variable that a pointer points into.
fn variable_of(scan: &Scan<'_>, pointer: u32) -> Option<u32> {
    let mut id = pointer;
    for _ in 0..MOST_STEPS {
        id = match scan.def(id)? {
            (Op::Variable, _) => return Some(id),
            (Op::SpecConstantOp, inst) => *inst.get(4)?,
            (_, inst) => *inst.get(3)?,
        };
    }
    None
}

/// The bytes of a variable's initializer as far as the zero that ends a string.
fn contents(scan: &Scan<'_>, variable: u32, elements_left: &mut usize) -> Option<Vec<u8>> {
    let (_, inst) = scan.def(variable)?;
    let elements = match scan.def(*inst.get(4)?)? {
        (Op::ConstantComposite, inst) => inst.get(3..)?,
        (Op::ConstantNull, _) => return Some(Vec::new()),
        _ => return None,
    };
    *elements_left = elements_left.checked_sub(elements.len())?;
    let mut bytes = Vec::new();
    for &element in elements {
        match u8::try_from(scan.constant(element)?).ok()? {
            0 => break,
            byte => bytes.push(byte),
        }
    }
    Some(bytes)
}
