//! Pipes (OpenCL C 6.15.17). The packet's type is the argument's: whoever calls checks that pointer
//! and pipe agree, and appends size and alignment of the packet.

use crate::Intrinsic::*;
use crate::guard::{PIPES, SUBGROUP_PIPES};
use crate::table::{NONE, Row, f};

pub(super) const ROWS: &[Row] = &[
    f("read_pipe", "int(rpipe, generic any*)", NONE, ReadPipe).when(PIPES),
    f("write_pipe", "int(wpipe, generic const any*)", NONE, WritePipe).when(PIPES),
    f("read_pipe", "int(rpipe, reserve, uint, generic any*)", NONE, ReservedReadPipe).when(PIPES),
    f("write_pipe", "int(wpipe, reserve, uint, generic const any*)", NONE, ReservedWritePipe)
        .when(PIPES),
    f("reserve_read_pipe", "reserve(rpipe, uint)", NONE, ReserveReadPipe).when(PIPES),
    f("reserve_write_pipe", "reserve(wpipe, uint)", NONE, ReserveWritePipe).when(PIPES),
    f("commit_read_pipe", "void(rpipe, reserve)", NONE, CommitReadPipe).when(PIPES),
    f("commit_write_pipe", "void(wpipe, reserve)", NONE, CommitWritePipe).when(PIPES),
    f("is_valid_reserve_id", "bool(reserve)", NONE, IsValidReserveId).when(PIPES),
    f("work_group_reserve_read_pipe", "reserve(rpipe, uint)", NONE, WorkGroupReserveReadPipe)
        .when(PIPES),
    f("work_group_reserve_write_pipe", "reserve(wpipe, uint)", NONE, WorkGroupReserveWritePipe)
        .when(PIPES),
    f("work_group_commit_read_pipe", "void(rpipe, reserve)", NONE, WorkGroupCommitReadPipe)
        .when(PIPES),
    f("work_group_commit_write_pipe", "void(wpipe, reserve)", NONE, WorkGroupCommitWritePipe)
        .when(PIPES),
    f("sub_group_reserve_read_pipe", "reserve(rpipe, uint)", NONE, SubGroupReserveReadPipe)
        .when(SUBGROUP_PIPES),
    f("sub_group_reserve_write_pipe", "reserve(wpipe, uint)", NONE, SubGroupReserveWritePipe)
        .when(SUBGROUP_PIPES),
    f("sub_group_commit_read_pipe", "void(rpipe, reserve)", NONE, SubGroupCommitReadPipe)
        .when(SUBGROUP_PIPES),
    f("sub_group_commit_write_pipe", "void(wpipe, reserve)", NONE, SubGroupCommitWritePipe)
        .when(SUBGROUP_PIPES),
    f("get_pipe_num_packets", "uint(pipe)", NONE, GetPipeNumPackets).when(PIPES),
    f("get_pipe_max_packets", "uint(pipe)", NONE, GetPipeMaxPackets).when(PIPES),
];
