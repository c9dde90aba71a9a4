//! `cargo xtask order`: which functions run whatever is compiled, so that they stand side by side in the
//! command.
//!
//! A system maps a program's file page by page, or some pages at a time, when they are first used. The functions
//! of small compilations are a quarter of the command; in the order of the crates they are in nearly every
//! part of the file. Valgrind says which instructions are executed, the linker's map which section each is
//! in, and `crates/clc-compiler/order.txt` has the names of these sections, without what differs between
//! builds, and the crates that they are compiled with: without its hash, a generic function has one name for all
//! types, and there are many of one for each that runs. The build script of the package makes a script for the
//! linker of it. A name that no section has any longer, and a function that is not listed, cost nothing but the
//! time that the order saves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::bench;
use crate::shell::{self, Result, absolute, cargo, root, run as run_command, target, write};

const HEAD: &str = "\
# Sections of the functions that small compilations call, those of the smallest first: what is linked before all others.
# `cargo xtask order` writes this file; `build.rs` reads it. Before a name is the file, or `CRATE:` for the files of a
# crate, if the name is not enough. `*` stands for what differs between builds.
";

pub fn run() -> Result {
    let folder = absolute(&target().join("order"))?;
    shell::create_dir(&folder)?;
    let map = folder.join("map.txt");
    let mut build = cargo();
    build.args([
        "rustc",
        "--quiet",
        "--release",
        "--package",
        "clc-compiler",
        "--bin",
        "clc",
        "--",
    ]);
    run_command(build.arg(format!("-Clink-arg=-Wl,-Map={}", map.display())))?;
    let sections = sections(&shell::read(&map)?);
    if sections.is_empty() {
        return Err(format!("{}: no map as LLVM's linker writes it", map.display()));
    }
    let clc = target().join("release/clc");
    // Of each section the numbers of the compilations that call it.
    let mut callers: BTreeMap<&Section, Vec<usize>> = BTreeMap::new();
    let mut compilations = 0;
    for subject in bench::small_subjects(&folder)? {
        for environment in ["opencl3.0", "vulkan1.3"] {
            let mut compilation = Command::new("valgrind");
            let counts = folder.join("counts.txt");
            compilation.args(["--tool=callgrind", "--dump-instr=yes", "--compress-pos=no"]);
            compilation.arg(format!("--callgrind-out-file={}", counts.display()));
            compilation.arg(&clc).arg(format!("--target-env={environment}")).arg(&subject.source);
            shell::output(compilation.arg("-o").arg(folder.join("out.spv")))?;
            let executed = addresses(&shell::read(&counts)?);
            for section in called(&sections, &executed) {
                callers.entry(section).or_default().push(compilations);
            }
            compilations += 1;
        }
    }
    let mut ordered: Vec<(&Section, Vec<usize>)> = callers.into_iter().collect();
    // What a compilation calls is in few pieces, of the first in one. Sections are sorted by their addresses already.
    ordered.sort_by_key(|(_, callers)| {
        (0..compilations).map(|number| !callers.contains(&number)).collect::<Vec<bool>>()
    });
    let bytes: u64 = ordered.iter().map(|(section, _)| section.size).sum();
    let mut seen = BTreeSet::new();
    let mut text = HEAD.to_owned();
    let mut lines = 0;
    for (section, _) in ordered {
        let Some(line) = line(section) else { continue };
        if seen.insert(line.clone()) {
            text.push_str(&line);
            text.push('\n');
            lines += 1;
        }
    }
    println!("{lines} names of sections with {bytes} bytes");
    write(&root().join("crates/clc-compiler/order.txt"), &text)
}

/// A section of code in the command.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Section {
    address: u64,
    size: u64,
    /// The file that it comes from, `libc.a(puts.o)` of an archive.
    file: String,
    name: String,
}

/// The sections of a map, by address. Its lines are `VMA LMA SIZE ALIGN` in hexadecimal but the last, and a name: of a
/// section of the output, of `FILE:(SECTION)` behind 8 blanks, or of a symbol behind 16.
fn sections(map: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = map
        .lines()
        .filter_map(|line| {
            let mut words = line.split_ascii_whitespace();
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            let size = u64::from_str_radix(words.nth(1)?, 16).ok()?;
            words.next()?;
            let (file, name) = line[line.find(words.next()?)?..].rsplit_once(":(")?;
            let name = name.strip_suffix(')').filter(|name| name.starts_with(".text"))?;
            let file = Path::new(file).file_name()?.to_str()?.to_owned();
            Some(Section { address, size, file, name: name.to_owned() })
        })
        .collect();
    sections.sort();
    sections
}

/// Where instructions were executed, from what callgrind writes.
fn addresses(counts: &str) -> BTreeSet<u64> {
    let hexadecimal = |line: &str| {
        let digits = line.strip_prefix("0x")?.split(' ').next()?;
        u64::from_str_radix(digits, 16).ok()
    };
    counts.lines().filter_map(hexadecimal).collect()
}

fn called<'a>(
    sections: &'a [Section],
    addresses: &BTreeSet<u64>,
) -> impl Iterator<Item = &'a Section> {
    sections.iter().filter(|section| {
        addresses.range(section.address..section.address + section.size).next().is_some()
    })
}

/// How a section is listed: `CRATE: NAME`, or `ARCHIVE:MEMBER NAME` for those of the system's archives, where many have
/// one name, or `NAME`. `None` for those of files that are called otherwise in each build, and whose names say nothing.
fn line(section: &Section) -> Option<String> {
    let name = &section.name;
    if let Some((archive, member)) =
        section.file.strip_suffix(')').and_then(|file| file.split_once(".a("))
    {
        return Some(format!("{archive}.a:{member} {name}"));
    }
    if name == ".text" {
        return None;
    }
    let name = without_hashes(name);
    Some(match crate_of(&section.file) {
        Some(of) => format!("{of}: {name}"),
        None => name,
    })
}

/// The crate that a file of rustc has code of, `a` of `CRATE-HASH.a-HASH.a.HASH-cgu.0.rcgu.o`, as it is called before
/// and after optimisation at link time.
fn crate_of(file: &str) -> Option<&str> {
    let (before, _) = file.split_once("-cgu.")?;
    let (before, _hash) = before.rsplit_once('.')?;
    Some(before.rsplit_once('.').map_or(before, |(_, name)| name))
}

/// `*` in place of the hashes of compilations: `17h` and 16 digits at the end of a name of the older mangling of
/// Rust, a number behind `.llvm.`, and the disambiguators of crates of the newer.
fn without_hashes(name: &str) -> String {
    let name = name.find(".llvm.").map_or(name, |at| &name[..at]);
    let is_hash = |at: &usize| {
        let digits = name.as_bytes().get(at + 3..at + 19);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if let Some(at) = name.rfind("17h").filter(is_hash) {
        return format!("{}*", &name[..at]);
    }
    let mut out = String::new();
    let mut rest = name;
    while let Some(at) = rest.find("Cs") {
        let (before, behind) = rest.split_at(at + 2);
        let digits = behind.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(behind.len());
        out.push_str(before.strip_suffix('s').unwrap_or(before));
        out.push('*');
        rest = &behind[digits..];
    }
    // Parts of a function have numbers behind its name.
    format!("{out}{rest}*")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_differs_between_builds() {
        let check = |name: &str, expected: &str| assert_eq!(without_hashes(name), expected);
        check("_ZN3clc4main17hac7abfa6ae8cf763E", "_ZN3clc4main*");
        check("_ZN3clc4main17hac7abfa6ae8cf763E.llvm.153", "_ZN3clc4main*");
        check(".text._ZN3clc8n17hello5innerEv", ".text._ZN3clc8n17hello5innerEv*");
        check("_RNvNtCsjrHS3l9_3std3rt4init.llvm.36", "_RNvNtC*_3std3rt4init*");
        check("_RNvMs_NtCsa_3stdNtCsb_4core4pushB1_", "_RNvMs_NtC*_3stdNtC*_4core4pushB1_*");
    }

    #[test]
    fn files_of_rustc_name_their_crates() {
        let check = |file: &str, expected| assert_eq!(crate_of(file), expected);
        check("clc-12.clc_ir-34.clc_ir.56-cgu.2.rcgu.o.rcgu.o", Some("clc_ir"));
        check("libclc_ir-34.rlib(clc_ir-34.clc_ir.56-cgu.2.rcgu.o)", Some("clc_ir"));
        check("libclc_validator-78.rlib(90-part_5.o)", None);
    }

    #[test]
    fn sections_are_found_by_what_was_executed() {
        let map = "             VMA              LMA     Size Align Out     In      Symbol\n\
                   440540           440540   80a980    64 .text\n\
                   440540           440540       20    16         /x/libc.a(puts.o):(.text)\n\
                   440540           440540        0     1                 puts\n\
                   440560           440560       30    16         /x/clc-1.clc.2-cgu.3.rcgu.o:(.text._ZN3clc1f17h0123456789abcdefE)\n\
                   440590           440590       10    16         /x/clc-1.clc.2-cgu.3.rcgu.o:(.text._ZN3clc1g17h0123456789abcdefE)\n\
                   4405a0           4405a0       10    16         /x/libpsm-12.rlib(1-x86.o):(.text)\n\
                   4405b0           4405b0       10    16         /x/libc.a(a b.o):(.rodata)\n";
        let sections = sections(map);
        assert_eq!(sections.len(), 4);
        let counts = "positions: instr line\nfn=(1)\n0x440542 3 1\ncalls=1 0x440590 0\n0x440544 3 9\n0x4405a0 0 1\n\
                      0x44058f 0 1\n";
        let addresses = addresses(counts);
        let lines: Vec<Option<String>> = called(&sections, &addresses).map(line).collect();
        let expected = [Some("libc.a:puts.o .text"), Some("clc: .text._ZN3clc1f*"), None];
        assert_eq!(lines, expected.map(|line| line.map(str::to_owned)));
    }
}
