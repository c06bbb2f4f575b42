// Every control by keyboard: Tab and Shift Tab go through them in the order in which they are drawn,
// whichever part of the window they are in; Enter or Space presses, arrows choose. Esc, or the mouse, gives
// the keys back to the cursor.
#pragma once

#include "app/panels/panel.h"

#include <vector>

namespace lockstep::app {

class KeyboardFocus {
public:
    // At the frame's begin, before anything is drawn.
    void begin(PanelContext& context);
    // From now on ImGui's own navigation is on: a control has the focus, or a menu, a list or a dialog is
    // open.
    bool navigates() const;

private:
    void move(int by);

    std::vector<FocusStop> stops_;  // of the last frame
    const void* window_ = nullptr;  // the part of the window in which a control had the focus last
    int popups_ = 0;                // that were open, one over the other
    bool on_ = false, hadPopup_ = false;
    bool isBrowsing_ = false;  // whose field keeps the keys
    f64 typedAt_ = -1;         // seconds: when Enter ended a field, or what was typed after it
};

}  // namespace lockstep::app
