// Lanes as a list that people read.
#pragma once

#include "base/lane_mask.h"
#include "base/text/language.h"
#include "base/text/message.h"

#include <optional>
#include <string>

namespace lockstep::explain {

// "0–7, 12, 14", in Chinese "0–7、12、14": the lanes of a mask.
std::string lanesText(LaneMask lanes, Language language);
// The distance of neighbors, 2 or more, in a regular row of lanes that would be long as a list; else none.
std::optional<u32> strideOf(LaneMask lanes);
// "0, 2, …, 30" where a regular row of lanes would be long; none: it is no such row.
std::optional<Message> everySoMany(LaneMask lanes);
// The same where it is one, else as lanesText().
std::string lanesInBrief(LaneMask lanes, Language language);

}  // namespace lockstep::explain
