//! What kernels print with `printf`: the records of a buffer as text. Copy this file to your host; it needs
//! what clc-build generates, and the `snprintf` of C, whose conversions are those of OpenCL C but for vectors.

use std::ffi::{CString, c_char, c_int, c_void};

use crate::generated::{PrintfArgumentKind, PrintfFormat};

#[cfg_attr(target_env = "msvc", link(name = "legacy_stdio_definitions"))]
unsafe extern "C" {
    fn snprintf(to: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
}

/// A buffer with room for so many words of records, as it is before a launch.
pub fn empty(words: u32) -> Vec<u32> {
    let mut buffer = vec![0; 2 + words as usize];
    buffer[1] = words;
    buffer
}

/// The text of the records in a buffer, and the number of words that were lost because it was full:
/// those of whole records, the first that did not fit and what came after it. `formats` is
/// `PRINTF_FORMATS` of the module.
pub fn text(buffer: &[u32], formats: &[PrintfFormat]) -> Result<(Vec<u8>, u32), String> {
    let [asked_for, capacity, records @ ..] = buffer else {
        return Err("the buffer has no header".into());
    };
    let used = asked_for.min(capacity);
    let mut rest = records.get(..*used as usize).ok_or("the buffer is shorter than it says")?;
    let mut text = Vec::new();
    let mut read = 0;
    while let Some((&id, mut after)) = rest.split_first() {
        if id == 0 && asked_for > capacity {
            break; // The first record that did not fit would be here.
        }
        let format = find(formats, id)?;
        let mut arguments = Vec::new();
        for argument in format.arguments {
            let (size, count) = (argument.size, argument.components);
            let words = (size * count).div_ceil(4);
            let (own, next) = after.split_at_checked(words).ok_or("a record has no end")?;
            let bytes: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
            let components = bytes.chunks_exact(size).take(count);
            arguments.push(components.map(|c| component(argument.kind, c)).collect::<Vec<_>>());
            after = next;
        }
        print(format.string, &arguments, formats, &mut text)?;
        rest = after;
        read = used - rest.len() as u32;
    }
    Ok((text, asked_for - read))
}

/// A number as it was recorded: bits, bytes and, of a float, the value.
type Component = (u64, usize, f64);

fn component(kind: PrintfArgumentKind, bytes: &[u8]) -> Component {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(all);
    let value = match (kind, bytes.len()) {
        (PrintfArgumentKind::Float, 8) => f64::from_bits(bits),
        (PrintfArgumentKind::Float, 4) => f32::from_bits(bits as u32).into(),
        (PrintfArgumentKind::Float, _) => half(bits as u16),
        _ => 0.0,
    };
    (bits, bytes.len(), value)
}

fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

fn find(formats: &[PrintfFormat], id: u32) -> Result<&PrintfFormat, String> {
    let found = formats.iter().find(|format| format.id == id);
    found.ok_or_else(|| format!("no format has the id {id}"))
}

fn print(
    format: &[u8],
    arguments: &[Vec<Component>],
    formats: &[PrintfFormat],
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let (mut arguments, mut rest) = (arguments.iter(), format);
    while let Some(start) = rest.iter().position(|&byte| byte == b'%') {
        out.extend(&rest[..start]);
        // `%`, flags, width and precision; the number of components; a length; the conversion.
        let of = |from: usize, set: &[u8]| {
            from + rest[from..].iter().take_while(|byte| set.contains(byte)).count()
        };
        let head = of(start + 1, b"-+ #0123456789.");
        let vector = if rest.get(head) == Some(&b'v') { of(head + 1, b"0123456789") } else { head };
        let length = of(vector, b"hlzt");
        let letter = *rest.get(length).ok_or("a conversion has no end")?;
        let (flags, modifier) = (&rest[start..head], &rest[vector..length]);
        rest = &rest[length + 1..];
        if letter == b'%' {
            out.push(b'%');
            continue;
        }
        let components = arguments.next().ok_or("a conversion has no argument")?;
        for (index, &(bits, size, value)) in components.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            // A smaller scalar was recorded as an `int`; its length says what it was.
            let size = match modifier {
                b"hh" if components.len() == 1 => 1,
                b"h" if components.len() == 1 => 2,
                _ => size,
            };
            let unused = 64 - 8 * size as u32;
            let (unsigned, signed) = (bits << unused >> unused, (bits << unused) as i64 >> unused);
            let with = |length: &[u8]| [flags, length, &[letter]].concat();
            match letter {
                b'd' | b'i' => convert(&with(b"ll"), Passed::Integer(signed), out)?,
                b'o' | b'u' | b'x' | b'X' => {
                    convert(&with(b"ll"), Passed::Integer(unsigned as i64), out)?;
                }
                b'c' => convert(&with(b""), Passed::Character(bits as c_int), out)?,
                b'p' => convert(&with(b""), Passed::Pointer(bits), out)?,
                b's' => {
                    let string = find(formats, bits as u32)?.string;
                    convert(&with(b""), Passed::Text(string), out)?;
                }
                _ => convert(&with(b""), Passed::Float(value), out)?,
            }
        }
    }
    out.extend(rest);
    Ok(())
}

/// What `snprintf` gets.
enum Passed<'a> {
    Integer(i64),
    Character(c_int),
    Pointer(u64),
    Text(&'a [u8]),
    Float(f64),
}

fn convert(conversion: &[u8], value: Passed<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let terminated = |bytes: &[u8]| {
        CString::new(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).unwrap_or_default()
    };
    let format = terminated(conversion);
    let text = if let Passed::Text(text) = value { terminated(text) } else { CString::default() };
    let call = |to: *mut c_char, size: usize| {
        let format = format.as_ptr();
        // SAFETY: the conversion is for what is passed, strings end with a zero, and `to` has room
        // for `size` characters.
        unsafe {
            match value {
                Passed::Integer(number) => snprintf(to, size, format, number),
                Passed::Character(character) => snprintf(to, size, format, character),
                Passed::Pointer(address) => snprintf(to, size, format, address as *const c_void),
                Passed::Text(_) => snprintf(to, size, format, text.as_ptr()),
                Passed::Float(number) => snprintf(to, size, format, number),
            }
        }
    };
    // Without room it counts.
    let count = call(std::ptr::null_mut(), 0);
    let count = usize::try_from(count).map_err(|_| "a conversion that C does not know")?;
    let mut printed = vec![0u8; count + 1];
    call(printed.as_mut_ptr().cast(), printed.len());
    out.extend(&printed[..count]);
    Ok(())
}
