// A view as pictures leave the program: with the plain sentence of its cursor at the foot, which the window
// shows elsewhere.
#pragma once

#include "viz/view.h"

#include <functional>

namespace lockstep::viz {

// Of in.size altogether. The foot is as tall for every step, so that an animation's frames stay in place;
// where the picture is low, or has nothing to say, the view has it whole.
Scene buildCaptioned(const ViewRow& view, const ViewInput& in);
// The same of any picture, whose sentence needs that height.
Scene buildCaptioned(const std::function<Scene(const ViewInput&)>& build, f32 leastCaptioned,
                     const ViewInput& in);

}  // namespace lockstep::viz
