//! What kernels over many work-items have in common.

use super::run::{Argument, Check, Kernel};
use super::value::Value;
use crate::data::Element;

/// A kernel whose source says `NAME` for its name.
pub fn kernel(
    index: usize,
    title: &str,
    source: &str,
    arguments: Vec<Argument>,
    sizes: (&[usize], &[usize]),
    check: Check,
) -> Kernel {
    let name = format!("k{index}");
    let source = source.replace("NAME", &name);
    Kernel::new(&name, title, source, arguments, check).sizes(sizes.0, sizes.1)
}

pub fn bytes(values: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    values.iter().for_each(|value| value.push(&mut bytes));
    bytes
}

/// All elements of a result.
pub fn read(element: Element, output: &[u8]) -> Vec<Value> {
    (0..output.len() / element.size())
        .filter_map(|index| Value::read(element, output, index))
        .collect()
}

/// Where two lists of values are different.
pub fn differences(got: &[Value], want: &[Value]) -> Vec<String> {
    if got.len() < want.len() {
        return vec![format!("{} results instead of {}", got.len(), want.len())];
    }
    got.iter()
        .zip(want)
        .enumerate()
        .filter(|(_, (got, want))| got != want)
        .map(|(index, (got, want))| format!("element {index}: got {got:?}, want {want:?}"))
        .collect()
}
