global int total = 3;
global int *global where = &total;
constant float table[4] = { 1, 2, 3, 4 };
constant sampler_t nearest = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

typedef struct { float3 position; char kind; } Item;
union number { int i; double d; };
struct __attribute__((packed)) tight { char a; int b; };

kernel __attribute__((reqd_work_group_size(8, 2, 1)))
void all(Item item, float4 self, global Item *items,
         constant struct tight *type, global void *anything, local float3 *scratch, local uchar *bytes,
         read_only image2d_t in, write_only image2d_t out, read_only image1d_buffer_t texels,
         sampler_t sampler, global int *constant_data)
{
    const int2 at = { get_global_id(0), get_global_id(1) };
    const size_t i = at.x;
    items[i].position = item.position + scratch[i] + bytes[i];
    const float2 place = convert_float2(at) / 7.0f;
    float4 colour = read_imagef(in, sampler, place) + read_imagef(texels, at.x) + self;
    colour += read_imagef(in, nearest, place) * table[i % 4];
    write_imagef(out, at, colour * get_image_channel_order(in));
    constant_data[i] = where[0] + type->b + ((global int *)anything)[i];
    printf("%d \"%s\" %v4hlf\n", at.x, "a\\b", colour);
}

// Without arguments, and with more than push constants hold.
kernel void Constants(void) {}
struct large { int values[100]; };
kernel void large(struct large values, union number number, struct tight tight, global int *out, uint type)
{
    const int radius = __spirv_SpecConstant(7, -2);
    const bool flag = __spirv_SpecConstant(9, (bool)true);
    const float scale = __spirv_SpecConstant(8, 1.5f);
    out[get_global_id(0)] = values.values[type] * scale + (flag ? radius : 0)
                            + number.i + tight.b + get_work_dim();
}
