// clc: --target-env=vulkan1.3 --reflection-set=clspv -cl-kernel-arg-info
// The module holds a reflection of clspv.
typedef struct { float3 place; uint counts[4][2]; char tag; } Item;
struct __attribute__((packed)) pair { char first; int second; };

kernel __attribute__((reqd_work_group_size(8, 4, 1)))
void work(global const float *restrict in, constant int4 *table, local short *scratch, long2 item,
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
    scratch[0] = in[0] + table[0].y + item.y;
    pairs[0].second = read_imagef(picture, how, (int4)(1)).x;
}

kernel void nothing(void) {}
