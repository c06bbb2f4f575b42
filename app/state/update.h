// The only function that changes the State.
#pragma once

#include "app/state/action.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::app {

// Of the tour, which tells what stands where.
inline constexpr u32 kTourSteps = 4;

// Applies the action and returns the side effects to perform. Actions that do not apply now (a step without a
// run) change nothing.
[[nodiscard]] std::vector<Effect> update(State& state, const Action& action);

// "matmul-tiled-stage.png"
std::string proposedFile(const State& state, const ExportSettings& settings);
// What copying and exporting are about: the view that the user last turned to; while two runs are compared,
// those.
std::string viewInHand(const State& state);
// The command line that opens what is shown in a view; empty if there is none, as for a dropped file.
std::string commandLine(const State& state, std::string_view view);

// How long one step's motion takes, in seconds (viz/scene/motion.h); 0 where states only switch.
f64 motionSeconds(const Playback& playback, bool reduceMotion);

// Steps a second: from slow motion, in which a step takes four seconds, to as fast as anything can be told
// apart on a screen.
inline constexpr f32 kSlowest = 0.25f, kFastest = 2000;

// Of the interface: steps of Ctrl + and Ctrl -.
inline constexpr std::array<f32, 11> kZooms{0.8f,  0.9f, 1.0f,  1.1f, 1.25f, 1.5f,
                                            1.75f, 2.0f, 2.25f, 2.5f, 3.0f};

// What a user may be about: each has its own arrangement of the views.
inline constexpr std::array<std::string_view, 2> kTasks{"explore", "measure"};
bool isTask(std::string_view name);
// The views in front of a new arrangement: in the middle, and at the right.
struct MainViews {
    std::string_view middle, right;
};
MainViews mainViewsOf(std::string_view task);
// A view has the whole width in the task's arrangement.
bool mayBeEnlarged(std::string_view view);  // all but what has the whole width anyway
bool isEnlarged(const State& state);

// Whether this view can stand in the stage's place in a presentation; empty: the stage itself.
bool isLens(std::string_view view);

// The theme that is drawn: the presentation has its own.
const std::string& themeShown(const State& state);

// The state at start: the catalog's first experiment, or the one asked for.
State initialState(const catalog::Catalog& catalog, Choice choice);
// The choice of the window's first picture: matmul/tiled-bounds, width 3, tile 2; else the catalog's first
// variant at its defaults.
Choice firstChoice(const catalog::Catalog& catalog);

}  // namespace lockstep::app
