#include <scale.h>

kernel void one(global int *p)
{
    *p = (VALUE) * SCALE;
}
