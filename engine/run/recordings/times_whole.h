// What a kernel costs a program as a whole: its time with the copies there and back, and the first execution,
// which pays for loading the code. All of it as recorded; nothing is taken from another size or machine.
#pragma once

#include "base/text/quantities.h"
#include "base/text/words.h"
#include "run/recordings/times_facts.h"

#include <optional>
#include <string>

namespace lockstep::run {

// Milliseconds of the kernel and of its copies, of all buffers to the GPU and back; of the CPU's loop, which
// copies nothing, its own time. None: no copies were recorded.
std::optional<f64> withCopiesMs(const TimedKernel& kernel);

// For the variant on show: its time with copies, beside the CPU's loop where that was recorded (none: null),
// and what its first execution took.
std::string wholeTimeText(const TimedKernel& kernel, const TimedKernel* cpuLoop, Language language);

// Cells of the table; "–" where there is nothing to say.
std::string withCopiesCell(const TimedKernel& kernel, const TimeUnit& unit);
std::string firstExecutionCell(const TimedKernel& kernel, const TimeUnit& unit, Language language);

inline constexpr Words kWithCopiesHead = english("+ transfers");
inline constexpr Words kFirstHead = english("first, {0}");

}  // namespace lockstep::run
