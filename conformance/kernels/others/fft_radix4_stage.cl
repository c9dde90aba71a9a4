// @ fft_radix4 1024x16|1024x1024 64x1 f32:131072|8388608:-1..1 zeros:f32:131072|8388608 1u
// @ fft_radix4 1024x16|1024x1024 64x1 #1 #0 4u
// @ fft_radix4 1024x16|1024x1024 64x1 #0 #1 16u
// @ fft_radix4 1024x16|1024x1024 64x1 #1 #0 64u
// @ fft_radix4 1024x16|1024x1024 64x1 #0 #1 256u
// @ fft_radix4 1024x16|1024x1024 64x1 #1 #0 1024u
// @ power_spectrum 65536|4194304 256 #0 >f32:65536|4194304 0.01f

// Batched 4096 point Stockham FFT, one radix-4 stage per launch, ping-pong
// between two buffers. dim 0 = butterfly, dim 1 = transform.

typedef float2 cplx;

cplx cmul(cplx a, cplx b)
{
    return (cplx)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// multiply by -i
cplx rot90(cplx a) { return (cplx)(a.y, -a.x); }

cplx twiddle(float phi)
{
    float c;
    float s = sincos(phi, &c);
    return (cplx)(c, s);
}

__kernel void fft_radix4(__global const cplx *x, __global cplx *y, uint p)
{
    uint t = get_global_size(0);        // a quarter of the length
    uint i = get_global_id(0);
    uint k = i & (p - 1);

    x += get_global_id(1) * 4 * t + i;
    y += get_global_id(1) * 4 * t + ((i - k) << 2) + k;

    cplx w1 = twiddle(-M_PI_F * (float)k / (float)(2 * p));
    cplx w2 = cmul(w1, w1);
    cplx w3 = cmul(w1, w2);

    cplx u0 = x[0];
    cplx u1 = cmul(w1, x[t]);
    cplx u2 = cmul(w2, x[2 * t]);
    cplx u3 = cmul(w3, x[3 * t]);

    cplx a = u0 + u2;
    cplx b = u0 - u2;
    cplx c = u1 + u3;
    cplx d = rot90(u1 - u3);

    y[0]     = a + c;
    y[p]     = b + d;
    y[2 * p] = a - c;
    y[3 * p] = b - d;
}

__kernel void power_spectrum(__global const cplx *bins, __global float *power, float noise_floor)
{
    size_t i = get_global_id(0);
    cplx v = bins[i];
    power[i] = fmax(dot(v, v), noise_floor);
}
