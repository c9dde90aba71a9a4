//! Execution cases: what a comment at the head of a kernel file asks to be run.
//!
//! Lines that begin with `//@`; a file holds any number of cases, each begun by `kernel`:
//!
//! ```text
//! //@ options -cl-std=CL2.0 -I {hashcat}   for all cases of the file
//! //@ needs hashcat                        a corpus that must have been downloaded
//! //@ part FILE                            compiled apart with `-c`, as this file then is, and linked
//! //@ scalar                               the driver must not vectorise: it overflows its stack
//! //@ vulkan no REASON                     the compiler refuses the file for Vulkan, with a diagnostic
//! //@ vulkan with OPTION                   on Vulkan, an option besides those for all targets
//! //@ vulkan also OPTION                   on Vulkan, run with this option too
//! //@ product 16x16x16 f16 f16 f32 f32     a product of cooperative matrices that the Vulkan device must have
//! //@ opencl no REASON                     the file is about something that the host decides on Vulkan
//! //@ kernel NAME [LABEL]
//! //@ global 64 [4 [2]]
//! //@ local 16 [4 [2]]
//! //@ offset 3 [0 [1]]                     of the global ids
//! //@ arg buffer float[64] = ramp          the types and values of `data`
//! //@ arg buffer float4[4] = 1 2 3 4       vectors: all components in a row
//! //@ arg float = 2.5                      scalars and vectors (`int4 = 1 2 3 4`)
//! //@ arg local 256                        bytes of local memory
//! //@ arg image rgba float 4x4 = ramp      2D; also `half`, `unorm8`, `unorm16`, `uint8`, …; `r`, `depth`, `srgba`
//! //@ arg image r float 4x2x3 2darray = ramp   of another kind: 1d, 1dbuffer, 1darray, 2darray, 3d
//! //@ arg sampler 0 edge nearest           normalized, addressing, filter
//! //@ arg pipe NAME 4 16               bytes of a packet, packets; one pipe for all cases of the file
//! //@ arg null
//! //@ result 0 = 1 2 3                     argument 0 afterwards, exactly
//! //@ result 0 = host NAME                 … as a function of `reference` computes it
//! //@ result 0 ~ 1e-5 host NAME            … within a relative tolerance
//! //@ prints TEXT                          lines of printf output, in order
//! //@ unordered                            … in any order
//! //@ printf 16                            on Vulkan: the words of 32 bits for records of printf
//! ```

use std::fmt::Write as _;

use crate::data::{Data, Element};
use crate::{hex, reference};

/// What a kernel argument is set to.
#[derive(Clone, Debug)]
pub enum Argument {
    Buffer(Data),
    Scalar(Data),
    Local(usize),
    Image {
        kind: String,
        /// Width, height, depth; those that the kind does not have are 1.
        sizes: [usize; 3],
        order: String,
        channel: String,
        data: Data,
    },
    Sampler(String),
    /// Name, bytes of a packet, number of packets.
    Pipe(String),
    Null,
}

impl Argument {
    /// The data of a buffer, scalar or image; empty for others.
    pub fn data(&self) -> Data {
        match self {
            Argument::Buffer(data) | Argument::Scalar(data) | Argument::Image { data, .. } => {
                data.clone()
            }
            Argument::Local(_) | Argument::Sampler(_) | Argument::Pipe(_) | Argument::Null => {
                Data { element: Element::UChar, bytes: Vec::new() }
            }
        }
    }

    /// Whether it comes back from the device.
    pub fn is_memory(&self) -> bool {
        match self {
            Argument::Buffer(_) | Argument::Image { .. } => true,
            Argument::Scalar(_)
            | Argument::Local(_)
            | Argument::Sampler(_)
            | Argument::Pipe(_)
            | Argument::Null => false,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Wanted {
    Data(Data),
    /// A function of [`reference`].
    Host(String),
    /// `?`: to be filled in from a trusted compiler, with `BLESS=1 CLC_PEER=clang-22`.
    Unknown,
}

/// What an argument must hold afterwards.
#[derive(Clone, Debug)]
pub struct Expected {
    pub argument: usize,
    pub tolerance: Option<f64>,
    pub wanted: Wanted,
}

#[derive(Clone, Debug, Default)]
pub struct Case {
    pub kernel: String,
    pub label: String,
    pub global: Vec<usize>,
    pub local: Vec<usize>,
    /// Empty: zero.
    pub offset: Vec<usize>,
    pub arguments: Vec<Argument>,
    /// Specialization constants, by number, and their bytes.
    pub constants: Vec<(u32, Vec<u8>)>,
    pub expected: Vec<Expected>,
    pub prints: Vec<String>,
    /// Work-items print in any order.
    pub unordered: bool,
    pub printf_words: Option<u32>,
}

/// A file of cases.
#[derive(Clone, Debug, Default)]
pub struct CaseFile {
    pub options: Vec<String>,
    pub needs: Vec<String>,
    /// Other files of the program, beside this one.
    pub parts: Vec<String>,
    pub scalar: bool,
    /// Why the file is not for Vulkan.
    pub not_vulkan: Option<String>,
    /// Options that it takes on Vulkan besides.
    pub vulkan_with: Vec<String>,
    /// Options that it runs with too on Vulkan, one at a time.
    pub vulkan_also: Vec<String>,
    /// Products of cooperative matrices without which the Vulkan device does not run the file.
    pub products: Vec<String>,
    /// Whether the file is for Vulkan only.
    pub not_opencl: bool,
    pub cases: Vec<Case>,
}

impl CaseFile {
    pub fn parse(source: &str) -> Result<CaseFile, String> {
        let mut file = CaseFile::default();
        for (number, line) in source.lines().enumerate() {
            let Some(text) = line.strip_prefix("//@") else { continue };
            file.line(text.trim()).map_err(|error| format!("line {}: {error}", number + 1))?;
        }
        for case in &file.cases {
            if case.expected.is_empty() && case.prints.is_empty() {
                return Err(format!("kernel {} expects nothing", case.kernel));
            }
        }
        if file.cases.is_empty() {
            return Err("no `//@ kernel` line".to_owned());
        }
        Ok(file)
    }

    fn line(&mut self, text: &str) -> Result<(), String> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "options" => self.options.extend(rest.split_whitespace().map(str::to_owned)),
            "scalar" => self.scalar = true,
            "vulkan" => match rest.split_once(' ') {
                Some(("no", reason)) => self.not_vulkan = Some(reason.trim().to_owned()),
                Some(("with", option)) => self.vulkan_with.push(option.trim().to_owned()),
                Some(("also", option)) => self.vulkan_also.push(option.trim().to_owned()),
                _ => {
                    return Err(
                        "`vulkan no` and a reason, or `vulkan with` or `vulkan also` and an option"
                            .to_owned(),
                    );
                }
            },
            "product" => self.products.push(rest.to_owned()),
            "opencl" => match rest.split_once(' ') {
                Some(("no", _)) => self.not_opencl = true,
                _ => return Err("`opencl no` and a reason".to_owned()),
            },
            // For `docs/language-support.md`: the sections whose behaviour the file shows.
            "section" => {}
            "part" => self.parts.push(rest.to_owned()),
            "needs" => self.needs.push(rest.to_owned()),
            "kernel" => {
                let (kernel, label) = rest.split_once(' ').unwrap_or((rest, ""));
                self.cases.push(Case {
                    kernel: kernel.to_owned(),
                    label: label.trim().to_owned(),
                    global: vec![1],
                    ..Case::default()
                });
            }
            _ => {
                let case = self.cases.last_mut().ok_or("a case begins with `kernel`")?;
                case.line(word, rest)?;
            }
        }
        Ok(())
    }
}

/// How many work-groups every Vulkan device dispatches in a dimension (`maxComputeWorkGroupCount`).
const MOST_GROUPS: usize = 65_535;

impl Case {
    /// Whether a Vulkan host has to cut the launch into regions: the last work-groups are smaller, or there
    /// are more than some devices dispatch.
    pub fn needs_regions(&self) -> bool {
        self.global.iter().zip(&self.local).any(|(&global, &local)| {
            local > 0 && (global % local != 0 || global / local > MOST_GROUPS)
        })
    }

    fn line(&mut self, word: &str, rest: &str) -> Result<(), String> {
        let sizes = || -> Result<Vec<usize>, String> {
            rest.split_whitespace()
                .map(|size| size.parse().map_err(|_| format!("`{size}` is not a size")))
                .collect()
        };
        match word {
            "global" => self.global = sizes()?,
            "local" => self.local = sizes()?,
            "offset" => self.offset = sizes()?,
            "arg" => self.arguments.push(argument(rest)?),
            "constant" => {
                let (number, value) = rest.split_once(' ').ok_or("a number and a value")?;
                let number = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
                match argument(value)? {
                    Argument::Scalar(data) => self.constants.push((number, data.bytes)),
                    _ => return Err("the value of a constant is a scalar".to_owned()),
                }
            }
            "result" => {
                let expected = self.expectation(rest)?;
                self.expected.push(expected);
            }
            "prints" => self.prints.push(rest.to_owned()),
            "unordered" => self.unordered = true,
            "printf" => {
                let words = rest.parse().map_err(|_| format!("`{rest}` is no number of words"))?;
                self.printf_words = Some(words);
            }
            _ => return Err(format!("`{word}` is not known")),
        }
        Ok(())
    }

    fn expectation(&self, text: &str) -> Result<Expected, String> {
        let (index, rest) = text.split_once(' ').ok_or("an argument and a value are wanted")?;
        let argument: usize = index.parse().map_err(|_| format!("`{index}` is no argument"))?;
        let target = self
            .arguments
            .get(argument)
            .filter(|argument| argument.is_memory())
            .ok_or_else(|| format!("argument {argument} is not a buffer or image"))?;
        let rest = rest.trim();
        let (tolerance, value) = match (rest.strip_prefix('='), rest.strip_prefix('~')) {
            (Some(value), _) => (None, value.trim()),
            (_, Some(rest)) => {
                let (tolerance, value) =
                    rest.trim().split_once(' ').ok_or("`~` takes a tolerance and a value")?;
                (Some(tolerance.parse().map_err(|_| format!("`{tolerance}`?"))?), value.trim())
            }
            _ => return Err("`=` or `~` is wanted".to_owned()),
        };
        let wanted = match value.strip_prefix("host ") {
            None if value == "?" => Wanted::Unknown,
            Some(name) => {
                let name = name.trim().to_owned();
                reference::find(&name).ok_or_else(|| format!("no host function `{name}`"))?;
                Wanted::Host(name)
            }
            None => {
                let data = target.data();
                Wanted::Data(Data::parse(data.element, data.len(), value)?)
            }
        };
        Ok(Expected { argument, tolerance, wanted })
    }

    /// The job for `clc-run`.
    pub fn job(&self) -> String {
        let mut job = format!("kernel {}\n", self.kernel);
        let sizes =
            |sizes: &[usize]| sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let _ = writeln!(job, "global {}", sizes(&self.global));
        if !self.local.is_empty() {
            let _ = writeln!(job, "local {}", sizes(&self.local));
        }
        if !self.offset.is_empty() {
            let _ = writeln!(job, "offset {}", sizes(&self.offset));
        }
        for (number, bytes) in &self.constants {
            let _ = writeln!(job, "constant {number} {}", hex::encode(bytes));
        }
        if let Some(words) = self.printf_words {
            let _ = writeln!(job, "printf {words}");
        }
        for argument in &self.arguments {
            let _ = match argument {
                Argument::Buffer(data) => writeln!(job, "buffer {}", hex::encode(&data.bytes)),
                Argument::Scalar(data) => writeln!(job, "scalar {}", hex::encode(&data.bytes)),
                Argument::Local(size) => writeln!(job, "localmem {size}"),
                Argument::Image { kind, sizes: [width, height, depth], order, channel, data } => {
                    writeln!(
                        job,
                        "texture {kind} {width} {height} {depth} {order} {channel} {}",
                        hex::encode(&data.bytes)
                    )
                }
                Argument::Sampler(text) => writeln!(job, "sampler {text}"),
                Argument::Pipe(text) => writeln!(job, "pipe {text}"),
                Argument::Null => writeln!(job, "null"),
            };
        }
        job.push_str("----\n");
        job
    }

    /// What each buffer and image holds afterwards; `None` for other arguments.
    pub fn after(&self, results: &str) -> Vec<Option<Data>> {
        let mut lines = results.lines();
        self.arguments
            .iter()
            .map(|argument| {
                if !argument.is_memory() {
                    return None;
                }
                let bytes = hex::decode(lines.next()?)?;
                Some(Data { element: argument.data().element, bytes })
            })
            .collect()
    }

    /// What is wrong with the results (one line of hexadecimal digits for each buffer and image)
    /// and the output; `None` if all is as expected.
    pub fn judge(&self, results: &str, stdout: &str) -> Option<String> {
        if let Some(error) = results.strip_prefix("error ") {
            return Some(error.to_owned());
        }
        let after = self.after(results);
        let mut complaints = String::new();
        for expected in &self.expected {
            let Some(got) = after.get(expected.argument).and_then(Option::as_ref) else {
                let _ = writeln!(complaints, "argument {}: no result", expected.argument);
                continue;
            };
            let wanted = match &expected.wanted {
                Wanted::Data(data) => data.clone(),
                Wanted::Host(name) => match reference::find(name) {
                    Some(host) => host(self),
                    None => return Some(format!("no host function `{name}`")),
                },
                Wanted::Unknown => {
                    let _ = writeln!(complaints, "argument {} = {}", expected.argument, got.text());
                    continue;
                }
            };
            if let Some(difference) = got.difference(&wanted, expected.tolerance) {
                let _ = writeln!(complaints, "argument {}: {difference}", expected.argument);
            }
        }
        if !self.prints.is_empty() {
            let mut printed: Vec<&str> = stdout.lines().map(str::trim_end).collect();
            let mut wanted: Vec<&str> = self.prints.iter().map(String::as_str).collect();
            if self.unordered {
                printed.sort_unstable();
                wanted.sort_unstable();
            }
            if printed != wanted {
                let _ = writeln!(complaints, "printed {printed:?}, expected {wanted:?}");
            }
        }
        (!complaints.is_empty()).then_some(complaints)
    }
}

fn argument(text: &str) -> Result<Argument, String> {
    let (head, value) = match text.split_once('=') {
        Some((head, value)) => (head.trim(), value.trim()),
        None => (text.trim(), ""),
    };
    let words: Vec<&str> = head.split_whitespace().collect();
    match words[..] {
        ["null"] => Ok(Argument::Null),
        ["local", size] => {
            size.parse().map(Argument::Local).map_err(|_| format!("`{size}` is not a size"))
        }
        ["sampler", ..] => Ok(Argument::Sampler(words[1..].join(" "))),
        ["pipe", _, _, _] => Ok(Argument::Pipe(words[1..].join(" "))),
        ["buffer", ty] => {
            let (name, count) = ty
                .strip_suffix(']')
                .and_then(|ty| ty.split_once('['))
                .ok_or_else(|| format!("`{ty}`: a buffer needs a length"))?;
            let (element, width) = element(name)?;
            let count: usize = count.parse().map_err(|_| format!("`{count}` is not a length"))?;
            Ok(Argument::Buffer(Data::parse(element, count * width, value)?))
        }
        ["image", order, channel, size] => image(order, channel, size, "2d", value),
        ["image", order, channel, size, kind] => image(order, channel, size, kind, value),
        [ty] => {
            let (element, width) = element(ty)?;
            Ok(Argument::Scalar(Data::parse(element, width, value)?))
        }
        _ => Err(format!("`{head}` is not an argument")),
    }
}

fn image(
    order: &str,
    channel: &str,
    size: &str,
    kind: &str,
    value: &str,
) -> Result<Argument, String> {
    let sizes: Option<Vec<usize>> = size.split('x').map(|size| size.parse().ok()).collect();
    let sizes = match (kind, sizes.as_deref()) {
        ("1d" | "1dbuffer", Some(&[width])) => [width, 1, 1],
        ("1darray", Some(&[width, layers])) => [width, 1, layers],
        ("2d", Some(&[width, height])) => [width, height, 1],
        ("2darray" | "3d", Some(&[width, height, depth])) => [width, height, depth],
        _ => return Err(format!("`{size}` is not a size of an image of kind `{kind}`")),
    };
    let element = match channel {
        "float" => Element::Float,
        "half" => Element::Half,
        "unorm8" | "uint8" => Element::UChar,
        "unorm16" | "uint16" => Element::UShort,
        "snorm8" | "int8" => Element::Char,
        "snorm16" | "int16" => Element::Short,
        "uint32" => Element::UInt,
        "int32" => Element::Int,
        _ => return Err(format!("channel type `{channel}`?")),
    };
    let channels = match order {
        "rgba" | "bgra" | "srgba" => 4,
        "rg" | "ra" => 2,
        _ => 1,
    };
    let components = sizes.iter().product::<usize>() * channels;
    Ok(Argument::Image {
        kind: kind.to_owned(),
        sizes,
        order: order.to_owned(),
        channel: channel.to_owned(),
        data: Data::parse(element, components, value)?,
    })
}

/// `float4` → float and 4; three components take the room of four.
fn element(name: &str) -> Result<(Element, usize), String> {
    let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let element = Element::from_name(&name[..digits]).ok_or_else(|| format!("type `{name}`?"))?;
    let width = match &name[digits..] {
        "" => 1,
        "3" => 4,
        width => width.parse().map_err(|_| format!("type `{name}`?"))?,
    };
    Ok((element, width))
}
