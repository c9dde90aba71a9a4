// clc: --target-env=vulkan1.3
// Our own calling convention: the arguments are in the reflection alone.
typedef struct { float3 place; uint counts[4][2]; char tag; } Item;
struct __attribute__((packed)) pair { char first; int second; };

kernel __attribute__((reqd_work_group_size(8, 4, 1))) __attribute__((vec_type_hint(float4)))
void work(global const float *restrict in, constant int4 *table, local short *scratch, Item item,
          global volatile struct pair *pairs, read_only image2d_array_t picture, sampler_t how,
          long start)
{
    local int tile[10];
    int many[64];
    for (int i = 0; i < 64; i++)
        many[i ^ start] = i;
    tile[get_local_id(0)] = many[start & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
    printf("%d items\n\t\"%s\"", tile[3], "of some kind");
    scratch[0] = in[0] + table[0].y + item.counts[2][1];
    pairs[0].second = read_imagef(picture, how, (int4)(1)).x;
}

kernel void nothing(void) {}
