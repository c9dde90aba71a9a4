// Cases fall through, and ranges are cases.
// ir: switch
// ir: 7:
kernel void k(global int *a, int x) {
    switch (x) {
    case 1: a[0] = 1;
    case 2: a[1] = 2; break;
    case 5 ... 7: a[2] = 3; break;
    default: a[3] = 4;
    }
}
