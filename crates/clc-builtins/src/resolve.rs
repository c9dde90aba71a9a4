//! The overload engine.
//!
//! A row of the table stands for many overloads. For a call, the arguments that are vectors or
//! pointers settle what the row's generic type is; only calls with scalars alone try each element
//! type of the row. What is left are a few candidates with a cost for each argument, and the usual
//! C++ rule chooses: a candidate must be no worse in every argument and better in one.

use crate::Extension;
use crate::explain::{self, explain};
use crate::features;
use crate::overload::{Available, Binding, Overload, value};
use crate::signature::Pattern;
use crate::structural::{self, Structural};
use crate::table::{self, Row};
use crate::types::{BuiltinType, Environment, Scalar};

pub use crate::outcome::{Failure, Meaning, Resolved};
pub use crate::types::Rounding;

/// Whether `name` is a builtin function in some version of the language.
pub fn is_builtin(name: &str) -> bool {
    table::rows_of(name).next().is_some() || structural::parse(name).is_some()
}

/// All names of builtin functions, for "did you mean".
pub fn names() -> impl Iterator<Item = &'static str> {
    table::names().chain(structural::names())
}

/// Why no overload of builtin `name` exists in an environment: `needs OpenCL C 2.0 or cl_khr_subgroups`.
/// `None` if one does, or if there is no such builtin.
pub fn lacking(name: &str, environment: &Environment<'_>) -> Option<String> {
    let mut rows = table::rows_of(name).peekable();
    if rows.peek().is_some() {
        let mut reasons = rows.map(|row| explain::lacking(row, environment));
        let first = reasons.next()??;
        return reasons.all(|reason| reason.is_some()).then_some(first);
    }
    let of_element = |element: Scalar| {
        explain::lacking_elements(table::Elements(1 << element as u16), environment)
    };
    match structural::parse(name)? {
        Structural::Memory(row) => explain::lacking(&row, environment),
        Structural::Convert { element, .. } => of_element(element),
        Structural::Reinterpret { element, .. } => {
            of_element(element.scalar(environment.address_bits))
        }
    }
}

/// Chooses the overload of builtin `name` for `arguments`.
///
/// The implicit conversions are those of OpenCL C 6.4.1 and 6.4.2; ranking follows the usual C++
/// rules as the specification's overloads presume: exact before promotion before conversion, a candidate
/// must be no worse in every argument and better in one.
pub fn resolve(
    name: &str,
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Result<Resolved, Failure> {
    let rows = table::rows_of(name);
    if rows.clone().next().is_some() {
        return choose(name, rows, arguments, environment);
    }
    match structural::parse(name) {
        Some(Structural::Memory(row)) => {
            choose(name, std::iter::once(&row), arguments, environment)
        }
        Some(Structural::Convert { element, width, rounding, saturate }) => {
            let meaning = Meaning::Convert { rounding, saturate };
            convert(name, (element, width), meaning, arguments, environment)
        }
        Some(Structural::Reinterpret { element, width }) => {
            let element = element.scalar(environment.address_bits);
            reinterpret(name, (element, width), arguments, environment)
        }
        None => Err(Failure::NoMatch { candidates: Vec::new() }),
    }
}

#[derive(Clone, Copy)]
struct Candidate<'r> {
    overload: Overload<'r>,
    /// Four bits for each argument.
    costs: u64,
}

/// More candidates than a call can have: `clamp` of scalars has one for each scalar type.
const MAX_CANDIDATES: usize = 64;

fn choose<'r>(
    name: &str,
    rows: impl Iterator<Item = &'r Row> + Clone,
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Result<Resolved, Failure> {
    let available = Available::new(environment);
    if let Some(scalar) = absent_type(rows.clone(), arguments, &available) {
        return Err(without(scalar));
    }
    let mut candidates = [const { None::<Candidate<'r>> }; MAX_CANDIDATES];
    let mut count = 0;
    for row in rows.clone() {
        let parameters = row.signature.parameters();
        let fits = arguments.len() == parameters.len()
            || row.signature.variadic && arguments.len() > parameters.len();
        if !fits || !row.guard.holds(environment) {
            continue;
        }
        let binding = Binding::new(row, arguments);
        let Some(width) = binding.width(row) else { continue };
        // Nothing else says how many components the result of a shuffle has.
        if row.signature.parameters().contains(&Pattern::Mask)
            && binding.mask_width.is_none_or(|width| row.widths >> width & 1 == 0)
        {
            continue;
        }
        let mut elements = match (row.elements, binding.element) {
            (table::NONE, _) => 1 << Scalar::Int as u16,
            (_, Some(element)) => row.elements.0 & available.elements.0 & 1 << element as u16,
            (_, None) => row.elements.0 & available.elements.0,
        };
        while elements != 0 {
            let element = Scalar::ALL[elements.trailing_zeros() as usize];
            elements &= elements - 1;
            let overload = Overload {
                row,
                element,
                width,
                mask_width: binding.mask_width.unwrap_or(width),
                image: binding.image,
            };
            let Some(costs) = overload.costs(arguments, &available) else { continue };
            if costs == 0 {
                return Ok(Resolved { is_exact: true, ..overload.resolved(arguments, &available) });
            }
            if count < MAX_CANDIDATES {
                candidates[count] = Some(Candidate { overload, costs });
                count += 1;
            }
        }
    }
    let candidates = &candidates[..count];
    let best = candidates.iter().flatten().find(|best| {
        candidates
            .iter()
            .flatten()
            .all(|other| std::ptr::eq(*best, other) || better(best.costs, other.costs))
    });
    match best {
        Some(best) => Ok(best.overload.resolved(arguments, &available)),
        None if count == 0 => Err(explain(name, rows, arguments, environment)),
        None => {
            let tied = candidates
                .iter()
                .flatten()
                .filter(|candidate| {
                    !candidates.iter().flatten().any(|other| better(other.costs, candidate.costs))
                })
                .map(|candidate| candidate.overload.text(name, &available))
                .collect();
            Err(Failure::Ambiguous { candidates: tied })
        }
    }
}

/// The type of an argument that does not exist, if overloads for it exist with its extension: a
/// `float` overload must not be chosen for a `double` without notice.
fn absent_type<'r>(
    mut rows: impl Iterator<Item = &'r Row>,
    arguments: &[BuiltinType],
    available: &Available,
) -> Option<Scalar> {
    let absent = arguments.iter().find_map(|argument| match *argument {
        BuiltinType::Scalar(scalar @ (Scalar::Half | Scalar::Double))
        | BuiltinType::Vector(scalar @ (Scalar::Half | Scalar::Double), _) => {
            (!available.elements.contains(scalar)).then_some(scalar)
        }
        _ => None,
    })?;
    rows.any(|row| {
        row.elements.contains(absent) && row.signature.parameters().len() == arguments.len()
    })
    .then_some(absent)
}

/// The failure where `half` or `double` is needed that does not exist.
fn without(scalar: Scalar) -> Failure {
    let needs: &'static [Extension] = match scalar {
        Scalar::Half => &[features::FP16],
        _ => &[features::FP64],
    };
    Failure::Missing { form: None, since: None, missing: needs.to_vec(), needs, ways: Vec::new() }
}

/// No worse in every argument and better in one.
fn better(left: u64, right: u64) -> bool {
    left != right && (0..16).all(|index| left >> (4 * index) & 15 <= right >> (4 * index) & 15)
}

fn convert(
    name: &str,
    (element, width): (Scalar, u8),
    meaning: Meaning,
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Result<Resolved, Failure> {
    let result = destination(element, width, environment)?;
    let shape = if width == 1 { "a scalar".to_owned() } else { format!("a vector of {width}") };
    let argument = single_argument(name, &shape, arguments)?;
    let fits = match argument {
        BuiltinType::Scalar(_) | BuiltinType::NullPointer => width == 1,
        BuiltinType::Vector(_, found) => *found == width,
        _ => false,
    };
    if fits {
        let is_exact = *argument != BuiltinType::NullPointer;
        return Ok(Resolved { meaning, parameters: vec![as_value(argument)], result, is_exact });
    }
    let reason = format!("the argument is {argument}; converting to {result} takes {shape}");
    Err(Failure::NoMatch { candidates: vec![(format!("{name}({shape})"), reason)] })
}

fn reinterpret(
    name: &str,
    (element, width): (Scalar, u8),
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Result<Resolved, Failure> {
    let result = destination(element, width, environment)?;
    // Three components take the space of four.
    let bytes = |element: Scalar, width: u8| element.size() * u64::from(width.next_power_of_two());
    let size = bytes(element, width);
    let shape = format!("a value of {size} byte{}", if size == 1 { "" } else { "s" });
    let argument = single_argument(name, &shape, arguments)?;
    let found = match *argument {
        BuiltinType::Scalar(Scalar::Bool) => None,
        BuiltinType::Scalar(scalar) => Some(bytes(scalar, 1)),
        BuiltinType::NullPointer => Some(4),
        BuiltinType::Vector(scalar, width) => Some(bytes(scalar, width)),
        _ => None,
    };
    let reason = match found {
        Some(found) if found == size => {
            let parameters = vec![as_value(argument)];
            let is_exact = *argument != BuiltinType::NullPointer;
            return Ok(Resolved { meaning: Meaning::Reinterpret, parameters, result, is_exact });
        }
        Some(found) => {
            format!("{argument} has {found} bytes and {result} has {size}; the sizes must be equal")
        }
        None => format!(
            "the argument is {argument}; only scalars and vectors of numbers can be reinterpreted"
        ),
    };
    Err(Failure::NoMatch { candidates: vec![(format!("{name}({shape})"), reason)] })
}

/// The result type of a conversion, if the environment has it.
fn destination(
    element: Scalar,
    width: u8,
    environment: &Environment<'_>,
) -> Result<BuiltinType, Failure> {
    if Available::new(environment).elements.contains(element) {
        return Ok(value(element, width));
    }
    Err(without(element))
}

fn single_argument<'a>(
    name: &str,
    shape: &str,
    arguments: &'a [BuiltinType],
) -> Result<&'a BuiltinType, Failure> {
    match arguments {
        [argument] => Ok(argument),
        _ => Err(Failure::NoMatch {
            candidates: vec![(
                format!("{name}({shape})"),
                format!("takes 1 argument, {} given", arguments.len()),
            )],
        }),
    }
}

/// The type of an argument that is passed as it is.
fn as_value(argument: &BuiltinType) -> BuiltinType {
    match argument {
        BuiltinType::NullPointer => BuiltinType::Scalar(Scalar::Int),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests;
