// Cooperative matrices as values: of functions, of arrays, chosen by control flow; initialized in part.
// RUN[opencl]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix -O -S
// RUN[plain]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix -O0 -g -S
// RUN[vulkan]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix --target-env=vulkan1.3 -O -S
// RUN[vulkan0]: -cl-std=CL3.0 -cl-ext=+cl_khr_cooperative_matrix --target-env=vulkan1.3 -O0 -g -S
// compiles
#define MATRIX(R, C, U) __attribute__((coop_mat(memory_scope_sub_group, R, C, CLK_COOPERATIVE_MATRIX_##U)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef float MATRIX(8, 8, A) T;

// The rest of the array is zero.
// emits[opencl]: OpConstantNull
__attribute__((noinline)) T two(T x, int i)
{
    T y[2] = {x};
    y[i] += x;
    return y[i];
}

__attribute__((noinline)) void stored(T x, global float *p)
{
    x[0] = p[3];
    T y = x;
    coop_mat_store(p, y, ROWS, 8);
}

// A matrix is chosen by branches: OpSelect does not take it (the validator says so).
kernel void k(global float *p, int i, int n)
{
    T x = coop_mat_load(p, ROWS, 8);
    T z = two(x, i);
    stored(z, p);
    T a[2], b[2];
    a[0] = a[1] = x;
    for (int j = 0; j < 2; j++)
        b[j] = a[j];
    T s = coop_mat_init(0.0f);
    for (int j = 0; j < n; j++) {
        if (p[j] > 0)
            s = b[j & 1];
        else
            s -= x;
    }
    coop_mat_store(p, i ? s : z, ROWS, 8);
    if (n > 3)
        s = z;
    coop_mat_store(p + 64, s, ROWS, 8);
}

kernel void called(global float *p)
{
    k(p, 1, 2);
}
