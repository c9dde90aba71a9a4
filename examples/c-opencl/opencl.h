/* A kernel of three arguments on the first OpenCL device that takes SPIR-V. The OpenCL loader is found
 * when the program runs, so that building it needs neither the loader nor its headers. */
#ifndef OPENCL_H
#define OPENCL_H

#include <stddef.h>
#include <stdint.h>

/* Runs `kernel(a, x, y, n)` of the module for each of the `n` elements. 0, or -1 after saying what
 * failed. */
int run_on_device(const uint32_t *module, size_t bytes, const char *kernel, float a, const float *x,
                  float *y, uint32_t n);

/* Runs `kernel` with a = 2.5 on 65,536 elements, and compares with a * x + y as the host computes it.
 * The exit code of a program. */
int check_on_device(const uint32_t *module, size_t bytes, const char *kernel);

#endif
