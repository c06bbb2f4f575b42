// What a view is: a pure function from a run, a cursor and a size to a Scene. One row per view in the table
// (views.cpp).
#pragma once

#include "base/step_range.h"
#include "base/text/words.h"
#include "model/profiles/profile.h"
#include "run/run.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"
#include "viz/view_options.h"

#include <any>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::explain {
struct SourceLine;  // explain/source/source_line.h
}
namespace lockstep::operations {
struct ProgramReport;  // operations/report.h
}
namespace lockstep::run {
struct RecordedMachine;  // run/recordings/times_facts.h
}

namespace lockstep::viz {

struct BlockCache;     // parts/block_cache.h
struct IssuesOnShow;   // issues_on_show.h
struct OrdersOnShow;   // orders_on_show.h
struct Playground;     // playground.h
struct SweepsOnShow;   // sweeps_on_show.h
struct RegisterCache;  // register_box.h

// What the cycle model can be asked: when the warps of a block issue, what those of the run wait for, and how
// long the run takes.
enum class Modeled : u8 { None, Issues, Waits, Time };

struct ViewState {  // a view's own pan, zoom and choice; the window keeps one a view
    Point pan{};
    f32 zoom = 0;           // 0 = fit
    ViewOptions options{};  // what a Hit::options set
    // Where a list of lanes was scrolled to, until the cursor goes to another lane than this one.
    struct Lanes {
        u32 first = 0;
        Lane cursor;
        bool operator==(const Lanes&) const = default;
    };
    std::optional<Lanes> lanes{};
    bool operator==(const ViewState&) const = default;
};

// What a view keeps from one picture to the next while run and block stay as they are, so that steps and a
// motion's frames need not gather the same facts again. Its owner empties it when either changes.
struct ViewCache {
    std::any facts;
    std::any lasting;                            // of a view that keeps something beside its facts
    std::shared_ptr<BlockCache> block{};         // of any view: those that show one run's block may share it
    std::shared_ptr<RegisterCache> registers{};  // of whatever says what registers hold
};

// A second run, to compare with, and where its cursor stands.
struct ComparedRun {
    const run::Run& run;
    Cursor cursor;
    const model::Profile& profile;
    f32 motion = 1;  // as ViewInput's: 1 where its cursor stood still when the first one moved
    const IssuesOnShow* issues = nullptr;  // as ViewInput's
};
inline constexpr std::size_t kMostDevices = 3;  // side by side

struct ViewInput {
    const run::Run& run;
    Cursor cursor;
    const model::Profile& profile;
    Size size;  // logical pixels
    Language language = Language::English;
    const TextMetrics& metrics;
    // Progress of the motion into the cursor's step: 0 = just begun, 1 = done (a still picture). Stills at 1
    // are complete facts.
    f32 motion = 1;
    ViewState state{};
    ViewCache* cache = nullptr;                                   // null: everything is computed again
    const std::vector<run::RecordedMachine>* machines = nullptr;  // whose measurements there are
    const ComparedRun* compared = nullptr;                        // what is compared with the run
    std::vector<const model::Profile*>
        devices{};  // side by side, in the order in which they were chosen; none: the view chooses
    const Playground* playground = nullptr;  // what the playground plays with; none: its first preset
    u32 leastScale =
        8;  // wavefronts that a strip of them reaches at least, so that pictures can stand side by side
    std::optional<StepRange> range{};    // chosen steps, whose sums the timeline says
    std::optional<u32> cachesPercent{};  // of the run's caches that are simulated while it is on show without
                                         // them; none: none are under way
    const SweepsOnShow* sweeps =
        nullptr;  // what was swept before in this session; none: nothing, and nothing can be
    const IssuesOnShow* issues = nullptr;  // what the cycle model says; none: it was not asked
    std::optional<u32> issuesPercent{};    // of it that is worked out; none: it is not under way
    const OrdersOnShow* orders = nullptr;  // other orders of the run's threads; none: none were tried
    std::optional<u32> ordersPercent{};    // of them that are tried; none: that is not under way
    const operations::ProgramReport* program = nullptr;  // whose launch the run is of; none: of no program
    const std::vector<explain::SourceLine>* onlyHere =
        nullptr;  // lines of code that what it is compared with lacks; none: nothing is marked
    bool canFetchToolkit = false;  // a click can
    bool registers = false;  // of the source view: what the registers of the cursor's line hold stands in the
                             // picture, not only at the mouse
    bool isPresented = false;  // in a hall: nothing but what the sentence speaks of; keys to marks, tables,
                               // charts and notes are left out
    bool titled = true;  // with a head that names the view; false where a tab does, and shows Scene::caption
};

// What the mouse's wheel, and a drag, do with a view.
enum class Wheel : u8 {
    Nothing,
    Zooms,   // what is drawn at p without stands at p * zoom + pan, measured from the corner of the scene's
             // pane
    Scrolls  // up and down, by pan.y: below 0 what is further down; what is wide also across, by pan.x, until
             // the cursor moves on
};

// How compare shows a view of both runs.
struct ComparedTraits {
    enum class Layout : u8 {
        SideBySide,  // one above the other where the picture is narrow
        Stacked,     // one above the other
        ByWidth      // one above the other where rows are wider than half the picture
    };
    Layout layout = Layout::SideBySide;
    bool namesLine = false;   // its picture says the cursor's line of code
    bool marksLines = false;  // it marks by itself what only one of them has
    // Both at once, where one picture depends on the other; none: each by itself.
    std::pair<Scene, Scene> (*buildBoth)(const ViewInput&, const ViewInput&) = nullptr;
};

// One view: everything that the rest of the program has to know of it. One more is a file with its picture
// and a row (views.cpp); tabs, --view, help, compare, presentations and tests follow.
struct ViewRow {
    std::string_view name;  // "banks": of --view and of the window's tabs
    Words title;
    Scene (*build)(const ViewInput&);

    // ---- What it shows
    std::optional<trace::Space> accessesOf{};  // nothing to show elsewhere than at an access there
    bool needsRun = true;                      // false: it looks at no kernel
    bool asTheMachineRunsIt =
        false;  // it shows what the compiler decides, so that a run's machine code is worth its time
    bool followsRange = false;        // it says what the chosen steps come to
    bool followsCaches = false;       // it shows how far the simulation of caches is
    bool followsSweeps = false;       // it shows what was swept
    Modeled modeled = Modeled::None;  // what it shows of the cycle model
    bool followsOrders = false;       // it shows other orders of the run's threads
    bool followsProgram = false;      // it shows what was found in the host code of the run's program
    // Whether these choices ask for that; none: it always does. What another view asked for it shows anyway.
    bool (*asksModel)(const ViewOptions&) = nullptr;
    bool showsGrid = false;  // counts of all blocks, or findings: of a sample it says of which (noted.h)
    bool hasNotes = true;    // the questions that its figures raise stand below it

    // ---- How it behaves
    Wheel wheel = Wheel::Nothing;
    Size least{480,
               320};  // below, its texts are cut or run into each other (tests/visual/least_size_test.cpp)
    f32 leastCaptioned = 360;  // height below which a sentence at its foot is not worth the room
    bool says = false;         // its sentence is shown even where it is not the view in hand
    bool isStrip = false;      // it has a place of its own, as wide as the window, instead of a tab

    // ---- Where else it stands
    bool showsBoth = false;                        // the run and the one that it is compared with
    std::optional<ComparedTraits> inCompare{};     // compare can show it for both
    std::span<const std::string_view> explains{};  // parts of the names of metrics whose differences it shows
    // It shows the cursor's step: in a presentation it comes right behind the stage.
    bool isLens = false;
    bool drawsPresented = false;  // it has a picture of its own for halls (ViewInput::isPresented)
    bool showsRegisters = false;  // ViewInput::registers
};

std::span<const ViewRow> views();
const ViewRow* findView(std::string_view name);
// What a view with these choices needs of the cycle model.
Modeled modeledBy(const ViewRow& view, const ViewOptions& options);

}  // namespace lockstep::viz
