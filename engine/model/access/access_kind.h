// Kinds of access as the rules tell them apart.
#pragma once

#include "trace/access.h"

namespace lockstep::model {

// With or without a use for the old value.
constexpr bool isAtomic(trace::AccessKind kind) {
    return kind == trace::AccessKind::Atomic || kind == trace::AccessKind::Reduction;
}

}  // namespace lockstep::model
