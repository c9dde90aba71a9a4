//! `-c` and `clc link`.

mod common;

use common::Folder;

/// A folder with `a.cl` and `b.cl` compiled with `-c`.
#[track_caller]
fn two(a: &str, b: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.cl", a);
    folder.write("b.cl", b);
    for name in ["a", "b"] {
        let ran = folder.clc(&format!("-cl-std=CL2.0 -c {name}.cl -o {name}.spv"));
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
    }
    folder
}

const USER: &str = "int twice(int x);\nkernel void k(global int *p) { *p = twice(*p); }\n";
const LIBRARY: &str = "int twice(int x) { return 2 * x; }\nint thrice(int x) { return 3 * x; }\n";

/// What other modules call instead of the kernel `k`, which may not be exported; modules of clang
/// say the same.
const KERNEL: &str = "__clang_ocl_kern_imp_k";

/// The text of the linked module.
#[track_caller]
fn linked(a: &str, b: &str, options: &str) -> String {
    let ran = two(a, b).clc(&format!("link a.spv b.spv -S {options}"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.text()
}

/// The message of a link that fails.
#[track_caller]
fn refused(a: &str, b: &str) -> String {
    let folder = two(a, b);
    let ran = folder.clc("link a.spv b.spv -o out.spv --message-format=short");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(!folder.has("out.spv"));
    ran.stderr
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn a_part_exports_what_is_external_and_imports_what_is_only_declared() {
    let folder = Folder::new();
    folder.write(
        "k.cl",
        "extern constant int table[4];\n\
         constant int mine = 1;\n\
         static constant int hidden = 2;\n\
         int imported(int x);\n\
         static int internal(int x) { return x + hidden; }\n\
         inline int inlined(int x) { return x + 1; }\n\
         extern inline int instantiated(int x) { return x + 2; }\n\
         inline int declared_again(int x) { return x + 3; }\n\
         int declared_again(int x);\n\
         int exported(int x) { return internal(x) + inlined(x) + imported(x) + table[x] + mine; }\n\
         kernel void k(global int *p) { *p = exported(*p); }\n",
    );
    let text = folder.clc("-c -S k.cl").text();
    for name in ["mine", "instantiated", "declared_again", "exported", KERNEL] {
        assert!(text.contains(&format!("LinkageAttributes \"{name}\" Export")), "{name}\n{text}");
    }
    for name in ["table", "imported"] {
        assert!(text.contains(&format!("LinkageAttributes \"{name}\" Import")), "{name}\n{text}");
    }
    assert_eq!(count(&text, "LinkageAttributes"), 7, "{text}");
    assert_eq!(count(&text, "OpEntryPoint"), 1, "{text}");
}

#[test]
fn overloads_have_the_names_of_other_compilers() {
    let folder = Folder::new();
    folder.write(
        "k.cl",
        "#define O __attribute__((overloadable))\n\
         typedef struct S { int x; } S;\n\
         O void f1(global const float *p, constant int *q, local int *l, int2 v, int2 w) {}\n\
         O void f2(int *p, const volatile int *q, int **r) {}\n\
         O void f3(S s, S *u, global S *v, const S *x) {}\n\
         O void f4(read_only image2d_t i, write_only image3d_t j, sampler_t s, event_t e) {}\n\
         O void f5(char a, uchar b, short c, ushort d, uint e, long f, ulong g, half *h, bool k) {}\n\
         O void f6(void) {}\n\
         O void f7(float4 *a, float4 b, const float4 *c, float3 d, global float4 *e, global float4 *f, constant float4 *g) {}\n\
         O void f8(int *restrict a, global int *const b, global int *c) {}\n\
         O static void f9(int a) {}\n",
    );
    let text = folder.clc("-c -S k.cl").text();
    for name in [
        "_Z2f1PU3AS1KfPU3AS2iPU3AS3iDv2_iS5_",
        "_Z2f2PiPVKiPS0_",
        "_Z2f31SPS_PU3AS1S_PKS_",
        "_Z2f414ocl_image2d_ro14ocl_image3d_wo11ocl_sampler9ocl_event",
        "_Z2f5chstjlmPDhb",
        "_Z2f6v",
        "_Z2f7PDv4_fS_PKS_Dv3_fPU3AS1S_S6_PU3AS2S_",
        "_Z2f8PiPU3AS1iS2_",
    ] {
        assert!(text.contains(&format!("LinkageAttributes \"{name}\" Export")), "{name}\n{text}");
    }
    assert!(!text.contains("f9"), "{text}");
}

#[test]
fn a_program_takes_what_its_kernels_reach() {
    let text = linked(USER, LIBRARY, "");
    assert_eq!(count(&text, "OpEntryPoint"), 1);
    assert_eq!(count(&text, "OpTypeInt 32"), 1, "types are one:\n{text}");
    assert!(!text.contains("Linkage"), "nothing is left to link:\n{text}");
    assert!(text.contains("\"twice\"") && !text.contains("thrice"), "{text}");
}

#[test]
fn a_library_keeps_what_it_exports() {
    let text = linked(USER, LIBRARY, "--create-library");
    for name in ["twice", "thrice", KERNEL] {
        assert!(text.contains(&format!("LinkageAttributes \"{name}\" Export")), "{text}");
    }
    // A library may need another.
    let text =
        linked(USER, "int other(void);\nint f(void) { return other(); }", "--create-library");
    assert!(text.contains("\"twice\" Import") && text.contains("\"other\" Import"), "{text}");
}

#[test]
fn a_library_may_be_of_nothing() {
    let text =
        linked("#define SCALE 2\n", "static int f(int x) { return x; }\n", "--create-library");
    assert!(text.contains("OpCapability Linkage") && !text.contains("OpFunction"), "{text}");
    // With a kernel and nothing else it is a program.
    let text = linked("kernel void k(void) {}\n", "", "--create-library");
    assert!(text.contains("OpEntryPoint"), "{text}");
}

#[test]
fn libraries_link_again() {
    let folder =
        two("int f(int x);\nint g(int x) { return f(x) + 1; }", "int f(int x) { return x; }");
    folder.write("k.cl", "int g(int);\nkernel void k(global int *p) { *p = g(1); }");
    assert_eq!(folder.clc("-c k.cl -o k.spv").code, Some(0));
    assert_eq!(folder.clc("link a.spv b.spv --create-library -o lib.spv").code, Some(0));
    let ran = folder.clc("link k.spv lib.spv -S");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!ran.text().contains("Linkage"));
}

#[test]
fn static_functions_of_one_name_stay_apart() {
    let file = |name: &str, add: u32| {
        format!(
            "__attribute__((noinline)) static int helper(int x) {{ return x + {add}; }}\n\
             kernel void {name}(global int *p) {{ *p = helper(*p); }}\n"
        )
    };
    let text = linked(&file("k1", 7), &file("k2", 8), "");
    assert!(text.contains("\"helper\"") && text.contains("\"helper.1\""), "{text}");
}

#[test]
fn recursive_types_of_two_modules_are_one() {
    let header = "typedef struct N { struct N *next; global struct M *m; int v; } N;\n\
                  typedef struct M { N *n; struct M *other; } M;\n\
                  int walk(N *n, M *m);\n";
    let a = format!(
        "{header}kernel void k(global int *p) {{ N n = {{0, 0, 1}}; M m; m.n = &n; *p = walk(&n, &m); }}"
    );
    let b = format!(
        "{header}int walk(N *n, M *m) {{ int s = m->n->v; while (n) {{ s += n->v; n = n->next; }} return s; }}"
    );
    let text = linked(&a, &b, "");
    assert_eq!(count(&text, "OpTypeStruct"), 2, "{text}");
    // Names do not make them the same.
    let other = b.replace("int v;", "float v;");
    let message = refused(&a, &other);
    assert!(message.contains("E0723") && message.contains("`walk`"), "{message}");
}

#[test]
fn what_a_library_function_uses_joins_the_interface_of_the_kernel() {
    let a = "size_t f(void);\nkernel void k(global ulong *p) { *p = f(); }";
    let b = "size_t f(void) { return get_global_id(1); }\nglobal int counter;\nint g(void) { return counter; }";
    let text = linked(a, b, "");
    let line = text.lines().find(|line| line.contains("OpEntryPoint")).unwrap();
    assert_eq!(line.split_whitespace().count(), 5, "{line}");
    let folder = Folder::new();
    folder.write("a.cl", "int g(void);\nkernel void k(global int *p) { *p = g(); }");
    folder.write("b.cl", b);
    for name in ["a", "b"] {
        folder.clc(&format!("-cl-std=CL2.0 -c --spirv-version=1.4 {name}.cl -o {name}.spv"));
    }
    let ran = folder.clc("link a.spv b.spv -S");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = ran.text();
    let line = text.lines().find(|line| line.contains("OpEntryPoint")).unwrap();
    assert_eq!(line.split_whitespace().count(), 5, "from 1.4 on variables too: {line}");
}

#[test]
fn undefined_names_are_told_with_the_module_that_uses_them() {
    let message = refused(USER, "int twise(int x) { return 2 * x; }");
    assert!(message.contains("E0721"), "{message}");
    assert!(message.contains("`twice` is used by `a.spv`"), "{message}");
    let folder = two(USER, "int twise(int x) { return 2 * x; }");
    let ran = folder.clc("link a.spv b.spv -o out.spv");
    assert!(ran.stderr.contains("a module defines `twise`"), "{}", ran.stderr);
}

#[test]
fn names_defined_twice_are_told_with_both_modules() {
    let message = refused(USER, USER);
    assert!(message.contains("E0722") && message.contains("`k`"), "{message}");
    let message = refused(LIBRARY, LIBRARY);
    assert!(message.contains("`twice` is defined by `a.spv` and by `b.spv`"), "{message}");
}

#[test]
fn types_that_differ_are_told_in_the_words_of_the_language() {
    let folder = two(USER, "int twice(global float4 *p) { return (int)p->x; }");
    let ran = folder.clc("link a.spv b.spv -o out.spv");
    assert_eq!(ran.code, Some(1));
    for words in ["E0723", "`a.spv`", "`b.spv`", "`int(int)`", "`int(global float4*)`"] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    // A function here, a variable there.
    let message = refused(USER, "constant int twice = 2;");
    assert!(message.contains("E0723") && message.contains("a variable in `b.spv`"), "{message}");
}

#[test]
fn arrays_are_as_long_as_their_definition_says() {
    let user = "extern constant int t[];\nextern constant int2 u[];\n\
                kernel void k(global int *p) { *p = t[*p] + u[1].x; }\n";
    let definition = "constant int t[4] = { 1, 2, 3, 4 };\nconstant int2 u[] = { 1, 2, 3 };\n";
    let text = linked(user, definition, "");
    assert_eq!(count(&text, "OpVariable"), 2, "{text}");
    assert!(!text.contains("Import"), "{text}");
    // The elements have to be the same.
    let message = refused(user, "constant int t[4] = { 1 }; constant int4 u[1] = { 1 };");
    assert!(message.contains("E0723") && message.contains("`u`"), "{message}");
}

#[test]
fn kernels_are_called_across_modules_by_the_name_that_the_program_has() {
    let user = "kernel void f(global int *p);\nkernel void g(global int *p) { f(p); }\n";
    let text = linked(user, "kernel void f(global int *p) { *p = 1; }", "");
    assert_eq!((count(&text, "OpEntryPoint"), count(&text, "Linkage")), (2, 0), "{text}");
    let message = refused(user, "kernel void h(global int *p) { }");
    assert!(message.contains("`f`") && !message.contains("__clang"), "{message}");
}

#[test]
fn circles_that_linking_closes_are_found() {
    let a = "int g(int);\nint f(int x) { return x ? g(x - 1) : 0; }\nkernel void k(global int *p) { *p = f(1); }";
    let message = refused(a, "int f(int);\nint g(int x) { return f(x); }");
    assert!(message.contains("E0701"), "{message}");
    let a = "extern global void *b;\nglobal void *a = &b;\nkernel void k(global ulong *p) { *p = (ulong)a; }";
    let message = refused(a, "extern global void *a;\nglobal void *b = &a;");
    assert!(message.contains("E0705"), "{message}");
}

#[test]
fn modules_must_fit() {
    let folder = two(USER, LIBRARY);
    folder.clc("-c -m32 b.cl -o b.spv");
    let ran = folder.clc("link a.spv b.spv -o out.spv");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("E0724") && ran.stderr.contains("32-bit"), "{}", ran.stderr);
    let message = refused(LIBRARY, "int f(void) { return 1; }");
    assert!(message.contains("E0725") && message.contains("no"), "{message}");
}

#[test]
fn what_is_no_module_is_refused() {
    let folder = two(USER, LIBRARY);
    let good = folder.read("a.spv");
    folder.write("text.spv", "kernel void k() {} ..");
    folder.write("empty.spv", "");
    folder.write("short.spv", &good[..good.len() - 8]);
    for at in (20..good.len()).step_by(4) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x2a;
        bytes[at + 1] ^= 1;
        folder.write("flipped.spv", &bytes);
        let ran = folder.clc("link flipped.spv b.spv -o out.spv");
        assert!(matches!(ran.code, Some(0 | 1)), "byte {at}: {:?} {}", ran.code, ran.stderr);
    }
    for name in ["text", "empty", "short"] {
        let ran = folder.clc(&format!("link {name}.spv b.spv -o out.spv"));
        assert_eq!(ran.code, Some(1), "{name}");
        assert!(ran.stderr.contains("E0720") && ran.stderr.contains(name), "{}", ran.stderr);
    }
    for line in
        ["link", "link a.spv b.spv", "link absent.spv -o x.spv", "link a.spv a.spv -o x.spv"]
    {
        assert_eq!(folder.clc(line).code, Some(2), "{line}");
    }
}

#[test]
fn the_other_byte_order_is_read_too() {
    let folder = two(USER, LIBRARY);
    let mut bytes = folder.read("b.spv");
    bytes.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    folder.write("b.spv", bytes);
    assert_eq!(folder.clc("link a.spv b.spv -o out.spv").code, Some(0));
}

#[test]
fn contraction_that_a_part_forbids_is_off_in_the_program() {
    let a = "float f(float a, float b, float c);\nkernel void k(global float *p) { *p = f(p[0], p[1], p[2]); }";
    let b =
        "#pragma OPENCL FP_CONTRACT OFF\nfloat f(float a, float b, float c) { return a * b + c; }";
    let text = linked(a, b, "");
    assert_eq!(count(&text, "ContractionOff"), 1, "{text}");
    let text = linked(a, &b.replace("OFF", "ON"), "");
    assert_eq!(count(&text, "ContractionOff"), 0, "{text}");
}

#[test]
fn blocks_of_one_name_stay_apart() {
    let folder = Folder::new();
    for (file, number) in [("a", 1), ("b", 2)] {
        let source = format!(
            "static void f(global int *p) {{\n\
             enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{{ p[0] = {number}; }});\n\
             }}\nkernel void k{number}(global int *p) {{ f(p); }}\n"
        );
        folder.write(&format!("{file}.cl"), &source);
        let ran = folder.clc(&format!("-cl-std=CL2.0 -c {file}.cl -o {file}.spv"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let ran = folder.clc("link a.spv b.spv -S");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = ran.text();
    for name in ["k1", "k2", "__f_block_invoke_kernel", "__f_block_invoke_2_kernel"] {
        assert_eq!(count(&text, "OpEntryPoint"), 4, "{text}");
        assert!(text.contains(&format!("\"{name}\"")), "{name}: {text}");
    }
}

/// Modules for Vulkan have no linkage: parts are objects, and what is linked is compiled.
#[test]
fn objects_for_vulkan_are_linked() {
    let folder = Folder::new();
    let twice = "int twice(int x) { return 2 * x; }\n";
    folder.write(
        "main.cl",
        "extern constant int table[];\nint twice(int x);\n\
         kernel void k(global int *p) { p[0] = twice(table[p[1]]); }\n",
    );
    folder.write("rest.cl", format!("constant int table[] = {{1, 2, 3}};\n{twice}"));
    folder.write("other.cl", format!("constant float table[] = {{1, 2, 3}};\n{twice}"));
    for name in ["main", "rest", "other"] {
        let ran = folder.clc(&format!("-c --target-env=vulkan1.3 {name}.cl -o {name}.o"));
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
    }
    for line in [
        "link main.o rest.o -o k.spv --reflection k.json",
        // A library first: what it lacks is found when the program is linked.
        "link rest.o --create-library -o lib.o",
        "link main.o lib.o -o k.spv --max-push-constant-size=256",
    ] {
        let ran = folder.clc(line);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
    }
    let reflection = String::from_utf8(folder.read("k.json")).unwrap();
    assert!(reflection.contains("\"table\""), "{reflection}");
    for (inputs, code) in [
        ("main.o", "E0721"),
        ("main.o rest.o lib.o", "E0722"),
        ("main.o other.o", "E0723"),
        ("main.o rest.cl", "E0720"),
    ] {
        let ran = folder.clc(&format!("link {inputs} -o no.spv"));
        assert_eq!(ran.code, Some(1), "{inputs}: {}", ran.stderr);
        assert!(ran.stderr.contains(code), "{inputs}: {}", ran.stderr);
        assert!(!folder.has("no.spv"));
    }
}
