// The key of the issue timeline: every mark that a picture of it has, as it is drawn there.
#pragma once

#include "viz/issue/issue_facts.h"
#include "viz/issue/issue_rows.h"
#include "viz/issue/issue_scale.h"
#include "viz/marks/frame.h"

#include <span>
#include <vector>

namespace lockstep::viz {

// Of rows alone: kinds of instruction and waits.
std::vector<KeyRow> keysOf(const IssueDrawing& d, const IssueLooks& looks);
// warps: whose rows are on show. idle: of the cycles on show.
std::vector<KeyRow> issueKeys(const IssueDrawing& d, const IssuePlace& place, std::span<const u32> warps,
                              const Idle& idle);

}  // namespace lockstep::viz
