kernel void saxpy(float a, global const float *x, global float *y, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

struct node {
    global const struct node *next;
    float value;
};

// The nodes lie anywhere in memory: pointers are the addresses of buffers.
kernel void walk(global const struct node *list, global float *sum)
{
    float total = 0;
    for (; list; list = list->next)
        total += list->value;
    *sum = total;
}

// What it prints is recorded in a buffer of the host.
kernel void report(global const float *y)
{
    int i = get_global_id(0);
    printf("item %2d: %-4s %8.1f %v4hld\n", i, i % 2 ? "odd" : "even", y[i], (int4)(i, -i, 0, -1));
}
