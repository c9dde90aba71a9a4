// Variables whose addresses are passed on, cast and stored, and local arguments of several sizes.
//@ kernel bytes
//@ global 16
//@ local 16
//@ arg buffer uint[32] = zero
//@ arg local 32
//@ arg local 40
//@ result 0 = 370083841 841688093 1313292345 1784896597 185074946 387191054 589307162 791423270 370083841 841688093 1313292345 1784896597 185074946 387191054 589307162 791423270 268959749 806232075 1343504401 1880776727 2418049053 2955321379 3492593705 4029866031 268959749 806232075 1343504401 1880776727 2418049053 2955321379 3492593705 4029866031
//@ kernel packed
//@ global 4
//@ local 4
//@ arg buffer int[16] = zero
//@ result 0 = -1 100008 -300 1 0 200008 -600 2 1 300008 -900 3 -2 8 0 0
//@ kernel unions
//@ global 4
//@ arg buffer uint[8] = zero
//@ result 0 = 573 64 670 1069563904 384 1073741824 624 9437184
//@ kernel lists
//@ global 4
//@ arg buffer int[4] = zero
//@ result 0 = 5619 30167 78412 123894
//@ kernel counters
//@ global 16
//@ local 16
//@ arg buffer int[4] = zero
//@ result 0 = 120 16 15 0
//@ kernel walk
//@ global 5
//@ local 5
//@ arg buffer float[5] = zero
//@ result 0 = 60 68 76 84 92
#define APART __attribute__((noinline))

APART void put_byte(local uchar *p, int i, uchar value) { p[i] = value; }
APART void put_short(local ushort *p, int i, ushort value) { p[i] = value; }

kernel void bytes(global uint *out, local uchar *a, local ushort *b)
{
    const int i = get_local_id(0);
    put_byte(a, i, i * 7 + 1);
    put_byte(a, i + 16, i * 3 + 2);
    put_short(b, i, i * 4099 + 5);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = ((local uint *)a)[i & 7];
    out[16 + i] = ((local uint *)b)[i & 7];
}

struct __attribute__((packed)) record { char c; int n; short s; long d; };

APART void fill(local struct record *r, int i)
{
    r->c = i - 2;
    r->n = i * 100000 + 7;
    r->s = -300 * i;
    r->d = (1L << 40) + i;
}

APART long last(private const struct record *r) { return r->d; }

kernel void packed(global int *out)
{
    local struct record records[4];
    const int i = get_local_id(0);
    fill(&records[i], i);
    barrier(CLK_LOCAL_MEM_FENCE);
    struct record mine[2];
    mine[i & 1] = records[(i + 1) % 4];
    mine[i & 1].n++;
    out[4 * i] = mine[i & 1].c;
    out[4 * i + 1] = mine[i & 1].n;
    out[4 * i + 2] = mine[i & 1].s;
    out[4 * i + 3] = (int)(last(&mine[i & 1]) - (1L << 40));
}

union bits { float f[4]; uint u[4]; uchar b[16]; };

APART void flip(private uchar *p, int i) { p[i] ^= 0x40; }

kernel void unions(global uint *out)
{
    const int i = get_global_id(0);
    union bits bits;
    for (int k = 0; k < 4; k++)
        bits.f[k] = i + k * 0.5f;
    flip(bits.b, i * 5 % 16);
    uint sum = 0;
    for (int k = 0; k < 16; k++)
        sum += bits.b[k];
    out[2 * i] = sum;
    out[2 * i + 1] = bits.u[i];
}

struct node { int value; private struct node *next; };

APART int digits(private const struct node *n)
{
    int sum = 0;
    for (; n != 0; n = n->next)
        sum = sum * 10 + n->value;
    return sum;
}

kernel void lists(global int *out)
{
    const int i = get_global_id(0);
    struct node nodes[5];
    private struct node *first = 0;
    for (int k = 4; k >= 0; k--) {
        const int at = (2 * k + i) % 5;
        nodes[at].value = i + at * at;
        nodes[at].next = first;
        first = &nodes[at];
    }
    out[i] = digits(first);
}

APART void count(volatile local int *c, int i)
{
    atomic_add(&c[0], i);
    atomic_inc(&c[1]);
    atomic_max(&c[2], i);
}

kernel void counters(global int *out)
{
    local int c[4];
    const int i = get_local_id(0);
    if (i < 4)
        c[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    count(c, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 4)
        out[i] = c[i];
}

kernel void walk(global float *out)
{
    local float tile[4][5];
    const int i = get_local_id(0);
    for (int y = 0; y < 4; y++)
        tile[y][i] = y * 5 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (local float *p = &tile[0][i]; p < &tile[0][0] + 20; p += 5)
        sum += *p * 2;
    out[i] = sum;
}
