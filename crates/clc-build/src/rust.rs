//! Rust for the modules that were compiled: words, kernels, arguments, and structs with the layout that
//! they have on the device.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clc::Compilation;
use clc::reflection::module::{Argument, ArgumentKind, Kernel, Type, TypeKind, WorkGroupSize};

use crate::launch::{File, Launch, Launched};
use crate::names::{Names, identifier};
use crate::structs::Structs;
use crate::vectors;

/// What all files share; no crate is needed at run time.
const HEAD: &str = r#"// Made by clc-build; changes are lost.

/// An argument of a kernel.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The name of the parameter.
    pub name: &'static str,
    /// Its type in the words of the source.
    pub type_name: &'static str,
    /// What the host passes.
    pub kind: ArgumentKind,
    /// Bytes of a value or of a pointer on the device; 0 for what has no bytes.
    pub size: usize,
}

/// A kernel.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The name that the host uses.
    pub name: &'static str,
    /// The size of work-groups that the source requires.
    pub required_work_group_size: Option<[usize; 3]>,
    /// The size of sub-groups that the source requires.
    pub required_sub_group_size: Option<u32>,
    /// In the order of the source.
    pub arguments: &'static [Argument],
}

#[allow(dead_code)]
const fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    assert!(bytes.len() == 4 * N);
    let mut words = [0; N];
    let mut at = 0;
    while at < N {
        let byte = 4 * at;
        words[at] = u32::from_le_bytes([bytes[byte], bytes[byte + 1], bytes[byte + 2], bytes[byte + 3]]);
        at += 1;
    }
    words
}
"#;

/// Names follow those of the source.
const ALLOW: &str = "#[allow(dead_code, missing_docs, missing_debug_implementations, \
                     non_camel_case_types, non_snake_case, long_running_const_eval, clippy::all)]";

/// A file that was compiled.
pub(crate) struct Compiled {
    /// The name of the file without folder and extension.
    pub stem: String,
    pub compilation: Compilation,
}

/// The source of a Rust module with a module for each file.
pub(crate) fn module(files: &[Compiled], launch: Option<Launch>) -> String {
    let mut out = HEAD.to_owned();
    argument_kinds(&mut out);
    let (for_files, for_kernels) = launch.map_or_else(Default::default, Launch::reserved);
    let own = ["Argument", "ArgumentKind", "Kernel", "vector"];
    let mut names = Names::reserving(&[&own, for_files].concat());
    out.push_str(launch.map_or("", Launch::head));
    let mut used = BTreeMap::new();
    for file in files {
        let Some(description) = &file.compilation.description else { continue };
        let Some(words) = file.compilation.words() else { continue };
        let structs = Structs::new(description);
        let name = names.unique(&identifier(&file.stem));
        let _ = writeln!(out, "\n{ALLOW}\npub mod {name} {{");
        let stem = &file.stem;
        let count = words.len();
        let _ = writeln!(
            out,
            "    /// The module, for `vkCreateShaderModule` and whoever wants words.\n    \
             pub static WORDS: [u32; {count}] = super::words(BYTES);\n    \
             /// The module as bytes, for `clCreateProgramWithIL`.\n    \
             pub static BYTES: &[u8] = include_bytes!({:?});\n    \
             /// What a host must know to launch the kernels, as JSON.\n    \
             pub static REFLECTION: &str = include_str!({:?});",
            format!("{stem}.spv"),
            format!("{stem}.json")
        );
        let found = File::new(stem, description, &file.compilation, &structs);
        if let Some(launch) = launch {
            launch.file(&mut out, &found);
        }
        let mut kernels = Names::reserving(&[&["types"], for_kernels].concat());
        for kernel in &description.kernels {
            let name = kernels.unique(&identifier(&kernel.name));
            self::kernel(&mut out, &found, kernel, &name, launch);
        }
        out.push_str(&structs.declarations());
        out.push_str("}\n");
        vectors::collect(description, &mut used);
    }
    out.push_str(&vectors::module(&used, ALLOW));
    out
}

/// What hosts pass, as an enum.
fn argument_kinds(out: &mut String) {
    out.push_str(
        "\n/// What the host passes for an argument of a kernel.\n#[allow(dead_code)]\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum ArgumentKind {\n",
    );
    for kind in ArgumentKind::ALL {
        let _ = writeln!(out, "    /// {}\n    {kind:?},", kind.meaning());
    }
    out.push_str("}\n");
}

fn kernel(
    out: &mut String,
    file: &File<'_>,
    kernel: &Kernel,
    module: &str,
    launch: Option<Launch>,
) {
    let host = file.reflection.and_then(|it| it.kernels.iter().find(|it| it.name == kernel.name));
    let required = match (host, kernel.work_group_size) {
        (Some(host), _) => host.work_group_size.required(),
        (None, Some(WorkGroupSize::Fixed(size))) => Some(size),
        (None, Some(WorkGroupSize::Constants { .. }) | None) => None,
    };
    let _ = writeln!(out, "\n    /// The kernel `{}`.\n    pub mod {module} {{", kernel.name);
    let sub_group = kernel.sub_group_size;
    let _ = writeln!(
        out,
        "        /// What a launch takes.\n        \
         pub const KERNEL: super::super::Kernel = super::super::Kernel {{\n            \
         name: {:?},\n            required_work_group_size: {required:?},\n            \
         required_sub_group_size: {sub_group:?},\n            arguments: &[",
        kernel.name
    );
    for argument in &kernel.arguments {
        let _ = writeln!(
            out,
            "                super::super::Argument {{ name: {:?}, type_name: {:?}, \
             kind: super::super::ArgumentKind::{:?}, size: {} }},",
            argument.name,
            argument.type_name,
            argument.kind,
            argument.ty.size.unwrap_or_default()
        );
    }
    out.push_str(
        "            ],\n        };\n\n        /// Types of values, and of what is in buffers and \
         in `local` memory.\n        pub mod argument {\n",
    );
    let mut taken = Names::default();
    let names: Vec<String> = kernel
        .arguments
        .iter()
        .enumerate()
        .map(|(index, argument)| match argument.name.as_str() {
            "" => format!("argument{index}"),
            name => identifier(name),
        })
        .map(|name| taken.unique(&name))
        .collect();
    for (argument, name) in kernel.arguments.iter().zip(&names) {
        let Some(ty) = contents(argument) else { continue };
        let Some(text) = file.structs.rust_type(ty, "super::super") else { continue };
        let spelled = file.description.type_text(ty);
        let _ = writeln!(out, "            /// `{spelled}`\n            pub type {name} = {text};");
    }
    out.push_str("        }\n");
    let constants = match kernel.work_group_size {
        Some(WorkGroupSize::Constants { ids, default }) => Some((ids, default)),
        Some(WorkGroupSize::Fixed(_)) | None => None,
    };
    let required = required.map(|size| ([None; 3], size)).or(constants);
    if let Some(launch) = launch {
        launch.kernel(out, &Launched { file, kernel, host, names: &names, required });
    }
    out.push_str("    }\n");
}

/// What the bytes are that the host fills in.
pub(crate) fn contents(argument: &Argument) -> Option<&Type> {
    match (argument.kind, &argument.ty.kind) {
        (ArgumentKind::Value, _) => Some(&argument.ty),
        (
            ArgumentKind::Buffer | ArgumentKind::Local,
            TypeKind::Pointer { pointee: Some(pointee), .. },
        ) => Some(pointee),
        _ => None,
    }
}
