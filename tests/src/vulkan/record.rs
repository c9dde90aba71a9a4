//! What a driver tells of the pipelines that it makes: registers and memory that they take, and what it keeps of them
//! for the next time, their machine code among it (docs/vulkan.md, "What a driver makes").

use std::cell::RefCell;
use std::ffi::CStr;
use std::path::PathBuf;

use ash::{khr, vk};

use super::{Failure, failed};

/// What to ask of a driver.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// A line of numbers for each pipeline.
    pub statistics: bool,
    /// Where the data of a pipeline cache is left, for each pipeline one with nothing else in it: `KERNEL.cache`.
    pub caches: Option<PathBuf>,
}

/// What was asked for, and what the driver has told.
pub(super) struct Record {
    /// Present where statistics are wanted and the device has them.
    executables: Option<khr::pipeline_executable_properties::Device>,
    caches: Option<PathBuf>,
    lines: RefCell<Vec<String>>,
}

impl Record {
    /// `has_statistics` says whether the device was made with `VK_KHR_pipeline_executable_properties`.
    pub fn new(
        instance: &ash::Instance,
        device: &ash::Device,
        wanted: Wanted,
        has_statistics: bool,
    ) -> Record {
        let executables = (wanted.statistics && has_statistics)
            .then(|| khr::pipeline_executable_properties::Device::new(instance, device));
        Record { executables, caches: wanted.caches, lines: RefCell::default() }
    }

    /// Whether statistics are wanted, and the device has them.
    pub fn has_statistics(&self) -> bool {
        self.executables.is_some()
    }

    /// Of the pipelines that are made.
    pub fn flags(&self) -> vk::PipelineCreateFlags {
        match self.executables {
            Some(_) => vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR,
            None => vk::PipelineCreateFlags::empty(),
        }
    }

    /// A cache for one pipeline, if one is wanted.
    pub fn cache(&self, device: &ash::Device) -> Result<vk::PipelineCache, Failure> {
        if self.caches.is_none() {
            return Ok(vk::PipelineCache::null());
        }
        let info = vk::PipelineCacheCreateInfo::default();
        // SAFETY: the structure points to nothing.
        unsafe { device.create_pipeline_cache(&info, None) }
            .map_err(failed("vkCreatePipelineCache"))
    }

    /// Notes what there is of a new pipeline, and destroys its cache.
    pub fn note(
        &self,
        device: &ash::Device,
        kernel: &str,
        pipeline: vk::Pipeline,
        cache: vk::PipelineCache,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.caches {
            // SAFETY: the cache is of the device, and nothing else uses it.
            let data = unsafe {
                let data = device.get_pipeline_cache_data(cache);
                device.destroy_pipeline_cache(cache, None);
                data.map_err(failed("vkGetPipelineCacheData"))?
            };
            let path = folder.join(format!("{kernel}.cache"));
            std::fs::write(&path, data).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let Some(executables) = &self.executables else { return Ok(()) };
        let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
        // SAFETY: the pipeline is of the device and was made to have statistics, here and below.
        let all = unsafe { executables.get_pipeline_executable_properties(&info) }
            .map_err(failed("vkGetPipelineExecutablePropertiesKHR"))?;
        for index in 0..all.len() as u32 {
            let info =
                vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
            // SAFETY: as above.
            let numbers = unsafe { executables.get_pipeline_executable_statistics(&info) }
                .map_err(failed("vkGetPipelineExecutableStatisticsKHR"))?;
            let numbers: Vec<String> = numbers.iter().map(statistic).collect();
            self.lines.borrow_mut().push(format!("{kernel}: {}", numbers.join(", ")));
        }
        Ok(())
    }

    /// What was told since the last question, a line for each executable.
    pub fn take(&self) -> Vec<String> {
        self.lines.take()
    }
}

fn statistic(statistic: &vk::PipelineExecutableStatisticKHR<'_>) -> String {
    let name = CStr::to_string_lossy(statistic.name_as_c_str().unwrap_or_default());
    let value = statistic.value;
    // SAFETY: `format` says which member the driver has written.
    unsafe {
        match statistic.format {
            vk::PipelineExecutableStatisticFormatKHR::BOOL32 => format!("{name} {}", value.b32),
            vk::PipelineExecutableStatisticFormatKHR::INT64 => format!("{name} {}", value.i64),
            vk::PipelineExecutableStatisticFormatKHR::FLOAT64 => format!("{name} {}", value.f64),
            _ => format!("{name} {}", value.u64),
        }
    }
}
