//! Modules of benchmarks.

use std::path::Path;
use std::process::Command;

use clc::{Compilation, Options};

use crate::suite::Benchmark;

/// By `clc -O`. The compilation has words.
pub fn by_clc(benchmark: &Benchmark, options: Options) -> Result<Compilation, String> {
    let mut compiler = clc::Compiler::new().with_options(options);
    let compiled = clc::guard::run(|| compiler.compile(&benchmark.name, &*benchmark.source))
        .map_err(|error| format!("clc: {}", error.message))?;
    if compiled.words().is_some() {
        return Ok(compiled);
    }
    let style = clc::render::Style { format: clc::render::MessageFormat::Short, color: false };
    let said = clc::render::render_all(&compiled.diagnostics, &compiled.sources, style);
    let broken = compiled.internal_error.as_ref().map(|error| error.message.clone());
    Err(format!("clc: {}{said}", broken.unwrap_or_default()))
}

/// By `clang -O2`; files are left in `folder`.
pub fn by_clang(benchmark: &Benchmark, clang: &str, folder: &Path) -> Result<Vec<u8>, String> {
    let source = folder.join(format!("{}.cl", benchmark.name));
    let module = source.with_extension("clang.spv");
    std::fs::write(&source, &*benchmark.source)
        .map_err(|error| format!("{}: {error}", source.display()))?;
    let output = Command::new(clang)
        .args(["--target=spirv64v1.4", "-cl-std=CL1.2", "-O2", "-w", "-c", "-x", "cl"])
        .arg(&source)
        .arg("-o")
        .arg(&module)
        .output()
        .map_err(|error| format!("{clang}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{clang}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    std::fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))
}
