//! Barriers and fences (OpenCL C 6.15.8, 6.15.9), address-space qualifiers (6.15.10), asynchronous
//! copies (6.15.11).

use crate::Intrinsic::*;
use crate::SyncCall::{
    AtomicWorkItemFence, Barrier, MemFence, ReadMemFence, SplitBarrierArrive, SplitBarrierWait,
    SubGroupBarrier, WriteMemFence,
};
use crate::guard::{
    ASYNC_COPY_FENCE, EXTENDED_ASYNC_COPIES, GENERIC_ADDRESS_SPACE, KHR_SUBGROUPS, SINCE_1_1,
    SINCE_2_0, SPLIT_BARRIER, SUBGROUPS,
};
use crate::table::{ALL, GENERIC, NONE, PRIVATE, Row, WRITABLE, f};

pub(super) const ROWS: &[Row] = &[
    f("barrier", "void(flags)", NONE, Sync(Barrier)),
    f("work_group_barrier", "void(flags)", NONE, Sync(Barrier)).when(SINCE_2_0),
    f("work_group_barrier", "void(flags, scope)", NONE, Sync(Barrier)).when(SINCE_2_0),
    f("sub_group_barrier", "void(flags)", NONE, Sync(SubGroupBarrier)).when(SUBGROUPS),
    f("sub_group_barrier", "void(flags, scope)", NONE, Sync(SubGroupBarrier)).when(KHR_SUBGROUPS),
    f("intel_work_group_barrier_arrive", "void(flags)", NONE, Sync(SplitBarrierArrive))
        .when(SPLIT_BARRIER),
    f("intel_work_group_barrier_arrive", "void(flags, scope)", NONE, Sync(SplitBarrierArrive))
        .when(SPLIT_BARRIER),
    f("intel_work_group_barrier_wait", "void(flags)", NONE, Sync(SplitBarrierWait)).when(SPLIT_BARRIER),
    f("intel_work_group_barrier_wait", "void(flags, scope)", NONE, Sync(SplitBarrierWait))
        .when(SPLIT_BARRIER),
    f("mem_fence", "void(flags)", NONE, Sync(MemFence)),
    f("read_mem_fence", "void(flags)", NONE, Sync(ReadMemFence)),
    f("write_mem_fence", "void(flags)", NONE, Sync(WriteMemFence)),
    f("atomic_work_item_fence", "void(flags, order, scope)", NONE, Sync(AtomicWorkItemFence))
        .when(SINCE_2_0),
    f("get_fence", "flags(const any*)", NONE, GetFence)
        .spaces(WRITABLE)
        .when(GENERIC_ADDRESS_SPACE),
    f("to_global", "global any*(generic any*)", NONE, ToGlobal)
        .spaces(GENERIC)
        .when(GENERIC_ADDRESS_SPACE),
    f("to_local", "local any*(generic any*)", NONE, ToLocal)
        .spaces(GENERIC)
        .when(GENERIC_ADDRESS_SPACE),
    f("to_private", "private any*(generic any*)", NONE, ToPrivate)
        .spaces(GENERIC)
        .when(GENERIC_ADDRESS_SPACE),
    f(
        "async_work_group_copy",
        "event(local T*, global const T*, size, event)",
        ALL,
        AsyncWorkGroupCopy,
    ),
    f(
        "async_work_group_copy",
        "event(global T*, local const T*, size, event)",
        ALL,
        AsyncWorkGroupCopy,
    ),
    f(
        "async_work_group_strided_copy",
        "event(local T*, global const T*, size, size, event)",
        ALL,
        AsyncWorkGroupStridedCopy,
    )
    .when(SINCE_1_1),
    f(
        "async_work_group_strided_copy",
        "event(global T*, local const T*, size, size, event)",
        ALL,
        AsyncWorkGroupStridedCopy,
    )
    .when(SINCE_1_1),
    f(
        "async_work_group_copy_2D2D",
        "event(local any*, size, global const any*, size, size, size, size, size, size, event)",
        NONE,
        AsyncWorkGroupCopy2D,
    )
    .when(EXTENDED_ASYNC_COPIES),
    f(
        "async_work_group_copy_2D2D",
        "event(global any*, size, local const any*, size, size, size, size, size, size, event)",
        NONE,
        AsyncWorkGroupCopy2D,
    )
    .when(EXTENDED_ASYNC_COPIES),
    f(
        "async_work_group_copy_3D3D",
        "event(local any*, size, global const any*, size, size, size, size, size, size, size, size, size, event)",
        NONE,
        AsyncWorkGroupCopy3D,
    )
    .when(EXTENDED_ASYNC_COPIES),
    f(
        "async_work_group_copy_3D3D",
        "event(global any*, size, local const any*, size, size, size, size, size, size, size, size, size, event)",
        NONE,
        AsyncWorkGroupCopy3D,
    )
    .when(EXTENDED_ASYNC_COPIES),
    f("async_work_group_copy_fence", "void(flags)", NONE, AsyncWorkGroupCopyFence)
        .when(ASYNC_COPY_FENCE),
    f("wait_group_events", "void(int, event*)", NONE, WaitGroupEvents).spaces(PRIVATE | GENERIC),
    f("prefetch", "void(global const T*, size)", ALL, Prefetch),
];
