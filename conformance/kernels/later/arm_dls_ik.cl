// @ solve_ik 1024|131072 64 f32:12288|1572864:-1..1 >f32:8192|1048576 8 0.04f

// Inverse kinematics of a six axis robot arm by damped least squares. The pose to reach
// is that of a known joint vector; iterations start from one nearby.

#define JOINTS 6

struct DH { float a, d, cosAlpha, sinAlpha, nominal; };

// Denavit-Hartenberg parameters, metres and radians
__constant struct DH dh[JOINTS] = {
    {  0.000f,  0.0892f,  0.0f,  1.0f,  0.0f },
    { -0.425f,  0.0000f,  1.0f,  0.0f, -1.2f },
    { -0.392f,  0.0000f,  1.0f,  0.0f,  1.4f },
    {  0.000f,  0.1093f,  0.0f,  1.0f, -1.1f },
    {  0.000f,  0.0947f,  0.0f, -1.0f, -1.5f },
    {  0.000f,  0.0823f,  1.0f,  0.0f,  0.4f },
};

struct Frame { float3 x, y, z, p; };

struct Frame advance(struct Frame f, __constant struct DH *j, float q)
{
    float c;
    const float s = sincos(q, &c);
    struct Frame r;
    r.x = c * f.x + s * f.y;
    const float3 t = c * f.y - s * f.x;
    r.y = j->cosAlpha * t + j->sinAlpha * f.z;
    r.z = j->cosAlpha * f.z - j->sinAlpha * t;
    r.p = f.p + j->d * f.z + j->a * r.x;
    return r;
}

// axes and origins may be null
struct Frame forward(const float *q, float3 *axes, float3 *origins)
{
    struct Frame f;
    f.x = (float3)(1.0f, 0.0f, 0.0f);
    f.y = (float3)(0.0f, 1.0f, 0.0f);
    f.z = (float3)(0.0f, 0.0f, 1.0f);
    f.p = (float3)(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < JOINTS; i++)
    {
        if (axes)
        {
            axes[i] = f.z;
            origins[i] = f.p;
        }
        f = advance(f, &dh[i], q[i]);
    }
    return f;
}

// Solves M y = b in place, M symmetric positive definite (lower triangle)
void cholesky6(float M[6][6], float b[6])
{
    for (int j = 0; j < 6; j++)
    {
        float d = M[j][j];
        for (int k = 0; k < j; k++)
            d -= M[j][k] * M[j][k];
        const float inv = rsqrt(d);
        M[j][j] = inv;
        for (int i = j + 1; i < 6; i++)
        {
            float s = M[i][j];
            for (int k = 0; k < j; k++)
                s -= M[i][k] * M[j][k];
            M[i][j] = s * inv;
        }
    }
    for (int i = 0; i < 6; i++)
    {
        for (int k = 0; k < i; k++)
            b[i] -= M[i][k] * b[k];
        b[i] *= M[i][i];
    }
    for (int i = 5; i >= 0; i--)
    {
        for (int k = i + 1; k < 6; k++)
            b[i] -= M[k][i] * b[k];
        b[i] *= M[i][i];
    }
}

__kernel void solve_ik(__global const float *samples,
                       __global float8 *solutions,
                       const int iterations,
                       const float damping)
{
    const int id = get_global_id(0);
    __global const float *s = samples + id * 2 * JOINTS;

    float q[JOINTS];
    for (int i = 0; i < JOINTS; i++)
        q[i] = dh[i].nominal + 0.5f * s[i];
    const struct Frame goal = forward(q, 0, 0);
    for (int i = 0; i < JOINTS; i++)
        q[i] += 0.2f * s[JOINTS + i];

    float3 dp = (float3)(0.0f), dr = (float3)(0.0f);
    for (int it = 0; it <= iterations; it++)
    {
        float3 axes[JOINTS], origins[JOINTS];
        const struct Frame f = forward(q, axes, origins);

        dp = goal.p - f.p;
        dr = 0.5f * (cross(f.x, goal.x) + cross(f.y, goal.y) + cross(f.z, goal.z));
        if (it == iterations)
            break;

        float J[6][6];
        for (int c = 0; c < JOINTS; c++)
        {
            const float3 v = cross(axes[c], f.p - origins[c]);
            J[0][c] = v.x; J[1][c] = v.y; J[2][c] = v.z;
            J[3][c] = axes[c].x; J[4][c] = axes[c].y; J[5][c] = axes[c].z;
        }

        float M[6][6];
        float e[6] = { dp.x, dp.y, dp.z, dr.x, dr.y, dr.z };
        for (int r = 0; r < 6; r++)
            for (int c = 0; c <= r; c++)
            {
                float sum = r == c ? damping * damping : 0.0f;
                for (int k = 0; k < JOINTS; k++)
                    sum += J[r][k] * J[c][k];
                M[r][c] = sum;
            }
        cholesky6(M, e);

        for (int c = 0; c < JOINTS; c++)
        {
            float step = 0.0f;
            for (int r = 0; r < 6; r++)
                step += J[r][c] * e[r];
            q[c] += clamp(step, -0.4f, 0.4f);
        }
    }

    solutions[id] = (float8)(q[0], q[1], q[2], q[3], q[4], q[5], length(dp), length(dr));
}
