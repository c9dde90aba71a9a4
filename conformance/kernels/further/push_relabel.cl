// @ push_relabel_tile 384x384|2048x2048 32x8 u8:147456|4194304 u8:589824|16777216 u8:147456|4194304 >i32:589824|16777216 12

// Graph cuts for segmentation: push and relabel on a grid with four neighbours. Work-groups
// work on tiles of 32x8 in local memory for a number of sweeps; edges that leave a tile are
// left to the next launch, whose tiles are shifted. Integers only, without atomics: a push in
// one direction writes what is sent, and the neighbour collects it behind a barrier.

#define TX 32
#define TY 8
#define PX (TX + 2)
#define PY (TY + 2)

// right, left, down, up; d ^ 1 is the opposite
__constant int ahead[4] = { 1, -1, PX, -PX };

kernel __attribute__((reqd_work_group_size(TX, TY, 1)))
void push_relabel_tile(global const uchar *source_caps,
                       global const uchar4 *edge_caps,
                       global const uchar *sink_caps,
                       global int4 *state,
                       int sweeps)
{
    local int height[PX * PY];
    local int sent[PX * PY];

    const int lx = get_local_id(0), ly = get_local_id(1);
    const int lid = ly * TX + lx;
    const int here = (ly + 1) * PX + lx + 1;
    const size_t at = get_global_id(1) * get_global_size(0) + get_global_id(0);

    const uchar4 e = edge_caps[at];
    int cap[4] = { e.x >> 1, e.y >> 1, e.z >> 1, e.w >> 1 };
    if (lx == TX - 1) cap[0] = 0;
    if (lx == 0)      cap[1] = 0;
    if (ly == TY - 1) cap[2] = 0;
    if (ly == 0)      cap[3] = 0;

    int excess = source_caps[at];
    int sink = sink_caps[at];
    int drained = 0;

    for (int i = lid; i < PX * PY; i += TX * TY) {
        height[i] = TX * TY + 2;
        sent[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    height[here] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int s = 0; s < sweeps; s++) {
        // the sink has height 0
        if (height[here] == 1) {
            const int f = min(excess, sink);
            excess -= f;
            sink -= f;
            drained += f;
        }

        for (int d = 0; d < 4; d++) {
            int f = 0;
            if (excess > 0 && height[here] == height[here + ahead[d]] + 1)
                f = min(excess, cap[d]);
            excess -= f;
            cap[d] -= f;
            sent[here] = f;
            barrier(CLK_LOCAL_MEM_FENCE);
            const int received = sent[here - ahead[d]];
            excess += received;
            cap[d ^ 1] += received;
            barrier(CLK_LOCAL_MEM_FENCE);
        }

        int lowest = sink > 0 ? 0 : TX * TY + 1;
        for (int d = 0; d < 4; d++)
            if (cap[d] > 0)
                lowest = min(lowest, height[here + ahead[d]]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (excess > 0)
            height[here] = max(height[here], min(lowest + 1, TX * TY + 2));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    state[at] = (int4)(excess, height[here], drained, cap[0] | cap[1] << 8 | cap[2] << 16);
}
