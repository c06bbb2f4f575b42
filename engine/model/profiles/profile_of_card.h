// The rules of the card that something was measured on.
#pragma once

#include "model/profiles/profile.h"

#include <string_view>

namespace lockstep::model {

// capability: "9.0", as recordings write it. None: no profile of it says how fast the card is.
const Profile* timedProfileOf(std::string_view capability);

}  // namespace lockstep::model
