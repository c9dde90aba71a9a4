// @ extend_seeds 256|262144 64 u8:512:0..20 u8:65536|33554432:0..20 u32:256|262144:64..448 u32:256|262144:64..65472|33554368 >i32:1024|1048576 512 16 38

// BLASTP-like extension of word hits. First without gaps in both directions
// until the score drops by X; then with affine gaps to the right of the seed
// in a band, also with X-drop.

#define WORD 3
#define BAND 16
#define MAX_ROWS 48
#define MAX_UNGAPPED 60
#define GAP_OPEN 11
#define GAP_EXTEND 1
#define NO_SCORE (-10000)

// BLOSUM62, residues in the order ARNDCQEGHILKMFPSTWYV
constant char blosum62[20 * 20] = {
   4,-1,-2,-2, 0,-1,-1, 0,-2,-1,-1,-1,-1,-2,-1, 1, 0,-3,-2, 0,
  -1, 5, 0,-2,-3, 1, 0,-2, 0,-3,-2, 2,-1,-3,-2,-1,-1,-3,-2,-3,
  -2, 0, 6, 1,-3, 0, 0, 0, 1,-3,-3, 0,-2,-3,-2, 1, 0,-4,-2,-3,
  -2,-2, 1, 6,-3, 0, 2,-1,-1,-3,-4,-1,-3,-3,-1, 0,-1,-4,-3,-3,
   0,-3,-3,-3, 9,-3,-4,-3,-3,-1,-1,-3,-1,-2,-3,-1,-1,-2,-2,-1,
  -1, 1, 0, 0,-3, 5, 2,-2, 0,-3,-2, 1, 0,-3,-1, 0,-1,-2,-1,-2,
  -1, 0, 0, 2,-4, 2, 5,-2, 0,-3,-3, 1,-2,-3,-1, 0,-1,-3,-2,-2,
   0,-2, 0,-1,-3,-2,-2, 6,-2,-4,-4,-2,-3,-3,-2, 0,-2,-2,-3,-3,
  -2, 0, 1,-1,-3, 0, 0,-2, 8,-3,-3,-1,-2,-1,-2,-1,-2,-2, 2,-3,
  -1,-3,-3,-3,-1,-3,-3,-4,-3, 4, 2,-3, 1, 0,-3,-2,-1,-3,-1, 3,
  -1,-2,-3,-4,-1,-2,-3,-4,-3, 2, 4,-2, 2, 0,-3,-2,-1,-2,-1, 1,
  -1, 2, 0,-1,-3, 1, 1,-2,-1,-3,-2, 5,-1,-3,-1, 0,-1,-3,-2,-2,
  -1,-1,-2,-3,-1, 0,-2,-3,-2, 1, 2,-1, 5, 0,-2,-1,-1,-1,-1, 1,
  -2,-3,-3,-3,-2,-3,-3,-3,-1, 0, 0,-3, 0, 6,-4,-2,-2, 1, 3,-1,
  -1,-2,-2,-1,-3,-1,-1,-2,-2,-3,-3,-1,-2,-4, 7,-1,-1,-4,-3,-2,
   1,-1, 1, 0,-1, 0, 0, 0,-1,-2,-2, 0,-1,-2,-1, 4, 1,-3,-2,-2,
   0,-1, 0,-1,-1,-1,-1,-2,-2,-1,-1,-1,-1,-2,-1, 1, 5,-2,-2, 0,
  -3,-3,-4,-4,-2,-2,-3,-2,-2,-3,-2,-3,-1, 1,-4,-3,-2,11, 2,-3,
  -2,-2,-2,-3,-2,-1,-2,-3, 2,-1,-1,-2,-1, 3,-3,-2,-2, 2, 7,-1,
   0,-3,-3,-3,-1,-2,-2,-3,-3, 3, 1,-2, 1,-1,-2,-2, 0,-3,-1, 4
};

int pairScore(uchar a, uchar b) { return blosum62[a * 20 + b]; }

typedef struct { int score; int length; } Extension;

Extension extendUngapped(local const uchar* query, global const uchar* subject, int step,
                         int drop) {
  Extension best = {0, 0};
  int score = 0;
  for (int i = 1; i <= MAX_UNGAPPED; ++i) {
    score += pairScore(query[i * step], subject[i * step]);
    if (score > best.score) {
      best.score = score;
      best.length = i;
    }
    if (score < best.score - drop) break;
  }
  return best;
}

// Rows are residues of the query, columns those of the subject within
// BAND / 2 of the diagonal: d = j - i + BAND / 2.
Extension extendGapped(local const uchar* query, global const uchar* subject, int drop) {
  int H[BAND + 1];        // one more, never reached, to the right
  int F[BAND + 1];        // gaps in the subject
  Extension best = {0, 0};

  for (int d = 0; d <= BAND; ++d) {
    const int j = d - BAND / 2;
    H[d] = (j < 0 || d == BAND) ? NO_SCORE : j == 0 ? 0 : -(GAP_OPEN + GAP_EXTEND * j);
    F[d] = NO_SCORE;
  }
  for (int i = 1; i <= MAX_ROWS; ++i) {
    int E = NO_SCORE;     // gap in the query
    int left = NO_SCORE;
    int rowBest = NO_SCORE;
    for (int d = 0; d < BAND; ++d) {
      const int j = i + d - BAND / 2;
      E = max(E, left - GAP_OPEN) - GAP_EXTEND;
      F[d] = max(F[d + 1], H[d + 1] - GAP_OPEN) - GAP_EXTEND;
      int h = max(E, F[d]);
      if (j >= 1) h = max(h, H[d] + pairScore(query[i], subject[j]));
      if (j < 0) h = NO_SCORE;
      H[d] = left = h;
      rowBest = max(rowBest, h);
    }
    if (rowBest > best.score) {
      best.score = rowBest;
      best.length = i;
    }
    if (rowBest < best.score - drop) break;
  }
  return best;
}

kernel void extend_seeds(global const uchar* query, global const uchar* database,
                         global const uint* queryHits, global const uint* databaseHits,
                         global int4* hsps, int queryLength, int ungappedDrop, int gappedDrop) {
  local uchar q[512];
  for (int i = get_local_id(0); i < queryLength; i += get_local_size(0)) q[i] = query[i];
  barrier(CLK_LOCAL_MEM_FENCE);

  const size_t id = get_global_id(0);
  local const uchar* a = q + queryHits[id];
  global const uchar* b = database + databaseHits[id];

  int seed = 0;
  for (int i = 0; i < WORD; ++i) seed += pairScore(a[i], b[i]);
  const Extension left = extendUngapped(a, b, -1, ungappedDrop);
  const Extension right = extendUngapped(a + WORD - 1, b + WORD - 1, 1, ungappedDrop);
  const Extension gapped = extendGapped(a + WORD - 1, b + WORD - 1, gappedDrop);

  hsps[id] = (int4)(seed + left.score + max(right.score, gapped.score), left.length,
                    right.length, gapped.length);
}
