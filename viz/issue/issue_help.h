// What would help the launch most, from its times with one thing changed, and what its sub-core waits for
// while none of its warps issues.
#pragma once

#include "viz/issue/issue_facts.h"
#include "viz/issue/issue_scale.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

struct IssueHelp {
    std::string main;
    std::vector<std::string> lines;
};
// exposed, idle: of all cycles of the sub-core, exposedOf() and idleOf(). What usually helps is said of the
// cause that the saving has; of none where the model's error is larger than it.
IssueHelp helpOf(const IssueDrawing& d, std::span<const Waited> exposed, const Idle& idle);

}  // namespace lockstep::viz
