// Addresses of elements that are used behind the loop in which they were computed.
//@ kernel insert
//@ global 1
//@ arg buffer float[12] = 9 5 3 8 1 7 2 2 6 4 0.5 3
//@ arg buffer float[4] = zero
//@ arg int = 12
//@ result 1 = 0.5 1 2 2
kernel void insert(global const float *in, global float *out, int n)
{
    float best[100];
    int count = 0;
    for (int y = 1; y < n; y++) {
        const float d = in[y];
        if (count < 4)
            best[count++] = d;
        for (int i = count - 1; i >= 0; i--) {
            if (d > best[i])
                break;
            if (d < best[i] && (i == 0 || d >= best[i - 1])) {
                for (int j = count - 1; j > i; j--)
                    best[j] = best[j - 1];
                best[i] = d;
                break;
            }
        }
    }
    for (int i = 0; i < 4; i++)
        out[i] = best[i];
}
