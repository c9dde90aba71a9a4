// @ clear_slots 2048|262144 256 zeros:u32:16384|2097152
// @ aggregate 16384|1048576 256 #0 u32:131072|8388608:0..1000|100000 i32:131072|8388608:-100..1000 2047u|262143u 131072u|8388608u
// @ emit_groups 1024|100096 64 #0 >i32:4096|400384 2047u|262143u 1000u|100000u

/*
 * SELECT key, count(*), avg(x), min(x), max(x) FROM t GROUP BY key
 *
 * Hash aggregation in a global table with linear probing. Slots are claimed
 * with compare-and-exchange. They are 32 bytes apart so that each is within
 * one sector.
 */

#define EMPTY 0xffffffffu

typedef struct {
    uint key;
    uint count;
    int  sum;
    int  least;
    int  greatest;
    uint unused[3];
} slot_t;

static uint hash32(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

__kernel void clear_slots(__global slot_t *table)
{
    __global slot_t *s = &table[get_global_id(0)];
    s->key = EMPTY;
    s->count = 0;
    s->sum = 0;
    s->least = INT_MAX;
    s->greatest = INT_MIN;
}

static __global slot_t *claim(__global slot_t *table, uint mask, uint key)
{
    uint at = hash32(key) & mask;
    for (;;) {
        volatile __global uint *where = &table[at].key;
        uint seen = *where;
        if (seen == EMPTY)
            seen = atomic_cmpxchg(where, EMPTY, key);
        if (seen == key || seen == EMPTY)
            return &table[at];
        at = (at + 1) & mask;
    }
}

__kernel void aggregate(__global slot_t *table,
                        __global const uint *keys,
                        __global const int *values,
                        const uint mask,
                        const uint rows)
{
    for (uint row = get_global_id(0); row < rows; row += get_global_size(0)) {
        const int x = values[row];
        __global slot_t *s = claim(table, mask, keys[row]);

        atomic_inc(&s->count);
        atomic_add(&s->sum, x);
        /* most rows do not change the extremes: look before */
        if (x < s->least)
            atomic_min(&s->least, x);
        if (x > s->greatest)
            atomic_max(&s->greatest, x);
    }
}

__kernel void emit_groups(__global const slot_t *table,
                          __global int4 *result,
                          const uint mask,
                          const uint groups)
{
    const uint key = get_global_id(0);
    if (key >= groups)
        return;

    int4 r = (int4)(0);
    for (uint at = hash32(key) & mask; table[at].key != EMPTY; at = (at + 1) & mask) {
        if (table[at].key == key) {
            const int n = (int)table[at].count;
            /* average in thousandths, rounded down */
            const long scaled = (long)table[at].sum * 1000;
            long avg = scaled / n;
            if (scaled % n < 0)
                avg--;
            r = (int4)(n, (int)avg, table[at].least, table[at].greatest);
            break;
        }
    }
    result[key] = r;
}
