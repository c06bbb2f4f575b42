// "Did you mean ...?": the known name that a mistyped one is closest to.
#pragma once

#include "base/text/message.h"

#include <span>
#include <string>
#include <string_view>

namespace lockstep {

// The candidate that takes the fewest letters typed, dropped, changed (but for capitals) or swapped with
// their neighbor; empty if none is near: at most a third of the letters (one of two), or the beginning of the
// name.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'tiled'?", or nothing.
Message didYouMean(std::string_view word, std::span<const std::string> candidates);

}  // namespace lockstep
