// @ seed 65536|2097152 128 zeros:u32:65536|2097152 zeros:u32:65536|2097152 zeros:u32:65536|2097152 9
// @ relax 65536|2097152 128 iota:65537|2097153:6 u32:393216|12582912:0..65536|2097152 u8:393216|12582912:1..40 #0 #1 #2
// @ settle 65536|2097152 128 #0 #1 #2
// @ relax 65536|2097152 128 #3 #4 #5 #0 #1 #2
// @ settle 65536|2097152 128 #0 #1 #2
// @ relax 65536|2097152 128 #3 #4 #5 #0 #1 #2
// @ settle 65536|2097152 128 #0 #1 #2
// @ relax 65536|2097152 128 #3 #4 #5 #0 #1 #2
// @ settle 65536|2097152 128 #0 #1 #2
// @ relax 65536|2097152 128 #3 #4 #5 #0 #1 #2
// @ report 65536|2097152 128 #3 #4 #5 #1 >u32:131072|4194304

/*
 * Bellman-Ford with a frontier (after Harish & Narayanan): distances from a set of
 * depots over a road network in CSR form. `relax` pushes tentative distances of active
 * vertices into `updating`, `settle` makes them the current ones. Bounded rounds.
 */

#define UNREACHED 0x3fffffffu

__kernel void seed(__global uint *cost, __global uint *updating, __global uint *active, uint log2_spacing)
{
    uint v = get_global_id(0);
    uint isDepot = (v & ((1u << log2_spacing) - 1u)) == 0;
    uint c = isDepot ? (popcount(v) & 7u) : UNREACHED;
    cost[v] = c;
    updating[v] = c;
    active[v] = isDepot;
}

__kernel void relax(__global const uint *rows,
                    __global const uint *heads,
                    __global const uchar *lengths,
                    __global const uint *cost,
                    __global uint *updating,
                    __global const uint *active)
{
    uint v = get_global_id(0);
    if (!active[v])
        return;

    uint here = cost[v];
    for (uint e = rows[v], end = rows[v + 1]; e < end; e++) {
        uint there = here + lengths[e];
        __global uint *target = &updating[heads[e]];
        /* most attempts are in vain, and a read is cheaper */
        if (there < *(volatile __global uint *)target)
            atomic_min(target, there);
    }
}

__kernel void settle(__global uint *cost, __global const uint *updating, __global uint *active)
{
    uint v = get_global_id(0);
    uint fresh = updating[v];
    active[v] = fresh < cost[v];
    cost[v] = fresh;
}

/* Distance, and slack of the tightest edge out of the vertex */
__kernel void report(__global const uint *rows,
                     __global const uint *heads,
                     __global const uchar *lengths,
                     __global const uint *cost,
                     __global uint2 *result)
{
    uint v = get_global_id(0);
    uint here = min(cost[v], UNREACHED);
    uint slack = UNREACHED;
    for (uint e = rows[v]; e < rows[v + 1]; e++) {
        uint there = cost[heads[e]];
        uint via = here + lengths[e];
        slack = min(slack, abs_diff(via, there));
    }
    result[v] = (uint2)(here, slack);
}
