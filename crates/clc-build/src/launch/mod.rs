//! Launches that Rust checks: for each kernel a struct with a field for each argument, of the type that the
//! argument has, and functions of a crate for OpenCL or Vulkan that take it.

mod ash;
mod opencl3;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use clc::Compilation;
use clc::reflection::module::{
    Argument, Kernel, ModuleDescription, Scalar, SpecializationConstant, TypeKind,
};
use clc::reflection::{self, Reflection};

use crate::names::{Names, identifier};
use crate::structs::Structs;
use crate::vectors::primitive;

/// The crate that a host launches kernels with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Launch {
    /// [opencl3](https://docs.rs/opencl3) 0.12, with its feature `dynamic` or `CL_VERSION_2_1`; modules are
    /// for OpenCL.
    Opencl3,
    /// [ash](https://docs.rs/ash) 0.38; modules are for Vulkan.
    Ash,
}

/// A file, as those who write its launches see it.
pub(crate) struct File<'a> {
    pub stem: &'a str,
    pub description: &'a ModuleDescription,
    /// Of modules for Vulkan.
    pub reflection: Option<&'a Reflection>,
    pub structs: &'a Structs<'a>,
    /// What the program lets the host choose, with the names of the fields.
    pub constants: Vec<(String, &'a SpecializationConstant)>,
}

/// A kernel, and what Rust calls its arguments.
pub(crate) struct Launched<'a> {
    pub file: &'a File<'a>,
    pub kernel: &'a Kernel,
    /// Of modules for Vulkan.
    pub host: Option<&'a reflection::Kernel>,
    /// For each argument: its name as a field and as a type.
    pub names: &'a [String],
    /// The size of work-groups that the source requires, with the constants of the program that it has.
    pub required: Option<([Option<u32>; 3], [u32; 3])>,
}

impl Launch {
    /// What all files share.
    pub(crate) fn head(self) -> &'static str {
        match self {
            Launch::Opencl3 => include_str!("head/opencl3.rs"),
            Launch::Ash => include_str!("head/ash.rs"),
        }
    }

    /// Names that files cannot have, and names that kernels cannot have.
    pub(crate) fn reserved(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Launch::Opencl3 => (&["Global", "Range"], &["Constants", "Program"]),
            Launch::Ash => (
                &[
                    "Address",
                    "Global",
                    "Parts",
                    "PrintfArgument",
                    "PrintfArgumentKind",
                    "PrintfFormat",
                    "ProgramData",
                    "Region",
                ],
                &["Constants", "Module"],
            ),
        }
    }

    /// What a file has besides its kernels; `write` writes a file beside the module.
    pub(crate) fn file(self, out: &mut String, file: &File<'_>) {
        file.declare_constants(out);
        match self {
            Launch::Opencl3 => opencl3::file(out, file),
            Launch::Ash => ash::file(out, file),
        }
    }

    /// What the module of a kernel has besides.
    pub(crate) fn kernel(self, out: &mut String, kernel: &Launched<'_>) {
        match self {
            Launch::Opencl3 => opencl3::kernel(out, kernel),
            Launch::Ash => ash::kernel(out, kernel),
        }
    }

    /// Whether modules for this target can be launched; if not, what is wrong.
    pub(crate) fn check(self, is_vulkan: bool) -> Result<(), &'static str> {
        match (self, is_vulkan) {
            (Launch::Opencl3, false) | (Launch::Ash, true) => Ok(()),
            (Launch::Opencl3, true) => {
                Err("`Launch::Opencl3` is for modules for OpenCL, and the target is Vulkan")
            }
            (Launch::Ash, false) => {
                Err("`Launch::Ash` is for modules for Vulkan: give the builder \
                                         `.target(TargetEnv::Vulkan { major: 1, minor: 3 })`")
            }
        }
    }
}

impl<'a> File<'a> {
    pub fn new(
        stem: &'a str,
        description: &'a ModuleDescription,
        compilation: &'a Compilation,
        structs: &'a Structs<'a>,
    ) -> File<'a> {
        let reflection = compilation.reflection.as_ref();
        // The compiler's own are fields of their own.
        let own: BTreeSet<u32> = reflection.into_iter().flat_map(compilers_own).collect();
        let mut names = Names::default();
        let program = description.specialization_constants.iter();
        let constants = program
            .filter(|constant| !own.contains(&constant.id))
            .map(|constant| {
                let name = match constant.name.as_str() {
                    "" => format!("constant{}", constant.id),
                    name => identifier(name),
                };
                (names.unique(&name), constant)
            })
            .collect();
        File { stem, description, reflection, structs, constants }
    }

    /// The size of work-groups in Rust, where constants of the program are at least one of the sizes.
    fn group(&self, constants: &str, ids: [Option<u32>; 3], default: [u32; 3], ty: &str) -> String {
        let sizes = ids.into_iter().zip(default).map(|(id, default)| {
            let chosen = self.constants.iter().find(|(_, constant)| Some(constant.id) == id);
            match chosen {
                Some((name, _)) => format!("{constants}.{name} as {ty}"),
                None => default.to_string(),
            }
        });
        format!("[{}]", sizes.collect::<Vec<_>>().join(", "))
    }

    /// The struct of the specialization constants, if there are any.
    fn declare_constants(&self, out: &mut String) {
        if self.constants.is_empty() {
            return;
        }
        out.push_str(
            "\n    /// The specialization constants of the program; by default as the source says.\n    \
             #[derive(Clone, Copy, Debug, PartialEq)]\n    pub struct Constants {\n",
        );
        for (name, constant) in &self.constants {
            let id = constant.id;
            let (ty, _) = constant_type(constant);
            let _ = writeln!(out, "        /// Number {id}.\n        pub {name}: {ty},");
        }
        out.push_str(
            "    }\n    impl Constants {\n        /// The values of the source.\n        \
             pub const DEFAULT: Self = Self {\n",
        );
        for (name, constant) in &self.constants {
            let (_, value) = constant_type(constant);
            let _ = writeln!(out, "            {name}: {value},");
        }
        out.push_str(
            "        };\n    }\n    impl Default for Constants {\n        fn default() -> Self {\n            \
             Self::DEFAULT\n        }\n    }\n",
        );
    }
}

/// The numbers of the specialization constants that the calling convention has.
fn compilers_own(reflection: &Reflection) -> impl Iterator<Item = u32> {
    reflection.kernels.iter().flat_map(|kernel| {
        let sizes = match kernel.work_group_size {
            reflection::WorkGroupSize::Constants { ids, of_program: false, .. } => ids,
            reflection::WorkGroupSize::Constants { .. } | reflection::WorkGroupSize::Fixed(_) => {
                [None; 3]
            }
        };
        let locals = kernel.arguments.iter().filter_map(|argument| match argument.kind {
            reflection::ArgumentKind::Local { constant, .. } => Some(constant),
            _ => None,
        });
        sizes.into_iter().flatten().chain(locals)
    })
}

/// The type of a constant in Rust, and its default value.
fn constant_type(constant: &SpecializationConstant) -> (&'static str, String) {
    match constant.ty.kind {
        TypeKind::Scalar(Scalar::Bool) => ("bool", (constant.default != 0).to_string()),
        TypeKind::Scalar(Scalar::Float) => {
            ("f32", format!("f32::from_bits({:#x})", constant.default as u32))
        }
        TypeKind::Scalar(Scalar::Double) => {
            ("f64", format!("f64::from_bits({:#x})", constant.default))
        }
        TypeKind::Scalar(Scalar::Half) => ("u16", constant.default.to_string()),
        TypeKind::Scalar(scalar) => (primitive(scalar), constant.default_text()),
        _ => ("u32", constant.default.to_string()),
    }
}

impl Launched<'_> {
    fn arguments(&self) -> impl Iterator<Item = (usize, &Argument, &str)> {
        let named = self.kernel.arguments.iter().zip(self.names);
        named.enumerate().map(|(index, (argument, name))| (index, argument, name.as_str()))
    }

    /// The type as the source writes it.
    fn spelled(&self, argument: &Argument) -> String {
        let mut text = self.file.description.type_text(&argument.ty);
        for qualifier in argument.type_qualifiers.split_whitespace() {
            match qualifier {
                "restrict" => text.push_str(" restrict"),
                // Of what a pointer points to.
                qualifier => text.insert_str(0, &format!("{qualifier} ")),
            }
        }
        text
    }

    /// Whether the contents of an argument have a type in `argument`.
    fn is_typed(&self, argument: &Argument) -> bool {
        crate::rust::contents(argument)
            .is_some_and(|ty| self.file.structs.rust_type(ty, "super").is_some())
    }
}
