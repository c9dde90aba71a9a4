// Vertices moved by four bones each, given as rows of matrices.
typedef struct {
    float position[3];
    float normal[3];
    uchar bones[4];
    float weights[4];
} vertex;

kernel void skinning(global const vertex *vertices, global const float4 *bones, global float *out)
{
    size_t i = get_global_id(0);
    vertex v = vertices[i];
    float4 position = (float4)(v.position[0], v.position[1], v.position[2], 1);
    float4 normal = (float4)(v.normal[0], v.normal[1], v.normal[2], 0);
    float3 moved = 0, turned = 0;
    for (int k = 0; k < 4; k++) {
        global const float4 *bone = bones + 3 * v.bones[k];
        moved += v.weights[k] * (float3)(dot(bone[0], position), dot(bone[1], position), dot(bone[2], position));
        turned += v.weights[k] * (float3)(dot(bone[0], normal), dot(bone[1], normal), dot(bone[2], normal));
    }
    vstore3(moved, 2 * i, out);
    vstore3(normalize(turned), 2 * i + 1, out);
}
