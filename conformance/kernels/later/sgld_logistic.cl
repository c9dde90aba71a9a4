// @ langevin_chains 512|131072 64 f32:36864|1179648:-1..1 u8:4096|131072:0..2 u32:512|131072 >f32:9216|2359296 4096|131072 64

/* Stochastic gradient Langevin dynamics (Welling & Teh) for Bayesian logistic
 * regression. A chain per work-item; each step draws a small batch of the records.
 * A record is eight features and one score, of which the label is a noisy version.
 * Writes posterior mean (8), posterior variance (8), final log-loss and energy. */

#define DIM 8
#define BATCH 8
#define BURN_IN 16

uint pcg(ulong *state)
{
  ulong old = *state;
  *state = old * 6364136223846793005UL + 1442695040888963407UL;
  uint xorshifted = (uint)(((old >> 18) ^ old) >> 27);
  return rotate(xorshifted, (uint)(32 - (uint)(old >> 59)) & 31u);
}

/* Sum of uniforms; near enough to a normal deviate for the injected noise. */
float8 noise8(ulong *state)
{
  float v[8];
  for (int i = 0; i < 8; i++) {
    uint a = pcg(state), b = pcg(state);
    float s = (float)((a & 0xffffu) + (a >> 16) + (b & 0xffffu) + (b >> 16));
    v[i] = (s * (1.0f / 65536.0f) - 2.0f) * 1.7320508f;
  }
  return vload8(0, v);
}

float dot8(float8 a, float8 b)
{
  return dot(a.lo, b.lo) + dot(a.hi, b.hi);
}

__kernel void langevin_chains(__global const float *features,
                              __global const uchar *labels,
                              __global const uint *seeds,
                              __global float *posterior,
                              int records,
                              int steps)
{
  const int chain = get_global_id(0);
  ulong state = ((ulong)seeds[chain] << 20) + (ulong)chain * 2654435769UL + 1;
  pcg(&state);

  float8 theta = 0.5f * noise8(&state);
  float8 mean = 0.0f, m2 = 0.0f;
  float loss = 0.0f;
  int kept = 0;

  for (int step = 0; step < steps; step++) {
    const float eps = 0.02f * pow(1.0f + 0.1f * (float)step, -0.55f);
    float8 grad = -0.25f * theta;                     /* Gaussian prior */
    loss = 0.0f;

    for (int k = 0; k < BATCH; k++) {
      const uint r = (uint)(((ulong)pcg(&state) * (ulong)records) >> 32);
      const float8 x = vload8(0, features + (size_t)r * 9);
      const float score = features[(size_t)r * 9 + 8];
      /* labels agree with the sign of the score but for those which the bit turns over */
      const float y = (score > 0.0f) != (labels[r] && score < 0.2f) ? 1.0f : -1.0f;
      const float margin = y * dot8(theta, x);
      const float p = 1.0f / (1.0f + exp(margin));
      grad += (16.0f * y * p) * x;
      loss += log1p(exp(-margin));
    }

    theta += 0.5f * eps * grad + sqrt(eps) * noise8(&state);

    if (step >= BURN_IN) {
      kept++;
      const float8 d = theta - mean;
      mean += d / (float)kept;
      m2 += d * (theta - mean);
    }
  }

  __global float *out = posterior + (size_t)chain * 18;
  vstore8(mean, 0, out);
  vstore8(m2 / (float)max(kept - 1, 1), 0, out + 8);
  vstore2((float2)(loss / BATCH, 0.125f * dot8(theta, theta)), 0, out + 16);
}
