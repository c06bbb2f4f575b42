// What a mark looks like as far as it means something: its shape, what its colors stand for, its dashes. A
// key explains looks, so two marks that look alike share an entry.
#pragma once

#include "viz/scene/scene.h"

#include <set>
#include <span>
#include <string>

namespace lockstep::viz {

struct Look {
    enum class Shape : u8 { Box, Disc, Way, Triangle, Diamond, Polygon };
    Shape shape = Shape::Box;
    RoleKind fill = RoleKind::None, stroke = RoleKind::None, hatch = RoleKind::None;
    Dash dash = Dash::Solid;
    bool isFaint = false;  // a fill that the ground shines through
    bool isArrow = false;
    auto operator<=>(const Look&) const = default;
};

// Of the marks, in painter's order, that are seen in the area; texts have no look. Ink that lies on a fill
// and what is as dark as the ground mean nothing by themselves and are left out.
std::set<Look> looksOf(std::span<const Mark> marks, const Rect& area, std::span<const Rect> except = {});

// For messages of tests: "box, fill 18, stroke 0".
std::string describe(const Look& look);

}  // namespace lockstep::viz
