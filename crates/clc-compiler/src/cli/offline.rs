//! `clc --mode=spir-v --source=FILE --output=FILE --cl-device-info=FILE -- OPTIONS`: the command line
//! by which OpenCL-CTS calls an offline compiler (its `cl_offline_compiler-interface.txt`).

use std::ffi::{OsStr, OsString};

use clc_builtins::features::Extension;

/// Options of the interface, which `clc` itself does not have.
const OPTIONS: [&str; 4] = ["mode", "source", "output", "cl-device-info"];

/// The name and the value of an option of the interface, which is in the same argument or the next.
fn option_of(argument: &OsStr) -> Option<(&'static str, Option<&str>)> {
    let text = argument.to_str()?.strip_prefix("--")?;
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    OPTIONS.iter().find(|option| **option == name).map(|option| (*option, value))
}

/// Whether the command line is one of the interface: it says a mode.
pub(super) fn is_meant(arguments: &[OsString]) -> bool {
    let own = arguments.iter().skip(1).take_while(|argument| *argument != "--");
    own.filter_map(|argument| option_of(argument)).any(|(name, _)| name == "mode")
}

/// The command line of `clc` for one that [`is_meant`] accepted.
pub(super) fn translate(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut rest = arguments.into_iter().skip(1);
    let mut values: [Option<OsString>; OPTIONS.len()] = Default::default();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            break;
        }
        let Some((name, value)) = option_of(&argument) else {
            return Err(format!(
                "`{}` is no option beside `--mode`: those for the compiler come after `--`",
                argument.to_string_lossy()
            ));
        };
        let value = match value {
            Some(value) => value.into(),
            None => rest.next().ok_or_else(|| format!("`--{name}` has no value"))?,
        };
        let place = OPTIONS.iter().position(|option| *option == name).unwrap_or_default();
        values[place] = Some(value);
    }
    let [mode, source, output, device_info] = values;
    if mode.as_ref().is_none_or(|mode| mode != "spir-v") {
        let mode = mode.unwrap_or_default();
        return Err(format!("`--mode={}`: modules are made, `spir-v`", mode.to_string_lossy()));
    }
    let source = source.ok_or("`--mode` needs `--source`, the file to compile")?;
    let output = output.ok_or("`--mode` needs `--output`, the file to write")?;
    let mut translated: Vec<OsString> = vec!["clc".into()];
    if let Some(path) = device_info {
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.to_string_lossy()))?;
        translated.extend(options_of_device(&text)?.into_iter().map(OsString::from));
    }
    // The options of the program come last, so that they count.
    translated.extend(rest);
    translated.extend([source, "-o".into(), output]);
    Ok(translated)
}

/// What a description of a device asks of the compiler.
fn options_of_device(text: &str) -> Result<Vec<String>, String> {
    let mut options = Vec::new();
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines {
        let (key, value) = line
            .split_once('=')
            .ok_or_else(|| format!("the description of the device is not KEY=VALUE: `{line}`"))?;
        let value = value.trim_matches('"');
        match key {
            "CL_DEVICE_ADDRESS_BITS" => options.push(format!("--address-bits={value}")),
            "CL_DEVICE_VERSION" => options.push(format!("--target-env={}", environment(value)?)),
            "CL_DEVICE_EXTENSIONS" => options.push(extensions(value)),
            "CL_DEVICE_IMAGE_SUPPORT" if value == "0" => {
                options.push("-cl-ext=-__opencl_c_images".to_owned());
            }
            "CL_DEVICE_IL_VERSION" if !value.contains("SPIR-V") => {
                return Err(format!(
                    "the device takes no SPIR-V: CL_DEVICE_IL_VERSION is `{value}`"
                ));
            }
            // Every version of OpenCL says which versions of SPIR-V its devices take at least, and
            // the name of a device changes nothing.
            _ => {}
        }
    }
    Ok(options)
}

/// The target environment of a device with this CL_DEVICE_VERSION, "OpenCL 3.0 text of the vendor".
fn environment(version: &str) -> Result<&'static str, String> {
    let number = version.strip_prefix("OpenCL ").and_then(|rest| rest.split(' ').next());
    Ok(match number {
        Some("1.0" | "1.1" | "1.2") => "opencl1.2",
        Some("2.0") => "opencl2.0",
        Some("2.1") => "opencl2.1",
        Some("2.2") => "opencl2.2",
        Some("3.0") => "opencl3.0",
        Some("3.1") => "opencl3.1",
        _ => return Err(format!("the device's version is not known: `{version}`")),
    })
}

/// Turns off the extensions that the device lacks. Optional features of OpenCL C 3.0 are not among
/// CL_DEVICE_EXTENSIONS, so they stay as they are.
fn extensions(listed: &str) -> String {
    let names = Extension::all().map(Extension::name).filter(|name| name.starts_with("cl_"));
    let signed = names.map(|name| {
        let sign = if listed.split(' ').any(|one| one == name) { '+' } else { '-' };
        format!("{sign}{name}")
    });
    format!("-cl-ext={}", signed.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERFACE: &str = "clc --mode=spir-v --source=k.cl --output k.spv64";

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_call_of_the_interface_becomes_one_of_clc() {
        let line = words(&format!("{INTERFACE} -- -cl-std=CL3.0 --mode"));
        assert!(is_meant(&line));
        let expected = words("clc -cl-std=CL3.0 --mode k.cl -o k.spv64");
        assert_eq!(translate(line), Ok(expected));
        assert!(!is_meant(&words("clc k.cl -- --mode=spir-v")));
    }

    #[test]
    fn a_device_decides_on_target_and_extensions() {
        let text = "# info\nCL_DEVICE_ADDRESS_BITS=32\nCL_DEVICE_EXTENSIONS=\"cl_khr_fp64 cl_x_y\"\n\
                    CL_DEVICE_IL_VERSION=\"SPIR-V_1.2\"\nCL_DEVICE_VERSION=\"OpenCL 2.1 LINUX\"\n\
                    CL_DEVICE_IMAGE_SUPPORT=0\nCL_DEVICE_NAME=\"a device\"\n";
        let options = options_of_device(text).unwrap();
        let [bits, list, target, images] = &options[..] else { panic!("{options:?}") };
        assert_eq!(
            (bits.as_str(), target.as_str()),
            ("--address-bits=32", "--target-env=opencl2.1")
        );
        assert!(list.contains("+cl_khr_fp64,") && list.contains("-cl_khr_fp16,"), "{list}");
        assert!(!list.contains("cl_x_y") && !list.contains("__opencl_c"), "{list}");
        assert_eq!(images, "-cl-ext=-__opencl_c_images");
    }

    #[test]
    fn what_cannot_be_done_is_refused_by_name() {
        for (line, part) in [
            ("clc --mode=binary --source=a --output=b", "`--mode=binary`"),
            ("clc --mode=spir-v --output=b", "--source"),
            ("clc --mode=spir-v --source=a", "--output"),
            ("clc --mode=spir-v --source", "has no value"),
            ("clc --mode=spir-v -O0 --source=a --output=b", "`-O0`"),
        ] {
            let message = translate(words(line)).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
        for text in ["CL_DEVICE_VERSION=\"OpenCL 9.9\"", "nothing", "CL_DEVICE_IL_VERSION=\"\""] {
            assert!(options_of_device(text).is_err(), "{text}");
        }
    }
}
