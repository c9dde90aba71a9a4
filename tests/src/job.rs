//! Jobs for the runners: which kernels to launch, and with what.
//!
//! A job is lines of words; `HEX` is bytes as hexadecimal digits. A line `----` ends a kernel's
//! job, and the next one begins:
//!
//! ```text
//! module FILE [MORE]               what this job and those after it run; MORE is the file of its reflection on
//!                                  Vulkan, and options for the driver elsewhere; without `kernel` it is only built
//! kernel NAME
//! global X [Y [Z]]
//! local X [Y [Z]]
//! offset X [Y [Z]]
//! buffer HEX                       arguments, in order
//! scalar HEX
//! localmem BYTES
//! image W H ORDER TYPE HEX         ORDER: rgba, r, …; TYPE: float, half, unorm8, uint8, int32, …
//! texture KIND W H D ORDER TYPE HEX   KIND: 1d, 1dbuffer, 1darray, 2d, 2darray, 3d; unused sizes 1
//! sampler NORM ADDRESS FILTER      0 or 1; none, edge, clamp, repeat, mirror; nearest, linear
//! pipe NAME BYTES PACKETS          size of a packet; the same pipe for all jobs that name it
//! null                             a null buffer
//! data NAME HEX                    no argument: bytes for this kernel and the ones after it
//! input NAME                       a buffer of such bytes; not among the results
//! output BYTES                     a buffer of bytes AB
//! constant NUMBER HEX              the value of a specialization constant
//! printf WORDS                     on Vulkan: the words of 32 bits that records of printf may take
//! ```
//!
//! For each job a runner's results get a line `HEX` for each buffer and image, in order, or a line
//! `error TEXT`, and then `----`; so does its standard output.

use crate::hex;

#[derive(Clone, Debug, Default)]
pub struct Job {
    /// From here on: a file, and its reflection or options. None: as before.
    pub module: Option<(String, String)>,
    /// Empty: nothing is launched.
    pub kernel: String,
    pub global: Vec<usize>,
    /// Empty: the runner's choice.
    pub local: Vec<usize>,
    /// Empty: zero.
    pub offset: Vec<usize>,
    /// Comes before the arguments are set, and stays for later jobs.
    pub data: Vec<(String, Vec<u8>)>,
    pub arguments: Vec<Argument>,
    /// Specialization constants, by number, and their bytes.
    pub constants: Vec<(u32, Vec<u8>)>,
    /// None: the runner's choice. OpenCL drivers have buffers of their own.
    pub printf_words: Option<u32>,
}

#[derive(Clone, Debug)]
pub enum Argument {
    Buffer(Vec<u8>),
    /// A buffer of so many bytes [`OUTPUT`].
    Output(usize),
    /// A buffer of the [`Job::data`] of this name.
    Input(String),
    Null,
    Scalar(Vec<u8>),
    Local(usize),
    Image(Image),
    Sampler {
        normalized: bool,
        address: String,
        filter: String,
    },
    Pipe {
        name: String,
        bytes: usize,
        packets: usize,
    },
}

/// What an output buffer holds before the kernel runs.
pub const OUTPUT: u8 = 0xab;

#[derive(Clone, Debug)]
pub struct Image {
    pub kind: String,
    /// Width, height, depth; those that the kind does not have are 1.
    pub sizes: [usize; 3],
    pub order: String,
    pub channel: String,
    pub bytes: Vec<u8>,
}

/// The jobs of a text, each by itself: one that makes no sense does not keep others from running.
pub fn parse(text: &str) -> impl Iterator<Item = Result<Job, String>> {
    text.split("----\n").filter(|job| !job.trim().is_empty()).map(Job::parse)
}

impl Job {
    fn parse(text: &str) -> Result<Job, String> {
        let mut job = Job { global: vec![1], ..Job::default() };
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some((&command, words)) = words.split_first() else { continue };
            job.line(command, words).map_err(|error| {
                let line: String = line.chars().take(100).collect();
                format!("malformed: {line}: {error}")
            })?;
        }
        if job.kernel.is_empty() && job.module.is_none() {
            return Err("no kernel named".to_owned());
        }
        Ok(job)
    }

    fn line(&mut self, command: &str, words: &[&str]) -> Result<(), String> {
        let text = || words.first().map(|&word| word.to_owned()).ok_or("a word is missing");
        let bytes = |word: &str| hex::decode(word).ok_or("not hexadecimal digits");
        // No digits at all are no bytes.
        let all_bytes = || bytes(words.first().unwrap_or(&""));
        let argument = match command {
            "module" => {
                let more = words.get(1..).unwrap_or_default().join(" ");
                self.module = Some((text()?, more));
                return Ok(());
            }
            "kernel" => {
                self.kernel = text()?;
                return Ok(());
            }
            "global" => {
                self.global = numbers(words)?;
                return Ok(());
            }
            "local" => {
                self.local = numbers(words)?;
                return Ok(());
            }
            "offset" => {
                self.offset = numbers(words)?;
                return Ok(());
            }
            "printf" => {
                self.printf_words = u32::try_from(number(words)?).ok();
                return Ok(());
            }
            "constant" => {
                let value = bytes(words.get(1).unwrap_or(&""))?;
                self.constants.push((number(words.get(..1).unwrap_or_default())? as u32, value));
                return Ok(());
            }
            "data" => {
                let data = bytes(words.get(1).unwrap_or(&""))?;
                self.data.push((text()?, data));
                return Ok(());
            }
            "buffer" => Argument::Buffer(all_bytes()?),
            "output" => Argument::Output(number(words)?),
            "input" => Argument::Input(text()?),
            "null" => Argument::Null,
            "scalar" => Argument::Scalar(all_bytes()?),
            "localmem" => Argument::Local(number(words)?),
            "image" => {
                let [width, height, rest @ ..] = words else { return Err("too short".into()) };
                Argument::Image(image("2d", &[width, height, "1"], rest)?)
            }
            "texture" => {
                let [kind, width, height, depth, rest @ ..] = words else {
                    return Err("too short".into());
                };
                Argument::Image(image(kind, &[width, height, depth], rest)?)
            }
            "sampler" => {
                let [normalized, address, filter] = *words else {
                    return Err("three words are wanted".into());
                };
                Argument::Sampler {
                    normalized: normalized == "1",
                    address: address.to_owned(),
                    filter: filter.to_owned(),
                }
            }
            "pipe" => {
                let [name, sizes @ ..] = words else { return Err("too short".into()) };
                let [bytes, packets] = numbers(sizes)?[..] else {
                    return Err("two sizes are wanted".into());
                };
                Argument::Pipe { name: (*name).to_owned(), bytes, packets }
            }
            _ => return Err("unknown line".to_owned()),
        };
        if self.kernel.is_empty() {
            return Err("no kernel named yet".to_owned());
        }
        self.arguments.push(argument);
        Ok(())
    }
}

fn image(kind: &str, sizes: &[&str; 3], rest: &[&str]) -> Result<Image, String> {
    let [order, channel, bytes] = *rest else { return Err("a format and bytes are wanted".into()) };
    let sizes = numbers(sizes)?.try_into().map_err(|_| "three sizes are wanted")?;
    Ok(Image {
        kind: kind.to_owned(),
        sizes,
        order: order.to_owned(),
        channel: channel.to_owned(),
        bytes: hex::decode(bytes).ok_or("not hexadecimal digits")?,
    })
}

fn numbers(words: &[&str]) -> Result<Vec<usize>, String> {
    words.iter().map(|word| word.parse().map_err(|_| format!("not a number: {word}"))).collect()
}

fn number(words: &[&str]) -> Result<usize, String> {
    match numbers(words)?[..] {
        [number] => Ok(number),
        _ => Err("one number is wanted".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_read_one_by_one() {
        let text = "kernel a\nglobal 4 2\ndata x 0102\ninput x\nscalar ff\n----\nkernel b\nbuffer xyz\n----\nscalar 00\n----\n";
        let jobs: Vec<_> = parse(text).collect();
        let [Ok(a), Err(b), Err(c)] = &jobs[..] else { panic!("{jobs:?}") };
        assert_eq!((a.kernel.as_str(), &a.global[..], a.local.len()), ("a", &[4, 2][..], 0));
        assert_eq!(a.data, [("x".to_owned(), vec![1, 2])]);
        assert!(
            matches!(&a.arguments[..], [Argument::Input(x), Argument::Scalar(y)] if x == "x" && y == &[255])
        );
        assert!(b.contains("buffer xyz"), "{b}");
        assert!(c.contains("no kernel named yet"), "{c}");
    }

    #[test]
    fn a_job_names_a_module_and_need_not_launch() {
        let text = "module a.cl -DX=1 -w\n----\nmodule b.spv\nkernel k\n----\nglobal 1\n----\n";
        let jobs: Vec<_> = parse(text).collect();
        let [Ok(a), Ok(b), Err(c)] = &jobs[..] else { panic!("{jobs:?}") };
        assert_eq!(a.module, Some(("a.cl".to_owned(), "-DX=1 -w".to_owned())));
        assert_eq!(
            (b.module.as_ref(), b.kernel.as_str()),
            (Some(&("b.spv".to_owned(), String::new())), "k")
        );
        assert!(c.contains("no kernel named"), "{c}");
    }
}
