// The loop variable that a barrier interval goes with: the textbook's phase. Its "phase 1" is what runs
// between two barriers while ph is 1.
#pragma once

#include "base/text/language.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::explain {

struct LoopValue {
    std::string name;  // "ph"
    s64 value = 0;
    bool operator==(const LoopValue&) const = default;
};

// By barrier interval of the warp, as many as WarpTrace::phaseOf counts. A value stands where it is proven:
// the barrier that ends the interval lies in one for loop of the kernel itself, whose variable begins and
// changes by known numbers and is not touched otherwise, so that how often the warp has come to this barrier
// says which round it is; and nothing in the interval touches memory for the round before. None elsewhere.
std::vector<std::optional<LoopValue>> loopValues(const ptx::Module& module, const Launch& launch,
                                                 const trace::WarpTrace& warp);

// "barrier interval 2, ph = 1".
std::string intervalText(Language language, u32 interval, const std::optional<LoopValue>& value);

}  // namespace lockstep::explain
