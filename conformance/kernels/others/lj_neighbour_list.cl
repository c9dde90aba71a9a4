// @ lj_force 4096|262144 128 f32:16384|1048576:0..6 u32:131072|8388608:0..4096|262144 u8:4096|262144:16..33 >f32:16384|1048576 4096|262144 6.0f 2.5f

struct lj_params {
    float rc2;
    float e_shift;
    float f_shift;
};

static struct lj_params make_params(float rc)
{
    struct lj_params p;
    float ir2 = 1.0f / (rc * rc);
    float ir6 = ir2 * ir2 * ir2;
    p.rc2 = rc * rc;
    p.e_shift = 4.0f * ir6 * (ir6 - 1.0f);
    p.f_shift = 24.0f * ir6 * (2.0f * ir6 - 1.0f) / rc;
    return p;
}

/* Shifted-force Lennard-Jones with a soft floor on the distance.
   Neighbour k of atom i sits at nbr[k * natoms + i].  Result: (fx, fy, fz, e). */
__kernel void lj_force(__global const float4 *restrict xyzq,
                       __global const uint *restrict nbr,
                       __global const uchar *restrict nnbr,
                       __global float4 *restrict out,
                       const int natoms,
                       const float box, const float rcut)
{
    const int i = get_global_id(0);
    if (i >= natoms)
        return;

    const struct lj_params prm = make_params(rcut);
    const float inv_box = 1.0f / box;
    const float3 ri = xyzq[i].xyz;
    float3 f = (float3)(0.0f, 0.0f, 0.0f);
    float e = 0.0f;

    const int count = nnbr[i];
    for (int k = 0; k < count; ++k) {
        const uint j = nbr[k * natoms + i];
        if (j == (uint)i)
            continue;
        float3 d = ri - xyzq[j].xyz;
        d -= box * rint(d * inv_box);
        float r2 = fmax(dot(d, d), 1.0f);
        if (r2 >= prm.rc2)
            continue;
        float ir = rsqrt(r2);
        float r = r2 * ir;
        float ir2 = ir * ir;
        float ir6 = ir2 * ir2 * ir2;
        float fr = 24.0f * ir6 * (2.0f * ir6 - 1.0f) * ir - prm.f_shift;
        e += 0.5f * (4.0f * ir6 * (ir6 - 1.0f) - prm.e_shift + (r - rcut) * prm.f_shift);
        f += d * (fr * ir);
    }

    out[i] = (float4)(f, e);
}
