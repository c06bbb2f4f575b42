// All that the window knows, in one value. update() is its only writer; panels read it and send Actions.
#pragma once

#include "app/state/export.h"
#include "base/progress.h"
#include "base/text/text.h"
#include "catalog/catalog.h"
#include "explain/cursor/navigation.h"
#include "run/activity.h"
#include "run/own/launch_proposal.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"
#include "viz/cursor/playground.h"
#include "viz/view.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::app {

// A kernel of the user's own, in the words that the command line takes for it.
struct OwnKernel {
    std::string file, entry, grid = "1", block = "32", shared = "0";
    std::vector<std::string> arguments, defines, references = {};
    bool operator==(const OwnKernel&) const = default;
};

// What to run.
struct Choice {
    std::string family, variant;  // empty where it is the user's own
    catalog::Values values;
    std::optional<OwnKernel> own{};
    bool operator==(const Choice&) const = default;
};

// The playground's part of the state; undo and redo go through its pattern, too.
struct PlaygroundState {
    viz::Playground shown;
    std::string typed = shown.pattern.expression;  // what stands in the field, good or not
    std::optional<Fault> fault;                    // why it is not; the last good picture stays
    bool typing = false;  // the last change was to the expression: the next letter is the same undo step
};

// One step of undo.
struct Change {
    Choice choice;
    std::optional<Choice> compared;  // what it is compared with
    model::AccessPattern pattern;
};

// A kernel found in a file, and arguments that fit its parameters.
struct FoundKernel {
    std::string entry, signature;
    std::vector<std::string> arguments;
    std::vector<std::string> names{};             // of the parameters; empty: not known
    std::string body{};                           // of its function, where the source is known
    std::vector<run::ProposedLaunch> launches{};  // by the file's own host code
};
// The question that a .cu or .ptx raises: which kernel of it, and how it is launched.
struct OwnKernelDialog {
    OwnKernel kernel;
    std::vector<FoundKernel> found;
    std::optional<Fault> fault{};  // why it cannot be launched so
    std::vector<Fault> notes{};    // what of the file was skipped
};

struct Playback {
    bool playing = false;
    explain::Stride unit = explain::Stride::Instruction;
    f32 stepsPerSecond = 2;  // of `unit`
    f64 motion = 1;  // progress of the way into the cursor's step: 0 = just left the last one, 1 = arrived
    bool backwards = false;  // the way leads back: the same motion, reversed
    f64 sinceStep = 0;       // seconds since the last step while playing
};

// A stride that found no further place to go to.
struct NoFurtherStep {
    explain::Stride stride = explain::Stride::Instruction;
    bool back = false;
    bool operator==(const NoFurtherStep&) const = default;
};

// How far the run under way is, and at what.
struct JobProgress : Progress {
    std::atomic<run::Activity> activity{run::Activity::Emulating};
};

// The run under way, if any. Results of superseded runs are thrown away: only `ticket` counts.
struct Job {
    u64 ticket = 0;
    bool running = false;
    std::shared_ptr<JobProgress> progress;
    f64 seconds = 0;  // since it began; shown from one second on
    bool cachesAlone =
        false;  // its run is on show already: what is still under way is the simulation of its caches
};

// What may run the experiment besides the emulator.
struct Gpus {
    std::optional<std::vector<std::string>>
        names;                 // of this machine's, by number; none: nobody has looked yet
    std::optional<Fault> why;  // there is none, or none that can be used
    bool any() const { return names && !names->empty(); }
};

// What the run is compared with: a second run, whose cursor goes where the first one's does.
struct Comparison {
    std::optional<Choice> choice;         // none: with nothing
    std::shared_ptr<const run::Run> run;  // kept while the next one is under way
    viz::Cursor cursor;
    bool moved = false;  // it went along when the first cursor last moved
    bool isNew = false;  // another kernel was chosen: once both runs are there, the cursors go to the
                         // greatest difference
    Job job;
    bool open = false;  // the window is laid out for it
};

// For a hall: the stage, one lens and the sentence, large; nothing else.
struct Presenting {
    bool on = false;
    bool black = false;               // nothing at all: the eyes go to the lecturer
    std::string lens;                 // the view beside the stage; empty: the stage alone
    std::string theme = "projector";  // its own: a lit hall is no desk at night
};

struct State {
    const catalog::Catalog* catalog = nullptr;
    std::shared_ptr<const std::vector<run::RecordedMachine>> machines;  // whose measurements there are
    std::string backend =
        "auto";              // what runs the experiment: auto (the GPU if there is one), emulator or gpu
    u32 device = 0;          // which GPU
    bool coldTimes = false;  // the GPU's second-level cache is emptied before each execution that is timed
    Gpus gpus;
    bool hasCompiler = true;  // NVRTC; as long as nobody has looked it is taken to be there
    Choice choice;
    PlaygroundState playground;
    std::vector<Change> undo, redo;  // of the experiment and the playground, latest last: how it was before
    std::shared_ptr<const run::Run> run;  // what is shown; kept while the next one is under way
    viz::Cursor cursor;
    std::optional<StepRange> range;     // steps chosen on the timeline
    std::optional<viz::Cursor> wanted;  // where the cursor goes once the run under way has arrived
    Playback playback;
    Job job;
    u64 tickets = 0;  // given out so far
    Comparison compared;
    Export exporting;
    std::string file;  // of the recording on show; empty: it is a run of `choice`
    std::string theme = "dark";
    Language language = Language::English;
    bool reduceMotion = false;
    std::string profile = "cc90";
    std::vector<std::string> devices;  // profiles that stand side by side, in the order in which they were
                                       // chosen; none: the views choose
    std::map<std::string, viz::ViewState, std::less<>> views;  // pan and zoom, by view name
    std::string broughtUp = "stage";                           // the view last asked for by name or number
    std::string turnedTo =
        "stage";  // the view that the user last asked for or clicked: copying and exporting are about it
    u32 timesBroughtUp = 0;  // counts the asking, so that asking again for the same one is noticed
    Presenting presenting;
    std::string task = "explore";  // whose arrangement of the views is shown
    std::map<std::string, std::string>
        enlarged;          // by task: the view that has the whole width instead of its place among the others
    u32 timesLaidOut = 0;  // counts the wishes for the arrangement that a task begins with
    std::vector<Choice> recent;  // experiments, the latest first; each kernel once, as it was last set
    std::vector<std::string> recentCommands;  // of the palette, by id, the latest first
    bool showPalette = false;
    bool showHint = false;  // how to begin: until it has been made use of
    std::optional<OwnKernelDialog> dialog;
    std::optional<OwnKernelDialog> launched;  // as it was answered, until its run is there: it is asked again
                                              // where it cannot be launched so
    std::optional<NoFurtherStep> inVain;  // the last step by hand led nowhere; said until the cursor moves
    bool showKeys = false;
    std::string term;            // of the glossary, whose card is open; empty: none
    bool underlineTerms = true;  // of the glossary, in views and texts
    bool dragging = false;       // a parameter's slider is held: its changes are one step of undo
    std::optional<Fault> fault;  // the last thing that could not be done; shown until something succeeds
    bool quit = false;

    bool usesGpu() const { return backend != "emulator" && gpus.any(); }
};

}  // namespace lockstep::app
