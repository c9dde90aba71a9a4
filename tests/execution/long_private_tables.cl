// A private array of more elements than an instruction of SPIR-V has operands.
//@ vulkan no a private array is a variable, whose initializer is one instruction
//@ kernel table
//@ global 1
//@ arg uint = 65599
//@ arg buffer int[3] = zero
//@ result 1 = 7 0 5
kernel void table(uint i, global int *out)
{
    char own[65600] = { 0, 0, 7, [65599] = 5 };
    out[0] = own[i - 65597];
    out[1] = own[i - 1];
    out[2] = own[i];
}
