//! A test of the chore and of `conformance/build-cts.sh`, as docs/conformance.md has them, with stand-ins for what
//! they start: `stand_ins/`.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::setup;
use crate::shell::{self, root, target};

const PROGRAMS: &[(&str, &str)] = &[
    ("clc", include_str!("stand_ins/clc")),
    ("cmake", include_str!("stand_ins/cmake")),
    ("git", include_str!("stand_ins/git")),
    ("ninja", include_str!("stand_ins/ninja")),
    ("test_basic", include_str!("stand_ins/test_basic")),
];

#[test]
fn the_suite_is_built_and_run() {
    let folder = std::path::absolute(target().join("cts-stand-ins")).unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    let bin = folder.join("bin");
    for (name, text) in PROGRAMS {
        shell::write(&bin.join(name), text).unwrap();
        std::fs::set_permissions(bin.join(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
    build(&bin, &folder);
    // What is there is not downloaded again.
    std::fs::remove_file(bin.join("git")).unwrap();
    build(&bin, &folder);

    let [cts, clvk, clc] =
        ["khronos/OpenCL-CTS/build", "khronos/clvk/build", "bin/clc"].map(|path| folder.join(path));
    let [cts, clvk, clc] = [&cts, &clvk, &clc].map(|path| path.to_str().unwrap());
    let run = |way: &[&str], rest: &[&str]| {
        let common = ["--cts", cts, "--suite", "basic", "--clc", clc, "--as", "stand-in"];
        super::run(&[&common[..], way, rest].concat())
    };
    let vulkan = ["--clvk", clvk, "--system"];
    assert_eq!(run(&vulkan, &["--subtest", "passes"]), Ok(()));
    let said = run(&vulkan, &["--jobs", "2"]).unwrap_err();
    assert!(said.contains("basic fails: fail, expected: pass"), "{said}");
    assert!(said.contains("basic crashes: crash, expected: pass"), "{said}");
    assert!(!said.contains("passes"), "{said}");
    // A run that goes on does not run again what has a result, unless that is of another compiler.
    let marker = target().join("cts/stand-in/basic/passes/marker");
    let resumed = || {
        shell::write(&marker, "").unwrap();
        assert_eq!(run(&vulkan, &["--subtest", "passes", "--resume"]), Ok(()));
        marker.exists()
    };
    assert!(resumed());
    shell::write(Path::new(clc), &shell::read(Path::new(clc)).unwrap()).unwrap();
    assert!(!resumed());
    // Elsewhere the drivers would be downloaded for this.
    if setup::has_drivers() {
        assert_eq!(run(&vulkan[..2], &["--subtest", "passes"]), Ok(()));
        assert_eq!(run(&[], &["--subtest", "passes"]), Ok(()));
        let said = run(&[], &["--subtest", "fails"]).unwrap_err();
        assert!(said.contains("pass; with the driver's own compiler: fail;"), "{said}");
    }
}

fn build(bin: &Path, folder: &Path) {
    let path = std::env::var("PATH").unwrap();
    let mut script = Command::new("sh");
    script.arg(root().join("conformance/build-cts.sh")).arg(folder.join("khronos"));
    shell::output(script.env("PATH", format!("{}:{path}", bin.display()))).unwrap();
}
