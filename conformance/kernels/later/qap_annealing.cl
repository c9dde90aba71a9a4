// @ anneal_layouts 512|131072 64 u8:196:0..40 u8:196:1..30 u32:512|131072 >u32:2048|524288 160|256 600

// Simulated annealing of the quadratic assignment problem: fourteen facilities, each with
// its own trajectory of exchanges. Flow and distance are symmetric (the upper triangles
// count) and costs are integers, also in the Metropolis test, so runs are repeatable.

#define FACILITIES 14
#define SYM(m, i, j) ((i) < (j) ? (m)[(i) * FACILITIES + (j)] : (m)[(j) * FACILITIES + (i)])

// 65535 * exp(-i / 8)
constant ushort metropolis[64] = {
    65535, 57834, 51037, 45040, 39748, 35078, 30956, 27319, 24109, 21276, 18777, 16570, 14623, 12905, 11388, 10050,
     8869,  7827,  6907,  6096,  5379,  4747,  4190,  3697,  3263,  2879,  2541,  2243,  1979,  1747,  1541,  1360,
     1200,  1059,   935,   825,   728,   642,   567,   500,   442,   390,   344,   303,   268,   236,   209,   184,
      162,   143,   127,   112,    99,    87,    77,    68,    60,    53,    47,    41,    36,    32,    28,    25
};

typedef struct {
    uint cost, best, accepted, signature;
} Outcome;

uint draw(uint *state)
{
    uint s = *state;
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    *state = s;
    return s * 0x9E3779B1u;
}

// Change of the cost if the facilities r and s exchange their places
int exchange(local const uchar *flow, local const uchar *dist, const uchar *place, int r, int s)
{
    const int pr = place[r], ps = place[s];
    int delta = 0;
    for (int k = 0; k < FACILITIES; ++k) {
        if (k == r || k == s)
            continue;
        const int pk = place[k];
        const int f = (int)SYM(flow, k, r) - (int)SYM(flow, k, s);
        const int d = (int)SYM(dist, pk, ps) - (int)SYM(dist, pk, pr);
        delta += mul24(f, d);
    }
    return delta;
}

kernel void anneal_layouts(global const uchar *flows,
                           global const uchar *distances,
                           global const uint *seeds,
                           global Outcome *outcomes,
                           const int steps,
                           const int hot)
{
    local uchar flow[FACILITIES * FACILITIES], dist[FACILITIES * FACILITIES];
    local uint leader;

    if (get_local_id(0) == 0)
        leader = UINT_MAX;
    for (uint e = get_local_id(0); e < FACILITIES * FACILITIES; e += get_local_size(0)) {
        flow[e] = flows[e];
        dist[e] = distances[e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint id = get_global_id(0);
    uint state = seeds[id] | 1u;

    uchar place[FACILITIES];
    for (int i = 0; i < FACILITIES; ++i)
        place[i] = (uchar)i;
    for (int i = FACILITIES - 1; i > 0; --i) {
        const int j = mul_hi(draw(&state), (uint)(i + 1));
        const uchar t = place[i];
        place[i] = place[j];
        place[j] = t;
    }

    int cost = 0;
    for (int i = 0; i < FACILITIES; ++i)
        for (int j = i + 1; j < FACILITIES; ++j)
            cost += (int)flow[i * FACILITIES + j] * SYM(dist, place[i], place[j]);

    Outcome o = { 0, (uint)cost, 0, 0 };
    for (int step = 0; step < steps; ++step) {
        const int temperature = 1 + hot * (steps - step) / steps;
        const uint bits = draw(&state);
        const int r = mul_hi(bits, (uint)FACILITIES);
        int s = (int)((bits & 0xfff) * (FACILITIES - 1) >> 12);
        s += s >= r;

        const int delta = exchange(flow, dist, place, r, s);
        if (delta > 0) {
            const int level = delta * 8 / temperature;
            if (level > 63 || (draw(&state) >> 16) >= metropolis[level])
                continue;
        }
        const uchar t = place[r];
        place[r] = place[s];
        place[s] = t;
        cost += delta;
        o.accepted++;
        o.best = min(o.best, (uint)cost);
    }

    for (int i = 0; i < FACILITIES; ++i)
        o.signature = rotate(o.signature, 5u) ^ place[i];
    o.cost = (uint)cost;

    // the champion of the work-group is marked
    const uint key = (o.best << 8) | get_local_id(0);
    atomic_min(&leader, key);
    barrier(CLK_LOCAL_MEM_FENCE);
    o.signature = (o.signature << 1) | (leader == key);
    outcomes[id] = o;
}
