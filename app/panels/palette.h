// The command palette: a search field and its matches, usable by keyboard or mouse.
#pragma once

#include "app/panels/palette_entries.h"
#include "app/panels/panel.h"

#include <string>

namespace lockstep::app {

class Palette {
public:
    // Above everything else while open.
    void draw(PanelContext& context);

private:
    void choose(PanelContext& context, const PaletteEntry& entry);
    void drawRow(PanelContext& context, const PaletteEntry& entry, int row);

    std::string query_;
    int selected_ = 0, first_ = 0;              // rows of the matches; `first_` is at the top
    bool wasOpen_ = false, takesKeys_ = false;  // takesKeys_: the field gets keyboard focus
};

}  // namespace lockstep::app
