// One program of three files.
//@ section 6.10
//@ options -cl-std=CL2.0
//@ part linking.library.part
//@ part linking.variables.part
//@ vulkan also --work-group-regions
//@ kernel everything
//@ global 8
//@ local 4
//@ arg buffer int[16] = zero
//@ result 0 = 42 1 11 300 7 0 1 30  42 1 12 300 7 1 4 40
//@ kernel calls_a_kernel
//@ global 2
//@ arg buffer int[2] = zero
//@ result 0 = 100 101
//@ kernel counts
//@ arg buffer int[1] = zero
//@ result 0 = 3
typedef struct Node {
    struct Node *next;
    int value;
} Node;

typedef struct {
    char tag;
    int4 v;
} Pack;

extern constant int table[];
extern global int counter;
extern int sum_list(const Node *list);
extern Pack make_pack(int x);
extern int from_local(local int *p);
__attribute__((overloadable)) int area(int side);
__attribute__((overloadable)) int area(float2 sides);
extern int where(void);
kernel void fill(global int *out);

// Both files have one of these.
static int hidden(int x)
{
    return x + 1;
}

kernel void everything(global int *out)
{
    local int shared_value;
    if (get_local_id(0) == 0)
        shared_value = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    int group = get_group_id(0);
    global int *o = out + group * 8;
    if (get_local_id(0) == 2) {
        Node second = {0, 40};
        Node first = {&second, 2};
        o[0] = sum_list(&first);
        o[1] = hidden(0);
        o[2] = make_pack(group + 1).v.s1;
        o[3] = area((float2)(10.0f, 30.0f));
        o[4] = from_local(&shared_value);
        o[5] = where();
        o[6] = area(group + 1);
        o[7] = table[group + 2];
    }
}

kernel void calls_a_kernel(global int *out)
{
    fill(out);
}

kernel void counts(global int *out)
{
    extern void count(int by);
    counter = 0;
    count(1);
    count(2);
    *out = counter;
}
