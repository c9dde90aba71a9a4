//! Which programs of OpenCL-CTS judge a compiler, and how they are called.

use std::path::Path;
use std::process::Command;

use crate::shell::{self, Result};

/// A program of OpenCL-CTS with its arguments.
pub struct Suite {
    /// Names the expectation file.
    pub name: &'static str,
    /// Below `test_conformance` of the build folder.
    pub program: &'static str,
    pub arguments: &'static [&'static str],
    /// Variables of the environment.
    pub settings: &'static [(&'static str, &'static str)],
    /// Seconds that a subtest may take on an idle core.
    pub limit: u64,
    split: Split,
}

/// What of a suite runs in a process of its own.
#[derive(PartialEq)]
enum Split {
    /// Every subtest that the program lists.
    Listed,
    /// The conversions between two types, all roundings together: the program lists one subtest.
    Conversions,
    /// A kind of image with one type of channels: all types together take hours.
    Images(&'static [&'static str]),
}

/// What runs in a process of its own.
pub struct Subtest {
    pub name: String,
    /// What names it on the command line.
    pub arguments: Vec<String>,
    /// Its name in the program's file of results.
    pub result: String,
}

const fn suite(name: &'static str, program: &'static str, limit: u64) -> Suite {
    Suite { name, program, arguments: &[], settings: &[], limit, split: Split::Listed }
}

const fn images(
    name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    settings: &'static [(&'static str, &'static str)],
    types: &'static [&'static str],
) -> Suite {
    Suite { arguments, settings, split: Split::Images(types), ..suite(name, program, 900) }
}

/// Every type of channels that a driver of Vulkan or OpenCL lists here, without `CL_`.
const ALL_TYPES: &[&str] = &[
    "UNORM_INT8",
    "UNORM_INT16",
    "SNORM_INT8",
    "SNORM_INT16",
    "SIGNED_INT8",
    "SIGNED_INT16",
    "SIGNED_INT32",
    "UNSIGNED_INT8",
    "UNSIGNED_INT16",
    "UNSIGNED_INT32",
    "HALF_FLOAT",
    "FLOAT",
    "UNORM_SHORT_565",
];

/// Of those, what can be filtered.
const FILTERED_TYPES: &[&str] = &[
    "UNORM_INT8",
    "UNORM_INT16",
    "SNORM_INT8",
    "SNORM_INT16",
    "HALF_FLOAT",
    "FLOAT",
    "UNORM_SHORT_565",
];

const KERNEL_READ_WRITE: &str = "images/kernel_read_write/test_image_streams";
const SAMPLERLESS: &str = "images/samplerlessReads/test_samplerless_reads";

/// clvk lists only the formats that the device can filter, unless linear filters are turned off.
const ALL_FORMATS: &[(&str, &str)] = &[("CLVK_SUPPORTS_FILTER_LINEAR", "0"), ONE_THREAD];

/// Launches are so small that lavapipe's threads would mostly wait for each other: thirty times slower.
const ONE_THREAD: (&str, &str) = ("LP_NUM_THREADS", "1");

impl Suite {
    /// The subtests; `lister` is the program, ready to be asked for its list.
    pub fn subtests(&self, lister: &mut Command) -> Result<Vec<Subtest>> {
        if self.split == Split::Conversions {
            return Ok(conversions());
        }
        let text = shell::output(lister.arg("--list"))?;
        let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let names = text.lines().filter(|line| line.starts_with([' ', '\t'])).map(str::trim);
        let subtests: Vec<Subtest> = names
            .filter(is_name)
            .map(|name| Subtest {
                name: name.to_owned(),
                arguments: vec![name.to_owned()],
                result: name.to_owned(),
            })
            .collect();
        let subtests = match self.split {
            Split::Images(types) => {
                subtests.into_iter().flat_map(|it| by_type(it, types)).collect()
            }
            _ => subtests,
        };
        let program = Path::new(lister.get_program()).display();
        if subtests.is_empty() { Err(format!("{program}: no subtests")) } else { Ok(subtests) }
    }
}

/// The images of one kind, by the type of their channels; other subtests as they are.
fn by_type(subtest: Subtest, types: &'static [&'static str]) -> Vec<Subtest> {
    if !["1D", "1Dbuffer", "2D", "3D", "1Darray", "2Darray"].contains(&subtest.name.as_str()) {
        return vec![subtest];
    }
    let of_type = |channel: &&str| Subtest {
        name: format!("{}_{channel}", subtest.name),
        arguments: vec![subtest.name.clone(), format!("CL_{channel}")],
        result: subtest.result.clone(),
    };
    types.iter().map(of_type).collect()
}

fn conversions() -> Vec<Subtest> {
    const TYPES: [(&str, bool); 11] = [
        ("uchar", false),
        ("char", false),
        ("ushort", false),
        ("short", false),
        ("uint", false),
        ("int", false),
        ("half", true),
        ("float", true),
        ("double", true),
        ("ulong", false),
        ("long", false),
    ];
    let pairs = TYPES.iter().flat_map(|to| TYPES.iter().map(move |(from, _)| (to, from)));
    let subtest = |(&(to, to_float), from): (&(&str, bool), &&str)| {
        // Conversions to floats do not saturate (OpenCL C 6.4.3.2).
        let saturations: &[&str] = if to_float { &[""] } else { &["", "_sat"] };
        let roundings = ["", "_rte", "_rtp", "_rtn", "_rtz"];
        let names = saturations.iter().flat_map(|saturation| {
            roundings.map(|rounding| format!("{to}{saturation}{rounding}_{from}"))
        });
        Subtest {
            name: format!("{to}_{from}"),
            arguments: names.collect(),
            result: "conversions".to_owned(),
        }
    };
    pairs.map(subtest).collect()
}

/// All run with CL_WIMPY_MODE, which tests fewer values where a suite knows it. Suites that only call
/// the host's interface (events, profiling, copies of images) say nothing about a compiler.
pub const SUITES: &[Suite] = &[
    suite("basic", "basic/test_basic", 1800),
    Suite { settings: ALL_FORMATS, ..suite("api", "api/test_api", 300) },
    suite("compiler", "compiler/test_compiler", 600),
    suite("commonfns", "commonfns/test_commonfns", 300),
    suite("geometrics", "geometrics/test_geometrics", 300),
    suite("relationals", "relationals/test_relationals", 900),
    suite("vectors", "vectors/test_vectors", 300),
    suite("select", "select/test_select", 600),
    suite("printf", "printf/test_printf", 300),
    suite("half", "half/test_half", 600),
    suite("integer_ops", "integer_ops/test_integer_ops", 600),
    Suite {
        split: Split::Conversions,
        ..suite("conversions", "conversions/test_conversions", 900)
    },
    suite("math_brute_force", "math_brute_force/test_bruteforce", 1800),
    suite("atomics", "atomics/test_atomics", 600),
    suite("c11_atomics", "c11_atomics/test_c11_atomics", 900),
    suite("generic_address_space", "generic_address_space/test_generic_address_space", 300),
    suite("thread_dimensions", "thread_dimensions/test_thread_dimensions", 900),
    suite("non_uniform_work_group", "non_uniform_work_group/test_non_uniform_work_group", 900),
    suite("workgroups", "workgroups/test_workgroups", 600),
    suite("subgroups", "subgroups/test_subgroups", 900),
    suite("svm", "SVM/test_svm", 900),
    suite("pipes", "pipes/test_pipes", 600),
    suite("device_execution", "device_execution/test_device_execution", 900),
    suite("contractions", "contractions/test_contractions", 900),
    suite("images_kernel_methods", "images/kernel_image_methods/test_kernel_image_methods", 600),
    images("images_samplerless", SAMPLERLESS, &["small_images"], ALL_FORMATS, ALL_TYPES),
    images(
        "images_nearest",
        KERNEL_READ_WRITE,
        &["small_images", "CL_FILTER_NEAREST"],
        ALL_FORMATS,
        ALL_TYPES,
    ),
    images(
        "images_linear",
        KERNEL_READ_WRITE,
        &["small_images", "CL_FILTER_LINEAR"],
        &[ONE_THREAD],
        FILTERED_TYPES,
    ),
];
