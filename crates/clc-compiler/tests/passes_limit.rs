//! `--passes-limit`: each number of passes gives a valid module, and enough of them the usual one.

use clc::{Artifact, Emit, NoIncludes, Options, TargetEnv};

const PROGRAM: &str = "\
struct Pair { int a; float b; };
static float scale(struct Pair *pair, int n) { return n < 0 ? -pair->b : pair->b * n; }
kernel void k(global const float4 *in, global float *out, int n) {
    local float tile[8];
    struct Pair pair = {n, 0.5f};
    float sum = 0;
    for (int i = 0; i < n; i++) {
        float4 v = in[i] * scale(&pair, i);
        if (v.x > 1.0f) continue;
        sum += v.x * v.y + v.z;
    }
    tile[get_local_id(0) & 7] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[(get_local_id(0) + 1) & 7];
}
";

fn words(options: &Options) -> Vec<u32> {
    let compiled = clc::compile("p.cl", PROGRAM.as_bytes(), Emit::Spirv, options, &mut NoIncludes);
    assert!(compiled.internal_error.is_none(), "{options:?}: {:?}", compiled.internal_error);
    match compiled.artifact {
        Some(Artifact::Module(words)) => words,
        _ => panic!("{:?}", compiled.diagnostics),
    }
}

fn check(target: &str) {
    let target = TargetEnv::from_name(target).unwrap().into();
    let options = Options { target, print_after: vec!["all".to_owned()], ..Options::default() };
    let compiled = clc::compile("p.cl", PROGRAM.as_bytes(), Emit::Spirv, &options, &mut NoIncludes);
    let passes: Vec<&str> = compiled.dumps.iter().map(|(name, _)| *name).collect();
    let options = Options { print_after: Vec::new(), verify_each: true, ..options };
    let all = words(&options);
    let mut different = 0;
    for limit in 0..=passes.len() {
        let limited = Options { passes_limit: Some(limit as u32), ..options.clone() };
        different += usize::from(words(&limited) != all);
        if limit > 0 {
            // What ran is the beginning of what runs otherwise.
            let limited = Options { print_after: vec!["all".to_owned()], ..limited };
            let compiled =
                clc::compile("p.cl", PROGRAM.as_bytes(), Emit::Spirv, &limited, &mut NoIncludes);
            let ran: Vec<&str> = compiled.dumps.iter().map(|(name, _)| *name).collect();
            assert_eq!(ran[..limit], passes[..limit]);
        }
    }
    assert!(different > 5, "{different}");
    let limited = Options { passes_limit: Some(passes.len() as u32), ..options };
    assert_eq!(words(&limited), all);
}

#[test]
fn any_number_of_passes_gives_a_module_for_opencl() {
    check("opencl3.0");
}

#[test]
fn any_number_of_passes_gives_a_module_for_vulkan() {
    check("vulkan1.3");
}
