/* The same with a kernel that is put together and compiled while the program runs. */
#include <clc.h>
#include <stdio.h>
#include <string.h>

#include "opencl.h"

static const char source[] =
    "#include \"element.h\"\n"
    "kernel void saxpy(element a, global const element *x, global element *y, uint n)\n"
    "{\n"
    "    uint i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        y[i] = a * x[i] + y[i];\n"
    "}\n";

/* Include files are what this says. */
static void includer(void *user_data, clc_include *include) {
    if (strcmp(clc_include_name(include), "element.h") == 0)
        clc_include_provide(include, NULL, user_data, CLC_NUL_TERMINATED, false);
}

int main(void) {
    char element[] = "typedef float element;\n";
    clc_options *options = clc_options_new();
    if (clc_options_parse_text(options, "-cl-std=CL1.2 -Wall") != CLC_STATUS_OK)
        fprintf(stderr, "%s\n", clc_options_message(options));
    clc_result *result =
        clc_compile(options, "saxpy.cl", source, strlen(source), includer, element);
    fputs(clc_result_log(result), stderr);
    int code = 1;
    if (clc_result_status(result) == CLC_STATUS_OK) {
        size_t words = 0;
        const uint32_t *module = clc_result_spirv(result, &words);
        code = check_on_device(module, words * sizeof *module, "saxpy");
    }
    clc_result_free(result);
    clc_options_free(options);
    return code;
}
