//! Ids and sizes that a work-item asks for (OpenCL C 6.15.1 and the sub-group functions).

use clc_builtins::Intrinsic as I;

/// Where a work-item is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) dimensions: u64,
    pub(crate) global_size: [u64; 3],
    pub(crate) offset: [u64; 3],
    /// Of groups that are not cut off.
    pub(crate) enqueued_local: [u64; 3],
    pub(crate) groups: [u64; 3],
    pub(crate) group: [u64; 3],
    /// Of this group.
    pub(crate) local_size: [u64; 3],
    pub(crate) local: [u64; 3],
    /// Of sub-groups that are not cut off.
    pub(crate) sub_group_size: u64,
    /// Sub-groups of the device have this size, whatever the work-group's is.
    pub(crate) has_fixed_sub_groups: bool,
}

/// The number of an item among all, the first dimension varying fastest.
fn linear(at: [u64; 3], size: [u64; 3]) -> u64 {
    (at[2] * size[1] + at[1]) * size[0] + at[0]
}

impl Position {
    pub(crate) fn linear_local(&self) -> u64 {
        linear(self.local, self.local_size)
    }

    fn items(&self) -> u64 {
        self.local_size.iter().product()
    }

    pub(crate) fn sub_group(&self) -> u64 {
        self.linear_local() / self.sub_group_size
    }

    pub(crate) fn lane(&self) -> u64 {
        self.linear_local() % self.sub_group_size
    }

    fn global(&self, dimension: usize) -> u64 {
        self.group[dimension] * self.enqueued_local[dimension] + self.local[dimension]
    }

    /// What a function gives; `None` if it is not one of these.
    pub(crate) fn ask(&self, intrinsic: I, dimension: u64) -> Option<u64> {
        let of = |numbers: [u64; 3], beyond: u64| {
            usize::try_from(dimension)
                .ok()
                .and_then(|index| numbers.get(index))
                .copied()
                .unwrap_or(beyond)
        };
        let global = [0, 1, 2].map(|dimension| self.global(dimension));
        Some(match intrinsic {
            I::GetWorkDim => self.dimensions,
            I::GetGlobalSize => of(self.global_size, 1),
            I::GetGlobalId => of([0, 1, 2].map(|d| global[d] + self.offset[d]), 0),
            I::GetLocalSize => of(self.local_size, 1),
            I::GetEnqueuedLocalSize => of(self.enqueued_local, 1),
            I::GetLocalId => of(self.local, 0),
            I::GetNumGroups => of(self.groups, 1),
            I::GetGroupId => of(self.group, 0),
            I::GetGlobalOffset => of(self.offset, 0),
            I::GetGlobalLinearId => linear(global, self.global_size),
            I::GetLocalLinearId => self.linear_local(),
            I::GetSubGroupSize => {
                self.sub_group_size.min(self.items() - self.sub_group() * self.sub_group_size)
            }
            I::GetMaxSubGroupSize if self.has_fixed_sub_groups => self.sub_group_size,
            I::GetMaxSubGroupSize => self.sub_group_size.min(self.enqueued_local.iter().product()),
            I::GetNumSubGroups => self.items().div_ceil(self.sub_group_size),
            I::GetEnqueuedNumSubGroups => {
                self.enqueued_local.iter().product::<u64>().div_ceil(self.sub_group_size)
            }
            I::GetSubGroupId => self.sub_group(),
            I::GetSubGroupLocalId => self.lane(),
            _ => return None,
        })
    }
}
