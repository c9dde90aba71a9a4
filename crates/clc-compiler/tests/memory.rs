//! What programs may cost in memory, and what the command says where there is none left.

#![cfg(target_os = "linux")]

mod common;

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use common::Folder;

/// Runs the command in `folder` with at most `limit` KiB of address space.
fn limited(folder: &Folder, limit: u64, options: &str) -> Output {
    Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {limit}; exec \"$0\" {options}"))
        .arg(env!("CARGO_BIN_EXE_clc"))
        .current_dir(folder.root())
        .output()
        .unwrap()
}

/// The most memory that the command had in use at one time, in KiB.
fn peak(folder: &Folder, options: &str) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_clc"))
        .args(options.split(' '))
        .current_dir(folder.root())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let code = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let found = line.and_then(|line| line.trim_end_matches("kB").trim().parse().ok());
        most = most.max(found.unwrap_or(0));
        if let Some(code) = child.try_wait().unwrap() {
            break code;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(code.code(), Some(0));
    most
}

/// One expression of `terms` terms.
fn sum(terms: usize) -> String {
    format!("kernel void k(global int *p) {{ *p = 1{}; }}", "+1".repeat(terms - 1))
}

#[test]
fn an_expression_of_ten_megabytes_takes_less_than_a_gigabyte() {
    let folder = Folder::new();
    folder.write("sum.cl", sum(5_000_000));
    let peak = peak(&folder, "sum.cl -o sum.spv");
    assert!(peak < 1_000_000, "{peak} KiB");
}

#[test]
fn long_tables_cost_what_is_written_of_them() {
    let kernel = "kernel void k(global int *p, int i) { *p = t[i] + t[999] + t[1]; }";
    let folder = Folder::new();
    for (name, declaration) in [
        ("whole", "constant int t[2147483647] = {1};"),
        ("tenth", "constant int t[214748364] = {1, 2, 3};"),
        (
            "structs",
            "struct S { int x, y; }; constant struct S s[214748364] = {{1, 2}}; \
                     constant int t[1000] = {3};",
        ),
    ] {
        let mut text = format!("{declaration}\n{kernel}");
        if name == "structs" {
            text = text.replace("t[1];", "s[i].y;");
        }
        folder.write("table.cl", &text);
        for (target, code, message) in
            [("opencl3.0", 0, ""), ("vulkan1.3", 1, "take more than 134217728")]
        {
            let options = format!("--target-env={target} table.cl -o table.spv");
            let ran = limited(&folder, 800_000, &options);
            let said = String::from_utf8_lossy(&ran.stderr);
            assert_eq!(ran.status.code(), Some(code), "{name} {target}: {said}");
            assert!(said.contains(message), "{name} {target}: {said}");
            assert_eq!(said.contains("E0704"), code == 1, "{name} {target}: {said}");
        }
    }
    // What is zero needs no list.
    folder.write("zero.cl", format!("constant int t[2147483647] = {{0}};\n{kernel}"));
    let ran = limited(&folder, 800_000, "zero.cl -o zero.spv");
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn buffers_of_vulkan_have_all_of_a_long_table() {
    let folder = Folder::new();
    folder.write(
        "long.cl",
        "constant int t[100000] = {1, [5] = 2, [70000] = 3};\n\
         kernel void k(global int *p, int i) { *p = t[i] + t[5] + t[70000] + t[99999]; }",
    );
    let options = "--target-env=vulkan1.3 --verify-each long.cl -o l.spv --reflection l.json";
    let ran = limited(&folder, 2_000_000, options);
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = std::fs::read_to_string(folder.path("l.json")).unwrap();
    let (_, contents) = text.split_once("\"contents\":").unwrap();
    let digits: &str = contents.trim_start().trim_start_matches('"').split('"').next().unwrap();
    assert_eq!(digits.len(), 8 * 100_000);
    let word = |index: usize| &digits[8 * index..8 * index + 8];
    let wanted = [(0, "01000000"), (1, "00000000"), (5, "02000000"), (70_000, "03000000")];
    for (index, wanted) in wanted {
        assert_eq!(word(index), wanted, "element {index}");
    }
    assert_eq!(digits.bytes().filter(|&digit| digit != b'0').count(), 3);
}

#[test]
fn where_memory_ends_the_command_says_so() {
    let folder = Folder::new();
    folder.write("sum.cl", sum(1_000_000));
    for limit in [60_000, 100_000, 200_000, 300_000, 350_000, 400_000] {
        let ran = limited(&folder, limit, "sum.cl -o sum.spv");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(70), "{limit} KiB: {said}");
        assert!(said.starts_with("clc: out of memory"), "{limit} KiB: {said}");
        assert!(!folder.has("sum.spv"));
    }
}
