// @ count_alive 65536|4194304 256 u32:65536|4194304 zeros:u32:257|16385 100
// @ scan_block_counts 256 256 #1 256|16384
// @ scatter_alive 65536|4194304 256 #0 #1 >u32:65536|4194304 100
/*
 * Order preserving compaction of a particle list.  The low byte of a record
 * is the particle's remaining life; those above `min_life' are kept.
 *
 *   count_alive        how many per block of 256
 *   scan_block_counts  exclusive scan over the blocks (one work-group)
 *   scatter_alive      write them to their places
 */
#define WG 256

bool is_alive(uint rec, int min_life)
{
    return (rec & 0xff) > min_life;
}

/* exclusive scan of one value per work-item; returns the total in *sum */
uint scan_group(uint v, __local uint *tmp, uint *sum)
{
    size_t i = get_local_id(0);
    uint in = 0, out = WG;

    tmp[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < WG; d *= 2) {
        tmp[out + i] = i >= d ? tmp[in + i] + tmp[in + i - d] : tmp[in + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint t = in;
        in = out;
        out = t;
    }
    *sum = tmp[in + WG - 1];
    uint incl = tmp[in + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    return incl - v;
}

kernel void count_alive(global const uint *recs, global uint *counts, int min_life)
{
    local uint n;
    if (get_local_id(0) == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (is_alive(recs[get_global_id(0)], min_life))
        atomic_inc(&n);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = n;
}

kernel void scan_block_counts(global uint *counts, int n)
{
    local uint tmp[2 * WG];
    uint carry = 0;

    for (int base = 0; base < n; base += WG) {
        int i = base + get_local_id(0);
        uint v = i < n ? counts[i] : 0;
        uint sum;
        uint excl = scan_group(v, tmp, &sum);
        if (i < n)
            counts[i] = carry + excl;
        carry += sum;
    }
    if (get_local_id(0) == 0)
        counts[n] = carry;
}

kernel void scatter_alive(global const uint *recs, global const uint *offsets,
                          global uint *out, int min_life)
{
    local uint tmp[2 * WG];
    uint rec = recs[get_global_id(0)];
    bool alive = is_alive(rec, min_life);
    uint sum;
    uint pos = scan_group(alive ? 1 : 0, tmp, &sum);

    if (alive)
        out[offsets[get_group_id(0)] + pos] = rec;
}
