// From sRGB to CIE Lab.
float linear_of(float c) { return c <= 0.04045f ? c / 12.92f : pow((c + 0.055f) / 1.055f, 2.4f); }
float lab_of(float t) { return t > 0.008856f ? cbrt(t) : 7.787f * t + 0.137931f; }

kernel void colour(global const float4 *pixels, global float4 *output)
{
    size_t i = get_global_id(0);
    float4 p = pixels[i];
    float r = linear_of(p.x), g = linear_of(p.y), b = linear_of(p.z);
    float x = lab_of((0.4124f * r + 0.3576f * g + 0.1805f * b) / 0.9505f);
    float y = lab_of(0.2126f * r + 0.7152f * g + 0.0722f * b);
    float z = lab_of((0.0193f * r + 0.1192f * g + 0.9505f * b) / 1.089f);
    output[i] = (float4)(116.0f * y - 16.0f, 500.0f * (x - y), 200.0f * (y - z), p.w);
}
