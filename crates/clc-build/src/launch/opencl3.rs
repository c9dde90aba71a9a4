//! Launches with `opencl3`.

use std::fmt::Write as _;

use clc::reflection::module::{Argument, ArgumentKind, Scalar, TypeKind};

use super::{File, Launched};

/// The program.
pub(super) fn file(out: &mut String, file: &File<'_>) {
    out.push_str(
        "\n    /// The program of this file, built for the devices of a context. One that was built elsewhere, \
         such as\n    /// from a binary, may be put in by hand.\n    \
         pub struct Program(pub ::opencl3::program::Program",
    );
    // For the sizes of work-groups.
    if !file.constants.is_empty() {
        out.push_str(", pub Constants");
    }
    out.push_str(");\n\n    #[allow(unsafe_code)]\n    impl Program {\n");
    if file.constants.is_empty() {
        out.push_str(
            "        /// Builds the program; `options` are those of `clBuildProgram`.\n        \
             pub fn build(context: &::opencl3::context::Context, options: &str) -> \
             ::opencl3::Result<Self> {\n            \
             ::opencl3::program::Program::create_and_build_from_il(context, BYTES, options).map(Self)\n        \
             }\n    }\n",
        );
        return;
    }
    out.push_str(
        "        /// Builds the program with these values of its specialization constants; `options` are those \
         of\n        /// `clBuildProgram`. Constants with their default values are not set, which drivers \
         before OpenCL 2.2\n        /// cannot.\n        \
         pub fn build(\n            context: &::opencl3::context::Context,\n            options: &str,\n            \
         constants: &Constants,\n        ) -> ::opencl3::Result<Self> {\n            \
         let mut program = ::opencl3::program::Program::create_from_il(context, BYTES)?;\n",
    );
    for (name, constant) in &file.constants {
        let (value, default) = match constant.ty.kind {
            TypeKind::Scalar(Scalar::Bool) => (
                format!("u8::from(constants.{name})"),
                format!("u8::from(Constants::DEFAULT.{name})"),
            ),
            TypeKind::Scalar(Scalar::Float | Scalar::Double) => (
                format!("constants.{name}.to_bits()"),
                format!("Constants::DEFAULT.{name}.to_bits()"),
            ),
            _ => (format!("constants.{name}"), format!("Constants::DEFAULT.{name}")),
        };
        let _ = writeln!(
            out,
            "            let value = {value};\n            if value != {default} {{\n                \
             unsafe {{\n                    program.set_specialization_constant(\n                        \
             {},\n                        core::mem::size_of_val(&value),\n                        \
             (&raw const value).cast(),\n                    )?;\n                }}\n            }}",
            constant.id
        );
    }
    out.push_str(
        "            program.build(context.devices(), options)?;\n            Ok(Self(program, *constants))\n        \
         }\n    }\n",
    );
}

/// The arguments and the launch of a kernel.
pub(super) fn kernel(out: &mut String, kernel: &Launched<'_>) {
    let mut fields = String::new();
    let mut settings = String::new();
    let mut has_references = false;
    for (index, argument, name) in kernel.arguments() {
        let is_typed = kernel.is_typed(argument);
        let Some(field) = field(argument, name, is_typed) else {
            let _ = writeln!(
                out,
                "\n        // There is no launch: the argument `{name}` has no type in Rust."
            );
            return;
        };
        has_references |= field.ty.starts_with('&');
        let spelled = kernel.spelled(argument);
        let what = field.what;
        let _ = writeln!(
            fields,
            "            /// `{spelled}`{what}\n            pub {name}: {},",
            field.ty
        );
        let _ = writeln!(settings, "                    {};", field.setting(index));
    }
    let (own, passed) = if has_references { ("<'a>", "<'_>") } else { ("", "") };
    let range = if kernel.required.is_some() { "Global" } else { "Range" };
    let (constants, made) = match kernel.file.constants.is_empty() {
        true => ("", "Self"),
        false => (", pub super::Constants", "|kernel| Self(kernel, program.1)"),
    };
    let _ = writeln!(
        out,
        "\n        /// What the kernel takes.\n        #[derive(Clone, Copy)]\n        \
         pub struct Arguments{own} {{\n{fields}        }}\n\n        \
         /// The kernel, with which it is launched.\n        \
         pub struct Launcher(pub ::opencl3::kernel::Kernel{constants});\n\n        \
         #[allow(unsafe_code, unused_variables)]\n        impl Launcher {{\n            \
         /// The kernel of a program.\n            \
         pub fn new(program: &super::Program) -> ::opencl3::Result<Self> {{\n                \
         ::opencl3::kernel::Kernel::create(&program.0, {:?}).map({made})\n            }}\n",
        kernel.kernel.name
    );
    let ranges = match kernel.required {
        Some(_) => "the sizes of work-groups are those\n            /// that the source requires",
        None => {
            "`range` is their number in each\n            /// dimension, or \
                 `Global::new([…]).local([…])`"
        }
    };
    let _ = writeln!(
        out,
        "            /// Sets the arguments and enqueues the work-items, which begin after the events of \
         `wait`; {ranges}.\n            ///\n            \
         /// # Safety\n            \
         /// The kernel accesses nothing outside of the memory that it is given, and the host does not use that \
         memory\n            /// or release it before the event has come.\n            \
         pub unsafe fn enqueue<const D: usize>(\n                &self,\n                \
         queue: &::opencl3::command_queue::CommandQueue,\n                \
         range: impl Into<super::super::{range}<D>>,\n                arguments: Arguments{passed},\n                \
         wait: &[::opencl3::types::cl_event],\n            \
         ) -> ::opencl3::Result<::opencl3::event::Event> {{"
    );
    match kernel.required {
        Some((ids, default)) => {
            let has_axis = |axis: usize| ids[axis].is_some() || default[axis] > 1;
            let least = (1..3).rev().find(|&axis| has_axis(axis)).map_or(1, |axis| axis + 1);
            let sizes = kernel.file.group("self.1", ids, default, "usize");
            let _ = writeln!(
                out,
                "                const {{ assert!(D >= {least} && D <= 3, \"the kernel has {least} to 3 \
                 dimensions\") }};\n                \
                 let sizes: [usize; 3] = {sizes};\n                \
                 let local = core::array::from_fn(|axis| sizes[axis]);\n                \
                 let range = range.into().local(local);"
            );
        }
        None => out.push_str("                let range = range.into();\n"),
    }
    let _ = writeln!(
        out,
        "                unsafe {{\n{settings}                    \
         super::super::enqueue(queue, &self.0, range, wait)\n                }}\n            }}\n        }}"
    );
}

/// A field of the arguments.
struct Field {
    ty: String,
    /// What it is besides its type.
    what: &'static str,
    /// What `clSetKernelArg` points to; `None` for a number of bytes in `local` memory.
    value: Option<String>,
    name: String,
    /// Of a number of elements: the rest of the product that is the number of bytes.
    scale: String,
}

impl Field {
    fn setting(&self, index: usize) -> String {
        let name = &self.name;
        match &self.value {
            Some(value) => format!("self.0.set_arg({index}, &{value})?"),
            None => {
                format!("self.0.set_arg_local_buffer({index}, arguments.{name}{})?", self.scale)
            }
        }
    }
}

fn field(argument: &Argument, name: &str, is_typed: bool) -> Option<Field> {
    let memory = format!("::opencl3::memory::ClMem::get(arguments.{name})");
    let mut scale = String::new();
    let (ty, what, value) = match argument.kind {
        ArgumentKind::Buffer if is_typed => {
            (format!("&'a ::opencl3::memory::Buffer<argument::{name}>"), "", Some(memory))
        }
        ArgumentKind::Buffer => ("&'a dyn ::opencl3::memory::ClMem".to_owned(), "", Some(memory)),
        ArgumentKind::Value if is_typed => {
            (format!("argument::{name}"), "", Some(format!("arguments.{name}")))
        }
        ArgumentKind::Value => {
            let size = argument.ty.size?;
            (format!("[u8; {size}]"), ": its bytes", Some(format!("arguments.{name}")))
        }
        ArgumentKind::Local if is_typed => {
            scale = format!(" * core::mem::size_of::<argument::{name}>()");
            ("usize".to_owned(), ": the number of elements in `local` memory", None)
        }
        ArgumentKind::Local => {
            ("usize".to_owned(), ": the number of bytes in `local` memory", None)
        }
        ArgumentKind::Image => ("&'a ::opencl3::memory::Image".to_owned(), "", Some(memory)),
        ArgumentKind::Sampler => (
            "&'a ::opencl3::memory::Sampler".to_owned(),
            "",
            Some(format!("arguments.{name}.get()")),
        ),
        ArgumentKind::Pipe => ("&'a ::opencl3::memory::Pipe".to_owned(), "", Some(memory)),
        ArgumentKind::Queue => (
            "&'a ::opencl3::command_queue::CommandQueue".to_owned(),
            "",
            Some(format!("arguments.{name}.get()")),
        ),
        ArgumentKind::Opaque => return None,
    };
    Some(Field { ty, what, value, name: name.to_owned(), scale })
}
