#include "model/profiles/profile_of_card.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::model {

const Profile* timedProfileOf(std::string_view capability) {
    const auto isOf = [&](const Profile& profile) {
        return fmt::format("{}.{}", profile.major, profile.minor) == capability;
    };
    const auto found = std::ranges::find_if(profiles(), isOf);
    return found == profiles().end() || !found->speed ? nullptr : &*found;
}

}  // namespace lockstep::model
