// @ pairhmm 512|65536 64 u8:24576|3145728:0..4 u8:24576|3145728:4..21 u8:28672|3670016:0..4 >f32:512|65536 0.001f 0.1f

// Pair hidden Markov model, forward algorithm: the likelihood of a read, given
// a haplotype, as in GATK's HaplotypeCaller. One pair per work-item; rows of
// the three matrices stay in private arrays.

#define READ_LENGTH 48
#define HAP_LENGTH  56

// Values begin large so that they stay within the range of floats.
#define LOG10_INITIAL 36.12359948f      // log10(2^120)

typedef struct Transitions {
  float match_match;
  float indel_match;
  float match_indel;
  float indel_indel;
} Transitions;

__kernel void pairhmm(__global const uchar* restrict reads,
                      __global const uchar* restrict qualities,
                      __global const uchar* restrict haplotypes,
                      __global float* restrict log10_likelihood,
                      float gap_open, float gap_extend) {
  const size_t pair = get_global_id(0);
  __global const uchar* read = reads + pair * READ_LENGTH;
  __global const uchar* quality = qualities + pair * READ_LENGTH;
  __global const uchar* hap = haplotypes + pair * HAP_LENGTH;

  Transitions t;
  t.match_match = 1.0f - 2.0f * gap_open;
  t.indel_match = 1.0f - gap_extend;
  t.match_indel = gap_open;
  t.indel_indel = gap_extend;

  float M[HAP_LENGTH + 1];
  float I[HAP_LENGTH + 1];
  float D[HAP_LENGTH + 1];
  uchar bases[HAP_LENGTH];

  // The read may begin anywhere in the haplotype.
  for (int j = 0; j <= HAP_LENGTH; ++j) {
    M[j] = 0.0f;
    I[j] = 0.0f;
    D[j] = 0x1p120f / HAP_LENGTH;
  }
  for (int j = 0; j < HAP_LENGTH; ++j) bases[j] = hap[j];

  for (int i = 0; i < READ_LENGTH; ++i) {
    const uchar base = read[i];
    const float error = exp10(-0.1f * quality[i]);
    const float prior_match = 1.0f - error;
    const float prior_mismatch = error / 3.0f;

    float diagonal_m = M[0];
    float diagonal_i = I[0];
    float diagonal_d = D[0];
    M[0] = 0.0f;
    I[0] = 0.0f;
    D[0] = 0.0f;
    for (int j = 1; j <= HAP_LENGTH; ++j) {
      const float up_m = M[j];
      const float up_i = I[j];
      const float up_d = D[j];
      const float prior = bases[j - 1] == base ? prior_match : prior_mismatch;

      M[j] = prior * (diagonal_m * t.match_match + (diagonal_i + diagonal_d) * t.indel_match);
      I[j] = up_m * t.match_indel + up_i * t.indel_indel;
      D[j] = M[j - 1] * t.match_indel + D[j - 1] * t.indel_indel;

      diagonal_m = up_m;
      diagonal_i = up_i;
      diagonal_d = up_d;
    }
  }

  // ... and end anywhere.
  float sum = 0.0f;
  for (int j = 1; j <= HAP_LENGTH; ++j) sum += M[j] + I[j];
  log10_likelihood[pair] = log10(sum) - LOG10_INITIAL;
}
