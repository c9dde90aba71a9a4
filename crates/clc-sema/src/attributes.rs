//! `__attribute__((…))` (OpenCL C 6.10).

use clc_base::diagnostic::{counted, did_you_mean};
use clc_base::lang::GroupExtent;
use clc_base::{AddressSpace, Diagnostic, Span, Version};
use clc_builtins::features;
use clc_syntax::ast::{Attribute, AttributeArgument};

use crate::context::Sema;
use crate::declarators::Declared;
use crate::diagnostics::{declarations, statements, types};
use crate::hir::{FunctionAttributes, Kernel, LoopHint};
use crate::layout::FieldLayout;
use crate::types::{QualType, Scalar, Type, TypeTable};

/// Attributes of other compilers that never change what a program means here.
const WITHOUT_EFFECT: &[&str] = &[
    "annotate",
    "cold",
    "convergent",
    "deprecated",
    "device",
    "endian",
    "flatten",
    "gnu_inline",
    "hot",
    "leaf",
    "noduplicate",
    "nonnull",
    "noreturn",
    "nosvm",
    "nothrow",
    "optnone",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "weak",
];

/// Attributes that would change the meaning of the program, and are not supported.
const REFUSED: &[&str] = &[
    "address_space",
    "alias",
    "cleanup",
    "ext_vector_type",
    "mode",
    "ms_struct",
    "opencl_constant",
    "opencl_generic",
    "opencl_global",
    "opencl_global_device",
    "opencl_global_host",
    "opencl_local",
    "opencl_private",
    "scalar_storage_order",
    "transparent_union",
    "vector_size",
];

/// Attributes that apply to some declarations, types or statements.
const KNOWN: &[&str] = &[
    "aligned",
    "always_inline",
    "const",
    "coop_mat",
    "intel_reqd_sub_group_size",
    "noinline",
    "opencl_unroll_hint",
    "overloadable",
    "packed",
    "pure",
    "reqd_work_group_size",
    "spec_constant",
    "vec_type_hint",
    "work_group_size_hint",
];

/// Attributes of functions that stand alone.
const WITHOUT_ARGUMENTS: &[&str] = &[
    "always_inline",
    "const",
    "convergent",
    "noduplicate",
    "noinline",
    "optnone",
    "overloadable",
    "pure",
];

/// What the attributes of a function say.
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionFacts {
    pub attributes: FunctionAttributes,
    pub overloadable: bool,
    /// Set by the first attribute that only kernels have.
    pub kernel_only: Option<Span>,
    pub kernel: Kernel,
}

impl<'a> Sema<'a> {
    /// An attribute that has no meaning where it stands.
    pub(crate) fn unused_attribute(&mut self, attribute: &Attribute) {
        let name = self.interner.resolve(attribute.name);
        if name == "nosvm" && self.options.version < Version::V2_0 {
            let message = format!("`nosvm` needs OpenCL C 2.0; this is {}", self.options.version);
            self.report(
                Diagnostic::new(&declarations::E0218, attribute.span, message)
                    .at("this attribute came later")
                    .help("leave it out: compilers may ignore it"),
            );
            return;
        }
        if name == "may_alias" {
            // Rare enough that types, which do not have it, need not tell which accesses it is about.
            self.module.strict_aliasing = false;
            return;
        }
        if WITHOUT_EFFECT.contains(&name) {
            return;
        }
        if REFUSED.contains(&name) {
            let message = format!("attribute `{name}` is not supported here");
            self.report(
                Diagnostic::new(&declarations::E0218, attribute.span, message)
                    .at("not an attribute of OpenCL C"),
            );
            return;
        }
        let (code, message, label) = if KNOWN.contains(&name) {
            let message = format!("attribute `{name}` has no effect here");
            (&declarations::W0202, message, "nothing here that it applies to")
        } else {
            let message = format!("unknown attribute `{name}`");
            (&declarations::W0201, message, "not an attribute of OpenCL C")
        };
        let guess = match KNOWN.contains(&name) {
            true => None,
            false => did_you_mean(name, KNOWN.iter().chain(WITHOUT_EFFECT).copied()),
        };
        let diagnostic = Diagnostic::new(code, attribute.span, message).at(label);
        self.report(diagnostic.suggest(attribute.name_span, guess));
    }

    /// Other compilers' spelling of an address-space qualifier. Those of unified shared memory name
    /// parts of `global` memory.
    pub(crate) fn space_attribute(&self, attribute: &Attribute) -> Option<AddressSpace> {
        Some(match self.interner.resolve(attribute.name) {
            "opencl_global" | "opencl_global_device" | "opencl_global_host" => AddressSpace::Global,
            "opencl_local" => AddressSpace::Local,
            "opencl_constant" => AddressSpace::Constant,
            "opencl_private" => AddressSpace::Private,
            "opencl_generic" => AddressSpace::Generic,
            _ => return None,
        })
    }

    /// `packed` and `aligned` on records, members, variables and typedefs; `None` for others,
    /// which are reported if they are strange.
    pub(crate) fn layout_attribute(&mut self, attribute: &'a Attribute) -> Option<FieldLayout> {
        match self.interner.resolve(attribute.name) {
            "packed" => Some(FieldLayout { packed: true, align: None }),
            "aligned" => Some(FieldLayout { packed: false, align: self.alignment(attribute) }),
            _ => {
                self.unused_attribute(attribute);
                None
            }
        }
    }

    /// Whether an attribute makes a vector or a matrix of a scalar.
    pub(crate) fn is_type_attribute(&self, attribute: &Attribute) -> bool {
        let name = self.interner.resolve(attribute.name);
        matches!(name, "ext_vector_type" | "vector_size" | "coop_mat")
    }

    /// The type that such an attribute makes.
    pub(crate) fn type_attribute(&mut self, attribute: &'a Attribute, ty: QualType) -> QualType {
        match self.interner.resolve(attribute.name) {
            "coop_mat" => self.matrix_attribute(attribute, ty),
            _ => self.vector_attribute(attribute, ty),
        }
    }

    /// Adds the attributes behind a declarator to those inside it. Those that make another type are
    /// applied to its type.
    pub(crate) fn attributes_behind(
        &mut self,
        declared: &mut Declared<'a>,
        behind: &'a [Attribute],
    ) {
        declared.attributes.extend(behind);
        let all = std::mem::take(&mut declared.attributes);
        for attribute in all {
            match self.is_type_attribute(attribute) {
                true => declared.ty = self.type_attribute(attribute, declared.ty),
                false => declared.attributes.push(attribute),
            }
        }
    }

    /// `__attribute__((ext_vector_type(n)))`, which counts components, or `vector_size(n)`, which
    /// counts bytes, on a scalar makes the vector of OpenCL C.
    fn vector_attribute(&mut self, attribute: &'a Attribute, ty: QualType) -> QualType {
        let mut count = self.positive_argument(attribute);
        let element = match self.module.types.get(ty.ty) {
            Type::Scalar(scalar) if *scalar != Scalar::Bool => Some(*scalar),
            _ => None,
        };
        if let (Some(element), Some(bytes), "vector_size") =
            (element, count, self.interner.resolve(attribute.name))
        {
            let size = element.size() as u32;
            if bytes % size != 0 {
                let text = self.type_text(ty.ty);
                let message = format!("{bytes} bytes are no whole number of `{text}` components");
                self.report(
                    Diagnostic::new(&declarations::E0218, attribute.span, message)
                        .at(format!("a `{text}` has {size} bytes")),
                );
                return ty;
            }
            count = Some(bytes / size);
        }
        match (element, count) {
            (Some(element), Some(count @ (2 | 3 | 4 | 8 | 16))) => {
                QualType { ty: self.module.types.vector(element, count as u8), quals: ty.quals }
            }
            (_, None) => ty,
            (Some(_), Some(count)) => {
                let message = format!("a vector has 2, 3, 4, 8 or 16 components, not {count}");
                self.report(
                    Diagnostic::new(&declarations::E0218, attribute.span, message)
                        .at(format!("{count} components")),
                );
                ty
            }
            (None, Some(_)) => {
                if !self.module.types.is_error(ty.ty) {
                    let text = self.type_text(ty.ty);
                    let message = format!("there are no vectors of `{text}`");
                    self.report(
                        Diagnostic::new(&declarations::E0218, attribute.span, message)
                            .at(format!("a vector of `{text}`")),
                    );
                }
                ty
            }
        }
    }

    fn alignment(&mut self, attribute: &'a Attribute) -> Option<u64> {
        let argument = match attribute.arguments.as_slice() {
            // The largest alignment of any type: sixteen doubles.
            [] => return Some(128),
            [AttributeArgument::Expr(e)] => *e,
            _ => {
                self.report(
                    Diagnostic::new(
                        &declarations::E0218,
                        attribute.span,
                        "`aligned` takes one integer constant",
                    )
                    .at(match attribute.arguments.len() {
                        1 => "this is a type".to_owned(),
                        n => format!("{} given", counted(n, "argument")),
                    }),
                );
                return None;
            }
        };
        let value = self.integer_constant(argument, "an alignment")?.value;
        let align = u64::try_from(value).ok().filter(|n| n.is_power_of_two() && *n <= 1 << 28);
        if align.is_none() {
            let span = self.ast.exprs[argument].span;
            self.report(
                Diagnostic::new(
                    &declarations::E0218,
                    span,
                    format!("an alignment is a power of two; this is {value}"),
                )
                .at(if value > 1 << 28 {
                    "larger than 268435456"
                } else {
                    "not a power of two"
                }),
            );
        }
        align
    }

    /// The attributes of a function, kernels included.
    pub(crate) fn function_attributes(
        &mut self,
        attributes: impl Iterator<Item = &'a Attribute>,
    ) -> FunctionFacts {
        let mut facts = FunctionFacts::default();
        for attribute in attributes {
            let name = self.interner.resolve(attribute.name);
            if !attribute.arguments.is_empty() && WITHOUT_ARGUMENTS.contains(&name) {
                let message = format!("`{name}` takes no arguments");
                self.report(
                    Diagnostic::new(&declarations::E0218, attribute.span, message)
                        .at(format!("{} given", counted(attribute.arguments.len(), "argument"))),
                );
                continue;
            }
            let flags = &mut facts.attributes;
            match name {
                "nosvm" => self.report(
                    Diagnostic::new(
                        &declarations::W0202,
                        attribute.span,
                        "`nosvm` has an effect on pointers only",
                    )
                    .at("what is declared is not a pointer"),
                ),
                "always_inline" => flags.always_inline = true,
                "noinline" => flags.no_inline = true,
                "const" => flags.is_const = true,
                "pure" => flags.is_pure = true,
                "overloadable" => facts.overloadable = true,
                "reqd_work_group_size" => {
                    facts.kernel_only = Some(attribute.span);
                    let extents = self.required_work_group_size(attribute);
                    let size = extents.and_then(|extents| {
                        let fixed = extents.map(|extent| match extent {
                            GroupExtent::Fixed(size) => size,
                            GroupExtent::Constant { .. } => 0,
                        });
                        Some(fixed).filter(|fixed| !fixed.contains(&0))
                    });
                    let constants = extents.filter(|_| size.is_none());
                    let known = &facts.kernel;
                    let is_known = known.reqd_work_group_size.is_some()
                        || known.work_group_constants.is_some();
                    let is_same = known.reqd_work_group_size == size
                        && known.work_group_constants == constants;
                    if extents.is_some() && is_known && !is_same {
                        self.report(
                            Diagnostic::new(
                                &declarations::E0218,
                                attribute.span,
                                "the required work-group size is given twice, differently",
                            )
                            .at("differs from the size before")
                            .help("a kernel has one required size; keep one of the attributes"),
                        );
                    }
                    facts.kernel.reqd_work_group_size = size;
                    facts.kernel.work_group_constants = constants;
                }
                "work_group_size_hint" => {
                    facts.kernel_only = Some(attribute.span);
                    facts.kernel.work_group_size_hint = self.work_group_size(attribute);
                }
                "intel_reqd_sub_group_size" => {
                    facts.kernel_only = Some(attribute.span);
                    facts.kernel.sub_group_size = self.positive_argument(attribute);
                }
                "vec_type_hint" => {
                    facts.kernel_only = Some(attribute.span);
                    match attribute.arguments.as_slice() {
                        [AttributeArgument::Type(name)] => {
                            let ty = self.attribute_type(name);
                            facts.kernel.vec_type_hint = ty;
                        }
                        _ => self.report(
                            Diagnostic::new(
                                &declarations::E0218,
                                attribute.span,
                                "`vec_type_hint` takes one type",
                            )
                            .at(match attribute.arguments.len() {
                                1 => "this is no type".to_owned(),
                                n => format!("{} given", counted(n, "argument")),
                            }),
                        ),
                    }
                }
                _ => self.unused_attribute(attribute),
            }
        }
        facts
    }

    /// The type in `vec_type_hint(T)`: a scalar or a vector.
    ///
    /// The hint is about the device and declares nothing of the type (OpenCL C 6.9.2), so `half`
    /// and its vectors need a device that has them, not the pragma that enables them.
    fn attribute_type(
        &mut self,
        name: &'a clc_syntax::ast::TypeName,
    ) -> Option<crate::types::TypeId> {
        let was_enabled = self.extensions.contains(features::FP16);
        let device_has_half = self.options.extensions.contains(features::FP16);
        if device_has_half {
            self.extensions.insert(features::FP16);
        }
        let ty = self.type_name(name).ty;
        if !was_enabled {
            self.extensions.remove(features::FP16);
        }
        if ty == TypeTable::HALF && !device_has_half {
            self.report(
                Diagnostic::new(
                    &types::E0302,
                    name.span,
                    "a hint of `half` needs the extension `cl_khr_fp16`",
                )
                .at("not a type of this target"),
            );
            return None;
        }
        if self.module.types.as_arithmetic(ty).is_some() && ty != TypeTable::BOOL {
            return Some(ty);
        }
        if !self.module.types.is_error(ty) {
            let text = self.type_text(ty);
            self.report(
                Diagnostic::new(
                    &declarations::E0218,
                    name.span,
                    format!(
                        "`vec_type_hint` takes a vector type or that of its components, not `{text}`"
                    ),
                )
                .at("neither a vector nor what vectors are made of"),
            );
        }
        None
    }

    fn work_group_size(&mut self, attribute: &'a Attribute) -> Option<[u32; 3]> {
        self.three_arguments(attribute)?;
        let mut sizes = [0; 3];
        for (size, argument) in sizes.iter_mut().zip(&attribute.arguments) {
            *size = self.positive_integer(argument, attribute.span)?;
        }
        Some(sizes)
    }

    /// As [`Sema::work_group_size`]; each may be a specialization constant.
    fn required_work_group_size(&mut self, attribute: &'a Attribute) -> Option<[GroupExtent; 3]> {
        self.three_arguments(attribute)?;
        let mut extents = [GroupExtent::Fixed(1); 3];
        for (extent, argument) in extents.iter_mut().zip(&attribute.arguments) {
            let constant = match argument {
                AttributeArgument::Expr(e) => self.constant_extent(*e)?,
                AttributeArgument::Type(_) => None,
            };
            *extent = match constant {
                Some(constant) => constant,
                None => GroupExtent::Fixed(self.positive_integer(argument, attribute.span)?),
            };
        }
        Some(extents)
    }

    fn three_arguments(&mut self, attribute: &'a Attribute) -> Option<()> {
        if attribute.arguments.len() != 3 {
            self.report(
                Diagnostic::new(
                    &declarations::E0218,
                    attribute.span,
                    format!(
                        "a work-group size has three parts; {} given",
                        attribute.arguments.len()
                    ),
                )
                .at(counted(attribute.arguments.len(), "argument")),
            );
            return None;
        }
        Some(())
    }

    fn positive_argument(&mut self, attribute: &'a Attribute) -> Option<u32> {
        match attribute.arguments.as_slice() {
            [argument] => self.positive_integer(argument, attribute.span),
            _ => {
                self.report(
                    Diagnostic::new(
                        &declarations::E0218,
                        attribute.span,
                        "this attribute takes one positive integer constant",
                    )
                    .at(format!("{} given", counted(attribute.arguments.len(), "argument"))),
                );
                None
            }
        }
    }

    fn positive_integer(&mut self, argument: &AttributeArgument, span: Span) -> Option<u32> {
        let AttributeArgument::Expr(e) = argument else {
            self.report(
                Diagnostic::new(
                    &declarations::E0218,
                    span,
                    "this attribute takes integer constants, not types",
                )
                .at("an argument is a type"),
            );
            return None;
        };
        let value = self.integer_constant(*e, "the argument of an attribute")?.value;
        let size = u32::try_from(value).ok().filter(|&size| size > 0);
        if size.is_none() {
            let span = self.ast.exprs[*e].span;
            self.report(
                Diagnostic::new(
                    &declarations::E0218,
                    span,
                    format!("this must be a positive 32-bit integer, not {value}"),
                )
                .at(if value < 0 {
                    "negative"
                } else if value == 0 {
                    "zero"
                } else {
                    "larger than 4294967295"
                }),
            );
        }
        size
    }

    /// `opencl_unroll_hint` in front of a statement; other attributes are reported.
    pub(crate) fn loop_attribute(&mut self, attribute: &'a Attribute) -> Option<LoopHint> {
        match self.interner.resolve(attribute.name) {
            "opencl_unroll_hint" | "unroll" => {}
            "nounroll" => return Some(LoopHint::NoUnroll),
            _ => {
                self.unused_attribute(attribute);
                return None;
            }
        }
        let [argument] = attribute.arguments.as_slice() else {
            if !attribute.arguments.is_empty() {
                self.report(
                    Diagnostic::new(
                        &statements::E0458,
                        attribute.span,
                        "`opencl_unroll_hint` takes at most one argument",
                    )
                    .at(format!("{} given", counted(attribute.arguments.len(), "argument"))),
                );
            }
            return Some(LoopHint::Unroll);
        };
        Some(match self.positive_integer(argument, attribute.span)? {
            1 => LoopHint::NoUnroll,
            count => LoopHint::UnrollCount(count),
        })
    }
}
