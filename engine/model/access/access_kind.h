// The kinds of access that the rules distinguish.
#pragma once

#include "trace/access.h"

namespace lockstep::model {

// Atomics, with and without a use of the old value.
constexpr bool isAtomic(trace::AccessKind kind) {
    return kind == trace::AccessKind::Atomic || kind == trace::AccessKind::Reduction;
}

}  // namespace lockstep::model
