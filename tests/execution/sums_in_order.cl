// Sums are taken in the order of the source (OpenCL C 6.5: as C99 5.1.2.3), which is what sums that
// make up for what others lost live by. Contraction, which is on, changes nothing here.
//@ section 6.5
//@ kernel lost
//@ global 4
//@ arg buffer float[4] = 1e8 16777216 1 -3e7
//@ arg buffer float[4] = 3.25 1 1e-8 0.3
//@ arg buffer float[4] = zero
//@ result 2 = 3.25 1.0 9.99999993922529e-09 0.30000001192092896
//@ kernel compensated
//@ arg buffer float[3] = 1 0 1e-8
//@ arg int = 1000
//@ result 0 = 1.0000100135803223 0 1e-8

kernel void lost(global const float *a, global const float *b, global float *out)
{
    const size_t i = get_global_id(0);
    const float sum = a[i] + b[i];
    out[i] = b[i] - (sum - a[i]);
}

// Kahan's sum; without what was lost, nothing would ever be added to 1.
kernel void compensated(global float *p, int n)
{
    float sum = p[0];
    float lost = p[1];
    for (int i = 0; i < n; ++i) {
        const float next = p[2] - lost;
        const float larger = sum + next;
        lost = (larger - sum) - next;
        sum = larger;
    }
    p[0] = sum;
}
