// Rows in memory of the work-group, of which each turn of a short loop changes one by what it had: what turns load does not
// wait for what others store, but where a row is that of the turn before.
//@ kernel rows
//@ global 16
//@ local 8
//@ arg buffer int[16] = 11 48 85 21 58 95 31 68 4 41 78 14 51 88 24 61
//@ arg buffer int[8] = zero
//@ result 1 = 417 842 1267 1692 361 730 1099 1468
//@ kernel shifted
//@ global 16
//@ local 8
//@ arg buffer int[16] = 11 48 85 21 58 95 31 68 4 41 78 14 51 88 24 61
//@ arg buffer int[16] = zero
//@ result 1 = 220 960 1700 420 1160 1900 620 1360 80 820 1560 280 1020 1760 480 1220

#define WG 8
#define ROWS 4

// Sums of rows, by halves.
kernel void rows(global const int *in, global int *out)
{
    local int sums[ROWS][WG];
    const int lid = get_local_id(0);
    for (int p = 0; p < ROWS; p++)
        sums[p][lid] = in[get_global_id(0)] * (p + 1) + p;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = WG / 2; h > 0; h >>= 1) {
        if (lid < h)
            for (int p = 0; p < ROWS; p++)
                sums[p][lid] += sums[p][lid + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid < ROWS)
        out[get_group_id(0) * ROWS + lid] = sums[lid][0];
}

// Here a turn loads what the turn before has stored.
kernel void shifted(global const int *in, global int *out)
{
    local int sums[ROWS + 1][WG];
    const int lid = get_local_id(0);
    for (int p = 0; p <= ROWS; p++)
        sums[p][lid] = in[get_global_id(0)] * (p + 2);
    for (int p = 0; p < ROWS; p++)
        sums[p + 1][lid] += sums[p][lid];
    out[get_global_id(0)] = sums[ROWS][lid];
}
