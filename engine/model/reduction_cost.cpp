#include "model/reduction_cost.h"

#include "base/check.h"

#include <algorithm>
#include <bit>

namespace lockstep::model {
namespace {

u64 ceilDivide(u64 a, u64 b) { return a / b + (a % b != 0); }

// The least number of steps that halve n elements to one.
u64 halvings(u64 n) { return u64(std::bit_width(n - 1)); }

}  // namespace

ReductionCost serialReduction(u64 n) {
    CHECK_GE(n, 1u, "nothing has no sum");
    return {.processors = 1, .steps = n - 1};
}

ReductionCost treeReduction(u64 n) {
    CHECK_GE(n, 1u, "nothing has no sum");
    return {.processors = n, .steps = halvings(n)};
}

ReductionCost cascadedReduction(u64 n) {
    CHECK_GE(n, 1u, "nothing has no sum");
    const u64 each = std::max<u64>(halvings(n), 1);
    const u64 processors = ceilDivide(n, each);
    return {.processors = processors, .steps = each - 1 + halvings(processors)};
}

}  // namespace lockstep::model
