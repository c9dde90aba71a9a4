//! Launches that `Builder::generate` writes: they compile against the real crates without warnings, and wrong
//! arguments do not.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use clc_build::{Builder, Launch, TargetEnv, Version};
use common::Folder;

const OPENCL: TargetEnv = TargetEnv::OpenCl { major: 3, minor: 0 };
const VULKAN: TargetEnv = TargetEnv::Vulkan { major: 1, minor: 3 };

/// A host for `opencl3`; the first argument of `enqueue` is the queue.
const OPENCL3: &str = "\
mod kernels { include!(\"kernels.rs\"); }
use kernels::{Global, hard, saxpy};
use opencl3::{command_queue::CommandQueue, context::Context, event::Event, kernel::Kernel, memory::*, Result};
pub unsafe fn simple(context: &Context, queue: &CommandQueue, x: &Buffer<f32>, y: &Buffer<f32>) -> Result<Event> {
    let program = saxpy::Program::build(context, \"\")?;
    let launcher = saxpy::saxpy::Launcher::new(&program)?;
    let arguments = saxpy::saxpy::Arguments { /* arguments */ };
    let range = Global::new([64]).local([8]);
    let first = unsafe { launcher.enqueue(queue, range, arguments, &[])? };
    unsafe { launcher.enqueue(queue, [64, 1], arguments, &[first.get()]) }
}
pub unsafe fn whole(context: &Context, queue: &CommandQueue, one: &Image, sampler: &Sampler,
                    items: &Buffer<hard::types::Item>, tight: &Buffer<hard::types::tight>, y: &Buffer<f32>,
                    z: &Buffer<i32>) -> Result<Event> {
    let constants = hard::Constants { constant7: 3, ..Default::default() };
    assert!(constants.constant9 && constants.constant8 == 1.5);
    let program = hard::Program::build(context, \"\", &constants)?;
    let arguments = hard::all::Arguments {
        item: hard::types::Item::ZERO, self_: kernels::vector::Float4([0.0; 4]),
        items, type_: tight, anything: y, scratch: 64, bytes: 3, in_: one, out: one, texels: one, sampler,
        constant_data: z,
    };
    unsafe { hard::all::Launcher::new(&program)?.enqueue(queue, [64, /* sizes */ 2], arguments, &[])? };
    unsafe { hard::Constants_::Launcher::new(&program)?.enqueue(queue, [1], hard::Constants_::Arguments {}, &[])? };
    let arguments = hard::large::Arguments {
        values: hard::types::large { values: [1; 100] }, number: hard::types::number { d: 1.0 },
        tight: hard::types::tight { a: 1, b: 2 }, out: z, type_: 3,
    };
    unsafe { hard::large::Launcher::new(&program)?.enqueue(queue, [1], arguments, &[]) }
}
pub fn existing(kernel: Kernel) -> saxpy::saxpy::Launcher { saxpy::saxpy::Launcher(kernel) }
";

const ASH: &str = "\
mod kernels { include!(\"kernels.rs\"); }
use kernels::{Address, hard, saxpy};
use ash::{Device, vk};
pub unsafe fn simple(device: &Device, commands: vk::CommandBuffer, x: Address<f32>, y: Address<f32>) -> Result<(), vk::Result> {
    unsafe {
        let module = saxpy::Module::new(device)?;
        let sizes = saxpy::saxpy::Specialization { work_group_size: [64, 1, 1] };
        let pipeline = saxpy::saxpy::Pipeline::new(device, &module, vk::PipelineCache::null(), &sizes)?;
        let arguments = saxpy::saxpy::Arguments { /* arguments */ };
        pipeline.dispatch(device, commands, [1000], &arguments);
        pipeline.dispatch(device, commands, [1000, 2, 3], &saxpy::saxpy::Arguments { y: y.add(3), ..arguments });
        pipeline.destroy(device);
        module.destroy(device);
    }
    Ok(())
}
pub unsafe fn whole(device: &Device, commands: vk::CommandBuffer, pool: vk::DescriptorPool, view: vk::ImageView,
                    texels: vk::BufferView, samplers: [vk::Sampler; 1]) -> Result<(), vk::Result> {
    let constants = hard::Constants { constant7: 3, ..Default::default() };
    let at = kernels::Global { offset: [3, 4], size: [64, /* sizes */ 2] };
    assert_eq!(hard::all::POOL_SIZES.len(), 4);
    let data = hard::PROGRAM_DATA[0].bytes(&[16]);
    assert_eq!(data.len(), 16);
    assert_eq!(hard::PRINTF_FORMATS[0].arguments.len(), 3);
    assert!(hard::samplers()[0].mag_filter == vk::Filter::LINEAR);
    unsafe {
        let module = hard::Module::new(device)?;
        let sizes = hard::all::Specialization { scratch: 64, bytes: 3, constants };
        let pipeline = hard::all::Pipeline::new(device, &module, vk::PipelineCache::null(), &sizes)?;
        let sets = pipeline.parts.allocate(device, pool)?;
        hard::all::Descriptors { in_: view, out: view, texels, sampler: samplers[0] }.write(device, sets[0]);
        hard::write_samplers(device, sets[1], &samplers);
        let arguments = hard::all::Arguments {
            item: hard::types::Item::ZERO, self_: kernels::vector::Float4([0.0; 4]),
            items: Address::new(16), type_: Address::NULL, anything: Address::NULL, constant_data: Address::NULL,
            global_data: Address::NULL, printf_buffer: Address::new(64), in__channel_order: 0x10B5,
        };
        pipeline.dispatch(device, commands, at, &arguments, &sets);
        let sizes = hard::large::Specialization { work_group_size: [1; 3], constants };
        let large = hard::large::Pipeline::new(device, &module, vk::PipelineCache::null(), &sizes)?;
        let values = hard::types::large { values: [1; 100] };
        let mut block = [0u8; hard::large::Arguments::SIZE];
        let (number, tight) = (hard::types::number { d: 1.0 }, hard::types::tight { a: 1, b: 2 });
        let arguments = hard::large::Arguments { values, number, tight, out: Address::NULL, type_: 3, global_data: Address::NULL };
        arguments.write(&at, block.as_mut_ptr());
        large.dispatch(device, commands, at, Address::new(256), &sets);
    }
    Ok(())
}
";

/// What a launch that may be cut into regions gives each of them.
const REGIONS: &str = "\
mod kernels { include!(\"kernels.rs\"); }
use kernels::{Address, Global, regions::{self, all, required}};
use ash::{Device, vk};
pub unsafe fn cut(device: &Device, module: &regions::Module, commands: vk::CommandBuffer) -> Result<(), vk::Result> {
    for region in Global::new([1000, 3]).regions([4, 2, 1], [65535; 3]) {
        let size = required::Specialization { work_group_size: region.local_size };
        unsafe {
            let pipeline = required::Pipeline::new(device, module, vk::PipelineCache::null(), &size)?;
            pipeline.dispatch(device, commands, region, &required::Arguments { out: Address::NULL });
        }
    }
    Ok(())
}
fn main() {
    let _ = cut;
    let launch = Global { offset: [1 << 40, 7], size: [11, 5] };
    let regions = launch.regions([4, 3, 1], [1, 9, 9]);
    let sizes: Vec<_> = regions.iter().map(|region| region.local_size).collect();
    assert_eq!(sizes, [[4, 3, 1], [4, 3, 1], [3, 3, 1], [4, 2, 1], [4, 2, 1], [3, 2, 1]]);
    let mut block = [0u8; all::Arguments::SIZE];
    unsafe { all::Arguments { out: Address::new(16) }.write(&regions[4], block.as_mut_ptr()) };
    let mut expected = Vec::new();
    let mut put = |bytes: &[&[u8]]| bytes.iter().for_each(|bytes| expected.extend_from_slice(bytes));
    let long = |numbers: [u64; 3]| numbers.map(u64::to_le_bytes).concat();
    let word = |numbers: [u32; 3]| numbers.map(u32::to_le_bytes).concat();
    put(&[&16u64.to_le_bytes()]);
    put(&[&long([1 << 40, 7, 0]), &2u32.to_le_bytes(), &word([4, 3, 1]), &long([11, 5, 1])]);
    put(&[&long([(1 << 40) + 4, 10, 0]), &word([3, 2, 1]), &word([1, 1, 0])]);
    assert_eq!(block[..], expected[..]);
}
";

/// What stands for the comment in the hosts.
const ARGUMENTS: &str = "a: 2.0, x: /* x */ x, y, n: 64";

/// Changes of a host that is right, and what rustc says of them.
const WRONG: [(&str, &str, &str); 6] = [
    ("a: 2.0, ", "", "missing field `a`"),
    ("n: 64", "n: 64, m: 1", "no field named `m`"),
    ("n: 64", "n: 64.0", "mismatched types"),
    ("a: 2.0", "a: 2.0f64", "mismatched types"),
    ("x: /* x */ x", "y: x", "field `y` specified more than once"),
    ("[64, 1]", "[64, 1, 1, 1]", "one, two or three dimensions"),
];

#[test]
fn launches_with_opencl3_compile_and_wrong_ones_do_not() {
    let folder = generated("opencl3", Launch::Opencl3, OPENCL);
    let check = |host: &str, edition: &str| check(&folder, "opencl3", host, edition);
    for edition in ["2021", "2024"] {
        check(&OPENCL3.replace("/* arguments */", ARGUMENTS), edition).unwrap();
    }
    let more = [
        ("x: &Buffer<f32>", "x: &Buffer<i32>", "mismatched types"),
        ("[64, /* sizes */ 2]", "Global::new([64, 2]).local([8, 1])", "the trait bound"),
        ("[64, /* sizes */ 2]", "[64]", "the kernel has 2 to 3 dimensions"),
        ("in_: one", "in_: sampler", "mismatched types"),
        (
            "hard::all::Launcher::new(&program)",
            "saxpy::saxpy::Launcher::new(&program)",
            "mismatched types",
        ),
    ];
    refused(OPENCL3, WRONG.iter().chain(&more), |host| check(host, "2024"));
}

#[test]
fn launches_with_ash_compile_and_wrong_ones_do_not() {
    let folder = generated("ash", Launch::Ash, VULKAN);
    let check = |host: &str, edition: &str| check(&folder, "ash", host, edition);
    for edition in ["2021", "2024"] {
        check(&ASH.replace("/* arguments */", ARGUMENTS), edition).unwrap();
    }
    let more = [
        ("x: Address<f32>", "x: Address<u32>", "mismatched types"),
        ("work_group_size: [64, 1, 1]", "", "missing field `work_group_size`"),
        ("scratch: 64, bytes: 3, ", "scratch: 64, ", "missing field `bytes`"),
        (
            "{ scratch: 64",
            "{ work_group_size: [8, 8, 1], scratch: 64",
            "no field named `work_group_size`",
        ),
        ("[1000, 2, 3]", "[1000, 2, 3, 4]", "one, two or three dimensions"),
        ("sampler: samplers[0] }", "sampler: view }", "mismatched types"),
        ("at, &arguments, &sets", "at, &arguments", "arguments"),
        (
            "Pipeline::new(device, &module, vk::PipelineCache::null(), &sizes)?;\n        let sets",
            "Pipeline::new(device, &saxpy::Module::new(device)?, vk::PipelineCache::null(), &sizes)?;\n        let sets",
            "incompatible types",
        ),
    ];
    refused(ASH, WRONG[..5].iter().chain(&more), |host| check(host, "2024"));
}

#[test]
fn regions_of_a_launch_are_told_what_they_are() {
    let folder = Folder::new("launch-regions");
    let body = "*out = get_global_id(0) + get_global_offset(1) + get_global_size(0) + get_group_id(0) + \
                get_num_groups(1) + get_enqueued_local_size(0) + get_work_dim();";
    let source = format!(
        "kernel void all(global ulong *out) {{ {body} }}\n\
         kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(global ulong *out) {{ *out = 1; }}"
    );
    let kernel = folder.write("regions.cl", &source);
    let builder = Builder::new().version(Version::V3_0).target(VULKAN).launch(Launch::Ash);
    builder.work_group_regions().out_dir(&folder.0).try_generate([kernel]).unwrap();
    let program = folder.0.join("host");
    for edition in ["2021", "2024"] {
        let what = ["--crate-type", "bin", "--emit", "link"];
        compile(&folder, "ash", REGIONS, edition, &what).unwrap();
        assert!(Command::new(&program).status().unwrap().success());
    }
}

/// Each change is an error that says what is wrong.
fn refused<'a>(
    host: &str,
    changes: impl Iterator<Item = &'a (&'a str, &'a str, &'a str)>,
    check: impl Fn(&str) -> Result<(), String>,
) {
    let right = host.replace("/* arguments */", ARGUMENTS);
    for (from, to, said) in changes {
        let wrong = right.replacen(from, to, 1);
        assert_ne!(wrong, right, "`{from}` is in the host");
        let errors = check(&wrong).expect_err(&format!("`{to}` for `{from}` is wrong"));
        assert!(errors.contains(said), "`{to}` for `{from}`:\n{errors}");
    }
}

#[test]
fn what_is_generated_for_a_kernel_is_as_it_was() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/launch");
    for (name, launch, target) in
        [("opencl3", Launch::Opencl3, OPENCL), ("ash", Launch::Ash, VULKAN)]
    {
        let folder = Folder::new(&format!("golden-{name}"));
        let builder = Builder::new().target(target).launch(launch).out_dir(&folder.0);
        let module = builder.try_generate([here.join("saxpy.cl")]).unwrap();
        let text = std::fs::read_to_string(module).unwrap();
        let own = text.find("\n#[allow(dead_code, missing_docs").unwrap();
        let golden = here.join(format!("saxpy.{name}.txt"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, &text[own..]).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(text[own..], expected, "{}: `BLESS=1` writes it", golden.display());
    }
}

#[test]
fn a_launch_for_another_target_is_an_error() {
    let folder = Folder::new("target");
    let kernel = folder.write("k.cl", "kernel void k(global int *p) { *p = 1; }");
    for (launch, target) in [(Launch::Opencl3, VULKAN), (Launch::Ash, OPENCL)] {
        let builder = Builder::new().target(target).launch(launch).out_dir(&folder.0);
        assert!(builder.try_generate([&kernel]).is_err());
        assert!(!folder.0.join("kernels.rs").exists());
    }
}

fn generated(name: &str, launch: Launch, target: TargetEnv) -> Folder {
    let folder = Folder::new(&format!("launch-{name}"));
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/launch");
    let builder = Builder::new().version(Version::V2_0).target(target).launch(launch);
    let files = [here.join("saxpy.cl"), here.join("hard.cl")];
    builder.out_dir(&folder.0).try_generate(files).unwrap();
    folder
}

/// Compiles a host that uses a crate, with warnings as errors; what rustc says if it does not.
///
/// Numbers of dimensions are checked where code is made.
fn check(folder: &Folder, library: &str, host: &str, edition: &str) -> Result<(), String> {
    let has_code = edition == "2021" || host.contains("[64]") || host.contains("1, 1]");
    let emit = if has_code { "link" } else { "metadata" };
    compile(folder, library, host, edition, &["--crate-type", "lib", "--emit", emit])
}

fn compile(
    folder: &Folder,
    library: &str,
    host: &str,
    edition: &str,
    what: &[&str],
) -> Result<(), String> {
    let source = folder.write("host.rs", host);
    let dependencies = dependencies();
    let output = Command::new("rustc")
        .args(["--edition", edition, "-D", "warnings", "-C", "debuginfo=0", "--out-dir"])
        .arg(&folder.0)
        .args(what)
        .arg("--extern")
        .arg(format!("{library}={}", newest(&dependencies, library).display()))
        .arg("-L")
        .arg(format!("dependency={}", dependencies.display()))
        .arg(source)
        .output()
        .unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Where cargo puts what this test was linked with.
fn dependencies() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// The library of a crate that was compiled last: cargo keeps those of other features beside it.
fn newest(folder: &Path, name: &str) -> PathBuf {
    let prefix = format!("lib{name}-");
    let libraries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    libraries
        .filter(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.starts_with(&prefix) && file.ends_with(".rlib")
        })
        .max_by_key(|path| {
            path.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
        })
        .unwrap_or_else(|| panic!("{name} is a dependency of the tests"))
}
