//! What `dist` makes, installed and run in a root that holds a minimal Debian and nothing of this machine: the
//! archive, the Debian packages, and their completions in bash, zsh and fish.

pub mod root;

use root::Root;

use crate::dist;
use crate::shell::{self, Result};

/// The shells that complete, and groff, which reads the manual.
const PACKAGES: &str = "zsh fish groff-base";

/// The first evening: a kernel becomes a module, the programs beside `clc` start, and where there is no driver
/// the doctor says how to get one.
fn first_evening(root: &Root) -> Result {
    root.write("k.cl", "kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n")?;
    let text = root.says("clc k.cl\nclc inspect k.spv")?;
    expect(&text, "kernel", "clc inspect")?;
    expect(&root.says("clc lsp --version")?, env!("CARGO_PKG_VERSION"), "clc lsp")?;
    let said = shell::complaint(&mut root.shell("clc doctor"))?;
    expect(&said, "no device was found", "clc doctor")
}

fn expect(text: &str, part: &str, what: &str) -> Result {
    match text.contains(part) {
        true => Ok(()),
        false => Err(format!("{what}: `{part}` is missing in\n{text}")),
    }
}

/// Everything.
pub fn run() -> Result {
    let made = dist::archives_for_tests()?;
    archive(&made)?;
    debian(&made)
}

fn archive(made: &dist::Made) -> Result {
    println!("the archive");
    let root = Root::new("archive", root::STABLE)?;
    let file = root.put(&made.archive)?;
    root.says(&format!(
        "mkdir -p /opt && tar -xzf {file} -C /opt && ln -s /opt/clc-*/bin/clc /usr/bin/clc"
    ))?;
    // By the link, as `~/.local/bin` would have one; the other programs are found beside the file.
    first_evening(&root)?;
    root.says("cd /opt/clc-*\ntest -f LICENSE-MIT -a -f LICENSE-APACHE -a -f README.md -a -f include/clc.h")?;
    root.remove()
}

fn debian(made: &dist::Made) -> Result {
    println!("the Debian packages");
    let root = Root::new("debian", root::STABLE)?;
    let packages: Vec<String> =
        made.debian.iter().map(|file| root.put(file)).collect::<Result<_>>()?;
    root.says(&format!("dpkg -i {}", packages.join(" ")))?;
    first_evening(&root)?;
    expect(&root.says("dpkg -S /usr/bin/clc-doctor")?, "clc: /usr/bin/clc-doctor", "dpkg -S")?;

    println!("the manual and the completions");
    root.says(&format!("apt-get install --no-install-recommends {PACKAGES}"))?;
    let page = root.says("zcat /usr/share/man/man1/clc.1.gz | groff -man -Tutf8 -ww 2>&1 > page.txt; cat page.txt | head -5 | cat -v")?;
    expect(&page, "clc - compiles OpenCL C to SPIR-V", "the manual")?;
    let said =
        root.says("zcat /usr/share/man/man1/clc.1.gz | groff -man -Tutf8 -ww 2>&1 >/dev/null")?;
    if !said.trim().is_empty() {
        return Err(format!("groff complains of the manual:\n{said}"));
    }
    for (line, part) in [
        ("clc -cl-st", "-cl-std"),
        ("clc --cl-st", "--cl-std"),
        ("clc -cl-std=CL3", "CL3.1"),
        ("clc inspect --dis", "--disassemble"),
        ("clc link -target-env=opencl2", "opencl2.1"),
        ("clc completions f", "fish"),
    ] {
        let fish = root.says(&format!("fish --no-config -c \"source /usr/share/fish/vendor_completions.d/clc.fish; complete -C '{line}'\""))?;
        expect(&fish, part, &format!("fish, {line}"))?;
        let zsh = root.says(&format!("zsh -f <<'END'\n{}\nEND", ZSH.replace("LINE", line)))?;
        expect(&zsh, part, &format!("zsh, {line}"))?;
    }
    let fish = root.says("fish --no-config -c \"source /usr/share/fish/vendor_completions.d/clc.fish; complete -C 'clc inspect -cl-st'\"")?;
    if fish.contains("cl-std") {
        return Err(format!("fish offers options of another command: {fish}"));
    }
    expect(
        &root.says("bash -n /usr/share/bash-completion/completions/clc && echo read")?,
        "read",
        "bash",
    )?;
    root.says(&format!("dpkg -r {}", "clc libclc-compiler-dev libclc-compiler0"))?;
    root.says("test ! -e /usr/bin/clc")?;
    root.remove()
}

/// A terminal of zsh in which LINE is typed and completed; what it shows is printed.
const ZSH: &str = r#"zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; fpath=(/usr/share/zsh/vendor-completions \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=9999; setopt auto_list no_beep; print RE''ADY"
zpty -r -m z out '*READY*'
zpty -w -n z $'LINE\t\t'
sleep 1
while zpty -r -t z more; do print -rn -- $more; done
zpty -d z"#;
