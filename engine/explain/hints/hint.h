// Performance hints: what of a kernel costs most of what it need not cost, counted, and what would cure it.
// Each rule is a row of the table in hint_rules.cpp.
#pragma once

#include "base/indices.h"
#include "base/text/message.h"
#include "explain/source/source_line.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::explain {

// What a rule counts. Shares are of the same unit over all blocks that ran, or over the recorded ones.
enum class HintUnit : u8 {
    Wavefronts,
    Sectors,
    Transactions,
    StoredSectors,
    IssueSlots,
    Lanes,
    Threads,
    Multiprocessors,
    Bytes
};
std::string_view nameOf(HintUnit unit);  // "issue_slots", in JSON
// "1,024 wavefronts"
Message countOf(HintUnit unit, u64 count);

// A variant of the same family that was run with the same values, for comparison.
struct HintFix {
    std::string variant;  // "shared-padded"
    u64 excess = 0;       // of the same rule there, all lines together
    u64 total = 0;        // of the same unit there, over the whole grid
    u64 before = 0;       // and of the run itself
};

struct Hint {
    std::string_view rule;  // "bank_conflict"
    LaunchId launch;
    Pc pc = kNoPc;    // a telling instruction; none: of the launch as a whole
    SourceLine line;  // of the kernel's own file, where figures are counted; line 0: none
    HintUnit unit = HintUnit::Wavefronts;
    u64 excess = 0, total = 0;  // more than needed, and all there are
    bool ofRecorded = false;    // counted in the recorded blocks, else in all that ran
    Message what, cure;         // a sentence each
    // Where something else bounds the kernel, so that the excess costs little: which resource, as in
    // model::Bound, and the sentence. Empty: nothing is known to.
    std::string boundBy = {};
    Message bound = {};
    std::optional<HintFix> fix = {};

    f64 share() const { return total ? f64(excess) / f64(total) : 0; }
};

struct Hints {
    std::vector<Hint> all;  // largest share first; behind those, the ones that cost little
    Message scale;          // that the grid is too small for any of them to show; empty: it is not
};

}  // namespace lockstep::explain
