// @ tsqr_least_squares 1024|65536 64 f32:393216|25165824:-1..1 >f32:96|6144 64

// Least squares fit of five parameters to a tall and skinny system by TSQR.
// A row of the input is six floats: five regressors and the right hand side.
// Each work-item folds its rows into a private triangle with Givens rotations, then
// the triangles of the work-group are folded in pairs.  Every group solves its own system.

#define COLS   6
#define PARAMS 5
#define TRI    21            // COLS * (COLS + 1) / 2
#define GROUP  64

#define R(i, j) r[(i) * COLS - (i) * ((i) - 1) / 2 + (j) - (i)]

// Rotates `row` into the upper triangle r, from column `first`
static inline void fold(float r[TRI], float row[COLS], int first)
{
    for (int i = first; i < COLS; i++)
    {
        float b = row[i];
        if (b == 0.0f)
            continue;
        float a = R(i, i);
        float h = sqrt(a * a + b * b);
        float c = a / h, s = b / h;
        R(i, i) = h;
        for (int j = i + 1; j < COLS; j++)
        {
            float t = R(i, j);
            R(i, j) = c * t + s * row[j];
            row[j]  = c * row[j] - s * t;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tsqr_least_squares(__global const float *A, __global float *fits, const uint rows_per_item)
{
    __local float shared_r[TRI][GROUP];

    const uint lane = get_local_id(0);
    const size_t first_row = get_group_id(0) * (size_t)GROUP * rows_per_item;
    float r[TRI];
    float row[COLS];

    for (int e = 0; e < TRI; e++)
        r[e] = 0.0f;

    for (uint k = 0; k < rows_per_item; k++)
    {
        size_t at = first_row + k * GROUP + lane;
        float2 p = vload2(3 * at, A), q = vload2(3 * at + 1, A), s = vload2(3 * at + 2, A);
        row[0] = p.x; row[1] = p.y; row[2] = q.x;
        row[3] = q.y; row[4] = s.x;
        /* noise about a known model, so that there is something to be found */
        row[5] = 0.75f * p.x - 0.5f * p.y + 0.25f * q.x + 0.125f * s.x + 0.1f * s.y;
        fold(r, row, 0);
    }

    for (uint half_size = GROUP / 2; half_size > 0; half_size >>= 1)
    {
        if (lane >= half_size && lane < 2 * half_size)
            for (int e = 0; e < TRI; e++)
                shared_r[e][lane] = r[e];
        barrier(CLK_LOCAL_MEM_FENCE);

        if (lane < half_size)
        {
            int e = 0;
            for (int i = 0; i < COLS; i++)
            {
                for (int j = 0; j < COLS; j++)
                    row[j] = j < i ? 0.0f : shared_r[e + j - i][lane + half_size];
                e += COLS - i;
                fold(r, row, i);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lane == 0)
    {
        float x[PARAMS];
        for (int i = PARAMS - 1; i >= 0; i--)
        {
            float s = R(i, PARAMS);
            for (int j = i + 1; j < PARAMS; j++)
                s -= R(i, j) * x[j];
            x[i] = s / R(i, i);
        }
        __global float *fit = fits + get_group_id(0) * COLS;
        for (int i = 0; i < PARAMS; i++)
            fit[i] = x[i];
        fit[PARAMS] = fabs(R(PARAMS, PARAMS));      /* norm of the residual */
    }
}
