// The command palette: a field to type into and what fits it, for the keyboard alone or for the mouse.
#pragma once

#include "app/panels/palette_entries.h"
#include "app/panels/panel.h"

#include <string>

namespace lockstep::app {

class Palette {
public:
    // Over everything else while it is open.
    void draw(PanelContext& context);

private:
    void choose(PanelContext& context, const PaletteEntry& entry);
    void drawRow(PanelContext& context, const PaletteEntry& entry, int row);

    std::string query_;
    int selected_ = 0, first_ = 0;              // rows of those that fit; `first_` stands at the top
    bool wasOpen_ = false, takesKeys_ = false;  // takesKeys_: the field is to have the keyboard
};

}  // namespace lockstep::app
