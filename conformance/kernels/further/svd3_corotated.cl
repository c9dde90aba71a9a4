// @ corotated_stress 32768|1048576 128 f32:294912|9437184:-0.3..0.3 >f32:294912|9437184 32768|1048576 1.0f 2.5f

// First Piola-Kirchhoff stress of the fixed corotated material,
//     P = 2 mu (F - R) + lambda (J - 1) J F^-T,
// with R from a singular value decomposition of F: cyclic Jacobi on F^T F for V,
// then F V = U S. Nine components of F - 1 per element, one plane for each.

typedef struct { float m[3][3]; } mat3;

static inline void jacobi_rotate(mat3 *S, mat3 *V, const int p, const int q)
{
    const float apq = S->m[p][q];
    if (fabs(apq) < 1e-20f)
        return;
    const float theta = 0.5f * (S->m[q][q] - S->m[p][p]) / apq;
    const float t = copysign(1.0f, theta) / (fabs(theta) + sqrt(fma(theta, theta, 1.0f)));
    const float c = rsqrt(fma(t, t, 1.0f));
    const float s = t * c;
    const int r = 3 - p - q;

    const float app = S->m[p][p], aqq = S->m[q][q];
    const float arp = S->m[r][p], arq = S->m[r][q];
    S->m[p][p] = app - t * apq;
    S->m[q][q] = aqq + t * apq;
    S->m[p][q] = S->m[q][p] = 0.0f;
    S->m[r][p] = S->m[p][r] = c * arp - s * arq;
    S->m[r][q] = S->m[q][r] = s * arp + c * arq;

    for (int k = 0; k < 3; k++) {
        const float vp = V->m[k][p], vq = V->m[k][q];
        V->m[k][p] = c * vp - s * vq;
        V->m[k][q] = s * vp + c * vq;
    }
}

static inline mat3 mul(mat3 a, mat3 b)
{
    mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}

static inline mat3 transpose(mat3 a)
{
    mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a.m[j][i];
    return c;
}

static inline float3 column(mat3 a, int j) { return (float3)(a.m[0][j], a.m[1][j], a.m[2][j]); }

__kernel void corotated_stress(__global const float *grad, __global float *stress,
                               const int n, const float mu, const float lambda)
{
    const int e = get_global_id(0);
    if (e >= n)
        return;

    mat3 F, V;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const float one = i == j ? 1.0f : 0.0f;
            F.m[i][j] = grad[(size_t)(3 * i + j) * n + e] + one;
            V.m[i][j] = one;
        }

    mat3 S = mul(transpose(F), F);
    for (int sweep = 0; sweep < 5; sweep++) {
        jacobi_rotate(&S, &V, 0, 1);
        jacobi_rotate(&S, &V, 0, 2);
        jacobi_rotate(&S, &V, 1, 2);
    }

    // U by Gram-Schmidt on F V, the last column by a cross product
    const mat3 B = mul(F, V);
    const float3 u0 = normalize(column(B, 0));
    float3 u1 = column(B, 1);
    u1 = normalize(u1 - dot(u1, u0) * u0);
    const float3 v2 = cross(column(V, 0), column(V, 1));
    const float3 u2 = cross(u0, u1) * (dot(v2, column(V, 2)) < 0.0f ? -1.0f : 1.0f);

    const mat3 U = {{ { u0.x, u1.x, u2.x }, { u0.y, u1.y, u2.y }, { u0.z, u1.z, u2.z } }};
    const mat3 R = mul(U, transpose(V));

    // the cofactors are J F^-T
    const float3 f0 = column(F, 0), f1 = column(F, 1), f2 = column(F, 2);
    const float3 c0 = cross(f1, f2), c1 = cross(f2, f0), c2 = cross(f0, f1);
    const float J = dot(f0, c0);
    const mat3 C = {{ { c0.x, c1.x, c2.x }, { c0.y, c1.y, c2.y }, { c0.z, c1.z, c2.z } }};

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            stress[(size_t)(3 * i + j) * n + e] =
                2.0f * mu * (F.m[i][j] - R.m[i][j]) + lambda * (J - 1.0f) * C.m[i][j];
}
