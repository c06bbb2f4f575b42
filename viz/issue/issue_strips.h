// Below the rows of the issue timeline: the sub-core's requests to memory by the level that answered, and its
// pipes and queues.
#pragma once

#include "viz/issue/issue_scale.h"

#include <vector>

namespace lockstep::viz {

// A strip, in the order in which they stand.
struct IssueStrip {
    std::string name;
    bool isLevel = false;
    time::MemoryLevel level{};  // of requests
    std::vector<sass::Pipe> pipes{};
    u32 capacity = 1;  // that a pipe or a queue holds at once
};
// Of what the sub-core uses in the whole launch, so that a strip stays where it is.
std::vector<IssueStrip> stripsOf(const IssueDrawing& d);
void drawStrip(const IssueDrawing& d, const IssueStrip& strip, const Rect& area);

}  // namespace lockstep::viz
