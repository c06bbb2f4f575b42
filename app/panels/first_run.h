// Placeholder until the first picture.
#pragma once

#include "app/panels/panel.h"

namespace lockstep::app {

// In the middle of the current ImGui window: says that the first run is in progress, how far it is, and how
// to stop it.
void drawFirstRun(PanelContext& context);

}  // namespace lockstep::app
