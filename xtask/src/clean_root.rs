//! What `dist` makes, installed and run in a root that holds a few packages of Debian and nothing of this
//! machine: the archive, the Debian packages, and their completions in bash, zsh and fish.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result, create_dir, is_root, target, write};
use crate::{dist, setup};

/// A shell and the tools that dpkg calls; what `clc-doctor` is linked to; the shells that complete, and
/// groff, which reads the manual.
const BASE: &str = "base-files dash bash debianutils coreutils sed grep findutils tar dpkg libc-bin libc6 \
    libgcc-s1 gcc-12-base libstdc++6 libacl1 libattr1 libselinux1 libpcre2-8-0 libgmp10 libbz2-1.0 liblzma5 \
    libmd0 libzstd1 zlib1g gzip diffutils libtinfo6 zsh zsh-common libcap2 fish fish-common libpcre2-32-0 groff-base \
    libuchardet0";

/// Why it cannot be tried here, if it cannot.
pub fn missing() -> Option<String> {
    root_folder().err()
}

/// The root as it is before anything of ours is in it, made if need be.
fn root_folder() -> Result<PathBuf> {
    if !is_root() {
        return Err("only root can change to another root".to_owned());
    }
    let root = target().join("clean-root/base");
    let packages = BASE.split_whitespace().collect::<Vec<&str>>();
    let done = root.join("installed-packages");
    if std::fs::read_to_string(&done).ok().as_deref() == Some(BASE) {
        return Ok(root);
    }
    println!("setup: {} packages of Debian, to {}", packages.len(), root.display());
    let _ = std::fs::remove_dir_all(&root);
    let downloads = target().join("clean-root/packages");
    create_dir(&downloads)?;
    let mut download = setup::apt_get();
    download.args(["--quiet", "download"]).args(&packages).current_dir(&downloads);
    if shell::output(&mut download).is_err() {
        shell::run(Command::new("apt-get").args(["--quiet", "update"]))?;
        shell::output(&mut download)?;
    }
    for folder in ["dev", "tmp", "root", "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/log"] {
        create_dir(&root.join(folder))?;
    }
    let mut status = String::new();
    for package in &packages {
        let archive = archive_of(&downloads, package)?;
        shell::output(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&root))?;
        let control = shell::output(Command::new("dpkg-deb").arg("-f").arg(&archive))?;
        // What maintainers' scripts would do is not needed, so they are all taken for installed.
        status.push_str(&format!("{}\nStatus: install ok installed\n\n", control.trim_end()));
        write(&root.join(format!("var/lib/dpkg/info/{package}.list")), "/.\n")?;
    }
    write(&root.join("var/lib/dpkg/status"), &status)?;
    let mut prepare = chroot(&root);
    // Two of the things that the scripts would do.
    prepare.args([
        "/bin/dash",
        "-c",
        "[ -e /bin/sh ] || ln -s dash /bin/sh; : > /dev/null; ldconfig",
    ]);
    shell::run(&mut prepare)?;
    write(&done, BASE)?;
    Ok(root)
}

fn archive_of(folder: &Path, package: &str) -> Result<PathBuf> {
    std::fs::read_dir(folder)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&format!("{package}_"))
        })
        .ok_or_else(|| format!("no package {package} was downloaded"))
}

/// A command inside, with the environment of a user who has just logged in. It sees the machine's devices
/// and processes: zsh asks for a terminal, and a program for where it lies.
fn chroot(root: &Path) -> Command {
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "sh", "-ec", "mount --rbind /dev \"$0/dev\"\nmount --rbind /proc \"$0/proc\"\nexec chroot \"$0\" \"$@\""])
        .arg(root)
        .args(["/usr/bin/env", "-i", "HOME=/root", "TERM=dumb", "LANG=C.UTF-8"])
        .arg("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    command
}

/// A copy of the clean root.
struct Root(PathBuf);

impl Root {
    fn new(name: &str) -> Result<Root> {
        let base = root_folder()?;
        let copy = target().join("clean-root").join(name);
        let _ = std::fs::remove_dir_all(&copy);
        shell::output(Command::new("cp").args(["-a", "--reflink=auto"]).arg(&base).arg(&copy))?;
        write(
            &copy.join("root/k.cl"),
            "kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n",
        )?;
        Ok(Root(copy))
    }

    fn put(&self, file: &Path) -> Result<String> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let to = self.0.join("root").join(&name);
        std::fs::copy(file, &to).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(format!("/root/{name}"))
    }

    fn shell(&self, script: &str) -> Command {
        let mut command = chroot(&self.0);
        command.args(["/bin/sh", "-ec", &format!("cd /root\n{script}")]);
        command
    }

    fn says(&self, script: &str) -> Result<String> {
        shell::output(&mut self.shell(script)).map_err(|error| format!("{script}\n{error}"))
    }

    /// The first evening: a kernel becomes a module, the programs beside `clc` start, and where there is no driver
    /// the doctor says how to get one.
    fn first_steps(&self) -> Result {
        let text = self.says("clc k.cl\nclc inspect k.spv")?;
        expect(&text, "kernel", "clc inspect")?;
        expect(&self.says("clc lsp --version")?, env!("CARGO_PKG_VERSION"), "clc lsp")?;
        let said = shell::complaint(&mut self.shell("clc doctor"))?;
        expect(&said, "no device was found", "clc doctor")
    }
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
    let root = Root::new("archive")?;
    let file = root.put(&made.archive)?;
    root.says(&format!(
        "mkdir -p /opt && tar -xzf {file} -C /opt && ln -s /opt/clc-*/bin/clc /usr/bin/clc"
    ))?;
    // By the link, as `~/.local/bin` would have one; the other programs are found beside the file.
    root.first_steps()?;
    root.says("cd /opt/clc-*\ntest -f LICENSE-MIT -a -f LICENSE-APACHE -a -f README.md -a -f include/clc.h")?;
    Ok(())
}

fn debian(made: &dist::Made) -> Result {
    println!("the Debian packages");
    let root = Root::new("debian")?;
    let packages: Vec<String> =
        made.debian.iter().map(|file| root.put(file)).collect::<Result<_>>()?;
    root.says(&format!("dpkg -i {}", packages.join(" ")))?;
    root.first_steps()?;
    expect(&root.says("dpkg -S /usr/bin/clc-doctor")?, "clc: /usr/bin/clc-doctor", "dpkg -S")?;

    println!("the manual and the completions");
    let warnings = root.says("zcat /usr/share/man/man1/clc.1.gz | groff -man -Tutf8 -ww 2>&1 > page.txt; cat page.txt | head -5 | cat -v")?;
    expect(&warnings, "CLC(1)", "the manual")?;
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
    Ok(())
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
