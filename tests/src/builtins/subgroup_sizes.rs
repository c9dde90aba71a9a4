//! Sizes and numbers of sub-groups (OpenCL C 6.15.20).

//@ section 6.15.20 in 3.0

use super::groups::{differences, kernel, read};
use super::run::{Argument, Kernel};
use super::subgroups::Launch;
use super::value::Value;
use crate::data::Element::UInt;

/// Sizes and numbers of sub-groups that are full.
pub fn full(launch: Launch, index: usize) -> Kernel {
    let source = format!(
        "{}kernel void NAME(global uint *out) {{\n\
         size_t i = get_global_id(0);\n\
         out += 5 * i;\n\
         out[0] = get_sub_group_size(); out[1] = get_max_sub_group_size();\n\
         out[2] = get_num_sub_groups(); out[3] = get_enqueued_num_sub_groups();\n\
         sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n\
         sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);\n\
         out[4] = get_sub_group_id() < get_num_sub_groups() && get_sub_group_local_id() < get_sub_group_size();\n}}\n",
        launch.attribute()
    );
    let size = launch.size as i128;
    let count = (launch.group() / launch.size) as i128;
    let want: Vec<Value> = (0..launch.items())
        .flat_map(|_| [size, size, count, count, 1])
        .map(|v| Value::int(UInt, v))
        .collect();
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(UInt, &outputs[0]), &want));
    let arguments = vec![Argument::Output(launch.items() * 20)];
    let sizes = (&[launch.items()][..], &[launch.group()][..]);
    kernel(index, "sizes of sub-groups", &source, arguments, sizes, check)
}

/// Sub-groups of work-groups that are no multiple of their size: which work-items they have is the
/// driver's choice, and what is said of them must agree (OpenCL C 6.15.20).
pub fn partial(index: usize, local: &[usize]) -> Kernel {
    const FIELDS: usize = 6;
    // Called in divergent code, and by a function.
    let source = format!(
        "__attribute__((noinline)) uint NAME_size(void) {{ return get_sub_group_size(); }}\n\
         kernel void NAME(global uint *out) {{\n\
         out += {FIELDS} * (get_local_linear_id() + get_group_id(0) * {});\n\
         out[0] = get_sub_group_id(); out[1] = get_sub_group_local_id();\n\
         if (get_sub_group_local_id() % 3 != 1) out[2] = get_sub_group_size();\n\
         else out[2] = NAME_size();\n\
         out[3] = get_max_sub_group_size();\n\
         out[4] = get_num_sub_groups(); out[5] = get_enqueued_num_sub_groups();\n}}\n",
        local.iter().product::<usize>()
    );
    let in_group: usize = local.iter().product();
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        let out: Vec<u64> = read(UInt, &outputs[0]).iter().map(|value| value.bits).collect();
        let mut complaints = Vec::new();
        for group in out.chunks(FIELDS * in_group) {
            let items: Vec<&[u64]> = group.chunks(FIELDS).collect();
            let count = 1 + items.iter().map(|item| item[0]).max().unwrap_or(0);
            for id in 0..count {
                let mut members: Vec<&&[u64]> = items.iter().filter(|item| item[0] == id).collect();
                members.sort_unstable_by_key(|item| item[1]);
                let size = members.len() as u64;
                let most = members.first().map_or(0, |item| item[3]);
                let places = members.iter().map(|item| item[1]).eq(0..size);
                let agree = members.iter().all(|item| item[2..] == [size, most, count, count]);
                if !(places && agree && size > 0 && size <= most) {
                    complaints.push(format!("sub-group {id} of {count}: {members:?}"));
                }
            }
        }
        complaints
    });
    let mut global = local.to_vec();
    global[0] *= 2;
    let arguments = vec![Argument::Output(2 * in_group * FIELDS * 4)];
    let title = format!("sizes of sub-groups of groups of {local:?}");
    kernel(index, &title, &source, arguments, (&global, local), check)
}
