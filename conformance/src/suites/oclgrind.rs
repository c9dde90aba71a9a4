//! Oclgrind's kernels: a launch in a file `.sim`, and what Oclgrind writes in a file `.ref` beside it.
//!
//! ```text
//! vecadd.cl
//! vecadd
//! 4 1 1
//! 1 1 1
//!
//! <size=16 range=0:1:3>
//! <size=16 int fill=0 dump>
//! ```
//!
//! ```text
//! EXACT Argument 'c': 16 bytes
//! EXACT   c[0] = 42
//! MATCH   c[1] =
//! ERROR Read-write data race at global memory
//! ```
//!
//! A program of which Oclgrind reports an error has none of the meanings that OpenCL C gives: it is compiled,
//! and not run.

use std::path::Path;

use clc_tests::case::{Argument, Case};
use clc_tests::data::{Data, Element};

use crate::program::{Expected, Printed, Program, Test, Tolerance};
use crate::{files, number, signature};

pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let mut out = Vec::new();
    for path in files(folder, &["sim"])? {
        let name =
            path.with_extension("").strip_prefix(folder).unwrap_or(&path).display().to_string();
        // Commands to a debugger are given to it.
        if path.with_extension("inp").is_file() {
            continue;
        }
        out.push(program(&path, &name).map_err(|error| format!("{name}: {error}"))?);
    }
    Ok(out)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn program(path: &Path, name: &str) -> Result<Program, String> {
    let text = read(path)?;
    let launch = Launch::parse(&text)?;
    let source = path.with_file_name(launch.file);
    let code = read(&source)?;
    // Some have nothing to say.
    let reference = std::fs::read_to_string(path.with_extension("ref")).unwrap_or_default();
    let mut options = vec!["-cl-std=CL1.2".to_owned()];
    if let Some((_, given)) = text.lines().next().unwrap_or("").split_once("--build-options ") {
        options = given.split_whitespace().map(str::to_owned).collect();
    }
    let mut program = Program { name: name.to_owned(), source, options, ..Program::default() };
    if reference.lines().any(|line| line.starts_with("ERROR")) {
        return Ok(program);
    }
    let parameters =
        signature::parameters(&code, launch.kernel).ok_or("the kernel is not found")?;
    if parameters.len() != launch.arguments.len() {
        return Err(format!("{} arguments for {parameters:?}", launch.arguments.len()));
    }
    let mut case = Case {
        kernel: launch.kernel.to_owned(),
        label: launch.kernel.to_owned(),
        global: launch.global,
        local: launch.local,
        ..Case::default()
    };
    let mut expected = Vec::new();
    for (index, (parameter, header)) in parameters.iter().zip(&launch.arguments).enumerate() {
        let (argument, element) = header.argument(parameter)?;
        let what = signature::name(parameter).unwrap_or_default();
        if let (true, Argument::Buffer(data)) = (header.dump, &argument) {
            expected.extend(dumped(&reference, index, what, element, data.len())?);
        }
        case.arguments.push(argument);
    }
    let parts = reference.lines().filter_map(|line| line.strip_prefix("MATCH "));
    let parts: Vec<String> =
        parts.filter(|part| !part.starts_with("  ")).map(str::to_owned).collect();
    let printed = if parts.is_empty() { Printed::Anything } else { Printed::Parts(parts) };
    program.tests.push(Test { name: name.to_owned(), case, expected, printed });
    Ok(program)
}

/// What the reference says of the elements of an argument.
fn dumped(
    reference: &str,
    argument: usize,
    name: &str,
    element: Element,
    count: usize,
) -> Result<Option<Expected>, String> {
    let mut values = vec![None; count];
    for line in reference.lines() {
        let Some(line) = line.strip_prefix("EXACT   ").and_then(|line| line.strip_prefix(name))
        else {
            continue;
        };
        let (index, value) = line
            .strip_prefix('[')
            .and_then(|line| line.split_once("] = "))
            .ok_or_else(|| format!("what is `{line}`?"))?;
        let index: usize = index.parse().map_err(|_| format!("{name}[{index}]"))?;
        *values.get_mut(index).ok_or(format!("{name}[{index}] is behind the end"))? = Some(value);
    }
    let mut bytes = Vec::new();
    for value in &values {
        number::push(element, value.unwrap_or("0").trim(), &mut bytes)?;
    }
    let mut expected = Expected::new(argument, Data { element, bytes });
    expected.unknown = values.iter().map(Option::is_none).collect();
    if element.is_float() {
        // Six digits are printed.
        expected.tolerance = Tolerance::Relative(1e-5);
    }
    Ok(Some(expected))
}

/// A file `.sim`.
struct Launch<'a> {
    file: &'a str,
    kernel: &'a str,
    global: Vec<usize>,
    local: Vec<usize>,
    arguments: Vec<Header<'a>>,
}

/// `<…>` and the values behind it.
#[derive(Default)]
struct Header<'a> {
    size: usize,
    element: Option<Element>,
    hex: bool,
    dump: bool,
    null: bool,
    no_values: bool,
    fill: Option<&'a str>,
    range: Option<&'a str>,
    values: Vec<&'a str>,
}

impl<'a> Launch<'a> {
    fn parse(text: &'a str) -> Result<Launch<'a>, String> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
        let mut words = Vec::new();
        let mut arguments: Vec<Header<'a>> = Vec::new();
        for line in lines {
            let mut rest = line.trim();
            if let Some((header, values)) =
                rest.strip_prefix('<').and_then(|rest| rest.split_once('>'))
            {
                arguments.push(Header::parse(header)?);
                rest = values;
            }
            match arguments.last_mut() {
                Some(argument) => argument.values.extend(rest.split_whitespace()),
                None => words.extend(rest.split_whitespace()),
            }
        }
        let [file, kernel, sizes @ ..] = &words[..] else { return Err("no kernel".to_owned()) };
        let sizes: Result<Vec<usize>, _> = sizes.iter().map(|word| word.parse()).collect();
        let sizes = sizes.map_err(|_| "sizes that are no numbers")?;
        let (global, local) =
            sizes.split_at_checked(3).filter(|(_, local)| local.len() == 3).ok_or("six sizes")?;
        Ok(Launch { file, kernel, global: global.to_vec(), local: local.to_vec(), arguments })
    }
}

impl<'a> Header<'a> {
    fn parse(text: &'a str) -> Result<Header<'a>, String> {
        let mut out = Header::default();
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some(("size", size)) => {
                    out.size = size.parse().map_err(|_| format!("size {size}"))?
                }
                Some(("fill", value)) => out.fill = Some(value),
                Some(("range", range)) => out.range = Some(range),
                None if word == "hex" => out.hex = true,
                None if word == "dump" => out.dump = true,
                None if word == "null" => out.null = true,
                None if word == "noinit" => out.no_values = true,
                // What the kernel may do with it.
                None if matches!(word, "ro" | "wo") => {}
                _ => {
                    let element = Element::from_name(word).ok_or(format!("what is `{word}`?"))?;
                    out.element = Some(element);
                }
            }
        }
        Ok(out)
    }

    /// The argument, and the type that its values are written in.
    fn argument(&self, parameter: &str) -> Result<(Argument, Element), String> {
        let element =
            self.element.or_else(|| signature::element(parameter)).unwrap_or(Element::UChar);
        if self.null {
            return Ok((Argument::Null, element));
        }
        if signature::is_local(parameter) {
            return Ok((Argument::Local(self.size), element));
        }
        let count = self.size / element.size();
        let mut bytes = Vec::new();
        let mut push = |word: &str| match self.hex && !word.starts_with("0x") {
            true => number::push(element, &format!("0x{word}"), &mut bytes),
            false => number::push(element, word, &mut bytes),
        };
        match (self.fill, self.range) {
            _ if self.no_values => (0..count).try_for_each(|_| push("0"))?,
            (Some(value), _) => (0..count).try_for_each(|_| push(value))?,
            (None, Some(range)) => {
                let ends: Option<Vec<i128>> = range.split(':').map(number::integer).collect();
                let Some(&[start, step, _]) = ends.as_deref() else {
                    return Err(format!("range {range}"));
                };
                (0..count as i128).try_for_each(|i| push(&(start + i * step).to_string()))?;
            }
            (None, None) if self.values.len() == count => {
                self.values.iter().try_for_each(|word| push(word))?;
            }
            (None, None) => return Err(format!("{} values for {count}", self.values.len())),
        }
        let data = Data { element, bytes };
        match signature::is_pointer(parameter) {
            true => Ok((Argument::Buffer(data), element)),
            false => Ok((Argument::Scalar(data), element)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_read() {
        let text = "# ARGS: x\nk.cl\nk\n4 1 1\n2 1 1\n\n<size=8 range=3:2:5>\n<size=4 hex>\n 10 # ten\n<size=12>\n<size=4 dump fill=-1>\n";
        let launch = Launch::parse(text).unwrap();
        assert_eq!((launch.file, launch.kernel), ("k.cl", "k"));
        assert_eq!((&launch.global[..], &launch.local[..]), (&[4, 1, 1][..], &[2, 1, 1][..]));
        let argument =
            |index: usize, parameter| launch.arguments[index].argument(parameter).unwrap().0;
        assert_eq!(argument(0, "global int *a").data().ints(), [3, 5]);
        assert!(matches!(argument(1, "uint b"), Argument::Scalar(data) if data.ints() == [16]));
        assert!(matches!(argument(2, "local float *c"), Argument::Local(12)));
        assert_eq!(argument(3, "global char *d").data().ints(), [-1; 4]);
        assert!(launch.arguments[1].argument("ulong b").is_err());
        assert!(Launch::parse("k.cl\nk\n4 1 1\n").is_err());
    }

    #[test]
    fn references_say_what_is_known() {
        let text =
            "EXACT Argument 'a': 12 bytes\nEXACT   a[0] = 7\nMATCH   a[1] =\nEXACT   a[2] = -1\n";
        let expected = dumped(text, 2, "a", Element::Int, 3).unwrap().unwrap();
        assert_eq!(expected.data.ints(), [7, 0, -1]);
        assert_eq!(expected.unknown, [false, true, false]);
        assert!(dumped(text, 2, "a", Element::Int, 2).is_err());
    }
}
