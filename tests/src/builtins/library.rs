//! The bodies in OpenCL C of math functions, which targets without precise instructions use: many
//! values of all magnitudes, and how far the results are off.
//!
//! `CLC_ULPS=1 cargo test -p clc-tests --test builtins -- --nocapture library` prints the worst error
//! of each function.

use std::sync::Arc;

use super::halfway;
use super::inputs::{Inputs, Random, any_value, edges};
use super::math::{BINARY, UNARY, allowed};
use super::math_reference as reference;
use super::run::{Argument, Family, Kernel};
use super::value::{Value, name};
use super::want::units;
use crate::data::Element;

/// Values of each function besides those at which it changes its ways.
const VALUES: usize = 20_000;

struct Function {
    /// In which `{0}`, `{1}` are the arguments.
    call: String,
    element: Element,
    bound: f64,
    inputs: Arc<Inputs>,
    reference: Box<dyn Fn(&[Value]) -> f64 + Send + Sync>,
}

pub fn family() -> Family {
    let mut functions = Vec::new();
    for element in [Element::Float, Element::Double] {
        elementwise(element, &mut functions);
        with_integers(element, &mut functions);
    }
    family_of("library", functions)
}

fn family_of(name: &'static str, functions: Vec<Function>) -> Family {
    let kernels = functions
        .into_iter()
        .enumerate()
        .map(|(index, function)| function.kernel(&format!("k{index}")))
        .collect();
    Family::new(name, "CL1.2", kernels)
}

/// Random bits, which are of all magnitudes, and values that functions have ordinary results for.
fn value(element: Element, random: &mut Random) -> Value {
    match random.below(3) {
        0 => Value::from_bits(element, random.word()),
        1 => Value::float(element, random.unit() * 40.0),
        _ => any_value(element, random),
    }
}

fn inputs(elements: &[Element]) -> Arc<Inputs> {
    let names: Vec<&str> = elements.iter().map(|&element| name(element)).collect();
    let title = format!("library_{}", names.join("_"));
    let mut random = Random::named(&title);
    let pools: Vec<Vec<Value>> = elements.iter().map(|&element| edges(element)).collect();
    let mut tuples = match elements {
        [_] => pools[0].iter().map(|&edge| vec![edge]).collect(),
        _ => super::inputs::combinations(&pools, 4_000, &mut random),
    };
    for index in 0..VALUES {
        let mut tuple: Vec<Value> =
            elements.iter().map(|&element| value(element, &mut random)).collect();
        match index % 8 {
            // Close to one, where powers and logarithms are most sensitive, and close to each other.
            0 => tuple[0] = Value::float(elements[0], 1.0 + random.unit() / 1e3),
            1 if elements.len() > 1 && elements[0] == elements[1] => {
                tuple[1] = Value::from_bits(elements[1], tuple[0].bits ^ random.word() & 7);
            }
            _ => {}
        }
        tuples.push(tuple);
    }
    Inputs::from_tuples(title, tuples)
}

fn elementwise(e: Element, functions: &mut Vec<Function>) {
    let one = inputs(&[e]);
    let two = inputs(&[e, e]);
    let three = inputs(&[e, e, e]);
    for &(name, f) in UNARY {
        if e == Element::Float && matches!(name, "sqrt" | "rsqrt" | "log") {
            continue;
        }
        functions.push(Function {
            call: format!("{name}({{0}})"),
            element: e,
            bound: if name == "sqrt" { 0.5 } else { allowed(name, e) },
            inputs: Arc::clone(&one),
            reference: Box::new(move |a| f(a[0].to_float())),
        });
    }
    let mut binary = |call: String, bound: f64, f: fn(f64, f64) -> f64| {
        functions.push(Function {
            call,
            element: e,
            bound,
            inputs: Arc::clone(&two),
            reference: Box::new(move |a| f(a[0].to_float(), a[1].to_float())),
        });
    };
    for &(name, f) in BINARY {
        binary(format!("{name}({{0}}, {{1}})"), allowed(name, e), f);
    }
    binary("fmod({0}, {1})".to_owned(), 0.0, libm::fmod);
    binary("remainder({0}, {1})".to_owned(), 0.0, libm::remainder);
    binary("{0} / {1}".to_owned(), if e == Element::Float { 2.5 } else { 0.0 }, |x, y| x / y);
    functions.push(Function {
        call: "fma({0}, {1}, {2})".to_owned(),
        element: e,
        bound: 0.0,
        inputs: three,
        reference: Box::new(move |a| {
            let (x, y, z) = (a[0].to_float(), a[1].to_float(), a[2].to_float());
            match e {
                Element::Float => f64::from(libm::fmaf(x as f32, y as f32, z as f32)),
                _ => libm::fma(x, y, z),
            }
        }),
    });
}

/// What -cl-fp32-correctly-rounded-divide-sqrt asks for.
pub fn rounded() -> Family {
    let e = Element::Float;
    let root = Function {
        call: "sqrt({0})".to_owned(),
        element: e,
        bound: 0.0,
        inputs: inputs(&[e]),
        reference: Box::new(|a| f64::from((a[0].to_float() as f32).sqrt())),
    };
    let quotient = Function {
        call: "{0} / {1}".to_owned(),
        element: e,
        bound: 0.0,
        inputs: inputs(&[e, e]),
        reference: Box::new(|a| f64::from(a[0].to_float() as f32 / a[1].to_float() as f32)),
    };
    let mut family = family_of("library rounded", vec![root, quotient]);
    family.options.push("-cl-fp32-correctly-rounded-divide-sqrt".to_owned());
    family
}

/// Exponentials, powers and rests of divisions on devices with an exact `fma`.
pub fn fused() -> Family {
    let e = Element::Float;
    let one = |call: &str, f: fn(f64) -> f64| Function {
        call: call.to_owned(),
        element: e,
        bound: 3.0,
        inputs: inputs(&[e]),
        reference: Box::new(move |a| f(a[0].to_float())),
    };
    let two = |call: &str, f: fn(f64, f64) -> f64| Function {
        call: call.to_owned(),
        element: e,
        bound: 16.0,
        inputs: inputs(&[e, e]),
        reference: Box::new(move |a| f(a[0].to_float(), a[1].to_float())),
    };
    let mut functions = vec![
        one("exp({0})", libm::exp),
        one("exp10({0})", libm::exp10),
        two("pow({0}, {1})", libm::pow),
        two("powr({0}, {1})", reference::powr),
    ];
    functions.extend(fused_rests(e, "library_fused_rests"));
    let mut family = family_of("library fused", functions);
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/src/builtins/fused_device.json");
    family.options.push(format!("--device-profile={profile}"));
    family
}

/// Rests of divisions, of multiples, halves between them, and their neighbours.
fn fused_rests(e: Element, name: &str) -> [Function; 2] {
    let mut random = Random::named("library fused multiples");
    let plain = inputs(&[e, e]);
    let mut pairs: Vec<Vec<Value>> =
        plain.columns[0].iter().zip(&plain.columns[1]).map(|(&x, &y)| vec![x, y]).collect();
    // The largest quotients are behind those that one step is enough for.
    let sizes = if e == Element::Float { 19 } else { 40 };
    for index in 0..VALUES as u64 {
        let most = (1u64 << (4 + index % sizes)) as f64;
        let divisor = (1.0 + random.unit()) * 2f64.powi(random.below(60) as i32 - 30);
        let divisor = Value::float(e, if index % 3 == 0 { divisor.ceil() } else { divisor });
        let multiple = (random.unit() * most).floor();
        let multiple = Value::float(e, divisor.to_float() * 0.5 * multiple);
        let step = (index >> 2) % 3;
        let x = Value::from_bits(e, (multiple.bits + step).saturating_sub(1));
        pairs.push(vec![x, divisor]);
    }
    let pairs = Inputs::from_tuples(name.to_owned(), pairs);
    let rest = |call: &str, f: fn(f64, f64) -> f64| Function {
        call: call.to_owned(),
        element: e,
        bound: 0.0,
        inputs: Arc::clone(&pairs),
        reference: Box::new(move |a| f(a[0].to_float(), a[1].to_float())),
    };
    [rest("fmod({0}, {1})", libm::fmod), rest("remainder({0}, {1})", libm::remainder)]
}

/// The exponentials of such devices whose `exp2` makes zeros of what is below the normal numbers, where it may. The
/// drivers here make none, so such results are left out.
pub fn fused_flushed() -> Family {
    let e = Element::Float;
    let one = |name: &str, f: fn(f64) -> f64| {
        let all = inputs(&[e]);
        let is_decided = |x: &&Value| {
            let y = f(x.to_float());
            y as f32 == 0.0 || y.is_nan() || y >= f64::from(f32::MIN_POSITIVE)
        };
        let column = all.columns[0].iter().filter(is_decided).map(|&x| vec![x]);
        Function {
            call: format!("{name}({{0}})"),
            element: e,
            bound: 3.0,
            inputs: Inputs::from_tuples(format!("library_fused_flushed_{name}"), column.collect()),
            reference: Box::new(move |a| f(a[0].to_float())),
        }
    };
    let functions = vec![one("exp", libm::exp), one("exp10", libm::exp10)];
    let mut family = family_of("library fused flushed", functions);
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/src/builtins/flushing_device.json");
    family.options.push(format!("--device-profile={profile}"));
    family.options.push("-cl-denorms-are-zero".to_owned());
    family
}

/// Divisions and roots of `double` on devices with an exact `fma`, and on those whose division is exact, too.
pub fn fused_double(is_division_exact: bool) -> Family {
    let e = Element::Double;
    let double = |bits: u64| Value::from_bits(e, bits);
    let mut roots: Vec<Vec<Value>> =
        halfway::squares(1 << 12).into_iter().map(|bits| vec![double(bits)]).collect();
    let plain = inputs(&[e]);
    roots.extend(plain.columns[0].iter().map(|&x| vec![x]));
    let roots = Inputs::from_tuples("library_fused_roots".to_owned(), roots);
    let root = |call: &str, bound: f64, f: fn(f64) -> f64| Function {
        call: call.to_owned(),
        element: e,
        bound,
        inputs: Arc::clone(&roots),
        reference: Box::new(move |a| f(a[0].to_float())),
    };
    // Quotients that are one, half way between two numbers, nearly, or of the largest mantissas.
    let mut random = Random::named("library fused quotients");
    let mut quotients = Vec::new();
    for index in 0..VALUES as u64 {
        let mantissa = |random: &mut Random| (random.word() & ((1 << 52) - 1)) | (1023 << 52);
        let divisor =
            if index % 5 == 0 { ((1 << 52) - 1) | (1023 << 52) } else { mantissa(&mut random) };
        let (quotient, b) = (f64::from_bits(mantissa(&mut random)), f64::from_bits(divisor));
        let half = if index % 2 == 0 { b * 0.5f64.powi(53) } else { 0.0 };
        let a = (quotient * b + half).to_bits() + (index >> 2 & 1);
        let power = ((random.below(180) as u64) << 52).wrapping_sub(90 << 52);
        quotients.push(vec![double(a), double(divisor.wrapping_add(power))]);
    }
    let hardest = halfway::quotients(&mut random, VALUES);
    quotients.extend(hardest.into_iter().map(|pair| pair.map(|x| double(x.to_bits())).to_vec()));
    let plain = inputs(&[e, e]);
    quotients.extend(plain.columns[0].iter().zip(&plain.columns[1]).map(|(&a, &b)| vec![a, b]));
    let mut divisors: Vec<Vec<Value>> = quotients.iter().map(|pair| vec![pair[1]]).collect();
    // The product with an odd number of 54 bits is one more than a power of two.
    divisors.push(vec![Value::float(e, 2f64.powi(53) - 2f64.powi(27) + 1.0)]);
    let divisors = Inputs::from_tuples("library_fused_divisors".to_owned(), divisors);
    let over = |call: &str, f: fn(f64) -> f64| Function {
        call: call.to_owned(),
        element: e,
        bound: 0.0,
        inputs: Arc::clone(&divisors),
        reference: Box::new(move |a| f(a[0].to_float())),
    };
    let [reciprocal, negated] = [over("1.0 / {0}", |x| 1.0 / x), over("-1.0 / {0}", |x| -1.0 / x)];
    let quotient = Function {
        call: "{0} / {1}".to_owned(),
        element: e,
        bound: 0.0,
        inputs: Inputs::from_tuples("library_fused_quotients".to_owned(), quotients),
        reference: Box::new(|a| a[0].to_float() / a[1].to_float()),
    };
    let mut functions = vec![
        root("sqrt({0})", 0.0, libm::sqrt),
        root("rsqrt({0})", 2.0, reference::rsqrt),
        quotient,
        reciprocal,
        negated,
    ];
    functions.extend(fused_rests(e, "library_fused_double_rests"));
    let (name, device) = if is_division_exact {
        ("library dividing double", "dividing_device.json")
    } else {
        ("library fused double", "fused_device.json")
    };
    let mut family = family_of(name, functions);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/builtins");
    family.options.push(format!("--device-profile={folder}/{device}"));
    family
}

/// Roots and logarithms where numbers below the normal ones are kept.
pub fn kept() -> Family {
    let e = Element::Float;
    let inputs = inputs(&[e]);
    let function = |call: &str, bound: f64, f: fn(f64) -> f64| Function {
        call: call.to_owned(),
        element: e,
        bound,
        inputs: Arc::clone(&inputs),
        reference: Box::new(move |a| f(a[0].to_float())),
    };
    let functions = vec![
        function("sqrt({0})", 3.0, libm::sqrt),
        function("rsqrt({0})", 2.0, reference::rsqrt),
        function("log({0})", 3.0, libm::log),
    ];
    family_of("library kept", functions)
}

/// What these become where numbers below the normal ones may be zeros, which these bodies take them for.
/// What a root of a negative one is depends on the device then.
pub fn flushed() -> Family {
    let e = Element::Float;
    let least = f64::from(f32::MIN_POSITIVE);
    let is_decided = |x: &&Value| x.to_float() >= 0.0 || x.to_float() <= -least || x.is_nan();
    let all = inputs(&[e]);
    let pairs = inputs(&[e, e]);
    let zeros = [0x0000_0000, 0x8000_0000].map(|bits| Value::from_bits(e, bits));
    let column = all.columns[0].iter().filter(is_decided).chain(&zeros);
    let inputs =
        Inputs::from_tuples("library_flushed".to_owned(), column.map(|&x| vec![x]).collect());
    let function = |call: &str, bound: f64, f: fn(f64) -> f64| Function {
        call: call.to_owned(),
        element: e,
        bound,
        inputs: Arc::clone(&inputs),
        reference: Box::new(move |a| {
            let x = a[0].to_float();
            flushed_result(f(if x > 0.0 && x < least { 0.0 } else { x }))
        }),
    };
    let mut functions = vec![
        function("sqrt({0})", 3.0, libm::sqrt),
        function("half_sqrt({0})", 3.0, libm::sqrt),
        function("rsqrt({0})", 2.0, reference::rsqrt),
        function("half_rsqrt({0})", 2.0, reference::rsqrt),
        // Of what is surely normal, or no number.
        function("rsqrt(fabs({0}) + 0.25f)", 2.0, |x| {
            reference::rsqrt(f64::from(x.abs() as f32 + 0.25))
        }),
        function("exp({0})", 3.0, libm::exp),
        function("exp2({0})", 3.0, libm::exp2),
        function("exp10({0})", 3.0, libm::exp10),
        function("half_exp10({0})", 3.0, libm::exp10),
        function("log({0})", 3.0, libm::log),
        function("half_log({0})", 3.0, libm::log),
    ];
    let is_small = |x: &Value| x.to_float() != 0.0 && x.to_float().abs() < least;
    let pairs = pairs.columns[0].iter().zip(&pairs.columns[1]);
    let pairs = pairs.filter(|(x, y)| !is_small(x) && !is_small(y)).map(|(&x, &y)| vec![x, y]);
    let pairs = Inputs::from_tuples("library_flushed_pairs".to_owned(), pairs.collect());
    let powers: [(&str, fn(f64, f64) -> f64); 3] = [
        ("pow({0}, {1})", libm::pow),
        ("powr({0}, {1})", reference::powr),
        ("half_powr({0}, {1})", reference::powr),
    ];
    functions.extend(powers.map(|(call, f)| Function {
        call: call.to_owned(),
        element: e,
        bound: 16.0,
        inputs: Arc::clone(&pairs),
        reference: Box::new(move |a| flushed_result(f(a[0].to_float(), a[1].to_float()))),
    }));
    let mut family = family_of("library flushed", functions);
    family.options.push("-cl-denorms-are-zero".to_owned());
    family
}

/// A float, or zero where it is below the normal numbers.
fn flushed_result(y: f64) -> f64 {
    if y.abs() < f64::from(f32::MIN_POSITIVE) { 0f64.copysign(y) } else { y }
}

/// Powers where -cl-unsafe-math-optimizations makes them two instructions, which here have 12 bits;
/// exponentials with its bounds.
pub fn relaxed() -> Family {
    let e = Element::Float;
    let mut random = Random::named("library relaxed");
    let tuples = (0..2_000)
        .map(|index| {
            let whole = 2 * random.below(4) as i64 - 3;
            let power = if index % 2 == 0 { whole as f64 } else { random.unit() * 4.0 };
            let sign = if index % 4 == 0 { -1.0 } else { 1.0 };
            let base = sign * (2.0 + 1.75 * random.unit());
            let [base, power] = [base, power].map(|number| Value::float(e, number));
            vec![base, power, Value::int(Element::Int, i128::from(whole))]
        })
        .collect();
    let inputs = Inputs::from_tuples("library_relaxed".to_owned(), tuples);
    // Two percent.
    let bound = 0.02 * f64::from(1 << 23);
    let function = |call: &str, reference: fn(f64, f64, i32) -> f64| Function {
        call: call.to_owned(),
        element: e,
        bound,
        inputs: Arc::clone(&inputs),
        reference: Box::new(move |a| {
            reference(a[0].to_float(), a[1].to_float(), a[2].to_int() as i32)
        }),
    };
    let mut functions = vec![
        function("pow({0}, {1})", |x, y, _| libm::pow(x, y)),
        function("powr(fabs({0}), {1})", |x, y, _| libm::pow(x.abs(), y)),
        function("pown({0}, {2})", |x, _, n| reference::pown(x, n)),
        function("rootn({0}, {2})", |x, _, n| reference::rootn(x, n)),
        function("sin({0})", |x, _, _| libm::sin(x)),
    ];
    functions.extend(relaxed_exponentials());
    let mut family = family_of("library relaxed", functions);
    family.options.push("-cl-unsafe-math-optimizations".to_owned());
    family
}

/// Within 3 + floor(2 |x|) units (OpenCL C 7.4, relaxed).
fn relaxed_exponentials() -> Vec<Function> {
    let e = Element::Float;
    let mut random = Random::named("library relaxed exponentials");
    // Arguments from the first number to the second, or whole ones, and what is allowed for the first.
    let mut ranges = vec![(-126.0, 127.0, true, 0.0)];
    for start in [0.0, 0.5, 5.0, 43.0, 86.0f64] {
        let bound = 3.0 + (2.0 * start).floor();
        ranges.push((start, start + 0.499, false, bound));
        ranges.push((-start - 0.499, -start, false, bound));
    }
    let mut functions = Vec::new();
    for (index, (from, to, is_whole, bound)) in ranges.into_iter().enumerate() {
        let arguments = (0..2_000).map(|_| {
            let x = from + (to - from) * random.unit().abs();
            vec![Value::float(e, if is_whole { x.round() } else { x })]
        });
        let name = format!("library_relaxed_exponentials_{index}");
        let inputs = Inputs::from_tuples(name, arguments.collect());
        let mut function = |call: &str, reference: fn(f64) -> f64| {
            functions.push(Function {
                call: call.to_owned(),
                element: e,
                bound,
                inputs: Arc::clone(&inputs),
                reference: Box::new(move |a| reference(a[0].to_float())),
            });
        };
        function("exp2({0})", libm::exp2);
        if !is_whole {
            function("exp({0})", libm::exp);
        }
    }
    functions
}

fn with_integers(e: Element, functions: &mut Vec<Function>) {
    let mut random = Random::named("library powers");
    let tuples = inputs(&[e]).columns[0]
        .iter()
        .map(|&x| {
            let power = match random.below(4) {
                0 => random.pick(&[0, 1, -1, 2, -2, 3, -3, i32::MAX, i32::MIN, 4097, 1 << 29 | 1]),
                1 => (random.word() as i32) >> random.below(31),
                _ => random.below(64) as i32 - 32,
            };
            vec![x, Value::int(Element::Int, i128::from(power))]
        })
        .collect();
    let inputs = Inputs::from_tuples(format!("library_{}_powers", name(e)), tuples);
    let rows: [(&str, f64, fn(f64, i32) -> f64); 3] = [
        ("ldexp", 0.5, libm::scalbn),
        ("pown", allowed("pown", e), reference::pown),
        ("rootn", allowed("rootn", e), reference::rootn),
    ];
    for (name, bound, f) in rows {
        functions.push(Function {
            call: format!("{name}({{0}}, {{1}})"),
            element: e,
            bound,
            inputs: Arc::clone(&inputs),
            reference: Box::new(move |a| f(a[0].to_float(), a[1].to_int() as i32)),
        });
    }
}

/// Functions of `double` on arguments whose results are known better than the host computes them.
pub fn table() -> Family {
    let e = Element::Double;
    let mut functions = Vec::new();
    for section in include_str!("library_table.txt").split("\n\n").skip(1) {
        let mut lines = section.lines();
        let name = lines.next().unwrap_or_default().to_owned();
        // The last column is the result, correctly rounded.
        let rows: Vec<Vec<Value>> = lines
            .map(|line| {
                line.split(' ')
                    .map(|bits| Value::from_bits(e, u64::from_str_radix(bits, 16).unwrap()))
                    .collect()
            })
            .collect();
        let arity = rows.first().map_or(1, |row| row.len() - 1);
        let arguments = rows.iter().map(|row| row[..arity].to_vec()).collect();
        let call = match arity {
            1 => format!("{name}({{0}})"),
            _ => format!("{name}({{0}}, {{1}})"),
        };
        // Not the host's error, but half a unit of the result's rounding.
        let bound = clc_builtins::precision::ulps(&name).map_or(0.0, |ulps| ulps.double + 0.5);
        functions.push(Function {
            call,
            element: e,
            bound,
            inputs: Inputs::from_tuples(format!("library_table_{name}"), arguments),
            reference: Box::new(move |arguments| {
                let row = rows.iter().find(|row| row[..arity] == *arguments);
                row.map_or(f64::NAN, |row| row[arity].to_float())
            }),
        });
    }
    family_of("library table", functions)
}

impl Function {
    fn kernel(self, kernel: &str) -> Kernel {
        let columns = self.inputs.columns.len();
        let mut parameters = Vec::new();
        let mut call = self.call.clone();
        for (index, column) in self.inputs.columns.iter().enumerate() {
            parameters.push(format!("global const {} *a{index}", name(column[0].element)));
            call = call.replace(&format!("{{{index}}}"), &format!("a{index}[i]"));
        }
        let element = name(self.element);
        let source = format!(
            "kernel void {kernel}({}, global {element} *r) {{\n    \
             uint i = get_global_id(0);\n    r[i] = {call};\n}}\n",
            parameters.join(", "),
        );
        // A work-item for each value: some drivers end loops after a number of turns.
        let count = self.inputs.count();
        let mut arguments: Vec<Argument> =
            (0..columns).map(|column| Argument::Column(Arc::clone(&self.inputs), column)).collect();
        arguments.push(Argument::Output(self.inputs.count() * self.element.size()));
        let title = format!("{} of {element}", self.call);
        let said = title.clone();
        let check = move |outputs: &[Vec<u8>], _: &str| self.check(outputs, &said);
        Kernel::new(kernel, &title, source, arguments, Box::new(check)).sizes(&[count], &[48])
    }

    fn check(&self, outputs: &[Vec<u8>], title: &str) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut worst = (0.0, Vec::new());
        for index in 0..self.inputs.count() {
            let arguments: Vec<Value> =
                self.inputs.columns.iter().map(|column| column[index]).collect();
            let want = (self.reference)(&arguments);
            let got = outputs.first().and_then(|bytes| Value::read(self.element, bytes, index));
            let error = got.map_or(f64::INFINITY, |got| units(got, want));
            // Half a unit where an infinity stands for what is too large.
            let infinite = got.is_some_and(|got| got.to_float().is_infinite());
            let bound = if infinite { self.bound.max(0.5) } else { self.bound };
            if error > bound {
                complaints.push(format!("{arguments:?}: {error} units, {got:?} for {want:e}"));
            }
            if error > worst.0 {
                worst = (error, arguments);
            }
        }
        if std::env::var_os("CLC_ULPS").is_some() {
            println!("{title}: {:.2} of {} units, at {:?}", worst.0, self.bound, worst.1);
        }
        complaints
    }
}
