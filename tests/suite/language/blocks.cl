// Every error of blocks, pipes and device-side enqueue.
// RUN: -cl-std=CL2.0 -fsyntax-only -Wall
int (^undefined)(int); //~ E0470
int f(int n)
{
    int (^a)(int) = ^(int x) { return x; };
    &a; //~ E0471
    ^{ return a(1); }(); //~ E0472
    return ^(int x) { if (x) return 1; return 2.0f; }(n); //~ E0473
    //~^ W0453
}
kernel void k(read_only pipe int p, queue_t q)
{
    float y;
    int z[1];
    read_pipe(p, &y); //~ E0510
    enqueue_kernel(q, 0, ndrange_1D(1), ^(local void *l) { }); //~ E0511
    enqueue_kernel(q, 0, ndrange_1D(1), ^{ z[0] = 1; }); //~ W0510
}
struct s { global int *p; };
kernel void l(read_only pipe struct s p) { } //~ E0319
