//! What `Builder::generate` writes compiles, and its structs have the layout of the device.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use clc_build::{Builder, TargetEnv, Version};
use common::Folder;

/// Kernels whose names and structs are hard to have in Rust.
const STRUCTS: &str = "\
typedef struct { float3 position; char kind; int cells[2][3]; } Item;
struct __attribute__((packed)) tight { char a; int b; float4 c; Item inner; short d[3]; };
struct __attribute__((packed)) tighter { struct tight one; char end; };
struct __attribute__((aligned(32))) wide { int type; uchar self[5]; };
struct odd { char a; __attribute__((packed)) int b; double8 c; };
struct __attribute__((packed, aligned(4))) strange { char a; int b; };
union number { int i; float f; double d[2]; uchar bytes[3]; };
struct node { global struct node *next; union number value; struct { int x, padding4; } where; };
struct u8 { int r, _; };
kernel __attribute__((reqd_work_group_size(8, 2, 1)))
void type(Item item, global struct tighter *tight, constant struct wide *match, global struct odd *odd,
          global struct node *first, global struct strange *s, local ushort3 *scratch, float x,
          global float4 *self, read_only image2d_t image, sampler_t sampler, global struct u8 *e)
{
    self[0] = x;
}
kernel void types(void) {}
";

const HOST: &str = r#"
mod kernels { include!("kernels.rs"); }
use kernels::{hard, simple};
fn main() {
    assert_eq!(hard::WORDS[0], 0x0723_0203);
    assert_eq!(4 * hard::WORDS.len(), hard::BYTES.len());
    assert!(hard::REFLECTION.contains("\"kernels\""));
    let kernel = hard::type_::KERNEL;
    assert_eq!(kernel.name, "type");
    assert_eq!(kernel.required_work_group_size, Some([8, 2, 1]));
    assert_eq!(kernel.arguments.len(), 12);
    assert_eq!(kernel.arguments[6].kind, kernels::ArgumentKind::Local);
    assert_eq!((kernel.arguments[7].name, kernel.arguments[7].size), ("x", 4));
    let item: hard::type_::argument::item =
        hard::types::Item { kind: 3, cells: [[1; 3]; 2], ..hard::types::Item::ZERO };
    assert_eq!(std::mem::size_of_val(&item), 48);
    let x: hard::type_::argument::x = 1.5;
    let scratch: hard::type_::argument::scratch = kernels::vector::UShort3([1, 2, 3, 0]);
    assert_eq!((item.kind, x, scratch.0[2]), (3, 1.5, 3));
    assert_eq!(hard::types_::KERNEL.arguments.len(), 0);
    assert_eq!(simple::twice::KERNEL.required_work_group_size, None);
    println!("fine");
}
"#;

fn rustc(folder: &Path, source: &Path, edition: &str) -> PathBuf {
    let program = folder.join("host");
    let output = Command::new("rustc")
        .args(["--edition", edition, "-D", "warnings", "-o"])
        .arg(&program)
        .arg(source)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    program
}

#[test]
fn the_module_compiles_and_has_the_layout_of_the_device() {
    let folder = Folder::new("layout");
    let files = [
        folder.write("hard.cl", STRUCTS),
        folder.write("simple.cl", "kernel void twice(global int *p) { p[0] *= 2; }\n"),
    ];
    let host = folder.write("host.rs", HOST);
    for (target, edition) in [
        (TargetEnv::OpenCl { major: 3, minor: 0 }, "2021"),
        (TargetEnv::Vulkan { major: 1, minor: 3 }, "2024"),
    ] {
        let builder = Builder::new().version(Version::V1_2).target(target).out_dir(&folder.0);
        let module = builder.try_generate(&files).unwrap();
        assert_eq!(module, folder.0.join("kernels.rs"));
        let text = std::fs::read_to_string(&module).unwrap();
        assert!(text.contains("/// `struct node`") && !text.contains("struct arguments"), "{text}");
        let program = rustc(&folder.0, &host, edition);
        let output = Command::new(program).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}");
    }
}

#[test]
fn errors_of_all_files_are_said_and_nothing_is_generated() {
    let folder = Folder::new("errors");
    let good = folder.write("good.cl", "kernel void k(global int *p) { *p = 1; }");
    let bad = folder.write("bad.cl", "kernel void k(global int *p) { *p = q; }");
    let builder = Builder::new().out_dir(&folder.0);
    assert!(builder.try_generate([&bad, &good]).is_err());
    assert!(folder.0.join("good.spv").exists(), "the other file is compiled all the same");
    assert!(!folder.0.join("kernels.rs").exists());
    assert!(builder.try_generate([&good, &good]).is_err(), "two modules of one name");
    assert!(builder.try_generate([&folder.0.join("absent.cl")]).is_err());
    assert!(builder.try_generate([&good]).is_ok());
}
