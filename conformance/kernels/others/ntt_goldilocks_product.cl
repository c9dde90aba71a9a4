// @ make_roots 512 64 zeros:u64:1024
// @ poly_product 16384|1048576 256 #0 u64:32768|2097152 u64:32768|2097152 >u64:65536|4194304
//
// Products of polynomials with 512 coefficients modulo the prime
// p = 2^64 - 2^32 + 1, through number theoretic transforms of length 1024 in
// local memory: decimation in frequency there, in time back, so that nothing
// is ever bit-reversed.

#define LOGN 10
#define N    (1 << LOGN)
#define WG   256

#define P    0xffffffff00000001UL
#define EPS  0xffffffffUL           /* 2^64 mod P */

typedef ulong fe;

fe fe_add(fe a, fe b)
{
	fe s = a + b;
	if (s < a)
		s += EPS;
	return s >= P ? s - P : s;
}

fe fe_sub(fe a, fe b)
{
	fe d = a - b;
	return a < b ? d + P : d;
}

fe fe_mul(fe a, fe b)
{
	fe lo = a * b, hi = mul_hi(a, b);
	fe hh = hi >> 32, hl = hi & EPS;

	fe t = lo - hh;                 /* 2^96 = -1 */
	if (lo < hh)
		t -= EPS;
	fe u = (hl << 32) - hl;         /* 2^64 = 2^32 - 1 */
	fe r = t + u;
	if (r < u)
		r += EPS;
	return r >= P ? r - P : r;
}

fe fe_pow(fe b, ulong e)
{
	fe r = 1;
	for (; e; e >>= 1) {
		if (e & 1)
			r = fe_mul(r, b);
		b = fe_mul(b, b);
	}
	return r;
}

/* roots[i] = w^i, roots[N/2 + i] = w^-i */
kernel void make_roots(global fe *roots)
{
	ulong i = get_global_id(0);
	fe w = fe_pow(7, (P - 1) / N);
	roots[i] = fe_pow(w, i);
	roots[N / 2 + i] = fe_pow(w, (N - i) % N);
}

void ntt_dif(local fe *x, global const fe *w)
{
	const uint t = get_local_id(0);
	for (uint len = N / 2; len >= 1; len /= 2) {
		const uint stride = N / 2 / len;
		for (uint k = t; k < N / 2; k += WG) {
			uint j = k & (len - 1);
			uint i = 2 * (k - j) + j;
			fe a = x[i], b = x[i + len];
			x[i] = fe_add(a, b);
			x[i + len] = fe_mul(fe_sub(a, b), w[j * stride]);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

void ntt_dit(local fe *x, global const fe *w)
{
	const uint t = get_local_id(0);
	for (uint len = 1; len < N; len *= 2) {
		const uint stride = N / 2 / len;
		for (uint k = t; k < N / 2; k += WG) {
			uint j = k & (len - 1);
			uint i = 2 * (k - j) + j;
			fe a = x[i], b = fe_mul(x[i + len], w[j * stride]);
			x[i] = fe_add(a, b);
			x[i + len] = fe_sub(a, b);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

kernel void poly_product(global const fe *roots,
                         global const ulong *f, global const ulong *g,
                         global ulong *fg)
{
	local fe a[N];
	local fe b[N];
	const uint t = get_local_id(0);
	const size_t in = get_group_id(0) * (size_t)(N / 2);
	const size_t out = get_group_id(0) * (size_t)N;

	for (uint i = t; i < N; i += WG) {
		a[i] = i < N / 2 ? f[in + i] % P : 0;
		b[i] = i < N / 2 ? g[in + i] % P : 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	ntt_dif(a, roots);
	ntt_dif(b, roots);
	for (uint i = t; i < N; i += WG)
		a[i] = fe_mul(a[i], b[i]);
	barrier(CLK_LOCAL_MEM_FENCE);
	ntt_dit(a, roots + N / 2);

	/* 1/N, since P - 1 is a multiple of N */
	const fe scale = P - (P - 1) / N;
	for (uint i = t; i < N; i += WG)
		fg[out + i] = fe_mul(a[i], scale);
}
