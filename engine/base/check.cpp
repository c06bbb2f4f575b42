#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace lockstep {

void CheckedValue::print(char* text) const {
    constexpr unsigned kRoom = 32;
    switch (kind_) {
        case Kind::Signed: std::snprintf(text, kRoom, "%lld", signed_); break;
        case Kind::Unsigned: std::snprintf(text, kRoom, "%llu", unsigned_); break;
        case Kind::Real: std::snprintf(text, kRoom, "%.17g", real_); break;
    }
}

void checkFailed(const char* condition, const char* why, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: internal error: %s (%s)\n", file, line, why, condition);
    std::abort();
}

void comparisonFailed(const char* condition, CheckedValue a, CheckedValue b, const char* why,
                      const char* file, int line) {
    char first[32], second[32];
    a.print(first);
    b.print(second);
    std::fprintf(stderr, "%s:%d: internal error: %s (%s: %s and %s)\n", file, line, why, condition, first,
                 second);
    std::abort();
}

}  // namespace lockstep
