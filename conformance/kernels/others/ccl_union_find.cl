// @ ccl_init 256x256|2048x2048 32x8 u8:65536|4194304:0..200 zeros:i32:65536|4194304 256|2048 90
// @ ccl_merge 256x256|2048x2048 32x8 #1 256|2048
// @ ccl_flatten 256x256|2048x2048 32x8 #1 zeros:i32:65536|4194304 256|2048
// @ ccl_properties 256x256|2048x2048 32x8 #1 #2 >i32:131072|8388608 256|2048

/*
 * Connected components (8 neighbours) of a thresholded image by lock-free
 * union-find.  A label is the index of a pixel of the same component, at last
 * the smallest one.  Background is -1.
 */

#define BACKGROUND (-1)

__kernel void ccl_init(__global const uchar *image, __global int *label, int w, int threshold)
{
  int x = get_global_id(0), y = get_global_id(1);
  int i = y * w + x;
  if (image[i] >= threshold) {
    label[i] = BACKGROUND;
    return;
  }
  // start of the run, at most four to the left
  int start = i;
  for (int k = 1; k <= 4 && x - k >= 0 && image[i - k] < threshold; k++)
    start = i - k;
  label[i] = start;
}

static int find_root(volatile __global int *label, int i)
{
  int parent = label[i];
  while (parent != i) {
    i = parent;
    parent = label[i];
  }
  return i;
}

static void unite(volatile __global int *label, int a, int b)
{
  bool done = false;
  while (!done) {
    a = find_root(label, a);
    b = find_root(label, b);
    if (a == b)
      return;
    if (a < b) {
      int t = a;
      a = b;
      b = t;
    }
    // a is the larger: hang it below b, unless somebody was faster
    int old = atomic_min(&label[a], b);
    done = (old == a);
    a = old;
  }
}

__kernel void ccl_merge(volatile __global int *label, int w)
{
  int x = get_global_id(0), y = get_global_id(1);
  int i = y * w + x;
  if (label[i] == BACKGROUND)
    return;
  if (x > 0 && label[i - 1] != BACKGROUND)
    unite(label, i, i - 1);
  if (y > 0) {
    int up = i - w;
    if (label[up] != BACKGROUND) {
      unite(label, i, up);
    } else {
      if (x > 0 && label[up - 1] != BACKGROUND)
        unite(label, i, up - 1);
      if (x < w - 1 && label[up + 1] != BACKGROUND)
        unite(label, i, up + 1);
    }
  }
}

__kernel void ccl_flatten(volatile __global int *label, volatile __global int *area, int w)
{
  int i = get_global_id(1) * w + get_global_id(0);
  if (label[i] == BACKGROUND)
    return;
  int root = find_root(label, i);
  label[i] = root;
  atomic_inc(&area[root]);
}

__kernel void ccl_properties(__global const int *label, __global const int *area, __global int2 *out, int w)
{
  int i = get_global_id(1) * w + get_global_id(0);
  int l = label[i];
  out[i] = (int2)(l, l == BACKGROUND ? 0 : area[l]);
}
