// RUN: -S
// emits: OpCapability Kernel
// emits: OpExecutionMode
// emits: LocalSize 4 2 1
// emits: LocalSizeHint 8 8 1
// emits: FuncParamAttr NoAlias
// emits: FuncParamAttr NoWrite
// emits: Volatile
// emits-not: OpCapability Float64
// emits-not: OpCapability Int8
// emits-not: OpCapability GenericPointer
// emits-not: LinkageAttributes
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void a(global const int *restrict p, global volatile int *q)
{
    *q = *p;
}

kernel __attribute__((work_group_size_hint(8, 8, 1))) void b(global int *p) { *p = 1; }
