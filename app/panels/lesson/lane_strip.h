// Cells in rows that are chosen by clicking, or a range of them by dragging: lanes of a warp, sectors of an
// array. With the keys: the arrows mark a cell, Enter chooses it.
#pragma once

#include "app/panels/panel.h"
#include "app/panels/widgets.h"

#include <functional>
#include <optional>
#include <string>

namespace lockstep::app {

struct StripCell {
    bool isOff = false;             // cannot be chosen
    std::optional<viz::Role> fill;  // none: not chosen
};

struct Strip {
    const char* id;
    s64 count = 0;
    int columns = 16;
    std::function<StripCell(s64)> cell;
    Help help;
};

class CellStrip {
public:
    // first, last: what has been clicked or dragged over in this frame, while the button is held; in: whether
    // it is to be chosen (the first cell was not). Above and below the strip the range stays as it was, and
    // the pressed cell may be on its way to something else.
    struct Drag {
        s64 first = 0, last = 0, pressed = 0;
        bool in = true, begins = false, isAway = false;
    };
    std::optional<Drag> draw(PanelContext& context, const Strip& strip);
    // At the mouse, on its way.
    static void drawInHand(PanelContext& context, s64 number, const StripCell& cell);

private:
    std::optional<Drag> byKeys(PanelContext& context, const Strip& strip, viz::Rect at, f32 width);

    std::optional<s64> from_;
    s64 to_ = 0, marked_ = 0;
    bool adds_ = true;
};

}  // namespace lockstep::app
