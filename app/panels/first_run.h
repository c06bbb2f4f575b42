// Placeholder until the first picture.
#pragma once

#include "app/panels/panel.h"

#include <string>

namespace lockstep::app {

// In the middle of the current ImGui window: says that the first run is in progress, how far it is, and how
// to stop it.
void drawFirstRun(PanelContext& context);
// Of a state that isTooLarge().
std::string tooLargeText(const State& state);

}  // namespace lockstep::app
