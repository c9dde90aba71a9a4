#include <clc.h>
#include <cstdio>

#include "one.h"
#include "two-words.h"

int main() {
    const bool right = one[0] == 0x07230203u && two_words[0] == one[0] && one_size % 4 == 0 &&
                       two_words_size < one_size + 1000 && clc_api_version() == CLC_API_VERSION;
    std::printf("%s %zu\n", right ? "right" : "wrong", one_size);
    return right ? 0 : 1;
}
