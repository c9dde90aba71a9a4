/* The whole interface, from C: right programs, wrong ones, include files from memory, and arguments
 * that are not what they should be. */
#include "check.h"
#include "clc.h"

static clc_result *compile(const clc_options *options, const char *source) {
    return clc_compile(options, "k.cl", source, CLC_NUL_TERMINATED, NULL, NULL);
}

static void modules_come_out(void) {
    clc_result *result = clc_compile(NULL, "k.cl", GOOD, strlen(GOOD), NULL, NULL);
    CHECK(clc_result_status(result) == CLC_STATUS_OK);
    size_t words = 0, bytes = 0;
    const uint32_t *module = clc_result_spirv(result, &words);
    CHECK(words > 5 && module[0] == 0x07230203u);
    CHECK(clc_result_output(result, &bytes) == (const char *)module && bytes == 4 * words);
    CHECK(strcmp(clc_result_log(result), "") == 0);
    CHECK(clc_result_diagnostic_count(result) == 0);
    CHECK(clc_result_dependency_count(result) == 0);
    clc_result_free(result);
}

static void options_are_those_of_the_command(void) {
    const char *good[] = {"-cl-std=CL2.0", "-D", "N=4", "-S"};
    clc_options *options = clc_options_new();
    CHECK(clc_options_parse(options, 4, good) == CLC_STATUS_OK);
    CHECK(clc_options_message(options) == NULL);
    clc_options *copy = clc_options_copy(options);
    clc_options_free(options);

    clc_result *result = compile(copy, "kernel void k(global int *p) { *p = N + __OPENCL_C_VERSION__; }");
    size_t length = 0;
    const char *text = clc_result_output(result, &length);
    CHECK(text != NULL && strlen(text) == length);
    CHECK(strstr(text, "OpEntryPoint Kernel") != NULL && strstr(text, "204") != NULL);
    CHECK(clc_result_spirv(result, NULL) == NULL);
    clc_result_free(result);

    /* One that is wrong leaves all as it was. */
    const char *wrong[] = {"-DM=1", "-cl-turbo"};
    CHECK(clc_options_parse(copy, 2, wrong) == CLC_STATUS_USAGE);
    CHECK(strcmp(clc_options_message(copy), "unknown option `-cl-turbo`") == 0);
    CHECK(clc_options_parse_text(copy, "-Wodd -DS='a b'") == CLC_STATUS_OK);
    CHECK(strcmp(clc_options_message(copy), "`-Wodd` names no warning") == 0);
    CHECK(clc_options_set(copy, "-O0", NULL) == CLC_STATUS_OK);
    result = compile(copy, "#ifdef M\n#error M\n#endif\n");
    CHECK(clc_result_status(result) == CLC_STATUS_OK);
    clc_result_free(result);

    static const char *const refused[] = {"k.cl",   "-o",          "-MD",       "--help",
                                          "--emit", "-cl-std=CL9", "a.cl b.cl", "-D 'x"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(clc_options_parse_text(copy, refused[i]) == CLC_STATUS_USAGE);
        CHECK(clc_options_message(copy) != NULL);
    }
    clc_options_free(copy);
}

static void errors_are_data_and_text(void) {
    clc_options *options = clc_options_new();
    CHECK(clc_options_set(options, "--message-format", "short") == CLC_STATUS_OK);
    clc_result *result = compile(options, BAD);
    clc_options_free(options);
    CHECK(clc_result_status(result) == CLC_STATUS_SOURCE_ERRORS);
    size_t count = 7;
    CHECK(clc_result_spirv(result, &count) == NULL && count == 0);
    CHECK(clc_result_diagnostic_count(result) == 1);
    const clc_diagnostic *error = clc_result_diagnostic(result, 0);
    CHECK(error->severity == CLC_SEVERITY_ERROR && error->code[0] == 'E');
    CHECK(strcmp(error->name, "undeclared-identifier") == 0);
    CHECK(strstr(error->message, "length") != NULL);
    CHECK(strcmp(error->primary.place.file, "k.cl") == 0);
    CHECK(error->primary.place.line == 4 && error->primary.place.column == 12);
    CHECK(error->primary.place.end_line == 4 && error->primary.place.end_column == 18);
    CHECK(memcmp(BAD + error->primary.place.byte_start, "length", 6) == 0);
    CHECK(error->primary.message[0] != 0);
    CHECK(error->fix != NULL && error->fix->message[0] != 0);
    CHECK(error->fix->place.byte_start == error->primary.place.byte_start);
    CHECK(clc_result_diagnostic(result, 1) == NULL);
    CHECK(strncmp(clc_result_log(result), "k.cl:4:12: error[E", 18) == 0);
    clc_result_free(result);

    /* As the command shows it, and in colour when that is asked for. */
    result = compile(NULL, BAD);
    CHECK(strstr(clc_result_log(result), "1 error\n") != NULL);
    CHECK(strchr(clc_result_log(result), '\033') == NULL);
    clc_result_free(result);
    options = clc_options_new();
    CHECK(clc_options_set(options, "--color", "always") == CLC_STATUS_OK);
    result = compile(options, BAD);
    CHECK(strchr(clc_result_log(result), '\033') != NULL);
    clc_result_free(result);
    clc_options_free(options);

    /* Places that explain, and facts. */
    result = compile(NULL, "void f(local int *p) {}\nkernel void k(global int *p) { f(p); }\n");
    error = clc_result_diagnostic(result, 0);
    CHECK(error != NULL && error->label_count > 0 && error->note_count > 0);
    for (size_t i = 0; i < error->label_count; i++)
        CHECK(error->labels[i].place.line > 0 && error->labels[i].message[0] != 0);
    for (size_t i = 0; i < error->note_count; i++)
        CHECK(error->notes[i][0] != 0);
    for (size_t i = 0; i < error->help_count; i++)
        CHECK(error->helps[i][0] != 0);
    clc_result_free(result);
}

static void reflections_are_json(void) {
    clc_options *options = clc_options_new();
    clc_result *result = compile(options, GOOD);
    CHECK(strstr(clc_result_reflection(result), "\"opencl\"") != NULL);
    clc_result_free(result);
    CHECK(clc_options_set(options, "--target-env", "vulkan1.3") == CLC_STATUS_OK);
    result = compile(options, GOOD);
    CHECK(clc_result_status(result) == CLC_STATUS_OK);
    CHECK(strstr(clc_result_reflection(result), "\"twice\"") != NULL);
    clc_result_free(result);
    result = compile(options, BAD);
    CHECK(clc_result_reflection(result) == NULL);
    clc_result_free(result);
    clc_options_free(options);
}

struct files {
    int calls;
    int depth;
};

static void includer(void *user_data, clc_include *include) {
    struct files *files = user_data;
    files->calls++;
    const char *name = clc_include_name(include);
    if (strcmp(name, "scale.h") == 0) {
        CHECK(strcmp(clc_include_from(include), "k.cl") == 0);
        CHECK(clc_include_get_kind(include) == CLC_INCLUDE_KIND_QUOTE);
        /* It is copied: what is on the stack of the callback may go. */
        char text[] = "#pragma once\n#include <deep/value.h>\n#define SCALE VALUE\n";
        CHECK(clc_include_provide(include, NULL, text, CLC_NUL_TERMINATED, false) == CLC_STATUS_OK);
        memset(text, '#', sizeof text);
    } else if (strcmp(name, "deep/value.h") == 0) {
        CHECK(strcmp(clc_include_from(include), "scale.h") == 0);
        CHECK(clc_include_get_kind(include) == CLC_INCLUDE_KIND_ANGLE);
        /* A callback may compile. */
        clc_result *inner = compile(NULL, files->calls < 10 ? GOOD : BAD);
        CHECK(clc_result_status(inner) == CLC_STATUS_OK);
        clc_result_free(inner);
        CHECK(clc_include_provide(include, "/value", "#define VALUE 3.0f", 18, true) == CLC_STATUS_OK);
    } else if (strcmp(name, "broken.h") == 0) {
        clc_include_fail(include, "the disk is \xff wet");
    } else if (strcmp(name, "null.h") == 0) {
        CHECK(clc_include_provide(include, NULL, NULL, 3, false) == CLC_STATUS_USAGE);
    } else if (strcmp(name, "empty.h") == 0) {
        CHECK(clc_include_provide(include, "\xfe.h", NULL, 0, false) == CLC_STATUS_OK);
    } else if (strcmp(name, "loop.h") == 0) {
        clc_include_provide(include, NULL, "#include \"loop.h\"", CLC_NUL_TERMINATED, false);
    }
}

static void include_files_come_from_memory(void) {
    struct files files = {0, 0};
    const char *source = "#include \"scale.h\"\n#include \"scale.h\"\n#include \"empty.h\"\n"
                         "kernel void k(global float *x) { *x *= SCALE; }\n";
    clc_result *result = clc_compile(NULL, "k.cl", source, strlen(source), includer, &files);
    CHECK(clc_result_status(result) == CLC_STATUS_OK);
    CHECK(files.calls >= 3);
    CHECK(clc_result_dependency_count(result) == 3);
    CHECK(strcmp(clc_result_dependency(result, 0), "scale.h") == 0);
    CHECK(strcmp(clc_result_dependency(result, 1), "/value") == 0);
    CHECK(clc_result_dependency(result, 3) == NULL);
    clc_result_free(result);

    static const char *const wrong[][2] = {
        {"#include \"broken.h\"\n", "wet"},
        {"#include \"null.h\"\n", "null"},
        {"#include \"absent.h\"\n", "absent.h"},
        {"#include \"loop.h\"\n", "loop.h"},
        {"#include \"/etc/hostname\"\n", "hostname"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        result = clc_compile(NULL, "k.cl", wrong[i][0], CLC_NUL_TERMINATED, includer, &files);
        CHECK(clc_result_status(result) == CLC_STATUS_SOURCE_ERRORS);
        CHECK(strstr(clc_result_log(result), wrong[i][1]) != NULL);
        clc_result_free(result);
    }
    /* No file is read unless an option names its folder. */
    result = clc_compile(NULL, __FILE__, "#include \"check.h\"\n", CLC_NUL_TERMINATED, NULL, NULL);
    CHECK(clc_result_status(result) == CLC_STATUS_SOURCE_ERRORS);
    clc_result_free(result);
}

static void include_files_come_from_named_folders(const char *folder) {
    clc_options *options = clc_options_new();
    CHECK(clc_options_set(options, "-I", folder) == CLC_STATUS_OK);
    struct files files = {0, 0};
    const char *source = "#include <kernel.h>\n#include \"scale.h\"\n"
                         "kernel void k(global float *x) { *x = SCALE + FROM_A_FOLDER; }\n";
    clc_result *result = clc_compile(options, "k.cl", source, strlen(source), includer, &files);
    CHECK(clc_result_status(result) == CLC_STATUS_OK);
    CHECK(clc_result_dependency_count(result) == 3);
    clc_result_free(result);
    clc_options_free(options);
}

static void nulls_are_arguments(void) {
    size_t count = 1;
    clc_options_free(NULL);
    clc_result_free(NULL);
    CHECK(clc_options_parse(NULL, 0, NULL) == CLC_STATUS_USAGE);
    CHECK(clc_options_parse_text(NULL, "-O0") == CLC_STATUS_USAGE);
    CHECK(clc_options_set(NULL, "-O0", NULL) == CLC_STATUS_USAGE);
    CHECK(clc_options_message(NULL) == NULL);
    CHECK(clc_result_status(NULL) == CLC_STATUS_USAGE);
    CHECK(clc_result_spirv(NULL, &count) == NULL && count == 0);
    CHECK(clc_result_spirv(NULL, NULL) == NULL);
    CHECK(clc_result_output(NULL, NULL) == NULL);
    CHECK(clc_result_reflection(NULL) == NULL && clc_result_log(NULL) == NULL);
    CHECK(clc_result_diagnostic_count(NULL) == 0 && clc_result_diagnostic(NULL, 0) == NULL);
    CHECK(clc_result_dependency_count(NULL) == 0 && clc_result_dependency(NULL, 0) == NULL);
    CHECK(clc_include_name(NULL) == NULL && clc_include_from(NULL) == NULL);
    CHECK(clc_include_get_kind(NULL) == CLC_INCLUDE_KIND_QUOTE);
    CHECK(clc_include_provide(NULL, NULL, NULL, 0, true) == CLC_STATUS_USAGE);
    clc_include_fail(NULL, NULL);

    clc_options *options = clc_options_copy(NULL);
    const char *arguments[] = {"-O0", NULL};
    CHECK(clc_options_parse(options, 0, NULL) == CLC_STATUS_OK);
    CHECK(clc_options_parse(options, 3, NULL) == CLC_STATUS_USAGE);
    CHECK(clc_options_parse(options, 2, arguments) == CLC_STATUS_USAGE);
    CHECK(clc_options_parse(options, SIZE_MAX, arguments) == CLC_STATUS_USAGE);
    CHECK(clc_options_parse_text(options, NULL) == CLC_STATUS_OK);
    CHECK(clc_options_set(options, NULL, NULL) == CLC_STATUS_USAGE);
    CHECK(clc_options_set(options, "-D", "\xff\xfe") == CLC_STATUS_USAGE);
    CHECK(clc_options_parse_text(options, "-D\xff") == CLC_STATUS_USAGE);
    clc_options_free(options);

    clc_result *result = clc_compile(NULL, NULL, NULL, 0, NULL, NULL);
    CHECK(clc_result_status(result) == CLC_STATUS_OK);
    clc_result_free(result);
    result = clc_compile(NULL, NULL, NULL, CLC_NUL_TERMINATED, NULL, NULL);
    CHECK(clc_result_status(result) == CLC_STATUS_OK);
    clc_result_free(result);
    static const size_t lengths[] = {1, 4096, SIZE_MAX / 2, SIZE_MAX - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        result = clc_compile(NULL, NULL, NULL, lengths[i], NULL, NULL);
        CHECK(clc_result_status(result) == CLC_STATUS_USAGE);
        CHECK(strstr(clc_result_log(result), "null") != NULL);
        clc_result_free(result);
    }
    result = clc_compile(NULL, NULL, GOOD, SIZE_MAX - 1, NULL, NULL);
    CHECK(clc_result_status(result) == CLC_STATUS_USAGE);
    clc_result_free(result);
}

static void any_bytes_are_a_source(void) {
    clc_result *result = clc_compile(NULL, "\xff\xfe.cl", "int \xc3\x28;\n\0 x", 12, includer, NULL);
    CHECK(clc_result_status(result) == CLC_STATUS_SOURCE_ERRORS);
    CHECK(clc_result_diagnostic_count(result) > 0);
    CHECK(clc_result_diagnostic(result, 0)->primary.place.file != NULL);
    clc_result_free(result);
    /* A NUL in the middle, and none at the end. */
    char *exact = malloc(sizeof GOOD - 1);
    memcpy(exact, GOOD, sizeof GOOD - 1);
    result = clc_compile(NULL, "k.cl", exact, sizeof GOOD - 1, NULL, NULL);
    CHECK(clc_result_status(result) == CLC_STATUS_OK);
    clc_result_free(result);
    exact[3] = 0;
    result = clc_compile(NULL, "k.cl", exact, sizeof GOOD - 1, NULL, NULL);
    CHECK(clc_result_status(result) == CLC_STATUS_SOURCE_ERRORS);
    clc_result_free(result);
    /* Bytes without any sense, the same ones each time. */
    unsigned state = 1;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < sizeof GOOD - 1; i++) {
            state = state * 1664525u + 1013904223u;
            exact[i] = round % 2 ? (char)(state >> 24) : GOOD[(state >> 24) % (sizeof GOOD - 1)];
        }
        struct files files = {0, 0};
        result = clc_compile(NULL, "k.cl", exact, sizeof GOOD - 1, includer, &files);
        CHECK(clc_result_status(result) <= CLC_STATUS_SOURCE_ERRORS);
        clc_result_free(result);
    }
    free(exact);
}

static void deep_nesting_is_an_error_or_not(void) {
    const size_t depth = 100000;
    char *source = malloc(2 * depth + 64);
    strcpy(source, "kernel void k(global int *p) { *p = ");
    size_t length = strlen(source);
    memset(source + length, '(', depth);
    length += depth;
    source[length++] = '1';
    memset(source + length, ')', depth);
    length += depth;
    strcpy(source + length, "; }");
    clc_result *result = compile(NULL, source);
    CHECK(clc_result_status(result) <= CLC_STATUS_SOURCE_ERRORS);
    clc_result_free(result);
    free(source);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    CHECK(clc_api_version() == CLC_API_VERSION && strchr(clc_version(), '.') != NULL);
    modules_come_out();
    options_are_those_of_the_command();
    errors_are_data_and_text();
    reflections_are_json();
    include_files_come_from_memory();
    include_files_come_from_named_folders(argv[1]);
    nulls_are_arguments();
    any_bytes_are_a_source();
    deep_nesting_is_an_error_or_not();
    puts("the interface does what clc.h says");
    return 0;
}
