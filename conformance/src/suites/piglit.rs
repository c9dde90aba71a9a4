//! Piglit's programs: launches in a comment at the head of a source, or in a file of their own.
//!
//! ```text
//! [config]
//! name: Add
//! clc_version_min: 10
//! build_options: -D DEF
//! dimensions: 1
//! global_size: 15 0 0
//!
//! [test]
//! name: add
//! kernel_name: add
//! arg_in: 0 buffer int[15] 0 1 2 \
//!                          3 4 …
//! arg_in: 2 float 1.0
//! arg_out: 1 buffer uint[15] repeat 1 2 3 tolerance 4 ulp
//! ```
//!
//! What is in `[config]` holds for each `[test]` that does not say otherwise.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clc_tests::case::{Argument, Case};
use clc_tests::data::{Data, Element};

use crate::program::{Expected, Program, Test, Tolerance, in_order};
use crate::{files, number, signature};

/// The folders with programs.
const FOLDERS: [&str; 2] = ["tests/cl/program", "generated_tests/cl"];

pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let mut out = Vec::new();
    for part in FOLDERS {
        for path in files(&folder.join(part), &["cl", "program_test"])? {
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            out.push(program(folder, &path).map_err(|error| format!("{name}: {error}"))?);
        }
    }
    Ok(out)
}

fn program(folder: &Path, path: &Path) -> Result<Program, String> {
    let text = read(path)?;
    let is_source = path.extension().is_some_and(|extension| extension == "cl");
    let config = match is_source {
        false => text.as_str(),
        true => {
            let head = text.split_once("/*!").and_then(|(_, rest)| rest.split_once("!*/"));
            head.ok_or("no comment with a configuration")?.0
        }
    };
    let sections = sections(config)?;
    let (head, tests) = match &sections[..] {
        [(name, head), tests @ ..] if name == "config" => (head, tests),
        _ => return Err("it does not begin with [config]".to_owned()),
    };
    let value = |key: &str| head.get(key).and_then(|values| values.first()).map(String::as_str);
    let source = match value("program_source_file") {
        Some(file) if !is_source => path.with_file_name(file),
        _ => path.to_owned(),
    };
    let options = options(folder, value("build_options").unwrap_or(""), value("clc_version_min"));
    let code = read(&source)?;
    let mut program = Program {
        name: name(folder, path),
        source,
        options,
        must_be_refused: value("expect_build_fail") == Some("true"),
        tests: Vec::new(),
    };
    for (section, own) in tests {
        match section.as_str() {
            "test" => program.tests.push(test(head, own, &code)?),
            // Of the kinds that a package of tests has nothing of.
            _ => return Err(format!("what is [{section}]?")),
        }
    }
    Ok(program)
}

/// Without the folders that all have.
fn name(folder: &Path, path: &Path) -> String {
    let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let name = name.strip_prefix("tests/cl/").unwrap_or(&name);
    name.replace("generated_tests/cl/", "generated/")
}

fn read(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The options with paths that are right here, and with the version that the program is for.
fn options(folder: &Path, text: &str, least: Option<&str>) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "-I" => {
                let path: PathBuf = folder.join(words.next().unwrap_or("."));
                out.extend([word.to_owned(), path.display().to_string()]);
            }
            "-D" => out.push(format!("-D{}", words.next().unwrap_or(""))),
            _ => out.push(word.to_owned()),
        }
    }
    if !out.iter().any(|option| option.starts_with("-cl-std")) {
        let least = least.and_then(|version| version.parse::<u32>().ok()).unwrap_or(10);
        out.push(format!(
            "-cl-std=CL{}",
            if least >= 30 {
                "3.0"
            } else if least >= 20 {
                "2.0"
            } else {
                "1.2"
            }
        ));
    }
    out
}

type Values = BTreeMap<String, Vec<String>>;

/// Each section with its values.
fn sections(text: &str) -> Result<Vec<(String, Values)>, String> {
    let mut out: Vec<(String, Values)> = Vec::new();
    let mut joined = String::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or("").trim();
        if let Some(begun) = line.strip_suffix('\\') {
            joined.push_str(begun);
            joined.push(' ');
            continue;
        }
        joined.push_str(line);
        let line = std::mem::take(&mut joined);
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            if name == "program source" {
                break;
            }
            out.push((name.to_owned(), Values::new()));
        } else if !line.is_empty() {
            let (key, value) = line.split_once(':').ok_or(format!("what is `{line}`?"))?;
            let (_, values) = out.last_mut().ok_or("a value without a section")?;
            values.entry(key.trim().to_owned()).or_default().push(value.trim().to_owned());
        }
    }
    Ok(out)
}

fn test(head: &Values, own: &Values, code: &str) -> Result<Test, String> {
    let value = |key: &str| {
        let values = own.get(key).or_else(|| head.get(key));
        values.and_then(|values| values.first()).map(String::as_str)
    };
    let dimensions: usize = match value("dimensions") {
        Some(word) => word.parse().map_err(|_| format!("dimensions: {word}"))?,
        None => 1,
    };
    // Without one a size is 1, whatever Piglit's page says. NULL: the driver's choice.
    let sizes = |key: &str| -> Result<Vec<usize>, String> {
        let Some(text) = value(key) else { return Ok(vec![1; dimensions]) };
        if text == "NULL" {
            return Ok(Vec::new());
        }
        let sizes: Result<Vec<usize>, _> = text.split_whitespace().map(str::parse).collect();
        let mut sizes = sizes.map_err(|_| format!("{key}: {text}"))?;
        sizes.truncate(dimensions);
        Ok(sizes)
    };
    let kernel = value("kernel_name").ok_or("a test without a kernel")?;
    let parameters = signature::parameters(code, kernel).unwrap_or_default();
    let is_local = |index: usize| parameters.get(index).is_some_and(|p| signature::is_local(p));
    let all = |key: &str| own.get(key).map(Vec::as_slice).unwrap_or_default();
    let mut arguments: BTreeMap<usize, Argument> = BTreeMap::new();
    let mut expected = Vec::new();
    for text in all("arg_in") {
        let (index, given) = given(text)?;
        let argument = given.argument(is_local(index));
        if arguments.insert(index, argument).is_some() {
            return Err(format!("two arguments {index}"));
        }
    }
    for text in all("arg_out") {
        let (index, given) = given(text)?;
        arguments.entry(index).or_insert_with(|| given.blank());
        expected.push(given.expected(index).ok_or(format!("arg_out: {text}"))?);
    }
    let name = value("name").unwrap_or(kernel).to_owned();
    let case = Case {
        kernel: kernel.to_owned(),
        label: name.clone(),
        global: sizes("global_size")?,
        local: sizes("local_size")?,
        offset: if value("global_offset").is_some() { sizes("global_offset")? } else { Vec::new() },
        arguments: in_order(arguments)?,
        ..Case::default()
    };
    Ok(Test { name, case, expected, ..Test::default() })
}

/// What a line says of an argument.
struct Given {
    kind: Kind,
    /// None: `NULL`.
    data: Option<Data>,
    /// Of all elements of the data.
    bytes: usize,
    /// The fourth component of each vector of three.
    unknown: Vec<bool>,
    tolerance: Tolerance,
}

enum Kind {
    Value,
    Buffer,
    Image { sizes: [usize; 3], order: String, channel: String },
    Sampler(String),
}

impl Given {
    fn argument(self, local: bool) -> Argument {
        match (self.kind, self.data) {
            (Kind::Sampler(state), _) => Argument::Sampler(state),
            // The driver is given a size and no value, which is that of a pointer for buffers.
            (Kind::Value | Kind::Buffer, None) if local => Argument::Local(self.bytes.max(8)),
            (_, None) => Argument::Null,
            (Kind::Value, Some(data)) => Argument::Scalar(data),
            (Kind::Buffer, Some(data)) => Argument::Buffer(data),
            (Kind::Image { sizes, order, channel }, Some(data)) => {
                Argument::Image { kind: "2d".to_owned(), sizes, order, channel, data }
            }
        }
    }

    /// Memory for what the kernel writes.
    fn blank(&self) -> Argument {
        let data = self
            .data
            .as_ref()
            .map(|data| Data { element: data.element, bytes: vec![0; data.bytes.len()] });
        let data = data.unwrap_or(Data { element: Element::UChar, bytes: Vec::new() });
        match &self.kind {
            Kind::Image { sizes, order, channel } => Argument::Image {
                kind: "2d".to_owned(),
                sizes: *sizes,
                order: order.clone(),
                channel: channel.clone(),
                data,
            },
            Kind::Value | Kind::Buffer | Kind::Sampler(_) => Argument::Buffer(data),
        }
    }

    fn expected(self, argument: usize) -> Option<Expected> {
        let data = self.data?;
        Some(Expected { argument, data, unknown: self.unknown, tolerance: self.tolerance })
    }
}

fn given(text: &str) -> Result<(usize, Given), String> {
    parse(text).map_err(|error| format!("`{}`: {error}", text.chars().take(80).collect::<String>()))
}

fn parse(text: &str) -> Result<(usize, Given), String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (&index, words) = words.split_first().ok_or("no argument")?;
    let index = index.parse().map_err(|_| "no number of an argument")?;
    let after =
        |key: &str| words.iter().position(|&word| word == key).and_then(|at| words.get(at + 1));
    let named = |key: &str| after(key).copied().ok_or(format!("no {key}"));
    let tolerance = match words.iter().position(|&word| word == "tolerance") {
        None => Tolerance::Exact,
        Some(at) => match words[at + 1..] {
            [ulps, "ulp"] => Tolerance::Ulp(ulps.parse().map_err(|_| "tolerance")?),
            [most] => Tolerance::Absolute(number::float(most).ok_or("tolerance")?),
            _ => return Err("tolerance".to_owned()),
        },
    };
    // Where the values end.
    let properties = ["tolerance", "image_type"];
    let end = words.iter().position(|word| properties.contains(word)).unwrap_or(words.len());
    let (kind, ty, count, values) = match words[..end] {
        ["sampler", ..] => {
            let normalized = matches!(named("normalized_coords")?, "1" | "true");
            let state = format!(
                "{} {} {}",
                u8::from(normalized),
                address(named("addressing_mode")?)?,
                named("filter_mode")?.to_ascii_lowercase()
            );
            let given = Given {
                kind: Kind::Sampler(state),
                data: None,
                bytes: 0,
                unknown: Vec::new(),
                tolerance,
            };
            return Ok((index, given));
        }
        ["image", ty, ref values @ ..] => {
            let size = |key: &str| named(key)?.parse::<usize>().map_err(|_| key.to_owned());
            if named("image_type")? != "2d" {
                return Err("an image that is not 2d".to_owned());
            }
            let sizes = [size("image_width")?, size("image_height")?, 1];
            let order = named("image_channel_order")?.to_ascii_lowercase();
            let channel = channel(named("image_channel_data_type")?)?;
            (Kind::Image { sizes, order, channel }, ty, sizes[0] * sizes[1], values)
        }
        ["buffer", array, ref values @ ..] => {
            let (ty, count) = array
                .strip_suffix(']')
                .and_then(|array| array.split_once('['))
                .ok_or("a length")?;
            (Kind::Buffer, ty, count.parse().map_err(|_| "a length")?, values)
        }
        [ty, ref values @ ..] => (Kind::Value, ty, 1, values),
        [] => return Err("no type".to_owned()),
    };
    let (element, width) = element(ty)?;
    let stride = if width == 3 { 4 } else { width };
    let unknown: Vec<bool> = (0..count * stride).map(|at| at % stride >= width).collect();
    let data = match values {
        ["NULL" | "null"] => None,
        ["random"] => Some(Data::parse(element, count * stride, "random 1")?),
        ["repeat", values @ ..] => Some(fill(element, &unknown, values, true)?),
        values => Some(fill(element, &unknown, values, false)?),
    };
    let bytes = unknown.len() * element.size();
    Ok((index, Given { kind, data, bytes, unknown, tolerance }))
}

/// The values one after the other, over and over; none for elements that are unknown.
fn fill(element: Element, unknown: &[bool], values: &[&str], repeat: bool) -> Result<Data, String> {
    let wanted = unknown.iter().filter(|&&unknown| !unknown).count();
    if values.is_empty() || !repeat && values.len() != wanted {
        return Err(format!("{} values for {wanted}", values.len()));
    }
    let mut next = values.iter().cycle();
    let mut bytes = Vec::new();
    for &unknown in unknown {
        let value = if unknown { None } else { next.next() };
        match value {
            Some(value) => number::push(element, value, &mut bytes)?,
            None => bytes.extend(vec![0; element.size()]),
        }
    }
    Ok(Data { element, bytes })
}

fn element(name: &str) -> Result<(Element, usize), String> {
    let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let element = Element::from_name(&name[..digits]).ok_or_else(|| format!("type {name}"))?;
    match &name[digits..] {
        "" => Ok((element, 1)),
        width => Ok((element, width.parse().map_err(|_| format!("type {name}"))?)),
    }
}

fn address(mode: &str) -> Result<&'static str, String> {
    Ok(match mode.to_ascii_uppercase().as_str() {
        "NONE" => "none",
        "CLAMP_TO_EDGE" => "edge",
        "CLAMP" => "clamp",
        "REPEAT" => "repeat",
        "MIRRORED_REPEAT" => "mirror",
        _ => return Err(format!("addressing mode {mode}")),
    })
}

/// `SIGNED_INT8`: `int8`
fn channel(name: &str) -> Result<String, String> {
    let name = name.to_ascii_lowercase();
    Ok(
        match name
            .strip_prefix("signed_")
            .or_else(|| name.strip_prefix("un").and_then(|rest| rest.strip_prefix("signed_")))
        {
            Some(integer) if name.starts_with("un") => format!("u{integer}"),
            Some(integer) => integer.to_owned(),
            None => name.replace("_int", "").replace("half_float", "half"),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_values_on_several_lines() {
        let text = "[config]\nname: a # b\n\n[test]\narg_in: 0 buffer int[2] 1 \\ # c\n  2\n\n[program source]\nint x: 1;\n";
        let sections = sections(text).unwrap();
        assert_eq!(sections.len(), 2);
        assert_eq!(sections[0].1["name"], ["a"]);
        assert_eq!(given(&sections[1].1["arg_in"][0]).unwrap().1.data.unwrap().ints(), [1, 2]);
    }

    #[test]
    fn arguments_are_read() {
        let (index, vector) = given("3 buffer int3[2] repeat 1 2 3").unwrap();
        assert_eq!(index, 3);
        assert_eq!(vector.unknown, [false, false, false, true, false, false, false, true]);
        assert_eq!(vector.data.unwrap().ints(), [1, 2, 3, 0, 1, 2, 3, 0]);
        let (_, local) = given("1 buffer int[4] NULL").unwrap();
        assert!(matches!(local.argument(true), Argument::Local(16)));
        let (_, float) = given("0 buffer float[1] 0x1p-1 tolerance 4 ulp").unwrap();
        assert_eq!((float.tolerance, float.data.unwrap().f64s()), (Tolerance::Ulp(4), vec![0.5]));
        let image = "0 image uchar4 0 0 0 0 image_type 2d image_width 1 image_height 1 \
                     image_channel_order RGBA image_channel_data_type UNSIGNED_INT8";
        let Argument::Image { channel, order, .. } = given(image).unwrap().1.argument(false) else {
            panic!("no image")
        };
        assert_eq!((channel.as_str(), order.as_str()), ("uint8", "rgba"));
        let sampler =
            "2 sampler normalized_coords 1 addressing_mode CLAMP_TO_EDGE filter_mode LINEAR";
        let Argument::Sampler(state) = given(sampler).unwrap().1.argument(false) else {
            panic!("no sampler")
        };
        assert_eq!(state, "1 edge linear");
        assert!(given("0 buffer int[2] 1").is_err());
        assert!(given("0 buffer thing[2] 1 2").is_err());
    }
}
