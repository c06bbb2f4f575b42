// What lies under a point of a scene.
#include "viz/scene/scene.h"

#include <algorithm>
#include <ranges>

namespace lockstep::viz {

const Hit* Scene::hitAt(Point p) const {
    const auto reversed = std::views::reverse(hits);
    const auto found =
        std::ranges::find_if(reversed, [&](const HitArea& area) { return area.rect.contains(p); });
    return found == reversed.end() ? nullptr : &found->hit;
}

}  // namespace lockstep::viz
