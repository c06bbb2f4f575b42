#include "trace/finding.h"

#include "base/check.h"

namespace lockstep::trace {

std::string_view nameOf(FindingKind kind) {
    constexpr std::string_view names[] = {
        "out_of_bounds",    "misaligned",      "uninitialized_read", "race",  "divergent_barrier",
        "warp_synchronous", "invalid_address", "division_by_zero",   "limit", "truncated"};
    CHECK_LT(std::size_t(kind), std::size(names), "every kind of finding has a name");
    return names[std::size_t(kind)];
}

}  // namespace lockstep::trace
