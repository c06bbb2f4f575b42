// Where in a recording a finding happened: of the steps at which its threads executed its instructions, the
// ones it speaks of.
#pragma once

#include "base/cursor.h"
#include "explain/cursor/recorded.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::explain {

// Looks through a warp once for each instruction that is asked about: keep one for many findings.
class FindingPlaces {
public:
    explicit FindingPlaces(const Recorded& run) : run_(run) {}

    // The step of one of its threads; none where its block was not recorded. It is the first that reached the
    // finding's bytes; of a collision of a block's threads the first in a phase in which the other thread
    // reached them too, since a barrier orders all else.
    std::optional<Cursor> of(const trace::Finding& finding, const trace::Culprit& culprit);
    std::optional<Cursor> of(const trace::Finding& finding) { return of(finding, finding.who); }

private:
    const std::vector<u32>& stepsOf(const trace::WarpTrace& warp, Pc pc);
    std::vector<u32> reaching(const trace::Finding& finding, const Cursor& thread, Pc pc);
    std::optional<Cursor> threadOf(const trace::Finding& finding, const trace::Culprit& culprit) const;

    Recorded run_;
    std::map<std::pair<const trace::WarpTrace*, u32>, std::vector<u32>> steps_;
};

// For a single one.
std::optional<Cursor> cursorOf(const Recorded& run, const trace::Finding& finding);
std::optional<Cursor> cursorOf(const Recorded& run, const trace::Finding& finding,
                               const trace::Culprit& culprit);

}  // namespace lockstep::explain
