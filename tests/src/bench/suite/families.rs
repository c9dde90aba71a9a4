//! One launch each, of the kinds of kernels that programs have, which were not written to be fast here.

use super::Argument::{Buffer, Value};
use super::{
    Benchmark, Elements, Size, Step, close, doubles, floats, random, random_floats, random_uints,
    source, step, uints, value, zeros,
};

pub(super) fn benchmark(name: &str, size: Size) -> Benchmark {
    // Items of kernels that are bound by memory, and of those that are bound by arithmetic.
    let many = size.choose(1 << 12, 1 << 22, 1 << 26);
    let some = size.choose(1 << 8, 1 << 16, 1 << 22);
    match name {
        "saxpy" => saxpy(many),
        "mandelbrot" => mandelbrot(size.choose(32, 256, 4096)),
        "black_scholes" => black_scholes(size.choose(1 << 12, 1 << 20, 1 << 26)),
        "softmax" => softmax(size.choose(4, 1 << 10, 64 << 10)),
        "trigonometry" => trigonometry(size.choose(1 << 12, 1 << 18, 1 << 24)),
        "nbody64" => nbody64(size.choose(128, 2 << 10, 16 << 10)),
        "transpose" => transpose(size.choose(64, 2048, 8192)),
        "histogram" => histogram(many),
        "convolution" => convolution(size.choose(64, 1024, 8192)),
        "hash" => hash(some, 128),
        "attention" => attention(size.choose(64, 1 << 10, 8 << 10)),
        "monte_carlo" => monte_carlo(size.choose(1 << 8, 1 << 15, 1 << 22), 64),
        "sparse" => sparse(size.choose(1 << 8, 1 << 18, 1 << 20)),
        "activations" => activations(many / 4),
        "lorenz" => lorenz(some, size.choose(8, 64, 64)),
        "bilateral" => bilateral(size.choose(64, 512, 4096)),
        "colour" => colour(size.choose(1 << 10, 1 << 18, 1 << 24)),
        "kepler64" => kepler64(size.choose(1 << 8, 1 << 17, 1 << 23)),
        "search" => search(many),
        "graph" => graph(size.choose(1 << 10, 1 << 18, 1 << 21)),
        "matvec" => matvec(size.choose(64, 2048, 16 << 10)),
        "median" => median(size.choose(64, 1024, 8 << 10)),
        "edits" => edits(size.choose(1 << 8, 1 << 18, 1 << 22)),
        _ => unreachable!("{name} is none of the names"),
    }
}

/// Floats, or whole numbers of them for each item.
pub(super) fn one(
    name: &'static str,
    source: &'static str,
    step: Step,
    buffers: Vec<Vec<u8>>,
    output: usize,
    check: fn(&[Vec<u8>], &[u8]) -> Result<(), String>,
) -> Benchmark {
    Benchmark {
        name: name.into(),
        source: source.into(),
        buffers,
        steps: vec![step],
        output,
        elements: Elements::Floats,
        check,
    }
}

pub(super) fn float(number: f32) -> super::Argument {
    Value(number.to_le_bytes().to_vec())
}

/// Compares some items, each of as many floats as `expected` gives.
pub(super) fn samples<const N: usize>(
    output: &[f32],
    expected: impl Fn(usize) -> [f64; N],
) -> Result<(), String> {
    let items = output.len() / N;
    for i in (0..items).step_by(items / 97 + 1) {
        let wanted = expected(i).map(|number| number as f32);
        let got = &output[N * i..N * (i + 1)];
        // A number that is close to zero by chance is compared as one.
        let with_one = |numbers: &[f32]| [numbers, &[1.0]].concat();
        close(&with_one(&wanted), &with_one(got)).map_err(|error| format!("item {i}: {error}"))?;
    }
    Ok(())
}

fn saxpy(n: usize) -> Benchmark {
    let launch = step("saxpy", &[n], &[256], vec![Buffer(0), Buffer(1), float(3.0)]);
    let buffers = vec![random_floats(n), random_floats(n)];
    one("saxpy", source!("saxpy"), launch, buffers, 1, |buffers, output| {
        let (x, y) = (floats(&buffers[0]), floats(&buffers[1]));
        samples(&floats(output), |i| [3.0 * f64::from(x[i]) + f64::from(y[i])])
    })
}

fn mandelbrot(n: usize) -> Benchmark {
    let launch = step("mandelbrot", &[n, n], &[16, 16], vec![Buffer(0), value(n as u32)]);
    Benchmark {
        elements: Elements::Counts,
        ..one("mandelbrot", source!("mandelbrot"), launch, vec![zeros(n * n)], 0, |_, output| {
            let counts = uints(output);
            let n = counts.len().isqrt();
            let wrong = (0..n)
                .step_by(n / 16)
                .flat_map(|row| (0..n).step_by(n / 16).map(move |column| (row, column)));
            let wrong = wrong.filter(|&(row, column)| {
                let re = -2.25 + 3.0 * column as f64 / n as f64;
                let im = -1.5 + 3.0 * row as f64 / n as f64;
                let (mut x, mut y, mut count) = (0.0, 0.0, 0);
                while x * x + y * y <= 4.0 && count < 512 {
                    (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
                    count += 1;
                }
                counts[row * n + column] != count
            });
            match wrong.count() {
                0..=8 => Ok(()),
                wrong => Err(format!("{wrong} points of some 256 are wrong")),
            }
        })
    }
}

fn black_scholes(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), float(0.02), float(0.3)];
    let launch = step("black_scholes", &[n], &[256], arguments);
    let buffers = vec![random_floats(n), zeros(2 * n)];
    one("black_scholes", source!("black_scholes"), launch, buffers, 1, |buffers, output| {
        let random = floats(&buffers[0]);
        samples(&floats(output), |i| {
            let [a, b, c] = [i, i ^ 1, i ^ 2].map(|i| f64::from(random[i]));
            let (price, strike, years) = (5.0 + 25.0 * a, 1.0 + 99.0 * b, 0.25 + 9.75 * c);
            let [rate, volatility] = [0.02f32, 0.3].map(f64::from);
            let d1 = ((price / strike).ln() + (rate + 0.5 * volatility * volatility) * years)
                / (volatility * years.sqrt());
            let below = |d: f64| 0.5 * libm::erfc(-d / 2f64.sqrt());
            let discounted = strike * f64::exp(-rate * years);
            let call = price * below(d1) - discounted * below(d1 - volatility * years.sqrt());
            [call, call - price + discounted]
        })
    })
}

fn softmax(rows: usize) -> Benchmark {
    let n = rows * 1024;
    let launch = step("softmax", &[n / 4], &[256], vec![Buffer(0), Buffer(1)]);
    let buffers = vec![random_floats(n), zeros(n)];
    one("softmax", source!("softmax"), launch, buffers, 1, |buffers, output| {
        let input = floats(&buffers[0]);
        samples(&floats(output), |i| {
            let row = &input[i / 1024 * 1024..][..1024];
            let sum: f64 = row.iter().map(|&x| (30.0 * f64::from(x)).exp()).sum();
            [(30.0 * f64::from(input[i])).exp() / sum]
        })
    })
}

fn trigonometry(n: usize) -> Benchmark {
    let launch = step("trigonometry", &[n], &[256], vec![Buffer(0), Buffer(1)]);
    let buffers = vec![random_floats(n), zeros(n)];
    one("trigonometry", source!("trigonometry"), launch, buffers, 1, |buffers, output| {
        let input = floats(&buffers[0]);
        samples(&floats(output), |i| {
            let x = f64::from(input[i]) * 6.0;
            [(0..4).fold(x, |x, _| x.sin() * x.cos() + (x.abs() + 1.0).powf(1.7))]
        })
    })
}

fn random_doubles(count: usize) -> Vec<u8> {
    random(count).flat_map(|bits| (f64::from(bits) / f64::from(u32::MAX)).to_le_bytes()).collect()
}

fn exact_doubles(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect()
}

fn nbody64(n: usize) -> Benchmark {
    let launch = step("nbody64", &[n], &[128], vec![Buffer(0), Buffer(1), value(n as u32)]);
    let buffers = vec![random_doubles(4 * n), zeros(8 * n)];
    Benchmark {
        elements: Elements::Doubles,
        ..one("nbody64", source!("nbody64"), launch, buffers, 1, |buffers, output| {
            let bodies = exact_doubles(&buffers[0]);
            let (bodies, _) = bodies.as_chunks::<4>();
            samples(&doubles(output), |i| {
                let mut pull = [0f64; 4];
                for other in bodies {
                    let way: [f64; 3] = std::array::from_fn(|axis| other[axis] - bodies[i][axis]);
                    let square = way.iter().map(|d| d * d).sum::<f64>() + 0.01;
                    for axis in 0..3 {
                        pull[axis] += way[axis] * other[3] / (square * square.sqrt());
                    }
                }
                pull
            })
        })
    }
}

fn transpose(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), value(n as u32)];
    let launch = step("transpose", &[n, n / 4], &[32, 8], arguments);
    let buffers = vec![random_floats(n * n), zeros(n * n)];
    one("transpose", source!("transpose"), launch, buffers, 1, |buffers, output| {
        let input = floats(&buffers[0]);
        let n = input.len().isqrt();
        samples(&floats(output), |i| [f64::from(input[i % n * n + i / n])])
    })
}

fn histogram(n: usize) -> Benchmark {
    let items = n.min(1 << 18);
    let arguments = vec![Buffer(0), Buffer(1), value(n as u32)];
    let launch = step("histogram", &[items], &[256], arguments);
    let buffers = vec![random_uints(n), zeros(256)];
    Benchmark {
        elements: Elements::Exact,
        ..one("histogram", source!("histogram"), launch, buffers, 1, |buffers, output| {
            let mut counts = vec![0u32; 256];
            for number in uints(&buffers[0]) {
                counts[number as usize & 255] += 1;
            }
            if counts == uints(output) { Ok(()) } else { Err("wrong counts".to_owned()) }
        })
    }
}

fn convolution(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), value(n as u32)];
    let launch = step("convolution", &[n, n], &[16, 16], arguments);
    let buffers = vec![random_floats(n * n), zeros(n * n), random_floats(25)];
    one("convolution", source!("convolution"), launch, buffers, 1, |buffers, output| {
        let (input, weights) = (floats(&buffers[0]), floats(&buffers[2]));
        let n = input.len().isqrt();
        let at = |row: isize, column: isize| {
            let inside = |i: isize| i.clamp(0, n as isize - 1) as usize;
            f64::from(input[inside(row) * n + inside(column)])
        };
        samples(&floats(output), |i| {
            let (row, column) = ((i / n) as isize, (i % n) as isize);
            let sum = (0..25)
                .map(|k| f64::from(weights[k as usize]) * at(row + k / 5 - 2, column + k % 5 - 2));
            [sum.sum()]
        })
    })
}

const HASH_ROUNDS: u32 = 128;

fn hash(n: usize, rounds: u32) -> Benchmark {
    assert_eq!(rounds, HASH_ROUNDS, "which the check takes for known");
    let arguments = vec![Buffer(0), Buffer(1), value(rounds)];
    let launch = step("hash", &[n], &[256], arguments);
    let buffers = vec![random_uints(n), zeros(n)];
    Benchmark {
        elements: Elements::Exact,
        ..one("hash", source!("hash"), launch, buffers, 1, |buffers, output| {
            let mixed = |h: u32| {
                (0..HASH_ROUNDS).fold(h, |h, k| {
                    let h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
                    let h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
                    (h ^ (h >> 16)).rotate_left(5).wrapping_add(k)
                })
            };
            let is_right = uints(&buffers[0]).into_iter().map(mixed).eq(uints(output));
            if is_right { Ok(()) } else { Err("a number is wrong".to_owned()) }
        })
    }
}

fn attention(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), Buffer(3), value(n as u32)];
    let launch = step("attention", &[n], &[64], arguments);
    let input = || random_floats(32 * n);
    let buffers = vec![input(), input(), input(), zeros(32 * n)];
    one("attention", source!("attention"), launch, buffers, 3, |buffers, output| {
        let [queries, keys, values] = [0, 1, 2].map(|buffer| floats(&buffers[buffer]));
        let (keys, _) = keys.as_chunks::<32>();
        let query = |i: usize| &queries[i / 32 * 32..][..32];
        samples(&floats(output), |i| {
            let scores = keys.iter().map(|key| {
                let products = key.iter().zip(query(i)).map(|(a, b)| f64::from(*a) * f64::from(*b));
                products.sum::<f64>().exp()
            });
            let scores: Vec<f64> = scores.collect();
            let sum =
                scores.iter().enumerate().map(|(j, s)| s * f64::from(values[32 * j + i % 32]));
            [sum.sum::<f64>() / scores.iter().sum::<f64>()]
        })
    })
}

const PATHS: u32 = 64;

fn monte_carlo(n: usize, paths: u32) -> Benchmark {
    assert_eq!(paths, PATHS, "which the check takes for known");
    let arguments = vec![Buffer(0), Buffer(1), value(paths)];
    let launch = step("monte_carlo", &[n], &[256], arguments);
    let buffers = vec![random_uints(n), zeros(n)];
    one("monte_carlo", source!("monte_carlo"), launch, buffers, 1, |buffers, output| {
        let seeds = uints(&buffers[0]);
        samples(&floats(output), |i| {
            let mut state = seeds[i] | 1;
            let mut next = || {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                f64::from(state >> 8)
            };
            let steps = (0..PATHS).map(|_| {
                let (u, v) = ((next() + 1.0) / 16_777_216.0, next() / 16_777_216.0);
                let normal = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
                (0.2 * normal - 0.02).exp()
            });
            [steps.sum::<f64>() / f64::from(PATHS)]
        })
    })
}

fn sparse(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), Buffer(3), value(n as u32 - 1)];
    let launch = step("sparse", &[n], &[128], arguments);
    let buffers = vec![random_uints(16 * n), random_floats(16 * n), random_floats(n), zeros(n)];
    one("sparse", source!("sparse"), launch, buffers, 3, |buffers, output| {
        let (columns, entries) = (uints(&buffers[0]), floats(&buffers[1]));
        let vector = floats(&buffers[2]);
        samples(&floats(output), |i| {
            let products = (16 * i..16 * i + 16).map(|k| {
                let column = columns[k] as usize & (vector.len() - 1);
                f64::from(entries[k]) * f64::from(vector[column])
            });
            [products.sum()]
        })
    })
}

fn activations(n: usize) -> Benchmark {
    let launch = step("activations", &[n], &[256], vec![Buffer(0), Buffer(1)]);
    let buffers = vec![random_floats(4 * n), zeros(4 * n)];
    one("activations", source!("activations"), launch, buffers, 1, |buffers, output| {
        let input = floats(&buffers[0]);
        samples(&floats(output), |i| {
            let x: [f64; 4] = std::array::from_fn(|k| 8.0 * f64::from(input[4 * i + k]) - 4.0);
            let gelu = 0.5 * x[0] * (1.0 + libm::erf(x[0] / 2f64.sqrt()));
            [gelu, 1.0 / (1.0 + (-x[1]).exp()), x[2].tanh(), x[3].exp().ln_1p()]
        })
    })
}

fn lorenz(n: usize, steps: usize) -> Benchmark {
    let launch = step("lorenz", &[n], &[256], vec![Buffer(0), Buffer(1), value(steps as u32)]);
    let buffers = vec![random_floats(n), zeros(4 * n)];
    one("lorenz", source!("lorenz"), launch, buffers, 1, |buffers, output| {
        let start = floats(&buffers[0]);
        // The number of steps follows from that of items, as above.
        let steps = if start.len() <= 1 << 8 { 8 } else { 64 };
        let speed = |p: [f64; 3]| {
            [10.0 * (p[1] - p[0]), p[0] * (28.0 - p[2]) - p[1], p[0] * p[1] - 8.0 / 3.0 * p[2]]
        };
        let moved =
            |p: [f64; 3], h: f64, v: [f64; 3]| std::array::from_fn::<_, 3, _>(|k| p[k] + h * v[k]);
        samples(&floats(output), |i| {
            let mut p = [f64::from(start[i]), 1.0, 20.0];
            for _ in 0..steps {
                let h = 0.001;
                let a = speed(p);
                let b = speed(moved(p, h / 2.0, a));
                let c = speed(moved(p, h / 2.0, b));
                let d = speed(moved(p, h, c));
                let sum = std::array::from_fn(|k| a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
                p = moved(p, h / 6.0, sum);
            }
            [p[0], p[1], p[2], 0.0]
        })
    })
}

fn bilateral(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), value(n as u32)];
    let launch = step("bilateral", &[n, n], &[16, 16], arguments);
    let buffers = vec![random_floats(n * n), zeros(n * n)];
    one("bilateral", source!("bilateral"), launch, buffers, 1, |buffers, output| {
        let input = floats(&buffers[0]);
        let n = input.len().isqrt();
        samples(&floats(output), |i| {
            let inside = |i: isize| i.clamp(0, n as isize - 1) as usize;
            let (mut sum, mut total) = (0.0, 0.0);
            for (y, x) in (-3..=3).flat_map(|y| (-3..=3).map(move |x| (y, x))) {
                let (row, column) = ((i / n) as isize + y, (i % n) as isize + x);
                let value = f64::from(input[inside(row) * n + inside(column)]);
                let difference = value - f64::from(input[i]);
                let weight: f64 =
                    (-0.08 * (x * x + y * y) as f64 - 12.0 * difference * difference).exp();
                sum += weight * value;
                total += weight;
            }
            [sum / total]
        })
    })
}

fn colour(n: usize) -> Benchmark {
    let launch = step("colour", &[n], &[256], vec![Buffer(0), Buffer(1)]);
    let buffers = vec![random_floats(4 * n), zeros(4 * n)];
    one("colour", source!("colour"), launch, buffers, 1, |buffers, output| {
        let pixels = floats(&buffers[0]);
        samples(&floats(output), |i| {
            let pixel = &pixels[4 * i..4 * i + 4];
            let linear = |c: f32| {
                let c = f64::from(c);
                if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            let lab = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 0.137931 };
            let [r, g, b] = [0, 1, 2].map(|k| linear(pixel[k]));
            let x = lab((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
            let y = lab(0.2126 * r + 0.7152 * g + 0.0722 * b);
            let z = lab((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z), pixel[3].into()]
        })
    })
}

fn kepler64(n: usize) -> Benchmark {
    let launch = step("kepler64", &[n], &[128], vec![Buffer(0), Buffer(1)]);
    let buffers = vec![random_doubles(n), zeros(4 * n)];
    Benchmark {
        elements: Elements::Doubles,
        ..one("kepler64", source!("kepler64"), launch, buffers, 1, |buffers, output| {
            let random = exact_doubles(&buffers[0]);
            samples(&doubles(output), |i| {
                let (mean, e) = (std::f64::consts::TAU * random[i], 0.9 * random[i ^ 1]);
                let anomaly =
                    (0..6).fold(mean, |x, _| x - (x - e * x.sin() - mean) / (1.0 - e * x.cos()));
                [anomaly, (1.0 - e * e).sqrt() * (-e).exp() / (1.0 + e * anomaly.cos())]
            })
        })
    }
}

const WORD: u32 = 0x0201_0003;

fn search(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), value(WORD), value(n as u32)];
    let launch = step("search", &[n], &[256], arguments);
    let buffers = vec![random_uints(n / 4), zeros(1)];
    Benchmark {
        elements: Elements::Exact,
        ..one("search", source!("search"), launch, buffers, 1, |buffers, output| {
            let text = &buffers[0];
            let letter = |i: usize| text[i.min(text.len() - 1)] & 3;
            let is_word =
                |&i: &usize| u32::from_le_bytes(std::array::from_fn(|k| letter(i + k))) == WORD;
            let found = (0..text.len()).filter(is_word).count() as u32;
            if uints(output) == [found] { Ok(()) } else { Err(format!("not {found}")) }
        })
    }
}

/// Steps of [`graph`]; even, so that the result is where it began.
const LEVELS: u32 = 6;
const UNREACHED: u32 = u32::MAX;

fn graph(n: usize) -> Benchmark {
    // Up to fifteen vertices lead to each, and the search begins at one in 4,096.
    let mut first = vec![0];
    let mut sources = Vec::new();
    let mut numbers = random(n * 16);
    for _ in 0..n {
        let degree = numbers.next().unwrap_or_default() as usize % 16;
        sources.extend(numbers.by_ref().take(degree).map(|number| number % n as u32));
        first.push(sources.len() as u32);
    }
    let start = (0..n).map(|i| if i % 4096 == 0 { 0 } else { UNREACHED });
    let bytes = |numbers: Vec<u32>| numbers.into_iter().flat_map(u32::to_le_bytes).collect();
    let steps = (0..LEVELS).map(|level| {
        let (from, to) = if level % 2 == 0 { (2, 3) } else { (3, 2) };
        let arguments = vec![Buffer(0), Buffer(1), Buffer(from), Buffer(to), value(level)];
        step("graph", &[n], &[128], arguments)
    });
    Benchmark {
        name: "graph".into(),
        source: source!("graph").into(),
        steps: steps.collect(),
        buffers: vec![bytes(first), bytes(sources), bytes(start.collect()), zeros(n)],
        output: 2,
        elements: Elements::Exact,
        check: |buffers, output| {
            let [first, sources, mut levels] = [0, 1, 2].map(|buffer| uints(&buffers[buffer]));
            for level in 0..LEVELS {
                let reached = |i: usize| {
                    let sources = &sources[first[i] as usize..first[i + 1] as usize];
                    levels[i] == UNREACHED && sources.iter().any(|&j| levels[j as usize] == level)
                };
                let reached: Vec<usize> = (0..levels.len()).filter(|&i| reached(i)).collect();
                reached.into_iter().for_each(|i| levels[i] = level + 1);
            }
            if levels == uints(output) { Ok(()) } else { Err("a level is wrong".to_owned()) }
        },
    }
}

fn matvec(n: usize) -> Benchmark {
    const GROUP: usize = 64;
    let arguments = vec![
        Buffer(0),
        Buffer(1),
        Buffer(2),
        value(n as u32 / 4),
        super::Argument::Local(4 * GROUP),
    ];
    let launch = step("matvec", &[n * GROUP], &[GROUP], arguments);
    let buffers = vec![random_floats(n * n), random_floats(n), zeros(n)];
    one("matvec", source!("matvec"), launch, buffers, 2, |buffers, output| {
        let (matrix, vector) = (floats(&buffers[0]), floats(&buffers[1]));
        samples(&floats(output), |i| {
            let row = &matrix[i * vector.len()..][..vector.len()];
            [row.iter().zip(&vector).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()]
        })
    })
}

fn median(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), value(n as u32)];
    let launch = step("median", &[n, n], &[16, 16], arguments);
    Benchmark {
        elements: Elements::Exact,
        ..one(
            "median",
            source!("median"),
            launch,
            vec![random_uints(n * n / 4), vec![0; n * n]],
            1,
            |buffers, output| {
                let image = &buffers[0];
                let n = image.len().isqrt();
                let inside = |i: usize, by: usize| (i + by).saturating_sub(1).min(n - 1);
                let wrong = (0..image.len()).find(|&i| {
                    let mut near: [u8; 9] = std::array::from_fn(|k| {
                        image[inside(i / n, k / 3) * n + inside(i % n, k % 3)]
                    });
                    near.sort_unstable();
                    near[4] != output[i]
                });
                wrong.map_or(Ok(()), |i| Err(format!("pixel {i} is wrong")))
            },
        )
    }
}

fn edits(n: usize) -> Benchmark {
    const LENGTH: usize = 16;
    // Words of four letters, so that some are much like the one that is wanted.
    let letters = |count: usize| random(count).map(|number| (number >> 7) as u8 & 3).collect();
    let launch = step("edits", &[n], &[128], vec![Buffer(0), Buffer(1), Buffer(2)]);
    let buffers = vec![letters(n * LENGTH), letters(LENGTH), zeros(n)];
    Benchmark {
        elements: Elements::Exact,
        ..one("edits", source!("edits"), launch, buffers, 2, |buffers, output| {
            let (words, _) = buffers[0].as_chunks::<LENGTH>();
            let wanted = &buffers[1];
            let wrong = words.iter().zip(uints(output)).position(|(word, got)| {
                // By the whole table, of all beginnings of both.
                let mut table = [[0u32; LENGTH + 1]; LENGTH + 1];
                for (a, b) in (0..=LENGTH).flat_map(|a| (0..=LENGTH).map(move |b| (a, b))) {
                    table[a][b] = match (a, b) {
                        (0, left) | (left, 0) => left as u32,
                        _ => {
                            let differs = u32::from(word[a - 1] != wanted[b - 1]);
                            let fewest = table[a - 1][b].min(table[a][b - 1]) + 1;
                            fewest.min(table[a - 1][b - 1] + differs)
                        }
                    };
                }
                table[LENGTH][LENGTH] != got
            });
            wrong.map_or(Ok(()), |i| Err(format!("word {i} is wrong")))
        })
    }
}
