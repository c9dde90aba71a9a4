//! IR in, disassembly out: each `suite/NAME.ir` with the expected `suite/NAME.spvasm` beside it.
//!
//! A first line `; target: spirv 1.4, lines, arguments` changes the options. `BLESS=1` writes the
//! expectations anew.

mod common;

use clc_base::SourceMap;
use clc_ir::verify;
use clc_legalise::TargetOptions;
use clc_spirv::{disassemble, validate};
use common::compile;

fn options(text: &str) -> Result<TargetOptions, String> {
    let mut options = TargetOptions::default();
    let first = text.lines().next().unwrap_or_default();
    for option in first.strip_prefix("; target: ").unwrap_or_default().split(", ") {
        match option {
            "" => {}
            "arguments" => options.kernel_arg_info = true,
            "no names" => options.names = false,
            "float controls" => options.extensions.add("+SPV_KHR_float_controls")?,
            _ => match option.strip_prefix("spirv 1.").map(str::parse) {
                Some(Ok(minor)) => options.spirv_version = (1, minor),
                _ => return Err(format!("unknown option {option}")),
            },
        }
    }
    Ok(options)
}

fn disassembly(text: &str) -> Result<String, String> {
    let options = options(text)?;
    let module = || clc_ir::parse::module(text).map_err(|error| error.to_string());
    let compiled = |mut module| {
        compile(&mut module, &SourceMap::new(), &options).map_err(|errors| format!("{errors:#?}"))
    };
    let first = module()?;
    verify::module(&first).map_err(|error| error.to_string())?;
    let words = compiled(first)?;
    let found = disassemble(&words);
    validate(&words, &options).map_err(|error| format!("{error}\n{found}"))?;
    match compiled(module()?)? == words {
        true => Ok(found),
        false => Err("the same input gives other words".to_owned()),
    }
}

#[test]
fn suite() {
    clc_golden::beside("tests/suite", "ir", "spvasm", |_, text| disassembly(text));
}
