// The generic panel: shows any view's Scene, caches it while nothing changes, shows tooltips, passes clicks
// on.
#pragma once

#include "app/panels/panel.h"
#include "app/panels/scene_builder.h"
#include "viz/cursor/playground.h"
#include "viz/glossary/term_marks.h"
#include "viz/parts/block_cache.h"
#include "viz/view.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::app {

// A scene's scale, and its audience.
struct SceneLook {
    f32 scale = 0;  // 0: larger if there is spare room
    bool presenting = false;
    f32 least = 0;  // of a page of text: may be scaled down to this, so that all of it is visible; 0: no
};

class ScenePanel {
public:
    // The window's panels share what they keep of the block on show.
    ScenePanel(const viz::ViewRow& view, viz::SharedBlockCache& blocks) : view_(view), blocks_(blocks) {}
    const viz::ViewRow& view() const { return view_; }

    // Builds the scene without drawing it, for its sentence. size: of the area it would have, in pixels.
    void update(PanelContext& context, viz::Size size, SceneLook look = {});
    // Fills the rest of the current ImGui window. True while the scene is animated.
    bool draw(PanelContext& context, SceneLook look = {});
    // The view's sentence for the cursor, from the last drawn scene.
    const std::string& sentence() const { return scene_.sentence; }
    // The last drawn scene; empty before.
    const viz::Scene& scene() const { return scene_; }
    // Its place and size in this frame, in the window's pixels; none: not drawn.
    struct Place {
        viz::Rect area;
        f32 scale = 1;
    };
    std::optional<Place> place() const;
    // The run of the last drawn scene; null: none, or it shows no run.
    const run::Run* shown() const { return key_.run.get(); }
    // Scenes for which a frame waited, though what they show is large.
    u32 largeInFrames() const { return largeInFrames_; }

private:
    // What a scene depends on: it is rebuilt when one of these changes.
    struct Key {
        std::shared_ptr<const run::Run> run;
        viz::Cursor cursor;
        f32 width = 0, height = 0, motion = 1;  // logical pixels of the scene
        Language language = Language::English;
        std::string profile;
        std::vector<std::string> devices;
        viz::ViewState state;
        viz::Playground playground{};
        std::optional<StepRange> range{};               // where it shows one
        std::optional<u32> cachesPercent{};             // likewise
        std::shared_ptr<const run::Run> comparedRun{};  // these three only if it shows two runs
        viz::Cursor comparedCursor{};
        bool comparedMoved = false;
        bool presenting = false;
        bool underlinesTerms = false;
        bool canFetchToolkit = false;
        std::shared_ptr<const viz::SweepsOnShow> sweeps{};  // where it shows them
        std::shared_ptr<const viz::IssuesOnShow> issues{};  // likewise
        std::optional<u32> issuesPercent{};
        std::shared_ptr<const viz::OrdersOnShow> orders{};  // likewise
        std::optional<u32> ordersPercent{};
        std::shared_ptr<const operations::ProgramReport> program{};  // likewise
        bool operator==(const Key&) const = default;
    };

    Key keyFor(const PanelContext& context, viz::Size size, const SceneLook& look) const;
    f32 scaleThatFits(PanelContext& context, viz::Size size, const SceneLook& look);
    // A scene and what belongs to it, and what its view keeps for the next one.
    struct Built {
        Key key;
        std::unique_ptr<viz::ViewCache> kept = std::make_unique<viz::ViewCache>();
        viz::Scene scene;
        std::vector<viz::TermMark> terms;  // of the scene, if underlined
        viz::Scene underlines;
        std::atomic<bool> isDone = false;
    };
    using Machines = std::shared_ptr<const std::vector<run::RecordedMachine>>;
    // `built` has its key, and what was kept before.
    static void buildInto(Built& built, const viz::ViewRow& view, const Machines& machines,
                          const viz::TextMetrics& metrics);

    static bool isLarge(const Key& key);
    bool needsNewFacts(const Key& key) const;
    void build(PanelContext& context, const Key& key);
    void buildInBackground(PanelContext& context, const Key& key);
    void takeBuilt(PanelContext& context);
    void hover(PanelContext& context, viz::Point mouse);
    void explain(PanelContext& context, viz::Point mouse) const;
    void showBox(PanelContext& context) const;
    void markAnswer(PanelContext& context);
    viz::Rect onScreen(const viz::Rect& ofScene) const;
    void scrub(PanelContext& context, f32 x);
    void selectSteps(PanelContext& context, viz::Point mouse);
    void dragLane(PanelContext& context, viz::Point origin, viz::Point mouse);
    void panAndZoom(PanelContext& context, viz::Point mouse);
    void zoom(PanelContext& context, viz::Point at, f32 notches);
    void magnify(PanelContext& context, std::optional<viz::Point> mouse);

    const viz::ViewRow& view_;
    viz::SharedBlockCache& blocks_;
    Key key_;
    std::unique_ptr<viz::ViewCache> kept_ = std::make_unique<viz::ViewCache>();  // scenes refer to it
    viz::Scene scene_;
    std::vector<viz::TermMark> terms_;  // of scene_, if underlined
    viz::Scene underlines_;
    std::shared_ptr<Built> coming_;    // being built in the background
    const viz::Hit* boxed_ = nullptr;  // of scene_: whose box is kept
    viz::Scene box_;
    // Of scene_: what is in the answer to a lesson's question, and that answer.
    std::string markedAnswer_;
    std::vector<viz::Rect> answered_;
    bool isBehind_ = false;  // the scene may be of another run, or its facts in use
    bool dragged_ = false;
    std::optional<viz::Point> clickedAt_;  // until the mouse moves on
    u32 largeInFrames_ = 0;
    u32 postponed_ = 0;          // frames since a new run's scene was due
    std::optional<Lane> held_;   // the lane being dragged, while the button is held
    f32 scale_ = 1;              // of the scene on the screen
    std::optional<Key> fitted_;  // the scale chosen for a page so that all of it is visible
    f32 fittedScale_ = 1;
    viz::Rect area_;    // where it is there
    int drawnAt_ = -1;  // ImGui's number of that frame
    struct Selecting {
        viz::Cursor from;
        f32 y;
    };
    std::optional<Selecting> selecting_;  // start of the step selection, while the button is held
    std::optional<f32> scrubbedAt_;       // the height at which a scrub began, while the button is held
};

}  // namespace lockstep::app
