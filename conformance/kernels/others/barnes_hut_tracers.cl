// @ leaf_moments 4096 64 f32:131072 u32:4096:0..9 zeros:f32:37448
// @ upsweep 512 64 #2 585 512
// @ upsweep 64 64 #2 73 64
// @ upsweep 64 64 #2 9 8
// @ upsweep 64 64 #2 1 1
// @ gravity 2048|131072 64 #0 #1 #2 f32:8192|524288 >f32:8192|524288 0.6f 1.0e-5f
//
// Barnes-Hut gravity of an N-body system on massless tracers.
// Complete octree, level after level, the nodes of a level in Morton order:
// child c of the k-th node of a level is the (8k + c)-th of the next one.
// Leaves are level 4, 4096 of them, up to 8 bodies each.

#define LEAF_LEVEL 4
#define LEAF_SLOTS 8
#define STACK      64

typedef struct {
    float4 com;      // centre of mass, mass in w
    float  spread;   // mean square distance of the mass from its centre
    float  pad[3];
} node_t;

// number of the first node of each level
constant int level_first[LEAF_LEVEL + 1] = { 0, 1, 9, 73, 585 };

int unspread(int v)
{
    v &= 0x249;                      // 4 bits are enough
    v = (v | (v >> 2)) & 0x0c3;
    v = (v | (v >> 4)) & 0x00f;
    return v;
}

float3 cell_centre(int level, int key)
{
    const float size = 1.0f / (1 << level);
    return ((float3)(unspread(key), unspread(key >> 1), unspread(key >> 2)) + 0.5f) * size;
}

float4 body(global const float4 *bodies, int leaf, int slot)
{
    // stored relative to the leaf, in units of its size
    float4 b = bodies[leaf * LEAF_SLOTS + slot];
    const float size = 1.0f / (1 << LEAF_LEVEL);
    b.xyz = cell_centre(LEAF_LEVEL, leaf) + (b.xyz - 0.5f) * size;
    b.w += 0.25f;
    return b;
}

kernel void leaf_moments(global const float4 *bodies, global const uint *count, global node_t *tree)
{
    const int leaf = get_global_id(0);
    float4 m = 0.0f;
    for (uint i = 0; i < count[leaf]; i++) {
        float4 b = body(bodies, leaf, i);
        m += (float4)(b.xyz * b.w, b.w);
    }
    if (m.w > 0.0f)
        m.xyz /= m.w;
    float s = 0.0f;
    for (uint i = 0; i < count[leaf]; i++) {
        float4 b = body(bodies, leaf, i);
        float r = distance(b.xyz, m.xyz);
        s += b.w * r * r;
    }
    global node_t *n = &tree[level_first[LEAF_LEVEL] + leaf];
    n->com = m;
    n->spread = m.w > 0.0f ? s / m.w : 0.0f;
}

// children of a level -> their parents
kernel void upsweep(global node_t *tree, int child_first, int parents)
{
    const int k = get_global_id(0);
    if (k >= parents)
        return;

    const int level = parents == 512 ? 3 : parents == 64 ? 2 : parents == 8 ? 1 : 0;
    float4 m = 0.0f;
    for (int c = 0; c < 8; c++) {
        float4 b = tree[child_first + 8 * k + c].com;
        m += (float4)(b.xyz * b.w, b.w);
    }
    if (m.w > 0.0f)
        m.xyz /= m.w;
    float s = 0.0f;
    for (int c = 0; c < 8; c++) {
        global const node_t *b = &tree[child_first + 8 * k + c];
        float r = distance(b->com.xyz, m.xyz);
        s += b->com.w * (b->spread + r * r);
    }
    global node_t *n = &tree[level_first[level] + k];
    n->com = m;
    n->spread = m.w > 0.0f ? s / m.w : 0.0f;
}

static float4 attract(float3 p, float4 src, float eps2)
{
    float3 d = src.xyz - p;
    float r2 = dot(d, d) + eps2;
    float inv = rsqrt(r2);
    float mi = src.w * inv;
    return (float4)(d * (mi * inv * inv), -mi);
}

kernel void gravity(global const float4 *bodies, global const uint *count,
                    global const node_t *tree,
                    global const float4 *tracers, global float4 *acc_pot,
                    float theta, float eps2)
{
    const size_t id = get_global_id(0);
    const float3 p = clamp(tracers[id].xyz, 0.0f, 0.999999f);
    // opening is decided by the leaf-sized cell which holds the tracer: its
    // neighbours take the same walk
    const float3 home = (floor(p * (float)(1 << LEAF_LEVEL)) + 0.5f) / (float)(1 << LEAF_LEVEL);

    float4 sum = 0.0f;
    ushort stack[STACK];             // level << 12 | key
    int top = 0;
    stack[top++] = 0;

    while (top > 0) {
        const int item = stack[--top];
        const int level = item >> 12, key = item & 0xfff;
        global const node_t *n = &tree[level_first[level] + key];
        const float4 com = n->com;
        if (com.w == 0.0f)
            continue;

        const float3 d = cell_centre(level, key) - home;
        const float size = 1.0f / (1 << level);
        if (size * size < theta * theta * dot(d, d)) {
            sum += attract(p, com, eps2 + n->spread / 3.0f);   // far: a blurred ball
        } else if (level == LEAF_LEVEL) {
            for (uint i = 0; i < count[key]; i++)
                sum += attract(p, body(bodies, key, i), eps2);
        } else {
            for (int c = 0; c < 8; c++)
                stack[top++] = (level + 1) << 12 | key * 8 + c;
        }
    }
    acc_pot[id] = sum;
}
