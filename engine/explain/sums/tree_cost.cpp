#include "explain/sums/tree_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lockstep::explain {

u64 TreeCost::addingAt(u64 step) const {
    if (step >= steps()) return 0;
    if (step < each)  // a processor has one or no element more than another
        return std::min(processors, elements - processors - step * processors);
    u64 sums = processors;
    for (u64 round = each; round < step; ++round)
        sums = (sums + 1) / 2;
    return sums / 2;
}

TreeCost treeCost(u64 elements, u64 processors) {
    elements = std::max<u64>(elements, 1);
    processors = std::clamp<u64>(processors, 1, elements);
    return {.elements = elements,
            .processors = processors,
            .each = (elements + processors - 1) / processors - 1,
            .rounds = u64(std::bit_width(processors - 1))};
}

u64 processorsOfBrent(u64 elements) {
    return elements < 4 ? 1 : u64(std::ceil(f64(elements) / std::log2(f64(elements)) - 1e-9));
}

}  // namespace lockstep::explain
