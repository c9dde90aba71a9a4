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
