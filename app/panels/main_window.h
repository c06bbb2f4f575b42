// The whole window, laid out: bar, experiment, views in docks, sentence, transport. The same for the screen, for `shot` and for tests.
#pragma once

#include <memory>
#include <vector>

#include "app/panels/panel.h"
#include "app/panels/scene_panel.h"

namespace lockstep::app {

class MainWindow {
public:
    MainWindow();

    // Draws one frame into the current ImGui context. True while something moves: draw another.
    bool draw(PanelContext& context);

private:
    void layOutDocks(u32 dockspace, f32 width, f32 height) const;
    bool drawViews(PanelContext& context);
    ScenePanel* panelNamed(std::string_view name);

    std::vector<std::unique_ptr<ScenePanel>> panels_;  // one a view, in the table's order
    u32 timesBroughtUp_ = 0;
    bool newLayout_ = false;
};

}  // namespace lockstep::app
