//! Text in, text out: `suite/<pass>/*.ir` holds a module, a line `;;; after`, and what the pass
//! makes of it. `BLESS=1` rewrites what comes after; read the difference before committing it.

use std::fs;
use std::path::{Path, PathBuf};

use clc_ir::Module;
use clc_passes::PASSES;

const MARKER: &str = ";;; after\n";

fn text(module: &Module) -> String {
    let mut out = String::new();
    clc_ir::print::module(module, &mut out);
    out
}

fn run(path: &Path, pass: &str, bless: bool) -> Result<(), String> {
    let content = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let (input, expected) = content.split_once(MARKER).unwrap_or((&content, ""));
    let mut module = clc_ir::parse::module(input).map_err(|error| error.to_string())?;
    clc_ir::verify::module(&module).map_err(|error| format!("before: {error}"))?;
    let pass = PASSES.iter().find(|known| known.name == pass).ok_or("no such pass")?;
    pass.run(&mut module);
    let found = text(&module);
    clc_ir::verify::module(&module).map_err(|error| format!("after: {error}\n{found}"))?;
    let again = clc_ir::parse::module(&found).map_err(|error| error.to_string())?;
    if text(&again) != found {
        return Err(format!("the text does not read back:\n{found}"));
    }
    if found == expected {
        return Ok(());
    }
    if bless {
        let input = input.trim_end();
        let content = format!("{input}\n\n{MARKER}{found}");
        return fs::write(path, content).map_err(|error| error.to_string());
    }
    Err(format!("expected:\n{expected}\nfound:\n{found}"))
}

#[test]
fn suite() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = Vec::new();
    let mut count = 0;
    for pass in PASSES {
        let Ok(entries) = fs::read_dir(root.join(pass.name)) else { continue };
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        paths.sort();
        for path in paths {
            count += 1;
            if let Err(message) = run(&path, pass.name, bless) {
                failures.push(format!("{}: {message}", path.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count >= 20, "only {count} cases were found");
}
