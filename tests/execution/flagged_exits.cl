// Loops that end where a flag says so.
//@ kernel blend
//@ global 16
//@ local 8
//@ arg buffer int[64] = 247 213 64 106 173 41 20 35 218 181 194 250 224 78 52 157 220 91 84 27 52 6 129 21 128 230 215 239 140 248 32 50 133 48 74 92 122 177 213 208 90 123 110 225 211 105 66 166 62 241 89 21 184 183 39 75 146 122 53 220 197 193 105 207
//@ arg buffer int[16] = zero
//@ result 1 = -1377233656 -863869833 -1550858972 1745492781 -1923478267 578000393 1988668127 357165125 517768658 289300953 -2024985062 590500553 -425816960 -1326940703 186508058 1851770992
//@ kernel spread
//@ global 16
//@ local 8
//@ arg buffer int[64] = 247 213 64 106 173 41 20 35 218 181 194 250 224 78 52 157 220 91 84 27 52 6 129 21 128 230 215 239 140 248 32 50 133 48 74 92 122 177 213 208 90 123 110 225 211 105 66 166 62 241 89 21 184 183 39 75 146 122 53 220 197 193 105 207
//@ arg buffer int[16] = zero
//@ result 1 = 676692587 486582179 1788187823 -1050644535 6435739 973413676 1217855407 803830700 1549271692 1100424704 191139389 1940747908 2031212572 1710310321 1640886505 1207774050
kernel void blend(global const int *data, global uint *out)
{
    int g = get_global_id(0);
    uint acc = 0;
    int left = 1000, i;
    bool done = false;
    for (i = 0; i < 20 && !done; i++) {
        int v = data[(g * 5 + i) & 63];
        if (v < 40)
            continue;
        int rest = left - v;
        if (rest < 100) {
            done = true;
        } else {
            acc = acc * 31 + v * left;
            left = rest;
        }
    }
    out[g] = acc ^ (uint)i << 20 ^ (uint)left << 8 ^ (uint)done << 31;
}

kernel void spread(global const int *data, global uint *out)
{
    int g = get_global_id(0);
    int cells[9];
    for (int k = 0; k < 9; k++)
        cells[k] = data[(g * 3 + k) & 63] % 7;
    int rounds = 0;
    uint total = 0;
    bool ok = true, changed = true;
    while (ok && changed && rounds < 9) {
        changed = false;
        rounds++;
        for (int k = 0; k < 9 && ok; k++) {
            if (cells[k] == 0)
                continue;
            int m = (cells[k] * 5 + g + rounds) % 11;
            if (m == 0) {
                ok = false;
            } else if ((m & (m - 1)) == 0) {
                changed = true;
                cells[k]--;
                total = total * 7 + m;
            }
        }
        for (int j = 0; j < 3 && ok; j++) {
            int s = 0;
            for (int t = 0; t < 3; t++) {
                if (cells[j * 3 + t] == 6) {
                    ok = false;
                    break;
                }
                s += cells[j * 3 + t];
            }
            total += s * rounds;
        }
    }
    uint h = 0;
    for (int k = 0; k < 9; k++)
        h = h * 10 + cells[k];
    out[g] = total ^ h * 3 ^ (uint)rounds << 24 ^ (uint)ok << 31 ^ (uint)changed << 30;
}
