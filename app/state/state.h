// The window's whole state, in one value. update() is its only writer; panels read it and send Actions.
#pragma once

#include "app/state/editor_state.h"
#include "app/state/export.h"
#include "app/state/lesson_state.h"
#include "app/state/playlist_state.h"
#include "app/state/program_state.h"
#include "base/progress.h"
#include "base/text/message.h"
#include "base/text/text.h"
#include "base/text/time_left.h"
#include "catalog/catalog.h"
#include "explain/cursor/navigation.h"
#include "run/activity.h"
#include "run/own/launch_proposal.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"
#include "viz/cursor/playground.h"
#include "viz/sweeps_on_show.h"
#include "viz/view.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::viz {
struct IssuesOnShow;  // viz/issues_on_show.h
struct OrdersOnShow;  // viz/orders_on_show.h
}  // namespace lockstep::viz

namespace lockstep::app {

// A user's own kernel, in command-line syntax.
struct OwnKernel {
    std::string file, entry, grid = "1", block = "32", shared = "0";
    std::vector<std::string> arguments, defines, references = {};
    std::vector<std::string> further = {};  // launches behind this one
    bool operator==(const OwnKernel&) const = default;
};

// What to run.
struct Choice {
    std::string family, variant;  // empty if it is the user's own
    catalog::Values values;
    std::optional<OwnKernel> own{};
    std::optional<ProgramLaunch> launch{};  // of a program; then it has none of the others
    bool operator==(const Choice&) const = default;
};

// The playground's part of the state; undo and redo include its pattern.
struct PlaygroundState {
    viz::Playground shown;
    std::string typed = shown.pattern.expression;  // text of the field, valid or not
    std::optional<Fault> fault;                    // why it is invalid; the last valid picture stays
    bool typing = false;  // the last change was to the expression: the next letter is the same undo step
};

// One step of undo.
struct Change {
    Choice choice;
    std::optional<Choice> compared;  // what it is compared with
    model::AccessPattern pattern;
    std::string playlistFile{};                         // the playlist that is open, and its text
    std::shared_ptr<const std::string> playlistText{};  // null: none is
};

// A kernel found in a file, and arguments that fit its parameters.
struct FoundKernel {
    std::string entry, signature;
    std::vector<std::string> arguments;
    std::vector<std::string> names{};             // of the parameters; empty: not known
    std::string body{};                           // of its function, where the source is known
    std::vector<run::ProposedLaunch> launches{};  // by the file's own host code
};
// The dialog for a .cu or .ptx: which kernel, and how it is launched.
struct OwnKernelDialog {
    OwnKernel kernel;
    std::vector<FoundKernel> found;
    std::optional<Fault> fault{};  // why it cannot be launched so
    std::vector<Fault> notes{};    // what of the file was skipped
};

struct Playback {
    bool playing = false;
    explain::Stride unit = explain::Stride::Event;
    f32 stepsPerSecond = 2;  // of `unit`
    f64 motion = 1;  // animation progress into the cursor's step: 0 = just left the previous one, 1 = arrived
    bool backwards = false;  // moving backward: the same animation, reversed
    f64 sinceStep = 0;       // seconds since the last step while playing
};

// A stride that found no further event.
struct NoFurtherStep {
    explain::Stride stride = explain::Stride::Instruction;
    bool back = false;
    bool operator==(const NoFurtherStep&) const = default;
};

// Progress and activity of the current run.
struct JobProgress : Progress {
    std::atomic<run::Activity> activity{run::Activity::Emulating};
};

// The run in progress, if any. Results of superseded runs are discarded: only `ticket` counts.
struct Job {
    u64 ticket = 0;
    bool running = false;
    std::shared_ptr<JobProgress> progress;
    f64 seconds = 0;  // since it began; shown from one second on
    TimeLeft left = {};
    bool isShown = false;  // what is known of its run so far
    std::shared_ptr<const std::string> text =
        {};  // that it compiles, of the editor; null: a file as it was saved
};

// An experiment that the emulator does not run as a whole, and the sentence that says so.
struct TooLarge {
    Choice choice;
    Fault fault;
};

// A file whose kernels are looked for: compiling it may take long.
struct Looking {
    std::string file;
    u64 ticket = 0;
    f64 seconds = 0;
};

// What the window can fetch: the CUDA compiler (NVRTC); ptxas and nvdisasm, for machine code.
enum class Fetched : u8 { Compiler, Toolkit };

// One that is being fetched.
struct CompilerFetch {
    Fetched what = Fetched::Compiler;
    std::string package;  // whose download has begun last, and how large it is; empty: none yet
    f64 seconds = 0;
    std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);
};

// What may run the experiment besides the emulator.
struct Gpus {
    std::optional<std::vector<std::string>> names;  // this machine's GPUs, by number; none: not yet queried
    std::optional<Fault> why;                       // there is none, or none that can be used
    bool any() const { return names && !names->empty(); }
};

// The comparison: a second run, whose cursor follows the first one's.
struct Comparison {
    std::optional<Choice> choice;         // none: with nothing
    std::shared_ptr<const run::Run> run;  // kept while the next one is in progress
    std::optional<Choice> shown;          // what it is a run of
    viz::Cursor cursor;
    bool moved = false;  // it went along when the first cursor last moved
    bool isNew = false;  // another kernel was chosen: once both runs are there, the cursors go to the
                         // greatest difference
    Job job;
    bool open = false;     // the window is laid out for it
    bool covered = false;  // a view is maximized over it
};

// What was swept in this session; each change is a new value, so that pictures of the old one stay as they
// are.
struct Sweeps {
    std::shared_ptr<const viz::SweepsOnShow> shown = std::make_shared<viz::SweepsOnShow>();
    u64 ticket = 0;                      // of the sweep under way
    std::shared_ptr<Progress> progress;  // to cancel it
};

// What the cycle model says of the run on show, for the views of it; worked out when one is looked at.
struct Issues {
    std::shared_ptr<const viz::IssuesOnShow> shown;  // null: none was asked for
    std::shared_ptr<const run::Run> of;              // the run that it was asked of
    std::shared_ptr<const run::Run> besideOf{};      // that shown->beside is of; null: of none
    u64 ticket = 0;
    bool isUnderWay = false;
    viz::Modeled what = viz::Modeled::None;  // is under way
    std::shared_ptr<Progress> progress;

    // Whether it is there or under way.
    bool has(viz::Modeled wanted, const std::shared_ptr<const run::Run>& run, const viz::Cursor& at) const;
    // The same of when the warps of both runs issue.
    bool hasBoth(const std::shared_ptr<const run::Run>& run, const viz::Cursor& at,
                 const Comparison& comparison) const;
};

// Other orders of the run's threads, for the view that shows what they come to; tried on request.
struct Orders {
    std::shared_ptr<const viz::OrdersOnShow> shown;  // of `of`; null: none were tried
    std::shared_ptr<const run::Run> of;
    u64 ticket = 0;
    bool isUnderWay = false;
    std::shared_ptr<Progress> progress;
    u32 atOnce = 0;  // tried without being asked, once the view is looked at first
};

// What a lesson has put aside, to be given back when it is closed.
struct BeforeLesson {
    Choice choice;
    std::shared_ptr<const run::Run> run;
    std::optional<Choice> shown;
    std::string file;
    viz::Cursor cursor;
    std::optional<StepRange> range;
    Comparison compared;
    bool wasUnderWay = false;  // its run
    std::string profile;
    std::vector<std::string> devices;
    std::string turnedTo;
    std::map<std::string, std::string> enlarged;
};

// Presentation: the stage, one lens and the sentence, large; nothing else.
struct Presenting {
    bool on = false;
    bool black = false;               // black screen, for attention to the lecturer
    std::string lens;                 // the view in the stage's place; empty: the stage
    std::string theme = "projector";  // its own theme, for a lit room
};

// What has been done, said for a while.
struct Notice {
    Message text;
    f64 seconds = 0;  // since it was said
};
inline constexpr f64 kNoticeSeconds = 4;

struct State {
    const catalog::Catalog* catalog = nullptr;
    std::shared_ptr<const std::vector<run::RecordedMachine>> machines;  // whose measurements there are
    std::string backend =
        "auto";              // what runs the experiment: auto (the GPU if there is one), emulator or gpu
    u32 device = 0;          // which GPU
    bool coldTimes = false;  // L2 is flushed before each timed execution
    Gpus gpus;
    bool hasCompiler = true;  // NVRTC; assumed until it has been looked for
    bool canFetchCompiler = false, canFetchToolkit = false;
    std::optional<CompilerFetch> fetching;
    Choice choice;
    PlaygroundState playground;
    std::vector<Change> undo, redo;  // of the experiment and the playground, latest last: how it was before
    std::shared_ptr<const run::Run> run;  // the shown run; kept while the next one is in progress
    std::optional<Choice> shown;          // what it is a run of; none: of nothing that can be chosen
    std::map<std::string, catalog::Values, std::less<>>
        sizes;  // by family: its values when another one was chosen
    viz::Cursor cursor;
    std::optional<StepRange> range;     // steps chosen on the timeline
    std::optional<viz::Cursor> wanted;  // where the cursor goes once the run under way has arrived
    bool isOpening = false;             // it begins where it is most interesting
    Playback playback;
    std::optional<TooLarge> tooLarge;  // the last one that was refused: a sample of its blocks is offered
    std::optional<Choice> sampled;     // of which only a sample of its blocks is run
    Job job;
    u64 tickets = 0;  // given out so far
    Comparison compared;
    Sweeps sweeps;
    Issues issues;
    Orders orders;
    Export exporting;
    std::string exportFolder;  // where it was written last; empty: where the program was started
    std::string file;          // of the shown recording; empty: a run of `choice`
    std::string theme = "dark";
    Language language = Language::English;
    bool reduceMotion = false;
    f32 zoom = 1;  // of the interface, times the display's own
    LessonState lessons;
    std::optional<BeforeLesson> beforeLesson;
    PlaylistState playlists;
    ProgramState program;
    EditorState editor;
    std::optional<u32> wantedLine;        // of the file that is run next: the cursor goes there
    std::optional<WithheldRun> withheld;  // by an entry of a playlist
    std::string profile = "cc90";
    std::vector<std::string> devices;  // profiles that stand side by side, in the order in which they were
                                       // chosen; none: the views choose
    std::map<std::string, viz::ViewState, std::less<>> views;  // pan and zoom, by view name
    std::string broughtUp = "stage";                           // the view last asked for by name or number
    std::string broughtUpBeside;                               // in another dock, with it; empty: none
    std::string turnedTo =
        "stage";  // the view that the user last asked for or clicked: copying and exporting are about it
    std::string toEnlarge = "stage";  // the same without the timeline, which has the whole width anyway
    // Asked for by keys; the view's panel carries it out, since it knows what it draws where.
    struct Magnifying {
        std::string view;
        int steps = 0;
        bool operator==(const Magnifying&) const = default;
    } magnifying;
    u32 timesBroughtUp = 0;  // request counter, so that a repeated request is noticed
    Presenting presenting;
    std::string task = "explore";                 // whose arrangement of the views is shown
    std::map<std::string, std::string> enlarged;  // by task: the maximized view
    u32 timesLaidOut = 0;                         // counts resets to the task's initial arrangement
    std::vector<Choice> recent;  // experiments, the latest first; each kernel once, as it was last set
    std::vector<std::string> recentCommands;  // of the palette, by id, the latest first
    bool showPalette = false;
    bool showHint = false;         // how to begin: until it has been used
    std::optional<u32> tour = {};  // its step, from 0; none: it is not taken
    std::string beforeTour;        // the view that was turned to
    bool browsing = false;         // for a file to open, where the desktop has no dialog for it
    std::optional<OwnKernelDialog> dialog;
    std::optional<OwnKernelDialog> launched;  // as it was answered, until its run is there: it is asked again
                                              // where it cannot be launched so
    std::optional<NoFurtherStep> inVain;  // the last manual step found no event; shown until the cursor moves
    std::optional<Looking> looking;       // only the last one counts
    u64 lookTicket = 0;
    std::vector<Notice> notices;  // the latest last
    std::vector<Message> said;    // what all notices of this session said, the latest last
    bool showSaid = false;        // they are listed
    bool showKeys = false;
    std::string term;            // of the glossary, whose card is open; empty: none
    bool underlineTerms = true;  // of the glossary, in views and texts
    bool dragging = false;       // a parameter's slider is held: its changes are one undo step
    std::optional<Fault> fault;  // the last error; shown until something succeeds
    bool quit = false;

    bool isTooLarge() const { return tooLarge && tooLarge->choice == choice && !job.running; }
    // The run on show is one of another experiment than the one that is chosen: of the one before, while the
    // next one is under way or where it cannot be run.
    bool isOfAnother() const { return run && shown && *shown != choice; }
    // The program that the run on show is of: null where it is of none, or it is not known what that did.
    std::shared_ptr<const operations::ProgramReport> programOnShow() const;
    // The text of the experiment's own file, where that is in the editor; null: it is not.
    const EditedText* editedExperiment() const;
    // The run on show was compiled from another text than the editor has.
    bool isOfEarlierText() const;
    // The run on show was compiled from just this text.
    bool isOfText(const EditedText& text) const;
    bool usesGpu() const { return backend != "emulator" && gpus.any(); }
};

}  // namespace lockstep::app
