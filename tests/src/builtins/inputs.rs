//! Arguments to call a function with: edge values in all combinations, then random ones.

use std::sync::Arc;

use crate::builtins::value::{Value, limits};
use crate::data::Element;

/// splitmix64: the same numbers everywhere.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A seed that depends on a name.
    pub fn named(name: &str) -> Random {
        Random(name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        }))
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// In `-1.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Columns of arguments, one for each parameter, all of the same number of calls.
#[derive(Debug)]
pub struct Inputs {
    pub name: String,
    pub columns: Vec<Vec<Value>>,
}

/// A number of calls that every vector width divides.
const STEP: usize = 48;

impl Inputs {
    /// All `tuples`, and then copies of them to a number that every width divides.
    pub fn from_tuples(name: String, tuples: Vec<Vec<Value>>) -> Arc<Inputs> {
        let arity = tuples.first().map_or(0, Vec::len);
        let count = tuples.len().next_multiple_of(STEP);
        let columns = (0..arity)
            .map(|column| tuples.iter().cycle().take(count).map(|tuple| tuple[column]).collect())
            .collect();
        Arc::new(Inputs { name, columns })
    }

    /// Edge values in all combinations, and random values. `name` tells inputs apart and chooses
    /// the random values.
    pub fn standard(name: &str, elements: &[Element]) -> Arc<Inputs> {
        let pools: Vec<Vec<Value>> = elements
            .iter()
            .map(|&element| match elements.len() {
                1 => edges(element),
                2 => short_edges(element),
                _ => fewest_edges(element),
            })
            .collect();
        let mut random = Random::named(name);
        let mut tuples = combinations(&pools, 480, &mut random);
        let count = (tuples.len() + 60).next_multiple_of(STEP);
        while tuples.len() < count {
            let mut tuple: Vec<Value> =
                elements.iter().map(|&element| any_value(element, &mut random)).collect();
            // Equal arguments now and then.
            if elements.len() > 1 && elements[0] == elements[1] && random.below(8) == 0 {
                tuple[1] = tuple[0];
            }
            tuples.push(tuple);
        }
        let elements: Vec<&str> =
            elements.iter().map(|&element| crate::builtins::value::name(element)).collect();
        Inputs::from_tuples(format!("{name}_{}", elements.join("_")), tuples)
    }

    pub fn count(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

/// All combinations, or `most` of them chosen by chance if there are more.
pub fn combinations(pools: &[Vec<Value>], most: usize, random: &mut Random) -> Vec<Vec<Value>> {
    let total: usize = pools.iter().map(Vec::len).product();
    if total > most {
        return (0..most).map(|_| pools.iter().map(|pool| random.pick(pool)).collect()).collect();
    }
    (0..total)
        .map(|mut index| {
            pools
                .iter()
                .map(|pool| {
                    let value = pool[index % pool.len()];
                    index /= pool.len();
                    value
                })
                .collect()
        })
        .collect()
}

/// Values at which functions change their ways.
pub fn edges(element: Element) -> Vec<Value> {
    let mut values = short_edges(element);
    if element.is_float() {
        let more = [
            0.25,
            0.75,
            1.0 / 3.0,
            3.0,
            4.5,
            5.5,
            7.0,
            10.0,
            16.0,
            17.5,
            32.5,
            63.75,
            100.0,
            127.5,
            128.0,
            1000.5,
            1023.5,
            2047.5,
            4095.75,
            0.1,
            0.01,
            0.001,
            1e-4,
            6e-8,
            3e-5,
            6e-5,
            65504.0,
            65519.0,
            65520.0,
            8388607.5,
            8388608.0,
            16777217.0,
            2147483647.0,
            2147483648.0,
            4294967295.0,
            4294967296.0,
            9007199254740993.0,
            1e18,
            1.8446744e19,
            9.2233715e18,
            1e-10,
            1e-20,
            1e-30,
            1e-38,
            1e-44,
            1e20,
            1e30,
            1e38,
            3.4e38,
            88.0,
            89.0,
            87.3,
            103.9,
            709.0,
            710.0,
            745.0,
            1e100,
            1e300,
            1e-100,
            1e-300,
            1e-310,
            std::f64::consts::PI,
            std::f64::consts::FRAC_PI_2,
            std::f64::consts::FRAC_PI_4,
            std::f64::consts::E,
            std::f64::consts::LN_2,
            std::f64::consts::SQRT_2,
        ];
        for value in more {
            values.push(Value::float(element, value));
            values.push(Value::float(element, -value));
        }
    } else if element.size() == 1 {
        return (0..256).map(|bits| Value::from_bits(element, bits)).collect();
    } else {
        for bit in 0..8 * element.size() {
            let power = 1u64 << bit;
            for bits in [power, power - 1, !power, power.wrapping_neg()] {
                values.push(Value::from_bits(element, bits));
            }
        }
    }
    dedup(values)
}

fn short_edges(element: Element) -> Vec<Value> {
    let mut values = fewest_edges(element);
    if element.is_float() {
        for value in [0.5, 1.5, 2.0, 2.5, 3.5, 1e-3, 123.456, 1048576.5] {
            values.push(Value::float(element, value));
            values.push(Value::float(element, -value));
        }
        let one = Value::float(element, 1.0).bits;
        values.extend([one - 1, one + 1].map(|bits| Value::from_bits(element, bits)));
        values.push(least_normal(element));
    } else {
        let (least, greatest) = limits(element);
        let half = 1 << (4 * element.size());
        for value in [
            2,
            3,
            -2,
            7,
            least + 1,
            greatest - 1,
            half,
            half - 1,
            half + 1,
            -half,
            least / 2,
            greatest / 2,
            greatest / 2 + 1,
            greatest / 3,
            greatest / 3 * 2,
        ] {
            values.push(Value::int(element, value));
        }
        let bits = 8 * element.size() as i128;
        for value in [bits - 1, bits, bits + 1] {
            values.push(Value::int(element, value));
        }
    }
    dedup(values)
}

fn fewest_edges(element: Element) -> Vec<Value> {
    if element.is_float() {
        let (least, greatest) = match element {
            Element::Half => (1, 0x7bff),
            Element::Float => (1, u64::from(f32::MAX.to_bits())),
            _ => (1, f64::MAX.to_bits()),
        };
        let sign = 1u64 << (8 * element.size() - 1);
        let mut values: Vec<Value> =
            [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
                .iter()
                .map(|&value| Value::float(element, value))
                .collect();
        for bits in [least, greatest, least | sign, greatest | sign] {
            values.push(Value::from_bits(element, bits));
        }
        return values;
    }
    let (least, greatest) = limits(element);
    dedup([0, 1, -1, least, greatest, 5].map(|value| Value::int(element, value)).to_vec())
}

fn least_normal(element: Element) -> Value {
    let bits = match element {
        Element::Half => 0x0400,
        Element::Float => u64::from(f32::MIN_POSITIVE.to_bits()),
        _ => f64::MIN_POSITIVE.to_bits(),
    };
    Value::from_bits(element, bits)
}

fn dedup(values: Vec<Value>) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for value in values {
        if !out.contains(&value) {
            out.push(value);
        }
    }
    out
}

/// A random value of any size.
pub fn any_value(element: Element, random: &mut Random) -> Value {
    if !element.is_float() {
        let bits = random.word();
        // Small numbers as often as large ones.
        let shift = random.below(8 * element.size());
        let value = Value::from_bits(element, bits).to_int() >> shift;
        return Value::int(element, value);
    }
    match random.below(5) {
        0 => Value::from_bits(element, random.word()),
        1 => Value::float(element, random.unit()),
        2 => Value::float(element, random.unit() * 100.0),
        3 => Value::float(element, (random.unit() * 1000.0).round() / 2.0),
        _ => {
            let exponent = match element {
                Element::Half => random.below(30) as i32 - 15,
                Element::Float => random.below(200) as i32 - 100,
                _ => random.below(400) as i32 - 200,
            };
            Value::float(element, random.unit() * 2f64.powi(exponent))
        }
    }
}

/// A random float in a range that most functions have results for.
pub fn moderate_value(element: Element, random: &mut Random) -> Value {
    let scale = random.pick(&[1.0, 1.0, 10.0, 100.0]);
    Value::float(element, random.unit() * scale)
}
