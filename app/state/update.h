// The one way in which the State changes.
#pragma once

#include <vector>

#include "app/state/action.h"

namespace lockstep::app {

// Applies the action and says what is to be done outside. Actions that make no sense now (a step without a run) change nothing.
[[nodiscard]] std::vector<Effect> update(State& state, const Action& action);

// How long one step's motion takes, in seconds; 0 above 8 steps a second and with reduced motion, where states only switch.
f64 motionSeconds(const Playback& playback, bool reduceMotion);

// The state at start: the catalogue's first experiment, or the one asked for.
State initialState(const catalog::Catalog& catalog, Choice choice);
// The choice of the window's first picture: matmul/tiled-bounds, width 3, tile 2; else the catalogue's first variant at its defaults.
Choice firstChoice(const catalog::Catalog& catalog);

}  // namespace lockstep::app
