//! `-Os`: what is written out for speed stays as it is, what the source asks for is done, and no module is larger
//! than by `-O`.

use clc::{Artifact, Emit, NoIncludes, OptLevel, Options, TargetEnv};

const TARGETS: [TargetEnv; 2] =
    [TargetEnv::OpenCl { major: 3, minor: 0 }, TargetEnv::Vulkan { major: 1, minor: 3 }];

fn words(source: &str, target: TargetEnv, opt_level: OptLevel) -> usize {
    let options = Options { target: target.into(), opt_level, ..Options::default() };
    let compiled = clc::compile("k.cl", source.as_bytes(), Emit::Spirv, &options, &mut NoIncludes);
    match compiled.artifact {
        Some(Artifact::Module(words)) => words.len(),
        _ => panic!("{:?}", compiled.diagnostics),
    }
}

#[test]
fn loops_over_private_arrays_stay_loops() {
    let source = "\
kernel void k(global short *in, global int *out, int n) {
    short l[11][16], c[121];
    for (int i = 0; i < 121; i++) c[i] = in[i];
    for (int i = 0; i < n; i++) {
        for (int y = 0; y < 10; y++) for (int x = 0; x < 12; x++) l[y][x] = l[y][x + 4];
        for (int y = 0; y < 11; y++) l[y][15] = in[i + y];
        int s = 0;
        for (int y = 0; y < 11; y++) for (int x = 0; x < 11; x++) s += c[y * 11 + x] * l[y][x + 1];
        out[i] = s;
    }
}
";
    for target in TARGETS {
        let (small, fast) =
            (words(source, target, OptLevel::Os), words(source, target, OptLevel::O));
        assert!(2 * small < fast, "{target:?}: {small} of {fast} words");
    }
}

#[test]
fn loops_are_unrolled_that_the_source_asks_for() {
    let source = |pragma: &str| {
        format!(
            "kernel void k(global const float *in, global float *out, int n) {{\n    \
             float sum = 0;\n    {pragma}\n    for (int i = 0; i < n; i++) sum += in[i];\n    \
             out[0] = sum;\n}}\n"
        )
    };
    let vulkan = TARGETS[1];
    let (plain, asked) = (source(""), source("#pragma unroll 4"));
    let size = |source: &str, level| words(source, vulkan, level);
    assert!(size(&plain, OptLevel::Os) < size(&plain, OptLevel::O));
    assert!(size(&plain, OptLevel::Os) < size(&asked, OptLevel::Os));
    assert!(size(&asked, OptLevel::Os) <= size(&asked, OptLevel::O));
}

/// The elements of the table and the tests are known once the loop is written out.
#[test]
fn what_writing_out_makes_smaller_is_written_out() {
    let source = "\
kernel void k(global int *out, int x) {
    int a[4] = {0, 1, 0, 2};
    int s = x;
    for (int i = 0; i < 4; i++) if (a[i] > 1) s += a[i] * x;
    out[0] = s;
}
";
    for target in TARGETS {
        let (small, fast) =
            (words(source, target, OptLevel::Os), words(source, target, OptLevel::O));
        assert!(small <= fast, "{target:?}: {small} of {fast} words");
    }
}
