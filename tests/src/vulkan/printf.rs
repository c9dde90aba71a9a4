//! What kernels print: the records of a buffer as text. `docs/vulkan.md` says how they lie there.

use half::f16;

use super::format::{self, Value};
use super::reflection::{PrintfArgument, PrintfArgumentKind, PrintfFormat};

/// Words before the records.
const HEADER: usize = 2;

/// What is in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    pub text: Vec<u8>,
    /// Words of the records that did not fit.
    pub lost_words: u32,
}

/// The contents of a buffer with room for so many words, before anything is printed.
pub fn empty(capacity: u32) -> Vec<u32> {
    let mut words = vec![0; HEADER + capacity as usize];
    words[1] = capacity;
    words
}

/// Reads the records of a buffer.
pub fn decode(buffer: &[u32], formats: &[PrintfFormat]) -> Result<Printed, String> {
    let &[count, capacity, ref records @ ..] = buffer else {
        return Err("the buffer has no header".to_owned());
    };
    let used = count.min(capacity);
    let mut rest =
        records.get(..used as usize).ok_or("the buffer is shorter than its header says")?;
    let mut text = Vec::new();
    let mut read = 0;
    while let Some((&id, words)) = rest.split_first() {
        // Here the first record was dropped.
        if id == 0 && count > capacity {
            break;
        }
        rest = words;
        let format = find(formats, id)?;
        let mut arguments = Vec::new();
        for argument in &format.arguments {
            let (words, after) = rest
                .split_at_checked(argument.words())
                .ok_or_else(|| format!("the record of {:?} has no end", format.string))?;
            arguments.push(values(argument, words, formats)?);
            rest = after;
        }
        text.extend(format::print(format.bytes(), &arguments));
        read = used - rest.len() as u32;
    }
    Ok(Printed { text, lost_words: count - read })
}

fn find(formats: &[PrintfFormat], id: u32) -> Result<&PrintfFormat, String> {
    let format = formats.iter().find(|format| format.id == id);
    format.ok_or_else(|| format!("no format has the id {id}"))
}

/// The components of an argument.
fn values<'f>(
    argument: &PrintfArgument,
    words: &[u32],
    formats: &'f [PrintfFormat],
) -> Result<Vec<Value<'f>>, String> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let components = bytes.chunks_exact(argument.size.max(1) as usize);
    components
        .take(argument.components as usize)
        .map(|bytes| {
            let mut all = [0; 8];
            all.get_mut(..bytes.len())
                .ok_or_else(|| format!("an argument of {} bytes", bytes.len()))?
                .copy_from_slice(bytes);
            let bits = u64::from_le_bytes(all);
            Ok(match (argument.kind, argument.size) {
                (PrintfArgumentKind::Integer, size) => Value::Integer { bits, size },
                (PrintfArgumentKind::Float, 2) => Value::Float(f16::from_bits(bits as u16).into()),
                (PrintfArgumentKind::Float, 4) => Value::Float(f32::from_bits(bits as u32).into()),
                (PrintfArgumentKind::Float, _) => Value::Float(f64::from_bits(bits)),
                (PrintfArgumentKind::Pointer, _) => Value::Pointer(bits),
                (PrintfArgumentKind::String, _) => {
                    Value::String(find(formats, bits as u32)?.bytes())
                }
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formats() -> Vec<PrintfFormat> {
        let text = r#"[
            { "id": 1, "string": "%d %s|", "arguments": [
                { "kind": "integer", "size": 4, "components": 1 },
                { "kind": "string", "size": 4, "components": 1 } ] },
            { "id": 2, "string": "x\ufffd", "bytes": "78ff", "arguments": [] },
            { "id": 3, "string": "%v3hhd %v2hf %v3ld %f %lf %p\n", "arguments": [
                { "kind": "integer", "size": 1, "components": 3 },
                { "kind": "float", "size": 2, "components": 2 },
                { "kind": "integer", "size": 8, "components": 3 },
                { "kind": "float", "size": 4, "components": 1 },
                { "kind": "float", "size": 8, "components": 1 },
                { "kind": "pointer", "size": 8, "components": 1 } ] }
        ]"#;
        serde_json::from_str(text).unwrap()
    }

    /// A buffer with room for `capacity` words, after so many were asked for.
    fn buffer(capacity: u32, count: u32, records: &[u32]) -> Vec<u32> {
        let mut words = empty(capacity);
        words[0] = count;
        words[HEADER..HEADER + records.len()].copy_from_slice(records);
        words
    }

    fn printed(text: &[u8], lost_words: u32) -> Result<Printed, String> {
        Ok(Printed { text: text.to_vec(), lost_words })
    }

    #[test]
    fn records_follow_each_other() {
        let formats = formats();
        assert_eq!(decode(&empty(0), &formats), printed(b"", 0));
        assert_eq!(decode(&empty(4), &formats), printed(b"", 0));
        let records = [1, 7, 2, 2, 1, -8i32 as u32, 2];
        assert_eq!(
            decode(&buffer(9, 7, &records), &formats),
            printed(b"7 x\xff|x\xff-8 x\xff|", 0)
        );
        assert_eq!(
            decode(&buffer(7, 7, &records), &formats),
            printed(b"7 x\xff|x\xff-8 x\xff|", 0)
        );
    }

    #[test]
    fn every_kind_of_argument_is_read() {
        let double = 0.1f64.to_bits();
        let records = [
            3,
            0x00ff_8001,
            0xc000_3c00,
            1,
            0,
            u32::MAX,
            u32::MAX,
            0,
            1,
            1.5f32.to_bits(),
            double as u32,
            (double >> 32) as u32,
            0x10,
            0x20,
        ];
        assert_eq!(
            decode(&buffer(20, 14, &records), &formats()),
            printed(
                b"1,-128,-1 1.000000,-2.000000 1,-1,4294967296 1.500000 0.100000 0x2000000010\n",
                0
            )
        );
    }

    #[test]
    fn what_is_lost_is_counted() {
        let formats = formats();
        // Two more of three words each, with room for one word.
        assert_eq!(decode(&buffer(4, 9, &[1, 7, 2, 0]), &formats), printed(b"7 x\xff|", 6));
        // What is behind the end was never written.
        assert_eq!(decode(&buffer(5, 9, &[1, 7, 2, 0, 77]), &formats), printed(b"7 x\xff|", 6));
        // Full to the last word.
        assert_eq!(decode(&buffer(3, 6, &[1, 7, 2]), &formats), printed(b"7 x\xff|", 3));
        assert_eq!(decode(&buffer(0, 6, &[]), &formats), printed(b"", 6));
    }

    #[test]
    fn damaged_buffers_are_errors() {
        let formats = formats();
        assert!(decode(&[], &formats).unwrap_err().contains("header"));
        assert!(decode(&[3, 3, 1], &formats).unwrap_err().contains("shorter"));
        assert!(decode(&buffer(3, 1, &[9]), &formats).unwrap_err().contains("id 9"));
        assert!(decode(&buffer(3, 1, &[0]), &formats).unwrap_err().contains("id 0"));
        assert!(decode(&buffer(3, 2, &[1, 7]), &formats).unwrap_err().contains("no end"));
        assert!(decode(&buffer(3, 3, &[1, 7, 8]), &formats).unwrap_err().contains("id 8"));
    }
}
