kernel void mix_colours(global float4 *colours, global int4 *masks, float weight) {
    int i = get_global_id(0);
    float4 c = (float4)(1.0f, 0.5f, 0.25f);
    float3 rgb = c.rgx;
    c = colours[i] * masks[i];
    c.xx = (float2)(weight, weight);
    colours[i] = masks[i] ? c : weight;
    colours[i].length = 1.0f
}

// error: E0434 3:16
// error: E0425 4:20
// error: E0422 5:20
// error: E0431 6:5
// error: E0103 8:29
