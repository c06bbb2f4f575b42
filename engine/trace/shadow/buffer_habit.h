// How launches access a buffer of global memory: what is seen of one is a good guess about the next.
#pragma once

#include "base/integers.h"

namespace lockstep::trace {

// What is kept of the accesses to a buffer: as little as the guesses about it allow.
enum class Keeps : u8 {
    Bits,    // it is either loaded from or written; a granule is stored once
    Owners,  // it is both; a granule is accessed by one thread
    Stores,  // granules are stored more than once: a tag of the last store
    All,     // tags of stores, loads and atomics
};

struct BufferHabit {
    u32 elementBytes = 4;  // the smallest access, 4 at most
    Keeps keeps = Keeps::Bits;
    bool operator==(const BufferHabit&) const = default;
};

}  // namespace lockstep::trace
