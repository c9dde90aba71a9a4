//! What goes wrong around the command: disks, permissions, limits, signals, other processes. Each has its exit code and
//! its message, and leaves the output of an earlier run as it was.

#![cfg(target_os = "linux")]

mod common;

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use common::{BAD, Folder, GOOD};

const CLC: &str = env!("CARGO_BIN_EXE_clc");
const OLD: &[u8] = b"old";
const MAGIC: [u8; 4] = 0x0723_0203u32.to_le_bytes();

/// What a script said, and the exit code of its last command.
struct Said {
    code: Option<i32>,
    text: String,
}

impl Said {
    #[track_caller]
    fn is(&self, code: i32, words: &str) {
        assert_eq!(self.code, Some(code), "{}", self.text);
        assert!(self.text.contains(words), "`{words}` is not in:\n{}", self.text);
    }
}

/// Runs a script in the folder; `$CLC` is the command.
fn script(folder: &Folder, text: &str) -> Said {
    run(folder, Command::new("sh").args(["-c", text]).env("CLC", CLC))
}

fn run(folder: &Folder, command: &mut Command) -> Said {
    let output = command.current_dir(folder.root()).stdin(Stdio::null()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    Said { code: output.status.code(), text: String::from_utf8_lossy(&text).into_owned() }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|said| said.stdout == b"0\n")
}

/// A folder with a source, and with an output that was made before.
fn begun() -> Folder {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    folder.write("k.spv", OLD);
    folder
}

#[track_caller]
fn is_as_it_was(folder: &Folder, count: usize) {
    assert_eq!(folder.read("k.spv"), OLD);
    let left: Vec<_> = fs::read_dir(folder.root()).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(left.len(), count, "{left:?}");
}

/// A module of more bytes than pipes hold.
fn large() -> String {
    let values: Vec<String> =
        (0..30_000u32).map(|i| i.wrapping_mul(0x9E37_79B1).to_string()).collect();
    format!(
        "constant uint t[] = {{{}}};\nkernel void k(global uint *p, int i) {{ *p = t[i]; }}",
        values.join(",")
    )
}

/// Runs a script where `small` is a file system of its own, with these options of `mount`; `None` where none may be
/// mounted. What is in it after the script is shown, and gone.
fn mounted(folder: &Folder, options: &str, text: &str) -> Option<Said> {
    let (as_root, no_mount) = (is_root(), 99);
    fs::create_dir_all(folder.path("small")).unwrap();
    let text = format!(
        "mount -t tmpfs -o {options} none small || exit {no_mount}\n\
         {text}\ncode=$?; for file in small/* small/.clc*; do test -e $file && echo $file: `cat $file`; done; exit $code"
    );
    let mut command = Command::new("unshare");
    command.arg("--mount").args((!as_root).then_some("--map-root-user"));
    command.args(["sh", "-c", &text]).env("CLC", CLC);
    let said = run(folder, &mut command);
    // Without a mount the script did not begin.
    if said.code == Some(no_mount) || said.text.contains("unshare:") {
        eprintln!("NOT TESTED: no file system can be mounted: {}", said.text);
        return None;
    }
    Some(said)
}

#[test]
fn a_full_disk_keeps_the_old_output() {
    let folder = begun();
    script(&folder, "$CLC k.cl -o /dev/full")
        .is(2, "cannot write `/dev/full`: no space left on device");
    script(&folder, "$CLC k.cl -S > /dev/full").is(2, "standard output: no space left on device");
    script(&folder, "$CLC --help > /dev/full").is(2, "standard output: no space left on device");
    script(&folder, "$CLC absent.cl 2> /dev/full").is(2, "");
    is_as_it_was(&folder, 2);
    let fill = "echo old > small/k.spv; cat /dev/zero > small/rest 2> /dev/null; truncate -s 4096 small/rest";
    for options in [
        "-o small/k.spv",
        "-o - --reflection small/k.spv > /dev/null",
        "-o /dev/null -MD -MF small/k.spv",
    ] {
        let line = format!("{fill}; $CLC k.cl {options}");
        if let Some(said) = mounted(&folder, "size=8k", &line) {
            said.is(2, "cannot write `small/k.spv`: no space left on device");
            assert!(said.text.contains("small/k.spv: old\n"), "{}", said.text);
            assert!(!said.text.contains("small/.clc"), "{}", said.text);
        }
    }
}

#[test]
fn a_read_only_folder_keeps_the_old_output() {
    let folder = begun();
    let line = "echo old > small/k.spv; mount -o remount,ro small; $CLC k.cl -o small/k.spv";
    if let Some(said) = mounted(&folder, "size=8k", line) {
        said.is(2, "cannot write `small/k.spv`: read-only file system");
        assert!(said.text.contains("small/k.spv: old\n"), "{}", said.text);
    }
}

/// Runs a script as a user whom permissions and limits hold; `None` where this is root and cannot become another.
fn unprivileged(folder: &Folder, text: &str) -> Option<Said> {
    if !is_root() {
        return Some(script(folder, text));
    }
    // Where the other user sees both the folder and the command.
    fs::set_permissions(folder.root(), Permissions::from_mode(0o755)).unwrap();
    let program = folder.path("clc");
    if !program.exists() {
        fs::copy(CLC, &program).unwrap();
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", text])
        .env("CLC", program);
    let said = run(folder, &mut command);
    match said.text.contains("setpriv:") {
        true => eprintln!("NOT TESTED: there is no second user to run as: {}", said.text),
        false => return Some(said),
    }
    None
}

#[test]
fn what_permissions_forbid_is_said() {
    let folder = begun();
    folder.write("i.cl", format!("#include \"secret.h\"\n{GOOD}"));
    folder.write("folders/secret.h", "\n");
    folder.write("mine/k.spv", OLD);
    for path in ["folders/secret.h", "mine", "mine/k.spv"] {
        let mode = if path == "mine" { 0o555 } else { 0o200 };
        fs::set_permissions(folder.path(path), Permissions::from_mode(mode)).unwrap();
    }
    let lines = [
        ("$CLC i.cl -I folders -o /dev/null", 1, "error[E0002]: cannot read the file `secret.h`"),
        (
            "$CLC folders/secret.h -o /dev/null",
            2,
            "cannot read `folders/secret.h`: permission denied",
        ),
        ("$CLC k.cl -o mine/new.spv", 2, "cannot write `mine/new.spv`: permission denied"),
        ("$CLC k.cl -o mine/k.spv", 2, "cannot write `mine/k.spv`: permission denied"),
        (
            "$CLC k.cl -o mine/folder/",
            2,
            "cannot make the folder `mine/folder/`: permission denied",
        ),
    ];
    for (line, code, words) in lines {
        if let Some(said) = unprivileged(&folder, line) {
            said.is(code, words);
        }
    }
    for path in ["mine/k.spv", "mine"] {
        fs::set_permissions(folder.path(path), Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(folder.read("mine/k.spv"), OLD);
    assert_eq!(fs::read_dir(folder.path("mine")).unwrap().count(), 1);
}

#[test]
fn without_threads_one_does_the_work() {
    let folder = Folder::new();
    let names: Vec<String> = (0..8).map(|i| format!("k{i}.cl")).collect();
    for name in &names {
        folder.write(name, GOOD);
    }
    folder.write("out/.keep", "");
    fs::set_permissions(folder.path("out"), Permissions::from_mode(0o777)).unwrap();
    let limit = "exec prlimit --nproc=1";
    let Some(said) = unprivileged(&folder, &format!("{limit} sh -c '(:) && echo another'")) else {
        return;
    };
    assert!(!said.text.contains("another"), "the limit had no effect: {}", said.text);
    let line = format!("{limit} $CLC -j4 -o out {}", names.join(" "));
    if let Some(said) = unprivileged(&folder, &line) {
        said.is(0, "");
        let made = |name: &String| folder.has(&format!("out/{}", name.replace(".cl", ".spv")));
        assert!(names.iter().all(made));
    }
}

#[test]
fn a_small_stack_is_enough() {
    let folder = Folder::new();
    let nested =
        format!("kernel void k(global int *p) {{ *p = {}1{}; }}", "(".repeat(900), ")".repeat(900));
    folder.write("nested.cl", nested);
    folder.write("bad.cl", BAD);
    for size in [32, 64, 256, 1024] {
        script(&folder, &format!("ulimit -s {size}; $CLC nested.cl -o {size}.spv")).is(0, "");
        assert_eq!(folder.read(&format!("{size}.spv")), folder.read("32.spv"));
        script(&folder, &format!("ulimit -s {size}; $CLC bad.cl")).is(1, "error[E");
        script(&folder, &format!("ulimit -s {size}; $CLC --help")).is(0, "--target-env");
    }
}

#[test]
fn with_little_memory_an_output_is_whole_or_the_old_one() {
    let folder = begun();
    let mut codes = Vec::new();
    for limit in [60_000, 100_000, 200_000, 300_000, 500_000, 1_000_000] {
        folder.write("k.spv", OLD);
        let said = script(&folder, &format!("ulimit -v {limit}; $CLC k.cl -o k.spv"));
        match said.code {
            Some(0) => assert_eq!(folder.read("k.spv")[..4], MAGIC, "{limit} KiB"),
            _ => {
                said.is(70, "clc: out of memory. No output was written.");
                is_as_it_was(&folder, 2);
            }
        }
        codes.extend(said.code);
    }
    assert!(codes.contains(&0) && codes.contains(&70), "{codes:?}");
}

#[test]
fn a_killed_process_keeps_the_old_output() {
    let folder = begun();
    // While it waits for the source.
    let mut child = Command::new(CLC)
        .args(["-", "-o", "k.spv"])
        .current_dir(folder.root())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(GOOD.as_bytes()).unwrap();
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(libc_signal::KILL));
    is_as_it_was(&folder, 2);

    // In the middle of a write: by the signal for files that become larger than the limit allows.
    folder.write("large.cl", large());
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -c 0; ulimit -f 8; exec $CLC large.cl -o k.spv"]).env("CLC", CLC);
    let status = shell.current_dir(folder.root()).status().unwrap();
    assert_eq!(status.signal(), Some(libc_signal::XFSZ));
    assert_eq!(folder.read("k.spv"), OLD);
    let tmp = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        name.starts_with(".clc-").then(|| entry.metadata().unwrap().len())
    };
    let torn: Vec<u64> = fs::read_dir(folder.root()).unwrap().flatten().filter_map(tmp).collect();
    assert!(
        matches!(torn[..], [length] if length > 0),
        "it was not killed while it wrote: {torn:?}"
    );

    // What it left does not disturb the next run.
    script(&folder, "$CLC large.cl -o k.spv").is(0, "");
    assert_eq!(folder.read("k.spv")[..4], MAGIC);
}

/// The numbers of Linux.
mod libc_signal {
    pub const KILL: i32 = 9;
    pub const XFSZ: i32 = 25;
}

#[test]
fn a_closed_pipe_is_an_error_and_no_panic() {
    let folder = begun();
    for options in ["-o -", "-S", "-E", "--emit=reflection -o -"] {
        let mut child = Command::new(CLC)
            .arg("-")
            .args(options.split(' '))
            .current_dir(folder.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Before it can have written.
        drop(child.stdout.take());
        child.stdin.take().unwrap().write_all(GOOD.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options}: {said}");
        assert_eq!(said, "clc: error: cannot write to standard output: broken pipe\n", "{options}");
    }
    // Nobody reads the messages.
    folder.write("bad.cl", BAD);
    script(&folder, "{ $CLC bad.cl; echo $? > code; } 2>&1 | true; sleep 0.2; cat code")
        .is(0, "1\n");
}

#[test]
fn pipes_and_devices_are_written_and_stay() {
    let folder = Folder::new();
    folder.write("k.cl", large());
    script(&folder, "$CLC k.cl -o k.spv && mkfifo pipe").is(0, "");
    let path = folder.path("pipe");
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    });
    script(&folder, "$CLC k.cl -o pipe").is(0, "");
    assert_eq!(reader.join().unwrap(), folder.read("k.spv"));
    // A reader that leaves, with more to come than the pipe holds.
    script(&folder, "head -c 1 pipe > /dev/null & $CLC k.cl -o pipe")
        .is(2, "cannot write `pipe`: broken pipe");
    assert!(fs::metadata(folder.path("pipe")).unwrap().file_type().is_fifo());
    script(&folder, "$CLC k.cl -o /dev/null").is(0, "");
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    // Sources from pipes, too.
    script(&folder, "cat k.cl > pipe & $CLC pipe -o p.spv && cmp p.spv k.spv").is(0, "");
}

#[test]
fn what_never_ends_is_not_read_to_its_end() {
    let folder = Folder::new();
    folder.write("k.cl", format!("#include \"/dev/zero\"\n{GOOD}"));
    script(&folder, "$CLC k.cl").is(1, "/dev/zero: no regular file, and larger than 64 MiB");
    script(&folder, "$CLC /dev/zero -o k.spv").is(2, "cannot read `/dev/zero`: no regular file");
    script(&folder, "$CLC - -o k.spv < /dev/zero")
        .is(2, "cannot read standard input: no regular file");
    // Without a byte on the disk.
    File::create(folder.path("huge.h")).unwrap().set_len(5 << 30).unwrap();
    script(&folder, "$CLC huge.h").is(2, "cannot read `huge.h`: larger than 4 GiB");
    assert!(!folder.has("k.spv"));
}

#[test]
fn processes_that_write_the_same_file_leave_one_whole() {
    let folder = Folder::new();
    folder.write("k.cl", large());
    script(&folder, "$CLC k.cl -o wanted.spv").is(0, "");
    let wait = "for i in 1 2 3 4 5 6 7 8; do $CLC k.cl -o out/ & jobs=\"$jobs $!\"; done; \
                for job in $jobs; do wait $job || exit 1; done";
    script(&folder, wait).is(0, "");
    assert_eq!(folder.read("out/k.spv"), folder.read("wanted.spv"));
    assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 1);
}

#[test]
fn times_in_the_future_change_nothing() {
    let folder = begun();
    let later = SystemTime::now() + Duration::from_secs(100 * 365 * 24 * 60 * 60);
    for name in ["k.cl", "k.spv"] {
        File::options().append(true).open(folder.path(name)).unwrap().set_modified(later).unwrap();
    }
    script(&folder, "$CLC k.cl -MD").is(0, "");
    assert_eq!(folder.read("k.spv")[..4], MAGIC);
    assert!(fs::metadata(folder.path("k.spv")).unwrap().modified().unwrap() < later);
}

#[test]
fn locales_and_names_of_any_bytes_change_nothing() {
    let folder = Folder::new();
    let source = folder.root().join(OsStr::from_bytes(b"k\xff\xc3\xa4 \n.cl"));
    fs::write(&source, "kernel void k(global float *p) { *p = 1.5f; } // \u{e4}\u{131}\u{130}\n")
        .unwrap();
    folder.write("bad.cl", BAD);
    let mut all = Vec::new();
    for locale in ["C", "C.UTF-8", "tr_TR.UTF-8", "ja_JP.SJIS", "nonsense", ""] {
        let compile = |input: &OsStr| {
            let mut command = Command::new(CLC);
            command.arg(input).args(["-o", "-", "-S"]).current_dir(folder.root());
            for name in ["LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LANG", "LANGUAGE"] {
                command.env(name, locale);
            }
            command.output().unwrap()
        };
        let (good, bad) = (compile(source.as_os_str()), compile(OsStr::new("bad.cl")));
        assert_eq!((good.status.code(), bad.status.code()), (Some(0), Some(1)), "{locale}");
        all.push((good.stdout, good.stderr, bad.stderr));
    }
    assert!(all.iter().all(|said| *said == all[0]));
    assert!(String::from_utf8_lossy(&all[0].0).contains("1.5"));
}
