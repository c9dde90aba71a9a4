// @ update_h 64x64x64|256x256x128 64x2x1 >f32:1572864|50331648:-1..1 u8:262144|8388608:0..4
// @ update_e 64x64x64|256x256x128 64x2x1 #0 #1 3.0f
// @ update_h 64x64x64|256x256x128 64x2x1 #0 #1
// @ update_e 64x64x64|256x256x128 64x2x1 #0 #1 2.5f

// Yee's scheme in three dimensions, four kinds of material, perfect conductors at the
// faces. The six components are planes of one buffer: Ex Ey Ez Hx Hy Hz. A dipole with a
// given current sits in the middle.

typedef struct { float a, b; } coefficients;

__constant coefficients electric[4] = {
    { 1.0f, 0.5f }, { 1.0f, 0.125f }, { 0.9f, 0.24f }, { 0.4f, 0.18f }
};
__constant float magnetic[4] = { 0.5f, 0.5f, 0.5f, 0.4f };

#define NX ((int)get_global_size(0))
#define NY ((int)get_global_size(1))
#define NZ ((int)get_global_size(2))
#define FIELD(f, c) ((f) + (size_t)(c) * NX * NY * NZ)

__kernel void update_h(__global float *fields, __global const uchar *material)
{
    const int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    const int at = (k * NY + j) * NX + i;

    __global const float *ex = FIELD(fields, 0), *ey = FIELD(fields, 1), *ez = FIELD(fields, 2);
    const float c = magnetic[material[at]];
    const int sy = NX, sz = NX * NY;

    if (j < NY - 1 && k < NZ - 1)
        FIELD(fields, 3)[at] += c * ((ey[at + sz] - ey[at]) - (ez[at + sy] - ez[at]));
    if (k < NZ - 1 && i < NX - 1)
        FIELD(fields, 4)[at] += c * ((ez[at + 1] - ez[at]) - (ex[at + sz] - ex[at]));
    if (i < NX - 1 && j < NY - 1)
        FIELD(fields, 5)[at] += c * ((ex[at + sy] - ex[at]) - (ey[at + 1] - ey[at]));
}

__kernel void update_e(__global float *fields, __global const uchar *material, const float current)
{
    const int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    const int at = (k * NY + j) * NX + i;

    __global const float *hx = FIELD(fields, 3), *hy = FIELD(fields, 4), *hz = FIELD(fields, 5);
    const coefficients m = electric[material[at]];
    const int sy = NX, sz = NX * NY;
    const bool x0 = i == 0, y0 = j == 0, z0 = k == 0;

    __global float *ex = FIELD(fields, 0), *ey = FIELD(fields, 1), *ez = FIELD(fields, 2);
    ex[at] = y0 || z0 ? 0.0f : m.a * ex[at] + m.b * ((hz[at] - hz[at - sy]) - (hy[at] - hy[at - sz]));
    ey[at] = z0 || x0 ? 0.0f : m.a * ey[at] + m.b * ((hx[at] - hx[at - sz]) - (hz[at] - hz[at - 1]));

    float z = x0 || y0 ? 0.0f : m.a * ez[at] + m.b * ((hy[at] - hy[at - 1]) - (hx[at] - hx[at - sy]));
    if (i == NX / 2 && j == NY / 2 && abs(k - NZ / 2) < 4)
        z -= m.b * current;
    ez[at] = z;
}
