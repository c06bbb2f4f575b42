// What stands in the place of a picture as long as there is none.
#pragma once

#include "app/panels/panel.h"

namespace lockstep::app {

// In the middle of the current ImGui window: that the first run is under way, how far it is, and how to stop
// it.
void drawFirstRun(PanelContext& context);

}  // namespace lockstep::app
