// The whole window, laid out: bar, experiment, views in docks, sentence, transport. The same for the screen,
// for `shot` and for tests.
#pragma once

#include "app/panels/own_kernel_form.h"
#include "app/panels/palette.h"
#include "app/panels/panel.h"
#include "app/panels/scene_panel.h"
#include "app/panels/window_picture.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::app {

class MainWindow {
public:
    MainWindow();

    // Draws one frame into the current ImGui context. True while something moves: draw another.
    bool draw(PanelContext& context);
    // What the view's panel shows; null where there is no such view.
    const viz::Scene* sceneOf(std::string_view view) const;
    // What is said of the cursor.
    const std::string& sentence() const { return sentence_; }
    // The frame drawn last as one scene.
    viz::Scene picture(const State& state, const viz::TextMetrics& metrics) const;

    // Of the views, by task, as ImGui writes them: the user's own, kept by the shell from one start to the
    // next. A narrow window, where all views are tabs of one place, has none.
    using Arrangements = std::map<std::string, std::string>;
    void setArrangements(Arrangements arrangements) { arrangements_ = std::move(arrangements); }
    Arrangements arrangements() const;
    // Before the frame: puts the arrangement of the state's task in place of another one's.
    void arrange(const State& state);

private:
    bool drawPresenting(PanelContext& context);
    void layOutDocks(u32 dockspace, f32 width, f32 height, bool narrow) const;
    void drawHint(PanelContext& context, const viz::Rect& docks);
    bool drawViews(PanelContext& context);
    bool drawDocksAndSentence(PanelContext& context, viz::Rect docks, f32 sentenceHeight, bool narrow);
    bool drawComparison(PanelContext& context, viz::Rect place);
    bool drawEnlarged(PanelContext& context, viz::Rect place);
    void drawSentencePart(PanelContext& context, viz::Rect place);
    void takeSentence(PanelContext& context);
    void handleViewKeys(PanelContext& context) const;
    // Of the views on top, but for the timeline: the one that ranks first. Null where there is none.
    template <class Rank> const ScenePanel* firstInSight(Rank&& rank) const;
    // Whose sentence is shown: of those that say something (ViewRow::says), else of all, the one that the
    // user turned to, else the one that has most room.
    const ScenePanel* speaker(const State& state) const;
    bool keepTurnedToInSight(PanelContext& context);  // true while it is about to turn to another one
    ScenePanel* panelNamed(std::string_view name) const;

    std::vector<std::unique_ptr<ScenePanel>> panels_;  // one a view, in the table's order
    Palette palette_;
    OwnKernelForm ownKernelForm_;
    Arrangements arrangements_;  // of the other tasks
    std::string path_;           // being typed in the bar
    std::string task_;           // whose arrangement is shown
    u32 timesLaidOut_ = 0;
    bool layOutAnew_ = false;
    u32 dockspace_ = 0;
    u32 timesBroughtUp_ = 0;
    int framesOutOfSight_ = 0;  // of the view that the user last turned to
    std::string sentence_;      // of the view that speaks
    WindowParts parts_;         // of this frame, but for the views
    int framesUntilOnTop_ = 0;  // of a new layout: until stage and source are brought to the top
    int framesUntilTabs_ = 0;   // of an arrangement that was read
    bool laidOutNarrow_ = false;
    bool showExperiment_ = false;  // in a window too narrow to have it beside the views
};

}  // namespace lockstep::app
