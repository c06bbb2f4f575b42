// Findings as a reader wants them: the same mistake of many threads once, what makes the result wrong before
// what is only a remark.
#pragma once

#include "base/text/message.h"
#include "ptx/module.h"
#include "trace/finding.h"

#include <span>
#include <vector>

namespace lockstep::explain {

struct FindingGroup {
    // As they were found; of one kind, at one line (or instruction, where none is known), of one array,
    // colliding with one other, whichever of the two came second, and in whichever launch. A race's group
    // also has the remarks about the same two lines within a warp: one barrier mends both.
    std::vector<const trace::Finding*> findings;
    const trace::Finding& first() const { return *findings.front(); }
};

// The user's or the time limit's end of the run, which says nothing of the kernel.
bool isStop(const trace::Finding& finding);

// How many were found: in the list, and beyond it where it was cut off. A stop is not one of them.
struct FindingCount {
    u64 listed = 0, leftOut = 0;
    u64 all() const { return listed + leftOut; }
};
FindingCount countOf(std::span<const trace::Finding> findings);

// The findings must outlive the groups.
std::vector<FindingGroup> groupFindings(std::span<const trace::Finding> findings, const ptx::Module& module);

// How many groups there are, and how often they were found: told the same wherever findings are counted.
struct FindingTally {
    u64 problems = 0, remarks = 0;  // groups
    FindingCount found;
    u64 all() const { return problems + remarks; }
};
FindingTally tallyOf(std::span<const trace::Finding> findings, const ptx::Module& module);
// "2 problems and 1 remark": how the text below begins.
Message inBrief(const FindingTally& tally);
// "Data race: 32,256 and Uninitialized read: 28,672"; empty where the list was cut off, or all are of one
// kind.
Message casesByKind(std::span<const trace::Finding> findings);
// "3 problems: 1,537 cases, 1,000 of them listed", "1 remark: 24 cases". A case: threads and an address.
Message describe(const FindingTally& tally);

}  // namespace lockstep::explain
