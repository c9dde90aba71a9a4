// Rounds of a mixing function.
kernel void hash(global const uint *input, global uint *output, uint rounds)
{
    size_t i = get_global_id(0);
    uint h = input[i];
    for (uint k = 0; k < rounds; k++) {
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h = rotate(h ^ (h >> 16), 5u) + k;
    }
    output[i] = h;
}
