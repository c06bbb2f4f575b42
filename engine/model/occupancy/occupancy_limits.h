// Resident blocks that each resource of an SM alone would allow: the figures behind Occupancy::limitedBy.
#pragma once

#include "model/occupancy/occupancy.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::model {

struct OccupancyLimit {
    std::string name;           // "warps", "blocks", "shared memory", "registers"
    std::optional<u64> blocks;  // on one SM; none: it limits nothing, or is not known
};

// In this order.
std::vector<OccupancyLimit> occupancyLimits(const BlockNeeds& needs, const Profile& profile);

}  // namespace lockstep::model
