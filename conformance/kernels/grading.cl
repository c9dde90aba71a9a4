// Colours looked up in a table of 33 x 33 x 33, between eight of its entries.
#define SIZE 33

float4 entry(global const float4 *table, int r, int g, int b)
{
    return table[(b * SIZE + g) * SIZE + r];
}

kernel void grading(global const uchar4 *picture, global const float4 *table, global uchar4 *result)
{
    size_t i = get_global_id(0);
    uchar4 pixel = picture[i];
    float4 place = convert_float4(pixel) / 255.0f * (SIZE - 1);
    float4 low = fmin(floor(place), SIZE - 2);
    float4 part = place - low;
    int r = (int)low.x, g = (int)low.y, b = (int)low.z;
    float4 c00 = mix(entry(table, r, g, b), entry(table, r + 1, g, b), part.x);
    float4 c10 = mix(entry(table, r, g + 1, b), entry(table, r + 1, g + 1, b), part.x);
    float4 c01 = mix(entry(table, r, g, b + 1), entry(table, r + 1, g, b + 1), part.x);
    float4 c11 = mix(entry(table, r, g + 1, b + 1), entry(table, r + 1, g + 1, b + 1), part.x);
    float4 colour = mix(mix(c00, c10, part.y), mix(c01, c11, part.y), part.z);
    result[i] = convert_uchar4_sat_rte((float4)(colour.xyz * 255.0f, pixel.w));
}
