//! One launch each, of kernels as tutorials and small programs have them.

use md5::{Digest as _, Md5};

use super::families::{float, one, samples};
use super::programs::{exact_samples, int, with_exact};
use super::{
    Argument, Benchmark, Elements, Size, floats, halves, random, random_floats, random_uints,
    source, step, uints, value, zeros,
};
use Argument::{Buffer, Local, Value};

pub(super) fn benchmark(name: &str, size: Size) -> Option<Benchmark> {
    Some(match name {
        "rows" => rows(size.choose(64, 1 << 10, 16 << 10), size.choose(64, 1024, 4096)),
        "product" => product(size.choose(64, 256, 1024)),
        "edges" => edges(size.choose(64, 1024, 8192)),
        "neighbours" => neighbours(size.choose(1 << 8, 1 << 12, 1 << 17)),
        "unstructured" => unstructured(size.choose(1 << 8, 1 << 16, 1 << 20)),
        "rotary" => rotary(size.choose(4, 32, 1024)),
        "marching" => marching(size.choose(32, 256, 2048)),
        "advection" => advection(size.choose(64, 1024, 8192)),
        "modular" => modular(size.choose(1 << 8, 1 << 14, 1 << 20)),
        "md5" => md5(size.choose(1 << 8, 1 << 16, 1 << 24)),
        "grading" => grading(size.choose(1 << 10, 1 << 18, 1 << 24)),
        "halves" => halved(size.choose(16, 1 << 9, 32 << 10)),
        _ => return None,
    })
}

fn long(number: u64) -> Argument {
    Value(number.to_le_bytes().to_vec())
}

fn rows(n: usize, columns: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), int(columns as i32)];
    let launch = step("rows", &[n], &[64], arguments);
    let buffers = vec![random_floats(n * columns), random_floats(columns), zeros(n)];
    one("rows", source!("rows"), launch, buffers, 2, |buffers, output| {
        let (matrix, vector) = (floats(&buffers[0]), floats(&buffers[1]));
        samples(&floats(output), |row| {
            let row = matrix[row * vector.len()..].iter().zip(&vector);
            [row.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()]
        })
    })
}

fn product(n: usize) -> Benchmark {
    let size = || int(n as i32);
    let arguments = vec![size(), size(), size(), Buffer(0), Buffer(1), Buffer(2)];
    let launch = step("product", &[n, n], &[16, 16], arguments);
    let buffers = vec![random_floats(n * n), random_floats(n * n), zeros(n * n)];
    one("product", source!("product"), launch, buffers, 2, |buffers, output| {
        let (a, b) = (floats(&buffers[0]), floats(&buffers[1]));
        let n = a.len().isqrt();
        samples(&floats(output), |i| {
            let (row, column) = (i / n, i % n);
            [(0..n).map(|k| f64::from(a[row * n + k]) * f64::from(b[k * n + column])).sum()]
        })
    })
}

fn edges(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), int(n as i32), int(n as i32)];
    let launch = step("edges", &[n, n], &[16, 16], arguments);
    let buffers = vec![random_uints(n * n), zeros(n * n)];
    Benchmark {
        // The root of a square may be a little less than whole.
        elements: Elements::Counts,
        ..one("edges", source!("edges"), launch, buffers, 1, |buffers, output| {
            let picture = uints(&buffers[0]);
            let n = picture.len().isqrt();
            let brightness = |x: usize, y: usize| {
                let [r, g, b, _] = picture[y * n + x].to_le_bytes().map(i64::from);
                (77 * r + 150 * g + 29 * b) / 256
            };
            let expected = |x: usize, y: usize| {
                if x == 0 || y == 0 || x == n - 1 || y == n - 1 {
                    return 0;
                }
                let sum = |by: &dyn Fn(usize, usize) -> i64| -> i64 {
                    let places = (0..9).map(|k| (k % 3, k / 3));
                    places.map(|(u, v)| by(u, v) * brightness(x + u - 1, y + v - 1)).sum()
                };
                let weight = [1, 2, 1];
                let across = sum(&|u, v| weight[v] * (u as i64 - 1));
                let down = sum(&|u, v| weight[u] * (v as i64 - 1));
                (across * across + down * down).isqrt().min(255)
            };
            for (i, pixel) in uints(output).into_iter().enumerate().step_by(n * n / 97 + 1) {
                let [r, g, b, a] = pixel.to_le_bytes();
                let wanted = expected(i % n, i / n);
                if (i64::from(r) - wanted).abs() > 1 || [g, b, a] != [r, r, 255] {
                    return Err(format!("pixel {i}: {pixel:#x}, not of {wanted}"));
                }
            }
            Ok(())
        })
    }
}

fn neighbours(n: usize) -> Benchmark {
    const COUNT: usize = 1024;
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), value(COUNT as u32)];
    let launch = step("neighbours", &[n], &[128], arguments);
    let points = random_floats(16 * (n + COUNT)).split_off(4 * 16 * n);
    let buffers = vec![random_floats(16 * n), points, zeros(8 * n)];
    one("neighbours", source!("neighbours"), launch, buffers, 2, |buffers, output| {
        let (queries, points) = (floats(&buffers[0]), floats(&buffers[1]));
        samples::<8>(&floats(output), |i| {
            let distance = |point: &[f32]| -> f64 {
                let pairs = point.iter().zip(&queries[16 * i..]);
                pairs.map(|(a, b)| f64::from(a - b) * f64::from(a - b)).sum()
            };
            let mut distances: Vec<f64> = points.chunks(16).map(distance).collect();
            distances.sort_by(f64::total_cmp);
            std::array::from_fn(|k| distances[k])
        })
    })
}

fn unstructured(n: usize) -> Benchmark {
    // Up to 31 entries in each row.
    let mut begins = vec![0];
    for length in random(n) {
        begins.push(begins[begins.len() - 1] + length % 32);
    }
    let count = begins[n] as usize;
    let columns = random(count).map(|column| column % n as u32);
    let bytes = |words: &mut dyn Iterator<Item = u32>| words.flat_map(u32::to_le_bytes).collect();
    let buffers = vec![
        bytes(&mut begins.iter().copied()),
        bytes(&mut columns.into_iter()),
        random_floats(count),
        random_floats(n),
        zeros(n),
    ];
    let mut arguments: Vec<Argument> = (0..5).map(Buffer).collect();
    arguments.push(value(n as u32));
    let launch = step("unstructured", &[n], &[128], arguments);
    one("unstructured", source!("unstructured"), launch, buffers, 4, |buffers, output| {
        let (begins, columns) = (uints(&buffers[0]), uints(&buffers[1]));
        let (values, vector) = (floats(&buffers[2]), floats(&buffers[3]));
        samples(&floats(output), |row| {
            let entries = begins[row] as usize..begins[row + 1] as usize;
            let products =
                entries.map(|i| f64::from(values[i]) * f64::from(vector[columns[i] as usize]));
            [products.sum()]
        })
    })
}

fn rotary(positions: usize) -> Benchmark {
    const HEADS: usize = 16;
    const PAIRS: usize = 64;
    let n = positions * HEADS * 2 * PAIRS;
    let arguments = vec![Buffer(0), Buffer(1), int(HEADS as i32), float(10_000.0)];
    let launch = step("rotary", &[PAIRS, HEADS, positions], &[PAIRS, 4, 1], arguments);
    one("rotary", source!("rotary"), launch, vec![random_floats(n), zeros(n)], 1, |buffers, out| {
        let (input, output) = (floats(&buffers[0]), floats(out));
        // The first and the last of some heads, as pairs.
        let heads = input.len() / (2 * PAIRS);
        let some: Vec<usize> = (0..heads).step_by(heads / 61 + 1).collect();
        let pairs: Vec<f32> = some
            .iter()
            .flat_map(|head| {
                let at = move |pair: usize| head * 2 * PAIRS + pair;
                (0..PAIRS).flat_map(move |pair| [at(pair), at(pair + PAIRS)])
            })
            .map(|at| output[at])
            .collect();
        samples(&pairs, |i| {
            let (head, pair) = (some[i / PAIRS], i % PAIRS);
            // As the kernel does, in floats: the angles are large.
            let slow = 10_000f64.powf(-(pair as f64) / PAIRS as f64) as f32;
            let angle = f64::from((head / HEADS) as f32 * slow);
            let at = head * 2 * PAIRS + pair;
            let [a, b] = [input[at], input[at + PAIRS]].map(f64::from);
            let (s, c) = angle.sin_cos();
            [a * c - b * s, a * s + b * c]
        })
    })
}

fn marching(n: usize) -> Benchmark {
    let launch =
        step("marching", &[n, n], &[16, 16], vec![Buffer(0), int(n as i32), int(n as i32)]);
    Benchmark {
        // At the rims a ray hits or does not.
        elements: Elements::Picture,
        ..one("marching", source!("marching"), launch, vec![zeros(n * n)], 0, |_, output| {
            let image = floats(output);
            let n = image.len().isqrt();
            let places = (0..n * n).step_by(n * n / 991 + 1);
            let wrong = places.filter(|&i| {
                let expected = march(n, i % n, i / n);
                (f64::from(image[i]) - expected).abs().is_nan()
                    || (f64::from(image[i]) - expected).abs() > 0.01
            });
            match wrong.count() {
                0..=25 => Ok(()),
                wrong => Err(format!("{wrong} points of some 991 are wrong")),
            }
        })
    }
}

/// What [`marching`] gives for a point of a picture of `n` by `n`.
fn march(n: usize, x: usize, y: usize) -> f64 {
    let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let scene = |p: [f64; 3]| {
        let ball = length(&[p[0], p[1] - 0.6, p[2]]) - 0.4;
        let ring = length(&[length(&[p[0], p[2]]) - 0.9, p[1] - 0.3]) - 0.2;
        let h = (0.5 + 0.5 * (ring - ball) / 0.2).clamp(0.0, 1.0);
        let both = ring + (ball - ring) * h - 0.2 * h * (1.0 - h);
        both.min(p[1])
    };
    let unit = |v: [f64; 3]| v.map(|x| x / length(&v));
    let way = unit([2.0 * x as f64 / n as f64 - 1.0, 1.0 - 2.0 * y as f64 / n as f64 - 0.2, 1.5]);
    let mut far = 0.0;
    for _ in 0..96 {
        if far >= 20.0 {
            break;
        }
        let p = [far * way[0], 1.2 + far * way[1], -3.0 + far * way[2]];
        let distance = scene(p);
        if distance < 0.002 {
            let slope = |axis: usize| {
                let moved = |by: f64| {
                    let mut p = p;
                    p[axis] += by;
                    scene(p)
                };
                moved(0.001) - moved(-0.001)
            };
            let normal = unit([slope(0), slope(1), slope(2)]);
            let light = unit([0.5, 0.8, -0.4]);
            let lit: f64 = normal.iter().zip(light).map(|(a, b)| a * b).sum();
            return (0.2 + 0.8 * lit.max(0.0)) * (-0.05 * far).exp();
        }
        far += distance;
    }
    0.0
}

fn advection(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), int(n as i32), int(n as i32), float(3.0)];
    let launch = step("advection", &[n, n], &[32, 8], arguments);
    let buffers = vec![random_floats(n * n), random_floats(2 * n * n), zeros(n * n)];
    one("advection", source!("advection"), launch, buffers, 2, |buffers, output| {
        let (quantity, flow) = (floats(&buffers[0]), floats(&buffers[1]));
        let n = quantity.len().isqrt();
        samples(&floats(output), |i| {
            // In floats, as the kernel has them: between cells it is the difference that counts.
            let place = |at: usize, speed: f32| {
                let p = (at as f64 - 3.0 * f64::from(speed)) as f32;
                p.clamp(0.0, n as f32 - 1.001)
            };
            let (x, y) = (place(i % n, flow[2 * i]), place(i / n, flow[2 * i + 1]));
            let at = |dx: usize, dy: usize| {
                f64::from(quantity[(y.floor() as usize + dy) * n + x.floor() as usize + dx])
            };
            let mix = |a: f64, b: f64, part: f32| a + (b - a) * f64::from(part - part.floor());
            [mix(mix(at(0, 0), at(1, 0), x), mix(at(0, 1), at(1, 1), x), y)]
        })
    })
}

fn modular(n: usize) -> Benchmark {
    /// A prime.
    const MODULUS: u64 = (1 << 61) - 1;
    const EXPONENT: u64 = 0xfedc_ba98_7654_3210;
    let mut inverse = 1u64;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(MODULUS.wrapping_mul(inverse)));
    }
    let one_there = ((1u128 << 64) % u128::from(MODULUS)) as u64;
    let square = (u128::from(one_there) * u128::from(one_there) % u128::from(MODULUS)) as u64;
    let numbers = [MODULUS, inverse.wrapping_neg(), one_there, square, EXPONENT];
    let mut arguments = vec![Buffer(0), Buffer(1)];
    arguments.extend(numbers.map(long));
    let launch = step("modular", &[n], &[128], arguments);
    let buffers = vec![random_uints(2 * n), zeros(2 * n)];
    with_exact(one("modular", source!("modular"), launch, buffers, 1, |buffers, output| {
        let bases = uints(&buffers[0]);
        exact_samples(&uints(output), |i| {
            let times =
                |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(MODULUS)) as u64;
            let mut base = (u64::from(bases[2 * i]) | u64::from(bases[2 * i + 1]) << 32) % MODULUS;
            let mut result = 1;
            for bit in 0..64 {
                if EXPONENT >> bit & 1 != 0 {
                    result = times(result, base);
                }
                base = times(base, base);
            }
            [result as u32, (result >> 32) as u32]
        })
    }))
}

fn md5(n: usize) -> Benchmark {
    let launch = step("md5", &[n], &[256], vec![Buffer(0), Buffer(1)]);
    let buffers = vec![random_uints(4 * n), zeros(4 * n)];
    with_exact(one("md5", source!("md5"), launch, buffers, 1, |buffers, output| {
        exact_samples::<4>(&uints(output), |i| {
            let digest = Md5::digest(&buffers[0][16 * i..16 * i + 16]);
            std::array::from_fn(|k| {
                u32::from_le_bytes(std::array::from_fn(|byte| digest[4 * k + byte]))
            })
        })
    }))
}

fn grading(n: usize) -> Benchmark {
    const SIZE: usize = 33;
    let launch = step("grading", &[n], &[256], vec![Buffer(0), Buffer(1), Buffer(2)]);
    let buffers = vec![random_uints(n), random_floats(4 * SIZE * SIZE * SIZE), zeros(n)];
    Benchmark {
        // A number halfway between two may be either.
        elements: Elements::Counts,
        ..one("grading", source!("grading"), launch, buffers, 2, |buffers, output| {
            let table = floats(&buffers[1]);
            let pixels = output.len() / 4;
            let wrong = (0..pixels).step_by(pixels / 499 + 1).filter(|&i| {
                let pixel: [u8; 4] = std::array::from_fn(|k| buffers[0][4 * i + k]);
                let place = [0, 1, 2].map(|k| f64::from(pixel[k]) / 255.0 * (SIZE - 1) as f64);
                let low = place.map(|x| x.floor().min((SIZE - 2) as f64));
                let colour = [0, 1, 2].map(|channel| {
                    let corners = (0..8).map(|corner: usize| {
                        let by = [corner & 1, corner >> 1 & 1, corner >> 2];
                        let at = [0, 1, 2].map(|k| low[k] as usize + by[k]);
                        let weights = [0, 1, 2].map(|k| {
                            let part = place[k] - low[k];
                            if by[k] == 1 { part } else { 1.0 - part }
                        });
                        let entry = (at[2] * SIZE + at[1]) * SIZE + at[0];
                        weights.iter().product::<f64>() * f64::from(table[4 * entry + channel])
                    });
                    255.0 * corners.sum::<f64>()
                });
                let near = |k: usize| (f64::from(output[4 * i + k]) - colour[k]).abs() < 0.501;
                !(0..3).all(near) || output[4 * i + 3] != pixel[3]
            });
            match wrong.count() {
                0 => Ok(()),
                wrong => Err(format!("{wrong} pixels of some 499 are wrong")),
            }
        })
    }
}

fn halved(n: usize) -> Benchmark {
    const COLUMNS: usize = 1024;
    let halves_of = |count: usize, skip: usize| -> Vec<u8> {
        let numbers = random(skip + count).skip(skip);
        let half = |bits: u32| half::f16::from_f64(f64::from(bits) / f64::from(u32::MAX) - 0.25);
        numbers.flat_map(|bits| half(bits).to_le_bytes()).collect()
    };
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), int(COLUMNS as i32), Local(4 * 128)];
    let launch = step("halves", &[n * 128], &[128], arguments);
    let buffers =
        vec![halves_of(n * COLUMNS, 0), halves_of(COLUMNS, n * COLUMNS), zeros(n * COLUMNS / 2)];
    Benchmark {
        elements: Elements::Halves,
        ..one("halves", source!("halves"), launch, buffers, 2, |buffers, output| {
            let (input, weights) = (halves(&buffers[0]), halves(&buffers[1]));
            let output = halves(output);
            samples(&output, |i| {
                let row = &input[i / COLUMNS * COLUMNS..][..COLUMNS];
                let squares: f64 = row.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
                let scale = 1.0 / (squares / COLUMNS as f64 + 1e-5).sqrt();
                [f64::from(input[i]) * scale * f64::from(weights[i % COLUMNS])]
            })
        })
    }
}
