// @ als_user_step 4096|262144 64 iota:4097|262145:12 u32:49152|3145728:0..2000 f32:49152|3145728:1..5 f32:12000 >f32:24576|1572864 0.8f 4096|262144
//
// One half-step of alternating least squares for matrix factorisation.
// Every user solves (Y'Y + lambda I) x = Y'r with the factors of the items
// that the user rated, by a Cholesky factorisation of the packed lower
// triangle.

#define RANK 6
#define PACKED (RANK * (RANK + 1) / 2)
#define LT(i, j) ((i) * ((i) + 1) / 2 + (j))

typedef struct {
    float tri[PACKED];
    float rhs[RANK];
} NormalEq;

static void neq_init(NormalEq *e, float lambda)
{
    for (int i = 0; i < RANK; i++) {
        for (int j = 0; j < i; j++)
            e->tri[LT(i, j)] = 0.0f;
        e->tri[LT(i, i)] = lambda;
        e->rhs[i] = 0.0f;
    }
}

static void neq_add(NormalEq *e, __global const float *y, float rating)
{
    float v[RANK];
    for (int i = 0; i < RANK; i++)
        v[i] = y[i];
    for (int i = 0; i < RANK; i++) {
        for (int j = 0; j <= i; j++)
            e->tri[LT(i, j)] += v[i] * v[j];
        e->rhs[i] += rating * v[i];
    }
}

static void neq_solve(NormalEq *e)
{
    float inv[RANK];

    for (int j = 0; j < RANK; j++) {
        float d = e->tri[LT(j, j)];
        for (int k = 0; k < j; k++)
            d -= e->tri[LT(j, k)] * e->tri[LT(j, k)];
        inv[j] = rsqrt(d);
        for (int i = j + 1; i < RANK; i++) {
            float s = e->tri[LT(i, j)];
            for (int k = 0; k < j; k++)
                s -= e->tri[LT(i, k)] * e->tri[LT(j, k)];
            e->tri[LT(i, j)] = s * inv[j];
        }
    }
    /* forward, then back substitution */
    for (int i = 0; i < RANK; i++) {
        float s = e->rhs[i];
        for (int k = 0; k < i; k++)
            s -= e->tri[LT(i, k)] * e->rhs[k];
        e->rhs[i] = s * inv[i];
    }
    for (int i = RANK - 1; i >= 0; i--) {
        float s = e->rhs[i];
        for (int k = i + 1; k < RANK; k++)
            s -= e->tri[LT(k, i)] * e->rhs[k];
        e->rhs[i] = s * inv[i];
    }
}

__kernel void als_user_step(__global const uint *row_ptr,
                            __global const uint *item,
                            __global const float *rating,
                            __global const float *item_factors,
                            __global float *user_factors,
                            const float lambda,
                            const int num_users)
{
    const int u = get_global_id(0);
    NormalEq eq;

    if (u >= num_users)
        return;

    neq_init(&eq, lambda);
    for (uint k = row_ptr[u]; k < row_ptr[u + 1]; k++)
        neq_add(&eq, item_factors + RANK * item[k], rating[k]);
    neq_solve(&eq);

    for (int i = 0; i < RANK; i++)
        user_factors[u * RANK + i] = eq.rhs[i];
}
