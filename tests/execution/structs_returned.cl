//@ kernel contacts
//@ global 16
//@ local 16
//@ arg buffer int[48] = 0 -11 5 -17 -16 14 -14 3 17 -17 12 -7 -18 -15 7 6 -16 -5 -15 15 7 -17 16 -13 -6 17 -17 16 17 5 -17 -6 -18 15 -12 -2 6 -11 14 -13 16 -1 15 -9 -14 17 16 -8
//@ arg buffer int[128] = zero
//@ result 1 = 211 -52 -57 -738589782 4 6400 -1 2 0 0 0 0 0 0 0 -1 0 0 0 0 0 0 0 -1 0 0 0 0 0 0 0 -1 0 0 0 0 0 0 0 -1 216 54 -144 -2139009201 212 594432 7 -6 27 24 36 1366867824 263 592128 -12 13 0 0 0 0 0 0 0 -1 0 0 0 0 0 0 0 -1 9 -3 -39 1364540 254 198144 -1 2 0 0 0 0 0 0 0 -1 198 19 0 -111357832 -186 1508096 3 -2 44 -1 36 16371 208 393472 -1 2 117 49 29 -236826252 209 1770496 1 0 0 0 0 0 0 0 0 -1 6 -6 -75 -4719 57 393216 0 -1
typedef struct {
    int3 direction;
    int sizes[2];
    char kind;
} contact;

// Structs from several places of a function, in loops whose turns work-items leave at different places.
contact find(int3 a, int3 b, int limit)
{
    contact c;
    const int3 d = a - b;
    const int d2 = d.x * d.x + d.y * d.y + d.z * d.z;
    c.direction = (int3)(0);
    c.sizes[0] = c.sizes[1] = 0;
    c.kind = -1;
    if (d2 > limit)
        return c;
    if (d2 == 0) {
        c.direction = a;
        c.sizes[0] = 1;
        c.sizes[1] = 2;
        c.kind = 0;
        return c;
    }
    if (d.x < 0) {
        const contact other = { -d, { d2, d.y }, 1 };
        return other;
    }
    c.direction = d;
    c.sizes[0] = d.z;
    c.sizes[1] = d2;
    c.kind = 2;
    return c;
}

kernel void contacts(global const int *places, global int *out)
{
    const int i = get_global_id(0), n = get_global_size(0);
    const int3 me = vload3(i, places);
    contact best = { (int3)(0), { 0, 0 }, -1 };
    int3 sum = 0;
    uint mixed = 0;
    int both = 0, kinds = 0;
    for (int dz = -1; dz <= 1; dz++) {
        const int z = me.z + dz;
        if (z < -8 || z >= 15)
            continue;
        for (int dx = -1; dx <= 1; dx++) {
            const int x = me.x + dx;
            if (x < -15)
                continue;
            for (int j = 0; j < n; j++) {
                if (j == i)
                    continue;
                const contact c = find((int3)(x, me.y, z), vload3(j, places), 300);
                if (c.kind < 0)
                    continue;
                sum += c.direction;
                mixed = mixed * 3 + (uint)c.sizes[0];
                both ^= c.sizes[1];
                kinds += 1 << 8 * c.kind;
                best = c.sizes[0] > best.sizes[0] ? c : best;
            }
        }
    }
    global int *to = out + 8 * i;
    vstore3(sum, 0, to);
    to[3] = (int)mixed;
    to[4] = both;
    to[5] = kinds;
    to[6] = best.direction.y;
    to[7] = best.sizes[1] + best.kind;
}
