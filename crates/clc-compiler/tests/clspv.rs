//! `clc clspv`: the command line of clspv, and the reflection that its hosts read.

mod common;

use std::collections::HashMap;

use common::{Folder, GOOD};

/// As clvk calls it for a device of Vulkan 1.3.
const CLVK: &str = "-cl-single-precision-constant -cl-kernel-arg-info -images=1 -rounding-mode-rte=16,32 \
                    -rewrite-packed-structs -std430-ubo-layout -decorate-nonuniform -arch=spir64 \
                    -physical-storage-buffers -cl-arm-integer-dot-product --use-native-builtins=fma, \
                    -spv-version=1.6 -max-pushconstant-size=128 -max-ubo-size=65536 -global-offset \
                    -long-vector -module-constants-in-storage-buffer -denorm-preserve=16,32 \
                    -enable-printf -printf-buffer-size=4096 -cl-arm-non-uniform-work-group-size";

/// The instructions of the reflection, as `number operand…`: strings in quotes, constants as numbers,
/// other instructions of the set by `@` and their index.
fn reflection(module: &[u8]) -> Vec<String> {
    let words: Vec<u32> =
        module.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let text = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        String::from_utf8(bytes.split(|&byte| byte == 0).next().unwrap().to_vec()).unwrap()
    };
    let mut known: HashMap<u32, String> = HashMap::new();
    let (mut set, mut lines) = (0, Vec::new());
    let mut rest = &words[5..];
    while let Some(&first) = rest.first() {
        let (instruction, after) = rest.split_at((first >> 16) as usize);
        rest = after;
        match (first & 0xffff, instruction) {
            // OpExtInstImport, OpString
            (11, [_, id, name @ ..]) if text(name).starts_with("NonSemantic.Clspv") => {
                assert_eq!(text(name), "NonSemantic.ClspvReflection.5");
                set = *id;
            }
            (7, [_, id, string @ ..]) => _ = known.insert(*id, format!("{:?}", text(string))),
            // OpEntryPoint, OpVariable, OpConstant, OpExtInst
            (15, [_, _, id, name @ ..]) => _ = known.insert(*id, format!("&{}", text(name))),
            (59, [_, _, id, class, ..]) => _ = known.insert(*id, format!("var{class}")),
            (43, [_, _, id, value]) => _ = known.insert(*id, value.to_string()),
            (12, [_, _, id, of, number, operands @ ..]) if *of == set && set != 0 => {
                let operands = operands.iter().map(|operand| format!(" {}", known[operand]));
                let line = format!("{number}{}", operands.collect::<String>());
                known.insert(*id, format!("@{}", lines.len()));
                lines.push(line);
            }
            _ => {}
        }
    }
    lines
}

#[test]
fn the_reflection_says_where_everything_is() {
    let folder = Folder::new();
    folder.write(
        "k.cl",
        "global int counter = -2;\n\
         kernel void first(global float *restrict out, char c, local int2 *scratch,\n\
                           const volatile constant int *in) {\n\
           scratch[0] = (int2)(c, counter);\n\
           out[get_global_id(0)] = scratch[0].y + in[get_work_dim()];\n\
         }\n\
         kernel __attribute__((reqd_work_group_size(8, 4, 1))) void second(global int *out) {\n\
           out[0] = get_num_groups(0) + get_local_size(1);\n\
           printf(\"%d of %s\\n\", out[0], \"many\");\n\
           printf(\"100%%\");\n\
         }\n",
    );
    let ran = folder.clc(&format!("clspv k.cl {CLVK} -cl-std=CL2.0 -O0 -o k.spv"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines = reflection(&folder.read("k.spv"));
    // Told first: the addresses, then vectors; 8 + 8 + 2 * 12 bytes. What else is at 40 and behind it.
    let expected = [
        "1 &first \"first\" 4 0 \"\"",
        "2 \"out\" \"float*\" 4507 4515 2",
        "26 @0 0 40 8 @1",
        "2 \"c\" \"char\" 4510 4515 0",
        "7 @0 1 48 1 @3",
        "2 \"scratch\" \"int2*\" 4508 4515 0",
        "11 @0 2 4 8 @5",
        "2 \"in\" \"int*\" 4509 4515 5",
        "26 @0 3 56 8 @7",
        "1 &second \"second\" 1 1 \"reqd_work_group_size(8,4,1)\"",
        "2 \"out\" \"int*\" 4507 4515 0",
        "26 @9 0 40 8 @10",
        "24 @9 8 4 1",
        "12 0 1 2",
        "14 3",
        "36 0 8 \"feffffff\"",
        "40 8 8 4096",
        "18 16 12",
        "19 28 12",
        "38 1 \"\"",
        "38 2 \"many\"",
        "38 3 \"%d of %s\\n\" 4 4",
        "38 4 \"100%\"",
        "38 5 \"%s\" 4",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
    // As text it stands behind the functions, however many there are.
    let text = folder.clc("inspect --disassemble k.spv").text();
    let (functions, reflection) = text.rsplit_once("OpFunctionEnd\n").unwrap();
    assert!(functions.matches("OpFunctionEnd").count() > 0);
    assert_eq!(reflection.lines().count(), lines.len(), "{reflection}");
}

#[test]
fn arguments_that_cannot_be_pushed_are_in_a_uniform_buffer() {
    let folder = Folder::new();
    folder.write("k.cl", "kernel void k(global int *p, int16 v, short s) { p[s] = v.s7; }");
    let ran = folder.clc("clspv k.cl -arch=spir64 -max-pushconstant-size=64 -o k.spv");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines = reflection(&folder.read("k.spv"));
    let of_arguments = |line: &&String| line.starts_with("27 ") || line.starts_with("6 ");
    let lines: Vec<&String> = lines.iter().filter(of_arguments).collect();
    assert_eq!(lines, ["27 @0 0 0 0 0 8 @1", "6 @0 1 0 0 64 64 @3", "6 @0 2 0 0 128 2 @5"]);
    let ran = folder.clc(
        "clspv k.cl -arch=spir64 -max-pushconstant-size=64 -max-ubo-size=128 -o k.spv \
         --message-format=short",
    );
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("error[E0704]") && ran.stderr.contains("132 bytes"),
        "{}",
        ran.stderr
    );
}

#[test]
fn images_and_samplers_are_bound_as_the_host_expects() {
    let folder = Folder::new();
    folder.write(
        "k.cl",
        "constant sampler_t literal = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n\
         kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s,\n\
                       global int *p, read_only image1d_buffer_t b) {\n\
           float4 v = read_imagef(in, literal, (float2)(0.5f)) + read_imagef(in, s, (float2)(0.5f));\n\
           write_imagef(out, (int2)(0), v + read_imagef(b, 0));\n\
           *p = get_image_channel_order(in) + get_image_channel_data_type(out);\n\
         }\n",
    );
    let ran = folder.clc("clspv k.cl -arch=spir64 -o k.spv");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines = reflection(&folder.read("k.spv"));
    // Literal samplers are in the first set. What is asked about images is pushed before arguments.
    let expected = [
        "1 &k \"k\" 5 0 \"\"",
        "2 \"in\"",
        "8 @0 0 1 0 @1",
        "2 \"out\"",
        "9 @0 1 1 1 @3",
        "2 \"s\"",
        "10 @0 2 1 2 @5",
        "2 \"p\"",
        "26 @0 3 8 8 @7",
        "2 \"b\"",
        "35 @0 4 1 3 @9",
        "30 @0 0 0 4",
        "31 @0 1 4 4",
        "12 0 1 2",
        "23 0 0 39",
    ];
    assert_eq!(lines, expected, "{lines:#?}");
}

#[test]
fn addresses_of_program_scope_variables_are_never_left_out() {
    let folder = Folder::new();
    folder.write(
        "tables.cl",
        "constant int a[2] = {1, 2}, b[2] = {3, 4};\n\
         constant int *constant tables[3] = {a, b + 1, 0};\n\
         kernel void k(global int *out, int i) { *out = tables[i] ? *tables[i] : -1; }\n",
    );
    for level in ["-O0", ""] {
        let ran = folder.clc(&format!("clspv tables.cl -arch=spir64 {level} -o k.spv"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let lines = reflection(&folder.read("k.spv"));
        // The data are `a` and `b`; the kernel computes the addresses in `tables`.
        let data = lines.iter().find(|line| line.starts_with("36 ")).expect("program data");
        assert!(data.contains("0100000002000000") && data.contains("0300000004000000"), "{data}");
        assert!(data.len() < 60, "{data}");
    }
    // What a kernel may write, and what is passed on, must be in memory.
    for source in [
        "global int x = 3; global int *global p = &x;\n\
         kernel void k(int i) { *p += i; }\n",
        "constant int a[2] = {1, 2};\n\
         constant int *constant tables[2] = {a, a + 1};\n\
         kernel void k(global ulong *out) { *out = (ulong)tables; *(global int *)(out + 1) = *tables[*out]; }\n",
    ] {
        folder.write("k.cl", source);
        let ran = folder.clc("clspv k.cl -arch=spir64 -cl-std=CL2.0 -o k.spv");
        assert_eq!(ran.code, Some(1), "{source}");
        assert!(
            ran.stderr.contains("error[E0708]") && ran.stderr.contains("Help: keep an index"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn attributes_and_local_memory_are_told() {
    let folder = Folder::new();
    folder.write(
        "k.cl",
        "kernel __attribute__((vec_type_hint(uint4), work_group_size_hint(2, 3, 4)))\n\
         void k(global int *p, local int *argument) {\n\
           local int own[100];\n\
           int i = get_local_id(0);\n\
           own[i] = argument[i] = p[i];\n\
           barrier(CLK_LOCAL_MEM_FENCE);\n\
           p[i] = own[99 - i] + argument[p[i]];\n\
         }\n",
    );
    let ran = folder.clc("clspv k.cl -arch=spir64 -o k.spv");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines = reflection(&folder.read("k.spv"));
    let attributes = "vec_type_hint(uint4) work_group_size_hint(2,3,4)";
    assert_eq!(lines[0], format!("1 &k \"k\" 2 0 {attributes:?}"));
    // The argument's own size is the host's to say.
    assert_eq!(lines.last().unwrap(), "42 var4 400", "{lines:#?}");
}

#[test]
fn unknown_options_are_wrong_usage() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    for (line, words) in [
        ("clspv k.cl -frobnicate -o k.spv", "-frobnicate"),
        ("clspv k.cl -arch=spir -o k.spv", "-arch=spir"),
        ("clspv k.cl -spv-version=1.0 -o k.spv", "-spv-version=1.0"),
        ("clspv k.cl --output-format=ll -o k.spv", "--output-format=ll"),
        ("clspv k.cl -no-8bit-storage=disk -o k.spv", "disk"),
        ("clspv -o k.spv", "no input"),
        ("k.cl --printf-buffer-size=64 --target-env=vulkan1.3", "--reflection-set=clspv"),
        ("k.cl --reflection-set=clspv", "for Vulkan"),
        ("k.cl --work-group-regions", "`--work-group-regions` is for Vulkan"),
        ("clspv k.cl --work-group-regions -o k.spv", "may cut launches anyway"),
        ("k.cl --reflection-set=clspv --target-env=vulkan1.3 --reflection k.json", "in the module"),
    ] {
        let ran = folder.clc(line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
    }
    let help = folder.clc("clspv --help");
    assert_eq!(help.code, Some(0));
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("-arch=VALUE") && help.contains("without effect"), "{help}");
}

#[test]
fn what_the_device_lacks_is_an_error_that_names_the_option() {
    let folder = Folder::new();
    folder.write("bytes.cl", "kernel void k(global char *p) { p[0] += 1; }");
    folder.write("shorts.cl", "kernel void k(global short *p) { p[0] += 1; }");
    folder.write(
        "copy.cl",
        "kernel void k(global half *p, global half *q) { vstore_half(vload_half(0, p), 0, q); }",
    );
    folder.write("doubles.cl", "kernel void k(global double *p) { p[0] += 1; }");
    folder.write("ints.cl", "kernel void k(global int *p) { p[0] += 1; }");
    folder.write(
        "image.cl",
        "kernel void k(read_only image2d_t i, global int *p) { p[0] = get_image_width(i); }",
    );
    let all = "-images=0 -int8=0 -fp64=0 -no-8bit-storage=ssbo -no-16bit-storage=ssbo";
    for (line, words) in [
        ("image.cl -images=0", "-images=0"),
        ("bytes.cl -int8=0", "-int8=0"),
        ("bytes.cl -no-8bit-storage=ssbo", "-no-8bit-storage=ssbo"),
        ("shorts.cl -no-16bit-storage=ssbo", "-no-16bit-storage=ssbo"),
        ("copy.cl -no-16bit-storage=ssbo", "-no-16bit-storage=ssbo"),
        ("doubles.cl -fp64=0", "cl_khr_fp64"),
    ] {
        let ran = folder.clc(&format!("clspv {line} -arch=spir64 -o k.spv"));
        assert_eq!(ran.code, Some(1), "{line}");
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
    }
    let ran = folder.clc(&format!("clspv ints.cl -arch=spir64 {all} -o k.spv"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    // What is not read or written in buffers is allowed.
    let ran = folder.clc("clspv bytes.cl -no-8bit-storage=ubo -no-16bit-storage=ssbo -o k.spv");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn dot_products_of_arm_come_with_their_option() {
    let folder = Folder::new();
    folder.write(
        "dot.cl",
        "#ifdef cl_arm_integer_dot_product_accumulate_saturate_int8\n\
         kernel void k(char4 a, ushort2 b, global int *p) {\n\
           p[0] = arm_dot(a, a) + arm_dot_acc_sat(a, a, p[1]) + arm_dot_acc(a, a, p[2]);\n\
           p[1] = arm_dot_acc(b, b, 1u);\n\
         }\n\
         #else\n\
         kernel void k(char4 a, global int *p) { p[0] = arm_dot(a, a); }\n\
         #endif\n",
    );
    for line in ["-spv-version=1.6", "-spv-version=1.3", "-enable-feature-macros=__opencl_c_int64"]
    {
        let line = format!("clspv dot.cl -cl-arm-integer-dot-product {line} -o k.spv");
        let ran = folder.clc(&line);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
    }
    let ran = folder.clc("clspv dot.cl -spv-version=1.6 -o k.spv");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("cl_arm_integer_dot_product_int8"), "{}", ran.stderr);
}

#[test]
fn a_module_with_a_reflection_is_shown_as_text() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    let ran = folder.clc("k.cl --target-env=vulkan1.2 --reflection-set=clspv -S");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(text.contains("SPV_KHR_non_semantic_info"), "{text}");
    let after = text.rsplit("OpFunctionEnd").next().unwrap();
    assert!(after.lines().filter(|line| line.contains(" = OpExtInst %")).count() > 3, "{after}");
}

const USER: &str = "typedef struct node { global struct node *next; int v; } node;\n\
    int helper(int x, const node *n);\n\
    extern constant int table[40];\n\
    static int own(int x) { return x * 2; }\n\
    kernel void k(global int *p) {\n\
      node n = { 0, 3 };\n\
      int i = get_global_id(0);\n\
      p[i] = helper(i, &n) + own(i) + table[i & 3];\n\
    }\n";
const DEFINER: &str = "typedef struct node { global struct node *next; int v; } node;\n\
    constant int table[40] = { 10, 20 };\n\
    static int own(int x) { return x * 100; }\n\
    int helper(int x, const node *n) { return own(x) + n->v; }\n";

#[test]
fn parts_become_objects_and_objects_a_program() {
    let folder = Folder::new();
    folder.write("user.cl", USER);
    folder.write("definer.cl", DEFINER);
    folder.write(
        "whole.cl",
        USER.to_owned()
            + "int helper(int x, const node *n) {\n\
        return x * 100 + n->v; }\nconstant int table[40] = { 10, 20 };\n",
    );
    for part in ["user", "definer"] {
        let ran = folder.clc(&format!("clspv {part}.cl {CLVK} --output-format=bc -o {part}.bc"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert_eq!(folder.read(&format!("{part}.bc"))[..4], [0x42, 0x43, 0xc0, 0xde]);
    }
    let linked = folder.clc(&format!("clspv user.bc definer.bc {CLVK} -x ir -o linked.spv"));
    assert_eq!((linked.code, linked.stderr.as_str()), (Some(0), ""));
    // A library is linked like an object.
    let ran = folder.clc("clspv definer.bc -x ir --output-format=bc -o library.bc");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let ran = folder.clc(&format!("clspv user.bc library.bc {CLVK} -x ir -o from_library.spv"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(folder.read("linked.spv"), folder.read("from_library.spv"));
    // Names that two parts have for themselves stay apart: otherwise it is the program in one file.
    let whole = folder.clc(&format!("clspv whole.cl {CLVK} -o whole.spv"));
    assert_eq!((whole.code, whole.stderr.as_str()), (Some(0), ""));
    let text = |name: &str| reflection(&folder.read(name));
    assert_eq!(text("linked.spv"), text("whole.spv"));
    assert_eq!(folder.read("linked.spv").len(), folder.read("whole.spv").len());
}

#[test]
fn parts_that_do_not_fit_are_errors() {
    let folder = Folder::new();
    folder.write("user.cl", USER);
    folder.write("definer.cl", DEFINER);
    folder.write("other.cl", DEFINER.replace("int v;", "float v;"));
    for part in ["user", "definer", "other"] {
        let line = format!("clspv {part}.cl --output-format=bc -o {part}.bc");
        assert_eq!(folder.clc(&line).code, Some(0));
    }
    folder.write("no.bc", "BC\u{7}");
    for (inputs, words) in [
        ("user.bc", "error[E0721]: `helper`"),
        ("user.bc definer.bc definer.bc", "error[E0722]: `helper`"),
        ("user.bc other.bc", "error[E0723]: `helper`"),
        ("user.bc no.bc", "error[E0720]: `no.bc`"),
        ("user.bc user.cl", "error[E0720]: `user.cl`"),
    ] {
        let ran = folder.clc(&format!("clspv {inputs} -x ir -o k.spv --message-format=short"));
        assert_eq!(ran.code, Some(1), "{inputs}");
        assert!(ran.stderr.contains(words), "{inputs}: {}", ran.stderr);
        assert!(!folder.has("k.spv"));
    }
}
