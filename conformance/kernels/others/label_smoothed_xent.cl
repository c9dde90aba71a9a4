// @ xent_fwd_bwd 32768|524288 128 f32:1024256|50335744:-6..6 u32:256|4096:0..4200|12900 >f32:1024512|50339840 4001|12289 256|4096 0.1f 0.25f
/*
 * Cross entropy with label smoothing, fused forward + backward.
 *
 *   loss = (1 - eps) * (lse - x[target]) + eps * (lse - mean(x))
 *   dx_j = scale * (softmax_j - (1 - eps) * [j == target] - eps / V)
 *
 * One work-group per row of logits. The gradient goes to grad[row * V + j],
 * the losses come after all the gradients. A target outside the vocabulary is
 * padding: no loss, no gradient.
 */
#define WG 128

typedef struct {
	float max;
	float sum;	/* of exp(x - max) */
	float plain;	/* of x, for the smoothing term */
} stat_t;

inline stat_t stat_push(stat_t s, float x)
{
	if (x > s.max) {
		s.sum = s.sum * exp(s.max - x) + 1.0f;
		s.max = x;
	} else {
		s.sum += exp(x - s.max);
	}
	s.plain += x;
	return s;
}

inline stat_t stat_join(stat_t a, stat_t b)
{
	stat_t r;
	r.max = fmax(a.max, b.max);
	r.sum = a.sum * exp(a.max - r.max) + b.sum * exp(b.max - r.max);
	r.plain = a.plain + b.plain;
	return r;
}

__kernel void xent_fwd_bwd(__global const float *restrict logits,
			   __global const uint *restrict targets,
			   __global float *restrict grad,
			   int vocab, int rows, float eps, float scale)
{
	__local stat_t part[WG];
	const int row = get_group_id(0);
	const int lid = get_local_id(0);
	const uint target = targets[row];
	const int quads = vocab / 4;

	__global const float *x = logits + (size_t)row * vocab;
	__global float *dx = grad + (size_t)row * vocab;

	if (target >= (uint)vocab) {
		for (int j = lid; j < vocab; j += WG)
			dx[j] = 0.0f;
		if (lid == 0)
			grad[(size_t)rows * vocab + row] = 0.0f;
		return;
	}

	stat_t s = { -1e30f, 0.0f, 0.0f };
	for (int j = lid; j < quads; j += WG) {
		float4 v = vload4(j, x);
		s = stat_push(s, v.x);
		s = stat_push(s, v.y);
		s = stat_push(s, v.z);
		s = stat_push(s, v.w);
	}
	/* vocabularies are rarely a multiple of four */
	for (int j = quads * 4 + lid; j < vocab; j += WG)
		s = stat_push(s, x[j]);

	part[lid] = s;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int half_n = WG / 2; half_n >= 1; half_n /= 2) {
		if (lid < half_n)
			part[lid] = stat_join(part[lid], part[lid + half_n]);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	s = part[0];

	const float lse = s.max + log(s.sum);
	const float uniform = eps / (float)vocab;
	for (int j = lid; j < quads; j += WG) {
		float4 g = exp(vload4(j, x) - lse) - uniform;
		vstore4(g * scale, j, dx);
	}
	for (int j = quads * 4 + lid; j < vocab; j += WG)
		dx[j] = (exp(x[j] - lse) - uniform) * scale;

	barrier(CLK_GLOBAL_MEM_FENCE);
	if (lid == 0) {
		dx[target] -= (1.0f - eps) * scale;
		float nll = lse - x[target];
		float smooth = lse - s.plain / (float)vocab;
		grad[(size_t)rows * vocab + row] = (1.0f - eps) * nll + eps * smooth;
	}
}
