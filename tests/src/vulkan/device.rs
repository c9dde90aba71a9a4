//! The device, with the features that the compiler's modules use and the validation layer.

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use ash::{ext, khr, vk};

use super::record::{Record, Wanted};
use super::{Failure, failed};

const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// How long a launch may take; a device that hangs is an error of the module or the driver.
const LIMIT_NANOSECONDS: u64 = 100_000_000_000;

/// A device, its one queue, and what the validation layer said.
pub struct Device {
    // Keeps the loader's library in memory; dropped last.
    _entry: ash::Entry,
    instance: ash::Instance,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    // Boxed, because the messenger has its address.
    messages: Box<Mutex<Vec<String>>>,
    physical: vk::PhysicalDevice,
    pub(super) memory: vk::PhysicalDeviceMemoryProperties,
    pub(super) raw: ash::Device,
    queue: vk::Queue,
    commands: vk::CommandPool,
    properties: vk::PhysicalDeviceProperties,
    /// Smallest and largest size of sub-groups that can be required of pipelines.
    pub(super) sub_groups: Option<(u32, u32)>,
    /// The size of sub-groups where none is required.
    sub_group_size: u32,
    /// Whether pipelines can have full sub-groups only.
    pub(super) has_full_sub_groups: bool,
    pub(super) record: Record,
}

/// Copies the fields that are supported.
macro_rules! take {
    ($from:expr => $to:expr; $($field:ident)*) => { $( $to.$field = $from.$field; )* };
}

impl Device {
    /// The best device: a discrete one, otherwise any. With the validation layer, if there is one.
    pub fn new() -> Result<Device, Failure> {
        Device::recording(Wanted::default())
    }

    /// The same, which tells of the pipelines that it makes.
    pub fn recording(wanted: Wanted) -> Result<Device, Failure> {
        // SAFETY: the loader is a system library, or the one the environment names.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|error| Failure::NoDevice(format!("no Vulkan loader: {error}")))?;
        let messages = Box::new(Mutex::new(Vec::new()));
        let (instance, messenger) = instance(&entry, &messages)?;
        let physical = choose(&instance)?;
        // SAFETY: `physical` is of `instance`.
        let (memory, properties) = unsafe {
            let properties = instance.get_physical_device_properties(physical);
            (instance.get_physical_device_memory_properties(physical), properties)
        };
        let (raw, family, has_statistics) = create(&instance, physical, wanted.statistics)?;
        let record = Record::new(&instance, &raw, wanted, has_statistics);
        // SAFETY: the device was made with one queue of this family.
        let queue = unsafe { raw.get_device_queue(family, 0) };
        let pool = vk::CommandPoolCreateInfo::default().queue_family_index(family);
        // SAFETY: the family is one of the device's.
        let commands = unsafe { raw.create_command_pool(&pool, None) }
            .map_err(failed("vkCreateCommandPool"))?;
        let mut vulkan11 = vk::PhysicalDeviceVulkan11Properties::default();
        let mut vulkan13 = vk::PhysicalDeviceVulkan13Properties::default();
        let mut all = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut vulkan11)
            .push_next(&mut vulkan13);
        let mut has_13 = vk::PhysicalDeviceVulkan13Features::default();
        let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut has_13);
        // SAFETY: the chains hold structures of Vulkan 1.3, which the device has.
        unsafe {
            instance.get_physical_device_properties2(physical, &mut all);
            instance.get_physical_device_features2(physical, &mut features);
        }
        let compute = vk::ShaderStageFlags::COMPUTE;
        let can_require = has_13.subgroup_size_control == vk::TRUE
            && vulkan13.required_subgroup_size_stages.contains(compute);
        let sub_groups =
            can_require.then_some((vulkan13.min_subgroup_size, vulkan13.max_subgroup_size));
        Ok(Device {
            _entry: entry,
            instance,
            messenger,
            messages,
            physical,
            memory,
            raw,
            queue,
            commands,
            properties,
            sub_groups,
            sub_group_size: vulkan11.subgroup_size,
            has_full_sub_groups: has_13.compute_full_subgroups == vk::TRUE,
            record,
        })
    }

    /// Whether statistics were asked for, and the driver has them.
    pub fn has_statistics(&self) -> bool {
        self.record.has_statistics()
    }

    /// What the driver has told of pipelines since the last question: see [`Wanted::statistics`].
    pub fn take_statistics(&self) -> Vec<String> {
        self.record.take()
    }

    pub fn name(&self) -> String {
        text(&self.properties.device_name)
    }

    /// The driver's name and version, in its words.
    pub fn driver(&self) -> String {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
        // SAFETY: `physical` is of `instance`.
        unsafe { self.instance.get_physical_device_properties2(self.physical, &mut properties) };
        format!("{} {}", text(&driver.driver_name), text(&driver.driver_info)).trim().to_owned()
    }

    /// The size of sub-groups where none is required, and whether it can be.
    pub fn sub_groups(&self) -> (u32, bool) {
        let size = self.sub_group_size;
        (size, self.sub_groups.is_some_and(|(least, most)| (least..=most).contains(&size)))
    }

    pub fn limits(&self) -> &vk::PhysicalDeviceLimits {
        &self.properties.limits
    }

    /// The products of cooperative matrices of sub-groups: the sizes `MxNxK`, and the elements of the
    /// factors, of what is added and of the result, as `16x16x16 f16 f16 f32 f32`.
    pub fn products(&self) -> Result<Vec<String>, Failure> {
        // SAFETY: `physical` is of `instance`, here and below.
        let extensions =
            unsafe { self.instance.enumerate_device_extension_properties(self.physical) }
                .map_err(failed("vkEnumerateDeviceExtensionProperties"))?;
        let name = khr::cooperative_matrix::NAME;
        if !extensions.iter().any(|known| known.extension_name_as_c_str() == Ok(name)) {
            return Ok(Vec::new());
        }
        let functions = khr::cooperative_matrix::Instance::new(&self._entry, &self.instance);
        // SAFETY: as above; the device has the extension.
        let all =
            unsafe { functions.get_physical_device_cooperative_matrix_properties(self.physical) }
                .map_err(failed("vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"))?;
        let is_plain = |product: &&vk::CooperativeMatrixPropertiesKHR<'_>| {
            product.scope == vk::ScopeKHR::SUBGROUP && product.saturating_accumulation == vk::FALSE
        };
        let text = |product: &vk::CooperativeMatrixPropertiesKHR<'_>| {
            let vk::CooperativeMatrixPropertiesKHR { m_size, n_size, k_size, .. } = *product;
            let elements =
                [product.a_type, product.b_type, product.c_type, product.result_type].map(element);
            format!("{m_size}x{n_size}x{k_size} {}", elements.join(" "))
        };
        Ok(all.iter().filter(is_plain).map(text).collect())
    }

    /// What the device can do with images and buffers of a format.
    pub(super) fn format_features(&self, format: vk::Format) -> vk::FormatProperties3<'static> {
        let mut three = vk::FormatProperties3::default();
        let mut all = vk::FormatProperties2::default().push_next(&mut three);
        // SAFETY: the device is of the instance, and the chain holds a structure of Vulkan 1.3.
        unsafe {
            let instance = &self.instance;
            instance.get_physical_device_format_properties2(self.physical, format, &mut all);
        }
        three
    }

    pub fn raw(&self) -> &ash::Device {
        &self.raw
    }

    /// Whether modules are looked at by the validation layer.
    pub fn is_validated(&self) -> bool {
        self.messenger.is_some()
    }

    /// What the validation layer has said since the last call.
    pub fn messages(&self) -> Vec<String> {
        match self.messages.lock() {
            Ok(mut messages) => std::mem::take(&mut *messages),
            Err(poisoned) => std::mem::take(&mut *poisoned.into_inner()),
        }
    }

    /// Records commands and waits until the device has done them. All that was written before is
    /// visible to them, and what they write to who looks afterwards.
    pub fn submit(&self, record: impl FnOnce(vk::CommandBuffer)) -> Result<(), Failure> {
        let raw = &self.raw;
        let allocate = vk::CommandBufferAllocateInfo::default()
            .command_pool(self.commands)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        let begin = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: every handle is of this device; the command buffer and the fence are freed when
        // the device has done with them, or after it did not finish, when the process ends.
        unsafe {
            let buffers = raw
                .allocate_command_buffers(&allocate)
                .map_err(failed("vkAllocateCommandBuffers"))?;
            let buffer = buffers[0];
            raw.begin_command_buffer(buffer, &begin).map_err(failed("vkBeginCommandBuffer"))?;
            self.barrier(buffer);
            record(buffer);
            self.barrier(buffer);
            raw.end_command_buffer(buffer).map_err(failed("vkEndCommandBuffer"))?;
            let fence = raw
                .create_fence(&vk::FenceCreateInfo::default(), None)
                .map_err(failed("vkCreateFence"))?;
            let submit = vk::SubmitInfo::default().command_buffers(&buffers);
            raw.queue_submit(self.queue, &[submit], fence).map_err(failed("vkQueueSubmit"))?;
            raw.wait_for_fences(&[fence], true, LIMIT_NANOSECONDS)
                .map_err(failed("vkWaitForFences"))?;
            raw.destroy_fence(fence, None);
            raw.free_command_buffers(self.commands, &buffers);
        }
        Ok(())
    }

    /// What comes after sees what came before, the host included.
    pub fn barrier(&self, buffer: vk::CommandBuffer) {
        let all = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(
                vk::AccessFlags::MEMORY_READ
                    | vk::AccessFlags::MEMORY_WRITE
                    | vk::AccessFlags::HOST_READ,
            );
        // SAFETY: the buffer is being recorded.
        unsafe {
            self.raw.cmd_pipeline_barrier(
                buffer,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::ALL_COMMANDS | vk::PipelineStageFlags::HOST,
                vk::DependencyFlags::empty(),
                &[all],
                &[],
                &[],
            );
        }
    }

    /// What one launch wrote the next one sees.
    pub fn barrier_between_launches(&self, buffer: vk::CommandBuffer) {
        let memory = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE);
        let launch = vk::PipelineStageFlags::COMPUTE_SHADER;
        let none = vk::DependencyFlags::empty();
        // SAFETY: the buffer is being recorded.
        unsafe {
            self.raw.cmd_pipeline_barrier(buffer, launch, launch, none, &[memory], &[], &[]);
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: nothing else of the device is left: what is made with it borrows it.
        unsafe {
            let _ = self.raw.device_wait_idle();
            self.raw.destroy_command_pool(self.commands, None);
            self.raw.destroy_device(None);
            if let Some((functions, messenger)) = &self.messenger {
                functions.destroy_debug_utils_messenger(*messenger, None);
            }
            self.instance.destroy_instance(None);
        }
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({:?})", self.name(), self.physical)
    }
}

/// What the elements of a matrix are.
fn element(component: vk::ComponentTypeKHR) -> &'static str {
    match component {
        vk::ComponentTypeKHR::FLOAT16 => "f16",
        vk::ComponentTypeKHR::FLOAT32 => "f32",
        vk::ComponentTypeKHR::FLOAT64 => "f64",
        vk::ComponentTypeKHR::SINT8 => "s8",
        vk::ComponentTypeKHR::SINT16 => "s16",
        vk::ComponentTypeKHR::SINT32 => "s32",
        vk::ComponentTypeKHR::UINT8 => "u8",
        vk::ComponentTypeKHR::UINT16 => "u16",
        vk::ComponentTypeKHR::UINT32 => "u32",
        _ => "other",
    }
}

fn text(chars: &[c_char]) -> String {
    chars.iter().take_while(|&&c| c != 0).map(|&c| char::from(c as u8)).collect()
}

type Messenger = (ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT);

fn instance(
    entry: &ash::Entry,
    messages: &Mutex<Vec<String>>,
) -> Result<(ash::Instance, Option<Messenger>), Failure> {
    // SAFETY: asking for the layers has no preconditions.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }
        .map_err(failed("vkEnumerateInstanceLayerProperties"))?;
    let validated =
        layers.iter().any(|layer| layer.layer_name_as_c_str().is_ok_and(|name| name == LAYER));
    if !validated && std::env::var_os("VK_LAYER_PATH").is_some() {
        return Err(Failure::NoDevice("VK_LAYER_PATH has no validation layer".to_owned()));
    }
    let application = vk::ApplicationInfo::default()
        .application_name(c"clc-tests")
        .api_version(vk::API_VERSION_1_3);
    let layers: &[*const c_char] = if validated { &[LAYER.as_ptr()] } else { &[] };
    let extensions: &[*const c_char] =
        if validated { &[ext::debug_utils::NAME.as_ptr()] } else { &[] };
    let mut messenger = vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(
            vk::DebugUtilsMessageSeverityFlagsEXT::WARNING
                | vk::DebugUtilsMessageSeverityFlagsEXT::ERROR,
        )
        .message_type(
            vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION
                | vk::DebugUtilsMessageTypeFlagsEXT::PERFORMANCE,
        )
        .pfn_user_callback(Some(message))
        .user_data(std::ptr::from_ref(messages).cast_mut().cast::<c_void>());
    let info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(layers)
        .enabled_extension_names(extensions);
    // SAFETY: all that `info` points to outlives the call.
    let instance = unsafe { entry.create_instance(&info, None) }
        .map_err(|error| Failure::NoDevice(format!("vkCreateInstance: {error}")))?;
    if !validated {
        return Ok((instance, None));
    }
    messenger.p_next = std::ptr::null();
    let functions = ext::debug_utils::Instance::new(entry, &instance);
    // SAFETY: the messages outlive the messenger, for the device owns both.
    let created = unsafe { functions.create_debug_utils_messenger(&messenger, None) }
        .map_err(failed("vkCreateDebugUtilsMessengerEXT"))?;
    Ok((instance, Some((functions, created))))
}

/// Whether the layer has refused debug information that is right.
static IS_MISTAKEN: AtomicBool = AtomicBool::new(false);

/// Notes what the validation layer says.
unsafe extern "system" fn message(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    messages: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer gives a valid structure with a C string, and the pointer that the
    // messenger was made with, which is to a mutex.
    let (text, messages) = unsafe {
        let text = (*data).message_as_c_str().map(|text| text.to_string_lossy().into_owned());
        (text, &*messages.cast::<Mutex<Vec<String>>>())
    };
    // Layers of 2022 want what pointers and qualifiers of debug information are of to be a basic type;
    // the specification of NonSemantic.Shader.DebugInfo.100 and later layers take any.
    let is_mistaken = |text: &String| {
        text.contains("DebugType")
            && text.contains("Base Type must be a result id of DebugTypeBasic")
    };
    // They say it again, without the reason, of the module with its specialization constants.
    let is_repeated = |text: &String| {
        text.contains("pSpecializationInfo-06719") && IS_MISTAKEN.load(Ordering::Relaxed)
    };
    if text.as_ref().is_some_and(is_mistaken) {
        IS_MISTAKEN.store(true, Ordering::Relaxed);
        return vk::FALSE;
    }
    if text.as_ref().is_some_and(is_repeated) {
        return vk::FALSE;
    }
    if let Ok(mut messages) = messages.lock() {
        messages.push(text.unwrap_or_else(|| "a message without text".to_owned()));
    }
    vk::FALSE
}

fn choose(instance: &ash::Instance) -> Result<vk::PhysicalDevice, Failure> {
    // SAFETY: asking an instance for its devices has no preconditions.
    let devices = unsafe { instance.enumerate_physical_devices() }
        .map_err(|error| Failure::NoDevice(format!("vkEnumeratePhysicalDevices: {error}")))?;
    let mut known = Vec::new();
    let best = devices
        .into_iter()
        .filter_map(|device| {
            // SAFETY: the device is of the instance.
            let properties = unsafe { instance.get_physical_device_properties(device) };
            known.push(text(&properties.device_name));
            let order = match properties.device_type {
                vk::PhysicalDeviceType::DISCRETE_GPU => 0,
                vk::PhysicalDeviceType::INTEGRATED_GPU => 1,
                vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
                _ => 3,
            };
            (properties.api_version >= vk::API_VERSION_1_3).then_some((order, device))
        })
        .min_by_key(|&(order, _)| order);
    best.map(|(_, device)| device).ok_or_else(|| {
        Failure::NoDevice(format!("none of these has Vulkan 1.3: [{}]", known.join(", ")))
    })
}

/// One that does not draw, if there is one: drivers leave its kernels more of the memory of work-groups, so that
/// more groups run side by side (docs/vulkan.md, "Run time").
fn compute_family(families: &[vk::QueueFamilyProperties]) -> Option<u32> {
    let has = |family: u32, flag| families[family as usize].queue_flags.contains(flag);
    (0..families.len() as u32)
        .filter(|&family| has(family, vk::QueueFlags::COMPUTE))
        .min_by_key(|&family| has(family, vk::QueueFlags::GRAPHICS))
}

/// The device, the family of its queue, and whether it tells of pipelines what they take, if that is wanted.
fn create(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    wants_statistics: bool,
) -> Result<(ash::Device, u32, bool), Failure> {
    // SAFETY: `physical` is of `instance`, here and below; the chains hold structures that the
    // device has, of Vulkan 1.3 or of an extension that it names.
    let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
    let family = compute_family(&families)
        .ok_or_else(|| Failure::NoDevice("the device has no queue for compute".to_owned()))?;
    // SAFETY: as above.
    let extensions = unsafe { instance.enumerate_device_extension_properties(physical) }
        .map_err(failed("vkEnumerateDeviceExtensionProperties"))?;
    let has = |name: &CStr| {
        extensions.iter().any(|known| known.extension_name_as_c_str().is_ok_and(|n| n == name))
    };

    let mut has_11 = vk::PhysicalDeviceVulkan11Features::default();
    let mut has_12 = vk::PhysicalDeviceVulkan12Features::default();
    let mut has_13 = vk::PhysicalDeviceVulkan13Features::default();
    let mut has_float = vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT::default();
    let mut has_float2 = vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT::default();
    let mut has_layout = vk::PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR::default();
    let mut has_clock = vk::PhysicalDeviceShaderClockFeaturesKHR::default();
    let mut has_matrix = vk::PhysicalDeviceCooperativeMatrixFeaturesKHR::default();
    let mut has_executables = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default();
    let optional = [
        ext::shader_atomic_float::NAME,
        ext::shader_atomic_float2::NAME,
        khr::workgroup_memory_explicit_layout::NAME,
        khr::shader_clock::NAME,
        khr::cooperative_matrix::NAME,
        khr::pipeline_executable_properties::NAME,
    ]
    .map(has);
    let has_statistics = wants_statistics && optional[5];
    let mut all = vk::PhysicalDeviceFeatures2::default()
        .push_next(&mut has_11)
        .push_next(&mut has_12)
        .push_next(&mut has_13);
    if optional[0] {
        all = all.push_next(&mut has_float);
    }
    if optional[1] {
        all = all.push_next(&mut has_float2);
    }
    if optional[2] {
        all = all.push_next(&mut has_layout);
    }
    if optional[3] {
        all = all.push_next(&mut has_clock);
    }
    if optional[4] {
        all = all.push_next(&mut has_matrix);
    }
    if has_statistics {
        all = all.push_next(&mut has_executables);
    }
    // SAFETY: as above.
    unsafe { instance.get_physical_device_features2(physical, &mut all) };
    let has_10 = all.features;

    // Only what modules may use, so that the validation layer sees what else they would need.
    let mut with_10 = vk::PhysicalDeviceFeatures::default();
    take!(has_10 => with_10;
        shader_float64 shader_int64 shader_int16 shader_storage_image_read_without_format
        shader_storage_image_write_without_format);
    let mut with_11 = vk::PhysicalDeviceVulkan11Features::default();
    take!(has_11 => with_11;
        storage_buffer16_bit_access uniform_and_storage_buffer16_bit_access
        storage_push_constant16 variable_pointers_storage_buffer variable_pointers);
    let mut with_12 = vk::PhysicalDeviceVulkan12Features::default();
    take!(has_12 => with_12;
        storage_buffer8_bit_access uniform_and_storage_buffer8_bit_access storage_push_constant8
        shader_buffer_int64_atomics shader_shared_int64_atomics shader_float16 shader_int8
        scalar_block_layout buffer_device_address vulkan_memory_model
        vulkan_memory_model_device_scope vulkan_memory_model_availability_visibility_chains
        shader_subgroup_extended_types subgroup_broadcast_dynamic_id);
    let mut with_13 = vk::PhysicalDeviceVulkan13Features::default();
    take!(has_13 => with_13;
        subgroup_size_control compute_full_subgroups shader_integer_dot_product
        shader_zero_initialize_workgroup_memory synchronization2 maintenance4
        shader_terminate_invocation);
    let mut info = vk::DeviceCreateInfo::default();
    let mut names = Vec::new();
    for (name, features) in [
        (ext::shader_atomic_float::NAME, optional[0]),
        (ext::shader_atomic_float2::NAME, optional[1]),
        (khr::workgroup_memory_explicit_layout::NAME, optional[2]),
        (khr::shader_clock::NAME, optional[3]),
        (khr::cooperative_matrix::NAME, optional[4]),
        (khr::pipeline_executable_properties::NAME, has_statistics),
    ] {
        if features {
            names.push(CString::from(name));
        }
    }
    let names: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
    has_float.p_next = std::ptr::null_mut();
    has_float2.p_next = std::ptr::null_mut();
    has_layout.p_next = std::ptr::null_mut();
    has_clock.p_next = std::ptr::null_mut();
    has_matrix.p_next = std::ptr::null_mut();
    has_executables.p_next = std::ptr::null_mut();
    info = info
        .enabled_features(&with_10)
        .push_next(&mut with_11)
        .push_next(&mut with_12)
        .push_next(&mut with_13);
    if optional[0] {
        info = info.push_next(&mut has_float);
    }
    if optional[1] {
        info = info.push_next(&mut has_float2);
    }
    if optional[2] {
        info = info.push_next(&mut has_layout);
    }
    if optional[3] {
        info = info.push_next(&mut has_clock);
    }
    if optional[4] {
        info = info.push_next(&mut has_matrix);
    }
    if has_statistics {
        info = info.push_next(&mut has_executables);
    }
    let queues =
        [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
    info = info.queue_create_infos(&queues).enabled_extension_names(&names);
    // SAFETY: all that `info` points to outlives the call.
    let device = unsafe { instance.create_device(physical, &info, None) }
        .map_err(failed("vkCreateDevice"))?;
    Ok((device, family, has_statistics))
}
