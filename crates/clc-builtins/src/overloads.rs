//! The table written out: every overload that a row stands for.
//!
//! Calls are resolved without this; it serves tests and documentation.

use clc_base::AddressSpace;

use crate::Intrinsic;
use crate::overload::{Available, Overload as Instance, value};
use crate::signature::{Pattern, Pointee, PointerSpace};
use crate::structural::{self, Structural};
use crate::table::{self, Row};
use crate::types::{BuiltinType, Environment, ImageKind, Scalar};

/// A declaration as a header would have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overload {
    /// As programs call it.
    pub name: &'static str,
    /// In the order of the declaration; [`Overload::variadic`] ones may follow.
    pub parameters: Vec<BuiltinType>,
    /// `Void` if it returns none.
    pub result: BuiltinType,
    /// Takes further arguments.
    pub variadic: bool,
    /// What a call means.
    pub intrinsic: Intrinsic,
}

/// Every overload that exists in `environment`, of all functions but conversions and
/// reinterpretations.
pub fn overloads(environment: &Environment<'_>) -> Vec<Overload> {
    let available = Available::new(environment);
    let mut list = Vec::new();
    for row in table::ROWS.iter().filter(|row| row.guard.holds(environment)) {
        write_out(row.name, row, &available, &mut list);
    }
    for name in structural::names() {
        if let Some(Structural::Memory(row)) = structural::parse(name) {
            write_out(name, &row, &available, &mut list);
        }
    }
    list
}

/// Where a row's pointers may point to; `None` once if it has none of its own.
fn spaces(row: &Row, available: &Available) -> Vec<Option<AddressSpace>> {
    let own = |pattern: &Pattern| matches!(pattern, Pattern::Pointer(_, PointerSpace::Row, _));
    if !row.signature.parameters().iter().any(own) {
        return vec![None];
    }
    [
        AddressSpace::Private,
        AddressSpace::Global,
        AddressSpace::Local,
        AddressSpace::Constant,
        AddressSpace::Generic,
    ]
    .into_iter()
    .filter(|&space| row.spaces >> space as u8 & 1 != 0)
    .filter(|&space| space != AddressSpace::Generic || available.generic)
    .map(Some)
    .collect()
}

const WIDTHS: [u8; 6] = [1, 2, 3, 4, 8, 16];

fn write_out(name: &'static str, row: &Row, available: &Available, list: &mut Vec<Overload>) {
    let uses = |wanted: Pattern| row.signature.parameters().contains(&wanted);
    let elements: Vec<Scalar> = match row.elements {
        table::NONE => vec![Scalar::Int],
        elements => Scalar::ALL
            .into_iter()
            .filter(|&scalar| elements.contains(scalar) && available.elements.contains(scalar))
            .collect(),
    };
    let widths: Vec<u8> = match row.elements {
        table::NONE => vec![1],
        _ => WIDTHS.into_iter().filter(|&width| row.widths >> width & 1 != 0).collect(),
    };
    let images: Vec<Option<ImageKind>> = match row.images {
        0 => vec![None],
        kinds => table::IMAGE_KINDS
            .into_iter()
            .filter(|&kind| kinds >> kind as u16 & 1 != 0)
            .map(Some)
            .collect(),
    };
    let accesses: Vec<u8> = match row.access {
        0 => vec![0],
        access => (0..3).map(|bit| 1 << bit).filter(|bit| access & bit != 0).collect(),
    };
    for &element in &elements {
        for &width in &widths {
            let mask_widths = if uses(Pattern::Mask) { &widths[..] } else { &[width] };
            for &mask_width in mask_widths {
                for &image in &images {
                    for &access in &accesses {
                        for space in spaces(row, available) {
                            let spaces = space.map_or(row.spaces, |space| 1 << space as u8);
                            let row = Row { spaces, access, ..*row };
                            let instance =
                                Instance { row: &row, element, width, mask_width, image };
                            list.push(instance.declaration(name, available));
                        }
                    }
                }
            }
        }
    }
}

impl Instance<'_> {
    fn declaration(&self, name: &'static str, available: &Available) -> Overload {
        let signature = &self.row.signature;
        Overload {
            name,
            parameters: signature
                .parameters()
                .iter()
                .map(|&pattern| self.declared(pattern, available))
                .collect(),
            result: self.declared(signature.result, available),
            variadic: signature.variadic,
            intrinsic: self.row.intrinsic,
        }
    }

    fn declared(&self, pattern: Pattern, available: &Available) -> BuiltinType {
        if let Some((element, width)) = self.arithmetic(pattern, available) {
            return value(element, width);
        }
        match pattern {
            Pattern::Sampler => BuiltinType::Sampler,
            Pattern::Event => BuiltinType::Event,
            Pattern::Opaque(opaque) => opaque.builtin_type(),
            Pattern::Image => {
                let access =
                    table::ACCESSES.into_iter().find(|&a| self.row.access >> a as u8 & 1 != 0);
                match (self.image, access) {
                    (Some(kind), Some(access)) => BuiltinType::Image(kind, access),
                    _ => BuiltinType::Other,
                }
            }
            // `int` stands for anything.
            Pattern::Pointer(Pointee::Any, declared, qualifiers) => {
                self.pointer(Pointee::Scalar(Scalar::Int), declared, qualifiers, available)
            }
            Pattern::Pointer(pointee, declared, qualifiers) => {
                self.pointer(pointee, declared, qualifiers, available)
            }
            _ => BuiltinType::Void,
        }
    }
}

#[cfg(test)]
mod tests {
    use clc_base::Version;
    use clc_base::lang::AddressBits;

    use super::*;
    use crate::features::{Target, apply_option, default_set};
    use crate::resolve::{Meaning, resolve};

    #[test]
    fn every_overload_resolves_to_itself() {
        for (version, at_least) in
            [(Version::V1_0, 4_500), (Version::V1_2, 4_800), (Version::V3_1, 6_000)]
        {
            let mut set = default_set(version, Target::OpenCl);
            apply_option(&mut set, "+all", version).unwrap();
            let environment =
                Environment { version, extensions: &set, address_bits: AddressBits::Bits64 };
            let list = overloads(&environment);
            assert!(list.len() > at_least, "{version}: {}", list.len());
            for overload in &list {
                let resolved = resolve(overload.name, &overload.parameters, &environment)
                    .unwrap_or_else(|failure| panic!("{overload:?}: {failure:?}"));
                assert_eq!(
                    resolved.meaning,
                    Meaning::Intrinsic(overload.intrinsic),
                    "{overload:?}"
                );
                assert_eq!(resolved.result, overload.result, "{overload:?}");
                assert_eq!(resolved.parameters.len(), overload.parameters.len());
            }
        }
    }

    fn with_everything(version: Version) -> crate::ExtensionSet {
        let mut set = default_set(version, Target::OpenCl);
        apply_option(&mut set, "+all", version).unwrap();
        set
    }

    /// A refusal that a reader can do something with.
    fn check_refused(
        overload: &Overload,
        arguments: &[BuiltinType],
        environment: &Environment<'_>,
    ) {
        match resolve(overload.name, arguments, environment) {
            Err(crate::Failure::NoMatch { candidates }) => {
                assert!(!candidates.is_empty(), "{overload:?} of {arguments:?}: no candidates");
                for (candidate, reason) in candidates {
                    assert!(
                        candidate.starts_with(overload.name) && !reason.is_empty(),
                        "{overload:?} of {arguments:?}: {candidate}: {reason}"
                    );
                }
            }
            other => panic!("{overload:?} of {arguments:?}: {other:?}"),
        }
    }

    #[test]
    fn every_argument_has_to_fit() {
        for version in [Version::V1_2, Version::V2_0, Version::V3_1] {
            let set = with_everything(version);
            let environment =
                Environment { version, extensions: &set, address_bits: AddressBits::Bits64 };
            for overload in overloads(&environment) {
                for index in 0..overload.parameters.len() {
                    let mut arguments = overload.parameters.clone();
                    arguments[index] = BuiltinType::Other;
                    check_refused(&overload, &arguments, &environment);
                    // What is written to is neither const nor constant.
                    if let BuiltinType::Pointer { is_const: false, .. } = overload.parameters[index]
                    {
                        let mut arguments = overload.parameters.clone();
                        if let BuiltinType::Pointer { is_const, .. } = &mut arguments[index] {
                            *is_const = true;
                        }
                        let reads = matches!(
                            overload.intrinsic,
                            // They ask for the space, and write nothing.
                            Intrinsic::ToGlobal | Intrinsic::ToLocal | Intrinsic::ToPrivate
                        );
                        if !reads {
                            check_refused(&overload, &arguments, &environment);
                        }
                        if let BuiltinType::Pointer { is_const, space, .. } = &mut arguments[index]
                        {
                            (*is_const, *space) = (false, AddressSpace::Constant);
                        }
                        check_refused(&overload, &arguments, &environment);
                    }
                }
                if !overload.variadic && !overload.parameters.is_empty() {
                    let mut arguments = overload.parameters.clone();
                    arguments.extend(std::iter::repeat_n(BuiltinType::Other, 14));
                    check_refused(&overload, &arguments, &environment);
                }
            }
        }
    }

    #[test]
    fn what_an_environment_lacks_is_refused() {
        let everything = with_everything(Version::V3_1);
        let rich = Environment {
            version: Version::V3_1,
            extensions: &everything,
            address_bits: AddressBits::Bits64,
        };
        let nothing = crate::ExtensionSet::default();
        for version in [Version::V1_0, Version::V1_2, Version::V2_0, Version::V3_0, Version::V3_1] {
            let poor =
                Environment { version, extensions: &nothing, address_bits: AddressBits::Bits64 };
            let mut refused = 0;
            let there = overloads(&poor);
            for overload in overloads(&rich) {
                if there.contains(&overload) {
                    continue;
                }
                match resolve(overload.name, &overload.parameters, &poor) {
                    // Another overload takes them converted.
                    Ok(resolved) => assert!(
                        there.iter().any(|other| other.name == overload.name),
                        "{overload:?}: {resolved:?} in {version}"
                    ),
                    Err(crate::Failure::Missing { since, missing, .. }) => {
                        assert!(
                            since.is_some() || !missing.is_empty(),
                            "{overload:?} in {version}"
                        );
                        refused += 1;
                    }
                    Err(crate::Failure::NoMatch { candidates }) => {
                        assert!(!candidates.is_empty(), "{overload:?} in {version}");
                        refused += 1;
                    }
                    // Scalars of a type that is not there convert to several that are.
                    Err(crate::Failure::Ambiguous { candidates }) => {
                        assert!(candidates.len() > 1, "{overload:?} in {version}");
                        refused += 1;
                    }
                }
            }
            assert!(refused > 500, "{version}: {refused}");
        }
    }
}
