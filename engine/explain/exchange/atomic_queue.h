// The lanes of one atomic instruction, address by address: those that share an address are carried out one
// after another.
#pragma once

#include "explain/access/atomic_operands.h"

#include <vector>

namespace lockstep::explain {

struct AtomicQueue {
    u64 address = 0;
    // In the order in which they were carried out, where the values that they found tell it; else ascending.
    std::vector<Lane> lanes;
    bool isOrdered = false;
};

// Of an access that is an atomic: the longest queue first, of equal ones the lower address.
std::vector<AtomicQueue> atomicQueues(const trace::WarpTrace& warp, const trace::StoredAccess& access,
                                      const AtomicOperands& facts);

}  // namespace lockstep::explain
