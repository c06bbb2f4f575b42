// Below the rows of the issue timeline: which lanes take part, the sub-core's requests to memory by the level
// that answered, and its pipes and queues.
#pragma once

#include "viz/issue/issue_scale.h"

#include <vector>

namespace lockstep::viz {

enum class IssueStripKind : u8 { Lanes, Level, Pipe, Queue };

// A strip, in the order in which they stand.
struct IssueStrip {
    std::string name;
    IssueStripKind kind = IssueStripKind::Pipe;
    time::MemoryLevel level{};  // of requests
    std::vector<sass::Pipe> pipes{};
    u32 capacity = 1;  // that a pipe or a queue holds at once
};
// Of what the sub-core uses in the whole launch, so that a strip stays where it is.
std::vector<IssueStrip> stripsOf(const IssueDrawing& d);
// What stands beside a strip: the ends of its scale, and what it comes to in the cycles on show.
struct IssueStripTexts {
    std::string top, bottom, sum;
};
IssueStripTexts drawStrip(const IssueDrawing& d, const IssueStrip& strip, const Rect& area);

// Which marks the strips of lanes and of shared memory have in the part on show.
struct LaneLooks {
    bool some = false, none = false;  // an issue in which some lane, or none, takes part
    bool predicatedOff = false;       // an access in which none does
};
LaneLooks laneLooks(const IssueDrawing& d);

}  // namespace lockstep::viz
