// The names of all views, in their order: for messages that suggest one.
#pragma once

#include <string>
#include <vector>

namespace lockstep::viz {

std::vector<std::string> namesOfViews();

}  // namespace lockstep::viz
