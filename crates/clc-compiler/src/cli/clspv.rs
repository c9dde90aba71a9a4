//! `clc clspv`, and the program under the name `clspv`: the command line of clspv, as clvk writes it.
//!
//! Its options become those of `clc`, by [`OPTIONS`]; what is not in the table is an option of `clc`
//! itself, or unknown, which is wrong usage.

use std::ffi::OsString;
use std::path::Path;

use super::objects::Request;

/// What becomes of an option.
enum Meaning {
    /// These options of `clc`, the value of the option in place of `{}`.
    As(&'static [&'static str]),
    /// Nothing, for a reason.
    Ignored(&'static str),
    /// What [`Line`] says.
    Special(fn(&mut Line, &str) -> Result<(), String>),
}

use Meaning::{As, Ignored, Special};

/// The options of clspv that `clc` has not under the same name. One that ends in `=` has a value behind
/// it; one that ends in `*` any text.
const OPTIONS: &[(&str, Meaning)] = &[
    ("arch=", Special(Line::architecture)),
    ("spv-version=", Special(Line::version)),
    ("max-pushconstant-size=", As(&["--max-push-constant-size={}"])),
    ("max-ubo-size=", As(&["--max-uniform-size={}"])),
    ("printf-buffer-size=", As(&["--printf-buffer-size={}"])),
    ("cl-arm-non-uniform-work-group-size", Special(Line::non_uniform)),
    (
        "cl-arm-integer-dot-product",
        As(&["-cl-ext=+cl_arm_integer_dot_product_int8,\
             +cl_arm_integer_dot_product_accumulate_int8,\
             +cl_arm_integer_dot_product_accumulate_int16,\
             +cl_arm_integer_dot_product_accumulate_saturate_int8"]),
    ),
    ("enable-feature-macros=", Special(Line::features)),
    ("output-format=", Special(Line::output_format)),
    ("images=", Special(|line, value| line.switch("images", value, &["--limit=images=0"]))),
    ("int8=", Special(|line, value| line.switch("int8", value, &["--limit=int8=0"]))),
    ("fp16=", Special(|line, value| line.switch("fp16", value, &["-cl-ext=-cl_khr_fp16"]))),
    ("fp64=", Special(|line, value| line.switch("fp64", value, &["-cl-ext=-cl_khr_fp64"]))),
    ("no-8bit-storage=", Special(|line, value| line.storage("storage8", value))),
    ("no-16bit-storage=", Special(|line, value| line.storage("storage16", value))),
    ("global-offset", Ignored("every module takes offsets")),
    ("long-vector", Ignored("vectors of 8 and 16 components are always compiled")),
    ("module-constants-in-storage-buffer", Ignored("program-scope variables are in a buffer")),
    ("enable-printf", Ignored("kernels that print always do")),
    ("physical-storage-buffers", Ignored("buffers are always passed by address")),
    ("rewrite-packed-structs", Ignored("structs have the layout of the source")),
    ("std430-ubo-layout", Ignored("uniform buffers hold scalars and vectors only")),
    ("decorate-nonuniform", Ignored("no descriptor is chosen at run time")),
    ("use-native-builtins=", Ignored("instructions are used where they are precise enough")),
    ("inline-entry-points", Ignored("a kernel that is called has a function of its own")),
    ("rounding-mode-rte=", Ignored("nothing asks for another rounding than the device's")),
    ("denorm-preserve=", Ignored("what the device does with denormal numbers is its default")),
    ("denorm-flush-to-zero=", Ignored("what the device does with denormal numbers is its default")),
    ("hack-*", Ignored("it changes code that is not made here")),
];

/// A command line that is being translated.
#[derive(Default)]
struct Line {
    arguments: Vec<String>,
    features: Option<Vec<String>>,
    target: Option<&'static str>,
    is_non_uniform: bool,
    objects_out: bool,
}

/// The text of `clc clspv --help`.
pub(super) fn help() -> String {
    let mut text = "Takes the command line of clspv, as clvk writes it.\n\n\
                    Usage: clc clspv KERNEL.cl... [OPTIONS] -o FILE\n\n\
                    These options mean what they mean for clspv; those of `clc --help` are taken too:\n"
        .to_owned();
    let spelled = |name: &str| match name.strip_suffix('=') {
        Some(name) => format!("  -{name}=VALUE\n"),
        None => format!("  -{name}\n"),
    };
    for (name, meaning) in OPTIONS {
        if !matches!(meaning, Ignored(_)) {
            text.push_str(&spelled(name));
        }
    }
    text.push_str("  -x ir\n\nThese are accepted, without effect:\n");
    for (name, meaning) in OPTIONS {
        if let Ignored(reason) = meaning {
            text.push_str(&format!("  -{name:<38} {reason}\n"));
        }
    }
    text
}

/// Whether the program was started as clspv, or asked to be it.
pub(super) fn is_meant(arguments: &[OsString]) -> bool {
    let own_name = arguments.first().and_then(|name| Path::new(name).file_stem());
    own_name.is_some_and(|name| name == "clspv")
        || arguments.get(1).is_some_and(|word| word == "clspv")
}

/// Translates a command line that [`is_meant`] accepted.
pub(super) fn translate(arguments: Vec<OsString>) -> Result<Request, String> {
    let is_word = arguments.get(1).is_some_and(|word| word == "clspv");
    let mut rest = arguments.into_iter().skip(if is_word { 2 } else { 1 });
    let mut line = Line::default();
    let mut translated: Vec<OsString> = Vec::new();
    let mut objects_in = false;
    while let Some(argument) = rest.next() {
        let Some(text) = argument.to_str() else {
            translated.push(argument);
            continue;
        };
        if text == "-x" {
            let language = rest.next().unwrap_or_default();
            if language == "ir" {
                objects_in = true;
            } else {
                translated.extend([argument, language]);
            }
            continue;
        }
        let known = text.strip_prefix('-').and_then(|name| find(name.trim_start_matches('-')));
        let Some((meaning, value)) = known else {
            // The value of an option is none itself, whatever it looks like.
            let has_value = matches!(text, "-D" | "-U" | "-I" | "-o" | "-include" | "-isystem");
            translated.push(argument);
            if has_value {
                translated.extend(rest.next());
            }
            continue;
        };
        match meaning {
            As(options) => {
                line.arguments.extend(options.iter().map(|option| option.replace("{}", value)));
            }
            Ignored(_) => {}
            Special(apply) => apply(&mut line, value)?,
        }
    }
    let mut all: Vec<OsString> = vec!["clc".into(), "--reflection-set=clspv".into()];
    all.push(format!("--target-env={}", line.target.unwrap_or("vulkan1.3")).into());
    if !line.is_non_uniform {
        all.push("-cl-uniform-work-group-size".into());
    }
    if let Some(features) = &line.features {
        let all_features = clc_builtins::features::Extension::all()
            .map(clc_builtins::features::Extension::name)
            .filter(|name| name.starts_with("__opencl_c_"));
        let lists = all_features.map(|name| {
            let sign = if features.iter().any(|feature| feature == name) { '+' } else { '-' };
            format!("{sign}{name}")
        });
        all.push(format!("-cl-ext={}", lists.collect::<Vec<_>>().join(",")).into());
    }
    all.extend(line.arguments.into_iter().map(OsString::from));
    // The user's own come last, so that they count.
    all.extend(translated);
    Ok(Request { arguments: all, objects_in, objects_out: line.objects_out })
}

/// The meaning of an option without its dashes, and its value.
fn find(option: &str) -> Option<(&'static Meaning, &str)> {
    OPTIONS.iter().find_map(|(name, meaning)| {
        let value = match name.strip_suffix('*') {
            Some(prefix) => option.strip_prefix(prefix),
            None if name.ends_with('=') => option.strip_prefix(name),
            None => (option == *name).then_some(""),
        };
        value.map(|value| (meaning, value))
    })
}

impl Line {
    fn architecture(&mut self, value: &str) -> Result<(), String> {
        match value {
            "spir64" => Ok(()),
            _ => Err(format!(
                "`-arch={value}`: pointers are addresses of 64 bits, as for `-arch=spir64` (clvk: \
                 CLVK_SPIRV_ARCH=spir64 and CLVK_PHYSICAL_ADDRESSING=1)"
            )),
        }
    }

    fn version(&mut self, value: &str) -> Result<(), String> {
        self.target = Some(match value {
            "1.3" | "1.4" => "vulkan1.1",
            "1.5" => "vulkan1.2",
            "1.6" => "vulkan1.3",
            _ => return Err(format!("`-spv-version={value}`: 1.3 to 1.6 can be written")),
        });
        self.arguments.push(format!("--spirv-version={value}"));
        Ok(())
    }

    fn non_uniform(&mut self, _: &str) -> Result<(), String> {
        self.is_non_uniform = true;
        Ok(())
    }

    fn features(&mut self, value: &str) -> Result<(), String> {
        let names = value.split(',').filter(|name| !name.is_empty()).map(str::to_owned);
        self.features.get_or_insert_default().extend(names);
        Ok(())
    }

    fn output_format(&mut self, value: &str) -> Result<(), String> {
        match value {
            "bc" => self.objects_out = true,
            "spv" => self.objects_out = false,
            _ => return Err(format!("`--output-format={value}`: it is `spv` or `bc`")),
        }
        Ok(())
    }

    /// An option that is 0 or 1; what it stands for where it is 0.
    fn switch(&mut self, name: &str, value: &str, off: &[&str]) -> Result<(), String> {
        match value {
            "0" | "false" => self.arguments.extend(off.iter().map(|&option| option.to_owned())),
            "" | "1" | "true" => {}
            _ => return Err(format!("`-{name}={value}`: it is 0 or 1")),
        }
        Ok(())
    }

    /// Small types are only read and written in buffers: arguments are read as words.
    fn storage(&mut self, limit: &str, value: &str) -> Result<(), String> {
        for class in value.split(',') {
            match class {
                "ssbo" => self.arguments.push(format!("--limit={limit}=0")),
                "ubo" | "pushconstant" => {}
                _ => {
                    return Err(format!(
                        "`{value}`: the kinds of storage are ssbo, ubo, pushconstant"
                    ));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> Result<String, String> {
        let arguments = line.split(' ').map(OsString::from).collect();
        let request = translate(arguments)?;
        let words = request.arguments.iter().map(|word| word.to_string_lossy().into_owned());
        Ok(words.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn options_of_clspv_become_those_of_clc() {
        let line = "clspv k.cl -cl-std=CL1.2 -D -arch= -arch=spir64 -spv-version=1.5 \
                    -max-pushconstant-size=256 -no-8bit-storage=ssbo -fp64=0 -hack-anything \
                    --use-native-builtins=fma, -global-offset -o k.spv";
        assert_eq!(
            translated(line).unwrap(),
            "clc --reflection-set=clspv --target-env=vulkan1.2 -cl-uniform-work-group-size \
             --spirv-version=1.5 --max-push-constant-size=256 --limit=storage8=0 \
             -cl-ext=-cl_khr_fp64 k.cl -cl-std=CL1.2 -D -arch= -o k.spv"
        );
        let line = "clc clspv -cl-arm-non-uniform-work-group-size a.bc -x ir -o a.spv";
        assert_eq!(
            translated(line).unwrap(),
            "clc --reflection-set=clspv --target-env=vulkan1.3 a.bc -o a.spv"
        );
    }

    #[test]
    fn wrong_values_are_refused_with_the_option() {
        for wrong in ["-arch=spir", "-spv-version=1.0", "--output-format=ll", "-images=2"] {
            let message = translated(&format!("clspv {wrong}")).unwrap_err();
            assert!(message.contains(wrong.split('=').next().unwrap()), "{message}");
        }
    }

    #[test]
    fn each_option_is_found_once() {
        for (name, _) in OPTIONS {
            let spelled = name.replace('*', "x");
            let matching = OPTIONS.iter().filter(|(other, _)| {
                let other = other.trim_end_matches('*');
                if other.ends_with(['=', '-']) {
                    spelled.starts_with(other)
                } else {
                    spelled == other
                }
            });
            assert_eq!(matching.count(), 1, "{name}");
        }
    }
}
