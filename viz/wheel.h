// What the mouse's wheel, and a drag, do with a view.
#pragma once

#include "viz/view.h"

#include <any>
#include <optional>
#include <string_view>

namespace lockstep::viz {

enum class Wheel : u8 {
    Nothing,
    Zooms,   // what is drawn at p without stands at p * zoom + pan, measured from the corner of the scene's
             // pane
    Scrolls  // up and down, by pan.y: below 0 what is further down; what is wide also across, by pan.x, until
             // the cursor moves on
};

Wheel wheelOf(std::string_view view);

// How far a view that scrolls has been drawn, ViewState::pan within its limits; such a view leaves it in
// ViewInput::kept. x: only where it scrolls across, too.
struct Scrolled {
    f32 y = 0;
    std::optional<f32> x{};
};
inline void keepScrolled(const ViewInput& in, f32 y, std::optional<f32> x = {}) {
    if (in.kept) in.kept->facts = Scrolled{y, x};
}

}  // namespace lockstep::viz
