//! Rows of the table as people write them.

use std::fmt;

use clc_base::AddressSpace;

use crate::guard::Guard;
use crate::signature::{Pattern, Pointee, PointerSpace, Qualifiers, Signature};
use crate::table::{self, Elements, Row};
use crate::types::{Access, ImageKind, Scalar};

/// A family of overloads as the page of built-in functions has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// `T`
    pub result: String,
    /// `T`, `S`, `local const S *`
    pub parameters: Vec<String>,
    /// Further arguments follow.
    pub variadic: bool,
    /// What `T` and the pointers can be.
    pub types: String,
    /// The version and the extensions that it takes; empty if it is always there.
    pub needs: String,
}

/// A row for people.
pub(crate) fn form(row: &Row) -> Form {
    let parameters = row.signature.parameters().iter().map(ToString::to_string).collect();
    Form {
        result: row.signature.result.to_string(),
        parameters,
        variadic: row.signature.variadic,
        types: Line::new(row).types(),
        needs: needs(&row.guard),
    }
}

/// Rows that share a line of the page.
pub(crate) struct Line {
    pub names: Vec<&'static str>,
    pub signature: String,
    pub elements: Elements,
    /// Widths, address spaces and images.
    extent: String,
    pub needs: String,
}

impl Line {
    pub fn new(row: &Row) -> Line {
        Line {
            names: vec![row.name],
            signature: row.signature.to_string(),
            elements: row.elements,
            extent: extent(row),
            needs: needs(&row.guard),
        }
    }

    pub fn same_but_elements(&self, other: &Line) -> bool {
        self.signature == other.signature
            && self.extent == other.extent
            && self.needs == other.needs
            && (self.elements == table::NONE) == (other.elements == table::NONE)
    }

    pub fn types(&self) -> String {
        let elements = match self.elements {
            table::NONE => String::new(),
            table::ALL => "all types".to_owned(),
            table::INTS => "all integers".to_owned(),
            table::SIGNED => "signed integers".to_owned(),
            table::UNSIGNED => "unsigned integers".to_owned(),
            table::FLOATS => "half, float, double".to_owned(),
            elements => {
                let names: Vec<&str> = Scalar::ALL
                    .into_iter()
                    .filter(|&scalar| elements.contains(scalar))
                    .map(Scalar::name)
                    .collect();
                names.join(", ")
            }
        };
        let parts = [elements, self.extent.clone()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

fn extent(row: &Row) -> String {
    let mut parts = Vec::new();
    if row.elements != table::NONE && row.widths != table::ANY_WIDTH {
        let widths: Vec<String> = (1..=16u32)
            .filter(|width| row.widths >> width & 1 != 0)
            .map(|width| width.to_string())
            .collect();
        parts.push(match row.widths {
            table::SCALAR => "scalars".to_owned(),
            table::VECTORS => "vectors".to_owned(),
            _ => format!("width {}", widths.join(", ")),
        });
    }
    let own = |pattern: &Pattern| matches!(pattern, Pattern::Pointer(_, PointerSpace::Row, _));
    if row.signature.parameters().iter().any(own) {
        let spaces: Vec<&str> = [
            (AddressSpace::Global, "global"),
            (AddressSpace::Local, "local"),
            (AddressSpace::Constant, "constant"),
            (AddressSpace::Private, "private"),
            (AddressSpace::Generic, "generic"),
        ]
        .into_iter()
        .filter(|&(space, _)| row.spaces >> space as u8 & 1 != 0)
        .map(|(_, name)| name)
        .collect();
        parts.push(format!("pointers: {}", spaces.join(", ")));
    }
    if row.images != 0 {
        let kinds: Vec<&str> = table::IMAGE_KINDS
            .into_iter()
            .filter(|&kind| row.images >> kind as u16 & 1 != 0)
            .map(ImageKind::name)
            .collect();
        let access: Vec<&str> = table::ACCESSES
            .into_iter()
            .filter(|&access| row.access >> access as u8 & 1 != 0)
            .map(Access::name)
            .collect();
        parts.push(format!("{} ({})", kinds.join(", "), access.join(", ")));
    }
    parts.join("; ")
}

/// `1.2`, `2.0 or 1.2 with cl_khr_depth_images`
fn needs(guard: &Guard) -> String {
    use clc_base::Version::{V1_0, V3_1};
    let alternatives: Vec<String> = guard
        .0
        .iter()
        .map(|alternative| {
            let version = if alternative.since == V1_0 && alternative.until == V3_1 {
                String::new()
            } else if alternative.until == V3_1 {
                format!("OpenCL C {}", alternative.since)
            } else if alternative.since == alternative.until {
                format!("only OpenCL C {}", alternative.since)
            } else {
                format!("OpenCL C {} to {}", alternative.since, alternative.until)
            };
            let needs: Vec<&str> = alternative.needs.iter().map(|need| need.name()).collect();
            match (version.is_empty(), needs.is_empty()) {
                (_, true) => version,
                (true, _) => needs.join(" and "),
                (false, _) => format!("{version} with {}", needs.join(" and ")),
            }
        })
        .collect();
    alternatives.join(", or ")
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.result)?;
        for (index, parameter) in self.parameters().iter().enumerate() {
            write!(f, "{}{parameter}", if index > 0 { ", " } else { "" })?;
        }
        f.write_str(if self.variadic { ", ...)" } else { ")" })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pattern::Void => "void",
            Pattern::Generic => "T",
            Pattern::Element => "S",
            Pattern::Signed => "sT",
            Pattern::Unsigned => "uT",
            Pattern::Wide => "wideT",
            Pattern::Relational => "rel",
            Pattern::IntN => "intn",
            Pattern::IntScalar => "int",
            Pattern::Mask => "mask",
            Pattern::Shuffled => "Tm",
            Pattern::Size => "size_t",
            Pattern::Image => "image",
            Pattern::Coordinate => "coord",
            Pattern::FloatCoordinate => "fcoord",
            Pattern::Gradient => "grad",
            Pattern::Dimensions => "dim",
            Pattern::Sampler => "sampler_t",
            Pattern::Event => "event_t",
            Pattern::Opaque(opaque) => opaque.name(),
            Pattern::Scalar(scalar) => scalar.name(),
            Pattern::Vector(scalar, width) => return write!(f, "{}{width}", scalar.name()),
            Pattern::Pointer(pointee, declared, qualifiers) => {
                return pointer(f, *pointee, *declared, *qualifiers);
            }
        })
    }
}

fn pointer(
    f: &mut fmt::Formatter<'_>,
    pointee: Pointee,
    declared: PointerSpace,
    qualifiers: Qualifiers,
) -> fmt::Result {
    if let PointerSpace::Named(space) = declared {
        write!(f, "{space} ")?;
    }
    if qualifiers.is_const {
        f.write_str("const ")?;
    }
    if qualifiers.is_volatile {
        f.write_str("volatile ")?;
    }
    f.write_str(match pointee {
        Pointee::Generic => "T",
        Pointee::Element => "S",
        Pointee::IntN => "intn",
        Pointee::AtomicGeneric => "atomic_T",
        Pointee::AtomicFlag => "atomic_flag",
        Pointee::Scalar(scalar) => scalar.name(),
        Pointee::Size => "size_t",
        Pointee::Event => "event_t",
        Pointee::ClkEvent => "clk_event_t",
        Pointee::Any => "any",
    })?;
    f.write_str(" *")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_written_as_in_c() {
        for (short, text) in [
            (Signature::parse("T(T, intn*)"), "T(T, intn *)"),
            (
                Signature::parse("void(local const S*, size, uint4)"),
                "void(local const S *, size_t, uint4)",
            ),
        ] {
            assert_eq!(short.to_string(), text);
        }
    }
}
