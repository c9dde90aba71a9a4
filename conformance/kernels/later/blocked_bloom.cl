// @ bloom_insert 16384|1048576 256 u64:16384|1048576:0..500000|40000000 zeros:u32:8192|524288 10|16
// @ bloom_probe 4096|524288 128 u64:131072|16777216:0..500000|40000000 #1 >u32:4096|524288 10|16

// Split-block Bloom filter as of Apache Parquet / Impala: a key selects a
// block of 256 bits and sets (or tests) one bit in each of its eight words.

__constant uint8 SALT = (uint8)(0x47b6137bu, 0x44974d91u, 0x8824ad5bu, 0xa2b7289du,
                                0x705495c7u, 0x2df1424bu, 0x9efc4947u, 0x5c6bfb31u);

ulong mix64(ulong h)
{
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdUL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53UL;
    h ^= h >> 33;
    return h;
}

uint8 bits_of(uint hash)
{
    return (uint8)(1u) << ((hash * SALT) >> 27);
}

__kernel void bloom_insert(__global const ulong *keys,
                           volatile __global uint *filter,
                           int log_blocks)
{
    const ulong h = mix64(keys[get_global_id(0)]);
    const uint block = (uint)(h >> 32) >> (32 - log_blocks);
    const uint8 b = bits_of((uint)h);

    volatile __global uint *w = filter + block * 8;
    atomic_or(w + 0, b.s0);
    atomic_or(w + 1, b.s1);
    atomic_or(w + 2, b.s2);
    atomic_or(w + 3, b.s3);
    atomic_or(w + 4, b.s4);
    atomic_or(w + 5, b.s5);
    atomic_or(w + 6, b.s6);
    atomic_or(w + 7, b.s7);
}

// Each work-item tests 32 keys, those of a work-group are interleaved, and
// the answers are the bits of one word.
__kernel void bloom_probe(__global const ulong *keys,
                          __global const uint8 *filter,
                          __global uint *selection,
                          int log_blocks)
{
    const size_t first = get_group_id(0) * get_local_size(0) * 32 + get_local_id(0);
    uint selected = 0;

    for (uint k = 0; k < 32; k++) {
        const ulong h = mix64(keys[first + k * get_local_size(0)]);
        const uint8 wanted = bits_of((uint)h);
        const uint8 present = filter[(uint)(h >> 32) >> (32 - log_blocks)];
        const uint hit = all((present & wanted) == wanted);
        selected |= hit << k;
    }
    selection[get_global_id(0)] = selected;
}
