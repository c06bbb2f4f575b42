// What a view is: a pure function from a run, a cursor and a size to a Scene. One row per view in the table
// (views.cpp).
#pragma once

#include "base/words.h"
#include "model/profile.h"
#include "run/run.h"
#include "viz/scene.h"
#include "viz/step_range.h"
#include "viz/text_metrics.h"

#include <any>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::viz {

struct RecordedMachine;  // times_facts.h
struct Playground;       // playground.h
struct SourceLine;       // lookup.h
struct RegisterCache;    // register_box.h

struct ViewState {  // a view's own pan, zoom and choice; the window keeps one a view
    Point pan{};
    f32 zoom = 0;    // 0 = fit
    s32 option = 0;  // what a Hit::option set: the source view's tab
    u8 stage =
        0;  // of the stage view: which one was chosen (views/stage.h); 0: the one that shows the run best
    bool operator==(const ViewState&) const = default;
};

// What a view keeps from one picture to the next while run and block stay as they are, so that steps and a
// motion's frames need not gather the same facts again. Its owner empties it when either changes.
struct Kept {
    std::any facts;
    std::any parts;  // what all stages keep of a block beside that: stage/kept_of_block.h
    std::shared_ptr<RegisterCache> registers{};  // of whatever says what registers hold
};

// A second run, to compare with, and where its cursor stands.
struct Beside {
    const run::Run& run;
    Cursor cursor;
    const model::Profile& profile;
    f32 motion = 1;  // as ViewInput's: 1 where its cursor stood still when the first one moved
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
    Kept* kept = nullptr;                                    // none: everything is worked out anew
    const std::vector<RecordedMachine>* machines = nullptr;  // whose measurements there are
    const Beside* beside = nullptr;                          // what is compared with the run
    std::vector<const model::Profile*>
        devices{};  // side by side, in the order in which they were chosen; none: the view chooses
    const Playground* playground = nullptr;  // what the playground plays with; none: its first preset
    u32 leastScale =
        8;  // wavefronts that a strip of them reaches at least, so that pictures can stand side by side
    std::optional<StepRange> range{};    // chosen steps, whose sums the timeline says
    std::optional<u32> cachesPercent{};  // of the run's caches that are simulated while it is on show without
                                         // them; none: none are under way
    const std::vector<SourceLine>* onlyHere =
        nullptr;             // lines of code that what it is compared with lacks; none: nothing is marked
    bool registers = false;  // of the source view: what the registers of the cursor's line hold stands in the
                             // picture, not only at the mouse
    bool titled = true;  // with a head that names the view; false where a tab does, and shows Scene::caption
};

struct ViewRow {
    std::string_view name;  // "banks": of --view and of the window's tabs
    Words title;
    Scene (*build)(const ViewInput&);
    bool ofSharedMemory = false;  // it has nothing to show elsewhere than at an access to shared memory
    bool needsRun = true;         // false: it looks at no kernel
    bool asTheMachineRunsIt =
        false;  // it shows what the compiler decides, so that a run's machine code is worth its time
};

std::span<const ViewRow> views();
const ViewRow* findView(std::string_view name);

}  // namespace lockstep::viz
