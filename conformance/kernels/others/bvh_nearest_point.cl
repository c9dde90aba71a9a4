// @ build_bounds 4096 64 f32:12288 zeros:f32:65536 4096u
// @ nearest_point 4096|262144 64 #1 f32:12288|786432 >f32:4096|262144 4096u
//
// Distance of query points to the nearest point of a cloud, by a bounding
// volume hierarchy with a small stack.
//
// The hierarchy is a complete binary tree in heap order: the children of
// node i are 2i and 2i+1, the root is 1, the leaves are n .. 2n-1.  Leaves are
// in Morton order, which makes good boxes without any real construction.

#define STACK_SIZE 32

typedef struct {
    float4 lo;
    float4 hi;
} Node;

uint compact3(uint v)
{
    v &= 0x09249249;
    v = (v ^ (v >> 2)) & 0x030c30c3;
    v = (v ^ (v >> 4)) & 0x0300f00f;
    v = (v ^ (v >> 8)) & 0x030000ff;
    v = (v ^ (v >> 16)) & 0x000003ff;
    return v;
}

// jittered grid of 16^3 points in the unit cube
float4 cloud_point(__global const float *jitter, uint i)
{
    float3 cell = (float3)(compact3(i), compact3(i >> 1), compact3(i >> 2));
    return (float4)((cell + vload3(i, jitter)) * (1.0f / 16.0f), 0.0f);
}

__kernel void build_bounds(__global const float *jitter, __global Node *nodes, uint n)
{
    uint id = get_global_id(0);

    Node leaf;
    leaf.lo = leaf.hi = cloud_point(jitter, id);
    nodes[n + id] = leaf;

    if (id == 0)
        return;

    // inner node `id` spans all leaves below it
    uint first = id, last = id;
    while (first < n) {
        first = 2 * first;
        last = 2 * last + 1;
    }
    Node box;
    box.lo = box.hi = cloud_point(jitter, first - n);
    for (uint i = first + 1; i <= last; i++) {
        float4 p = cloud_point(jitter, i - n);
        box.lo = fmin(box.lo, p);
        box.hi = fmax(box.hi, p);
    }
    nodes[id] = box;
}

float box_distance2(__global const Node *node, float4 p)
{
    float4 d = fmax(fmax(node->lo - p, p - node->hi), 0.0f);
    return dot(d, d);
}

__kernel void nearest_point(__global const Node *nodes,
                            __global const float *queries,
                            __global float *distances,
                            uint n)
{
    uint id = get_global_id(0);
    float4 p = (float4)(vload3(id, queries), 0.0f);

    uint stack[STACK_SIZE];
    float stack_d[STACK_SIZE];
    int sp = 0;
    float best = MAXFLOAT;
    uint node = 1;
    float node_d = 0.0f;

    for (;;) {
        if (node_d < best) {
            if (node >= n) {
                best = node_d;          // a leaf is a box of no size
            } else {
                uint near = 2 * node, far = near + 1;
                float dn = box_distance2(&nodes[near], p);
                float df = box_distance2(&nodes[far], p);
                if (df < dn) {
                    uint ti = near;  near = far;  far = ti;
                    float tf = dn;  dn = df;  df = tf;
                }
                stack[sp] = far;
                stack_d[sp] = df;
                sp++;
                node = near;
                node_d = dn;
                continue;
            }
        }
        if (sp == 0)
            break;
        sp--;
        node = stack[sp];
        node_d = stack_d[sp];
    }

    distances[id] = sqrt(best);
}
