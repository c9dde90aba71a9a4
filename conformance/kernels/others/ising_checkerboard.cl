// @ ising_sweep 256x512|2048x4096 64x4 >i8:262144|16777216:0..2 zeros:i32:512|32768 512|4096 0 12345u
// @ ising_sweep 256x512|2048x4096 64x4 #0 #1 512|4096 1 777u

// Metropolis update of one colour of a periodic 2D Ising lattice.  Spins are
// stored as 0/1.  exp(-4J/kT) and exp(-8J/kT) at kT = 2.4 J as 32-bit
// thresholds; the moves that do not raise the energy are always taken.
__constant uint accept[3] = { 0xffffffffu, 811218000u, 153220000u };

uint hash3(uint a, uint b, uint c)
{
    uint h = a * 0x9E3779B1u ^ (b + 0x7F4A7C15u) * 0x85EBCA77u ^ c * 0xC2B2AE3Du;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    h ^= h >> 15;
    return h;
}

__kernel void ising_sweep(__global char *spin,
                          __global int *flips,
                          int size, int colour, uint seed)
{
    __local int count;
    const int lid = get_local_id(1) * get_local_size(0) + get_local_id(0);
    if (lid == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    const int y = get_global_id(1);
    const int x = 2 * (int)get_global_id(0) + ((y + colour) & 1);
    const int mask = size - 1;
    const int up = ((y - 1) & mask) * size, down = ((y + 1) & mask) * size;
    const int row = y * size;

    const char s = spin[row + x];
    const int nb = spin[up + x] + spin[down + x]
                 + spin[row + ((x - 1) & mask)] + spin[row + ((x + 1) & mask)];
    // energy change / 4J: (2s-1)(2nb-4)/2
    const int de = (2 * s - 1) * (nb - 2);
    const uint r = hash3((uint)x, (uint)y, seed);

    if (r <= accept[max(de, 0)]) {
        spin[row + x] = convert_char_sat(1 - s);
        atomic_inc(&count);
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        flips[get_group_id(1) * get_num_groups(0) + get_group_id(0)] += count;
}
