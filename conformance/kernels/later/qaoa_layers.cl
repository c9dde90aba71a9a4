// @ prepare 16384|4194304 64 f32:32768|8388608:-1..1 zeros:f32:32768|8388608 0.0078125f|0.00048828125f
// @ cost_layer 16384|4194304 64 #1 f32:32:0..1 u8:64:0..14|22 24 0.37f
// @ mixer_pair 4096|1048576 64 #1 0 1 0.41f
// @ mixer_pair 4096|1048576 64 #1 5 3 0.41f
// @ mixer_pair 4096|1048576 64 #1 13 9 0.41f
// @ cost_layer 16384|4194304 64 #1 #2 #3 24 0.61f
// @ mixer_pair 4096|1048576 64 #1 2 7 0.23f
// @ energy_density 16384|4194304 64 #1 #2 #3 >f32:16384|4194304 24 16384.0f|4194304.0f

/* Statevector simulation of QAOA for weighted max-cut.
   Amplitudes are (re, im); qubit q is bit q of the index. */

float cut_energy(const uint state, __global const float *weights, __global const uchar *ends, const int edges)
{
  float e = 0.0f;
  for (int k = 0; k < edges; k++) {
    const uint a = ends[2 * k], b = ends[2 * k + 1];
    const uint differ = ((state >> a) ^ (state >> b)) & 1u;
    e += differ ? weights[k] : -weights[k];
  }
  return e;
}

/* inserts a zero bit at position q */
ulong spread(ulong i, uint q)
{
  const ulong low = i & (((ulong)1 << q) - 1);
  return ((i ^ low) << 1) | low;
}

__kernel void prepare(__global const float2 *initial, __global float2 *psi, float scale)
{
  const size_t i = get_global_id(0);
  psi[i] = initial[i] * scale;
}

/* diagonal: psi *= exp(-i gamma C) */
__kernel void cost_layer(__global float2 *psi,
                         __global const float *weights,
                         __global const uchar *ends,
                         int edges,
                         float gamma)
{
  const size_t i = get_global_id(0);
  float c;
  const float s = sincos(-gamma * cut_energy((uint)i, weights, ends, edges), &c);
  const float2 a = psi[i];
  psi[i] = (float2)(a.x * c - a.y * s, a.x * s + a.y * c);
}

/* exp(-i beta X) on two qubits at a time */
__kernel void mixer_pair(__global float2 *psi, uint p, uint q, float beta)
{
  const uint lo = min(p, q), hi = max(p, q);
  const ulong base = spread(spread(get_global_id(0), lo), hi);
  const ulong i01 = base | ((ulong)1 << lo);
  const ulong i10 = base | ((ulong)1 << hi);
  const ulong i11 = i01 | i10;

  const float c = cos(beta), s = sin(beta);
  float2 a = psi[base], b = psi[i01], d = psi[i10], e = psi[i11];

  /* (a, b) -> (c a - i s b, c b - i s a), and -i (x + iy) = y - ix */
#define RX(u, v)                                                        \
  {                                                                     \
    const float2 t = u;                                                 \
    u = c * u + s * (float2)(v.y, -v.x);                                \
    v = c * v + s * (float2)(t.y, -t.x);                                \
  }
  RX(a, b)
  RX(d, e)
  RX(a, d)
  RX(b, e)
#undef RX

  psi[base] = a;
  psi[i01] = b;
  psi[i10] = d;
  psi[i11] = e;
}

__kernel void energy_density(__global const float2 *psi,
                             __global const float *weights,
                             __global const uchar *ends,
                             __global float *density,
                             int edges,
                             float states)
{
  const size_t i = get_global_id(0);
  const float2 a = psi[i];
  density[i] = states * dot(a, a) * cut_energy((uint)i, weights, ends, edges);
}
