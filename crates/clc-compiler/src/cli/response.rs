//! Response files: `@FILE` on the command line stands for the arguments that the file holds, by the
//! rules of GCC's manual ("Options Controlling the Kind of Output").

use std::ffi::OsString;

/// Files in files, deeper than any build system writes them; a file that names itself goes no deeper.
const MOST_NESTED: usize = 16;
/// Files in all: without it files that each name the next one twice would take for ever.
const MOST_FILES: usize = 1000;
/// The most bytes of one file.
const MOST_BYTES: u64 = 64 << 20;

/// The arguments with those of files in place of `@FILE`, in files too. The name of the program stays.
pub(super) fn expand(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    if !arguments.iter().skip(1).any(|argument| file_of(argument).is_some()) {
        return Ok(arguments);
    }
    let mut arguments = arguments.into_iter();
    let mut expansion = Expansion { out: arguments.next().into_iter().collect(), files: 0 };
    for argument in arguments {
        expansion.add(argument, &mut Vec::new())?;
    }
    Ok(expansion.out)
}

/// The name of the response file that an argument is.
fn file_of(argument: &OsString) -> Option<OsString> {
    let bytes = argument.as_encoded_bytes();
    match bytes.split_first() {
        Some((b'@', name)) if !name.is_empty() => of_bytes(name.to_vec()),
        _ => None,
    }
}

struct Expansion {
    out: Vec<OsString>,
    files: usize,
}

impl Expansion {
    /// Adds an argument that stands in the file that is last in `files`.
    fn add(&mut self, argument: OsString, files: &mut Vec<OsString>) -> Result<(), String> {
        let Some(file) = file_of(&argument) else {
            self.out.push(argument);
            return Ok(());
        };
        let name = file.to_string_lossy().into_owned();
        let within = match files.last() {
            Some(outer) => format!(" (named in `{}`)", outer.to_string_lossy()),
            None => String::new(),
        };
        if files.contains(&file) {
            return Err(format!("the response file `{name}`{within} names itself"));
        }
        self.files += 1;
        if files.len() == MOST_NESTED {
            return Err(format!(
                "the response file `{name}`{within} is more than {MOST_NESTED} files deep"
            ));
        }
        if self.files > MOST_FILES {
            return Err(format!("more than {MOST_FILES} response files are named, `{name}` last"));
        }
        let bytes = read(&file).map_err(|reason| {
            let hint = match files.is_empty() {
                true => format!("; a source whose name begins with `@` is written `./@{name}`"),
                false => String::new(),
            };
            format!("cannot read the response file `{name}`{within}: {reason}{hint}")
        })?;
        let words =
            split(&bytes).map_err(|reason| format!("the response file `{name}`: {reason}"))?;
        files.push(file);
        for word in words {
            let word =
                of_bytes(word).ok_or_else(|| format!("the response file `{name}` is not UTF-8"))?;
            self.add(word, files)?;
        }
        files.pop();
        Ok(())
    }
}

fn read(file: &OsString) -> Result<Vec<u8>, String> {
    use std::io::Read as _;

    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| crate::fs::reason(&error))?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(format!("it has more than {} MiB", MOST_BYTES >> 20)),
        false => Ok(bytes),
    }
}

#[cfg(unix)]
fn of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(OsString::from_vec(bytes))
}

#[cfg(not(unix))]
fn of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

/// The words of a response file: separated by white space, which is part of one between quotes. A
/// backslash makes the byte behind it an ordinary one, between quotes too.
fn split(bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = bytes.iter().copied();
    while let Some(byte) = bytes.next() {
        if quote.is_none() && byte.is_ascii_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match byte {
            b'\\' => word.extend(bytes.next()),
            _ if quote == Some(byte) => quote = None,
            b'"' | b'\'' if quote.is_none() => quote = Some(byte),
            _ => word.push(byte),
        }
    }
    match quote {
        Some(quote) => Err(format!(
            "a {} is never closed; `\\{}` is an ordinary one",
            char::from(quote),
            char::from(quote)
        )),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_gcc() {
        let check = |text: &str, expected: &[&str]| {
            let words = split(text.as_bytes()).unwrap();
            let words: Vec<_> = words.iter().map(|word| String::from_utf8_lossy(word)).collect();
            assert_eq!(words, expected, "{text}");
        };
        check("", &[]);
        check(" \t\r\n", &[]);
        check("-DX=1\n-I inc\r\nk.cl", &["-DX=1", "-I", "inc", "k.cl"]);
        check(r#""a b" 'c d' e\ f -DS="x y"z"#, &["a b", "c d", "e f", "-DS=x yz"]);
        check(r#"'' "" \" 'it\'s' "\\" '"'"#, &["", "", "\"", "it's", "\\", "\""]);
        check(r"C:\\dir \n\", &[r"C:\dir", "n"]);
        for wrong in ["'", "a \"b", r"'\'"] {
            assert!(split(wrong.as_bytes()).unwrap_err().contains("never closed"), "{wrong}");
        }
    }

    #[test]
    fn arguments_without_files_stay() {
        let arguments: Vec<OsString> = ["@clc", "@", "a@b", "-D@x"].map(OsString::from).into();
        assert_eq!(expand(arguments.clone()).unwrap(), arguments);
    }
}
