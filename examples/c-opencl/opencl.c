#include "opencl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What this file needs of CL/cl.h. */
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_bitfield;
typedef struct object *cl_object;

enum {
    CL_DEVICE_IL_VERSION = 0x105B,
    CL_MEM_READ_WRITE = 1,
    CL_MEM_COPY_HOST_PTR = 32,
    MOST = 8,
};
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFFu

typedef cl_int (*platforms_fn)(cl_uint, cl_object *, cl_uint *);
typedef cl_int (*devices_fn)(cl_object, cl_bitfield, cl_uint, cl_object *, cl_uint *);
typedef cl_int (*info_fn)(cl_object, cl_uint, size_t, void *, size_t *);
typedef cl_object (*context_fn)(const intptr_t *, cl_uint, const cl_object *, void *, void *, cl_int *);
typedef cl_object (*queue_fn)(cl_object, cl_object, const cl_bitfield *, cl_int *);
typedef cl_object (*program_fn)(cl_object, const void *, size_t, cl_int *);
typedef cl_int (*build_fn)(cl_object, cl_uint, const cl_object *, const char *, void *, void *);
typedef cl_object (*kernel_fn)(cl_object, const char *, cl_int *);
typedef cl_object (*buffer_fn)(cl_object, cl_bitfield, size_t, void *, cl_int *);
typedef cl_int (*argument_fn)(cl_object, cl_uint, size_t, const void *);
typedef cl_int (*launch_fn)(cl_object, cl_object, cl_uint, const size_t *, const size_t *,
                            const size_t *, cl_uint, const cl_object *, cl_object *);
typedef cl_int (*read_fn)(cl_object, cl_object, cl_uint, size_t, size_t, void *, cl_uint,
                          const cl_object *, cl_object *);
typedef cl_int (*release_fn)(cl_object);

static void *loader;

/* A function of the loader; `type` is that of a pointer to it. */
static void *function(const char *name) {
    void *found = loader ? dlsym(loader, name) : NULL;
    if (!found) {
        fprintf(stderr, "no %s: is there an OpenCL loader?\n", name);
        exit(1);
    }
    return found;
}
#define CL(type, name) ((type)(uintptr_t)function(#name))

static cl_object device_of(cl_object platform) {
    cl_object devices[MOST];
    cl_uint count = 0;
    if (CL(devices_fn, clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, MOST, devices, &count) != 0)
        return NULL;
    for (cl_uint i = 0; i < count && i < MOST; i++) {
        char versions[256] = "";
        CL(info_fn, clGetDeviceInfo)
        (devices[i], CL_DEVICE_IL_VERSION, sizeof versions - 1, versions, NULL);
        if (strstr(versions, "SPIR-V"))
            return devices[i];
    }
    return NULL;
}

static cl_object first_device(void) {
    cl_object platforms[MOST];
    cl_uint count = 0;
    if (CL(platforms_fn, clGetPlatformIDs)(MOST, platforms, &count) != 0)
        return NULL;
    for (cl_uint i = 0; i < count && i < MOST; i++) {
        cl_object device = device_of(platforms[i]);
        if (device)
            return device;
    }
    return NULL;
}

static int failed(const char *what, cl_int code) {
    if (code != 0)
        fprintf(stderr, "%s: error %d\n", what, (int)code);
    return code != 0;
}

int run_on_device(const uint32_t *module, size_t bytes, const char *name, float a, const float *x,
                  float *y, uint32_t n) {
    const char *path = getenv("OPENCL_DYLIB_PATH");
    loader = dlopen(path ? path : "libOpenCL.so.1", RTLD_NOW);
    cl_object device = first_device();
    if (!device) {
        fprintf(stderr, "no OpenCL device takes SPIR-V\n");
        return -1;
    }
    cl_int error = 0;
    const size_t size = n * sizeof *x, items = n;
    cl_object context = CL(context_fn, clCreateContext)(NULL, 1, &device, NULL, NULL, &error);
    if (failed("clCreateContext", error))
        return -1;
    cl_object queue =
        CL(queue_fn, clCreateCommandQueueWithProperties)(context, device, NULL, &error);
    if (failed("clCreateCommandQueueWithProperties", error))
        return -1;
    cl_object program = CL(program_fn, clCreateProgramWithIL)(context, module, bytes, &error);
    if (failed("clCreateProgramWithIL", error))
        return -1;
    error = CL(build_fn, clBuildProgram)(program, 1, &device, "", NULL, NULL);
    if (failed("clBuildProgram", error))
        return -1;
    cl_object kernel = CL(kernel_fn, clCreateKernel)(program, name, &error);
    if (failed("clCreateKernel", error))
        return -1;
    const cl_bitfield copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    cl_object buffers[2];
    buffers[0] = CL(buffer_fn, clCreateBuffer)(context, copied, size, (void *)x, &error);
    buffers[1] = CL(buffer_fn, clCreateBuffer)(context, copied, size, y, &error);
    if (failed("clCreateBuffer", error))
        return -1;
    const struct {
        size_t size;
        const void *value;
    } arguments[] = {{sizeof a, &a},
                     {sizeof *buffers, &buffers[0]},
                     {sizeof *buffers, &buffers[1]},
                     {sizeof n, &n}};
    for (cl_uint i = 0; i < 4; i++) {
        error = CL(argument_fn, clSetKernelArg)(kernel, i, arguments[i].size, arguments[i].value);
        if (failed("clSetKernelArg", error))
            return -1;
    }
    error = CL(launch_fn, clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    if (failed("clEnqueueNDRangeKernel", error))
        return -1;
    error = CL(read_fn, clEnqueueReadBuffer)(queue, buffers[1], 1, 0, size, y, 0, NULL, NULL);
    if (failed("clEnqueueReadBuffer", error))
        return -1;
    CL(release_fn, clReleaseMemObject)(buffers[0]);
    CL(release_fn, clReleaseMemObject)(buffers[1]);
    CL(release_fn, clReleaseKernel)(kernel);
    CL(release_fn, clReleaseProgram)(program);
    CL(release_fn, clReleaseCommandQueue)(queue);
    CL(release_fn, clReleaseContext)(context);
    return 0;
}

int check_on_device(const uint32_t *module, size_t bytes, const char *kernel) {
    enum { N = 1 << 16 };
    static float x[N], y[N], expected[N];
    const float a = 2.5f;
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = (float)(N - i);
        expected[i] = a * x[i] + y[i];
    }
    if (run_on_device(module, bytes, kernel, a, x, y, N) != 0)
        return EXIT_FAILURE;
    if (memcmp(y, expected, sizeof y) != 0) {
        fprintf(stderr, "the device computed something else than the host\n");
        return EXIT_FAILURE;
    }
    printf("%s: %d elements as expected, by %zu bytes of SPIR-V\n", kernel, N, bytes);
    return EXIT_SUCCESS;
}
