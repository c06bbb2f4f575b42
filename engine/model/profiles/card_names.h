// The chip and card names of a compute capability's devices: "G80" for 1.0.
#pragma once

#include "model/profiles/profile.h"

#include <span>
#include <string>

namespace lockstep::model {

// Chips and cards that have the profile's compute capability, the best known first. Empty for a user's own
// profile.
std::span<const std::string> cardsOf(const Profile& profile);

// With its best-known name, if any: "1.0 · G80"; of a mode "3.5 (8 B) · Tesla K20".
std::string knownAs(const Profile& profile);

}  // namespace lockstep::model
