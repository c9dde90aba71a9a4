// An atomic through a generic pointer asks for the space at run time; where the space is known, it does
// not, and in private memory nothing is atomic.
// RUN[any]: -S -O0 -cl-std=CL2.0 -DANY
// RUN[any]: -S -cl-std=CL2.0 -DANY
// emits[any]: OpGenericCastToPtrExplicit
// emits[any]: OpAtomicIAdd
// emits[any]: OpAtomicLoad
// emits[any]: OpAtomicCompareExchange
// emits[any]: OpAtomicStore
// RUN[named]: -S -cl-std=CL2.0 -DNAMED
// emits[named]: OpAtomicIAdd
// emits-not[named]: OpGenericCastToPtrExplicit
// RUN[private]: -S -O0 -cl-std=CL2.0
// RUN[private]: -S -cl-std=CL2.0
// emits[private]: OpIAdd
// emits-not[private]: OpAtomic
#ifdef ANY
kernel void any(global atomic_int *g, local atomic_int *l, int which, global int *out)
{
    atomic_int *a = which ? (atomic_int *)g : (atomic_int *)l;
    atomic_fetch_add(a, 2);
    int expected = atomic_load(a);
    out[0] = atomic_compare_exchange_weak(a, &expected, 3);
    atomic_store(a, expected);
}
#elif defined NAMED
int next(atomic_int *a) { return atomic_fetch_add(a, 2); }
kernel void named(global atomic_int *g, global int *out) { out[0] = next(g); }
#else
kernel void own(global int *out, int i)
{
    private atomic_int a[3];
    atomic_init(&a[i], 3);
    atomic_fetch_add((private atomic_int *)&a[i], i);
    out[0] = atomic_load((private atomic_int *)&a[2]) + 1;
}
#endif
