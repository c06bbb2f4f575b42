// Everything that a lesson may ask for or print of a run, by name: one row each. What a wrong answer is told
// comes from the same row.
#pragma once

#include "base/text/message.h"
#include "lessons/place_on_show.h"

#include <span>
#include <variant>
#include <vector>

namespace lockstep::lessons {

using NumberOf = std::optional<s64> (*)(const PlaceOnShow&);
using LanesOf = std::optional<LaneMask> (*)(const PlaceOnShow&);  // as a number: how many
using NameOf = std::optional<std::string> (*)(const PlaceOnShow&);
using LinesOf = std::vector<u32> (*)(const PlaceOnShow&);  // of the source, ascending; as a number: how many

struct Quantity {
    std::string_view name;
    Words meaning;
    std::variant<NumberOf, LanesOf, NameOf, LinesOf> of;  // none: the place has no such thing
    Message (*why)(const PlaceOnShow&) = nullptr;         // what it follows from there
};

std::span<const Quantity> quantities();
const Quantity* findQuantity(std::string_view name);

// As a number, which lanes and lines are by their count. None: it is a name, or the place has none.
std::optional<s64> numberOf(const Quantity& quantity, const PlaceOnShow& place);

// The sentence for what the warp does there.
Message sentenceOf(const PlaceOnShow& place);
// "lanes 0 and 16 both request bank 0, words 0 and 512"; of an access without a conflict that there is none.
Message bankReason(const PlaceOnShow& place);
// Where the warp passes barriers.
Message barrierReason(const PlaceOnShow& place);
// Which sectors the lanes touch.
Message sectorReason(const PlaceOnShow& place);
// Who is active, and why the others are not.
Message laneReason(const PlaceOnShow& place);

// Sectors that the access touches, counted from the start of the array that it lies in.
struct TouchedSector {
    s64 number = 0;
    LaneMask lanes;
};
std::vector<TouchedSector> touchedSectors(const PlaceOnShow& place);

}  // namespace lockstep::lessons
