//! Results as the host computes them, by name.
//!
//! Each function gets the case with its arguments as they were before the run and gives what the
//! argument in question holds afterwards. They follow the kernels operation by operation in the
//! same precision, so that results are equal and not only close.

mod collectives;
mod unequal_groups;

use crate::case::Case;
use crate::data::{Data, Element};

/// A host computation.
pub type Host = fn(&Case) -> Data;

/// The function called `name`.
pub fn find(name: &str) -> Option<Host> {
    Some(match name {
        "sha256" => sha256,
        "md5" => md5,
        "matmul" => matmul,
        "reduce" => reduce,
        "nbody" => nbody,
        "gaussian" => gaussian,
        "particles" => particles,
        "tokens" => tokens,
        "collective rounds" => collectives::rounds,
        "collectives of int" => |case| collectives::values(case, Element::Int),
        "collectives of uint" => |case| collectives::values(case, Element::UInt),
        "collectives of long" => |case| collectives::values(case, Element::Long),
        "collectives of ulong" => |case| collectives::values(case, Element::ULong),
        "collectives of half" => |case| collectives::values(case, Element::Half),
        "collectives of float" => |case| collectives::values(case, Element::Float),
        "collectives of double" => |case| collectives::values(case, Element::Double),
        "work-items" => unequal_groups::work_items,
        "exchanged" => unequal_groups::exchanged,
        _ => return None,
    })
}

fn arguments(case: &Case) -> Vec<Data> {
    case.arguments.iter().map(crate::case::Argument::data).collect()
}

/// Messages as hashcat's kernels take them: argument 0 holds the bytes of all messages back to
/// back in slots, argument 1 their lengths.
fn messages(case: &Case) -> Vec<Vec<u8>> {
    let arguments = arguments(case);
    let lengths = arguments[1].ints();
    let slot = arguments[0].bytes.len() / lengths.len().max(1);
    lengths
        .iter()
        .zip(arguments[0].bytes.chunks(slot.max(1)))
        .map(|(&length, bytes)| bytes[..length as usize].to_vec())
        .collect()
}

/// Digests as bytes, in the order of the messages.
fn sha256(case: &Case) -> Data {
    use sha2::Digest as _;
    let bytes = messages(case).iter().flat_map(sha2::Sha256::digest).collect();
    Data { element: Element::UChar, bytes }
}

fn md5(case: &Case) -> Data {
    use md5::Digest as _;
    let bytes = messages(case).iter().flat_map(md5::Md5::digest).collect();
    Data { element: Element::UChar, bytes }
}

/// `C = A B` for square matrices of side argument 3; sums are exact, for the elements are small
/// integers.
fn matmul(case: &Case) -> Data {
    let arguments = arguments(case);
    let (a, b) = (arguments[0].f32s(), arguments[1].f32s());
    let n = arguments[3].ints()[0] as usize;
    let element = |row: usize, column: usize| -> f32 {
        (0..n).map(|k| a[row * n + k] * b[k * n + column]).sum()
    };
    Data::from_f64(Element::Float, (0..n * n).map(|i| f64::from(element(i / n, i % n))))
}

/// One wrapping sum for each work-group.
fn reduce(case: &Case) -> Data {
    let values = arguments(case)[0].ints();
    let sums = values.chunks(case.local[0]).map(|group| group.iter().sum::<i128>());
    Data::from_int(Element::UInt, sums)
}

/// One step of an N-body simulation: argument 0 positions and masses (float4), argument 1
/// velocities (float4), argument 3 the step.
fn nbody(case: &Case) -> Data {
    let arguments = arguments(case);
    let (bodies, velocities) = (arguments[0].f64s(), arguments[1].f64s());
    let dt = arguments[3].f64s()[0];
    let mut out = Vec::new();
    for (body, velocity) in bodies.chunks(4).zip(velocities.chunks(4)) {
        let mut force = [0.0f64; 3];
        for other in bodies.chunks(4) {
            let d = [other[0] - body[0], other[1] - body[1], other[2] - body[2]];
            let r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
            let scale = other[3] / (r2 * r2.sqrt());
            for axis in 0..3 {
                force[axis] += d[axis] * scale;
            }
        }
        for axis in 0..3 {
            out.push(body[axis] + dt * (velocity[axis] + dt * force[axis]));
        }
        out.push(body[3]);
    }
    Data::from_f64(Element::Float, out)
}

/// A 3×3 binomial filter over an RGBA float image (argument 0), edges clamped. The weights are
/// sixteenths and the pixels small integers, so sums are exact.
fn gaussian(case: &Case) -> Data {
    let crate::case::Argument::Image { sizes: [width, height, _], data, .. } = &case.arguments[0]
    else {
        return Data { element: Element::Float, bytes: Vec::new() };
    };
    let pixels = data.f64s();
    let (width, height) = (*width as i64, *height as i64);
    let weights = [1.0, 2.0, 1.0];
    let mut out = Vec::new();
    for y in 0..height {
        for x in 0..width {
            for channel in 0..4 {
                let mut sum = 0.0;
                for dy in -1..=1i64 {
                    for dx in -1..=1i64 {
                        let (px, py) =
                            ((x + dx).clamp(0, width - 1), (y + dy).clamp(0, height - 1));
                        let pixel = pixels[((py * width + px) * 4 + channel) as usize];
                        sum += pixel * weights[(dx + 1) as usize] * weights[(dy + 1) as usize];
                    }
                }
                out.push(sum / 16.0);
            }
        }
    }
    Data::from_f64(Element::Float, out)
}

/// The struct-of-arrays kernel: fields of 16 particles, laid out as the struct has them: x, y
/// (float[16] each), charge (short[16]), flags (uchar[16]).
fn particles(case: &Case) -> Data {
    let mut bytes = case.arguments[0].data().bytes;
    let float = |bytes: &[u8], at: usize| {
        f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    };
    for i in 0..16 {
        let (x, y) = (float(&bytes, 4 * i), float(&bytes, 64 + 4 * i));
        let charge = i16::from_le_bytes([bytes[128 + 2 * i], bytes[129 + 2 * i]]);
        let flags = bytes[160 + i];
        let new_x = if flags & 1 != 0 { x + f32::from(charge) } else { x };
        bytes[4 * i..4 * i + 4].copy_from_slice(&new_x.to_le_bytes());
        bytes[64 + 4 * i..68 + 4 * i].copy_from_slice(&(y * 0.5).to_le_bytes());
        bytes[128 + 2 * i..130 + 2 * i].copy_from_slice(&(-charge).to_le_bytes());
        bytes[160 + i] = flags.rotate_left(1);
    }
    Data { element: Element::UChar, bytes }
}

/// The state machine: counts words, numbers and other runs of characters in lines of 32 bytes
/// (argument 0); four counters a line: words, numbers, punctuation, longest word.
fn tokens(case: &Case) -> Data {
    let text = case.arguments[0].data().bytes;
    let mut out = Vec::new();
    for line in text.chunks(32) {
        let line = line.split(|&byte| byte == 0).next().unwrap_or(&[]);
        let kind = |byte: u8| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => 0,
            b'0'..=b'9' => 1,
            b' ' => 3,
            _ => 2,
        };
        let mut counts = [0i128; 4];
        let mut at = 0;
        while at < line.len() {
            let start = at;
            let first = kind(line[at]);
            at += 1;
            // A word may go on with digits; a number may not go on with letters; punctuation
            // stands alone.
            while at < line.len()
                && match first {
                    0 => kind(line[at]) <= 1,
                    1 => kind(line[at]) == 1,
                    _ => false,
                }
            {
                at += 1;
            }
            if first < 3 {
                counts[first] += 1;
            }
            if first == 0 {
                counts[3] = counts[3].max((at - start) as i128);
            }
        }
        out.extend(counts);
    }
    Data::from_int(Element::Int, out)
}
