// @ cloth_step 256x128|2048x1024 16x8 f32:131072|8388608 f32:131072|8388608 >f32:131072|8388608 256|2048 128|1024 0.05f 0.01f

#define K_STRUCT 90.0f
#define K_SHEAR  40.0f
#define K_BEND   15.0f
#define DAMPING  0.995f
#define NSPRINGS 12

__constant int2 spring_dir[NSPRINGS] = {
    (int2)(1, 0), (int2)(-1, 0), (int2)(0, 1), (int2)(0, -1),
    (int2)(1, 1), (int2)(-1, 1), (int2)(1, -1), (int2)(-1, -1),
    (int2)(2, 0), (int2)(-2, 0), (int2)(0, 2), (int2)(0, -2)
};

float4 spring_force(float4 a, float4 b, float rest, float k)
{
    float4 d = b - a;
    d.w = 0.0f;
    float len = sqrt(dot(d, d) + 1e-8f);
    return d * (k * (len - rest) / len);
}

__kernel void cloth_step(__global const float4 *cur,
                         __global const float4 *old,
                         __global float4 *next,
                         int width, int height,
                         float spacing, float dt)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    int me = mad24(y, width, x);
    float4 p = cur[me];

    /* the top row hangs on the rod */
    if (y == 0) {
        next[me] = p;
        return;
    }

    float4 force = (float4)(0.0f, -9.81f, 0.0f, 0.0f);
    for (int s = 0; s < NSPRINGS; s++) {
        int2 q = (int2)(x, y) + spring_dir[s];
        if (q.x < 0 || q.y < 0 || q.x >= width || q.y >= height)
            continue;
        float rest, k;
        if (s < 4)      { rest = spacing;              k = K_STRUCT; }
        else if (s < 8) { rest = spacing * M_SQRT2_F;  k = K_SHEAR; }
        else            { rest = spacing * 2.0f;       k = K_BEND; }
        force += spring_force(p, cur[mad24(q.y, width, q.x)], rest, k);
    }

    /* Verlet */
    float4 v = (p - old[me]) * DAMPING;
    float4 n = p + v + force * (dt * dt);
    n.y = fmax(n.y, -4.0f);
    n.w = p.w;
    next[me] = n;
}
