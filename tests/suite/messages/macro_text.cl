// error: E0422 6
// error: E0341 6
#define STORE(i, x) out[i] = (x); out[i] += &out
#define TWICE(i, x) STORE(i, x); STORE(i + 1, x)
kernel void k(global int *out, float4 v) {
  STORE(0, 1); STORE(1, v); STORE(2, v.x); TWICE(3, 4);
}
