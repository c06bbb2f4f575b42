#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace lockstep {

void checkFailed(const char* condition, const char* why, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: internal error: %s (%s)\n", file, line, why, condition);
    std::abort();
}

}  // namespace lockstep
