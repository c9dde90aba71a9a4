// @ block_thomas 1024|98304 64 f32:663552|63700992:-1..1 f32:73728|7077888:-1..1 zeros:f32:221184|21233664 >f32:73728|7077888 24 5.0f
//
// Block tridiagonal systems with 3x3 blocks, as they come from the implicit line
// relaxation of a flow solver with three coupled unknowns. One line per work-item.
//
// Blocks: [k][lower, diagonal, upper][9][line], right hand sides: [k][3][line]

typedef struct mat3 { float m[9]; } mat3;
typedef struct vec3 { float v[3]; } vec3_t;

static mat3 load_block(__global const float *p, size_t lines)
{
    mat3 r;
    for (int e = 0; e < 9; ++e)
        r.m[e] = p[e * lines];
    return r;
}

static mat3 inverse3(const mat3 *a)
{
    mat3 r;
    const float *m = a->m;
    r.m[0] = m[4] * m[8] - m[5] * m[7];
    r.m[1] = m[2] * m[7] - m[1] * m[8];
    r.m[2] = m[1] * m[5] - m[2] * m[4];
    r.m[3] = m[5] * m[6] - m[3] * m[8];
    r.m[4] = m[0] * m[8] - m[2] * m[6];
    r.m[5] = m[2] * m[3] - m[0] * m[5];
    r.m[6] = m[3] * m[7] - m[4] * m[6];
    r.m[7] = m[1] * m[6] - m[0] * m[7];
    r.m[8] = m[0] * m[4] - m[1] * m[3];
    const float scale = 1.0f / (m[0] * r.m[0] + m[1] * r.m[3] + m[2] * r.m[6]);
    for (int e = 0; e < 9; ++e)
        r.m[e] *= scale;
    return r;
}

static mat3 mul33(const mat3 *a, const mat3 *b)
{
    mat3 r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r.m[3 * i + j] = a->m[3 * i] * b->m[j] + a->m[3 * i + 1] * b->m[3 + j] + a->m[3 * i + 2] * b->m[6 + j];
    return r;
}

static vec3_t mul3(const mat3 *a, const vec3_t *x)
{
    vec3_t r;
    for (int i = 0; i < 3; ++i)
        r.v[i] = a->m[3 * i] * x->v[0] + a->m[3 * i + 1] * x->v[1] + a->m[3 * i + 2] * x->v[2];
    return r;
}

__kernel void block_thomas(__global const float *blocks,
                           __global const float *rhs,
                           __global float *upper,
                           __global float *x,
                           const int n,
                           const float dominance)
{
    const size_t line = get_global_id(0), lines = get_global_size(0);
    mat3 gain;                 /* D'^-1 U of the row above */
    vec3_t y;

    for (int k = 0; k < n; ++k) {
        __global const float *row = blocks + (size_t)k * 27 * lines + line;
        mat3 d = load_block(row + 9 * lines, lines);
        vec3_t b;
        for (int c = 0; c < 3; ++c) {
            d.m[4 * c] += dominance;
            b.v[c] = rhs[((size_t)k * 3 + c) * lines + line];
        }
        if (k > 0) {
            const mat3 l = load_block(row, lines);
            const mat3 lu = mul33(&l, &gain);
            const vec3_t ly = mul3(&l, &y);
            for (int e = 0; e < 9; ++e)
                d.m[e] -= lu.m[e];
            for (int c = 0; c < 3; ++c)
                b.v[c] -= ly.v[c];
        }
        const mat3 inv = inverse3(&d);
        y = mul3(&inv, &b);
        for (int c = 0; c < 3; ++c)
            x[((size_t)k * 3 + c) * lines + line] = y.v[c];
        if (k + 1 < n) {
            const mat3 u = load_block(row + 18 * lines, lines);
            gain = mul33(&inv, &u);
            for (int e = 0; e < 9; ++e)
                upper[((size_t)k * 9 + e) * lines + line] = gain.m[e];
        }
    }

    /* back substitution; y is the solution of the row below */
    for (int k = n - 2; k >= 0; --k) {
        mat3 g;
        for (int e = 0; e < 9; ++e)
            g.m[e] = upper[((size_t)k * 9 + e) * lines + line];
        const vec3_t t = mul3(&g, &y);
        for (int c = 0; c < 3; ++c) {
            const size_t at = ((size_t)k * 3 + c) * lines + line;
            y.v[c] = x[at] - t.v[c];
            x[at] = y.v[c];
        }
    }
}
