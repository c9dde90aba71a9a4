//! Work-item functions (OpenCL C 6.15.1).

use crate::Intrinsic::*;
use crate::guard::{KHR_SUBGROUPS, SINCE_1_1, SINCE_2_0, SUBGROUP_BALLOT, SUBGROUPS};
use crate::table::{NONE, Row, f};

pub(super) const ROWS: &[Row] = &[
    f("get_work_dim", "uint()", NONE, GetWorkDim),
    f("get_global_size", "size(uint)", NONE, GetGlobalSize),
    f("get_global_id", "size(uint)", NONE, GetGlobalId),
    f("get_local_size", "size(uint)", NONE, GetLocalSize),
    f("get_enqueued_local_size", "size(uint)", NONE, GetEnqueuedLocalSize).when(SINCE_2_0),
    f("get_local_id", "size(uint)", NONE, GetLocalId),
    f("get_num_groups", "size(uint)", NONE, GetNumGroups),
    f("get_group_id", "size(uint)", NONE, GetGroupId),
    f("get_global_offset", "size(uint)", NONE, GetGlobalOffset).when(SINCE_1_1),
    f("get_global_linear_id", "size()", NONE, GetGlobalLinearId).when(SINCE_2_0),
    f("get_local_linear_id", "size()", NONE, GetLocalLinearId).when(SINCE_2_0),
    f("get_sub_group_size", "uint()", NONE, GetSubGroupSize).when(SUBGROUPS),
    f("get_max_sub_group_size", "uint()", NONE, GetMaxSubGroupSize).when(SUBGROUPS),
    f("get_num_sub_groups", "uint()", NONE, GetNumSubGroups).when(SUBGROUPS),
    f("get_enqueued_num_sub_groups", "uint()", NONE, GetEnqueuedNumSubGroups).when(KHR_SUBGROUPS),
    f("get_sub_group_id", "uint()", NONE, GetSubGroupId).when(SUBGROUPS),
    f("get_sub_group_local_id", "uint()", NONE, GetSubGroupLocalId).when(SUBGROUPS),
    f("get_sub_group_eq_mask", "uint4()", NONE, GetSubGroupEqMask).when(SUBGROUP_BALLOT),
    f("get_sub_group_ge_mask", "uint4()", NONE, GetSubGroupGeMask).when(SUBGROUP_BALLOT),
    f("get_sub_group_gt_mask", "uint4()", NONE, GetSubGroupGtMask).when(SUBGROUP_BALLOT),
    f("get_sub_group_le_mask", "uint4()", NONE, GetSubGroupLeMask).when(SUBGROUP_BALLOT),
    f("get_sub_group_lt_mask", "uint4()", NONE, GetSubGroupLtMask).when(SUBGROUP_BALLOT),
];
