//! Why a call fits no overload, in words.

use clc_base::AddressSpace;

use crate::Extension;
use crate::features;
use crate::guard::{Alternative, Guard};
use crate::outcome::Failure;
use crate::overload::{Available, Binding, Overload, value};
use crate::signature::{Opaque, Pattern, Pointee, PointerSpace};
use crate::table::{self, Row};
use crate::types::{BuiltinType, Environment, Scalar};

/// How many candidates are worth reading.
const MAX_SHOWN: usize = 6;

pub(crate) fn explain<'r>(
    name: &str,
    rows: impl Iterator<Item = &'r Row> + Clone,
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Failure {
    if let Some(missing) = missing(rows.clone(), environment) {
        return missing;
    }
    let available = Available::new(environment);
    // What fits and is not there is meant, most likely.
    for row in rows.clone().filter(|row| !row.guard.holds(environment)) {
        let parameters = row.signature.parameters().len();
        let overload = nearest(row, arguments, &available);
        if parameters == arguments.len()
            && lacking_elements(row.elements, environment).is_none()
            && overload.convertible(arguments, &available).0 == parameters
        {
            return missing_by(&row.guard, Some(overload.text(name, &available)), environment);
        }
    }
    let mut near = Vec::new();
    let mut far = Vec::new();
    for row in rows {
        // Rows for `half` or `double` alone do not exist without it.
        if row.elements != table::NONE && row.elements.0 & available.elements.0 == 0 {
            continue;
        }
        let overload = nearest(row, arguments, &available);
        let text = overload.text(name, &available);
        let parameters = row.signature.parameters().len();
        if row.guard.holds(environment) && parameters == arguments.len()
            || row.signature.variadic && arguments.len() >= parameters
        {
            let reason = overload.reason(arguments, &available);
            push(&mut near, overload.convertible(arguments, &available), text, reason);
        } else if !row.guard.holds(environment) {
            push(&mut far, (0, 0), text, lack(&row.guard, environment));
        } else {
            push(&mut far, (0, 0), text, count_reason(row, arguments.len()));
        }
    }
    // Rows for other numbers of arguments only matter if no row takes this many.
    let mut candidates = if near.is_empty() { far } else { near };
    candidates.sort_by_key(|near| std::cmp::Reverse(near.convertible));
    candidates.truncate(MAX_SHOWN);
    Failure::NoMatch {
        candidates: candidates.into_iter().map(|near| (near.text, near.reason)).collect(),
    }
}

struct Near {
    /// How many arguments would do, and how many of them come before the first that does not.
    convertible: (usize, usize),
    text: String,
    reason: String,
}

fn push(list: &mut Vec<Near>, convertible: (usize, usize), text: String, reason: String) {
    if !list.iter().any(|near| near.text == text) {
        list.push(Near { convertible, text, reason });
    }
}

/// The failure if no row exists in the environment.
fn missing<'r>(
    mut rows: impl Iterator<Item = &'r Row> + Clone,
    environment: &Environment<'_>,
) -> Option<Failure> {
    let first = rows.clone().next()?;
    if rows.any(|row| row.guard.holds(environment)) {
        return None;
    }
    Some(missing_by(&first.guard, None, environment))
}

/// The failure if a guard, which has alternatives, holds in none.
fn missing_by(guard: &Guard, form: Option<String>, environment: &Environment<'_>) -> Failure {
    let is_ahead = |alternative: &&Alternative| alternative.until >= environment.version;
    let alternative = guard.0.iter().find(is_ahead).unwrap_or(&guard.0[0]);
    let needs = alternative.needs;
    let lacks = |need: &Extension| !environment.extensions.contains(*need);
    let missing: Vec<Extension> = needs.iter().copied().filter(lacks).collect();
    // No target has an extension by itself in a version before the extension's: to ask for it there is no help.
    let since = missing.iter().fold(alternative.since, |since, need| since.max(need.since()));
    let since = (environment.version < since).then_some(since);
    Failure::Missing { form, since, missing, needs, ways: ways(guard, environment) }
}

/// Why a row does not exist in an environment: `needs OpenCL C 2.0`; `None` if it does.
pub(crate) fn lacking(row: &Row, environment: &Environment<'_>) -> Option<String> {
    if !row.guard.holds(environment) {
        return Some(lack(&row.guard, environment));
    }
    lacking_elements(row.elements, environment)
}

/// The extension that would bring some of these types, if none of them exists.
pub(crate) fn lacking_elements(
    elements: table::Elements,
    environment: &Environment<'_>,
) -> Option<String> {
    let is_there = elements.0 & Available::new(environment).elements.0 != 0;
    if elements == table::NONE || is_there {
        return None;
    }
    let has_half = elements.0 >> Scalar::Half as u16 & 1 == 1;
    let needed = if has_half { features::FP16 } else { features::FP64 };
    Some(format!("needs {}", needed.name()))
}

/// What a guard asks for that the environment lacks.
fn lack(guard: &Guard, environment: &Environment<'_>) -> String {
    let ways = ways(guard, environment);
    if ways.is_empty() {
        return "does not exist in this version".to_owned();
    }
    format!("needs {}", ways.join(" or "))
}

/// What would make each alternative of a guard hold, first of all.
fn ways(guard: &Guard, environment: &Environment<'_>) -> Vec<String> {
    let mut ways: Vec<String> = Vec::new();
    let mut is_later = false;
    for alternative in guard.0.iter().filter(|way| way.until >= environment.version) {
        let lacking =
            alternative.needs.iter().find(|&&need| !environment.extensions.contains(need));
        let way = if environment.version < alternative.since {
            // The first version that has it is enough to say.
            if std::mem::replace(&mut is_later, true) {
                continue;
            }
            format!("OpenCL C {}", alternative.since)
        } else if let Some(need) = lacking {
            need.name().to_owned()
        } else {
            continue;
        };
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

fn count_reason(row: &Row, given: usize) -> String {
    let parameters = row.signature.parameters().len();
    let plural = if parameters == 1 { "" } else { "s" };
    format!("takes {parameters} argument{plural}, {given} given")
}

/// The overload of a row that a reader would expect to be meant.
fn nearest<'r>(row: &'r Row, arguments: &[BuiltinType], available: &Available) -> Overload<'r> {
    let binding = Binding::new(row, arguments);
    let elements = row.elements.0 & available.elements.0;
    let has = |element: Scalar| elements >> element as u16 & 1 != 0;
    let of_scalars = || {
        arguments.iter().find_map(|argument| match *argument {
            BuiltinType::Scalar(scalar) if has(scalar) => Some(scalar),
            _ => None,
        })
    };
    let of_pointees = || {
        arguments.iter().find_map(|argument| match argument {
            BuiltinType::Pointer { pointee, .. } => match **pointee {
                BuiltinType::Scalar(scalar) if has(scalar) => Some(scalar),
                _ => None,
            },
            _ => None,
        })
    };
    let element = binding
        .element
        .filter(|&element| has(element))
        .or_else(of_pointees)
        .or_else(of_scalars)
        .or_else(|| [Scalar::Float, Scalar::Int, Scalar::UInt].into_iter().find(|&s| has(s)))
        .or_else(|| Scalar::ALL.into_iter().find(|&s| has(s)))
        .unwrap_or(Scalar::Int);
    let width = binding.width.filter(|&width| row.widths >> width & 1 != 0).unwrap_or(
        if row.widths & table::SCALAR != 0 {
            1
        } else if row.widths & 1 << 4 != 0 {
            4
        } else {
            row.widths.trailing_zeros() as u8
        },
    );
    let image = binding.image.filter(|&kind| row.images >> kind as u16 & 1 != 0).or_else(|| {
        table::IMAGE_KINDS.into_iter().find(|&kind| row.images >> kind as u16 & 1 != 0)
    });
    Overload { row, element, width, mask_width: binding.mask_width.unwrap_or(width), image }
}

impl Overload<'_> {
    /// `clamp(float4, float, float)`
    pub fn text(&self, name: &str, available: &Available) -> String {
        let mut text = format!("{name}(");
        for (index, &pattern) in self.row.signature.parameters().iter().enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            text.push_str(&self.parameter_text(pattern, available));
        }
        if self.row.signature.variadic {
            text.push_str(", ...");
        }
        text.push(')');
        text
    }

    fn parameter_text(&self, pattern: Pattern, available: &Available) -> String {
        if let Some((element, width)) = self.arithmetic(pattern, available) {
            return value(element, width).to_string();
        }
        match pattern {
            Pattern::Image => {
                let access =
                    table::ACCESSES.into_iter().find(|&a| self.row.access >> a as u8 & 1 != 0);
                match (self.image, access) {
                    (Some(kind), Some(access)) => BuiltinType::Image(kind, access).to_string(),
                    _ => "image".to_owned(),
                }
            }
            Pattern::Sampler => BuiltinType::Sampler.to_string(),
            Pattern::Event => BuiltinType::Event.to_string(),
            Pattern::Opaque(Opaque::AnyPipe) => "pipe".to_owned(),
            Pattern::Opaque(opaque) => opaque.builtin_type().to_string(),
            Pattern::Pointer(pointee, PointerSpace::Row, qualifiers)
                if self.row.spaces.count_ones() > 1 =>
            {
                // Without an address space: several will do.
                let BuiltinType::Pointer { pointee, .. } =
                    self.pointer(pointee, PointerSpace::Row, qualifiers, available)
                else {
                    return String::new();
                };
                let constness = if qualifiers.is_const { "const " } else { "" };
                let volatility = if qualifiers.is_volatile { "volatile " } else { "" };
                format!("{constness}{volatility}{pointee}*")
            }
            Pattern::Pointer(pointee, declared, qualifiers) => {
                self.pointer(pointee, declared, qualifiers, available).to_string()
            }
            _ => "void".to_owned(),
        }
    }

    /// How many of the arguments convert, and how many before the first that does not.
    fn convertible(&self, arguments: &[BuiltinType], available: &Available) -> (usize, usize) {
        let converts = || {
            let parameters = self.row.signature.parameters().iter().zip(arguments);
            parameters.map(|(&pattern, argument)| self.cost(pattern, argument, available).is_some())
        };
        (converts().filter(|&does| does).count(), converts().take_while(|&does| does).count())
    }

    /// Why the first argument that does not convert does not.
    fn reason(&self, arguments: &[BuiltinType], available: &Available) -> String {
        for (index, (&pattern, argument)) in
            self.row.signature.parameters().iter().zip(arguments).enumerate()
        {
            if self.cost(pattern, argument, available).is_none() {
                let why = self.argument_reason(pattern, argument, available);
                return format!("argument {} is {argument}; {why}", index + 1);
            }
        }
        // Every argument alone would do, so the generic type could not be settled.
        if self.width > 1 {
            "one of the arguments must be a vector".to_owned()
        } else {
            "the arguments do not agree on one type".to_owned()
        }
    }

    fn argument_reason(
        &self,
        pattern: Pattern,
        argument: &BuiltinType,
        available: &Available,
    ) -> String {
        match (pattern, argument) {
            (Pattern::Image, BuiltinType::Image(kind, access)) => {
                if self.row.images >> *kind as u16 & 1 == 0 {
                    format!("this form takes other kinds of images than {}", kind.name())
                } else {
                    format!("an image qualified {} cannot be used here", access.name())
                }
            }
            (Pattern::Image, _) => "an image is expected".to_owned(),
            (Pattern::Sampler, _) => "a sampler is expected".to_owned(),
            (Pattern::Event, _) => "an event is expected".to_owned(),
            (Pattern::Opaque(opaque), _) => format!("{} is expected", opaque.words()),
            (
                Pattern::Pointer(pointee, declared, qualifiers),
                BuiltinType::Pointer { space, is_const, .. },
            ) => {
                if *is_const && !qualifiers.is_const {
                    "it is written to, so it cannot point to const".to_owned()
                } else if !self.accepts_space((pointee, declared), *space, available) {
                    format!("it must point to {}", self.spaces_text((pointee, declared), available))
                } else {
                    self.pointee_reason(pointee, available)
                }
            }
            (Pattern::Pointer(pointee, declared, _), BuiltinType::NullPointer) => format!(
                "nothing says whether it points to {}",
                self.spaces_text((pointee, declared), available)
            ),
            (Pattern::Pointer(..), _) => "a pointer is expected".to_owned(),
            (_, BuiltinType::Vector(..)) => match self.arithmetic(pattern, available) {
                Some((_, 1)) => "a scalar is expected".to_owned(),
                _ => "vectors do not convert implicitly".to_owned(),
            },
            _ => match self.arithmetic(pattern, available) {
                Some((element, width)) => {
                    format!("it does not convert to {}", value(element, width))
                }
                None => "it does not convert".to_owned(),
            },
        }
    }

    fn pointee_reason(&self, pointee: Pointee, available: &Available) -> String {
        let expected = match pointee {
            Pointee::Generic => value(self.element, self.width),
            Pointee::Element => BuiltinType::Scalar(self.element),
            Pointee::IntN => value(Scalar::Int, self.width),
            Pointee::AtomicGeneric => BuiltinType::Atomic(self.element),
            Pointee::AtomicFlag => BuiltinType::AtomicFlag,
            Pointee::Scalar(scalar) => BuiltinType::Scalar(scalar),
            Pointee::Size => BuiltinType::Scalar(available.size),
            Pointee::Event => BuiltinType::Event,
            Pointee::ClkEvent => BuiltinType::ClkEvent,
            Pointee::Any => BuiltinType::Void,
        };
        format!("it must point to {expected}")
    }

    fn accepts_space(
        &self,
        (pointee, declared): (Pointee, PointerSpace),
        space: AddressSpace,
        available: &Available,
    ) -> bool {
        // OpenCL C 6.15.12.7
        let is_atomic = matches!(pointee, Pointee::AtomicGeneric | Pointee::AtomicFlag);
        if is_atomic && space == AddressSpace::Private && !available.generic {
            return false;
        }
        match declared {
            PointerSpace::Named(AddressSpace::Generic) => space != AddressSpace::Constant,
            PointerSpace::Named(named) => named == space,
            PointerSpace::Row => {
                self.row.spaces >> space as u8 & 1 != 0
                    && (space != AddressSpace::Generic || available.generic)
            }
        }
    }

    /// `global or local memory`
    fn spaces_text(&self, declared: (Pointee, PointerSpace), available: &Available) -> String {
        let names: Vec<&str> = [
            AddressSpace::Global,
            AddressSpace::Local,
            AddressSpace::Private,
            AddressSpace::Constant,
            AddressSpace::Generic,
        ]
        .into_iter()
        .filter(|&space| self.accepts_space(declared, space, available))
        .map(AddressSpace::name)
        .collect();
        match names.as_slice() {
            [] => "other memory".to_owned(),
            [name] => format!("{name} memory"),
            [names @ .., last] => format!("{} or {last} memory", names.join(", ")),
        }
    }
}
