//! How precise the instructions of a device are: `clc-run-vulkan --measure-precision`.
//!
//! The kernels of `measure.cl` compare them on the device itself with bodies of the library, which need no
//! more than what Vulkan promises. Functions of one float are compared for every float, others for as many
//! random arguments as are asked for, half of which are hard cases.

use clc::profile::{DeviceProfile, Instruction, Measured};
use clc::{OptLevel, Options, TargetEnv, Version};

use super::reflection::Reflection;
use super::{Buffer, Device, Failure, Launch, Place, Program, Setting};

/// An instruction with its kernel; whether all arguments are compared.
const KERNELS: [(Instruction, &str, bool); 12] = [
    (Instruction::DivideF32, "divide_32", false),
    (Instruction::DivideF64, "divide_64", false),
    (Instruction::SqrtF32, "sqrt_32", true),
    (Instruction::SqrtF64, "sqrt_64", false),
    (Instruction::InverseSqrtF32, "inverse_sqrt_32", true),
    (Instruction::Exp2F32, "exp2_32", true),
    (Instruction::Log2F32, "log2_32", true),
    (Instruction::FmaF32, "fma_32", false),
    (Instruction::FmaF64, "fma_64", false),
    (Instruction::PackHalf, "pack_half", true),
    (Instruction::UnpackHalf, "unpack_half", true),
    (Instruction::StoreHalf, "store_half", true),
];

/// Values that a work-item compares, as `measure.cl` has them.
const TURNS: u64 = 64;

/// Values of a launch: no driver takes its time for that of a hanging shader.
const LAUNCH: u64 = 1 << 26;

/// The largest errors, and a half for each work-item to store to.
const BYTES: u64 = 16 + 2 * (LAUNCH / TURNS);

/// Measures all instructions, and calls `progress` with the name of each. Of functions of more than one
/// argument `values` are compared; of those of one every `step`-th float.
pub fn measure(
    device: &Device,
    values: u64,
    step: u64,
    mut progress: impl FnMut(&str),
) -> Result<Vec<(Instruction, Measured)>, Failure> {
    // Where fma is exact, divisions and roots are no instructions.
    let mut without_fma = DeviceProfile::of_exact_device();
    without_fma.set(Instruction::FmaF64, DeviceProfile::default().errors(Instruction::FmaF64));
    let program = |profile| -> Result<Program, Failure> {
        let (words, reflection) = compiled(profile)?;
        Program::new(device, &words, reflection)
    };
    let programs = [program(without_fma)?, program(DeviceProfile::of_exact_device())?];
    let mut measured = Vec::new();
    let step_bytes = step.to_le_bytes();
    for (instruction, kernel, is_exhaustive) in KERNELS {
        progress(kernel);
        let worst = Buffer::filled(device, &vec![0; BYTES as usize], Place::Host)?;
        let mut compared = 0;
        let all = if is_exhaustive { (1 << 32) / step } else { values };
        let mut start = 0u64;
        while start < all {
            let count = LAUNCH.min(all - start);
            let start_bytes = start.to_le_bytes();
            let items = [(count / TURNS).max(1) as usize];
            let mut arguments =
                vec![Setting::Address(worst.address()), Setting::Value(&start_bytes)];
            if is_exhaustive {
                arguments.push(Setting::Value(&step_bytes));
            }
            let launch = Launch { kernel, global: &items, arguments, ..Launch::default() };
            let program = &programs[usize::from(instruction == Instruction::FmaF64)];
            program.prepare(&launch)?.run()?;
            compared += count;
            start += count;
        }
        let bytes = worst.read()?;
        let (words, _) = bytes.as_chunks::<4>();
        let units = |class: usize| f64::from(f32::from_le_bytes(words[class]));
        let errors = Measured {
            normal: units(0),
            small_arguments: units(1),
            small_results: units(2),
            is_special_right: units(3) == 0.0,
            values: compared,
        };
        measured.push((instruction, errors));
    }
    Ok(measured)
}

fn compiled(profile: DeviceProfile) -> Result<(Vec<u32>, Reflection), Failure> {
    let files = clc_builtins::library::FILES;
    let text = format!(
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n{}\n{}",
        clc_builtins::library::text(files),
        include_str!("precision/measure.cl")
    );
    let mut options = Options {
        version: Version::V1_2,
        target: TargetEnv::Vulkan { major: 1, minor: 3 }.into(),
        opt_level: OptLevel::O,
        describe: true,
        ..Options::default()
    };
    options.target.profile = profile;
    let mut compiler = clc::Compiler::new().with_options(options);
    let compiled = clc::guard::run(|| compiler.compile("measure.cl", text.as_str()))
        .map_err(|error| format!("clc: {}", error.message))?;
    let (Some(words), Some(description)) = (compiled.words(), &compiled.description) else {
        let style = clc::render::Style { format: clc::render::MessageFormat::Short, color: false };
        let said = clc::render::render_all(&compiled.diagnostics, &compiled.sources, style);
        return Err(format!("clc: {said}").into());
    };
    let json = clc::reflection::json(description, None, compiled.reflection.as_ref());
    Ok((words.to_vec(), Reflection::parse(&json)?))
}
