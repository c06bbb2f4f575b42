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
    // What the view's panel shows; null where there is no such view.
    const viz::Scene* sceneOf(std::string_view view) const;

    // False in a narrow window, where all views are tabs of one place.
    bool arrangementIsTheUsers() const { return !laidOutNarrow_; }

private:
    void layOutDocks(u32 dockspace, f32 width, f32 height, bool narrow) const;
    bool drawViews(PanelContext& context);
    bool drawDocksAndSentence(PanelContext& context, viz::Rect docks, f32 sentenceHeight, bool narrow);
    bool drawComparison(PanelContext& context, viz::Rect place);
    void handleViewKeys(PanelContext& context) const;
    ScenePanel* panelNamed(std::string_view name) const;

    std::vector<std::unique_ptr<ScenePanel>> panels_;  // one a view, in the table's order
    u32 timesBroughtUp_ = 0;
    std::string focused_;                // the view that has ImGui's focus
    std::string turnedTo_ = "stage";     // the one that the user last gave it to
    std::string sentence_;         // of the view on top in the middle
    int framesUntilOnTop_ = 0;     // of a new layout: until stage and source are brought to the top
    bool laidOutNarrow_ = false;
    bool showExperiment_ = false;  // in a window too narrow to have it beside the views
};

}  // namespace lockstep::app
