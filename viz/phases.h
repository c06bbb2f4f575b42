// The bands of the timeline: what a warp does between its barriers, named by what it touches.
#pragma once

#include <string>
#include <vector>

#include "viz/view.h"

namespace lockstep::viz {

struct Band {
    u32 first = 0, end = 0;  // steps [first, end)
    std::string name;        // "barrier interval 0, ph = 0: load tile 1"
    std::vector<std::string> shorter;  // "0, ph = 0: load tile 1", "0: load tile 1", "0: load", "0": in place of the name where it has no room; may be empty
};
std::vector<Band> bandsOf(const run::Run& run, const trace::FocusBlock& block, Warp warp, Language language);

}  // namespace lockstep::viz
