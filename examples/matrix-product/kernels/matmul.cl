// c = a b: halves times halves, summed as floats, or with BYTES defined bytes times bytes, summed as integers. All three
// are stored by rows; `a` has k columns, `b` and `c` have n. Work-groups make tiles of 128 x 128; k is a multiple of
// DEPTH.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_cooperative_matrix : enable

// How many columns of `a` a product of matrices takes, and the work-group at once.
#ifdef BYTES
typedef char Element;
typedef int Total;
#define STEP 32
#define DEPTH 64
#else
typedef half Element;
typedef float Total;
#define STEP 16
#define DEPTH 32
#endif

#define MATRIX(M, N, USE) \
    __attribute__((coop_mat(memory_scope_sub_group, M, N, CLK_COOPERATIVE_MATRIX_##USE)))
typedef Element MATRIX(16, STEP, A) Left;
typedef Element MATRIX(STEP, 16, B) Right;
typedef Total MATRIX(16, 16, ACCUMULATOR) Sum;

#define TILE 128
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR

// Memory is read in vectors of so many elements. In local memory one more follows each row, so that rows are in
// different banks.
#define WIDTH (DEPTH / 4)
#define LEFT_STRIDE (DEPTH / WIDTH + 1)
#define RIGHT_STRIDE (TILE / WIDTH + 1)

// Eight sub-groups, two by four; each has four by two sums.
#define GROUP 256
#define EACH_SUM(DO) DO(0, 0) DO(0, 1) DO(1, 0) DO(1, 1) DO(2, 0) DO(2, 1) DO(3, 0) DO(3, 1)

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1), intel_reqd_sub_group_size(32)))
void matmul(global const uint4 *restrict a, global const uint4 *restrict b, global Total *restrict c,
            uint n, uint k)
{
    local uint4 left[2][TILE * LEFT_STRIDE];
    local uint4 right[2][DEPTH * RIGHT_STRIDE];
    const uint item = get_local_id(0);
    const uint first_row = get_group_id(1) * TILE, first_column = get_group_id(0) * TILE;

    // Each work-item copies two vectors of each factor: half the rows of a tile are between them.
    const uint left_row = item / (DEPTH / WIDTH), left_column = item % (DEPTH / WIDTH);
    const uint right_row = item / (TILE / WIDTH), right_column = item % (TILE / WIDTH);
    global const uint4 *from_a = a + (first_row + left_row) * (k / WIDTH) + left_column;
    global const uint4 *from_b = b + right_row * (n / WIDTH) + first_column / WIDTH + right_column;
    const uint a_half = TILE / 2 * (k / WIDTH), b_half = DEPTH / 2 * (n / WIDTH);
    const uint to_left = left_row * LEFT_STRIDE + left_column;
    const uint to_right = right_row * RIGHT_STRIDE + right_column;

    const uint sub_group = get_sub_group_id();
    const uint row = sub_group / 4 * 64, column = sub_group % 4 * 32;

    Sum sum[4][2];
#define CLEAR(I, J) sum[I][J] = coop_mat_init((Total)0);
    EACH_SUM(CLEAR)

    uint4 a0 = from_a[0], a1 = from_a[a_half], b0 = from_b[0], b1 = from_b[b_half];
    for (uint step = 0; step < k / DEPTH; step++) {
        const uint now = step % 2;
        left[now][to_left] = a0;
        left[now][to_left + TILE / 2 * LEFT_STRIDE] = a1;
        right[now][to_right] = b0;
        right[now][to_right + DEPTH / 2 * RIGHT_STRIDE] = b1;
        // The other half of local memory was read before the barrier of the step before this one's.
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step + 1 < k / DEPTH) {
            // On their way while products are made.
            from_a += DEPTH / WIDTH;
            from_b += DEPTH * (n / WIDTH);
            a0 = from_a[0];
            a1 = from_a[a_half];
            b0 = from_b[0];
            b1 = from_b[b_half];
        }
        for (uint depth = 0; depth < DEPTH; depth += STEP) {
            Left x[4];
            Right y[2];
            local const uint4 *x_tile = left[now] + row * LEFT_STRIDE + depth / WIDTH;
            local const uint4 *y_tile = right[now] + depth * RIGHT_STRIDE + column / WIDTH;
#define LOAD_LEFT(I) \
    x[I] = coop_mat_load((local const Element *)(x_tile + I * 16 * LEFT_STRIDE), ROWS, LEFT_STRIDE * WIDTH);
#define LOAD_RIGHT(J) \
    y[J] = coop_mat_load((local const Element *)(y_tile + J * 16 / WIDTH), ROWS, RIGHT_STRIDE * WIDTH);
#define MULTIPLY(I, J) sum[I][J] = coop_mat_mulAdd(x[I], y[J], sum[I][J]);
            LOAD_LEFT(0) LOAD_LEFT(1) LOAD_LEFT(2) LOAD_LEFT(3)
            LOAD_RIGHT(0) LOAD_RIGHT(1)
            EACH_SUM(MULTIPLY)
        }
    }

    global Total *to = c + (first_row + row) * n + first_column + column;
#define STORE(I, J) coop_mat_store(to + I * 16 * n + J * 16, sum[I][J], ROWS, n);
    EACH_SUM(STORE)
}

#ifndef BYTES
// Factors whose products are exact: multiples of an eighth from -1 to 7/8, which nobody could guess.
kernel void fill(global half *values, uint seed)
{
    const uint i = get_global_id(0);
    uint bits = (i ^ seed) * 0x9E3779B1u;
    bits ^= bits >> 15;
    bits *= 0x85EBCA77u;
    values[i] = (half)((int)(bits >> 28) - 8) * 0.125h;
}
#endif
