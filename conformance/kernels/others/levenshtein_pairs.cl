// @ edit_distance 4096|262144 64 u8:131072|8388608:97..101 u8:131072|8388608:97..101 u8:4096|262144:4..33 u8:4096|262144:4..33 >u8:4096|262144 32

#define MAXLEN 32

/* Edit distance of many pairs of short words. Words lie in slots of `pitch`
   bytes and are not terminated. A single row of the table is kept. */
__kernel void edit_distance(__global const char *words_a,
                            __global const char *words_b,
                            __global const uchar *len_a,
                            __global const uchar *len_b,
                            __global uchar *distance,
                            const int pitch)
{
    const int id = get_global_id(0);
    __global const char *a = words_a + id * pitch;
    __global const char *b = words_b + id * pitch;
    int m = min((int)len_a[id], MAXLEN);
    int n = min((int)len_b[id], MAXLEN);

    char word[MAXLEN];
    uchar row[MAXLEN + 1];

    // a common prefix costs nothing
    while (m > 0 && n > 0 && *a == *b) {
        ++a; ++b;
        --m; --n;
    }
    if (m == 0 || n == 0) {
        distance[id] = (uchar)(m + n);
        return;
    }

    for (int j = 0; j < n; ++j)
        word[j] = b[j];
    for (int j = 0; j <= n; ++j)
        row[j] = (uchar)j;

    for (int i = 1; i <= m; ++i) {
        const char c = a[i - 1];
        uchar diag = row[0];
        uchar left = (uchar)i;
        row[0] = left;
        for (int j = 1; j <= n; ++j) {
            uchar up = row[j];
            uchar cost = c == word[j - 1] ? 0 : 1;
            left = min((uchar)(min(left, up) + 1), (uchar)(diag + cost));
            diag = up;
            row[j] = left;
        }
    }
    distance[id] = row[n];
}
