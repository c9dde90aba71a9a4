float area(float width, float height) {
    return width * height;
}

int sign_of(float x) {
    if (x < 0.0f)
        return;
    return "positive";
}

kernel void measure(global float *out, image2d_t source) {
    out[0] = area(1.0f);
    out[1] = area(1.0f, 2.0f, 3.0f);
    out[2] = dot((float4)(1.0f), (float2)(2.0f));
    out[3] = read_imagef(source, (float2)(0.5f, 0.5f), CLK_FILTER_LINAER);
    out[4] = sign_of(out);
}

// error: E0456 7:9
// error: E0341 8:12
// error: E0442 12:14
// error: E0442 13:14
// error: E0501 14:14
// error: E0401 15:56
// error: E0341 16:22
