// @ sample_rows 4096|131072 256 f32:131072|33554432:-8..8 u32:1024|32768:0..8192|65536 u32:16|512 >u32:16|512 8192|65536 64 0.8f 1.15f 0.05f local:1024|8192
//
// Samples one token per row of logits: repetition penalty, temperature, min-p
// (tokens must have at least a share of the probability of the likeliest),
// and then the Gumbel-max trick, for which nothing need be normalised.

#define GROUP 256

/* PCG output permutation of a hashed counter (Jarzynski & Olano) */
uint pcg(uint v)
{
  const uint state = v * 747796405u + 2891336453u;
  const uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
  return (word >> 22) ^ word;
}

float gumbel(uint seed, uint token)
{
  const uint h = pcg(seed ^ pcg(token));
  const float u = ((float)(h >> 9) + 0.5f) * 0x1p-23f;  /* in (0, 1) */
  return -log(-log(u));
}

float adjusted(float logit, bool repeated, float inverse_temperature, float penalty)
{
  if (repeated)
    logit = logit > 0.0f ? logit / penalty : logit * penalty;
  return logit * inverse_temperature;
}

#define IS_REPEATED(set, token) (((set)[(token) >> 5] >> ((token) & 31)) & 1u)

__kernel void sample_rows(__global const float *logits,
                          __global const uint *history,
                          __global const uint *seeds,
                          __global uint *tokens,
                          const int vocabulary,
                          const int history_length,
                          const float temperature,
                          const float penalty,
                          const float min_p,
                          __local uint *repeated)
{
  __local float best_value[GROUP];
  __local uint best_token[GROUP];

  const uint lid = get_local_id(0);
  const uint row = get_group_id(0);
  const float inverse_temperature = 1.0f / temperature;
  __global const float *in = logits + (size_t)row * vocabulary;

  /* the set of tokens of the history */
  for (int i = lid; i < vocabulary / 32; i += GROUP)
    repeated[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = lid; i < history_length; i += GROUP) {
    const uint token = history[row * history_length + i];
    atomic_or(&repeated[token >> 5], 1u << (token & 31));
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  /* maximum */
  float top = -INFINITY;
  for (int t = lid; t < vocabulary; t += GROUP)
    top = fmax(top, adjusted(in[t], IS_REPEATED(repeated, t), inverse_temperature, penalty));
  best_value[lid] = top;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = GROUP / 2; s > 0; s >>= 1) {
    if (lid < s)
      best_value[lid] = fmax(best_value[lid], best_value[lid + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float threshold = best_value[0] + log(min_p);
  barrier(CLK_LOCAL_MEM_FENCE);

  /* the greatest of the disturbed logits; of equals, the first */
  float value = -INFINITY;
  uint choice = 0;
  for (int t = lid; t < vocabulary; t += GROUP) {
    const float x = adjusted(in[t], IS_REPEATED(repeated, t), inverse_temperature, penalty);
    if (x < threshold)
      continue;
    const float g = x + gumbel(seeds[row], t);
    if (g > value) {
      value = g;
      choice = t;
    }
  }
  best_value[lid] = value;
  best_token[lid] = choice;
  for (uint s = GROUP / 2; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < s) {
      const float other = best_value[lid + s];
      if (other > best_value[lid]
          || (other == best_value[lid] && best_token[lid + s] < best_token[lid])) {
        best_value[lid] = other;
        best_token[lid] = best_token[lid + s];
      }
    }
  }
  if (lid == 0)
    tokens[row] = best_token[0];
}
