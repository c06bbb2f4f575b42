// Bytes of shared memory one after the other.
#pragma once

#include "base/integers.h"

namespace lockstep::trace {

struct SharedRun {
    u32 offsetBytes = 0, bytes = 0;
    bool operator==(const SharedRun&) const = default;
};

}  // namespace lockstep::trace
