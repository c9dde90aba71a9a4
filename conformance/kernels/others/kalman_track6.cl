// @ kalman_tracks 8192|524288 64 f32:524288|33554432:0..1 >f32:49152|3145728 16 0.5f 0.04f 0.3f
//
// Constant velocity Kalman filters, position and velocity in 3D, one track
// per work-item.  A measurement is (x, y, z, quality); bad quality means that
// the radar missed the target in this scan.

#define NX 6
#define NZ 3

typedef struct { float m[NX][NX]; } mat6;
typedef struct { float m[NZ][NZ]; } mat3;

static mat6 predictCovariance(const mat6 *P, float dt, float q)
{
    // F = [I dt*I; 0 I]
    mat6 FP, R;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NX; j++)
            FP.m[i][j] = P->m[i][j] + (i < 3 ? dt * P->m[i + 3 < NX ? i + 3 : i][j] : 0.0f);
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NX; j++)
            R.m[i][j] = FP.m[i][j] + (j < 3 ? dt * FP.m[i][j + 3 < NX ? j + 3 : j] : 0.0f);

    // white acceleration
    for (int k = 0; k < 3; k++) {
        R.m[k][k]         += q * dt * dt * dt / 3.0f;
        R.m[k][k + 3]     += q * dt * dt / 2.0f;
        R.m[k + 3][k]     += q * dt * dt / 2.0f;
        R.m[k + 3][k + 3] += q * dt;
    }
    return R;
}

static mat3 invert3(const mat3 *a)
{
    mat3 r;
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            r.m[j][i] = a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1];
        }
    }
    const float det = a->m[0][0] * r.m[0][0] + a->m[0][1] * r.m[1][0] + a->m[0][2] * r.m[2][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] /= det;
    return r;
}

__kernel void kalman_tracks(__global const float4 *meas,   // [scan][track]
                            __global float *state,         // [NX][track]
                            int scans, float dt, float q, float meas_var)
{
    const int track = get_global_id(0);
    const int tracks = get_global_size(0);

    float x[NX];
    mat6 P;
    const float4 first = meas[track];
    x[0] = first.x; x[1] = first.y; x[2] = first.z;
    x[3] = x[4] = x[5] = 0.0f;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NX; j++)
            P.m[i][j] = i == j ? (i < 3 ? meas_var : 4.0f) : 0.0f;

    for (int k = 1; k < scans; k++) {
        for (int i = 0; i < 3; i++)
            x[i] += dt * x[i + 3];
        P = predictCovariance(&P, dt, q);

        const float4 z = meas[k * tracks + track];
        if (z.w < 0.15f)
            continue;           // missed

        mat3 S;
        const float var = meas_var * (1.5f - z.w);
        for (int i = 0; i < NZ; i++)
            for (int j = 0; j < NZ; j++)
                S.m[i][j] = P.m[i][j] + (i == j ? var : 0.0f);
        const mat3 Si = invert3(&S);

        float K[NX][NZ];
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NZ; j++) {
                float sum = 0.0f;
                for (int l = 0; l < NZ; l++)
                    sum += P.m[i][l] * Si.m[l][j];
                K[i][j] = sum;
            }

        const float r[NZ] = { z.x - x[0], z.y - x[1], z.z - x[2] };
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NZ; j++)
                x[i] += K[i][j] * r[j];

        // P <- (I - K H) P
        float top[NZ][NX];
        for (int l = 0; l < NZ; l++)
            for (int j = 0; j < NX; j++)
                top[l][j] = P.m[l][j];
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NX; j++)
                for (int l = 0; l < NZ; l++)
                    P.m[i][j] -= K[i][l] * top[l][j];
        for (int i = 0; i < NX; i++)
            for (int j = i + 1; j < NX; j++)
                P.m[i][j] = P.m[j][i] = 0.5f * (P.m[i][j] + P.m[j][i]);
    }

    for (int i = 0; i < NX; i++)
        state[i * tracks + track] = x[i];
}
