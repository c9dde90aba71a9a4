/* Many threads compile with the same options, and read one result. */
#include <pthread.h>

#include "check.h"
#include "clc.h"

enum { THREADS = 8, ROUNDS = 6 };

static clc_options *shared_options;
static clc_result *shared_result;

static void includer(void *user_data, clc_include *include) {
    int *calls = user_data;
    ++*calls;
    clc_include_provide(include, NULL, "#define N 3\n", CLC_NUL_TERMINATED, false);
}

static void *work(void *argument) {
    int number = *(int *)argument;
    int calls = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char source[256];
        int length = snprintf(source, sizeof source,
                              "#include \"n.h\"\nkernel void k%d(global int *p) { p[%d] = N * %s; }\n",
                              number, round, (number + round) % 3 ? "2" : "unknown");
        clc_result *result =
            clc_compile(shared_options, "k.cl", source, (size_t)length, includer, &calls);
        clc_status expected = (number + round) % 3 ? CLC_STATUS_OK : CLC_STATUS_SOURCE_ERRORS;
        CHECK(clc_result_status(result) == expected);
        clc_result_free(result);
        CHECK(clc_result_diagnostic_count(shared_result) == 1);
        CHECK(strstr(clc_result_diagnostic(shared_result, 0)->message, "length") != NULL);
        clc_options *copy = clc_options_copy(shared_options);
        CHECK(clc_options_set(copy, "-D", "N=4") == CLC_STATUS_OK);
        clc_options_free(copy);
    }
    CHECK(calls >= ROUNDS);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    shared_options = clc_options_new();
    CHECK(clc_options_parse_text(shared_options, "-cl-std=CL2.0 -Wall") == CLC_STATUS_OK);
    shared_result = clc_compile(shared_options, "bad.cl", BAD, CLC_NUL_TERMINATED, NULL, NULL);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    clc_result_free(shared_result);
    clc_options_free(shared_options);
    CHECK(GOOD[0] == 'k');
    puts("threads do not meet");
    return 0;
}
