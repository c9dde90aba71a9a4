//! `clc inspect` and `--emit=reflection`: what is said of modules of this and of other compilers.
//!
//! `inspect/*.cl` are compiled with the options in their first lines, `inspect/*.spvasm` assembled;
//! the table that is expected is beside each.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use clc::Compiler;
use clc::reflection::module::Type;
use clc::reflection::{self, ModuleDescription};
use common::{Folder, GOOD};
use serde_json::{Value, json};
use spirv_tools::TargetEnv;

fn assembled(text: &str) -> Vec<u32> {
    clc_validator::assemble(text, TargetEnv::Universal_1_3).unwrap()
}

/// Compiles a source with the options in its first line.
fn compiled(source: &str) -> clc::Compilation {
    let options = source.lines().next().and_then(|line| line.strip_prefix("// clc:")).unwrap();
    let words: Vec<&str> = options.split_whitespace().collect();
    let options = clc::cli::Request::of_options(&words).unwrap().options;
    Compiler::new().with_options(options).compile("source.cl", source)
}

fn described(words: &[u32]) -> ModuleDescription {
    reflection::describe(words).unwrap()
}

fn table(words: &[u32]) -> String {
    reflection::table("module", &described(words), None, false)
}

#[test]
fn tables_of_modules_of_this_compiler() {
    clc_golden::beside("tests/inspect", "cl", "txt", |_, source| {
        let compilation = compiled(source);
        assert!(compilation.diagnostics.is_empty(), "{:?}", compilation.diagnostics);
        Ok(table(compilation.words().unwrap()))
    });
}

#[test]
fn tables_of_modules_of_others() {
    clc_golden::beside("tests/inspect", "spvasm", "table", |_, text| Ok(table(&assembled(text))));
}

/// Real modules of glslang, where it is installed: of entry points of every kind.
#[test]
fn shaders_of_glslang_are_described() {
    let folder = Folder::new();
    let sources = [
        (
            "compute.comp",
            "#version 450\nlayout(local_size_x_id = 7, local_size_y = 2) in;\n\
             layout(constant_id = 5) const int count = 16;\n\
             layout(std430, set = 1, binding = 3) buffer Out { vec3 o[]; } result;\n\
             layout(push_constant) uniform Given { uint first; mat4 turn; } given;\n\
             shared int some[count];\n\
             void main() { some[gl_LocalInvocationIndex % count] = 1; barrier();\n\
             result.o[gl_GlobalInvocationID.x] = given.turn[0].xyz * some[given.first]; }\n",
            &[
                "kernel main",
                "constant 7 (1) x 2 x 1",
                "64 bytes if specialization constants have their defaults",
                "1        3  result  storage_buffer  struct Out",
                "push constants    struct Given, 80 bytes",
                "5  count  int   16",
            ][..],
        ),
        (
            "shade.frag",
            "#version 450\nlayout(location = 0) out vec4 color;\n\
             layout(input_attachment_index = 0, binding = 2) uniform subpassInput before;\n\
             void main() { color = subpassLoad(before); }\n",
            &["Fragment main", "OriginUpperLeft", "2  before  input_attachment"],
        ),
        (
            "move.vert",
            "#version 450\nlayout(binding = 1) uniform Camera { mat4 turn; } camera;\n\
             void main() { gl_Position = camera.turn[0]; }\n",
            &["Vertex main", "0        1  camera  uniform_buffer  struct Camera"],
        ),
    ];
    for (name, source, wanted) in sources {
        folder.write(name, source);
        let ran = std::process::Command::new("glslangValidator")
            .args(["-V".as_ref(), folder.path(name).as_os_str(), "-o".as_ref()])
            .arg(folder.path("shader.spv"))
            .output();
        let Ok(ran) = ran else { return };
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
        let ran = folder.clc("inspect shader.spv");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let text = ran.text();
        wanted.iter().for_each(|wanted| assert!(text.contains(wanted), "{wanted}\n{text}"));
        assert!(!text.contains("arguments"), "{text}");
        let ran = folder.clc("inspect --format=json shader.spv");
        let value = follows_the_schema(&schema(), &ran.text());
        assert_eq!(value["kernels"][0]["arguments"], Value::Null);
    }
}

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reflection.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[track_caller]
fn follows_the_schema(schema: &Value, text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap();
    let complaints = common::schema::complaints(schema, &value);
    assert!(complaints.is_empty(), "{complaints}{text}");
    value
}

/// Looks at what becomes of the sources of a folder that compile with one of these versions and for
/// this target. Returns how many there are.
fn each_compiled(folder: &str, target: &str, look: &mut dyn FnMut(&clc::Compilation)) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut count = 0;
    for path in clc_golden::files(&folder, "cl") {
        let bytes = std::fs::read(&path).unwrap();
        for version in ["CL1.2", "CL3.0"] {
            let words = [format!("-cl-std={version}"), format!("--target-env={target}")];
            let words = [&words[0], &words[1], "-cl-ext=+all"];
            let mut options = clc::cli::Request::of_options(&words).unwrap().options;
            options.validate = false;
            let resolver = clc::fs::FileResolver {
                include_dirs: vec![folder.clone()],
                system_dirs: Vec::new(),
            };
            let mut compiler = Compiler::new().with_options(options).with_resolver(resolver);
            let compilation = compiler.compile("source.cl", &bytes);
            if compilation.description.is_some() {
                look(&compilation);
                count += 1;
                break;
            }
        }
    }
    count
}

#[test]
fn what_is_said_of_kernels_follows_the_schema() {
    let schema = schema();
    for target in ["opencl3.0", "vulkan1.3"] {
        let count = each_compiled("../../tests/execution", target, &mut |compilation| {
            let words = compilation.words().unwrap();
            follows_the_schema(&schema, &reflection::json(&described(words), None, None));
            let description = compilation.description.as_ref().unwrap();
            let environment = clc::TargetEnv::from_name(target);
            let host = compilation.reflection.as_ref();
            follows_the_schema(&schema, &reflection::json(description, environment, host));
        });
        assert!(count > 40, "{target}: {count}");
    }
}

#[test]
fn modules_and_their_sources_agree() {
    let mut arguments = 0;
    each_compiled("../../tests/execution", "opencl3.0", &mut |compilation| {
        let from_source = compilation.description.as_ref().unwrap();
        let from_module = described(compilation.words().unwrap());
        for (ours, read) in from_source.kernels.iter().zip(&from_module.kernels) {
            assert_eq!((&ours.name, ours.arguments.len()), (&read.name, read.arguments.len()));
            for (ours, read) in ours.arguments.iter().zip(&read.arguments) {
                let layout = |argument: &reflection::module::Argument| {
                    let Type { size, align, dims, .. } = argument.ty.clone();
                    (size, align, dims, argument.kind, argument.address_space, argument.access)
                };
                assert_eq!(layout(ours), layout(read), "{ours:?}\n{read:?}");
                assert_eq!(
                    (&ours.name, &ours.type_qualifiers),
                    (&read.name, &read.type_qualifiers)
                );
                arguments += 1;
            }
        }
    });
    assert!(arguments > 200, "{arguments}");
}

#[test]
fn a_module_and_its_json_say_what_the_compilation_said() {
    for target in ["opencl3.0", "vulkan1.3"] {
        let environment = clc::TargetEnv::from_name(target);
        let count = each_compiled("../../tests/execution", target, &mut |compilation| {
            let description = compilation.description.as_ref().unwrap();
            let host = compilation.reflection.as_ref();
            let text = reflection::json(description, environment, host);
            let read = described(compilation.words().unwrap());
            let joined = reflection::with_json(read, &text).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(joined.reflection.as_ref(), host);
            assert_eq!(joined.environment, environment);
            assert_eq!(
                reflection::table("k", &joined.description, host, false),
                reflection::table("k", description, host, false)
            );
            assert_eq!(reflection::json(&joined.description, environment, host), text);
        });
        assert!(count > 40, "{target}: {count}");
    }
}

#[test]
fn the_command_joins_a_module_and_its_json() {
    let folder = Folder::new();
    folder.write(
        "k.cl",
        "constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\nconstant int powers[300] = { 1, 2, 9, 3, 5, 1 };\n\
         typedef struct { int a; float4 b; } Pair;\n\
         __attribute__((reqd_work_group_size(8, 4, 1))) __attribute__((vec_type_hint(float4)))\n\
         kernel void k(global float4 *restrict out, constant Pair *pairs, Pair one, short n, \
         local int *scratch, read_only image2d_t image, write_only image2d_t to, sampler_t s)\n\
         { local int all[16]; size_t i = get_global_id(0); all[i % 16] = n;\n\
         barrier(CLK_LOCAL_MEM_FENCE); scratch[i] = all[0] + powers[i % 300];\n\
         barrier(CLK_LOCAL_MEM_FENCE);\n\
         out[i] = pairs[i].b + one.b + read_imagef(image, s, (int2)(0, 0)) * scratch[1]\n\
         + read_imagef(image, smooth, (float2)(n, 0.5f));\n\
         write_imagef(to, (int2)(1, 1), (float4)(0)); printf(\"%d\\n\", n); }\n",
    );
    let for_vulkan = [
        "0  out      float4*    global         -              8      8  restrict    argument block, 0",
        "2  one      Pair       private        -             32     16              argument block, 16",
        "4  scratch  int*       local          -              8      8              constant 3 times 4",
        "5  image    image2d_t  global         read_only      -      -              set 0, binding 0",
        "type hint         float4",
        "local memory      64 bytes\n",
        "besides arguments ",
        "global offset at ",
        "printf buffer at",
        "program data\n",
        "powers",
        "normalized   repeat      linear",
        "1: \"%d\\n\"",
        "Pair: 32 bytes, aligned to 16",
    ];
    let for_opencl = ["3  n        short ", "1  pairs    Pair*      constant", "\"%d\\n\""];
    for (target, wanted) in [("vulkan1.3", &for_vulkan[..]), ("opencl3.0", &for_opencl)] {
        let ran = folder.clc(&format!("--target-env={target} k.cl -o k.spv --reflection k.json"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let ran = folder.clc("inspect k.spv --reflection k.json");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let text = ran.text();
        wanted.iter().for_each(|wanted| assert!(text.contains(wanted), "{wanted}\n{text}"));
        assert!(!text.contains("unknown"), "{text}");
        let ran = folder.clc("inspect --format=json k.spv --reflection k.json");
        follows_the_schema(&schema(), &ran.text());
        assert_eq!(ran.text(), String::from_utf8(folder.read("k.json")).unwrap(), "{target}");
    }
}

#[test]
fn json_of_another_module_is_refused() {
    let folder = Folder::new();
    folder.write("k.cl", "kernel void k(global int *p, local int *q) { q[0] = 1; p[0] = q[1]; }\n");
    folder.write("two.cl", "kernel void k(global int *p) { *p = 1; }\nkernel void l() {}\n");
    folder.write("fixed.cl", "__attribute__((reqd_work_group_size(2, 1, 1))) kernel void k() {}\n");
    folder.write("longer.cl", "kernel void k(global int *p, int16 q) { *p = q.s0; }\n");
    folder.write("image.cl", "kernel void k(write_only image2d_t i) { write_imagef(i, 0, 0); }\n");
    for name in ["k", "two", "fixed", "longer", "image"] {
        let line =
            format!("--target-env=vulkan1.3 {name}.cl -o {name}.spv --reflection {name}.json");
        assert_eq!(folder.clc(&line).code, Some(0), "{name}");
    }
    assert_eq!(folder.clc("k.cl -o o.spv --reflection o.json").code, Some(0));
    let good = String::from_utf8(folder.read("k.json")).unwrap();
    for (name, from, to) in [
        ("format", "\"format\": 1", "\"format\": 2"),
        ("kind", "\"kind\": \"local\"", "\"kind\": \"box\""),
        ("negative", "\"block_size\": ", "\"block_size\": -"),
        ("nameless", "\"name\": \"k\"", "\"title\": \"k\""),
        ("struct", "\"kind\": \"pointer\"", "\"kind\": \"struct\", \"struct\": 7"),
        ("environment", "\"vulkan1.3\"", "\"metal\""),
    ] {
        assert!(good.contains(from), "{from}: {good}");
        folder.write(&format!("{name}.json"), good.replace(from, to));
    }
    folder.write("cut.json", &good[..good.len() / 2]);
    folder.write("bytes.json", [0x22, 0xff, 0x22]);
    folder.write("deep.json", "[".repeat(100_000));
    folder.write("list.json", "[]");
    for (line, code, words) in [
        ("k.spv --reflection two.json", 1, "the module has no kernel `l`"),
        ("two.spv --reflection k.json", 1, "it has no kernel `l`, which the module has"),
        ("k.spv --reflection fixed.json", 1, "of kernel `k`"),
        ("fixed.spv --reflection k.json", 1, "other sizes of work-groups of kernel `k`"),
        ("k.spv --reflection longer.json", 1, "other push constants of kernel `k`"),
        ("image.spv --reflection k.json", 1, "other descriptors of kernel `k`"),
        ("k.spv --reflection o.json", 1, "it is for opencl, the module for vulkan"),
        ("o.spv --reflection k.json", 1, "it is for vulkan, the module for opencl"),
        ("k.spv --reflection k.spv", 1, "it is no JSON: it is not UTF-8"),
        ("k.spv --reflection k.cl", 1, "it is no JSON"),
        ("k.spv --reflection cut.json", 1, "it is no JSON"),
        ("k.spv --reflection bytes.json", 1, "error[E0727]"),
        ("k.spv --reflection deep.json", 1, "it is no JSON"),
        ("k.spv --reflection list.json", 1, "it has no `format`"),
        ("k.spv --reflection format.json", 1, "its format is 2, and 1 is the one known"),
        ("k.spv --reflection kind.json", 1, "`kernels[0].arguments[1].kind`"),
        ("k.spv --reflection negative.json", 1, "`kernels[0].block_size` is no number"),
        ("k.spv --reflection nameless.json", 1, "it has no `kernels[0].name`"),
        ("k.spv --reflection struct.json", 1, "names struct 7, which is not there"),
        ("k.spv --reflection environment.json", 1, "`environment` is `metal`, which is unknown"),
        ("k.spv --reflection absent.json", 2, "absent.json"),
        ("- --reflection -", 2, "standard input cannot be"),
        ("-S k.spv --reflection k.json", 2, "`--disassemble` does not show"),
        ("--diff k.spv o.spv --reflection k.json", 2, "`--diff` does not show"),
    ] {
        let ran = folder.clc(&format!("inspect {line}"));
        assert_eq!(ran.code, Some(code), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{line}");
    }
}

#[test]
fn damaged_json_is_joined_or_refused() {
    let source = "// clc: --target-env=vulkan1.3\n\
                  constant int c[300] = { 1, 2, 7, 3 };\nstruct s { int a; uchar b[2]; };\n\
                  kernel void k(global int *p, int2 q, local char *l, struct s v) { p[0] = c[q.x] + l[0] + v.a; }\n";
    let compilation = compiled(source);
    let description = compilation.description.as_ref().unwrap();
    let environment = clc::TargetEnv::from_name("vulkan1.3");
    let text = reflection::json(description, environment, compilation.reflection.as_ref());
    let words = compilation.words().unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    /// Replaces the part with this number by a value; `at` counts down.
    fn replace(value: &mut Value, at: &mut usize, by: &Value) {
        if *at == 0 {
            *value = by.clone();
        }
        *at = at.wrapping_sub(1);
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| replace(item, at, by)),
            Value::Object(fields) => fields.values_mut().for_each(|item| replace(item, at, by)),
            _ => {}
        }
    }
    let values =
        [json!(null), json!(4_294_967_295u64), json!(-1), json!("k"), json!([]), json!({})];
    let (mut joined, mut refused) = (0, 0);
    for place in 0..text.lines().count() {
        for by in &values {
            let mut damaged = whole.clone();
            replace(&mut damaged, &mut place.clone(), by);
            match reflection::with_json(described(words), &damaged.to_string()) {
                Ok(found) => {
                    joined += 1;
                    let host = found.reflection.as_ref();
                    let table = reflection::table("m", &found.description, host, false);
                    assert!(table.len() < 1 << 16);
                }
                Err(reason) => {
                    refused += 1;
                    assert!(!reason.is_empty());
                }
            }
        }
    }
    assert!(joined > 100 && refused > 100, "{joined} joined, {refused} refused");
}

#[test]
fn the_schema_refuses_what_is_not_written() {
    let schema = schema();
    let compilation = compiled(&format!("// clc:\n{GOOD}"));
    let text = reflection::json(compilation.description.as_ref().unwrap(), None, None);
    let good = follows_the_schema(&schema, &text);
    let damages: [(&str, fn(&mut Value)); 5] = [
        ("another constant", |value| value["format"] = 2.into()),
        ("is missing", |value| _ = value.as_object_mut().unwrap().remove("target")),
        ("none of", |value| value["kernels"][0]["arguments"][0]["kind"] = "box".into()),
        ("is no", |value| value["kernels"][0]["local_memory"] = "much".into()),
        ("not in the schema", |value| value["colour"] = "red".into()),
    ];
    for (message, damage) in damages {
        let mut bad = good.clone();
        damage(&mut bad);
        let complaints = common::schema::complaints(&schema, &bad);
        assert!(complaints.contains(message), "{message}: {complaints}");
    }
}

/// The reflection of a source, as `--emit=reflection` writes it.
fn emitted(source: &str, options: &str) -> Value {
    let folder = Folder::new();
    folder.write("k.cl", source);
    let ran = folder.clc(&format!("--emit=reflection k.cl {options}"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let beside = folder.clc(&format!("k.cl --reflection k.json {options}"));
    assert_eq!(beside.code, Some(0), "{}", beside.stderr);
    assert_eq!(ran.stdout, folder.read("k.json"));
    follows_the_schema(&schema(), &ran.text())
}

const TYPES: &str = "\
typedef enum { SMALL, LARGE } Kind;
typedef struct item { Kind kind; uchar3 color; long cells[2][3]; union { int i; float f; }; } Item;
struct link { global struct link *next; char tag; };
kernel void k(Item item, global struct link *restrict first, constant ushort4 *table,
              local int *scratch, int count, const uint2 pair) {
    scratch[0] = item.kind + table[count].x + pair.y;
    first->tag = scratch[0];
}
";

#[test]
fn types_are_those_of_the_source() {
    for options in ["", "-m32", "--target-env=vulkan1.3", "--target-env=vulkan1.2 -O0"] {
        let value = emitted(TYPES, options);
        let pointer = if options == "-m32" { 4 } else { 8 };
        let kernel = &value["kernels"][0];
        let argument = |index: usize| &kernel["arguments"][index];
        let names: Vec<&str> =
            (0..6).map(|index| argument(index)["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["item", "first", "table", "scratch", "count", "pair"]);
        assert_eq!(argument(0)["type"], "Item");
        assert_eq!(argument(0)["size"], 64);
        assert_eq!(argument(0)["data_type"]["struct"], 0);
        assert_eq!(argument(1)["qualifiers"], "restrict");
        assert_eq!(argument(1)["data_type"]["size"], pointer, "{options}");
        assert_eq!(argument(1)["data_type"]["to"]["struct"], 1);
        assert_eq!(argument(2)["data_type"]["to"]["scalar"], "ushort");
        assert_eq!(argument(2)["address_space"], "constant");
        assert_eq!(argument(3)["kind"], "local");
        assert_eq!(argument(3)["data_type"]["to"]["scalar"], "int");
        assert_eq!(argument(4)["data_type"]["scalar"], "int");
        assert_eq!(argument(5)["data_type"]["components"], 2);
        let item = &value["structs"][0];
        assert_eq!((&item["name"], &item["size"]), (&json!("item"), &json!(64)));
        let members: Vec<(&str, u64, &str)> = item["members"]
            .as_array()
            .unwrap()
            .iter()
            .map(|member| {
                let text = |field: &str| member[field].as_str().unwrap();
                (text("name"), member["offset"].as_u64().unwrap(), text("type"))
            })
            .collect();
        let union = value["structs"].as_array().unwrap().iter().position(|s| s["union"] == true);
        let anonymous = format!("union #{}", union.unwrap());
        assert_eq!(
            members,
            [
                ("kind", 0, "uint"),
                ("color", 4, "uchar3"),
                ("cells", 8, "long[2][3]"),
                ("", 56, &*anonymous)
            ]
        );
        let link = &value["structs"][1];
        assert_eq!(link["members"][0]["data_type"]["to"]["struct"], 1, "it points to itself");
        assert_eq!(link["members"][1]["offset"], pointer);
    }
}

#[test]
fn what_regions_of_a_launch_are_told_is_what_kernels_ask_for() {
    let source = "kernel void all(global ulong *p) { *p = get_global_linear_id() + get_group_id(0) +\n\
                  get_num_groups(1) + get_enqueued_local_size(2); }\n\
                  kernel void id(global ulong *p) { p[get_global_id(0)] = get_local_size(0); }\n\
                  kernel __attribute__((reqd_work_group_size(8, 2, 1))) void none(global ulong *p) { *p = 1; }\n";
    let options = "--target-env=vulkan1.3 -cl-std=CL3.0";
    let names = |value: &Value, kernel: usize| -> Vec<String> {
        let implicit = value["kernels"][kernel]["implicit"].as_array().unwrap();
        implicit.iter().map(|one| one["kind"].as_str().unwrap().to_owned()).collect()
    };
    let value = emitted(source, options);
    assert_eq!(value.get("regions"), None);
    assert_eq!(names(&value, 1), ["global_offset"]);
    assert_eq!(value["kernels"][2]["work_group_size"], json!({ "fixed": [8, 2, 1] }));
    let value = emitted(source, &format!("{options} --work-group-regions"));
    assert_eq!(value["regions"], "any_size");
    let all = [
        "global_offset",
        "enqueued_local_size",
        "global_size",
        "region_offset",
        "num_groups",
        "region_group_offset",
    ];
    assert_eq!(names(&value, 0), all);
    assert_eq!(names(&value, 1), ["region_offset"]);
    assert_eq!(names(&value, 2), [""; 0]);
    let required = json!({ "constants": [0, 1, 2], "required": [8, 2, 1] });
    assert_eq!(value["kernels"][2]["work_group_size"], required);
    let uniform = format!("{options} --work-group-regions -cl-uniform-work-group-size");
    let value = emitted(source, &uniform);
    assert_eq!(value["regions"], "one_size");
    assert_eq!(names(&value, 0), [&all[..1], &all[2..]].concat());
    assert_eq!(value["kernels"][2]["work_group_size"], json!({ "fixed": [8, 2, 1] }));
    let folder = Folder::new();
    folder.write("k.cl", source);
    let line = format!("{options} --work-group-regions k.cl -o k.spv --reflection k.json");
    assert_eq!(folder.clc(&line).code, Some(0));
    let text = folder.clc("inspect k.spv --reflection k.json").text();
    for part in [
        "regions           a launch may be cut, work-groups at the edge may be smaller\n",
        "enqueued local size at ",
        "global size at ",
        "region offset at ",
        "number of groups at ",
        "region group offset at ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let again = folder.clc("inspect --format=json k.spv --reflection k.json").text();
    assert_eq!(again, String::from_utf8(folder.read("k.json")).unwrap());
}

#[test]
fn sizes_of_images_without_accesses_are_asked_of_the_host() {
    let source = "kernel void k(read_only image2d_array_t a, write_only image3d_t b, read_only image2d_t c,\n\
                  global long *p) { p[0] = get_image_width(a) + get_image_array_size(a) + get_image_depth(b);\n\
                  p[1] = get_image_width(c) + read_imageui(c, (int2)(0, 0)).x; }\n";
    let options = "--target-env=vulkan1.3 -cl-std=CL2.0";
    let value = emitted(source, options);
    let implicit = value["kernels"][0]["implicit"].as_array().unwrap();
    let asked: Vec<(&str, u64)> = implicit
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), one["argument"].as_u64().unwrap()))
        .collect();
    assert_eq!(asked, [("image_width", 0), ("image_array_size", 0), ("image_depth", 1)]);
    let folder = Folder::new();
    folder.write("k.cl", source);
    folder.clc(&format!("{options} k.cl -o k.spv --reflection k.json"));
    let text = folder.clc("inspect k.spv --reflection k.json").text();
    assert!(text.contains("image array size of argument 0 at "), "{text}");
    let again = folder.clc("inspect --format=json k.spv --reflection k.json").text();
    assert_eq!(again, String::from_utf8(folder.read("k.json")).unwrap());
}

#[test]
fn hints_are_those_of_the_source() {
    let source = "kernel __attribute__((work_group_size_hint(16, 4, 1))) \
                  __attribute__((vec_type_hint(uint4))) void k(global int *p) { *p = 1; }\n\
                  kernel void none(global int *p) { *p = 2; }\n";
    for options in ["", "--target-env=vulkan1.3"] {
        let value = emitted(source, options);
        let kernel = &value["kernels"][0];
        assert_eq!(kernel["work_group_size_hint"], json!([16, 4, 1]), "{options}");
        assert_eq!(kernel["vec_type_hint"], "uint4", "{options}");
        assert_eq!(value["kernels"][1]["work_group_size_hint"], Value::Null, "{options}");
    }
}

#[test]
fn a_part_for_vulkan_has_no_reflection() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    for options in ["--emit=reflection", "--reflection k.json -o k.o"] {
        let ran = folder.clc(&format!("-c --target-env=vulkan1.3 k.cl {options}"));
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains("when it is linked"), "{}", ran.stderr);
    }
    assert_eq!(folder.clc("-c k.cl -o k.spv --reflection k.json").code, Some(0));
}

#[test]
fn the_command_shows_modules() {
    let folder = Folder::new();
    folder.write("k.cl", TYPES);
    folder.write("lib.cl", "int next(int x) { return x + 1; }\n");
    folder.write("main.cl", "int next(int x);\nkernel void n(global int *p) { *p = next(*p); }\n");
    for line in [
        "k.cl -o k.spv",
        "-c lib.cl -o lib.spv",
        "-c main.cl -o main.spv",
        "link lib.spv main.spv -o linked.spv",
    ] {
        let ran = folder.clc(line);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
    }
    let shows = |line: &str, wanted: &[&str]| {
        let ran = folder.clc(line);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
        let text = ran.text();
        wanted.iter().for_each(|wanted| assert!(text.contains(wanted), "{line}: {wanted}\n{text}"));
        text
    };
    let text = shows("inspect k.spv", &["k.spv: SPIR-V 1.2 for OpenCL", "kernel k", "struct link"]);
    assert!(!text.contains('\x1b'));
    shows("inspect --color=always k.spv", &["\x1b[1mkernel k\x1b[0m"]);
    shows("inspect -S k.spv", &["OpEntryPoint Kernel", "OpFunctionEnd"]);
    shows("inspect --validate k.spv", &["kernel k"]);
    let json = shows("inspect --format=json k.spv", &["\"scratch\""]);
    follows_the_schema(&schema(), &json);
    let linked = shows("inspect linked.spv", &["kernel n"]);
    assert!(!linked.contains("imports"), "{linked}");
    shows("inspect main.spv", &["imports\n    function  next"]);
    // In the other byte order it is the same module.
    let swapped: Vec<u8> =
        folder.read("k.spv").chunks_exact(4).flat_map(|word| word.iter().rev().copied()).collect();
    folder.write("swapped.spv", swapped);
    let swapped = shows("inspect swapped.spv", &["swapped.spv: SPIR-V 1.2"]);
    assert_eq!(swapped.replace("swapped.spv", "k.spv"), text);
    assert_eq!(folder.clc("inspect --diff k.spv swapped.spv").code, Some(0));
    let module = folder.read("k.spv");
    let ran = folder.clc_with_input("inspect -", &module);
    assert_eq!(ran.text().replace("<stdin>", "k.spv"), text);
}

#[test]
fn what_cannot_be_inspected_is_refused() {
    let folder = Folder::new();
    folder.write("k.cl", GOOD);
    folder.write("odd.spv", "\x03\x02\x23\x07?");
    folder.write("empty.spv", "");
    assert_eq!(folder.clc("k.cl -o k.spv").code, Some(0));
    let module = folder.read("k.spv");
    folder.write("cut.spv", &module[..module.len() - 4]);
    folder.write("shorter.spv", &module[..module.len() - 12]);
    let mut huge = module.clone();
    huge[12..16].fill(0xff);
    folder.write("huge.spv", huge);
    let mut unknown = module[..20].to_vec();
    unknown.extend((2u32 << 16 | 0x7fff).to_le_bytes());
    unknown.extend([0; 4]);
    folder.write("unknown.spv", unknown);
    for (line, code, words) in [
        ("inspect k.cl", 1, "error[E0720]"),
        ("inspect empty.spv", 1, "it is too short"),
        ("inspect odd.spv", 1, "no multiple of four"),
        ("inspect cut.spv", 1, "it ends inside a function"),
        ("inspect shorter.spv", 1, "has a length that cannot be"),
        ("inspect --disassemble unknown.spv", 1, "is unknown"),
        ("inspect --validate huge.spv", 1, "error[E0726]"),
        ("inspect --validate --target-env=vulkan1.3 k.spv", 1, "error[E0726]"),
        ("inspect --diff k.spv k.cl", 1, "error[E0720]"),
        ("inspect --message-format=short k.cl", 1, "error[E0720]: `k.cl` cannot be inspected"),
        ("inspect", 2, "no module"),
        ("inspect absent.spv", 2, "absent.spv"),
        ("inspect k.spv k.spv", 2, "--diff"),
        ("inspect --diff k.spv", 2, "two modules"),
        ("inspect --diff --format=json k.spv k.spv", 2, "form of its own"),
        ("inspect -S --format=json k.spv", 2, "only one"),
        ("inspect --target-env=opencl1.2 k.spv", 2, "--validate"),
        ("inspect --validate --target-env=metal k.spv", 2, "opencl3.0"),
        ("inspect --format=xml k.spv", 2, "xml"),
    ] {
        let ran = folder.clc(line);
        assert_eq!(ran.code, Some(code), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{line}");
    }
    let ran = folder.clc("inspect unknown.spv");
    assert_eq!(ran.code, Some(0));
    assert!(ran.text().contains("instruction 1 (opcode 32767) is unknown"), "{}", ran.text());
}

#[test]
fn differences_are_those_that_matter() {
    let folder = Folder::new();
    let source = "kernel void a(global int *p, int by) { p[0] = p[1] - by; p[2] = by * 3; }\n\
                  kernel void b(global float *q) { q[0] = 1; }\n";
    folder.write("a.cl", source);
    // One more function before it gives all ids other numbers.
    folder.write("moved.cl", format!("kernel void z(global long *z) {{ z[0] = 3; }}\n{source}"));
    folder.write("swapped.cl", source.replace("p[1] - by", "by - p[1]"));
    folder.write("more.cl", source.replace("by * 3", "by * 3 + 1"));
    folder.write("other.cl", source.replace("float *q", "uint4 *q"));
    for name in ["a", "moved", "swapped", "more", "other"] {
        assert_eq!(folder.clc(&format!("-O0 {name}.cl -o {name}.spv")).code, Some(0), "{name}");
    }
    let diff = |other: &str| {
        let ran = folder.clc(&format!("inspect --diff a.spv {other}.spv"));
        assert_eq!(ran.stderr, "");
        (ran.code, ran.text())
    };
    assert_eq!(diff("a"), (Some(0), String::new()));
    let (code, text) = diff("moved");
    assert_eq!(code, Some(1));
    assert!(text.contains("@@ function z: only in moved.spv"), "{text}");
    assert!(text.contains("+ kernel z") && !text.contains("@@ function a"), "{text}");
    let (code, text) = diff("swapped");
    assert_eq!(code, Some(1));
    assert!(text.contains("@@ function a") && text.contains("OpISub"), "{text}");
    assert!(!text.contains("@@ function b"), "{text}");
    let (_, text) = diff("more");
    let changed = text.lines().filter(|line| line.starts_with(['+', '-'])).count();
    assert!(changed <= 6, "{changed} lines:\n{text}");
    let (_, text) = diff("other");
    assert!(text.contains("-     0  q     float*"), "{text}");
    assert!(text.contains("+     0  q     uint4*"), "{text}");
    let ran = folder.clc("inspect --diff --color=always a.spv more.spv");
    assert!(ran.text().contains("\x1b[32m+ "), "{}", ran.text());
}

#[test]
fn names_do_not_reach_the_terminal_as_they_are() {
    let words = assembled(
        "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\n\
         OpEntryPoint Kernel %f \"\u{1b}[2Jname\u{202e}\"\n%v = OpTypeVoid\n\
         %t = OpTypeFunction %v\n%f = OpFunction %v None %t\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
    );
    let text = table(&words);
    assert!(text.contains("kernel \\u{1b}[2Jname\\u{202e}"), "{text}");
}

/// The modules that are damaged.
fn samples() -> Vec<Vec<u32>> {
    let folder = Path::new("tests/inspect");
    let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    let ours = clc_golden::files(folder, "cl");
    let ours = ours.iter().map(|path| compiled(&read(path)).words().unwrap().to_vec());
    let others = clc_golden::files(folder, "spvasm");
    ours.chain(others.iter().map(|path| assembled(&read(path)))).collect()
}

#[test]
fn damaged_modules_are_described_or_refused() {
    let mut described = 0u32;
    let mut look = |words: &[u32]| {
        if let Ok(description) = reflection::describe(words) {
            described += 1;
            assert!(reflection::table("m", &description, None, true).len() < 1 << 20);
            assert!(reflection::json(&description, None, None).len() < 1 << 20);
        }
    };
    // xorshift: the same damage every time.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let samples = samples();
    for words in &samples {
        (0..words.len()).step_by(words.len() / 64 + 1).for_each(|end| look(&words[..end]));
        for _ in 0..300 {
            let mut damaged = words.clone();
            for _ in 0..=random() % 4 {
                let place = random() as usize % damaged.len();
                damaged[place] = match random() % 4 {
                    0 => random() as u32,
                    1 => damaged[place] ^ 1 << (random() % 32),
                    2 => damaged[random() as usize % words.len()],
                    _ => damaged[place] & 0xffff_0000 | random() as u32 & 0x3f,
                };
            }
            look(&damaged);
        }
    }
    assert!(described > 100, "{described}");
}

#[test]
fn damaged_modules_are_compared_and_disassembled() {
    let folder = Folder::new();
    let mut state = 7u32;
    for (number, words) in samples().iter().enumerate() {
        let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
        folder.write("whole.spv", bytes(words));
        for turn in 0..3 {
            let mut damaged = words.clone();
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let place = 5 + state as usize % (damaged.len() - 5);
            damaged[place] ^= 1 << (state >> 27);
            folder.write("damaged.spv", bytes(&damaged));
            for line in [
                "inspect --diff whole.spv damaged.spv",
                "inspect -S damaged.spv",
                "inspect --validate damaged.spv",
            ] {
                let ran = folder.clc(line);
                assert!(matches!(ran.code, Some(0 | 1)), "{number} {turn} {line}: {}", ran.stderr);
            }
        }
    }
}

/// A module of many small instructions, made by `body` for each number.
fn large(count: usize, before: &str, body: impl Fn(usize) -> String) -> Vec<u32> {
    let mut text = String::from(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n\
         OpMemoryModel Physical64 OpenCL\n",
    );
    text.push_str(before);
    (0..count).for_each(|number| text.push_str(&body(number)));
    assembled(&text)
}

#[test]
fn time_and_memory_follow_the_size() {
    let start = Instant::now();
    let function = "%void = OpTypeVoid\n%t = OpTypeFunction %void\n%f = OpFunction %void None %t\n\
                    %l = OpLabel\nOpReturn\nOpFunctionEnd\n";
    let entries: String =
        (0..20_000).map(|n| format!("OpEntryPoint Kernel %f \"k{n}\"\n")).collect();
    // Many entry points of one function, with many modes.
    let modes: String =
        (0..20_000).map(|_| "OpExecutionMode %f ContractionOff\n".to_owned()).collect();
    let words = large(1, &format!("{entries}{modes}{function}"), |_| String::new());
    assert_eq!(described(&words).kernels.len(), 20_000);
    // Arrays of arrays of arrays, and pointers to pointers.
    let before = "%void = OpTypeVoid\n\
                  %uint = OpTypeInt 32 0\n%two = OpConstant %uint 2\n%a0 = OpTypeArray %uint %two\n\
                  %p0 = OpTypePointer CrossWorkgroup %a0\n";
    let words = large(20_000, before, |n| {
        format!(
            "%a{0} = OpTypeArray %a{n} %two\n%p{0} = OpTypePointer CrossWorkgroup %p{n}\n",
            n + 1
        )
    });
    described(&words);
    // Each function calls the one before it, and each is a kernel's.
    let before: String = (0..2_000)
        .map(|n| format!("OpEntryPoint Kernel %f{n} \"k{n}\"\n"))
        .chain(["%void = OpTypeVoid\n%t = OpTypeFunction %void\n".to_owned()])
        .collect();
    let words = large(4_000, &before, |n| {
        let call = match n {
            0 => String::new(),
            n => format!("%c{n} = OpFunctionCall %void %f{}\n", n - 1),
        };
        format!(
            "%f{n} = OpFunction %void None %t\n%l{n} = OpLabel\n{call}OpReturn\nOpFunctionEnd\n"
        )
    });
    let description = described(&words);
    assert_eq!(description.kernels[1_000].local_memory, Some(0));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
