//! The command line: options, outputs and exit codes.

mod common;

use common::{BAD, Folder, GOOD};

const MAGIC: [u8; 4] = 0x0723_0203u32.to_le_bytes();

#[test]
fn a_kernel_becomes_a_module() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    let ran = folder.clc("k.cl -o out.spv");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(folder.read("out.spv")[..4], MAGIC);
    // Without -o, the module is named after the source.
    assert_eq!(folder.clc("k.cl").code, Some(0));
    assert_eq!(folder.read("k.spv"), folder.read("out.spv"));
}

#[test]
fn standard_input_and_output_are_dashes() {
    let folder = Folder::new();
    let ran = folder.clc_with_input("- -o -", GOOD.as_bytes());
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.stdout[..4], MAGIC);
    let ran = folder.clc_with_input("- -o - --message-format=short", BAD.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.is_empty());
    assert!(ran.stderr.starts_with("<stdin>:1:39: error[E"), "{}", ran.stderr);
}

#[test]
fn errors_leave_the_old_output() {
    let folder = Folder::new();
    folder.write("k.cl", BAD);
    folder.write("k.spv", "old");
    assert_eq!(folder.clc("k.cl").code, Some(1));
    assert_eq!(folder.read("k.spv"), b"old");
    let left: Vec<_> = std::fs::read_dir(folder.root()).unwrap().collect();
    assert_eq!(left.len(), 2, "a temporary file was left");
}

#[test]
fn inputs_and_outputs_that_cannot_be_used_are_usage_errors() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    folder.write("folder/file", "");
    for (line, words) in [
        ("absent.cl", "absent.cl"),
        ("folder", "directory"),
        ("k.cl -o absent/k.spv", "absent/k.spv"),
        ("k.cl -o k.cl/k.spv", "k.cl/k.spv"),
        ("k.cl -o /dev/full", "no space left"),
        ("", "no input"),
        ("k.cl --emit=nonsense", "nonsense"),
        ("k.cl -cl-std=CL9.9", "CL9.9"),
        ("k.cl -cl-mad-enabel", "did you mean `-cl-mad-enable`?"),
        ("k.cl --target-env=metal", "opencl3.0"),
        ("k.cl --spirv-version=7", "1.0 to 1.6"),
        ("-c k.cl --target-env=vulkan1.3 --emit=reflection", "when it is linked"),
        ("k.cl --target-env=vulkan1.3 -E --reflection k.json", "none is made"),
        ("k.cl j.cl --target-env=vulkan1.3 --reflection k.json", "several inputs"),
        ("k.cl --emit=c-header --variable-name=1x", "a name of C"),
        ("k.cl --variable-name=x", "--emit=c-header"),
        ("k.cl --emit=c-header -c --target-env=vulkan1.3", "an object is no module"),
        ("k.cl j.cl --emit=c-header", "only modules"),
        ("k.cl -S --emit=c-header", "only one"),
        ("k.cl -O9", "-O9"),
        ("k.cl --print-after=nothing", "mem2reg"),
        ("k.cl -E -S", "only one"),
        ("k.cl k.cl -o -", "folder"),
        ("--explain E9999", "E9999"),
    ] {
        let ran = folder.clc(line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        assert!(
            ran.stderr.to_lowercase().contains(&words.to_lowercase()),
            "{line}: {}",
            ran.stderr
        );
        assert!(ran.stdout.is_empty(), "{line}");
    }
}

#[test]
fn headers_have_the_words_of_the_module() {
    let folder = Folder::new();
    folder.write("k-1.cl", GOOD);
    assert_eq!(folder.clc("k-1.cl -o k.spv").code, Some(0));
    assert_eq!(folder.clc("k-1.cl --emit=c-header -o k.h -MD").code, Some(0));
    let module: Vec<u32> = folder
        .read("k.spv")
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let header = String::from_utf8(folder.read("k.h")).unwrap();
    let words: Vec<u32> = header
        .split([' ', '\n'])
        .filter_map(|word| word.strip_prefix("0x")?.strip_suffix(','))
        .map(|word| u32::from_str_radix(word, 16).unwrap())
        .collect();
    assert_eq!(words, module);
    assert!(header.contains(&format!("uint32_t k_1[{}] = {{", words.len())), "{header}");
    let rule = String::from_utf8(folder.read("k.d")).unwrap();
    assert!(rule.starts_with("k.h: ") && rule.contains("k-1.cl"), "{rule}");

    let ran = folder.clc("k-1.cl --emit=c-header --variable-name=words");
    assert_eq!(ran.code, Some(0));
    assert!(String::from_utf8(ran.stdout).unwrap().contains("uint32_t words["));
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_modes_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    folder.write("real.spv", "old");
    symlink("real.spv", folder.path("link.spv")).unwrap();
    let mode = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(folder.path("real.spv"), mode).unwrap();
    assert_eq!(folder.clc("k.cl -o link.spv").code, Some(0));
    assert!(folder.path("link.spv").is_symlink());
    assert_eq!(folder.read("real.spv")[..4], MAGIC);
    let mode = std::fs::metadata(folder.path("real.spv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn several_inputs_go_to_a_folder() {
    let folder = Folder::new();
    folder.write("a.cl", GOOD);
    folder.write("b.cl", GOOD);
    folder.write("bad.cl", BAD);
    folder.write("other/a.cl", GOOD);
    std::fs::create_dir(folder.path("out")).unwrap();
    assert_eq!(folder.clc("a.cl b.cl -o out").code, Some(0));
    assert!(folder.has("out/a.spv") && folder.has("out/b.spv"));
    let ran = folder.clc("bad.cl a.cl -o out");
    assert_eq!(ran.code, Some(1), "one bad source does not stop the others");
    assert!(!folder.has("out/bad.spv"));
    assert_eq!(folder.clc("a.cl other/a.cl -o out").code, Some(2), "two outputs of one name");
}

#[test]
fn a_batch_is_what_its_compilations_are_one_by_one() {
    let folder = Folder::new();
    folder.write("inc/shared.h", "#ifndef SHIFT\n#define SHIFT 3\n#endif\n#include \"more.h\"\n");
    folder.write("inc/more.h", "#warning from more.h\n");
    let mut names = Vec::new();
    for i in 0..30 {
        let name = format!("k{i}.cl");
        // Every seventh is wrong, and every fifth has a header of its own instead of the shared one.
        let value = if i % 7 == 3 { "wrong" } else { "*p << SHIFT" };
        if i % 5 == 1 {
            folder.write(&format!("own{i}/shared.h"), format!("#define SHIFT {i}\n"));
        }
        let include = if i % 5 == 1 { format!("own{i}/shared.h") } else { "shared.h".to_owned() };
        let text = format!(
            "#include \"{include}\"\nkernel void k{i}(global int *p) {{ p[{i}] = {value}; }}\n"
        );
        folder.write(&name, text);
        names.push(name);
    }
    let options = "-I inc -MD --message-format=short";
    let mut messages = String::new();
    for name in &names {
        let ran = folder.clc(&format!("{name} {options} -o one/"));
        messages.push_str(&ran.stderr);
    }
    assert!(messages.matches(": warning").count() > 20 && messages.matches(": error").count() == 4);
    for jobs in ["", "-j1", "-j 2", "--jobs=64"] {
        let _ = std::fs::remove_dir_all(folder.path("all"));
        let ran = folder.clc(&format!("{} {options} {jobs} -o all/", names.join(" ")));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), messages.as_str()), "{jobs}");
        let files = |of: &str| {
            let names = std::fs::read_dir(folder.path(of)).unwrap();
            let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(files("all"), files("one"), "{jobs}");
        for name in files("all") {
            let name = name.to_string_lossy();
            let (all, one) =
                (folder.read(&format!("all/{name}")), folder.read(&format!("one/{name}")));
            // Dependency files name what they are for.
            let one = match name.ends_with(".d") {
                true => String::from_utf8(one).unwrap().replace("one/", "all/").into_bytes(),
                false => one,
            };
            assert_eq!(all, one, "{jobs} {name}");
        }
    }
}

#[test]
fn a_batch_that_cannot_be_written_or_read_says_so_of_each_file() {
    let folder = Folder::new();
    folder.write("a.cl", GOOD);
    folder.write("b.cl", GOOD);
    folder.write("c.cl", GOOD);
    std::fs::create_dir_all(folder.path("out/b.spv")).unwrap();
    let ran = folder.clc("a.cl b.cl absent.cl c.cl -o out");
    assert_eq!(ran.code, Some(2));
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.stderr);
    assert!(lines[0].contains("cannot write `out/b.spv`: is a directory"), "{}", lines[0]);
    assert!(lines[1].contains("absent.cl"), "{}", lines[1]);
    assert!(folder.has("out/a.spv") && folder.has("out/c.spv"), "the others are written");
    let ran = folder.clc("a.cl b.cl -o a.cl/out/");
    assert_eq!((ran.code, ran.stderr.lines().count()), (Some(2), 2), "{}", ran.stderr);
    let ran = folder.clc("a.cl b.cl -j 0 -o out");
    assert_eq!((ran.code, ran.stderr.contains("-j 0")), (Some(2), true), "{}", ran.stderr);
    assert_eq!(folder.clc("a.cl b.cl -j many -o out").code, Some(2));
}

#[test]
fn macros_and_includes_come_from_the_command_line() {
    let folder = Folder::new();
    folder.write(
        "k.cl",
        "#include <v.h>\n#if A == 3 && !defined B && V == 7 && F\n#else\n#error wrong\n#endif\n",
    );
    folder.write("inc/v.h", "#define V 7\n");
    folder.write("force.h", "#define F 1\n");
    let ran = folder.clc("-fsyntax-only -DA=3 -D B -UB -I inc -include force.h -cl-std=CL2.0 k.cl");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    // The last of -D and -U counts.
    assert_eq!(
        folder.clc("-fsyntax-only -DA=3 -U B -DB -Iinc -include force.h -cl-std=CL2.0 k.cl").code,
        Some(1)
    );
}

#[test]
fn dependencies_are_rules_for_make() {
    let folder = Folder::new();
    folder.write("k.cl", format!("#include \"a.h\"\n{GOOD}"));
    folder.write("a.h", "#include \"sub/b.h\"\n");
    folder.write("sub/b.h", "");
    assert_eq!(folder.clc("-M k.cl").text(), "k.spv: \\\n  k.cl \\\n  a.h \\\n  sub/b.h\n");
    assert_eq!(folder.clc("k.cl -o out.spv -MD -MF rule.d -MT target -MP").code, Some(0));
    let rule = String::from_utf8(folder.read("rule.d")).unwrap();
    assert_eq!(rule, "target: \\\n  k.cl \\\n  a.h \\\n  sub/b.h\n\na.h:\n\nsub/b.h:\n");
}

#[test]
fn a_device_profile_is_a_dependency_of_what_it_was_read_for() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    folder.write("device.json", include_str!("../../../conformance/device-profiles/lavapipe.json"));
    let rule = "k.spv: \\\n  k.cl \\\n  device.json\n";
    let options = "--device-profile=device.json k.cl";
    assert_eq!(folder.clc(&format!("-M --target-env=vulkan1.3 {options}")).text(), rule);
    let both = format!("--target-env=opencl3.0,vulkan1.3 {options} -MD");
    assert_eq!(folder.clc(&both).code, Some(0));
    let rule_of = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    assert!(rule_of("k.vulkan1.3.d").contains("device.json"));
    assert!(!rule_of("k.opencl3.0.d").contains("device.json"));
}

#[test]
fn halves_are_stored_by_the_instruction_of_a_device_that_rounds_right() {
    let folder = Folder::new();
    folder.write("device.json", include_str!("../../../conformance/device-profiles/lavapipe.json"));
    let converts = |store: &str, options: &str| {
        let kernel = "kernel void k(global half *p, local half *l, float4 v, double d) {";
        folder.write(
            "k.cl",
            format!("{kernel} {store}; vstore_half_rtz(vload_half(1, l), 9, p); }}"),
        );
        let ran = folder.clc(&format!("-S --target-env=vulkan1.3 {options} k.cl -o -"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let text = ran.text();
        let count = text.matches(" = OpFConvert ").count();
        assert_eq!(text.matches(" FPRoundingMode RTE").count(), count, "{text}");
        count
    };
    let profile = "--device-profile=device.json";
    for store in
        ["vstore_half(v.x, 0, p)", "vstore_half4(v, 0, p)", "vstorea_half3_rte(v.xyz, 0, p)"]
    {
        assert_eq!(converts(store, profile), 1, "{store}");
        assert_eq!(converts(store, ""), 0, "{store}");
    }
    // Local memory has no rounding mode, and no other mode and no double was measured.
    for store in ["vstore_half(v.x, 0, l)", "vstore_half_rtz(v.x, 0, p)", "vstore_half(d, 0, p)"] {
        assert_eq!(converts(store, profile), 0, "{store}");
    }
}

#[test]
fn every_stage_can_be_looked_at() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    for (kind, text) in [
        ("tokens", "keyword kernel"),
        ("pp", "kernel void k(global int *p)"),
        ("ast", "p"),
        ("hir", "kernel k"),
        ("ir", "function"),
        ("asm", "OpEntryPoint Kernel"),
        ("deps", "k.cl"),
    ] {
        let ran = folder.clc(&format!("k.cl --emit={kind}"));
        assert_eq!(ran.code, Some(0), "{kind}: {}", ran.stderr);
        assert!(ran.text().contains(text), "{kind}: {}", ran.text());
    }
    let ran = folder.clc("k.cl --print-after=mem2reg -o -");
    assert!(ran.stderr.contains("; after mem2reg"), "{}", ran.stderr);
    let ran = folder.clc("k.cl --time-passes -o -");
    assert!(ran.stderr.contains("ms  preprocess"), "{}", ran.stderr);
}

#[test]
fn preprocessed_text_compiles_to_the_same_module() {
    let folder = Folder::new();
    folder.write(
        "k.cl",
        "#define ID get_global_id(0)\nkernel void k(global int *p)\n{\n  p[ID] = __LINE__;\n}\n",
    );
    assert_eq!(folder.clc("-E k.cl -o k.i").code, Some(0));
    std::fs::rename(folder.path("k.i"), folder.path("k.i.cl")).unwrap();
    assert_eq!(folder.clc("k.cl -o one.spv").code, Some(0));
    assert_eq!(folder.clc("k.i.cl -o two.spv").code, Some(0));
    assert_eq!(folder.read("one.spv"), folder.read("two.spv"));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = Folder::new();
    let mut source = String::from("constant char built[] = __DATE__ __TIME__;\n");
    for i in 0..50 {
        source.push_str(&format!(
            "float f{i}(float a) {{ return sin(a) * {i}; }}\nkernel void k{i}(global float *p) {{ *p = f{i}(*p) + built[{}]; }}\n",
            i % 5
        ));
    }
    folder.write("k.cl", &source);
    assert_eq!(folder.clc("k.cl -g -o one.spv").code, Some(0));
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_eq!(folder.clc("k.cl -g -o two.spv").code, Some(0));
    assert_eq!(folder.read("one.spv"), folder.read("two.spv"));
}

#[test]
fn warnings_are_switched_by_name() {
    let folder = Folder::new();
    folder.write("k.cl", format!("#warning look\n{GOOD}"));
    let short = |options: &str| {
        let ran = folder.clc(&format!("k.cl -o - --message-format=short {options}"));
        (ran.code, ran.stderr.lines().count())
    };
    assert_eq!(short(""), (Some(0), 1));
    assert_eq!(short("-w"), (Some(0), 0));
    assert_eq!(short("-Werror"), (Some(1), 1));
    let name = clc::codes::all()
        .find(|code| folder.clc("k.cl -o -").stderr.contains(code.id))
        .map(|code| code.name)
        .unwrap();
    assert_eq!(short(&format!("-Wno-{name}")), (Some(0), 0));
    assert_eq!(short(&format!("-Werror={name}")), (Some(1), 1));
    assert_eq!(short(&format!("-Werror -Wno-error={name}")), (Some(0), 1));
}

#[test]
fn messages_come_in_three_formats() {
    let folder = Folder::new();
    folder.write("k.cl", BAD);
    let human = folder.clc("k.cl --color=never").stderr;
    assert!(human.contains("error[E") && human.contains("k.cl:1:39"), "{human}");
    assert!(!human.contains('\x1b'));
    assert!(folder.clc("k.cl --color=always").stderr.contains('\x1b'));
    let json = folder.clc("k.cl --message-format=json").stderr;
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["severity"], "error");
    assert_eq!(object["spans"][0]["line"], 1);
    assert_eq!(object["spans"][0]["column"], 39);
}

#[test]
fn every_code_is_explained() {
    let folder = Folder::new();
    for code in clc::codes::all().take(3) {
        let ran = folder.clc(&format!("--explain {}", code.id.to_lowercase()));
        assert_eq!(ran.code, Some(0));
        assert!(ran.text().starts_with(&format!("{} ({})", code.id, code.name)));
    }
    assert_eq!(folder.clc("--version").text().split(' ').next(), Some("clc"));
    assert!(folder.clc("--help").text().contains("Exit codes"));
}

#[test]
fn headers_wrap_others_and_are_imported_once() {
    let folder = Folder::new();
    folder.write("first/v.h", "#include_next <v.h>\n#define FIRST (1 + SECOND)\n");
    folder.write("second/v.h", "#include_next \"v.h\"\n#define SECOND (10 + THIRD)\n");
    folder.write("third/v.h", "#define THIRD 100\n");
    folder.write(
        "k.cl",
        "#include <v.h>\n#import \"once.h\"\n#import \"once.h\"\n#include \"once.h\"\n\
         #if FIRST != 111\n#error wrong\n#endif\nkernel void k(global struct S *p) { p->x = 1; }\n",
    );
    folder.write("once.h", "struct S { int x; };\n");
    let ran = folder.clc("-fsyntax-only -I first -I second -isystem third k.cl");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    // There is nothing behind the last folder.
    let ran = folder.clc("-fsyntax-only -I first -I second k.cl");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("second/v.h:1"), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot find the file `v.h`"), "{}", ran.stderr);
    // In the file that is compiled it is an `#include`.
    folder.write("k.cl", "#include_next <v.h>\n#if THIRD != 100\n#error wrong\n#endif\n");
    let ran = folder.clc("-fsyntax-only -isystem third k.cl");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

/// The program beside `clc` gets the arguments and the streams; without one there is a hint.
#[cfg(unix)]
#[test]
fn the_language_server_is_the_program_beside_the_command() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::new();
    std::fs::copy(env!("CARGO_BIN_EXE_clc"), folder.path("clc")).unwrap();
    let start = || {
        let mut command = std::process::Command::new(folder.path("clc"));
        command.args(["lsp", "--stdio"]).env("PATH", "").output().unwrap()
    };
    let missing = start();
    assert_eq!(missing.status.code(), Some(2));
    let said = String::from_utf8(missing.stderr).unwrap();
    assert!(said.contains("cargo install clc-lsp"), "{said}");

    let server = folder.path("clc-lsp");
    std::fs::write(&server, "#!/bin/sh\necho served \"$@\"\nexit 3\n").unwrap();
    std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o755)).unwrap();
    let served = start();
    assert_eq!(served.status.code(), Some(3));
    assert_eq!(served.stdout, b"served --stdio\n");
}

#[test]
fn a_missing_include_says_where_it_looked() {
    let folder = Folder::new();
    folder.write("src/k.cl", "#include \"sub/v.h\"\n");
    let said = folder.clc("-fsyntax-only -I inc -isystem sys/ src/k.cl").stderr;
    assert!(said.contains("looked in `src`, `inc`, `sys`; `-I FOLDER` adds"), "{said}");
    folder.write("k.cl", "#include \"v.h\"\n");
    let said = folder.clc("-fsyntax-only k.cl").stderr;
    assert!(said.contains("looked in `.`; `-I FOLDER`"), "{said}");
    folder.write("k.cl", "#include <v.h>\n");
    let said = folder.clc("-fsyntax-only k.cl").stderr;
    assert!(said.contains("no folder is searched for it; `-I FOLDER` names one"), "{said}");
    let folders: String = (0..12).map(|n| format!(" -Id{n}")).collect();
    let said = folder.clc(&format!("-fsyntax-only k.cl{folders}")).stderr;
    assert!(said.contains("`d9` and 2 more; "), "{said}");
    folder.write("k.cl", "#include \"/absent/v.h\"\n");
    let said = folder.clc("-fsyntax-only k.cl").stderr;
    assert!(said.contains("/absent/v.h") && !said.contains("-I FOLDER"), "{said}");
}
