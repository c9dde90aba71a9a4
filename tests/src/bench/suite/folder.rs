//! Kernels of a folder, whose sources say how they are launched, in lines at their beginning:
//!
//! ```text
//! // @ KERNEL GLOBAL LOCAL ARGUMENT...
//! ```
//!
//! Each is a launch. Sizes are `65536` or `1024x512`, and a number may be `A|B`: the first is for
//! processors, the second for GPUs. An argument is
//!
//! - `f32:N`, a buffer of random numbers, floats from 0 to 1; there are `f16`, `f32`, `f64`, `i8` to `i64`
//!   and `u8` to `u64`. `f32:N:-1..1` and `u32:N:0..9` are within these bounds, of which integers do not
//!   reach the second.
//! - `zeros:f32:N`, and `iota:N:K`, the numbers 0, K, 2K, ... of 32 bits
//! - `>f32:N`, the output, zeros at first, or `>f32:N:0..1`, of which there is one
//! - `#K`, the buffer that was the K-th, from 0
//! - `local:BYTES`
//! - a literal of C: `12`, `12u`, `7L`, `1.5f`, `2.0`, or several for a vector: `(1.0f,2.0f)`
//!
//! Results are not known, only compared.

use std::path::Path;

use super::{Argument, Benchmark, Elements, Size, Step, random};

/// The names of all sources in a folder, in order.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "cl") {
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort_unstable();
    Ok(names)
}

pub(super) fn benchmark(folder: &Path, name: &str, size: Size) -> Result<Benchmark, String> {
    let path = folder.join(format!("{name}.cl"));
    std::fs::read_to_string(&path)
        .map_err(|error| error.to_string())
        .and_then(|source| parse(name, source, size))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn parse(name: &str, source: String, size: Size) -> Result<Benchmark, String> {
    let mut reader = Reader { size, buffers: Vec::new(), output: None };
    let launches = source.lines().map_while(|line| line.strip_prefix("// @ "));
    let steps = launches.map(|line| reader.step(line)).collect::<Result<Vec<Step>, String>>()?;
    if steps.is_empty() {
        return Err("the first line is not `// @ KERNEL GLOBAL LOCAL ARGUMENT...`".to_owned());
    }
    let (output, elements) = reader.output.ok_or("no argument is an output, as `>f32:1024`")?;
    Ok(Benchmark {
        name: name.to_owned().into(),
        source: source.into(),
        buffers: reader.buffers,
        steps,
        output,
        elements,
        check: |_, _| Ok(()),
    })
}

struct Reader {
    size: Size,
    buffers: Vec<Vec<u8>>,
    output: Option<(usize, Elements)>,
}

impl Reader {
    fn step(&mut self, line: &str) -> Result<Step, String> {
        let mut words = line.split_whitespace();
        let mut next = |what: &str| words.next().ok_or_else(|| format!("`{line}` has no {what}"));
        let kernel = next("kernel")?.to_owned();
        let (global, local) = (next("global size")?, next("local size")?);
        let (global, local) = (self.sizes(global)?, self.sizes(local)?);
        if global.len() != local.len() || global.iter().zip(&local).any(|(g, l)| g % l != 0) {
            return Err(format!("`{line}`: groups do not fill the range"));
        }
        let arguments = words.map(|word| {
            self.argument(word).ok_or_else(|| format!("`{word}` is no argument that there is"))
        });
        let arguments = arguments.collect::<Result<Vec<Argument>, String>>()?;
        Ok(Step { kernel: kernel.into(), global, local, arguments })
    }

    /// What is meant for this kind of device.
    fn choose<'a>(&self, text: &'a str) -> &'a str {
        match (text.split_once('|'), self.size) {
            (None, _) => text,
            (Some((_, second)), Size::Gpu) => second,
            (Some((first, _)), Size::Small | Size::Processor) => first,
        }
    }

    fn count(&self, text: &str) -> Option<usize> {
        self.choose(text).parse().ok().filter(|&count| count > 0)
    }

    fn sizes(&self, text: &str) -> Result<Vec<usize>, String> {
        let sizes = self.choose(text).split('x').map(|size| self.count(size));
        let sizes: Option<Vec<usize>> = sizes.collect();
        let sizes = sizes.filter(|sizes| sizes.len() <= 3);
        sizes.ok_or_else(|| format!("`{text}` is not one, two or three sizes"))
    }

    fn argument(&mut self, word: &str) -> Option<Argument> {
        if let Some(index) = word.strip_prefix('#') {
            let index = index.parse().ok()?;
            return (index < self.buffers.len()).then_some(Argument::Buffer(index));
        }
        if let Some(bytes) = word.strip_prefix("local:") {
            return Some(Argument::Local(self.count(bytes)?));
        }
        if word.starts_with('(') || !word.contains(':') {
            return self.literal(word).map(Argument::Value);
        }
        let is_output = word.starts_with('>');
        let parts: Vec<&str> = word.trim_start_matches('>').split(':').collect();
        let (kind, bytes) = match parts[..] {
            ["iota", count, step] => {
                let (count, step) = (self.count(count)?, self.count(step)? as u32);
                let numbers = (0..count as u32).flat_map(|i| i.wrapping_mul(step).to_le_bytes());
                ("u32", numbers.collect())
            }
            ["zeros", kind, count] => (kind, vec![0; width(kind)? * self.count(count)?]),
            [kind, count] if is_output => (kind, vec![0; width(kind)? * self.count(count)?]),
            [kind, count] => (kind, numbers(kind, self.count(count)?, None)?),
            [kind, count, bounds] => {
                let (low, high) = bounds.split_once("..")?;
                let number = |text| self.choose(text).parse::<f64>().ok();
                let bounds = (number(low)?, number(high)?);
                (kind, numbers(kind, self.count(count)?, Some(bounds))?)
            }
            _ => return None,
        };
        if is_output {
            let elements = match kind {
                "f16" => Elements::Halves,
                "f32" => Elements::Floats,
                "f64" => Elements::Doubles,
                _ => Elements::Exact,
            };
            if self.output.replace((self.buffers.len(), elements)).is_some() {
                return None;
            }
        }
        self.buffers.push(bytes);
        Some(Argument::Buffer(self.buffers.len() - 1))
    }

    /// The bytes of a number, or of the components of a vector; the fourth of three has none.
    fn literal(&self, word: &str) -> Option<Vec<u8>> {
        if let Some(parts) = word.strip_prefix('(') {
            let parts = parts.strip_suffix(')')?.split(',').map(|part| self.literal(part));
            let mut parts = parts.collect::<Option<Vec<Vec<u8>>>>()?;
            if let [first, _, _] = &parts[..] {
                parts.push(vec![0; first.len()]);
            }
            return Some(parts.concat());
        }
        let word = self.choose(word);
        let digits = word.trim_end_matches(['f', 'u', 'L', 'U']);
        Some(match &word[digits.len()..] {
            "f" => digits.parse::<f32>().ok()?.to_le_bytes().to_vec(),
            "" if digits.contains(['.', 'e']) => digits.parse::<f64>().ok()?.to_le_bytes().to_vec(),
            "" => digits.parse::<i32>().ok()?.to_le_bytes().to_vec(),
            "u" | "U" => digits.parse::<u32>().ok()?.to_le_bytes().to_vec(),
            "L" => digits.parse::<i64>().ok()?.to_le_bytes().to_vec(),
            "uL" | "UL" => digits.parse::<u64>().ok()?.to_le_bytes().to_vec(),
            _ => return None,
        })
    }
}

/// The bytes of a type of numbers.
fn width(kind: &str) -> Option<usize> {
    let is_known = matches!(
        kind,
        "f16" | "f32" | "f64" | "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64"
    );
    is_known.then(|| kind[1..].parse().ok()).flatten().map(|bits: usize| bits / 8)
}

fn numbers(kind: &str, count: usize, bounds: Option<(f64, f64)>) -> Option<Vec<u8>> {
    let width = width(kind)?;
    let bytes = if kind.starts_with('f') {
        let (low, high) = bounds.unwrap_or((0.0, 1.0));
        let numbers = random(count).map(|bits| low + (high - low) * f64::from(bits) / 4294967295.0);
        match width {
            2 => numbers.flat_map(|number| half::f16::from_f64(number).to_le_bytes()).collect(),
            4 => numbers.flat_map(|number| (number as f32).to_le_bytes()).collect(),
            _ => numbers.flat_map(f64::to_le_bytes).collect(),
        }
    } else if let Some((low, high)) = bounds {
        let (low, span) = (low as i64, (high - low) as u32);
        let numbers =
            random(count).map(|bits| low + i64::from(bits.checked_rem(span).unwrap_or(0)));
        numbers.flat_map(|number| number.to_le_bytes().into_iter().take(width)).collect()
    } else {
        let mut bytes: Vec<u8> =
            random((count * width).div_ceil(4)).flat_map(u32::to_le_bytes).collect();
        bytes.truncate(count * width);
        bytes
    };
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, size: Size) -> Result<Benchmark, String> {
        parse("own", text.to_owned(), size)
    }

    #[test]
    fn launches_are_read() {
        let text = "// @ add 64x2|128x4 8x1 f32:100|200 >u16:9:3..5 local:16 (1.5f,2.0f,3.0f) 7L\n\
                    // @ add 64 8 #0 zeros:f64:2 iota:3:5 1|2 -1.0\nkernel void add() {}\n";
        let own = read(text, Size::Processor).unwrap();
        assert_eq!(
            (&own.steps[0].global[..], &own.steps[0].local[..]),
            (&[64, 2][..], &[8, 1][..])
        );
        assert_eq!(own.buffers.iter().map(Vec::len).collect::<Vec<_>>(), [400, 18, 16, 12]);
        assert!(own.buffers[1].chunks(2).all(|pair| matches!(pair, [3 | 4, 0])));
        assert_eq!(own.buffers[3], [0, 0, 0, 0, 5, 0, 0, 0, 10, 0, 0, 0]);
        assert_eq!(own.output, 1);
        let values = own.steps.iter().flat_map(|step| &step.arguments);
        let values: Vec<&[u8]> = values
            .filter_map(|argument| match argument {
                Argument::Value(bytes) => Some(&bytes[..]),
                _ => None,
            })
            .collect();
        let vector: Vec<u8> =
            [1.5f32, 2.0, 3.0, 0.0].into_iter().flat_map(f32::to_le_bytes).collect();
        assert_eq!(
            values,
            [&vector[..], &7i64.to_le_bytes(), &[1, 0, 0, 0], &(-1f64).to_le_bytes()]
        );
        let own = read(text, Size::Gpu).unwrap();
        assert_eq!((&own.steps[0].global[..], own.buffers[0].len()), (&[128, 4][..], 800));
    }

    #[test]
    fn what_is_no_launch_is_refused() {
        let complaint = |text| read(text, Size::Small).err().unwrap_or_default();
        for (text, expected) in [
            ("kernel void f() {}", "the first line is not"),
            ("// @ f 64", "has no local size"),
            ("// @ f 64 7 >f32:4", "groups do not fill the range"),
            ("// @ f 64 8 f32:4", "no argument is an output"),
            ("// @ f 64 8 >f32:4 >f32:4", "is no argument"),
            ("// @ f 64 8 >f12:4", "is no argument"),
            ("// @ f 64 8 >f32:4 #1", "is no argument"),
            ("// @ f 64 8 >f32:4 12q", "is no argument"),
            ("// @ f 64x0 8x1 >f32:4", "is not one, two or three sizes"),
        ] {
            assert!(complaint(text).contains(expected), "{text}: {}", complaint(text));
        }
    }
}
