// For Vulkan, strings of `printf` are numbers of strings that the host is told, so they must be known.
// RUN[O]: -S --target-env=vulkan1.3
// RUN[O0]: -S -O0 --target-env=vulkan1.3
// RUN[silent]: -S --target-env=vulkan1.3 -DSILENT
// RUN[format]: -S --target-env=vulkan1.3 -DFORMAT
// RUN[string]: --target-env=vulkan1.3 -DSTRING
// RUN[mixed]: -S --target-env=vulkan1.3 -DMIXED
// RUN[argument]: --target-env=vulkan1.3 -DARGUMENT
// emits[O]: "reserve printf"
// emits[O]: OpAtomicIAdd
// emits-not[O]: OpCapability Float64
// emits[O0]: "reserve printf"
// emits-not[silent]: OpAtomicIAdd
// emits[format]: "reserve printf"
// emits[mixed]: OpBranchConditional
// error[string]: E0703
// error[argument]: E0504
__attribute__((noinline)) void show(constant char *format, int x)
{
#ifdef FORMAT
    printf(format, x);
#endif
}

kernel void k(int x, float f, constant char *given)
{
#if !defined SILENT
    printf("%d %f %f %s\n", x, f, 1.5f, x ? "yes" : "no");
#endif
#ifdef STRING
    printf("%s\n", given);
#endif
#ifdef MIXED
    printf(x ? "%s\n" : "%p\n", "text");
#endif
#ifdef ARGUMENT
    printf(given, x);
#endif
    show("%d\n", x);
}
