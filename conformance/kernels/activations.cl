// What networks put between layers: GELU by erf, a sigmoid, tanh and softplus.
kernel void activations(global const float4 *input, global float4 *output)
{
    size_t i = get_global_id(0);
    float4 x = 8.0f * input[i] - 4.0f;
    float gelu = 0.5f * x.x * (1.0f + erf(x.x * 0.70710678f));
    float sigmoid = 1.0f / (1.0f + exp(-x.y));
    float softplus = log(1.0f + exp(x.w));
    output[i] = (float4)(gelu, sigmoid, tanh(x.z), softplus);
}
