// @ gru_forward 8192|131072 64 f32:81920|4194304:-1..1 f32:6144:-0.3..0.3 f32:12288:-0.2..0.2 f32:384:-0.1..0.1 u32:128|2048:6|20..21|65 >f32:163840|8388608 20|64
//
// GRU layer over whole sequences of different lengths, 32 inputs, 64 units,
// one sequence per work-group, one work-item per unit.
// Weights are stored [gate][from][unit] (r, z, n), biases [gate][2][unit],
// the reset gate is applied after the matrix product (cuDNN convention).

enum { IN = 32, UNITS = 64, R = 0, Z = 1, NEW = 2 };

float sigmoid(float v) { return 1.0f / (1.0f + exp(-v)); }

float column(__global const float *w, __local const float *v, int n, int unit)
{
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += w[i * UNITS + unit] * v[i];
  return s;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void gru_forward(__global const float *inputs,
                 __global const float *w_in,
                 __global const float *w_rec,
                 __global const float *bias,
                 __global const uint *lengths,
                 __global float *outputs,
                 int max_steps)
{
  __local float x[IN];
  __local float h[UNITS];

  const int unit = get_local_id(0);
  const int seq = get_group_id(0);
  const int steps = min((int)lengths[seq], max_steps);

  inputs  += seq * max_steps * IN;
  outputs += seq * max_steps * UNITS;

  float b_in[3], b_rec[3];
  for (int g = R; g <= NEW; ++g) {
    b_in[g]  = bias[(2 * g + 0) * UNITS + unit];
    b_rec[g] = bias[(2 * g + 1) * UNITS + unit];
  }

  float state = 0;
  h[unit] = 0;
  for (int t = 0; t < steps; ++t) {
    if (unit < IN)
      x[unit] = inputs[t * IN + unit];
    barrier(CLK_LOCAL_MEM_FENCE);

    float from_in[3], from_rec[3];
    for (int g = R; g <= NEW; ++g) {
      from_in[g]  = b_in[g]  + column(w_in + g * IN * UNITS, x, IN, unit);
      from_rec[g] = b_rec[g] + column(w_rec + g * UNITS * UNITS, h, UNITS, unit);
    }
    const float r = sigmoid(from_in[R] + from_rec[R]);
    const float z = sigmoid(from_in[Z] + from_rec[Z]);
    const float n = tanh(from_in[NEW] + r * from_rec[NEW]);
    state = (1 - z) * n + z * state;

    barrier(CLK_LOCAL_MEM_FENCE);
    h[unit] = state;
    outputs[t * UNITS + unit] = state;
  }
}
