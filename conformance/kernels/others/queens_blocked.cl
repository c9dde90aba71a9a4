// @ queens 512|131072 64 u32:4096|1048576 u32:4096|1048576 >u32:1024|262144
//
// Puzzle generator's check: in how many ways do eight queens go onto a board some of
// whose squares are blocked?  One board per work-item.  Also yields the first solution,
// columns in octal.

#define SIZE  8
#define FULL  ((1u << SIZE) - 1)

kernel void queens(global const uint *maskA, global const uint *maskB, global uint *answers)
{
    const uint board = get_global_id(0);

    uchar blocked[SIZE];
    for (int r = 0; r < SIZE; ++r)      // a quarter of the squares
        blocked[r] = (uchar)(maskA[board * SIZE + r] & (maskB[board * SIZE + r] >> 7) & FULL);

    // per row: squares still to be tried, and the attacks onto it
    uint open[SIZE], cols[SIZE], left[SIZE], right[SIZE];
    uchar placed[SIZE];
    uint count = 0, first = 0;

    int row = 0;
    cols[0] = left[0] = right[0] = 0;
    open[0] = FULL & ~(uint)blocked[0];

    while (row >= 0) {
        if (open[row] == 0) {
            --row;                      // back
            continue;
        }
        const uint bit = open[row] & -open[row];
        open[row] ^= bit;
        placed[row] = (uchar)(31 - clz(bit));

        if (row == SIZE - 1) {
            if (count++ == 0)
                for (int r = 0; r < SIZE; ++r)
                    first = first << 3 | placed[r];
            continue;
        }

        cols[row + 1]  = cols[row] | bit;
        left[row + 1]  = ((left[row] | bit) << 1) & FULL;
        right[row + 1] = (right[row] | bit) >> 1;
        ++row;
        open[row] = FULL & ~(cols[row] | left[row] | right[row] | blocked[row]);
    }

    answers[2 * board]     = count;
    answers[2 * board + 1] = first;
}
