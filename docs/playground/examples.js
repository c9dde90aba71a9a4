// The first is what the page begins with. `cargo xtask web --test` compiles each for its target, and all but
// those with `mistakes` must be right.

const lines = String.raw;

export const EXAMPLES = [
  {
    name: "Sum of a work-group",
    target: "opencl3.0",
    options: "-cl-std=CL2.0",
    source: lines`// Each work-group adds its part of the input in local memory.
kernel void sum(global const float *in, global float *out,
                local float *scratch, uint count)
{
    size_t i = get_global_id(0);
    size_t lane = get_local_id(0);

    scratch[lane] = i < count ? in[i] : 0.0f;

    for (size_t width = get_local_size(0) / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < width)
            scratch[lane] += scratch[lane + width];
    }

    if (lane == 0)
        out[get_group_id(0)] = scratch[0];
}
`,
  },
  {
    name: "Mistakes, with fixes",
    target: "opencl3.0",
    options: "-Wall",
    mistakes: true,
    source: lines`// The fourth tab has the diagnostics, some with a fix.
float total(local const float *values, int n)
{
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += values[i];
    return sum
}

kernel void scale(global float *data, int n)
{
    size_t i = get_global_Id(0);
    float4 v = vload4(i, data);
    float first = v.xyzwq;
    data[i] *= total(data, n) * first;
}
`,
  },
  {
    name: "Structs and reflection",
    target: "vulkan1.3",
    options: "",
    source: lines`// The third tab says what a host must know: arguments, their
// offsets and sizes, the members of structs.
typedef struct {
    float3 position;
    float mass;
    uint flags;
} Body;

typedef struct {
    float step;
    float softening;
    uint count;
} Settings;

kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void accelerate(global const Body *bodies, global float3 *velocities,
                Settings settings)
{
    uint i = get_global_id(0);
    if (i >= settings.count)
        return;
    float3 here = bodies[i].position;
    float3 sum = (float3)(0.0f);
    for (uint k = 0; k < settings.count; ++k) {
        float3 d = bodies[k].position - here;
        float r = rsqrt(dot(d, d) + settings.softening);
        sum += d * (bodies[k].mass * r * r * r);
    }
    velocities[i] += sum * settings.step;
}
`,
  },
  {
    name: "An image filter",
    target: "vulkan1.3",
    options: "",
    source: lines`constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE
                        | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant float weights[3] = { 0.25f, 0.5f, 0.25f };

kernel void blur(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = (float4)(0.0f);
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            sum += weights[x + 1] * weights[y + 1]
                 * read_imagef(in, edge, at + (int2)(x, y));
    write_imagef(out, at, sum);
}
`,
  },
  {
    name: "Generic pointers",
    target: "opencl3.0",
    options: "-cl-std=CL2.0",
    source: lines`// A pointer without an address space is generic. The passes find
// out where it points to: in the module, none is generic.
float largest(const float *values, int n)
{
    float found = values[0];
    for (int i = 1; i < n; ++i)
        found = fmax(found, values[i]);
    return found;
}

kernel void both(global const float *in, global float *out, local float *tile)
{
    size_t lane = get_local_id(0);
    tile[lane] = in[get_global_id(0)];
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        out[2 * get_group_id(0)] = largest(tile, (int)get_local_size(0));
        out[2 * get_group_id(0) + 1] = largest(in, 4);
    }
}
`,
  },
  {
    name: "A specialization constant",
    target: "opencl3.0",
    options: "",
    source: lines`// The host may change the radius before the driver compiles this:
// constant number 3 has the value 2 unless the host says otherwise.
kernel void blur(global const float *in, global float *out)
{
    const int radius = __spirv_SpecConstant(3, 2);
    size_t i = get_global_id(0) + radius;
    float sum = 0;
    for (int k = -radius; k <= radius; ++k)
        sum += in[i + k];
    out[i] = sum / (2 * radius + 1);
}
`,
  },
  {
    name: "Atomics and a histogram",
    target: "opencl3.0",
    options: "-cl-std=CL1.2",
    source: lines`#ifndef BINS
#define BINS 256
#endif

kernel void histogram(global const uchar *pixels, uint count, global uint *bins)
{
    local uint mine[BINS];
    for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
        mine[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&mine[pixels[i] % BINS]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
        atomic_add(&bins[bin], mine[bin]);
}
`,
  },
];
