//! IR in, disassembly out: each `suite/NAME.ir` with the expected `suite/NAME.spvasm` beside it.
//!
//! A first line `; target: spirv 1.4, lines, arguments` changes the options. `BLESS=1` writes the
//! expectations anew.

mod common;

use std::path::Path;

use clc_base::SourceMap;
use clc_ir::verify;
use clc_legalise::TargetOptions;
use clc_spirv::{disassemble, validate};
use common::compile;

fn options(text: &str) -> TargetOptions {
    let mut options = TargetOptions::default();
    let first = text.lines().next().unwrap_or_default();
    for option in first.strip_prefix("; target: ").unwrap_or_default().split(", ") {
        match option {
            "" => {}
            "arguments" => options.kernel_arg_info = true,
            "no names" => options.names = false,
            "float controls" => options.extensions.add("+SPV_KHR_float_controls").unwrap(),
            _ => match option.strip_prefix("spirv 1.").map(str::parse) {
                Some(Ok(minor)) => options.spirv_version = (1, minor),
                _ => panic!("unknown option {option}"),
            },
        }
    }
    options
}

#[test]
fn suite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let mut inputs: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ir"))
        .collect();
    inputs.sort();
    assert!(!inputs.is_empty());
    let mut failures = Vec::new();
    for path in inputs {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let options = options(&text);
        let mut module = clc_ir::parse::module(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        verify::module(&module).unwrap_or_else(|e| panic!("{name}: {e}"));
        let words = compile(&mut module, &SourceMap::new(), &options)
            .unwrap_or_else(|errors| panic!("{name}: {errors:#?}"));
        let found = disassemble(&words);
        if let Err(error) = validate(&words, &options) {
            panic!("{name}: {error}\n{found}");
        }
        // The same input gives the same words.
        let mut again = clc_ir::parse::module(&text).unwrap();
        assert_eq!(compile(&mut again, &SourceMap::new(), &options).unwrap(), words, "{name}");

        let expected = path.with_extension("spvasm");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected, found).unwrap();
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != found {
            failures.push(format!("{name}: found\n{found}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
