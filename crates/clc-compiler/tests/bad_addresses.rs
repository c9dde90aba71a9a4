//! Accesses that no program may do (OpenCL C 6.3.2.1 and C99 6.5.3.2: null, what was never set,
//! numbers made up) have no meaning, but they are compiled: a module that is valid comes out, for
//! each address space, kind of access, level and target. Often such code is never run.

use clc::{OptLevel, Options, TargetEnv, Version};

/// The qualifiers of a pointer's address space; none is the generic one.
const SPACES: [&str; 5] = ["global", "constant", "local", "private", ""];

/// How `p` is initialised; `TYPE` is its type.
const ADDRESSES: [(&str, &str); 7] = [
    ("null", "TYPE p = 0;"),
    ("number", "TYPE p = (TYPE)16;"),
    ("large number", "TYPE p = (TYPE)0xfffffffffffffff0UL;"),
    ("unset", "TYPE p;"),
    ("part of null", "TYPE p = &((TYPE)0)[3];"),
    ("maybe null", "TYPE p = n > 3 ? (TYPE)0 : (TYPE)32;"),
    ("null after a loop", "TYPE p = (TYPE)16; for (int i = 0; i < n; i++) p = 0;"),
];

/// Type of what `p` points to and an access; `READS` of them leave memory alone.
const ACCESSES: [(&str, &str); 15] = [
    ("int", "*o = *p;"),
    ("char", "*o = *p;"),
    ("double", "*o = (int)*p;"),
    ("float3", "*o = (int)p->y;"),
    ("long16", "*o = (int)p->s7 + (int)p[1].sf;"),
    ("struct s", "struct s s = *p; *o = s.a[n & 7];"),
    ("int", "*o = vload4(n, p).z;"),
    // Those from here on write.
    ("int", "*p = n;"),
    ("char", "*p = n;"),
    ("half", "vstore_half((float)n, 1, p);"),
    ("double", "*p = n;"),
    ("float3", "*p = (float3)(n);"),
    ("long16", "p->s7 = n; p[1] = (long16)(n);"),
    ("struct s", "struct s s = {{n}}; *p = s; p[1] = p[2];"),
    ("struct s", "p->l = 0; p->a[n & 7] = n;"),
];

/// Atomics of C11. Those on 64 bits decide how memory that all others access is read and written.
const ATOMICS: [(&str, &str); 7] = [
    ("atomic_long", "*o = atomic_fetch_max_explicit(p, n, RELAXED);"),
    (
        "atomic_long",
        "long e = n; *o = atomic_compare_exchange_strong_explicit(p, &e, 3, memory_order_relaxed, RELAXED);",
    ),
    ("atomic_int", "*o = atomic_fetch_add_explicit(p, n, RELAXED);"),
    ("atomic_int", "*o = atomic_load_explicit(p, RELAXED); atomic_store_explicit(p, n, RELAXED);"),
    (
        "atomic_int",
        "int e = n; *o = atomic_compare_exchange_strong_explicit(p, &e, 3, memory_order_relaxed, RELAXED);",
    ),
    ("atomic_flag", "*o = atomic_flag_test_and_set_explicit(p, RELAXED);"),
    ("int", "*o = atomic_add((volatile SPACE int *)p, n);"),
];

/// The first of [`ACCESSES`] that writes.
const WRITES: usize = 7;

/// A kernel that makes one access through an address, and one `local` and one `private` object that
/// have addresses, too.
fn kernel(name: &str, space: &str, address: &str, (ty, access): (&str, &str)) -> String {
    let address = address.replace("TYPE", &format!("{space} {ty} *"));
    let access = access.replace("SPACE", space);
    format!(
        "kernel void {name}(global int *o, int n, local long *q) {{
             local int m[8];
             int v[8];
             m[n & 7] = n;
             v[n & 7] = (int)(ulong)m;
             o[1] = v[n & 3] + (int)(ulong)v + (int)(ulong)q;
             {address}
             {access}
         }}\n"
    )
}

const HEAD: &str = "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define RELAXED memory_order_relaxed, memory_scope_work_group
struct s { int a[8]; char c; long l; short s[3]; };\n";

fn compile(source: &str, target: TargetEnv, opt_level: OptLevel) -> Result<(), String> {
    let options = Options {
        version: Version::V3_0,
        target: target.into(),
        opt_level,
        verify_each: true,
        ..Options::default()
    };
    let compilation = clc::Compiler::new().with_options(options).compile("k.cl", source);
    let errors = compilation.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let errors: Vec<&str> = errors.map(|error| error.message.as_str()).collect();
    match (&errors[..], compilation.words(), &compilation.internal_error) {
        ([], Some(_), None) => Ok(()),
        ([], _, error) => Err(format!("{error:?}")),
        (errors, ..) => Err(format!("{errors:?}")),
    }
}

/// Compiles each access through each address in each of the address spaces: all accesses in one
/// module, or apart if that fails, to say which one does.
fn check(accesses: &[(&str, &str)], spaces: &[&str]) {
    let targets =
        [TargetEnv::OpenCl { major: 3, minor: 0 }, TargetEnv::Vulkan { major: 1, minor: 3 }];
    let mut failures = String::new();
    for space in spaces {
        for (address, initialised) in ADDRESSES {
            let kernels: Vec<String> = accesses
                .iter()
                .enumerate()
                .map(|(index, &access)| kernel(&format!("k{index}"), space, initialised, access))
                .collect();
            let all = HEAD.to_owned() + &kernels.concat();
            for target in targets {
                for level in [OptLevel::O0, OptLevel::O] {
                    let Err(error) = compile(&all, target, level) else { continue };
                    failures
                        .push_str(&format!("{address}, `{space}`, {target} {level:?}: {error}\n"));
                    for (kernel, (ty, access)) in kernels.iter().zip(accesses) {
                        if compile(&(HEAD.to_owned() + kernel), target, level).is_err() {
                            failures.push_str(&format!("  {ty}: {access}\n"));
                        }
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn loads() {
    check(&ACCESSES[..WRITES], &SPACES);
}

#[test]
fn stores() {
    let writable: Vec<&str> = SPACES.into_iter().filter(|&space| space != "constant").collect();
    check(&ACCESSES[WRITES..], &writable);
}

#[test]
fn atomics() {
    check(&ATOMICS, &["global", "local", ""]);
}
