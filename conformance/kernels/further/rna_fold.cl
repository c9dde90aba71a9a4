// @ fold_sequences 1024|1048576 64 u8:1024|1048576 >i16:2048|2097152

// RNA secondary structure, a stacking variant of Nussinov's recursion for windows of 64
// bases, in local memory. Diagonals are filled in turn; work-item i does the span that
// begins at i. Scores are 10 times the gain in kcal/mol; hairpins have 3 bases at least.

#define N         64
#define MIN_LOOP  3
#define PITCH     (N + 1)

enum { A, C, G, U };

__constant short pair_gain[4][4] = {
    /*        A   C   G   U */
    /* A */ { 0,  0,  0, 11 },
    /* C */ { 0,  0, 24,  0 },
    /* G */ { 0, 24,  0,  6 },
    /* U */ {11,  0,  6,  0 },
};

#define STACK_BONUS 9

__kernel __attribute__((reqd_work_group_size(N, 1, 1)))
void fold_sequences(__global const uchar *bases, __global short2 *profile)
{
    __local uchar seq[N];
    __local short best[N * PITCH];      // of span [i, j]
    __local short closed[N * PITCH];    // of span [i, j] whose ends pair, or less than 0

    const int i = get_local_id(0);
    const size_t base = get_group_id(0) * N;
    seq[i] = bases[base + i] & 3;
    for (int j = 0; j < N; j++) {
        best[i * PITCH + j] = 0;
        closed[i * PITCH + j] = -1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int span = MIN_LOOP + 1; span < N; span++) {
        const int j = i + span;
        if (j < N) {
            const short gain = pair_gain[seq[i]][seq[j]];
            short c = -1;
            if (gain > 0) {
                c = gain + best[(i + 1) * PITCH + j - 1];
                const short inner = closed[(i + 1) * PITCH + j - 1];
                if (inner >= 0)
                    c = max(c, (short)(gain + STACK_BONUS + inner));
            }
            closed[i * PITCH + j] = c;

            short b = max(best[(i + 1) * PITCH + j], c);
            // the first base pairs with k, the rest of the span is independent
            for (int k = i + MIN_LOOP + 1; k < j; k++) {
                const short left = closed[i * PITCH + k];
                if (left >= 0)
                    b = max(b, (short)(left + best[(k + 1) * PITCH + j]));
            }
            best[i * PITCH + j] = b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // for each base: the best fold to the end from there, and its best partner
    short top = -1;
    int partner = -1;
    for (int k = i + MIN_LOOP + 1; k < N; k++) {
        const short c = closed[i * PITCH + k];
        if (c > top) {
            top = c;
            partner = k;
        }
    }
    profile[base + i] = (short2)(best[i * PITCH + N - 1], (short)partner);
}
