// @ grad_norm 4096|131072 256 f16:524288|25165824:-1..1 zeros:f32:16|512 131072|6291456
// @ step_coefficients 256 256 #1 zeros:f32:4 16|512 1000 0.9f 0.999f 1.0f
// @ adamw 131072|6291456 256 #0 f32:524288|25165824:-0.1..0.1 f32:524288|25165824:0.001..0.01 >f32:524288|25165824:-0.05..0.05 zeros:u16:524288|25165824 #2 0.9f 0.999f 3e-4f 0.01f
//
// AdamW with decoupled weight decay, global gradient clipping and mixed
// precision: half gradients, float master weights and moments, and a half
// copy of the weights for the next forward pass.

#define GROUP 256

float reduce_group(__local float *scratch, float x)
{
  const uint lid = get_local_id(0);
  scratch[lid] = x;
  for (uint s = GROUP / 2; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < s)
      scratch[lid] += scratch[lid + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return scratch[0];
}

__kernel void grad_norm(__global const half *grad, __global float *partial, int quads)
{
  __local float scratch[GROUP];
  float sum = 0.0f;
  for (int i = get_global_id(0); i < quads; i += get_global_size(0)) {
    const float4 g = vload_half4(i, grad);
    sum += dot(g, g);
  }
  sum = reduce_group(scratch, sum);
  if (get_local_id(0) == 0)
    partial[get_group_id(0)] = sum;
}

// coefficients: scale of gradients, corrections of both biases
__kernel void step_coefficients(__global const float *partial,
                                __global float *coefficients,
                                int n, int step,
                                float beta1, float beta2, float max_norm)
{
  __local float scratch[GROUP];
  float sum = 0.0f;
  for (int i = get_local_id(0); i < n; i += GROUP)
    sum += partial[i];
  sum = reduce_group(scratch, sum);

  if (get_local_id(0) == 0) {
    const float norm = sqrt(sum);
    coefficients[0] = norm > max_norm ? max_norm / norm : 1.0f;
    coefficients[1] = 1.0f / (1.0f - pow(beta1, (float)step));
    coefficients[2] = 1.0f / (1.0f - pow(beta2, (float)step));
  }
}

__kernel void adamw(__global const half *restrict grad,
                    __global float4 *restrict exp_avg,
                    __global float4 *restrict exp_avg_sq,
                    __global float4 *restrict weights,
                    __global half *restrict weights_half,
                    __constant float *coefficients,
                    const float beta1, const float beta2,
                    const float learning_rate, const float decay)
{
  const size_t i = get_global_id(0);
  const float4 g = vload_half4(i, grad) * coefficients[0];

  const float4 m = mix(g, exp_avg[i], beta1);
  const float4 v = mix(g * g, exp_avg_sq[i], beta2);
  exp_avg[i] = m;
  exp_avg_sq[i] = v;

  const float4 update = (m * coefficients[1]) / (sqrt(v * coefficients[2]) + 1e-8f);
  float4 w = weights[i];
  w -= learning_rate * (update + decay * w);
  weights[i] = w;
  vstore_half4(w, i, weights_half);
}
