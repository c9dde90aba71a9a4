//! Products of square matrices: of halves summed as floats and of bytes summed as integers, by cooperative matrices
//! through Vulkan; of floats and of bytes, a tile in local memory at a time, from source by the OpenCL driver of the
//! same device. All factors are small integers or eighths of these, so that every sum is exact, in whatever order.

use clc::{Options, TargetEnv, Version};
use clc_tests::vulkan::Device;

use crate::suite::{Argument, Benchmark, Elements, source, step, value};
use crate::{Measured, opencl, vulkan};

/// The kernel of the example, for halves; with `BYTES` defined for bytes.
macro_rules! cooperative {
    () => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../examples/matrix-product/kernels/matmul.cl"
        ))
    };
}

/// What the kernels' tiles take.
const TILE: usize = 128;
/// The work-items of their groups.
const GROUP: usize = 256;
/// The tiles of the OpenCL driver's kernel.
const SMALL_TILE: usize = 16;
/// The sums that are compared with the host's.
const SAMPLES: usize = 997;

/// One product in both ways.
struct Product {
    name: &'static str,
    ours: Benchmark,
    theirs: Benchmark,
}

/// Whether every result was right.
pub fn run(words: &[String]) -> Result<bool, String> {
    let mut n = 8192;
    let mut rounds = 10;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let number = |word: Option<&String>| word.and_then(|word| word.parse().ok());
        match word.as_str() {
            "--rounds" => {
                rounds =
                    number(words.next()).filter(|&n| n > 0).ok_or("--rounds takes a number")?;
            }
            _ => {
                n = number(Some(word))
                    .filter(|&n| n > 0 && n % TILE == 0)
                    .ok_or_else(|| format!("`{word}` is no multiple of {TILE}"))?;
            }
        }
    }
    let device = Device::new().map_err(|error| error.to_string())?;
    println!("Vulkan: {}", device.name());
    let opencl = opencl::OpenCl::new()?;
    println!("OpenCL: {}", opencl.name());
    println!("\n| {n} x {n} x {n} | cooperative matrices | | OpenCL driver | | times as fast |");
    println!("|---|---:|---:|---:|---:|---:|");
    let mut all_right = true;
    for product in [halves(n), bytes(n)] {
        let ours = vulkan::run(&product.ours, &device, rounds, options(), None)?;
        let theirs = opencl.run(&product.theirs, rounds)?;
        row(product.name, n, &ours, &theirs);
        for complaint in complaints(&product, &ours, &theirs) {
            all_right = false;
            println!("| {}: WRONG: {complaint} | | | | | |", product.name);
        }
    }
    Ok(all_right)
}

fn options() -> Options {
    Options {
        target: TargetEnv::Vulkan { major: 1, minor: 3 }.into(),
        version: Version::V3_0,
        extensions: vec!["+cl_khr_cooperative_matrix".to_owned()],
        ..Options::default()
    }
}

fn row(name: &str, n: usize, ours: &Measured, theirs: &Measured) {
    let shown = |measured: &Measured| {
        let nanoseconds = measured.median();
        let rate = 2.0 * (n as f64).powi(3) / nanoseconds / 1e3;
        format!("{:.2} ms | {rate:.1} T/s", nanoseconds / 1e6)
    };
    let ratio = theirs.median() / ours.median();
    println!("| {name} | {} | {} | {ratio:.1} |", shown(ours), shown(theirs));
}

fn complaints(product: &Product, ours: &Measured, theirs: &Measured) -> Vec<String> {
    let check = |who: &str, benchmark: &Benchmark, measured: &Measured| {
        let result = (benchmark.check)(&benchmark.buffers, &measured.output);
        result.err().map(|error| format!("{who}: {error}"))
    };
    let same = product.ours.compare(&ours.output, &theirs.output);
    [
        check("Vulkan", &product.ours, ours),
        check("OpenCL", &product.theirs, theirs),
        same.err().map(|error| format!("Vulkan and OpenCL: {error}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Numbers from -8 to 7, the same in each run, of a hash of their index.
fn numbers(count: usize, seed: u32) -> impl Iterator<Item = i8> {
    (0..count as u32).map(move |index| {
        let mut bits = (index ^ seed).wrapping_mul(0x9E37_79B1);
        bits ^= bits >> 15;
        (bits.wrapping_mul(0x85EB_CA77) >> 28) as i8 - 8
    })
}

/// Eighths of numbers from -8 to 7, as halves: the sign, then exponents from 1/8, and two bits of a fraction.
fn half(number: i8) -> [u8; 2] {
    let magnitude = u16::from(number.unsigned_abs());
    let bits = match magnitude.checked_ilog2() {
        None => 0,
        Some(power) => {
            let fraction = (magnitude << (10 - power)) & 0x3ff;
            (power as u16 + 15 - 3) << 10 | fraction
        }
    };
    (bits | u16::from(number < 0) << 15).to_le_bytes()
}

fn halves(n: usize) -> Product {
    let factor = |seed| numbers(n * n, seed).flat_map(half).collect();
    let float = |number: i8| (f32::from(number) / 8.0).to_le_bytes();
    let float_factor = |seed| numbers(n * n, seed).flat_map(float).collect();
    Product {
        name: "halves",
        ours: Benchmark {
            name: "halves".into(),
            source: cooperative!().into(),
            steps: by_matrices(n),
            ..benchmark([factor(1), factor(2)], n, check_floats)
        },
        theirs: Benchmark {
            name: "floats".into(),
            source: source!("matmul").into(),
            steps: by_tiles(n),
            ..benchmark([float_factor(1), float_factor(2)], n, check_floats)
        },
    }
}

fn bytes(n: usize) -> Product {
    let factor = |seed| numbers(n * n, seed).flat_map(i8::to_le_bytes).collect();
    Product {
        name: "bytes",
        ours: Benchmark {
            name: "bytes".into(),
            source: concat!("#define BYTES\n", cooperative!()).into(),
            steps: by_matrices(n),
            ..benchmark([factor(1), factor(2)], n, check_integers)
        },
        theirs: Benchmark {
            name: "bytes".into(),
            source: concat!("#define ELEMENT char\n#define SUM int\n", source!("matmul")).into(),
            steps: by_tiles(n),
            ..benchmark([factor(1), factor(2)], n, check_integers)
        },
    }
}

type Check = fn(&[Vec<u8>], &[u8]) -> Result<(), String>;

/// Without a source and launches.
fn benchmark([a, b]: [Vec<u8>; 2], n: usize, check: Check) -> Benchmark {
    Benchmark {
        name: "".into(),
        source: "".into(),
        buffers: vec![a, b, vec![0; 4 * n * n]],
        steps: Vec::new(),
        output: 2,
        elements: Elements::Exact,
        check,
    }
}

fn by_matrices(n: usize) -> Vec<crate::suite::Step> {
    let mut arguments: Vec<Argument> = (0..3).map(Argument::Buffer).collect();
    arguments.extend([value(n as u32), value(n as u32)]);
    vec![step("matmul", &[n / TILE * GROUP, n / TILE], &[GROUP, 1], arguments)]
}

fn by_tiles(n: usize) -> Vec<crate::suite::Step> {
    let mut arguments: Vec<Argument> = (0..3).map(Argument::Buffer).collect();
    arguments.push(value(n as u32));
    vec![step("matmul", &[n, n], &[SMALL_TILE, SMALL_TILE], arguments)]
}

/// Of some sums, from [`numbers`].
fn samples(n: usize) -> impl Iterator<Item = (usize, i64)> {
    let [a, b]: [Vec<i8>; 2] = [1, 2].map(|seed| numbers(n * n, seed).collect());
    (0..n * n).step_by(n * n / SAMPLES + 1).map(move |at| {
        let (row, column) = (at / n, at % n);
        let product = |k| i64::from(a[row * n + k]) * i64::from(b[k * n + column]);
        (at, (0..n).map(product).sum())
    })
}

fn check_floats(buffers: &[Vec<u8>], output: &[u8]) -> Result<(), String> {
    check(buffers, output, |found, sum| f64::from(f32::from_le_bytes(found)) * 64.0 == sum as f64)
}

fn check_integers(buffers: &[Vec<u8>], output: &[u8]) -> Result<(), String> {
    check(buffers, output, |found, sum| i64::from(i32::from_le_bytes(found)) == sum)
}

fn check(
    buffers: &[Vec<u8>],
    output: &[u8],
    is_sum: impl Fn([u8; 4], i64) -> bool,
) -> Result<(), String> {
    let n = (buffers[2].len() / 4).isqrt();
    let (found, _) = output.as_chunks::<4>();
    match samples(n).find(|&(at, sum)| !is_sum(found[at], sum)) {
        None => Ok(()),
        Some((at, sum)) => Err(format!("element {at}: {:?} for {sum}", found[at])),
    }
}
