// Philox of four words and ten rounds, and normal numbers of it by the method of Box and Muller.
kernel void philox(global float4 *numbers, uint2 key)
{
    uint4 c = (uint4)(get_global_id(0), 0, 1, 2);
    for (int round = 0; round < 10; round++) {
        uint high0 = mul_hi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        uint high1 = mul_hi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = (uint4)(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    float4 u = (convert_float4(c >> 8) + 0.5f) * 0x1p-24f;
    float r = sqrt(-2 * log(u.x)), s = sqrt(-2 * log(u.z));
    float cosine, other;
    float sine = sincos(2 * M_PI_F * u.y, &cosine);
    float second = sincos(2 * M_PI_F * u.w, &other);
    numbers[get_global_id(0)] = (float4)(r * cosine, r * sine, s * other, s * second);
}
