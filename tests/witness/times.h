// What the recordings of hardware hold, read from their JSON.
#pragma once

#include "pictures.h"

namespace lockstep::witness {

// Was any kernel of the family recorded at a size of which these are settings?
bool isRecordedSize(const World& world, const std::string& family,
                    const std::vector<std::pair<std::string, std::string>>& settings);

}  // namespace lockstep::witness
