// A finding in words: what happened, where, what to do about it.
#pragma once

#include "base/text/message.h"
#include "model/report.h"

#include <span>

namespace lockstep::model {

// shapes: of shared arrays, where they are known: "Nds[2][0]" rather than "Nds + 128 bytes".
Message describe(const trace::Finding& finding, const ptx::Module& module, const trace::Recording& recording,
                 std::span<const ArrayShape> shapes = {});

}  // namespace lockstep::model
