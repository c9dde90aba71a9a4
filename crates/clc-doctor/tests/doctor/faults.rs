//! `clc doctor` where a driver fails at one call, or says that its device is another one: the drivers of the tests,
//! with a function of ours in the place of one of theirs.

use std::process::Command;

use serde_json::Value;

use super::{Folder, compile, drivers, manifest, run};

/// The driver of Vulkan in all but one function.
const DRIVER: &str = r#"
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef void (*Function)(void);
typedef Function (*Lookup)(void *, const char *);
typedef int (*Negotiate)(uint32_t *);

static Lookup of_device;
static int (*real)();

int instead();

static Function seen(const char *name, Function found)
{
    if (strcmp(name, CALL) != 0) {
        return found;
    }
    real = (int (*)())found;
    return (Function)instead;
}

static Function device_function(void *device, const char *name)
{
    return seen(name, of_device(device, name));
}

static Function function(void *instance, const char *name, const char *lookup)
{
    static void *driver;
    if (driver == 0) {
        driver = dlopen(REAL, RTLD_NOW);
    }
    Function found = ((Lookup)dlsym(driver, lookup))(instance, name);
    if (found != 0 && strcmp(name, "vkGetDeviceProcAddr") == 0) {
        of_device = (Lookup)found;
        return (Function)device_function;
    }
    return found == 0 ? found : seen(name, found);
}

Function vk_icdGetInstanceProcAddr(void *instance, const char *name)
{
    return function(instance, name, "vk_icdGetInstanceProcAddr");
}

Function vk_icdGetPhysicalDeviceProcAddr(void *instance, const char *name)
{
    return function(instance, name, "vk_icdGetPhysicalDeviceProcAddr");
}

int vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    return ((Negotiate)dlsym(dlopen(REAL, RTLD_NOW), "vk_icdNegotiateLoaderICDInterfaceVersion"))(version);
}
"#;

/// What is reported of a driver of Vulkan whose `call` is this function; `real` in it is that of the driver.
fn with_vulkan(call: &str, instead: &str) -> Option<Report> {
    let drivers = drivers()?;
    let folder = Folder::new();
    let text = std::fs::read_to_string(drivers.join("vulkan/lavapipe.json")).unwrap();
    let real: Value = serde_json::from_str(&text).unwrap();
    let library = compile(
        &folder,
        "libfaulty.so",
        &format!(
            "#define CALL \"{call}\"\n#define REAL {}\n{DRIVER}\n{instead}\n",
            real["ICD"]["library_path"]
        ),
        &["-ldl"],
    );
    folder.write("faulty.json", manifest(&library));
    Some(Report::of("vulkan", move |command| {
        command.env("VK_DRIVER_FILES", folder.path("faulty.json"));
    }))
}

/// What is reported of the driver of OpenCL behind a loader that has these functions of ours.
fn with_opencl(functions: &str) -> Option<Report> {
    let drivers = drivers()?;
    let folder = Folder::new();
    // What is not found in this library is looked for in the one that it names.
    let source = format!(
        "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stdint.h>\n#include <string.h>\n{functions}\n"
    );
    let beside = format!("-L{}", drivers.join("lib").display());
    let options = ["-Wl,--no-as-needed", &beside, "-l:libOpenCL.so.1", "-ldl"];
    let library = compile(&folder, "libfaulty.so", &source, &options);
    let folder_of_vendors = drivers.join("icd");
    Some(Report::of("opencl", move |command| {
        // The library lives as long as its folder.
        let _ = &folder;
        command.env("OCL_ICD_VENDORS", &folder_of_vendors);
        command.env("OPENCL_DYLIB_PATH", &library);
    }))
}

/// The same for a device that answers a question with an array of ours: the number of the question, the type of an
/// element, and the elements.
fn with_opencl_answering(answers: &[(u32, &str, &str)]) -> Option<Report> {
    let mut cases = String::new();
    for (number, element, elements) in answers {
        cases.push_str(&format!(
            "    case {number:#x}: {{\n        static {element} answer_{number}[] = {elements};\n        \
             answer = answer_{number};\n        length = sizeof answer_{number};\n        break;\n    }}\n"
        ));
    }
    with_opencl(&format!(
        r#"
int clGetDeviceInfo(void *device, unsigned what, size_t room, void *value, size_t *size)
{{
    const void *answer = 0;
    size_t length = 0;
    switch (what) {{
{cases}    default: {{
        int (*real)() = dlsym(RTLD_NEXT, "clGetDeviceInfo");
        return real(device, what, room, value, size);
    }}
    }}
    if (size != 0) {{
        *size = length;
    }}
    if (value != 0) {{
        memcpy(value, answer, room < length ? room : length);
    }}
    return 0;
}}
"#
    ))
}

/// The same for answers that are texts.
fn with_opencl_saying(answers: &[(u32, &str)]) -> Option<Report> {
    let texts: Vec<String> = answers.iter().map(|(_, text)| format!("\"{text}\"")).collect();
    let answers: Vec<(u32, &str, &str)> =
        answers.iter().zip(&texts).map(|((number, _), text)| (*number, "char", &**text)).collect();
    with_opencl_answering(&answers)
}

/// What the doctor says of the only driver that it finds.
struct Report {
    api: &'static str,
    /// Has the doctor find the driver.
    configure: Box<dyn Fn(&mut Command)>,
    driver: Value,
    code: Option<i32>,
}

impl Report {
    fn of(api: &'static str, configure: impl Fn(&mut Command) + 'static) -> Report {
        let (code, text) = run(&format!("--format=json --api={api}"), &configure);
        let all: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let list = all["drivers"].as_array().unwrap();
        assert_eq!(list.len(), 1, "{text}");
        Report { api, configure: Box::new(configure), driver: list[0].clone(), code }
    }

    /// The same as a table.
    fn table(&self) -> String {
        let (code, table) = run(&format!("--api={}", self.api), &self.configure);
        assert_eq!(code, self.code, "{table}");
        table
    }

    #[track_caller]
    fn device(&self) -> &Value {
        assert_eq!(self.driver["problem"], Value::Null);
        &self.driver["devices"][0]
    }

    #[track_caller]
    fn options(&self) -> Vec<&str> {
        let options = self.device()["options"].as_array().unwrap();
        options.iter().map(|option| option.as_str().unwrap()).collect()
    }

    /// The vector add failed, and this is what is said of it.
    #[track_caller]
    fn failed(&self, wanted: &str) {
        let problem = self.device()["vector_add"]["problem"].as_str().unwrap_or_default();
        assert!(problem.contains(wanted), "{wanted}: {:#}", self.driver);
        assert_eq!(self.code, Some(1), "{wanted}");
    }

    /// Nothing is known of a device, for this reason.
    #[track_caller]
    fn broken(&self, wanted: &str) {
        let problem = self.driver["problem"].as_str().unwrap_or_default();
        assert!(problem.contains(wanted), "{wanted}: {:#}", self.driver);
        assert_eq!(self.code, Some(1), "{wanted}");
    }
}

#[test]
fn the_call_of_vulkan_that_failed_is_named() {
    for call in [
        "vkCreateDevice",
        "vkCreateBuffer",
        "vkAllocateMemory",
        "vkBindBufferMemory",
        "vkMapMemory",
        "vkCreateShaderModule",
        "vkCreatePipelineLayout",
        "vkCreateComputePipelines",
        "vkCreateCommandPool",
        "vkAllocateCommandBuffers",
        "vkBeginCommandBuffer",
        "vkEndCommandBuffer",
        "vkCreateFence",
        "vkQueueSubmit",
        "vkWaitForFences",
    ] {
        // VK_ERROR_OUT_OF_HOST_MEMORY
        let Some(report) = with_vulkan(call, "int instead() { return -1; }") else { return };
        report.failed(&format!("{call}: "));
    }
    for call in ["vkCreateInstance", "vkEnumeratePhysicalDevices"] {
        let Some(report) = with_vulkan(call, "int instead() { return -1; }") else { return };
        report.broken(&format!("{call}: "));
    }
}

#[test]
fn a_driver_of_vulkan_without_a_device_is_whole() {
    // VK_ERROR_INITIALIZATION_FAILED
    let failing = "int instead() { return -3; }";
    let empty = "int instead(void *i, uint32_t *count, void *all) { *count = 0; return 0; }";
    for instead in [failing, empty] {
        let Some(report) = with_vulkan("vkEnumeratePhysicalDevices", instead) else { return };
        assert_eq!(report.driver["problem"], Value::Null, "{:#}", report.driver);
        assert_eq!(report.driver["devices"], serde_json::json!([]));
        assert_eq!(report.code, Some(1));
        let said = "device          none: the driver loads, and this machine has nothing";
        let table = report.table();
        assert!(table.contains(said), "{table}");
        assert!(table.ends_with("\nno device was found\n"), "{table}");
    }
}

#[test]
fn what_a_device_of_vulkan_lacks_is_said() {
    // The version is the first number of the properties: Vulkan 1.1.
    let old =
        "int instead(void *d, uint32_t *p) { real(d, p); p[0] = 1u << 22 | 1u << 12; return 0; }";
    let Some(report) = with_vulkan("vkGetPhysicalDeviceProperties", old) else { return };
    report.failed("not run: Vulkan 1.1 is older than 1.2");
    assert_eq!(report.options(), [""; 0]);

    // Behind its head VkPhysicalDeviceFeatures2 has the 55 of Vulkan 1.0, VkPhysicalDeviceVulkan11Features (49) has
    // 12, VkPhysicalDeviceVulkan12Features (51) has 47.
    let bare = r#"
struct head { uint32_t type; struct head *next; uint32_t features[]; };

int instead(void *device, struct head *head)
{
    real(device, head);
    for (; head != 0; head = head->next) {
        int count = head->type == 1000059000 ? 55 : head->type == 49 ? 12 : head->type == 51 ? 47 : 0;
        memset(head->features, 0, sizeof(uint32_t) * count);
    }
    return 0;
}
"#;
    let Some(report) = with_vulkan("vkGetPhysicalDeviceFeatures2", bare) else { return };
    report.failed("not run: the device lacks bufferDeviceAddress, vulkanMemoryModel, shaderInt64");
    let options = report.options();
    for option in [
        "--limit=int8=0",
        "--limit=storage8=0",
        "--limit=storage16=0",
        "-cl-ext=-cl_khr_fp64",
        "-cl-ext=-cl_khr_fp16",
    ] {
        assert!(options.contains(&option), "{option}: {options:?}");
    }
    assert!(!options.contains(&"--sub-group-arithmetic"), "{options:?}");
    let table = report.table();
    assert!(table.contains("fp64            no\n"), "{table}");
    assert!(table.contains("vector add      FAILED: not run: the device lacks "), "{table}");
    assert!(table.ends_with("\n0 of 1 device ran the vector add\n"), "{table}");

    let none = "int instead(void *d, uint32_t *count, void *all) { *count = 0; return 0; }";
    let call = "vkGetPhysicalDeviceQueueFamilyProperties";
    let Some(report) = with_vulkan(call, none) else { return };
    report.failed("the device has no queue for compute");

    let none = "int instead(void *d, uint32_t *p) { real(d, p); p[0] = 0; return 0; }";
    let Some(report) = with_vulkan("vkGetPhysicalDeviceMemoryProperties", none) else { return };
    report.failed("the device has no memory that the host can map");
}

#[test]
fn wrong_sums_are_counted() {
    let nothing = "int instead() { return 0; }";
    let Some(report) = with_vulkan("vkCmdDispatch", nothing) else { return };
    report.failed("1024 of 1024 sums are wrong: element 0 is NaN, not 0");
    // What is read is the first operand, whose first element is that of the sums.
    let Some(report) = with_opencl(
        r#"
static void *first;

int clEnqueueWriteBuffer(void *q, void *b, int w, size_t o, size_t n, const void *p, int c, void *e, void *f)
{
    int (*real)() = dlsym(RTLD_NEXT, "clEnqueueWriteBuffer");
    first = first == 0 ? b : first;
    return real(q, b, w, o, n, p, c, e, f);
}

int clEnqueueReadBuffer(void *q, void *b, int w, size_t o, size_t n, void *p, int c, void *e, void *f)
{
    int (*real)() = dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
    return real(q, first, w, o, n, p, c, e, f);
}
"#,
    ) else {
        return;
    };
    report.failed("1023 of 1024 sums are wrong: element 1 is 0.5, not 3.5");
}

#[test]
fn the_call_of_opencl_that_failed_is_named() {
    let fails = |call: &str| format!("int {call}() {{ return -6; }}");
    for call in [
        "clBuildProgram",
        "clSetKernelArg",
        "clEnqueueWriteBuffer",
        "clEnqueueNDRangeKernel",
        "clFinish",
        "clEnqueueReadBuffer",
    ] {
        let Some(report) = with_opencl(&fails(call)) else { return };
        report.failed(&format!("{call}: CL_OUT_OF_HOST_MEMORY"));
    }
    // These return an object; the last parameter is where the error goes.
    for (call, before) in [
        ("clCreateContext", 5),
        ("clCreateCommandQueueWithProperties", 3),
        ("clCreateProgramWithIL", 3),
        ("clCreateKernel", 2),
        ("clCreateBuffer", 4),
    ] {
        let parameters: String = (0..before).map(|index| format!("size_t a{index}, ")).collect();
        let fails = format!("void *{call}({parameters}int *error) {{ *error = -6; return 0; }}");
        let Some(report) = with_opencl(&fails) else { return };
        report.failed(&format!("{call}: CL_OUT_OF_HOST_MEMORY"));
    }
    for call in ["clGetPlatformIDs", "clGetDeviceIDs"] {
        let Some(report) = with_opencl(&fails(call)) else { return };
        report.broken(&format!("{call}: CL_OUT_OF_HOST_MEMORY"));
    }
}

#[test]
fn a_driver_of_opencl_without_a_device_is_whole() {
    // CL_DEVICE_NOT_FOUND
    let Some(report) = with_opencl("int clGetDeviceIDs() { return -1; }") else { return };
    assert_eq!(report.driver["problem"], Value::Null, "{:#}", report.driver);
    assert_eq!(report.driver["devices"], serde_json::json!([]));
    assert!(report.table().ends_with("\nno device was found\n"), "{}", report.table());
}

// Questions of clGetDeviceInfo.
const ADDRESS_BITS: u32 = 0x100D;
const VERSION: u32 = 0x102F;
const EXTENSIONS: u32 = 0x1030;
const IL_VERSION: u32 = 0x105B;
const SPIRV_EXTENSIONS: u32 = 0x12BA;

#[test]
fn what_a_device_of_opencl_takes_follows_from_what_it_is() {
    for (version, target, language) in [
        ("OpenCL 3.1 x", "--target-env=opencl3.1", Some("-cl-std=CL3.1")),
        ("OpenCL 3.0 x", "--target-env=opencl3.0", Some("-cl-std=CL3.0")),
        ("OpenCL 2.2 x", "--target-env=opencl2.2", Some("-cl-std=CL2.0")),
        ("OpenCL 1.2 x", "--target-env=opencl1.2", None),
    ] {
        let said = [(VERSION, version), (IL_VERSION, "SPIR-V_1.0 SPIR-V_1.2")];
        let Some(report) = with_opencl_saying(&said) else { return };
        let options = report.options();
        assert_eq!(options[0], target, "{options:?}");
        let found = options.iter().copied().find(|option| option.starts_with("-cl-std="));
        assert_eq!(found, language, "{options:?}");
        assert_eq!(report.device()["version"], version);
        // Whatever it is taken for, it is the same device.
        assert_eq!(report.device()["vector_add"]["ok"], true, "{:#}", report.driver);
        assert_eq!(report.code, Some(0));
    }

    let Some(report) = with_opencl_saying(&[(IL_VERSION, "SPIR-V_1.0")]) else { return };
    assert!(report.options().contains(&"--spirv-version=1.0"), "{:?}", report.options());
    assert_eq!(report.device()["vector_add"]["ok"], true, "{:#}", report.driver);

    let Some(report) = with_opencl_saying(&[(VERSION, "OpenCL 1.0 x")]) else { return };
    report.failed("not run: OpenCL 1.0 x is older than OpenCL 1.2");
    let Some(report) = with_opencl_saying(&[(VERSION, "nonsense")]) else { return };
    report.failed("not run: nonsense is older than OpenCL 1.2");
    let Some(report) = with_opencl_saying(&[(IL_VERSION, "")]) else { return };
    report.failed("not run: the device takes no SPIR-V");
    assert!(report.table().contains("SPIR-V          none\n"), "{}", report.table());
}

/// What the version of the language has and the device has not is switched off, and the device takes what is left.
#[test]
fn what_a_device_of_opencl_lacks_is_said() {
    let none = [(EXTENSIONS, "")];
    let Some(report) = with_opencl_saying(&none) else { return };
    let options = report.options();
    let absent =
        options.iter().find_map(|option| option.strip_prefix("-cl-ext=")).unwrap_or_default();
    assert!(absent.split(',').any(|name| name == "-cl_khr_byte_addressable_store"), "{options:?}");
    assert_eq!(report.device()["vector_add"]["ok"], true, "{:#}", report.driver);
}

#[test]
fn narrow_devices_and_their_extensions_of_spirv_are_described() {
    let said = [
        (EXTENSIONS, "char", r#""cl_khr_spirv_queries cl_khr_fp64""#),
        (SPIRV_EXTENSIONS, "const char *const", r#"{ "SPV_KHR_one", "SPV_KHR_two" }"#),
        (ADDRESS_BITS, "uint32_t", "{ 32 }"),
    ];
    let Some(report) = with_opencl_answering(&said) else { return };
    assert_eq!(
        report.device()["spirv_extensions"],
        serde_json::json!(["SPV_KHR_one", "SPV_KHR_two"])
    );
    let table = report.table();
    assert!(table.contains("extensions      SPV_KHR_one SPV_KHR_two\n"), "{table}");
    assert!(table.contains("address bits    32\n"), "{table}");
    assert!(report.options().contains(&"--address-bits=32"), "{:?}", report.options());
}
