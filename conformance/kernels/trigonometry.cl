// Functions of one number, four times in turn.
kernel void trigonometry(global const float *input, global float *output)
{
    size_t i = get_global_id(0);
    float x = input[i] * 6.0f;
    for (uint k = 0; k < 4; k++) {
        x = sin(x) * cos(x) + pow(fabs(x) + 1.0f, 1.7f);
    }
    output[i] = x;
}
