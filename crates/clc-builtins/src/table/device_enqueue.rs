//! Enqueuing kernels from kernels (OpenCL C 6.15.18, and the kernel queries of 6.15.19). Whether a
//! block's parameters fit is checked by whoever calls.

use crate::Intrinsic::*;
use crate::guard::{DEVICE_ENQUEUE, SUBGROUP_ENQUEUE};
use crate::table::{NONE, READABLE, Row, f};

const WITH_EVENTS: &str =
    "int(queue, uint, ndrange, uint, generic const clkevent*, generic clkevent*, block, ...)";

pub(super) const ROWS: &[Row] = &[
    f("enqueue_kernel", WITH_EVENTS, NONE, EnqueueKernel).when(DEVICE_ENQUEUE),
    f("enqueue_kernel", "int(queue, uint, ndrange, block, ...)", NONE, EnqueueKernel)
        .when(DEVICE_ENQUEUE),
    f("get_kernel_work_group_size", "uint(block)", NONE, GetKernelWorkGroupSize)
        .when(DEVICE_ENQUEUE),
    f(
        "get_kernel_preferred_work_group_size_multiple",
        "uint(block)",
        NONE,
        GetKernelPreferredWorkGroupSizeMultiple,
    )
    .when(DEVICE_ENQUEUE),
    f(
        "get_kernel_sub_group_count_for_ndrange",
        "uint(ndrange, block)",
        NONE,
        GetKernelSubGroupCount,
    )
    .when(SUBGROUP_ENQUEUE),
    f(
        "get_kernel_max_sub_group_size_for_ndrange",
        "uint(ndrange, block)",
        NONE,
        GetKernelMaxSubGroupSize,
    )
    .when(SUBGROUP_ENQUEUE),
    f(
        "enqueue_marker",
        "int(queue, uint, generic const clkevent*, generic clkevent*)",
        NONE,
        EnqueueMarker,
    )
    .when(DEVICE_ENQUEUE),
    f("retain_event", "void(clkevent)", NONE, RetainEvent).when(DEVICE_ENQUEUE),
    f("release_event", "void(clkevent)", NONE, ReleaseEvent).when(DEVICE_ENQUEUE),
    f("create_user_event", "clkevent()", NONE, CreateUserEvent).when(DEVICE_ENQUEUE),
    f("is_valid_event", "bool(clkevent)", NONE, IsValidEvent).when(DEVICE_ENQUEUE),
    f("set_user_event_status", "void(clkevent, int)", NONE, SetUserEventStatus)
        .when(DEVICE_ENQUEUE),
    f(
        "capture_event_profiling_info",
        "void(clkevent, int, global any*)",
        NONE,
        CaptureEventProfilingInfo,
    )
    .when(DEVICE_ENQUEUE),
    f("get_default_queue", "queue()", NONE, GetDefaultQueue).when(DEVICE_ENQUEUE),
    f("ndrange_1D", "ndrange(size)", NONE, BuildNdRange).when(DEVICE_ENQUEUE),
    f("ndrange_1D", "ndrange(size, size)", NONE, BuildNdRange).when(DEVICE_ENQUEUE),
    f("ndrange_1D", "ndrange(size, size, size)", NONE, BuildNdRange).when(DEVICE_ENQUEUE),
    f("ndrange_2D", "ndrange(const size*)", NONE, BuildNdRange2D)
        .spaces(READABLE)
        .when(DEVICE_ENQUEUE),
    f("ndrange_2D", "ndrange(const size*, const size*)", NONE, BuildNdRange2D)
        .spaces(READABLE)
        .when(DEVICE_ENQUEUE),
    f("ndrange_2D", "ndrange(const size*, const size*, const size*)", NONE, BuildNdRange2D)
        .spaces(READABLE)
        .when(DEVICE_ENQUEUE),
    f("ndrange_3D", "ndrange(const size*)", NONE, BuildNdRange3D)
        .spaces(READABLE)
        .when(DEVICE_ENQUEUE),
    f("ndrange_3D", "ndrange(const size*, const size*)", NONE, BuildNdRange3D)
        .spaces(READABLE)
        .when(DEVICE_ENQUEUE),
    f("ndrange_3D", "ndrange(const size*, const size*, const size*)", NONE, BuildNdRange3D)
        .spaces(READABLE)
        .when(DEVICE_ENQUEUE),
];
