// What two runs that stand at the same kind of step have in common, and the one thing that makes them cost
// differently, as one sentence.
#pragma once

#include "viz/view.h"

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::viz {

// view: which of the compared ones is on show; it says what is spoken of. None where the recorded addresses,
// or the threads that add, do not prove one cause.
std::optional<std::string> compareExplanation(const ViewInput& in, const ViewRow& view);

}  // namespace lockstep::viz
