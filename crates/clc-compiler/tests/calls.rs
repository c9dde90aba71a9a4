//! Response files, several targets in one call, and `--watch`.

mod common;

use common::{BAD, Folder, GOOD};

const MAGIC: [u8; 4] = 0x0723_0203u32.to_le_bytes();

#[test]
fn response_files_stand_for_their_arguments() {
    let folder = Folder::new();
    folder.write(
        "my kernels/k.cl",
        "#if A == 3 && B == 4\nkernel void k() {}\n#else\n#error x\n#endif\n",
    );
    folder.write("options", "-D A=3 @more\n'my kernels/k.cl'");
    folder.write("more", "\"-DB=4\"\n-o out\\ 1.spv\n");
    let ran = folder.clc("@options");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(folder.read("out 1.spv")[..4], MAGIC);

    // For every command, and for its name too.
    folder.write("inspect", "'out 1.spv' -S");
    assert!(folder.clc("inspect @inspect").text().contains("OpEntryPoint Kernel"));
    folder.write("whole", "inspect @inspect");
    assert!(folder.clc("@whole").text().contains("OpEntryPoint Kernel"));
    folder.write("a.cl", "int f() { return 1; }\n");
    folder.write("b.cl", "int f();\nkernel void k(global int *p) { *p = f(); }\n");
    folder.write("parts", "a.spv b.spv -o ab.spv");
    assert_eq!(folder.clc("-c a.cl").code, Some(0));
    assert_eq!(folder.clc("-c b.cl").code, Some(0));
    assert_eq!(folder.clc("link @parts").code, Some(0));
    assert_eq!(folder.read("ab.spv")[..4], MAGIC);
    folder.write("clspv", "-arch=spir64 b.cl a.cl -o no.spv");
    assert_eq!(folder.clc("clspv @clspv --output-format=ll").code, Some(2));
}

#[test]
fn response_files_that_cannot_be_used_are_named() {
    let folder = Folder::new();
    folder.write("self", "@self");
    folder.write("open", "-D 'X=1");
    folder.write("outer", "@absent");
    folder.write("a", "@b");
    folder.write("b", "@a");
    for n in 0..20 {
        folder.write(&format!("deep{n}"), format!("@deep{}", n + 1));
        folder.write(&format!("wide{n}"), format!("@wide{0} @wide{0}", n + 1));
    }
    for n in 0..12 {
        folder.write(&format!("bomb{n}"), format!("@bomb{0} @bomb{0}", n + 1));
    }
    folder.write("bomb12", "x");
    for (line, words) in [
        ("@absent", "cannot read the response file `absent`: no such file or directory"),
        ("@absent", "`./@absent`"),
        ("@outer", "`absent` (named in `outer`)"),
        ("link @absent", "`absent`"),
        ("inspect @absent", "`absent`"),
        ("@self", "names itself"),
        ("@a", "`a` (named in `b`) names itself"),
        ("@open", "`open`: a ' is never closed"),
        ("@deep0", "more than 16 files deep"),
        ("@wide0", "more than 16 files deep"),
        ("@bomb0", "more than 1000 response files"),
        ("@.", "is a directory"),
    ] {
        let ran = folder.clc(line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
    }
    // What is no file for sure is none.
    folder.write("@", GOOD);
    assert_eq!(folder.clc("-fsyntax-only @").code, Some(0));
}

#[cfg(unix)]
#[test]
fn names_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt as _;

    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"k\xff.v1.cl");
    std::fs::write(folder.root().join(name), GOOD).unwrap();
    folder.write("response", b"k\xff.v1.cl -o out/");
    let ran = folder.clc("@response");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let made = folder.root().join("out").join(std::ffi::OsStr::from_bytes(b"k\xff.v1.spv"));
    assert_eq!(std::fs::read(made).unwrap()[..4], MAGIC);
}

/// The names in a folder.
fn names(folder: &Folder, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path(name)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn several_targets_have_outputs_of_their_own() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    folder.write("j.cl", GOOD);
    let both = "--target-env=opencl3.0,vulkan1.3";
    let ran = folder.clc(&format!("k.cl {both} -o out/ --reflection out/ -MD"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let of_k = ["d", "json", "spv"];
    let of_k: Vec<String> = ["k.opencl3.0", "k.vulkan1.3"]
        .iter()
        .flat_map(|stem| of_k.map(|extension| format!("{stem}.{extension}")))
        .collect();
    assert_eq!(names(&folder, "out"), of_k);
    let rule = String::from_utf8(folder.read("out/k.vulkan1.3.d")).unwrap();
    assert!(rule.starts_with("out/k.vulkan1.3.spv:"), "{rule}");
    for target in ["opencl3.0", "vulkan1.3"] {
        assert_eq!(folder.clc(&format!("k.cl --target-env={target} -o one.spv")).code, Some(0));
        assert_eq!(folder.read("one.spv"), folder.read(&format!("out/k.{target}.spv")), "{target}");
    }
    // Options for Vulkan are for Vulkan; without -o the folder is the working one.
    let line = format!("k.cl j.cl {both} --max-push-constant-size=256");
    assert_eq!(folder.clc(&line).code, Some(0));
    for name in ["k", "j"] {
        assert!(folder.has(&format!("{name}.opencl3.0.spv")));
        assert!(folder.has(&format!("{name}.vulkan1.3.spv")));
    }
    // One target is no list.
    assert_eq!(folder.clc("k.cl --target-env=vulkan1.3").code, Some(0));
    assert!(folder.has("k.spv"));
}

#[test]
fn messages_for_several_targets_are_shown_once() {
    let folder = Folder::new();
    let both = "--target-env=opencl3.0,vulkan1.3 --message-format=short -fsyntax-only";
    folder.write("k.cl", BAD);
    let ran = folder.clc(&format!("{both} k.cl"));
    assert_eq!((ran.code, ran.stderr.lines().count()), (Some(1), 1), "{}", ran.stderr);
    // What only one of them says is said with its name.
    folder.write(
        "k.cl",
        "#ifdef __opencl_c_device_enqueue\n#warning enqueue\n#endif\n#warning all\n",
    );
    let one = |target: &str| {
        let line = format!(
            "-fsyntax-only --message-format=short -cl-std=CL3.0 --target-env={target} k.cl"
        );
        folder.clc(&line).stderr
    };
    let (opencl, vulkan) = (one("opencl3.0"), one("vulkan1.3"));
    assert_ne!(opencl, vulkan);
    let ran = folder.clc(&format!("{both} -cl-std=CL3.0 k.cl"));
    let expected = format!("clc: for opencl3.0:\n{opencl}clc: for vulkan1.3:\n{vulkan}");
    assert_eq!((ran.code, ran.stderr), (Some(0), expected));
}

#[test]
fn several_targets_that_cannot_be_are_usage_errors() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    folder.write("sub/k.cl", GOOD);
    let both = "--target-env=opencl3.0,vulkan1.3";
    for (line, words) in [
        (format!("k.cl {both} -o k.spv"), "several targets need a folder"),
        (format!("k.cl {both} -o -"), "several targets need a folder"),
        (format!("k.cl {both} -S"), "only modules can be made of several targets"),
        (format!("k.cl {both} --reflection k.json"), "FOLDER/"),
        (format!("k.cl {both} -MD -MF k.d"), "several targets"),
        (format!("- {both}"), "standard input is read once"),
        (format!("k.cl sub/k.cl {both} -o out/"), "would both be written to `out/k.opencl3.0.spv`"),
        ("k.cl --target-env=opencl3.0,opencl3.0".to_owned(), "`opencl3.0` is given twice"),
        ("k.cl --target-env=opencl3.0,metal".to_owned(), "`--target-env=metal`"),
        ("k.cl --target-env=opencl3.0,".to_owned(), "the known ones"),
        ("k.cl --target-env=opencl3.0,opencl2.0 --fused-fma".to_owned(), "is for Vulkan"),
        (format!("link a.spv {both} -o b.spv"), "one target only"),
        (format!("inspect --validate k.spv {both}"), "one target only"),
    ] {
        let ran = folder.clc(&line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
    }
    assert!(!folder.has("out"), "a folder was made for nothing");
}
