//! Roots that hold a minimal Debian and nothing of this machine, to change to.
//!
//! ```text
//! target/clean-root/
//!   trixie/           what debootstrap made; it is never written to
//!   apt-trixie/       packages that were downloaded
//!   pip/              packages of Python that were downloaded
//!   roots/NAME/       a root: what it has besides those that it starts from; it goes when nothing failed in it
//! ```
//!
//! Network, proxies and certificates are those of the machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::setup;
use crate::shell::{self, Result, create_dir, is_root, read, target, write};

/// The release of Debian that people have.
pub const STABLE: &str = "trixie";

/// What a minimal Debian lacks and every user has.
const INCLUDED: &str = "ca-certificates,curl,sudo";

/// Where many programs look for certificates.
const CERTIFICATES: &str = "etc/ssl/certs/ca-certificates.crt";

/// Variables that are about the way to the network.
const NETWORK: [&str; 6] =
    ["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/// What is done to the system that debootstrap leaves. Questions have no one to answer them, what is lost
/// when the power fails is made again, and a mirror of a release that still changes may be some weeks old.
const PREPARE: &str = "echo 'APT::Get::Assume-Yes \"true\";' > /etc/apt/apt.conf.d/90unattended
echo 'Binary::apt-get::APT::Keep-Downloaded-Packages \"true\";' >> /etc/apt/apt.conf.d/90unattended
echo 'Acquire::Check-Valid-Until \"false\";' >> /etc/apt/apt.conf.d/90unattended
echo 'APT::Sandbox::User \"root\";' >> /etc/apt/apt.conf.d/90unattended
echo force-unsafe-io > /etc/dpkg/dpkg.cfg.d/unattended
echo 'debconf debconf/frontend select Noninteractive' | debconf-set-selections
mkdir -p /root/.cache/pip
apt-get clean";

/// After this time the lists of packages may name some that the mirror no longer has.
const LISTS_ARE_GOOD_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Why there can be no such root here, if there cannot.
pub fn missing() -> Option<String> {
    if !is_root() {
        return Some("only root can change to another root".to_owned());
    }
    can_overlay().err().map(|error| format!("no overlay can be mounted in target: {error}"))
}

/// Some file systems, those of containers among them, cannot be under an overlay.
fn can_overlay() -> Result {
    let folder = cache()?.join("probe");
    for part in ["lower", "changes", "work", "root"] {
        create_dir(&folder.join(part))?;
    }
    let script = "cd \"$0\"\n\
        mount -t overlay overlay -o lowerdir=lower,upperdir=changes,workdir=work root\n\
        : > root/file";
    shell::output(Command::new("unshare").args(["--mount", "sh", "-ec", script]).arg(folder))
        .map(drop)
}

/// A root that commands run in.
pub struct Root {
    /// The folders that it is made of, the later ones over the earlier.
    layers: Vec<PathBuf>,
    /// Where it is put together, with the folder that its changes go to.
    folder: PathBuf,
    mounts: Vec<Mount>,
    variables: Vec<(String, String)>,
}

/// A folder of the machine that is seen inside.
struct Mount {
    outside: PathBuf,
    /// From the root, without its slash.
    inside: String,
    is_writable: bool,
}

impl Root {
    /// A new one, of a release of Debian.
    pub fn new(name: &str, release: &str) -> Result<Root> {
        Root::of(name, release, vec![base(release)?])
    }

    /// A new one that has what `self` has now; from now on that must not change.
    pub fn another(&self, name: &str, release: &str) -> Result<Root> {
        let changes = self.folder.join("changes");
        Root::of(name, release, self.layers.iter().cloned().chain([changes]).collect())
    }

    /// For one in which nothing failed and that no other starts from: together they would be 6 GB.
    pub fn remove(self) -> Result {
        let describe = |error| format!("{}: {error}", self.folder.display());
        std::fs::remove_dir_all(&self.folder).map_err(describe)
    }

    fn of(name: &str, release: &str, layers: Vec<PathBuf>) -> Result<Root> {
        let folder = cache()?.join("roots").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        for part in ["changes/root", "work", "root"] {
            create_dir(&folder.join(part))?;
        }
        let mut root = Root { layers, folder, mounts: Vec::new(), variables: Vec::new() };
        root.mount(&packages(release)?, "var/cache/apt/archives", true)?;
        let pip = cache()?.join("pip");
        create_dir(&pip)?;
        root.mount(&pip, "root/.cache/pip", true)?;
        for name in ["PIP_CERT", "SSL_CERT_FILE", "CARGO_HTTP_CAINFO", "CURL_CA_BUNDLE"] {
            root.set(name, &format!("/{CERTIFICATES}"));
        }
        for name in NETWORK {
            if let Ok(value) = std::env::var(name) {
                root.set(name, &value);
            }
        }
        Ok(root)
    }

    /// Shows a folder of the machine inside, at a path from the root.
    pub fn mount(&mut self, outside: &Path, inside: &str, is_writable: bool) -> Result {
        let outside = std::path::absolute(outside).map_err(|error| error.to_string())?;
        self.mounts.push(Mount { outside, inside: inside.to_owned(), is_writable });
        Ok(())
    }

    /// Shows it where it is on the machine.
    pub fn mount_in_place(&mut self, folder: &Path, is_writable: bool) -> Result {
        let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
        let inside = folder.to_string_lossy().trim_start_matches('/').to_owned();
        self.mount(&folder, &inside, is_writable)
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// A folder of the machine for logs and other notes about the root, its own.
    pub fn notes(&self) -> Result<PathBuf> {
        let notes = self.folder.join("notes");
        create_dir(&notes)?;
        Ok(notes)
    }

    /// Writes a file into the home folder.
    pub fn write(&self, name: &str, text: &str) -> Result {
        write(&self.folder.join("changes/root").join(name), text)
    }

    /// Copies a file into the home folder; its path inside.
    pub fn put(&self, file: &Path) -> Result<String> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let to = self.folder.join("changes/root").join(&name);
        std::fs::copy(file, &to).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(format!("/root/{name}"))
    }

    /// A command inside, in the home folder and with the environment of a user who has just logged in. It
    /// sees the machine's devices and processes: zsh asks for a terminal, and a program for where it lies.
    pub fn command(&self, words: &[&str]) -> Command {
        let root = self.folder.join("root");
        let mut layers: Vec<String> =
            self.layers.iter().map(|layer| layer.display().to_string()).collect();
        layers.reverse();
        let mut script = format!(
            "mount -t overlay overlay -o 'lowerdir={},upperdir={},workdir={}' \"$0\"\n\
             mount --rbind /dev \"$0/dev\"\nmount --rbind /proc \"$0/proc\"\n",
            layers.join(":"),
            self.folder.join("changes").display(),
            self.folder.join("work").display(),
        );
        for mount in &self.mounts {
            let (outside, inside) = (mount.outside.display(), &mount.inside);
            script.push_str(&format!(
                "mkdir -p \"$0/{inside}\"\nmount --bind '{outside}' \"$0/{inside}\"\n"
            ));
            if !mount.is_writable {
                script.push_str(&format!("mount -o remount,bind,ro \"$0/{inside}\"\n"));
            }
        }
        script.push_str("exec chroot \"$0\" \"$@\"");
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-ec", &script]).arg(root);
        command.args(["/usr/bin/env", "-i", "--chdir=/root", "HOME=/root", "TERM=dumb"]);
        command.args(["LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]);
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        if !self.variables.iter().any(|(name, _)| name == "PATH") {
            command.arg(format!("PATH={path}"));
        }
        for (name, value) in &self.variables {
            command.arg(format!("{name}={}", value.replace("$PATH", path)));
        }
        command.args(words);
        command
    }

    pub fn shell(&self, script: &str) -> Command {
        self.command(&["/bin/sh", "-ec", script])
    }

    /// What a script writes.
    pub fn says(&self, script: &str) -> Result<String> {
        shell::output(&mut self.shell(script)).map_err(|error| format!("{script}\n{error}"))
    }
}

fn cache() -> Result<PathBuf> {
    let folder = target().join("clean-root");
    std::path::absolute(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Where downloaded packages of a release are kept.
fn packages(release: &str) -> Result<PathBuf> {
    let folder = cache()?.join(format!("apt-{release}"));
    create_dir(&folder.join("partial"))?;
    Ok(folder)
}

/// A minimal Debian of this release with recent lists of packages, made if need be.
fn base(release: &str) -> Result<PathBuf> {
    if let Some(reason) = missing() {
        return Err(reason);
    }
    let folder = cache()?.join(release);
    let made_by = folder.join("made-by");
    let recipe = format!("{INCLUDED}\n{PREPARE}");
    if read(&made_by).ok().as_ref() != Some(&recipe) {
        make(release, &folder)?;
        write(&made_by, &recipe)?;
    } else if is_old(&folder.join("var/lib/apt/lists")) {
        let mut update = in_base(&folder);
        // Who has no network has perhaps all packages.
        if shell::output(update.args(["apt-get", "--quiet", "update"])).is_err() {
            println!("clean root: the lists of packages are old, and there are no new ones");
        }
    }
    // The way to the network may be another one each time.
    for file in ["etc/resolv.conf", CERTIFICATES] {
        let from = Path::new("/").join(file);
        if from.is_file() {
            std::fs::copy(&from, folder.join(file)).map_err(|error| format!("{file}: {error}"))?;
        }
    }
    Ok(folder)
}

fn is_old(lists: &Path) -> bool {
    let changed = std::fs::metadata(lists).and_then(|metadata| metadata.modified());
    let age = changed.map(|time| SystemTime::now().duration_since(time).unwrap_or_default());
    age.is_ok_and(|age| age > LISTS_ARE_GOOD_FOR)
}

fn make(release: &str, folder: &Path) -> Result {
    println!("setup: a minimal Debian ({release}), to {} (250 MB)", folder.display());
    let _ = std::fs::remove_dir_all(folder);
    let tools = cache()?.join("debootstrap");
    let scripts = tools.join("usr/share/debootstrap");
    if !scripts.is_dir() {
        setup::debian("debootstrap", &tools)?;
    }
    let mut debootstrap = Command::new(tools.join("usr/sbin/debootstrap"));
    debootstrap.env("DEBOOTSTRAP_DIR", &scripts).args(["--variant=minbase"]);
    debootstrap.arg(format!("--include={INCLUDED}"));
    debootstrap.arg(format!("--keyring={}", setup::KEYS));
    debootstrap.arg(release).arg(folder).arg(setup::MIRROR);
    // All releases since some time are made as sid is, also those that came after this debootstrap.
    debootstrap.arg(scripts.join("scripts/sid"));
    shell::output(&mut debootstrap).map_err(|error| {
        format!("{error}\n{}", folder.join("debootstrap/debootstrap.log").display())
    })?;
    shell::output(in_base(folder).args(["/bin/sh", "-ec", PREPARE]))?;
    shell::output(in_base(folder).args(["apt-get", "--quiet", "update"])).map(drop)
}

/// A command that may change a base.
fn in_base(folder: &Path) -> Command {
    let mut command = Command::new("unshare");
    command.args([
        "--mount",
        "sh",
        "-ec",
        "mount --rbind /dev \"$0/dev\"\nexec chroot \"$0\" \"$@\"",
    ]);
    command.arg(folder).args(["/usr/bin/env", "-i"]);
    command.arg("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
    for name in NETWORK {
        if let Ok(value) = std::env::var(name) {
            command.arg(format!("{name}={value}"));
        }
    }
    command
}
