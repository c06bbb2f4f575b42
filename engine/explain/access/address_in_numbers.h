// How the address of one lane comes about, with the numbers put in: what a student would write down beside
// the picture.
#pragma once

#include "base/text/text.h"
#include "model/access/access_pattern.h"
#include "model/profiles/profile.h"

#include <string>

namespace lockstep::explain {

// "Lane 5: address = base + 4 · (5 · 33 + 2) = base + 668 → word 167 → bank 167 mod 32 = 7", or for global
// memory to the sector and the line; of rows that are padded or swizzled with row and column. `base` is the
// array's start. Empty where the lane is off.
std::string addressInNumbers(const model::AccessPattern& pattern, Lane lane, const model::Profile& profile,
                             Language language);

}  // namespace lockstep::explain
