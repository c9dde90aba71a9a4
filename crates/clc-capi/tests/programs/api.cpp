// The interface from C++, with what C++ would make of it.
#include <memory>
#include <string>
#include <vector>

#include "check.h"
#include "clc.h"

struct Free {
    void operator()(clc_options *options) const { clc_options_free(options); }
    void operator()(clc_result *result) const { clc_result_free(result); }
};
using Options = std::unique_ptr<clc_options, Free>;
using Result = std::unique_ptr<clc_result, Free>;

int main() {
    Options options(clc_options_new());
    CHECK(clc_options_parse_text(options.get(), "-cl-std=CL3.0 -Wall") == CLC_STATUS_OK);

    const std::string header = "#define FACTOR 2.0f\n";
    const std::string source = "#include \"factor.h\"\n"
                               "kernel void scale(global float *x) { x[get_global_id(0)] *= FACTOR; }\n";
    auto includer = [](void *user_data, clc_include *include) {
        const auto &text = *static_cast<const std::string *>(user_data);
        if (std::string(clc_include_name(include)) == "factor.h")
            clc_include_provide(include, nullptr, text.data(), text.size(), false);
    };
    Result result(clc_compile(options.get(), "scale.cl", source.data(), source.size(), includer,
                              const_cast<std::string *>(&header)));
    CHECK(clc_result_status(result.get()) == CLC_STATUS_OK);
    std::size_t count = 0;
    const std::uint32_t *words = clc_result_spirv(result.get(), &count);
    std::vector<std::uint32_t> module(words, words + count);
    CHECK(module.size() > 5 && module.front() == 0x07230203u);

    Result wrong(clc_compile(options.get(), "bad.cl", BAD, sizeof BAD - 1, nullptr, nullptr));
    CHECK(clc_result_status(wrong.get()) == CLC_STATUS_SOURCE_ERRORS);
    CHECK(clc_result_diagnostic(wrong.get(), 0) != nullptr && GOOD[0] == 'k');
    std::puts("C++ agrees");
    return 0;
}
