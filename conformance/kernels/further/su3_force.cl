// @ reunitarize 8192|262144 64 f32:147456|4718592:-1..1 zeros:f32:147456|4718592 8192|262144
// @ gauge_force 8192|262144 64 #1 >f32:147456|4718592 (8|16,8|16,8|16,4|16) 5.7f

// Force of Wilson's action on the links of an SU(3) gauge field: traceless antihermitian
// part of link times staples. A link per work-item, links are [mu][component][site] of
// complex numbers. The edges of the lattice are powers of two, sites are lexical, t slowest.

typedef struct { float2 e[3][3]; } su3;

#define CMUL(a, b)   ((float2)((a).x * (b).x - (a).y * (b).y, (a).x * (b).y + (a).y * (b).x))
#define CONJ(a)      ((float2)((a).x, -(a).y))

static su3 load_link(__global const float2 *links, int volume, int mu, int site)
{
    su3 u;
    for (int i = 0; i < 9; i++)
        u.e[i / 3][i % 3] = links[(size_t)(mu * 9 + i) * volume + site];
    return u;
}

static su3 mul_nn(su3 a, su3 b)
{
    su3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.e[i][j] = CMUL(a.e[i][0], b.e[0][j]) + CMUL(a.e[i][1], b.e[1][j]) + CMUL(a.e[i][2], b.e[2][j]);
    return c;
}

static su3 mul_na(su3 a, su3 b)
{
    su3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.e[i][j] = CMUL(a.e[i][0], CONJ(b.e[j][0])) + CMUL(a.e[i][1], CONJ(b.e[j][1])) +
                        CMUL(a.e[i][2], CONJ(b.e[j][2]));
    return c;
}

static su3 mul_an(su3 a, su3 b)
{
    su3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.e[i][j] = CMUL(CONJ(a.e[0][i]), b.e[0][j]) + CMUL(CONJ(a.e[1][i]), b.e[1][j]) +
                        CMUL(CONJ(a.e[2][i]), b.e[2][j]);
    return c;
}

// The links near to 1, by Gram-Schmidt and a cross product for the last row
__kernel void reunitarize(__global const float2 *random, __global float2 *links, const int total)
{
    const int volume = total / 4;
    const int mu = get_global_id(0) / volume, site = get_global_id(0) % volume;
    su3 u = load_link(random, volume, mu, site);

    for (int i = 0; i < 3; i++)
        u.e[i][i].x += 1.5f;

    float norm = 0.0f;
    for (int j = 0; j < 3; j++)
        norm += dot(u.e[0][j], u.e[0][j]);
    norm = rsqrt(norm);
    float2 along = (float2)(0.0f);
    for (int j = 0; j < 3; j++) {
        u.e[0][j] *= norm;
        along += CMUL(CONJ(u.e[0][j]), u.e[1][j]);
    }
    norm = 0.0f;
    for (int j = 0; j < 3; j++) {
        u.e[1][j] -= CMUL(along, u.e[0][j]);
        norm += dot(u.e[1][j], u.e[1][j]);
    }
    norm = rsqrt(norm);
    for (int j = 0; j < 3; j++)
        u.e[1][j] *= norm;
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        const float2 m = CMUL(u.e[0][k], u.e[1][l]) - CMUL(u.e[0][l], u.e[1][k]);
        u.e[2][j] = CONJ(m);
    }
    for (int i = 0; i < 9; i++)
        links[(size_t)(mu * 9 + i) * volume + site] = u.e[i / 3][i % 3];
}

static int step(int site, int dir, int by, const int *dims, const int *strides)
{
    const int x = site / strides[dir] % dims[dir];
    return site + (((x + by) & (dims[dir] - 1)) - x) * strides[dir];
}

__kernel void gauge_force(__global const float2 *links, __global float2 *force,
                          const int4 lattice, const float beta)
{
    const int dims[4] = { lattice.x, lattice.y, lattice.z, lattice.w };
    const int strides[4] = { 1, dims[0], dims[0] * dims[1], dims[0] * dims[1] * dims[2] };
    const int volume = strides[3] * dims[3];
    const int mu = get_global_id(0) / volume, site = get_global_id(0) % volume;
    const int ahead = step(site, mu, 1, dims, strides);

    su3 sum;
    for (int i = 0; i < 9; i++)
        sum.e[i / 3][i % 3] = (float2)(0.0f);

    for (int nu = 0; nu < 4; nu++) {
        if (nu == mu)
            continue;
        const int up = step(site, nu, 1, dims, strides);
        const int down = step(site, nu, -1, dims, strides);
        const int corner = step(ahead, nu, -1, dims, strides);

        // U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+  and  U_nu(x+mu-nu)^+ U_mu(x-nu)^+ U_nu(x-nu)
        const su3 upper = mul_na(mul_na(load_link(links, volume, nu, ahead), load_link(links, volume, mu, up)),
                                 load_link(links, volume, nu, site));
        const su3 back = mul_nn(load_link(links, volume, mu, down), load_link(links, volume, nu, corner));
        const su3 lower = mul_an(back, load_link(links, volume, nu, down));
        for (int i = 0; i < 9; i++)
            sum.e[i / 3][i % 3] += upper.e[i / 3][i % 3] + lower.e[i / 3][i % 3];
    }

    const su3 w = mul_nn(load_link(links, volume, mu, site), sum);
    const float trace = (w.e[0][0].y + w.e[1][1].y + w.e[2][2].y) / 3.0f;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            float2 f = 0.5f * (w.e[i][j] - CONJ(w.e[j][i]));
            if (i == j)
                f.y -= trace;
            force[(size_t)(mu * 9 + 3 * i + j) * volume + site] = (beta / 6.0f) * f;
        }
}
