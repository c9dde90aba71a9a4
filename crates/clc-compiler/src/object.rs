//! Objects: parts of a program for Vulkan, between `clCompileProgram` and `clLinkProgram`.
//!
//! Modules of SPIR-V for Vulkan have no linkage, so an object is what a part is before it becomes one:
//! the text of its intermediate representation, behind what that does not say. It begins as the
//! bitcode of LLVM does, by which clvk knows an object that a program loads. An object is for the
//! version of the compiler that wrote it.

#![cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command alone links"))]

use clc_base::lang::FloatOptions;
use clc_base::{Diagnostic, Version};
use clc_ir::Module;
use clc_ir::link::LinkError;
use clc_legalise::diagnostics::{E0720, E0721, E0722, E0723};

/// The first bytes of an object.
pub const MAGIC: [u8; 4] = [b'B', b'C', 0xc0, 0xde];

/// The line behind the magic number.
const FORMAT: &str = concat!("clc object ", env!("CARGO_PKG_VERSION"));

/// An object of the text of a part, which was compiled with these options.
pub fn write(text: &str, version: Version, float: &FloatOptions) -> Vec<u8> {
    let options: Vec<&str> = float_options(&mut { *float })
        .iter()
        .filter(|(_, on)| **on)
        .map(|&(name, _)| name)
        .collect();
    let rest = format!("version {}\nfloat {}\n{text}", version.number(), options.join(" "));
    let head = format!("{FORMAT}\nchecksum {:016x}\n", checksum(&rest));
    [&MAGIC, head.as_bytes(), rest.as_bytes()].concat()
}

/// The part in an object, or why it is none.
pub fn read(bytes: &[u8]) -> Result<Module, String> {
    let text = bytes.strip_prefix(&MAGIC).and_then(|rest| std::str::from_utf8(rest).ok());
    let text = text.ok_or("it is no object")?;
    let (format, rest) = text.split_once('\n').unwrap_or((text, ""));
    if format != FORMAT {
        return Err(format!("it is not of this compiler ({FORMAT})"));
    }
    let (sum, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    if sum != format!("checksum {:016x}", checksum(rest)) {
        return Err("it is damaged: its checksum is another".to_owned());
    }
    let mut lines = rest.splitn(3, '\n');
    let mut field = |name: &str| {
        let line = lines.next().and_then(|line| line.strip_prefix(name));
        line.map(str::to_owned).ok_or_else(|| format!("it says nothing of its{name}"))
    };
    let (version, float) = (field("version ")?, field("float ")?);
    let text = lines.next().unwrap_or_default();
    let mut module = clc_ir::parse::module(text).map_err(|error| error.to_string())?;
    clc_ir::verify::module(&module).map_err(|error| error.to_string())?;
    let known =
        [Version::V1_0, Version::V1_1, Version::V1_2, Version::V2_0, Version::V3_0, Version::V3_1];
    let number = version.parse().ok();
    let version = known.into_iter().find(|version| Some(version.number()) == number);
    module.version = version.ok_or("it is of an unknown version of OpenCL C")?;
    let mut options = FloatOptions::default();
    for (name, on) in float_options(&mut options) {
        *on = float.split(' ').any(|word| word == name);
    }
    module.float_options = options;
    Ok(module)
}

/// By which damage is noticed: what the text says is trusted beyond what the verifier checks. FNV-1a.
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// One part of several, or all that keeps them from being one. A `library` keeps what is exported.
pub fn link(units: &[Module], library: bool) -> Result<Module, Vec<Diagnostic>> {
    let mut module = clc_ir::link::link(units, library)
        .map_err(|errors| errors.iter().map(link_error).collect::<Vec<_>>())?;
    // What permits something holds where all parts have it.
    let mut options: Vec<FloatOptions> = units.iter().map(|unit| unit.float_options).collect();
    for (index, (name, on)) in float_options(&mut module.float_options).into_iter().enumerate() {
        let mut each = options.iter_mut().map(|options| *float_options(options)[index].1);
        *on = match name {
            "correctly-rounded" => each.any(|on| on),
            _ => each.all(|on| on),
        };
    }
    Ok(module)
}

/// That a file is no object.
pub fn unreadable(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&E0720, format!("`{name}` cannot be linked: {reason}"))
}

fn link_error(error: &LinkError) -> Diagnostic {
    let named = |name: &str| clc_legalise::source_name(name).to_string();
    match error {
        LinkError::Undefined(name) => {
            let message = format!("`{}` is used, but nothing defines it", named(name));
            Diagnostic::without_place(&E0721, message).help("link the program that defines it, too")
        }
        LinkError::Duplicate(name) => {
            let message = format!("`{}` is defined by several programs", named(name));
            Diagnostic::without_place(&E0722, message)
                .help("keep one definition, or make those that others need not see `static`")
        }
        LinkError::Mismatch(name) => {
            let message = format!(
                "`{}` is declared with another type than that of its definition",
                named(name)
            );
            Diagnostic::without_place(&E0723, message)
                .help("declare it in a header that both programs include")
        }
    }
}

/// The options by the names that they have in an object.
fn float_options(options: &mut FloatOptions) -> [(&'static str, &mut bool); 8] {
    let FloatOptions {
        mad_enable,
        unsafe_math,
        finite_math_only,
        no_signed_zeros,
        fast_relaxed_math,
        denorms_are_zero,
        correctly_rounded_divide_sqrt,
        single_precision_constant,
    } = options;
    [
        ("mad-enable", mad_enable),
        ("unsafe-math", unsafe_math),
        ("finite-math-only", finite_math_only),
        ("no-signed-zeros", no_signed_zeros),
        ("fast-relaxed-math", fast_relaxed_math),
        ("denorms-are-zero", denorms_are_zero),
        ("correctly-rounded", correctly_rounded_divide_sqrt),
        ("single-precision-constant", single_precision_constant),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_reads_back() {
        let text =
            "module ptr64\n\nfunction f0 \"f\"(i32) i32 export {\nb0(v0: i32):\n  return v0\n}\n";
        let float = FloatOptions { mad_enable: true, denorms_are_zero: true, ..Default::default() };
        let bytes = write(text, Version::V2_0, &float);
        assert_eq!(bytes[..4], [0x42, 0x43, 0xc0, 0xde]);
        let module = read(&bytes).unwrap();
        assert_eq!((module.version, module.float_options), (Version::V2_0, float));
        assert_eq!(module.functions.len(), 1);
    }

    #[test]
    fn what_is_no_object_is_refused_with_the_reason() {
        for (bytes, reason) in [
            (&b"BC\xc0\xde\x01\x02"[..], "not of this compiler"),
            (b"\x03\x02\x23\x07", "no object"),
            (b"BC\xc0\xdeclc object 9.9\n", "not of this compiler"),
        ] {
            let error = read(bytes).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        let good = write("module ptr64\n", Version::V1_2, &FloatOptions::default());
        assert!(read(&good).is_ok());
        for length in 0..good.len() {
            assert!(read(&good[..length]).is_err(), "{length}");
        }
        for at in 0..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            assert!(read(&bytes).is_err(), "{at}");
        }
    }
}
