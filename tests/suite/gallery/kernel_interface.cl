typedef struct { size_t count; global int *data; } job;

static kernel void run(job j, int **table, bool on, local int size) {
    int lengths[size];
    int (*handler)(int) = 0;
    global int shared;
    printf("%d %s\n", 1.5f, j.count, 3);
}

kernel __attribute__((reqd_work_gruop_size(64, 1, 1))) float half_of(constant float *x) {
    x[0] = 0.5f;
    return run(0);
}

// error: E0324 3:53
// error: E0205 3:8
// error: E0213 3:28
// error: E0325 3:37
// error: E0213 3:49
// error: E0214 5:10
// error: E0330 6:5
// warning: W0501 7:23
// warning: W0501 7:29
// warning: W0501 7:38
// warning: W0201 10:23
// error: E0212 10:62
// error: E0432 11:10
