/* What the test programs share. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                          \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);               \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

static const char GOOD[] = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2.0f; }\n";
static const char BAD[] = "kernel void k(global float *x)\n{\n    int lenght = 3;\n    x[0] = length;\n}\n";

#endif
