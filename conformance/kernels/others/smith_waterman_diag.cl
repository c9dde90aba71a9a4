// @ sw_affine 16384|1048576 64 u8:16384|1048576:0..20 u8:40960|2621440:0..20 i8:400:-4..4 u8:256|16384:96..161 >i32:512|32768 160
/*
 * Smith-Waterman local alignment of proteins with affine gaps (Gotoh).
 * One work-group per pair: work-item i owns row i of the matrix (the query has
 * 64 residues) and the group advances along the anti-diagonals.
 * Result: best score, and row << 16 | column of its (first) cell.
 */
#define QLEN      64
#define MAX_TLEN  160
#define ALPHABET  20
#define GAP_OPEN  11
#define GAP_EXT   1
#define MATCH     6     /* on top of the matrix */

struct best_cell {
    int score;
    int where;
};

__kernel
__attribute__((reqd_work_group_size(QLEN, 1, 1)))
void sw_affine(__global const uchar *queries,
               __global const uchar *targets,
               __global const char *matrix,
               __global const uchar *target_length,
               __global int *result,
               int target_stride)
{
    __local char  score[ALPHABET * ALPHABET];
    __local uchar target[MAX_TLEN];
    __local short h_row[2][QLEN + 1];   /* H of the row above, by diagonal parity */
    __local short f_row[2][QLEN + 1];
    __local struct best_cell cells[QLEN];

    const int i = get_local_id(0);
    const int pair = get_group_id(0);
    const int tlen = target_length[pair];

    for (int k = i; k < ALPHABET * ALPHABET; k += QLEN)
        score[k] = matrix[k] + ((k / ALPHABET == k % ALPHABET) ? MATCH : 0);
    for (int k = i; k < tlen; k += QLEN)
        target[k] = targets[pair * target_stride + k];
    h_row[0][i + 1] = h_row[1][i + 1] = 0;
    f_row[0][i + 1] = f_row[1][i + 1] = -1000;
    if (i == 0) {
        h_row[0][0] = h_row[1][0] = 0;
        f_row[0][0] = f_row[1][0] = -1000;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const int residue = queries[pair * QLEN + i] * ALPHABET;
    short h_left = 0, h_diag = 0, e = -1000;
    struct best_cell best = { 0, 0 };

    for (int diag = 0; diag < tlen + QLEN - 1; diag++) {
        const int cur = diag & 1, last = cur ^ 1;
        const int j = diag - i;
        if (j >= 0 && j < tlen) {
            /* row i-1 did column j one diagonal ago; slot i is that row */
            const short h_up = h_row[last][i];
            const short f_up = f_row[last][i];

            e = max((short)(e - GAP_EXT), (short)(h_left - GAP_OPEN));
            short f = max((short)(f_up - GAP_EXT), (short)(h_up - GAP_OPEN));
            short h = h_diag + score[residue + target[j]];
            h = max(max(h, (short)0), max(e, f));

            h_diag = h_up;
            h_left = h;
            h_row[cur][i + 1] = h;
            f_row[cur][i + 1] = f;
            if (h > best.score) {
                best.score = h;
                best.where = i << 16 | j;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    cells[i] = best;
    for (int dist = QLEN / 2; dist > 0; dist /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < dist) {
            struct best_cell other = cells[i + dist];
            if (other.score > cells[i].score ||
                (other.score == cells[i].score && other.where < cells[i].where))
                cells[i] = other;
        }
    }
    if (i == 0) {
        result[2 * pair] = cells[0].score;
        result[2 * pair + 1] = cells[0].where;
    }
}
