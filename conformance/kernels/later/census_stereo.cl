// @ census_9x7 64x32|1024x1024 16x8 u8:2048|1048576 zeros:u64:2048|1048576 64|1024 32|1024
// @ census_9x7 64x32|1024x1024 16x8 u8:2048|1048576 zeros:u64:2048|1048576 64|1024 32|1024
// @ match_wta 64x32|1024x1024 16x8 #1 #3 >u16:2048|1048576 64|1024 32|1024 92

// Dense stereo: census transform, Hamming cost aggregated over 3x3 pixels,
// winner takes all with a parabola for the sub-pixel part (in 1/16 pixel).

#define MAX_DISP 64
#define RX 4
#define RY 3

int clampedIndex(int x, int y, int width, int height) {
  return clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1);
}

kernel void census_9x7(global const uchar* restrict image, global ulong* restrict census,
                       int width, int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height) return;

  const uchar centre = image[y * width + x];
  ulong bits = 0;
  for (int dy = -RY; dy <= RY; ++dy) {
    for (int dx = -RX; dx <= RX; ++dx) {
      if (dx == 0 && dy == 0) continue;
      bits <<= 1;
      bits |= image[clampedIndex(x + dx, y + dy, width, height)] < centre;
    }
  }
  census[y * width + x] = bits;
}

kernel void match_wta(global const ulong* restrict left, global const ulong* restrict right,
                      global ushort* restrict disparity, int width, int height,
                      int uniquenessPercent) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= width || y >= height) return;

  ulong reference[9];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      reference[3 * j + i] = left[clampedIndex(x + i - 1, y + j - 1, width, height)];

  ushort costs[MAX_DISP];
  int best = 0;
  int bestCost = INT_MAX;
  for (int d = 0; d < MAX_DISP; ++d) {
    int cost = 0;
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) {
        const ulong other = right[clampedIndex(x + i - 1 - d, y + j - 1, width, height)];
        cost += (int)popcount(reference[3 * j + i] ^ other);
      }
    }
    costs[d] = (ushort)cost;
    if (cost < bestCost) {
      bestCost = cost;
      best = d;
    }
  }

  // The second best must be clearly worse, neighbours of the best excepted.
  int second = INT_MAX;
  for (int d = 0; d < MAX_DISP; ++d)
    if (abs(d - best) > 1) second = min(second, (int)costs[d]);
  const bool unique = bestCost * 100 <= second * uniquenessPercent;

  int result = best * 16;
  if (best > 0 && best < MAX_DISP - 1) {
    const int before = costs[best - 1];
    const int after = costs[best + 1];
    const int denominator = before + after - 2 * bestCost;
    if (denominator > 0) result += 8 * (before - after) / denominator;
  }
  disparity[y * width + x] = (ushort)(result << 1 | (unique ? 1 : 0));
}
