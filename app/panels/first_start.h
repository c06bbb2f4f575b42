// What a first start says over the window: what this is and where to begin, and the tour of four steps.
#pragma once

#include "app/panels/panel.h"

namespace lockstep::app {

// Where the parts stand that the tour speaks of; without width: that part is not to be seen.
struct ToldParts {
    viz::Rect window{};  // all between the bar and the transport
    viz::Rect stage{}, sentence{}, timeline{}, source{}, experiment{};
};

// One of the two, if the state has it. Nothing over a dialog.
void drawFirstStart(PanelContext& context, const ToldParts& parts);

}  // namespace lockstep::app
