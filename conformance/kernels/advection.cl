// A quantity carried along by a flow: what was there before, between four cells.
kernel void advection(global const float *quantity, global const float2 *flow, global float *result, int width, int height,
                      float dt)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float2 speed = flow[y * width + x];
    float2 p = (float2)(x, y) - dt * speed;
    p = clamp(p, (float2)(0.0f, 0.0f), (float2)(width - 1.001f, height - 1.001f));
    int2 cell = convert_int2(floor(p));
    float2 part = p - floor(p);
    int at = cell.y * width + cell.x;
    float top = mix(quantity[at], quantity[at + 1], part.x);
    float bottom = mix(quantity[at + width], quantity[at + width + 1], part.x);
    result[y * width + x] = mix(top, bottom, part.y);
}
