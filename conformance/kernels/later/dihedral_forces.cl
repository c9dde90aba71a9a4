// @ torsion_forces 16384|2097152 64 i16:65536|8388608:-250..250 u8:16384|2097152:0..4 >f32:65536|8388608 16384|2097152 0.001f
/*
 * Proper dihedral (torsion) forces of a long polymer backbone.
 *
 * Beads are stored as 16 bit displacements (x, y, z, unused) from an ideal
 * zig-zag backbone, in steps of `quantum` nanometres.  A bead belongs to at most
 * four torsions, and we let every bead work out all of them instead of
 * scattering with atomics: this is a bit more arithmetic but needs no second pass.
 */

typedef struct {
    float k1, k2, k3;      /* kJ/mol of the one, two and three fold terms */
    float phase;
} torsion_type;

__constant torsion_type types[4] = {
    { 3.10f,  0.00f, 5.92f, 0.0000000f },
    { 0.00f, 12.55f, 0.00f, 3.1415927f },
    { 1.74f, -0.66f, 1.17f, 0.0000000f },
    { 7.28f, -2.10f, 0.84f, 0.5235988f },
};

float3 bead(__global const short *disp, int i, float quantum)
{
    float3 d = convert_float3(vload4(i, disp).xyz) * quantum;
    const float zig = (i & 1) ? 0.09f : 0.0f;
    const float zag = (i & 2) ? 0.07f : 0.0f;
    /* positions are relative to the bead's own image to keep digits */
    return d + (float3)(0.0f, zig, zag);
}

/* dE/dphi, and the energy through the pointer */
float torsion(torsion_type t, float phi, float *energy)
{
    float s1, c1;
    s1 = sincos(phi - t.phase, &c1);
    const float c2 = 2.0f * c1 * c1 - 1.0f;
    const float s2 = 2.0f * s1 * c1;
    const float c3 = c1 * c2 - s1 * s2;
    const float s3 = s1 * c2 + c1 * s2;
    *energy = t.k1 * (1.0f + c1) + t.k2 * (1.0f - c2) + t.k3 * (1.0f + c3);
    return -t.k1 * s1 + 2.0f * t.k2 * s2 - 3.0f * t.k3 * s3;
}

__kernel void torsion_forces(__global const short *disp,
                             __global const uchar *kinds,
                             __global float4 *force,
                             const int beads,
                             const float quantum)
{
    const int me = get_global_id(0);
    if (me >= beads)
        return;

    float3 f = (float3)(0.0f);
    float e = 0.0f;

    for (int first = me - 3; first <= me; first++) {
        if (first < 0 || first + 3 >= beads)
            continue;

        /* the backbone advances by 0.125 nm along x with each bead */
        float3 p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = bead(disp, first + k, quantum);
            p[k].x += 0.125f * (float)k;
        }
        const float3 b1 = p[1] - p[0];
        const float3 b2 = p[2] - p[1];
        const float3 b3 = p[3] - p[2];

        const float3 m = cross(b1, b2);
        const float3 n = cross(b2, b3);
        const float mm = dot(m, m) + 1.0e-6f;
        const float nn = dot(n, n) + 1.0e-6f;
        const float b2len = length(b2);

        /* Blondel and Karplus (1996) */
        const float phi = atan2(b2len * dot(b1, n), dot(m, n));
        float energy;
        const float dE = torsion(types[kinds[first] & 3], phi, &energy);

        const float3 f0 = -dE * b2len / mm * m;
        const float3 f3 =  dE * b2len / nn * n;
        const float inv = 1.0f / (b2len * b2len);
        const float3 s = dot(b1, b2) * inv * f0 - dot(b3, b2) * inv * f3;

        switch (me - first) {
        case 0: f += f0;       break;
        case 1: f += -s - f0;  break;
        case 2: f += s - f3;   break;
        case 3: f += f3;       break;
        }
        e += 0.25f * energy;
    }
    force[me] = (float4)(f, e);
}
