// The texts of assets/profiles, as built into the program.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::model {

struct ProfileText {
    std::string_view file, text;
};
std::span<const ProfileText> builtInProfiles();

}  // namespace lockstep::model
