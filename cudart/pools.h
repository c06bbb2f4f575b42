// Memory pools: what was allocated from one.
#pragma once

#include <cstdint>

namespace lockstep::cudart {

// Memory at this address is freed; it may be of no pool.
void givenBackToPool(std::uint64_t address);

}  // namespace lockstep::cudart
