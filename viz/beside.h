// Two runs looked at together: how the cursor of one follows the cursor of the other.
#pragma once

#include "viz/view.h"

#include <array>
#include <string_view>

namespace lockstep::viz {

enum class Tie : u8 {
    Phase,  // the same barriers passed, and in that phase the access of the same kind that comes as often (in
            // the last phase of a run that has fewer, as often from where it begins); where it has none and
            // other barriers, that comes as often from the start; else as far into the phase
    Step,   // the same number of the warp's instructions
};

// Where a cursor of `from` is in `to`: the same block, warp and lane as far as they were recorded there, at
// the same moment.
Cursor tied(const run::Run& from, const Cursor& cursor, const run::Run& to, Tie tie);

enum class Within : u8 {
    Run,   // the cursor's block, all of its warps; where these are alike, the other recorded blocks
    Warp,  // the cursor's warp alone: somebody asked for it
};
// Where the two differ most: where only one of them goes wrong; else at the access whose cost is furthest
// from the other's (sectors, or wavefronts); else where the numbers of lanes are. The cursor itself where
// they do not differ.
Cursor greatestDifference(const run::Run& run, const Cursor& cursor, const run::Run& other, Tie tie,
                          Within within = Within::Run);

// What the compare view keeps in ViewState::option.
struct CompareChoice {
    u32 view = 0;  // of kComparedViews
    Tie tie = Tie::Phase;
    s32 option = 0;  // of that view, for both runs
};
inline constexpr std::array<std::string_view, 6> kComparedViews{"stage", "banks",    "sectors",
                                                                "lanes", "timeline", "source"};
CompareChoice compareChoiceOf(s32 option);
s32 optionOf(const CompareChoice& choice);

}  // namespace lockstep::viz
