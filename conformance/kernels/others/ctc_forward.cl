// @ ctc_alpha 2048|262144 128 f32:155648|52428800:-4..4 u32:1008|129024:1..64 u32:16|2048:60|150..153|401 u32:16|2048:5|20..30|64 >f32:16|2048 152|400 64 63 0
//
// Connectionist temporal classification: negative log likelihood.
// Forward variable only. One utterance per work-group, one work-item per state
// of the extended label sequence (blank, l1, blank, l2, ... blank).
//
//   logits      [batch][max_frames][classes]   not normalised
//   labels      [batch][max_labels]

#define STATES   128
#define LOG_ZERO (-1.0e30f)

float log_add(float a, float b) {
  float hi = max(a, b);
  float lo = min(a, b);
  if (lo < -1.0e29f) return hi;
  return hi + log1p(exp(lo - hi));
}

// log of the softmax denominator of one frame; every work-item gets it
float frame_lse(__global const float* frame, uint classes, __local float* scratch) {
  const uint t = get_local_id(0);
  float v = t < classes ? frame[t] : LOG_ZERO;
  scratch[t] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = STATES / 2; k > 0; k >>= 1) {
    if (t < k) scratch[t] = fmax(scratch[t], scratch[t + k]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float top = scratch[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  scratch[t] = t < classes ? exp(v - top) : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = STATES / 2; k > 0; k >>= 1) {
    if (t < k) scratch[t] += scratch[t + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float sum = scratch[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return top + log(sum);
}

__kernel void ctc_alpha(__global const float* logits,
                        __global const uint* labels,
                        __global const uint* frame_counts,
                        __global const uint* label_counts,
                        __global float* nll,
                        uint max_frames, uint classes, uint max_labels, uint blank) {
  __local float alpha[2][STATES + 2];   // two guard cells in front
  __local float scratch[STATES];

  const uint b = get_group_id(0);
  const uint s = get_local_id(0);
  const uint T = min(frame_counts[b], max_frames);
  const uint L = min(label_counts[b], max_labels);
  const uint S = 2 * L + 1;

  logits += (size_t)b * max_frames * classes;
  labels += b * max_labels;

  // label of this state, and whether we may skip the blank before it
  uint mine = blank;
  bool skip = false;
  if (s < S && (s & 1)) {
    mine = labels[s / 2];
    skip = s >= 3 && labels[s / 2 - 1] != mine;
  }

  float lse = frame_lse(logits, classes, scratch);
  if (s < 2) {
    alpha[0][s] = LOG_ZERO;
    alpha[1][s] = LOG_ZERO;
  }
  alpha[0][s + 2] = s < 2 && s < S ? logits[mine] - lse : LOG_ZERO;

  int cur = 0;
  for (uint t = 1; t < T; t++) {
    __global const float* frame = logits + t * classes;
    lse = frame_lse(frame, classes, scratch);    // has the barriers
    float a = LOG_ZERO;
    if (s < S) {
      a = log_add(alpha[cur][s + 2], alpha[cur][s + 1]);
      if (skip) a = log_add(a, alpha[cur][s]);
      if (a > -1.0e29f) a += frame[mine] - lse;
    }
    cur ^= 1;
    alpha[cur][s + 2] = a;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (s == 0) {
    float total = alpha[cur][S - 1 + 2];
    if (S > 1) total = log_add(total, alpha[cur][S - 2 + 2]);
    nll[b] = -total;
  }
}
