//! What the doctor found, for people.

use serde_json::Value;

use crate::Api;

/// What to do where an API has no driver.
const INSTALL: [(Api, &str, &str); 2] = [
    (
        Api::OpenCl,
        "OpenCL",
        "  no driver is installed (no .icd file in /etc/OpenCL/vendors, or where OCL_ICD_VENDORS says)\n\
         \x20 A graphics processor has that of its maker. One for processors, from PyPI:\n\
         \x20     pip install intel-opencl-rt, and the path of its libintelocl.so in\n\
         \x20     /etc/OpenCL/vendors/intel.icd; Debian's loader: apt-get install ocl-icd-libopencl1\n",
    ),
    (
        Api::Vulkan,
        "Vulkan",
        "  no driver is installed (no manifest in vulkan/icd.d of /etc and /usr/share, or where\n\
         \x20 VK_DRIVER_FILES says)\n\
         \x20 Debian: apt-get install libvulkan1 mesa-vulkan-drivers brings those of Mesa, one for\n\
         \x20 processors among them; NVIDIA's comes with its own packages.\n",
    ),
];

/// The drivers as a table for each device.
pub fn table(drivers: &[Value], apis: &[Api]) -> String {
    let mut out = String::new();
    for (api, title, install) in INSTALL {
        if !apis.contains(&api) {
            continue;
        }
        out.push_str(title);
        out.push('\n');
        let mut any = false;
        for driver in drivers.iter().filter(|driver| driver["api"] == api.name()) {
            any = true;
            of_driver(driver, &mut out);
        }
        if !any {
            out.push_str(install);
        }
        out.push('\n');
    }
    out.push_str(&summary(drivers));
    out
}

fn of_driver(driver: &Value, out: &mut String) {
    let file = driver["file"].as_str().unwrap_or("all that the loader finds");
    out.push_str(&format!("  {file}\n"));
    if let Some(library) = driver["library"].as_str() {
        row("library", library, out);
    }
    if let Some(reason) = driver["skipped"].as_str() {
        row("skipped", reason, out);
        return;
    }
    if let Some(problem) = driver["problem"].as_str() {
        row("BROKEN", problem, out);
        return;
    }
    let devices = driver["devices"].as_array().map(Vec::as_slice).unwrap_or_default();
    if devices.is_empty() {
        row("device", "none: the driver loads, and this machine has nothing that it is for", out);
    }
    for device in devices {
        of_device(device, out);
    }
}

/// The rows of a device: the key of the description, and how it is called.
const ROWS: [(&str, &str); 16] = [
    ("name", "device"),
    ("kind", "kind"),
    ("platform", "platform"),
    ("version", "version"),
    ("driver", "driver"),
    ("spirv_versions", "SPIR-V"),
    ("spirv_extensions", "extensions"),
    ("address_bits", "address bits"),
    ("fp16", "fp16"),
    ("fp64", "fp64"),
    ("sub_groups", "sub-groups"),
    ("sub_group_operations", "  that can"),
    ("local_memory", "local memory"),
    ("push_constants", "push constants"),
    ("missing_features", "lacks"),
    ("options", "options"),
];

fn of_device(device: &Value, out: &mut String) {
    for (key, title) in ROWS {
        let text = match &device[key] {
            Value::Null => continue,
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            Value::String(text) if text.is_empty() => continue,
            Value::String(text) => text.clone(),
            Value::Array(items) if items.is_empty() && key == "spirv_versions" => "none".to_owned(),
            Value::Array(items) if items.is_empty() => continue,
            Value::Array(items) => {
                items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
            }
            other => match key {
                "local_memory" | "push_constants" => format!("{other} bytes"),
                _ => other.to_string(),
            },
        };
        row(title, &text, out);
    }
    let result = &device["vector_add"];
    let text = match (result["milliseconds"].as_f64(), result["problem"].as_str()) {
        (Some(milliseconds), _) => format!("right, {milliseconds} ms"),
        (None, problem) => format!("FAILED: {}", problem.unwrap_or("unknown")),
    };
    row("vector add", &text, out);
}

/// A row, whose text goes on below where a line is too long.
fn row(title: &str, text: &str, out: &mut String) {
    const WIDTH: usize = 80;
    let mut head = title;
    let mut line = String::new();
    let mut flush = |line: &mut String| {
        out.push_str(&format!("    {head:<15} {line}\n"));
        line.clear();
        head = "";
    };
    for word in text.split_whitespace() {
        // Lists of extensions have no spaces.
        for part in word.split_inclusive(',') {
            let joined = !line.is_empty() && !line.ends_with(',');
            if line.chars().count() + part.chars().count() + 1 > WIDTH {
                flush(&mut line);
            } else if joined || (!line.is_empty() && part.len() == word.len()) {
                line.push(' ');
            }
            line.push_str(part);
        }
    }
    flush(&mut line);
}

fn summary(drivers: &[Value]) -> String {
    let devices =
        || drivers.iter().flat_map(|driver| driver["devices"].as_array().into_iter().flatten());
    let count = devices().count();
    let right = devices().filter(|device| device["vector_add"]["ok"] == true).count();
    let broken = drivers.iter().filter(|driver| driver["problem"].is_string()).count();
    let found = |count: usize, one: &str| match count {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    };
    let mut text = match count {
        0 => "no device was found".to_owned(),
        _ => format!("{right} of {} ran the vector add", found(count, "device")),
    };
    match broken {
        0 => {}
        1 => text.push_str("; 1 driver is broken"),
        n => text.push_str(&format!("; {n} drivers are broken")),
    }
    text.push('\n');
    text
}
