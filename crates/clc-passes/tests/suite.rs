//! Text in, text out: `suite/<pass>/*.ir` holds a module, a line `;;; after`, and what the pass
//! makes of it. `BLESS=1` rewrites what comes after; read the difference before committing it.

use clc_ir::Module;
use clc_passes::PASSES;

fn text(module: &Module) -> String {
    let mut out = String::new();
    clc_ir::print::module(module, &mut out);
    out
}

fn run(input: &str, pass: impl Fn(&mut Module)) -> Result<String, String> {
    let mut module = clc_ir::parse::module(input).map_err(|error| error.to_string())?;
    clc_ir::verify::module(&module).map_err(|error| format!("before: {error}"))?;
    pass(&mut module);
    let found = text(&module);
    clc_ir::verify::module(&module).map_err(|error| format!("after: {error}\n{found}"))?;
    let again = clc_ir::parse::module(&found).map_err(|error| error.to_string())?;
    match text(&again) == found {
        true => Ok(found),
        false => Err(format!("the text does not read back:\n{found}")),
    }
}

#[test]
fn suite() {
    let mut folders: Vec<_> = std::fs::read_dir("tests/suite")
        .expect("the folder of the suite")
        .map(|entry| entry.expect("an entry that can be read").path())
        .collect();
    folders.sort();
    assert!(folders.len() >= 10, "only {} passes have cases", folders.len());
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let pass = PASSES.iter().find(|pass| pass.name == name);
        let pass = pass.unwrap_or_else(|| panic!("no pass is called {name}"));
        clc_golden::after(&folder, "ir", |input| run(input, |module| pass.run(module)));
    }
}
