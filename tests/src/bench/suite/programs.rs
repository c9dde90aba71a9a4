//! One launch each, as parts of programs: simulation, graphics, learning, codes and signals.

use super::families::{float, one, samples};
use super::{
    Argument, Benchmark, Elements, Size, floats, random, random_floats, random_uints, source, step,
    uints, value, zeros,
};
use Argument::{Buffer, Local, Value};

pub(super) fn benchmark(name: &str, size: Size) -> Option<Benchmark> {
    Some(match name {
        "lattice" => lattice(size.choose(32, 512, 2048)),
        "quantised" => quantised(size.choose(16, 2048, 16 << 10), size.choose(128, 128, 512)),
        "rays" => rays(size.choose(32, 256, 4096)),
        "life" => life(size.choose(64, 2048, 16 << 10)),
        "clusters" => clusters(size.choose(1 << 10, 1 << 16, 1 << 22)),
        "cipher" => cipher(size.choose(1 << 10, 1 << 18, 1 << 24)),
        "philox" => philox(size.choose(1 << 10, 1 << 18, 1 << 24)),
        "cosines" => cosines(size.choose(64, 1024, 8192)),
        "noise" => noise(size.choose(64, 512, 4096)),
        "distances" => distances(size.choose(64, 1024, 8192)),
        "normalise" => normalise(size.choose(16, 1 << 10, 64 << 10)),
        "skinning" => skinning(size.choose(1 << 10, 1 << 18, 1 << 23)),
        "cholesky" => cholesky(size.choose(1 << 10, 1 << 17, 1 << 22)),
        "hamming" => hamming(size.choose(1 << 10, 1 << 13, 1 << 18)),
        "filter" => filter(size.choose(1 << 10, 1 << 18, 1 << 24)),
        "collatz" => collatz(size.choose(1 << 10, 1 << 18, 1 << 24)),
        _ => return None,
    })
}

pub(super) fn int(number: i32) -> Argument {
    Value(number.to_le_bytes().to_vec())
}

/// Integers, of which some are compared, as many for each item as `expected` gives.
pub(super) fn exact_samples<const N: usize>(
    output: &[u32],
    expected: impl Fn(usize) -> [u32; N],
) -> Result<(), String> {
    let (items, _) = output.as_chunks::<N>();
    for (i, got) in items.iter().enumerate().step_by(items.len() / 97 + 1) {
        let wanted = expected(i);
        if *got != wanted {
            return Err(format!("item {i}: {got:?}, not {wanted:?}"));
        }
    }
    Ok(())
}

pub(super) fn with_exact(benchmark: Benchmark) -> Benchmark {
    Benchmark { elements: Elements::Exact, ..benchmark }
}

fn vector(numbers: &[f32]) -> [f64; 3] {
    [0, 1, 2].map(|axis| f64::from(numbers[axis]))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `a + factor * b`
fn plus(a: [f64; 3], factor: f64, b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] + factor * b[axis])
}

fn normal(a: [f64; 3]) -> [f64; 3] {
    a.map(|number| number / dot(a, a).sqrt())
}

fn lattice(n: usize) -> Benchmark {
    let launch =
        step("lattice", &[n, n], &[32, 8], vec![Buffer(0), Buffer(1), int(n as i32), float(1.2)]);
    let buffers = vec![random_floats(9 * n * n), zeros(9 * n * n)];
    one("lattice", source!("lattice"), launch, buffers, 1, |buffers, output| {
        let from = floats(&buffers[0]);
        let n = (from.len() / 9).isqrt();
        let way = |k: usize| {
            let ways =
                [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];
            ways[k]
        };
        samples(&floats(output), |i| {
            let (k, y, x) = (i / n / n, i / n % n, i % n);
            let size = n as i32;
            let streamed: [f64; 9] = std::array::from_fn(|k| {
                let [dx, dy] = way(k);
                let column = (x as i32 - dx).rem_euclid(size) as usize;
                let row = (y as i32 - dy).rem_euclid(size) as usize;
                f64::from(from[(k * n + row) * n + column])
            });
            let density: f64 = streamed.iter().sum();
            let speed = [0, 1].map(|axis| {
                let parts = (0..9).map(|k| f64::from(way(k)[axis]) * streamed[k]);
                parts.sum::<f64>() / density
            });
            let along = f64::from(way(k)[0]) * speed[0] + f64::from(way(k)[1]) * speed[1];
            let weight = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0][k.div_ceil(4)];
            let square = speed[0] * speed[0] + speed[1] * speed[1];
            let rest = weight * density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * square);
            [streamed[k] + f64::from(1.2f32) * (rest - streamed[k])]
        })
    })
}

/// Bytes of a block of 32 numbers.
const BLOCK: usize = 18;

fn quantised(rows: usize, blocks: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), int(blocks as i32)];
    let launch = step("quantised", &[64 * rows], &[64], arguments);
    let mut bits = random(5 * rows * blocks);
    let mut word = || bits.next().unwrap_or_default();
    let matrix = (0..rows * blocks).flat_map(|_| {
        // From 1 to 2.
        let scale = (0x3c00 | (word() & 0x3ff) as u16).to_le_bytes();
        let pairs: [u32; 4] = std::array::from_fn(|_| word());
        scale.into_iter().chain(pairs.into_iter().flat_map(u32::to_le_bytes))
    });
    let buffers = vec![matrix.collect(), random_floats(32 * blocks), zeros(rows)];
    one("quantised", source!("quantised"), launch, buffers, 2, |buffers, output| {
        let numbers = floats(&buffers[1]);
        let (matrix, _) = buffers[0].as_chunks::<BLOCK>();
        let blocks = numbers.len() / 32;
        samples(&floats(output), |row| {
            let parts = (0..32 * blocks).map(|k| {
                let block = &matrix[row * blocks + k / 32];
                let scale = half::f16::from_le_bytes([block[0], block[1]]).to_f64();
                let pair = block[2 + k % 16];
                let digit = if k % 32 < 16 { pair & 15 } else { pair >> 4 };
                scale * (f64::from(digit) - 8.0) * f64::from(numbers[k])
            });
            [parts.sum()]
        })
    })
}

const BALLS: usize = 16;

/// How far a ray goes to which of the balls.
fn nearest(balls: &[f32], from: [f64; 3], way: [f64; 3]) -> Option<(usize, f64)> {
    let hits = (0..BALLS).filter_map(|k| {
        let ball = &balls[8 * k..];
        let to = plus(vector(ball), -1.0, from);
        let along = dot(to, way);
        let inside = f64::from(ball[3]) * f64::from(ball[3]) - dot(to, to) + along * along;
        let distance = along - inside.sqrt();
        (inside > 0.0 && distance > 1e-3).then_some((k, distance))
    });
    hits.min_by(|a, b| a.1.total_cmp(&b.1))
}

fn seen(balls: &[f32], x: usize, y: usize, n: usize) -> [f64; 4] {
    let at = |i: usize| (2.0 * i as f64 - n as f64) / n as f64;
    let (mut from, mut way) = ([0.0, 0.0, -4.0], normal([at(x), at(y), 1.5]));
    let light = normal([1.0, 2.0, -2.0]);
    let (mut seen, mut share) = ([0.0; 3], 1.0);
    for _ in 0..4 {
        let Some((hit, distance)) = nearest(balls, from, way) else {
            seen = plus(seen, share * (0.5 + 0.5 * way[1]), [0.2, 0.3, 0.5].map(|c: f32| c.into()));
            break;
        };
        let ball = &balls[8 * hit..8 * hit + 8];
        let mirror = f64::from(ball[7]);
        from = plus(from, distance, way);
        let across = normal(plus(from, -1.0, vector(ball)));
        let mut bright = dot(across, light).max(0.0);
        if nearest(balls, from, light).is_some() {
            bright = 0.0;
        }
        seen = plus(seen, share * (1.0 - mirror) * (0.1 + bright), vector(&ball[4..]));
        share *= mirror;
        way = plus(way, -2.0 * dot(way, across), across);
    }
    [seen[0], seen[1], seen[2], share]
}

fn rays(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), int(BALLS as i32), Buffer(1), int(n as i32)];
    let launch = step("rays", &[n, n], &[16, 16], arguments);
    let balls = floats(&random_floats(8 * BALLS));
    let balls = balls.chunks(8).flat_map(|ball| {
        let place = [4.0 * ball[0] - 2.0, 4.0 * ball[1] - 2.0, 4.0 * ball[2], 0.3 + 0.5 * ball[3]];
        place.into_iter().chain(ball[4..].iter().copied())
    });
    let buffers = vec![balls.flat_map(f32::to_le_bytes).collect(), zeros(4 * n * n)];
    let benchmark = one("rays", source!("rays"), launch, buffers, 1, |buffers, output| {
        let (balls, picture) = (floats(&buffers[0]), floats(output));
        let (pixels, _) = picture.as_chunks::<4>();
        let n = pixels.len().isqrt();
        // A ray that only just meets a ball, or does not, is another with other roundings.
        let places = (0..pixels.len()).step_by(pixels.len() / 397 + 1);
        let wrong = places.filter(|&i| {
            let wanted = seen(&balls, i % n, i / n, n);
            let pairs = wanted.into_iter().zip(pixels[i]);
            pairs.into_iter().any(|(wanted, got)| (wanted - f64::from(got)).abs() > 2e-3)
        });
        match wrong.count() {
            0..=4 => Ok(()),
            wrong => Err(format!("{wrong} of some 400 pixels are wrong")),
        }
    });
    Benchmark { elements: Elements::Picture, ..benchmark }
}

fn life(n: usize) -> Benchmark {
    let launch = step("life", &[n, n], &[32, 8], vec![Buffer(0), Buffer(1), int(n as i32)]);
    let cells: Vec<u8> = random(n * n).map(|bits| (bits & 1) as u8).collect();
    let buffers = vec![cells, vec![0; n * n]];
    with_exact(one("life", source!("life"), launch, buffers, 1, |buffers, output| {
        let cells = &buffers[0];
        let n = cells.len().isqrt();
        for i in (0..n * n).step_by(n * n / 997 + 1).chain([0, n - 1, n * n - 1]) {
            let near = [n - 1, 0, 1];
            let places = near.iter().flat_map(|y| near.map(|x| ((i / n + y) % n, (i + x) % n)));
            let count: u8 = places.map(|(y, x)| cells[y * n + x]).sum();
            if output[i] != u8::from(count == 3 || cells[i] == 1 && count == 4) {
                return Err(format!("cell {i} is {}", output[i]));
            }
        }
        Ok(())
    }))
}

fn clusters(n: usize) -> Benchmark {
    const COUNT: usize = 32;
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), int(n as i32), int(COUNT as i32)];
    let launch = step("clusters", &[n], &[256], arguments);
    let buffers = vec![random_floats(8 * n), random_floats(8 * COUNT), zeros(n)];
    Benchmark {
        elements: Elements::Counts,
        ..one("clusters", source!("clusters"), launch, buffers, 2, |buffers, output| {
            let (points, centres) = (floats(&buffers[0]), floats(&buffers[1]));
            let n = points.len() / 8;
            let distance = |i: usize, c: usize| -> f64 {
                let parts = (0..8).map(|k| points[k * n + i] - centres[8 * c + k]);
                parts.map(|d| f64::from(d) * f64::from(d)).sum()
            };
            for (i, &got) in uints(output).iter().enumerate().step_by(n / 97 + 1) {
                let least = (0..COUNT).map(|c| distance(i, c)).fold(f64::MAX, f64::min);
                if distance(i, got as usize) > least + 1e-5 {
                    return Err(format!("point {i} is not near {got}"));
                }
            }
            Ok(())
        })
    }
}

fn cipher(n: usize) -> Benchmark {
    let launch = step("cipher", &[n], &[256], vec![Buffer(0), Buffer(1), Buffer(2)]);
    let buffers = vec![random_uints(1024), random_uints(44), zeros(4 * n)];
    with_exact(one("cipher", source!("cipher"), launch, buffers, 2, |buffers, output| {
        let (tables, keys) = (uints(&buffers[0]), uints(&buffers[1]));
        exact_samples(&uints(output), |i| {
            let i = i as u32;
            let mut state = [i ^ keys[0], keys[1], keys[2], !i ^ keys[3]];
            for round in 1..=10 {
                state = std::array::from_fn(|word| {
                    let bytes = (0..4).map(|k| {
                        let byte = state[(word + k) % 4].to_be_bytes()[k];
                        tables[256 * k + byte as usize]
                    });
                    bytes.fold(keys[4 * round + word], |sum, entry| sum ^ entry)
                });
            }
            state
        })
    }))
}

fn philox(n: usize) -> Benchmark {
    let key = [17u32, 4].into_iter().flat_map(u32::to_le_bytes).collect();
    let launch = step("philox", &[n], &[256], vec![Buffer(0), Value(key)]);
    one("philox", source!("philox"), launch, vec![zeros(4 * n)], 0, |_, output| {
        samples(&floats(output), |i| {
            let mut c = [i as u32, 0, 1, 2];
            let mut key = [17u32, 4];
            for _ in 0..10 {
                let first = u64::from(c[0]) * 0xD251_1F53;
                let second = u64::from(c[2]) * 0xCD9E_8D57;
                c = [
                    (second >> 32) as u32 ^ c[1] ^ key[0],
                    second as u32,
                    (first >> 32) as u32 ^ c[3] ^ key[1],
                    first as u32,
                ];
                key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
            }
            let u = c.map(|word| (f64::from(word >> 8) + 0.5) / f64::from(1 << 24));
            let pair = |u: f64, v: f64| {
                let (r, turn) = ((-2.0 * u.ln()).sqrt(), std::f64::consts::TAU * v);
                [r * turn.cos(), r * turn.sin()]
            };
            let ([a, b], [c, d]) = (pair(u[0], u[1]), pair(u[2], u[3]));
            [a, b, c, d]
        })
    })
}

fn cosines(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), int(n as i32), Buffer(2)];
    let launch = step("cosines", &[n, n], &[8, 8], arguments);
    let basis = (0..64).map(|i| {
        let (x, k) = (f64::from(i / 8), f64::from(i % 8));
        let scale: f64 = if i < 8 { 0.125 } else { 0.25 };
        (scale.sqrt() * (std::f64::consts::PI * (k + 0.5) * x / 8.0).cos()) as f32
    });
    let basis = basis.flat_map(f32::to_le_bytes).collect();
    let buffers = vec![random_floats(n * n), zeros(n * n), basis];
    one("cosines", source!("cosines"), launch, buffers, 1, |buffers, output| {
        let (image, basis) = (floats(&buffers[0]), floats(&buffers[2]));
        let n = image.len().isqrt();
        samples(&floats(output), |i| {
            let (y, x) = (i / n, i % n);
            let parts = (0..64).map(|k| {
                let number = image[(y / 8 * 8 + k / 8) * n + x / 8 * 8 + k % 8];
                let factors = [basis[8 * (x % 8) + k % 8], basis[8 * (y % 8) + k / 8]];
                f64::from(number) * f64::from(factors[0]) * f64::from(factors[1])
            });
            [parts.sum()]
        })
    })
}

fn noise(n: usize) -> Benchmark {
    let arguments = vec![Buffer(0), Buffer(1), int(n as i32), float(0.37)];
    let launch = step("noise", &[n, n], &[16, 16], arguments);
    let mut order: Vec<u32> = (0..256).collect();
    for (i, bits) in random(256).enumerate() {
        order.swap(i, bits as usize % 256);
    }
    // Indices are sums of two numbers below 256, and one more.
    let order = order.repeat(3).into_iter().take(514).flat_map(u32::to_le_bytes).collect();
    let buffers = vec![order, zeros(n * n)];
    one("noise", source!("noise"), launch, buffers, 1, |buffers, output| {
        let order = uints(&buffers[0]);
        let at = |hash: u32, add: usize| order[hash as usize % 256 + add];
        let gradient = |hash: u32, x: f64, y: f64, z: f64| {
            let h = hash & 15;
            let u = if h < 8 { x } else { y };
            let v = match h {
                0..4 => y,
                12 | 14 => x,
                _ => z,
            };
            (if h & 1 == 0 { u } else { -u }) + (if h & 2 == 0 { v } else { -v })
        };
        let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
        let n = output.len().isqrt() / 2;
        samples(&floats(output), |i| {
            let octaves = (0..4).map(|octave| {
                let scale = f64::from(1 << octave) * 8.0 / n as f64;
                let place = [scale * (i % n) as f64, scale * (i / n) as f64, f64::from(0.37f32)];
                let part = place.map(|x| x - x.floor());
                let cell = place.map(|x| x.floor() as usize % 256);
                let corners = (0..8).map(|corner| {
                    let ahead = [0, 1, 2].map(|axis| corner >> axis & 1);
                    let p = at(0, cell[0] + ahead[0]);
                    // As the kernel does, beyond 255 where sums are.
                    let q = order[p as usize + cell[1] + ahead[1]];
                    let hash = order[q as usize + cell[2] + ahead[2]];
                    let [a, b, c] = [0, 1, 2].map(|axis| part[axis] - ahead[axis] as f64);
                    let shares = [0, 1, 2].map(|axis| match ahead[axis] {
                        0 => 1.0 - fade(part[axis]),
                        _ => fade(part[axis]),
                    });
                    shares.iter().product::<f64>() * gradient(hash, a, b, c)
                });
                corners.sum::<f64>() / f64::from(1 << octave)
            });
            [octaves.sum()]
        })
    })
}

fn distances(n: usize) -> Benchmark {
    let middle = n as i32 / 3;
    let arguments = vec![Buffer(0), int(n as i32), int(middle)];
    let launch = step("distances", &[n, n], &[32, 8], arguments);
    // No way leads back to where it begins for less than nothing, so that the middle row and column stay.
    let buffers = vec![random(n * n).flat_map(|bits| (bits >> 12).to_le_bytes()).collect()];
    with_exact(one("distances", source!("distances"), launch, buffers, 0, |buffers, output| {
        let ways = uints(&buffers[0]);
        let n = ways.len().isqrt();
        let middle = n / 3;
        exact_samples(&uints(output), |i| {
            [ways[i].min(ways[i / n * n + middle] + ways[middle * n + i % n])]
        })
    }))
}

fn normalise(rows: usize) -> Benchmark {
    const ROW: usize = 1024;
    let n = rows * ROW;
    let buffer = [0, 1, 2, 3].map(Buffer);
    let arguments = buffer.into_iter().chain([int(ROW as i32), Local(4 * 256)]).collect();
    let launch = step("normalise", &[rows * 256], &[256], arguments);
    let buffers = vec![random_floats(n), random_floats(ROW), random_floats(ROW), zeros(n)];
    one("normalise", source!("normalise"), launch, buffers, 3, |buffers, output| {
        let [rows, scale, shift] = [0, 1, 2].map(|buffer| floats(&buffers[buffer]));
        samples(&floats(output), |i| {
            let row = &rows[i / ROW * ROW..][..ROW];
            let mean = row.iter().copied().map(f64::from).sum::<f64>() / ROW as f64;
            let squares = row.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>();
            let factor = 1.0 / (squares / ROW as f64 + 1e-5).sqrt();
            let k = i % ROW;
            [(f64::from(rows[i]) - mean) * factor * f64::from(scale[k]) + f64::from(shift[k])]
        })
    })
}

const BONES: u32 = 128;

fn skinning(n: usize) -> Benchmark {
    let launch = step("skinning", &[n], &[256], vec![Buffer(0), Buffer(1), Buffer(2)]);
    let numbers = floats(&random_floats(11 * n));
    let vertices = numbers.chunks(11).flat_map(|vertex| {
        let bits = vertex[6].to_bits() ^ vertex[0].to_bits().rotate_left(9);
        // Each of four bytes.
        let bones = bits & ((BONES - 1) * 0x0101_0101);
        let floats = |range: std::ops::Range<usize>| {
            vertex[range].iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>()
        };
        [floats(0..6), bones.to_le_bytes().to_vec(), floats(7..11)].concat()
    });
    let buffers = vec![vertices.collect(), random_floats(12 * BONES as usize), zeros(6 * n)];
    one("skinning", source!("skinning"), launch, buffers, 2, |buffers, output| {
        let (vertices, _) = buffers[0].as_chunks::<44>();
        let bones = floats(&buffers[1]);
        samples(&floats(output), |i| {
            let numbers = floats(&vertices[i]);
            let moved = |of: [f64; 3], one: f64| {
                let parts = (0..4).map(|k| {
                    let bone = &bones[12 * vertices[i][24 + k] as usize..][..12];
                    let turned = [0, 4, 8]
                        .map(|row| dot(vector(&bone[row..]), of) + one * f64::from(bone[row + 3]));
                    turned.map(|part| f64::from(numbers[7 + k]) * part)
                });
                parts.fold([0.0; 3], |sum, part| plus(sum, 1.0, part))
            };
            let position = moved(vector(&numbers), 1.0);
            let across = normal(moved(vector(&numbers[3..]), 0.0));
            [position[0], position[1], position[2], across[0], across[1], across[2]]
        })
    })
}

fn cholesky(n: usize) -> Benchmark {
    let launch = step("cholesky", &[n], &[128], vec![Buffer(0), Buffer(1), int(n as i32)]);
    let buffers = vec![random_floats(27 * n), zeros(6 * n)];
    one("cholesky", source!("cholesky"), launch, buffers, 1, |buffers, output| {
        let numbers = floats(&buffers[0]);
        let n = numbers.len() / 27;
        samples(&floats(output), |i| {
            let entry = |r: usize, c: usize| {
                let (r, c) = (r.max(c), r.min(c));
                let number = f64::from(numbers[(r * (r + 1) / 2 + c) * n + i]);
                number + if r == c { 6.0 } else { 0.0 }
            };
            // By elimination.
            let mut rows: [[f64; 7]; 6] = std::array::from_fn(|r| {
                std::array::from_fn(|c| match c {
                    6 => f64::from(numbers[(21 + r) * n + i]),
                    _ => entry(r, c),
                })
            });
            for pivot in 0..6 {
                let above = rows[pivot].map(|number| number / rows[pivot][pivot]);
                for (r, row) in rows.iter_mut().enumerate() {
                    let factor = row[pivot];
                    match r == pivot {
                        true => *row = above,
                        false => {
                            *row = std::array::from_fn(|c| row[c] - factor * above[c]);
                        }
                    }
                }
            }
            rows.map(|row| row[6])
        })
    })
}

fn hamming(n: usize) -> Benchmark {
    const COUNT: usize = 1024;
    let arguments = vec![Buffer(0), Buffer(1), Buffer(2), value(COUNT as u32)];
    let launch = step("hamming", &[n], &[256], arguments);
    let known = random(8 * (n + COUNT)).skip(8 * n).flat_map(u32::to_le_bytes).collect();
    let buffers = vec![random_uints(8 * n), known, zeros(2 * n)];
    with_exact(one("hamming", source!("hamming"), launch, buffers, 2, |buffers, output| {
        let (queries, known) = (uints(&buffers[0]), uints(&buffers[1]));
        let (known, _) = known.as_chunks::<8>();
        exact_samples(&uints(output), |i| {
            let query = &queries[8 * i..8 * i + 8];
            let distances = known.iter().enumerate().map(|(index, known)| {
                let bits = known.iter().zip(query).map(|(a, b)| (a ^ b).count_ones());
                (bits.sum::<u32>(), index as u32)
            });
            let (distance, index) = distances.min().unwrap_or_default();
            [index, distance]
        })
    }))
}

fn filter(n: usize) -> Benchmark {
    let launch = step("filter", &[n], &[256], vec![Buffer(0), Buffer(1), Buffer(2)]);
    let buffers = vec![random_floats(2 * (n + 64)), random_floats(128), zeros(2 * n)];
    one("filter", source!("filter"), launch, buffers, 2, |buffers, output| {
        let (signal, taps) = (floats(&buffers[0]), floats(&buffers[1]));
        samples(&floats(output), |i| {
            let mut sum = [0.0; 2];
            for k in 0..64 {
                let [a, b] = [0, 1].map(|part| f64::from(signal[2 * (i + k) + part]));
                let [c, d] = [0, 1].map(|part| f64::from(taps[2 * k + part]));
                sum = [sum[0] + a * c - b * d, sum[1] + a * d + b * c];
            }
            sum
        })
    })
}

fn collatz(n: usize) -> Benchmark {
    let launch = step("collatz", &[n], &[256], vec![Buffer(0), Buffer(1)]);
    let buffers = vec![random_uints(n), zeros(n)];
    with_exact(one("collatz", source!("collatz"), launch, buffers, 1, |buffers, output| {
        let starts = uints(&buffers[0]);
        exact_samples(&uints(output), |i| {
            let (mut number, mut count) = (u64::from(starts[i] | 1), 0);
            while number != 1 && count < 1000 {
                number = if number % 2 == 0 { number / 2 } else { 3 * number + 1 };
                count += 1;
            }
            [count]
        })
    }))
}
