// Layout of the whole window: bar, experiment, views in docks, sentence, transport. The same for the screen,
// for `shot` and for tests.
#pragma once

#include "app/panels/editor/editor_panel.h"
#include "app/panels/file_browser.h"
#include "app/panels/first_start.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/keys_page.h"
#include "app/panels/lesson/lesson_column.h"
#include "app/panels/own_kernel_form.h"
#include "app/panels/palette.h"
#include "app/panels/panel.h"
#include "app/panels/program/program_page.h"
#include "app/panels/scene_builder.h"
#include "app/panels/scene_panel.h"
#include "app/panels/window_picture.h"
#include "viz/cursor/cursor.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::app {

class MainWindow {
public:
    MainWindow();

    // Draws one frame into the current ImGui context. True while something is animated: draw another.
    bool draw(PanelContext& context);
    // The scene of the view's panel; null if there is no such view.
    const viz::Scene* sceneOf(std::string_view view) const;
    // From now on, scenes that take long are built in the background; `wake`: see SceneBuilder.
    void buildInBackground(std::function<void()> wake) { builder_.emplace(std::move(wake)); }
    // A view in sight still shows that run.
    bool stillShows(const run::Run* run) const;
    // The run of the largest view in sight; null: none, or it shows no run.
    const run::Run* runOnShow() const;
    bool isBuilding() const { return builder_ && builder_->isBusy(); }
    u64 builtInBackground() const { return builder_ ? builder_->begun() : 0; }
    u32 largeInFrames() const;  // scenes of large runs that frames waited for
    // Whether ImGui's navigation by keyboard is to be on in the next frame.
    bool navigates() const { return focus_.navigates(); }
    const ProgramPage& program() const { return program_; }
    // The sentence for the cursor.
    const std::string& sentence() const { return sentence_; }
    // The last frame as one scene.
    viz::Scene picture(const State& state, const viz::TextMetrics& metrics) const;

    // The user's arrangement of the views per task, in ImGui's format; the shell saves it between starts. A
    // narrow window, where all views are tabs of one dock, has none.
    using Arrangements = std::map<std::string, std::string>;
    void setArrangements(Arrangements arrangements) { arrangements_ = std::move(arrangements); }
    Arrangements arrangements() const;
    // Before the frame: switches to the arrangement of the state's task.
    void arrange(const State& state);

private:
    void noteWhatCame(PanelContext& context);
    void keepDocked(std::string_view view);
    bool drawPresenting(PanelContext& context);
    void layOutDocks(u32 dockspace, f32 width, f32 height, bool narrow) const;
    void drawFirstStartOver(PanelContext& context, const ToldParts& parts) const;
    bool drawViews(PanelContext& context);
    bool drawDocksAndSentence(PanelContext& context, viz::Rect docks, f32 sentenceHeight, bool narrow);
    bool drawComparison(PanelContext& context, viz::Rect place);
    bool drawEnlarged(PanelContext& context, viz::Rect place);
    void drawSentencePart(PanelContext& context, viz::Rect place);
    void drawLesson(PanelContext& context, viz::Rect place);
    void drawPlaylist(PanelContext& context, viz::Rect place);
    bool drawStartPage(PanelContext& context, viz::Size window);
    void drawProgram(PanelContext& context, viz::Size window);
    bool drawEditor(PanelContext& context);
    // Above whatever is on show; notices within a part of it.
    void drawOverlays(PanelContext& context, viz::Rect notices);
    void keepDrawer(PanelContext& context, bool beside);
    template <class Draw> void drawDrawer(PanelContext& context, viz::Rect place, Draw&& draw);
    void takeSentence(PanelContext& context);
    void handleViewKeys(PanelContext& context) const;
    // The first-ranking view on top, except the timeline. Null if there is none.
    template <class Rank> const ScenePanel* firstInSight(Rank&& rank) const;
    // The view whose sentence is shown: among those with one (ViewRow::says), else among all, the active one,
    // else the largest.
    const ScenePanel* speaker(const State& state) const;
    bool keepTurnedToInSight(PanelContext& context);  // true while it is about to change to another one
    bool settles(bool hasBegun);                      // true until what was put in front is shown
    ScenePanel* panelNamed(std::string_view name) const;

    std::optional<SceneBuilder> builder_;
    viz::SharedBlockCache blocks_;
    std::vector<std::unique_ptr<ScenePanel>> panels_;  // one per view, in the table's order
    KeyboardFocus focus_;
    Palette palette_;
    KeysPage keys_;
    OwnKernelForm ownKernelForm_;
    FileBrowser fileBrowser_;
    LessonColumn lesson_;
    ProgramPage program_;
    EditorPanel editor_;
    u32 timesEdited_ = 0;  // requests for the editor
    int framesUntilEditorOnTop_ = 0, framesUntilSettled_ = 0;
    Arrangements arrangements_;  // of the other tasks
    std::string path_;           // being edited in the bar
    std::string task_;           // whose arrangement is shown
    u32 timesLaidOut_ = 0;
    bool layOutAnew_ = false;
    u32 dockspace_ = 0;
    u32 timesBroughtUp_ = 0;
    int framesOutOfSight_ = 0;          // of the active view
    std::string sentence_;              // of the view whose sentence is shown
    WindowParts parts_;                 // of this frame, without the views
    std::string saidInHall_;            // the sentence of a presentation, as of the last frame
    int framesUntilOnTop_ = 0;          // of a new layout: until stage and source are brought to the top
    int framesUntilTabs_ = 0;           // of an arrangement that was loaded
    std::vector<std::string> inFront_;  // the view on top of each dock
    // What lies over the views, or is the picture of a presentation, and the mouse where it was when that
    // came.
    struct Came {
        std::array<bool, 10> parts{};
        std::optional<u32> tour = {};
        std::string term = {}, lens = {};
        viz::Cursor cursor = {};
        bool operator==(const Came&) const = default;
    } came_;
    std::optional<viz::Point> mouseThen_;
    std::map<std::string, u32, std::less<>> homes_;  // by view: the dock that it was in last
    std::map<std::string, int, std::less<>> framesAfloat_;
    bool docksWereHidden_ = false;  // by a view over the whole width, or a presentation
    bool laidOutNarrow_ = false;
    bool showExperiment_ = false;        // in a drawer over the views, where it does not stand beside them
    bool onDrawerButton_ = false;        // the mouse
    std::array<bool, 7> drawerAmong_{};  // what else was on show
};

}  // namespace lockstep::app
