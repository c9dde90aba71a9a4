// Specialization constants: values that the host changes before the driver compiles the module.
//@ section 6.15
//@ options -cl-std=CL2.0
//@ kernel values as compiled
//@ global 1
//@ arg buffer int[8] = zero
//@ arg buffer float[4] = zero
//@ result 0 = 3 1 200 -7 1000000 65000 21 0
//@ result 1 = 1.5 2.5 0.25 0
//@ kernel values as the host wants them
//@ global 1
//@ constant 10 int = 11
//@ constant 0 uchar = 0
//@ constant 2 uchar = 255
//@ constant 3 short = -300
//@ constant 1000 ulong = 3000000
//@ constant 5 ushort = 5
//@ constant 7 float = 8.5
//@ constant 8 double = 0.75
//@ arg buffer int[8] = zero
//@ arg buffer float[4] = zero
//@ result 0 = 11 0 255 -300 3000000 5 77 0
//@ result 1 = 8.5 0.75 0.25 0
//@ kernel branches as compiled
//@ global 4
//@ local 4
//@ arg buffer int[4] = zero
//@ arg local 16
//@ result 0 = 6 6 6 6
//@ kernel branches the other way
//@ global 4
//@ local 4
//@ constant 20 int = 3
//@ arg buffer int[4] = zero
//@ arg local 16
//@ result 0 = 0 3 6 9
//@ kernel names as compiled
//@ global 1
//@ arg buffer float[3] = zero
//@ result 0 = 4 2.5 -8
//@ kernel names as the host wants them
//@ global 1
//@ constant 30 int = 3
//@ constant 31 float = 0.5
//@ arg buffer float[3] = zero
//@ result 0 = 9 0.5 -8
//@ kernel sizes as compiled
//@ global 8
//@ local 4
//@ arg buffer int[8] = zero
//@ arg buffer int[8] = zero
//@ result 0 = 400 402 404 406 400 402 404 406
//@ result 1 = 1 3 6 10 1 3 6 10
//@ kernel sizes as the host wants them
//@ global 8
//@ local 2
//@ constant 30 int = -5
//@ constant 32 uint = 2
//@ arg buffer int[8] = zero
//@ arg buffer int[8] = zero
//@ result 0 = 200 195 200 195 200 195 200 195
//@ result 1 = 1 3 1 3 1 3 1 3

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void values(global int *ints, global float *floats) {
  ints[0] = __spirv_SpecConstant(10, 3);
  ints[1] = __spirv_SpecConstant(0, (bool)true) ? 1 : 0;
  ints[2] = __spirv_SpecConstant(2, (uchar)200);
  ints[3] = __spirv_SpecConstant(3, (short)-7);
  ints[4] = __spirv_SpecConstant(1000, 1000000ul);
  ints[5] = __spirv_SpecConstant(5, (ushort)(65 * 1000));
  // Arithmetic on constants, and the same constant again.
  for (int i = 0; i < 7; ++i)
    ints[6] += __spirv_SpecConstant(10, 3);
  floats[0] = __spirv_SpecConstant(7, 1.5f);
  floats[1] = (float)__spirv_SpecConstant(8, 2.5);
  floats[2] = __spirv_SpecConstant(9, 0.25f);
}

// What the constant decides may not be decided by the compiler.
kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void branches(global int *out, local int *shared) {
  const int i = get_local_id(0);
  shared[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (__spirv_SpecConstant(20, 0) != 0)
    out[i] = shared[i] * __spirv_SpecConstant(20, 0);
  else
    out[i] = shared[0] + shared[1] + shared[2] + shared[3];
}

constant int radius __attribute__((spec_constant(30))) = 2;
constant float scale __attribute__((spec_constant(31))) = 2.5f;

int squared(void) { return radius * radius; }

// The names of constants, in another function too.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void names(global float *out) {
  out[0] = squared();
  out[1] = scale;
  out[2] = sizeof(radius) * -2.0f;
}

kernel __attribute__((reqd_work_group_size(__spirv_SpecConstant(32, 4u), 1, 1)))
void sizes(global int *out, global int *sums) {
  const int i = get_global_id(0), local_id = get_local_id(0);
  out[i] = 100 * (int)get_local_size(0) + local_id * radius;
  sums[i] = work_group_scan_inclusive_add(local_id + 1);
}
