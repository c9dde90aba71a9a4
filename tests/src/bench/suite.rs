//! What is measured.

mod everyday;
mod families;
mod folder;
mod programs;
mod results;

use std::borrow::Cow;
use std::path::PathBuf;

pub use results::Elements;
use results::{close, doubles, floats, halves, uints};
use sha2::{Digest as _, Sha256};

pub const NAMES: [&str; 59] = [
    "matmul",
    "reduction",
    "scan",
    "nbody",
    "sha256",
    "stencil",
    "sort",
    "fft",
    "saxpy",
    "mandelbrot",
    "black_scholes",
    "softmax",
    "trigonometry",
    "nbody64",
    "transpose",
    "histogram",
    "convolution",
    "hash",
    "attention",
    "monte_carlo",
    "sparse",
    "activations",
    "lorenz",
    "bilateral",
    "colour",
    "kepler64",
    "search",
    "graph",
    "matvec",
    "median",
    "edits",
    "lattice",
    "quantised",
    "rays",
    "life",
    "clusters",
    "cipher",
    "philox",
    "cosines",
    "noise",
    "distances",
    "normalise",
    "skinning",
    "cholesky",
    "hamming",
    "filter",
    "collatz",
    "rows",
    "product",
    "edges",
    "neighbours",
    "unstructured",
    "rotary",
    "marching",
    "advection",
    "modular",
    "md5",
    "grading",
    "halves",
];

pub struct Benchmark {
    pub name: Cow<'static, str>,
    pub source: Cow<'static, str>,
    /// What the buffers hold before each round.
    pub buffers: Vec<Vec<u8>>,
    pub steps: Vec<Step>,
    /// The buffer that has the result.
    pub output: usize,
    pub elements: Elements,
    /// Whether the result is right, from the buffers as they were.
    pub check: fn(&[Vec<u8>], &[u8]) -> Result<(), String>,
}

/// A launch.
pub struct Step {
    pub kernel: Cow<'static, str>,
    pub global: Vec<usize>,
    pub local: Vec<usize>,
    pub arguments: Vec<Argument>,
}

pub enum Argument {
    Buffer(usize),
    Value(Vec<u8>),
    /// Bytes of local memory.
    Local(usize),
}

fn zeros(count: usize) -> Vec<u8> {
    vec![0; 4 * count]
}

/// The same numbers everywhere.
fn random(count: usize) -> impl Iterator<Item = u32> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    (0..count).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    })
}

fn random_uints(count: usize) -> Vec<u8> {
    random(count).flat_map(u32::to_le_bytes).collect()
}

/// From 0 to 1.
fn random_floats(count: usize) -> Vec<u8> {
    random(count).flat_map(|bits| (bits as f32 / u32::MAX as f32).to_le_bytes()).collect()
}

pub fn value(number: u32) -> Argument {
    Argument::Value(number.to_le_bytes().to_vec())
}

pub fn step(
    kernel: &'static str,
    global: &[usize],
    local: &[usize],
    arguments: Vec<Argument>,
) -> Step {
    Step { kernel: kernel.into(), global: global.to_vec(), local: local.to_vec(), arguments }
}

macro_rules! source {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../conformance/kernels/", $name, ".cl"))
    };
}
pub(crate) use source;

/// How much there is to compute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// As little as shows whether results are right.
    Small,
    /// Some milliseconds of a processor with a few cores.
    Processor,
    /// Some milliseconds of a large GPU, or less.
    Gpu,
}

impl Size {
    fn choose<T>(self, small: T, processor: T, gpu: T) -> T {
        match self {
            Size::Small => small,
            Size::Processor => processor,
            Size::Gpu => gpu,
        }
    }
}

/// What there is to measure: [`NAMES`], or the kernels of a folder.
#[derive(Default)]
pub struct Kernels {
    pub folder: Option<PathBuf>,
    /// Only these, if there are any.
    pub names: Vec<String>,
}

impl Kernels {
    /// Those that are asked for, in order.
    pub fn chosen(&self) -> Result<Vec<String>, String> {
        let all = match &self.folder {
            Some(folder) => folder::names(folder)?,
            None => NAMES.map(str::to_owned).to_vec(),
        };
        if let Some(unknown) = self.names.iter().find(|name| !all.contains(name)) {
            return Err(format!("`{unknown}`: there are {}", all.join(", ")));
        }
        let is_chosen = |name: &String| self.names.is_empty() || self.names.contains(name);
        Ok(all.into_iter().filter(is_chosen).collect())
    }

    pub fn benchmark(&self, name: &str, size: Size) -> Result<Benchmark, String> {
        match &self.folder {
            Some(folder) => folder::benchmark(folder, name, size),
            None => Ok(benchmark(name, size)),
        }
    }
}

/// A benchmark of [`NAMES`].
fn benchmark(name: &str, size: Size) -> Benchmark {
    match name {
        "matmul" => matmul(size.choose(64, 256, 2048)),
        "reduction" => reduction(size.choose(1 << 16, 1 << 23, 1 << 26)),
        "scan" => scan(size.choose(64, 4 << 10, 16 << 10)),
        "nbody" => nbody(size.choose(256, 4 << 10, 32 << 10)),
        "sha256" => sha256(size.choose(64, 2 << 10, 1 << 20), size.choose(3, 64, 64)),
        "stencil" => stencil(size.choose(16, 96, 256)),
        "sort" => sort(size.choose(1 << 12, 1 << 16, 1 << 22)),
        "fft" => fft(size.choose(1 << 10, 1 << 17, 1 << 22)),
        _ => everyday::benchmark(name, size)
            .or_else(|| programs::benchmark(name, size))
            .unwrap_or_else(|| families::benchmark(name, size)),
    }
}

fn matmul(n: usize) -> Benchmark {
    use Argument::Buffer;
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), value(n as u32)];
    Benchmark {
        name: "matmul".into(),
        source: source!("matmul").into(),
        buffers: vec![random_floats(n * n), random_floats(n * n), zeros(n * n)],
        steps: vec![step("matmul", &[n, n], &[16, 16], arguments)],
        output: 2,
        elements: Elements::Floats,
        check: |buffers, output| {
            let (a, b, c) = (floats(&buffers[0]), floats(&buffers[1]), floats(output));
            let n = a.len().isqrt();
            for i in (0..n * n).step_by(n * n / 97 + 1) {
                let (row, column) = (i / n, i % n);
                let sum: f64 =
                    (0..n).map(|k| f64::from(a[row * n + k]) * f64::from(b[k * n + column])).sum();
                close(&[sum as f32], &[c[i]])?;
            }
            Ok(())
        },
    }
}

fn reduction(n: usize) -> Benchmark {
    use Argument::{Buffer, Local};
    const GROUP: usize = 256;
    let groups = 1024.min(n / GROUP);
    let pass = |from: usize, to: usize, n: usize, groups: usize| {
        let arguments = vec![Buffer(from), Buffer(to), value(n as u32), Local(4 * GROUP)];
        step("reduction", &[groups * GROUP], &[GROUP], arguments)
    };
    Benchmark {
        name: "reduction".into(),
        source: source!("reduction").into(),
        buffers: vec![random_floats(n), zeros(groups), zeros(1)],
        steps: vec![pass(0, 1, n, groups), pass(1, 2, groups, 1)],
        output: 2,
        elements: Elements::Floats,
        check: |buffers, output| {
            let sum: f64 = floats(&buffers[0]).into_iter().map(f64::from).sum();
            close(&[sum as f32], &floats(output))
        },
    }
}

/// `blocks` blocks of 1024; the sums of blocks are scanned in the same way.
fn scan(blocks: usize) -> Benchmark {
    use Argument::Buffer;
    const GROUP: usize = 256;
    const BLOCK: usize = 1024;
    let n = blocks * BLOCK;
    let above = blocks.div_ceil(BLOCK);
    let scan = |from: usize, to: usize, sums: usize, groups: usize| {
        let arguments = vec![Buffer(from), Buffer(to), Buffer(sums)];
        step("scan_blocks", &[groups * GROUP], &[GROUP], arguments)
    };
    let add = |values: usize, sums: usize, groups: usize| {
        step("add_sums", &[groups * GROUP], &[GROUP], vec![Buffer(values), Buffer(sums)])
    };
    Benchmark {
        name: "scan".into(),
        source: source!("scan").into(),
        buffers: vec![
            random_uints(n),
            zeros(n),
            // The blocks' sums, the sums of those, and of these: each a whole number of blocks.
            zeros(above * BLOCK),
            zeros(above * BLOCK),
            zeros(BLOCK),
            zeros(BLOCK),
            zeros(1),
        ],
        steps: vec![
            scan(0, 1, 2, blocks),
            scan(2, 3, 4, above),
            scan(4, 5, 6, 1),
            add(3, 5, above),
            add(1, 3, blocks),
        ],
        output: 1,
        elements: Elements::Exact,
        check: |buffers, output| {
            let mut sum = 0u32;
            for (at, (value, got)) in uints(&buffers[0]).into_iter().zip(uints(output)).enumerate()
            {
                sum = sum.wrapping_add(value);
                if sum != got {
                    return Err(format!("element {at}: {got}, not {sum}"));
                }
            }
            Ok(())
        },
    }
}

fn nbody(n: usize) -> Benchmark {
    use Argument::{Buffer, Local};
    let arguments = vec![
        Buffer(0),
        Buffer(1),
        Buffer(2),
        value(n as u32),
        Argument::Value(0.01f32.to_le_bytes().to_vec()),
        Local(16 * 256),
    ];
    Benchmark {
        name: "nbody".into(),
        source: source!("nbody").into(),
        buffers: vec![random_floats(4 * n), zeros(4 * n), zeros(4 * n)],
        steps: vec![step("nbody", &[n], &[256], arguments)],
        output: 1,
        elements: Elements::Floats,
        check: |buffers, output| {
            let bodies: Vec<f64> = floats(&buffers[0]).into_iter().map(f64::from).collect();
            let (bodies, _) = bodies.as_chunks::<4>();
            let moved = floats(output);
            for i in (0..bodies.len()).step_by(bodies.len() / 31 + 1) {
                let mut pull = [0f64; 3];
                for other in bodies {
                    let way: [f64; 3] = std::array::from_fn(|axis| other[axis] - bodies[i][axis]);
                    let square = way.iter().map(|d| d * d).sum::<f64>() + f64::from(0.01f32);
                    for axis in 0..3 {
                        pull[axis] += way[axis] * other[3] / (square * square.sqrt());
                    }
                }
                let step = f64::from(0.01f32);
                let wanted =
                    [0, 1, 2].map(|axis| (bodies[i][axis] + step * step * pull[axis]) as f32);
                close(&wanted, &moved[4 * i..4 * i + 3])?;
            }
            Ok(())
        },
    }
}

fn sha256(items: usize, rounds: u32) -> Benchmark {
    let arguments = vec![Argument::Buffer(0), value(rounds)];
    Benchmark {
        name: "sha256".into(),
        source: source!("sha256").into(),
        buffers: vec![random_uints(8 * items)],
        steps: vec![step("sha256", &[items], &[64], arguments)],
        output: 0,
        elements: Elements::Exact,
        check: |buffers, output| {
            let (starts, digests) = (uints(&buffers[0]), uints(output));
            // The rounds follow from the number of items, as above.
            let rounds = if starts.len() == 8 * 64 { 3 } else { 64 };
            for i in (0..starts.len()).step_by(8 * (starts.len() / 8 / 101 + 1)) {
                let mut bytes: Vec<u8> =
                    starts[i..i + 8].iter().flat_map(|word| word.to_be_bytes()).collect();
                for _ in 0..rounds {
                    bytes = Sha256::digest(&bytes).to_vec();
                }
                let got: Vec<u8> =
                    digests[i..i + 8].iter().flat_map(|word| word.to_be_bytes()).collect();
                if bytes != got {
                    return Err(format!("digest {}: {got:02x?}, not {bytes:02x?}", i / 8));
                }
            }
            Ok(())
        },
    }
}

/// Steps of [`stencil`]; even, so that the result is where it began.
const STEPS: usize = 8;

fn stencil(n: usize) -> Benchmark {
    use Argument::Buffer;
    let steps = (0..STEPS).map(|i| {
        let arguments = vec![Buffer(i % 2), Buffer((i + 1) % 2), value(n as u32)];
        step("stencil", &[n, n, n], &[16, 4, 4], arguments)
    });
    Benchmark {
        name: "stencil".into(),
        source: source!("stencil").into(),
        buffers: vec![random_floats(n * n * n), zeros(n * n * n)],
        steps: steps.collect(),
        output: 0,
        elements: Elements::Floats,
        check: |buffers, output| {
            // Some cubes with what they depend on, instead of the whole.
            let (start, end) = (floats(&buffers[0]), floats(output));
            let n = (start.len() as f64).cbrt().round() as usize;
            let at = |x: usize, y: usize, z: usize| (z * n + y) * n + x;
            for centre in [n / 2, STEPS + 1, 1] {
                let low = centre.saturating_sub(STEPS);
                let high = (centre + STEPS + 1).min(n);
                let mut now = start.clone();
                for _ in 0..STEPS {
                    let before = now.clone();
                    for z in low.max(1)..high.min(n - 1) {
                        for y in low.max(1)..high.min(n - 1) {
                            for x in low.max(1)..high.min(n - 1) {
                                let i = at(x, y, z);
                                let around = before[i - 1]
                                    + before[i + 1]
                                    + before[i - n]
                                    + before[i + n]
                                    + before[i - n * n]
                                    + before[i + n * n];
                                now[i] = before[i] + 0.1 * (around - 6.0 * before[i]);
                            }
                        }
                    }
                }
                let i = at(centre, centre, centre);
                close(&[now[i]], &[end[i]])?;
            }
            Ok(())
        },
    }
}

fn sort(n: usize) -> Benchmark {
    use Argument::Buffer;
    const GROUP: usize = 256;
    let near = |first: usize, last: usize| {
        let arguments = vec![Buffer(0), value(first as u32), value(last as u32)];
        step("sort_near", &[n / 2], &[GROUP], arguments)
    };
    let mut steps = vec![near(2, 2 * GROUP)];
    let mut span = 4 * GROUP;
    while span <= n {
        let mut distance = span / 2;
        while distance > GROUP {
            let arguments = vec![Buffer(0), value(span as u32), value(distance as u32)];
            steps.push(step("sort_far", &[n / 2], &[GROUP], arguments));
            distance /= 2;
        }
        steps.push(near(span, span));
        span *= 2;
    }
    Benchmark {
        name: "sort".into(),
        source: source!("sort").into(),
        buffers: vec![random_uints(n)],
        steps,
        output: 0,
        elements: Elements::Exact,
        check: |buffers, output| {
            let mut sorted = uints(&buffers[0]);
            sorted.sort_unstable();
            match sorted == uints(output) {
                true => Ok(()),
                false => Err("not sorted".to_owned()),
            }
        },
    }
}

fn fft(n: usize) -> Benchmark {
    use Argument::Buffer;
    let passes = n.ilog2() as usize;
    let steps = (0..passes).map(|pass| {
        let arguments = vec![Buffer(pass % 2), Buffer((pass + 1) % 2), value(1 << pass)];
        step("fft", &[n / 2], &[64], arguments)
    });
    Benchmark {
        name: "fft".into(),
        source: source!("fft").into(),
        buffers: vec![random_floats(2 * n), zeros(2 * n)],
        steps: steps.collect(),
        output: passes % 2,
        elements: Elements::Floats,
        check: |buffers, output| {
            let (input, output) = (floats(&buffers[0]), floats(output));
            let n = input.len() / 2;
            // The sum of the first is by far the largest; the tolerance is for the others.
            for bin in [1, 2, 3, n / 3, n / 2, n - 1] {
                let (mut re, mut im) = (0f64, 0f64);
                for (k, pair) in input.as_chunks::<2>().0.iter().enumerate() {
                    let turn = (bin as u64 * k as u64 % n as u64) as f64 / n as f64;
                    let (sin, cos) = (-std::f64::consts::TAU * turn).sin_cos();
                    let [a, b] = pair.map(f64::from);
                    re += a * cos - b * sin;
                    im += a * sin + b * cos;
                }
                let scale = (n as f32).sqrt();
                close(
                    &[re as f32, im as f32, scale],
                    &[output[2 * bin], output[2 * bin + 1], scale],
                )?;
            }
            Ok(())
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_fit_their_kernels() {
        for name in NAMES {
            let benchmark = benchmark(name, Size::Small);
            for step in &benchmark.steps {
                let head = format!("{}(", step.kernel);
                let parameters = benchmark.source.split(&head).nth(1).unwrap();
                let parameters = parameters.split(')').next().unwrap().split(',').count();
                assert_eq!(parameters, step.arguments.len(), "{name}");
                assert!(step.global.iter().zip(&step.local).all(|(g, l)| g % l == 0), "{name}");
            }
        }
    }

    #[test]
    fn wrong_results_are_seen() {
        let wrong = |name| {
            let benchmark = benchmark(name, Size::Small);
            let output = vec![0u8; benchmark.buffers[benchmark.output].len()];
            (benchmark.check)(&benchmark.buffers, &output).is_err()
        };
        assert!(NAMES.into_iter().all(wrong));
    }
}
