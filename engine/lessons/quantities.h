// Everything that a lesson may ask for or print of a run, by name: one row each. The clues that a wrong
// answer gets come from the same row: something of the run from which the value follows, never the value.
#pragma once

#include "base/text/message.h"
#include "lessons/place_on_show.h"

#include <array>
#include <span>
#include <variant>
#include <vector>

namespace lockstep::lessons {

using NumberOf = std::optional<s64> (*)(const PlaceOnShow&);
using LanesOf = std::optional<LaneMask> (*)(const PlaceOnShow&);  // as a number: how many
using NameOf = std::optional<std::string> (*)(const PlaceOnShow&);
using LinesOf = std::vector<u32> (*)(const PlaceOnShow&);  // of the source, ascending; as a number: how many

using ClueOf = Message (*)(const PlaceOnShow&);  // empty: there is none
// The first one is told, but where it is empty or would tell the answer; of a change, one that speaks of the
// change.
struct Clues {
    // NOLINTNEXTLINE(google-explicit-constructor): most rows have one.
    Clues(ClueOf one = nullptr, ClueOf other = nullptr, ClueOf last = nullptr) : all{one, other, last} {}
    std::array<ClueOf, 3> all;
};

struct Quantity {
    std::string_view name;
    Words meaning;
    std::variant<NumberOf, LanesOf, NameOf, LinesOf> of;  // none: the place has no such thing
    Clues clue{};
    // Of lanes: what one lane that exists there does, by which it is one of them or not.
    Message (*ofLane)(const PlaceOnShow&, Lane) = nullptr;
    bool isOfActivity = false;  // which lanes are active there
    // Of lines: what those of the answer have that others may lack.
    enum class Has : u8 { Access, Branch, Anything } has = Has::Access;
    // Of a number: told first where an answer is too large, or too small; the others may argue for it.
    Clues notMore{}, notLess{};
};

std::span<const Quantity> quantities();
const Quantity* findQuantity(std::string_view name);

// As a number, which lanes and lines are by their count. None: it is a name, or the place has none.
std::optional<s64> numberOf(const Quantity& quantity, const PlaceOnShow& place);

// "lanes 0 and 16 both request bank 0, words 0 and 512"; of an access without a conflict that there is none.
Message bankClue(const PlaceOnShow& place);
// Two lanes that one wavefront serves, and why, of the first one and of the last one; empty: there are none.
Message servedTogetherClue(const PlaceOnShow& place);
Message servedTogetherLastClue(const PlaceOnShow& place);
Message wordClue(const PlaceOnShow& place);  // whether lanes share words of shared memory
// The same of the warp's first access that has a conflict.
Message conflictClue(const PlaceOnShow& place);
// Where the warp passes barriers; and how often, at the line at which it passes most.
Message barrierClue(const PlaceOnShow& place);
Message mostBarriersClue(const PlaceOnShow& place);
// Which lanes the first sector and the last one serve; of scattered lanes how far two of them lie apart.
Message sectorClue(const PlaceOnShow& place);
// How many warps a block has, each with a request of its own.
Message warpsClue(const PlaceOnShow& place);
// What the run found first; and in short, where.
Message findingClue(const PlaceOnShow& place);
Message findingLineClue(const PlaceOnShow& place);
// An inactive lane, and why it is inactive.
Message laneClue(const PlaceOnShow& place);
// The line of the branch that keeps lanes from here.
Message decisionClue(const PlaceOnShow& place);
// Whether this lane is active, and if not, why.
Message activityOfLane(const PlaceOnShow& place, Lane lane);

// Sectors that the access touches, counted from the start of the array that it lies in.
struct TouchedSector {
    s64 number = 0;
    LaneMask lanes;
};
std::vector<TouchedSector> touchedSectors(const PlaceOnShow& place);

}  // namespace lockstep::lessons
