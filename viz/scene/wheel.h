// How far a view that scrolls has been drawn (Wheel::Scrolls).
#pragma once

#include "viz/view.h"

#include <any>
#include <optional>
#include <string_view>

namespace lockstep::viz {

// How far a view that scrolls has been drawn, ViewState::pan within its limits; such a view leaves it in
// ViewInput::kept. x: only where it scrolls across, too.
struct Scrolled {
    f32 y = 0;
    std::optional<f32> x{};
};
inline void keepScrolled(const ViewInput& in, f32 y, std::optional<f32> x = {}) {
    if (in.cache) in.cache->facts = Scrolled{y, x};
}

}  // namespace lockstep::viz
