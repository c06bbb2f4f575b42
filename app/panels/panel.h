// What every panel gets: the state to read, the look to draw with, and a place for the actions it wants done.
#pragma once

#include <vector>

#include "app/state/action.h"
#include "viz/fonts.h"
#include "viz/painters/imgui/imgui_fonts.h"
#include "viz/theme.h"

namespace lockstep::app {

struct PanelContext {
    const State& state;
    const viz::Theme& theme;
    const viz::Fonts& metrics;
    const viz::ImGuiFonts& fonts;
    std::vector<Action>& actions;
    f64 buildingMs = 0;  // that this frame has spent building scenes

    void send(Action action) { actions.push_back(std::move(action)); }
};

}  // namespace lockstep::app
