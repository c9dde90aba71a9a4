//! Hints and clocks: what they do is nothing, or not known beforehand.

//@ section 6.2.2.17 6.15.21 in 3.0

use super::groups::{bytes, differences, kernel, read};
use super::run::{Argument, Family, Kernel};
use super::value::Value;
use crate::data::Element::Int;

pub fn family() -> Family {
    let mut kernels: Vec<Kernel> = Vec::new();
    let hints = "kernel void NAME(global const int *in, global int *out) {\n\
                 size_t i = get_global_id(0);\n\
                 __builtin_assume(i < 8);\n\
                 switch (__builtin_expect(in[i], 3) & 1) {\n\
                 case 0: out[i] = 10; break;\n\
                 case 1: out[i] = 20; break;\n\
                 default: __builtin_unreachable();\n}\n}\n";
    let data: Vec<Value> = (0..8).map(|i| Value::int(Int, i)).collect();
    let want: Vec<Value> = (0..8).map(|i| Value::int(Int, 10 + 10 * (i % 2))).collect();
    let arguments = vec![Argument::Input(bytes(&data)), Argument::Output(32)];
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(Int, &outputs[0]), &want));
    kernels.push(kernel(0, "hints", hints, arguments, (&[8], &[4]), check));
    for scope in ["device", "work_group", "sub_group"] {
        // Time does not go backwards, and both forms tell the same time.
        let source = format!(
            "kernel void NAME(global int *out) {{\n\
             ulong first = clock_read_{scope}();\n\
             uint2 parts = clock_read_hilo_{scope}();\n\
             ulong second = as_ulong(parts);\n\
             ulong third = clock_read_{scope}();\n\
             out[0] = first <= second && second <= third && third != 0;\n}}\n"
        );
        let want = vec![Value::int(Int, 1)];
        let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
            differences(&read(Int, &outputs[0]), &want)
        });
        let title = format!("clock_read_{scope}");
        let arguments = vec![Argument::Output(4)];
        kernels.push(kernel(kernels.len(), &title, &source, arguments, (&[1], &[1]), check));
    }
    let mut family = Family::new("hints", "CL3.0", kernels);
    family.options.push(
        "-cl-ext=+cl_khr_kernel_clock,+__opencl_c_kernel_clock_scope_device,\
         +__opencl_c_kernel_clock_scope_work_group,+__opencl_c_kernel_clock_scope_sub_group,\
         +cl_khr_subgroups,+cl_khr_expect_assume"
            .to_owned(),
    );
    family
}
