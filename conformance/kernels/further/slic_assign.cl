// @ slic_assign 512x512|4096x4096 16x16 u8:1048576|67108864 i16:8192|524288:-1024..1024 zeros:u32:262144|16777216 >i32:55296|3538944 3

// One assignment step of SLIC superpixels. Cells of the initial grid are as large as a
// work-group, so a pixel has only nine candidates: the centres of its own cell and of
// those around it. Everything is in integers, Lab has 8 bits a channel, positions of
// centres 4 fractional bits. Sums for the update step are gathered for each work-group
// (9 candidates, 6 sums) and added up by the next kernel.

#define CELL 16
#define CANDIDATES 9
#define SUMS 6

typedef struct {
    int l, a, b;    // 4 fractional bits
    int x, y;
    int valid;
} Centre;

__kernel __attribute__((reqd_work_group_size(CELL, CELL, 1)))
void slic_assign(__global const uchar4 *lab,
                 __global const short8 *jitter,
                 __global uint *labels,
                 __global int *partial,
                 const int compactness_shift)
{
    __local Centre centres[CANDIDATES];
    __local int sums[CANDIDATES * SUMS];

    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0);
    const int cells_x = get_num_groups(0), cells_y = get_num_groups(1);
    const int cx = get_group_id(0), cy = get_group_id(1);
    const int lid = get_local_id(1) * CELL + get_local_id(0);

    if (lid < CANDIDATES) {
        const int nx = cx + lid % 3 - 1;
        const int ny = cy + lid / 3 - 1;
        Centre c;
        c.valid = nx >= 0 && ny >= 0 && nx < cells_x && ny < cells_y;
        const int kx = clamp(nx, 0, cells_x - 1), ky = clamp(ny, 0, cells_y - 1);
        const short8 j = jitter[ky * cells_x + kx];
        // the centre starts from the middle of its cell
        const uchar4 middle = lab[(ky * CELL + CELL / 2) * width + kx * CELL + CELL / 2];
        c.l = middle.x * 16 + j.s0 / 16;
        c.a = middle.y * 16 + j.s1 / 16;
        c.b = middle.z * 16 + j.s2 / 16;
        c.x = (kx * CELL + CELL / 2) * 16 + j.s3 / 8;
        c.y = (ky * CELL + CELL / 2) * 16 + j.s4 / 8;
        centres[lid] = c;
    }
    for (int i = lid; i < CANDIDATES * SUMS; i += CELL * CELL)
        sums[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    const int4 p = convert_int4(lab[y * width + x]);
    uint best = UINT_MAX;
    int chosen = 4;
    for (int k = 0; k < CANDIDATES; k++) {
        if (!centres[k].valid)
            continue;
        const int dl = p.x * 16 - centres[k].l;
        const int da = p.y * 16 - centres[k].a;
        const int db = p.z * 16 - centres[k].b;
        const int dx = x * 16 - centres[k].x;
        const int dy = y * 16 - centres[k].y;
        const uint colour = dl * dl + da * da + db * db;
        const uint space = dx * dx + dy * dy;
        const uint d = colour + (space << compactness_shift);
        if (d < best) {
            best = d;
            chosen = k;
        }
    }

    const int label = (cy + chosen / 3 - 1) * cells_x + cx + chosen % 3 - 1;
    labels[y * width + x] = (uint)label;

    __local int *s = sums + chosen * SUMS;
    atomic_add(s + 0, p.x);
    atomic_add(s + 1, p.y);
    atomic_add(s + 2, p.z);
    atomic_add(s + 3, (int)get_local_id(0));
    atomic_add(s + 4, (int)get_local_id(1));
    atomic_inc(s + 5);
    barrier(CLK_LOCAL_MEM_FENCE);

    __global int *out = partial + (cy * cells_x + cx) * CANDIDATES * SUMS;
    for (int i = lid; i < CANDIDATES * SUMS; i += CELL * CELL)
        out[i] = sums[i];
}
