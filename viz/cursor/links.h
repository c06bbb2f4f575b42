// Where the links of a text lead in a run: the step, the view or the variant that its words speak of.
#pragma once

#include "catalog/values/linked_text.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::viz {

// The step that a link to a line, a phase or an event leads to: the next one of the cursor's warp, then from
// its first step on, then of the other warps and recorded blocks. Those have to be gone through whole where
// nothing is found: keep one of these for many links of one run.
class LinkPlaces {
public:
    std::optional<Cursor> of(const run::Run& run, const model::Profile& profile, const Cursor& cursor,
                             const catalog::LinkTarget& target);

private:
    struct Elsewhere {
        std::string profile;  // whose rules say what a conflict is
        catalog::LinkTarget target;
        std::optional<Cursor> place;
    };
    std::vector<Elsewhere> elsewhere_;  // the first in any warp; asked for where the cursor's has none
};

// What a click on such words does. None where the run has no such place: the words are then plain text.
std::optional<Hit> hitOf(const ViewInput& in, const catalog::LinkTarget& target, LinkPlaces& places);

}  // namespace lockstep::viz
