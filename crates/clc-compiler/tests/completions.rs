//! `clc completions` and `clc man`; other shells than bash are tried where packages are (`cargo xtask packages`).
#![cfg(unix)]

mod common;

use std::process::Command;

use common::Folder;

/// What bash offers at the end of `line`.
fn offers(folder: &Folder, line: &str) -> Vec<String> {
    let words: Vec<String> = line.split_whitespace().map(|word| format!("'{word}'")).collect();
    // Readline cuts words at `=`; what counts is the last.
    let count = words.len() - usize::from(!line.ends_with(' '));
    let script = format!(
        "compopt() {{ :; }}; source completions.bash\nCOMP_LINE='{line}'\nCOMP_POINT=${{#COMP_LINE}}\n\
         COMP_WORDS=({})\nCOMP_CWORD={count}\n_clc\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        words.join(" ")
    );
    let output = Command::new("bash")
        .args(["--norc", "-c", &script])
        .current_dir(folder.root())
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_offers_both_spellings_and_their_values() {
    let folder = Folder::new();
    folder.write("completions.bash", folder.clc("completions bash").stdout);
    for (line, expected) in [
        ("clc -cl-st", &["-cl-std="][..]),
        ("clc --cl-st", &["--cl-std="]),
        ("clc -cl-std=CL3", &["CL3.0", "CL3.1"]),
        ("clc --cl-std=CL2", &["CL2.0"]),
        ("clc -cl-std CL1", &["CL1.0", "CL1.1", "CL1.2"]),
        ("clc k.cl --target-env=vulkan1.3", &["vulkan1.3"]),
        ("clc -fsyn", &["-fsyntax-only"]),
        ("clc --emit=ref", &["reflection"]),
        ("clc -Wno-uninit", &["-Wno-uninitialized", "-Wno-uninitialized-local-memory"]),
        ("clc insp", &["inspect"]),
        ("clc inspect --dis", &["--disassemble"]),
        ("clc inspect -dis", &["-disassemble"]),
        ("clc inspect -cl-st", &[]),
        ("clc link --create", &["--create-library"]),
        ("clc link -target-env=opencl3", &["opencl3.0", "opencl3.1"]),
        ("clc completions fi", &["fish"]),
        ("clc doctor --format=j", &["json"]),
        ("clc -o nothing", &[]),
    ] {
        assert_eq!(offers(&folder, line), expected, "{line}");
    }
    // What is offered is taken: every option without a value, in both spellings.
    folder.write("k.cl", common::GOOD);
    let options = offers(&folder, "clc -");
    assert!(options.len() > 100, "{options:?}");
    for option in options.iter().filter(|option| !option.ends_with('=')) {
        let value = if ["-x", "-o", "-I", "-D", "-U", "-O", "-W"].contains(&option.as_str()) {
            continue;
        } else if option.ends_with("-include") || option.ends_with("-isystem") {
            " k.h"
        } else {
            ""
        };
        let said = folder.clc(&format!("{option}{value}")).stderr;
        assert!(!said.contains("unknown option"), "{option}: {said}");
    }
}

#[test]
fn every_shell_has_completions_and_others_are_refused() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = folder.clc(&format!("completions {shell}"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let text = ran.text();
        assert!(text.contains("cl-mad-enable") && text.contains("vulkan1.3"), "{shell}");
    }
    for (line, words) in
        [("completions", "name a shell: bash"), ("completions fsh", "did you mean `fish`")]
    {
        let ran = folder.clc(line);
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn the_manual_has_every_option() {
    let folder = Folder::new();
    let page = folder.clc("man").text();
    assert!(page.starts_with(".TH CLC 1"), "{page}");
    let plain = page.replace("\\-", "-");
    let help = folder.clc("--help").text();
    let options = help.split_whitespace().filter_map(|word| word.strip_prefix("--"));
    let mut count = 0;
    for option in options.filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-')) {
        assert!(plain.contains(&format!("\\fB-{option}\\fR")), "{option}");
        count += 1;
    }
    assert!(count > 30, "{count}");
    // Lines of roff that begin with a dot are requests of man(7).
    for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
        let request = line.split(' ').next().unwrap();
        assert!([".TH", ".SH", ".TP", ".PP", ".B", ".br"].contains(&request), "{line}");
    }
}
