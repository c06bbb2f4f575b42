#include "viz/compare/profile_of_card.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::viz {

const model::Profile* timedProfileOf(std::string_view capability) {
    const auto isOf = [&](const model::Profile& profile) {
        return fmt::format("{}.{}", profile.major, profile.minor) == capability;
    };
    const auto found = std::ranges::find_if(model::profiles(), isOf);
    return found == model::profiles().end() || !found->speed ? nullptr : &*found;
}

}  // namespace lockstep::viz
