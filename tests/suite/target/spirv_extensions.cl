// RUN[free]: -cl-std=CL3.0 -cl-ext=+all -S
// RUN[named]: -cl-std=CL3.0 -cl-ext=+all --spirv-ext=-SPV_KHR_bit_instructions
// RUN[all]: -cl-std=CL3.0 -cl-ext=+all --spirv-ext=-all
// RUN[but]: -cl-std=CL3.0 -cl-ext=+all --spirv-ext=-all,+SPV_KHR_bit_instructions -S
// RUN[typo]: --spirv-ext=+SPV_KHR_bit_instruction -cl-std=CL3.0 -cl-ext=+all
// RUN[junk]: --spirv-ext=cl_khr_fp16
// emits[free]: OpExtension "SPV_KHR_bit_instructions"
// emits[but]: OpExtension "SPV_KHR_bit_instructions"
// stderr[typo]: did you mean `SPV_KHR_bit_instructions`?
// exit[junk]: 2
kernel void k(global uint *p)
{
    p[0] = bit_reverse(p[1]); //~[named] E0703 it needs SPV_KHR_bit_instructions, which `--spirv-ext` forbids
    //~^[all] E0703 SPV_KHR_bit_instructions
}
