// In private memory the whole vector is rewritten, which becomes a value.
// ir: insert
// ir: store
kernel void k(global float4 *a, float x) {
    float4 v = a[0];
    v.y = x;
    a[0] = v;
}
