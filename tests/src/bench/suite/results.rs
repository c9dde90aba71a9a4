//! What two ways give, side by side.

use super::Benchmark;

/// How two results are compared.
pub enum Elements {
    Exact,
    /// Floats, whose sums may come in another order.
    Floats,
    /// As those, of 64 bits.
    Doubles,
    /// As those, of 16 bits.
    Halves,
    /// Floats that follow from such comparisons: at most one in a hundred differs.
    Picture,
    /// Integers that follow from comparisons of such floats: at most one in a hundred differs.
    Counts,
}

/// Of the largest number of a result.
const TOLERANCE: f32 = 1e-3;

impl Benchmark {
    pub fn compare(&self, a: &[u8], b: &[u8]) -> Result<(), String> {
        match self.elements {
            Elements::Exact if a == b => Ok(()),
            Elements::Exact => {
                let at = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
                Err(format!("byte {at} differs"))
            }
            Elements::Floats => close(&floats(a), &floats(b)),
            Elements::Doubles => close(&doubles(a), &doubles(b)),
            Elements::Halves => close(&halves(a), &halves(b)),
            Elements::Picture => {
                let (a, b) = (floats(a), floats(b));
                let largest = a.iter().fold(1e-30f32, |largest, value| largest.max(value.abs()));
                mostly(&a, &b, |a, b| !differs(*a, *b, largest))
            }
            Elements::Counts => mostly(&uints(a), &uints(b), |a, b| a == b),
        }
    }
}

/// Whether at most one in a hundred differs.
fn mostly<T>(a: &[T], b: &[T], is_equal: impl Fn(&T, &T) -> bool) -> Result<(), String> {
    let different = a.iter().zip(b).filter(|(a, b)| !is_equal(a, b)).count();
    match different * 100 <= a.len() && a.len() == b.len() {
        true => Ok(()),
        false => Err(format!("{different} of {} differ", a.len())),
    }
}

pub(super) fn close(a: &[f32], b: &[f32]) -> Result<(), String> {
    let largest = a.iter().fold(1e-30f32, |largest, value| largest.max(value.abs()));
    match a.iter().zip(b).position(|(a, b)| differs(*a, *b, largest)) {
        _ if a.len() != b.len() => Err(format!("{} and {} numbers", a.len(), b.len())),
        Some(at) => Err(format!("element {at}: {} and {}", a[at], b[at])),
        None => Ok(()),
    }
}

/// Not a number differs from everything.
fn differs(a: f32, b: f32, largest: f32) -> bool {
    let difference = (a - b).abs();
    difference.is_nan() || difference > TOLERANCE * largest
}

pub(super) fn floats(bytes: &[u8]) -> Vec<f32> {
    let (chunks, _) = bytes.as_chunks::<4>();
    chunks.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

/// Rounded to floats, which is enough for [`TOLERANCE`].
pub(super) fn doubles(bytes: &[u8]) -> Vec<f32> {
    let (chunks, _) = bytes.as_chunks::<8>();
    chunks.iter().map(|&bytes| f64::from_le_bytes(bytes) as f32).collect()
}

pub(super) fn halves(bytes: &[u8]) -> Vec<f32> {
    let (chunks, _) = bytes.as_chunks::<2>();
    chunks.iter().map(|&bytes| half::f16::from_le_bytes(bytes).to_f32()).collect()
}

pub(super) fn uints(bytes: &[u8]) -> Vec<u32> {
    let (chunks, _) = bytes.as_chunks::<4>();
    chunks.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect()
}
