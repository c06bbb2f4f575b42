// The names by which courses and shops know the devices of a compute capability: "G80" for 1.0.
#pragma once

#include "model/profiles/profile.h"

#include <span>
#include <string>

namespace lockstep::model {

// Chips and cards that have the profile's compute capability, the best known first. None of a profile that is
// the user's own.
std::span<const std::string> cardsOf(const Profile& profile);

// With the name it is known by, where there is one: "1.0 · G80"; of a mode "3.5 (8 B) · K20".
std::string knownAs(const Profile& profile);

}  // namespace lockstep::model
