//! The device's own clock.

use ash::vk;

use super::launch::Prepared;
use super::{Device, Failure, failed};

impl Device {
    /// Runs launches one after the other, and gives the nanoseconds from the beginning of the first
    /// to the end of the last.
    pub fn time(&self, launches: &[Prepared<'_>]) -> Result<f64, Failure> {
        let raw = &self.raw;
        let info =
            vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(2);
        // SAFETY: the handles are of this device, and the commands are done when `submit` returns.
        unsafe {
            let pool = raw.create_query_pool(&info, None).map_err(failed("vkCreateQueryPool"))?;
            self.submit(|commands| {
                let (begin, end) =
                    (vk::PipelineStageFlags::TOP_OF_PIPE, vk::PipelineStageFlags::BOTTOM_OF_PIPE);
                raw.cmd_reset_query_pool(commands, pool, 0, 2);
                self.barrier(commands);
                raw.cmd_write_timestamp(commands, begin, pool, 0);
                for launch in launches {
                    launch.record(commands);
                    self.barrier_between_launches(commands);
                }
                raw.cmd_write_timestamp(commands, end, pool, 1);
            })?;
            let mut ticks = [0u64; 2];
            let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
            raw.get_query_pool_results(pool, 0, &mut ticks, flags)
                .map_err(failed("vkGetQueryPoolResults"))?;
            raw.destroy_query_pool(pool, None);
            let passed = ticks[1].wrapping_sub(ticks[0]);
            Ok(passed as f64 * f64::from(self.limits().timestamp_period))
        }
    }
}
