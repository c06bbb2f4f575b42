// Everything a user or a finished run can do to the State.
#pragma once

#include "app/state/editor_action.h"
#include "app/state/lesson_action.h"
#include "app/state/playlist_action.h"
#include "app/state/program_action.h"
#include "app/state/state.h"
#include "base/text/message.h"

#include <atomic>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace lockstep::app {

// The experiment.
struct ChooseVariant {
    std::string family, variant;
    bool opens = false;  // by its name: it begins where it is most interesting, with the task's main views
                         // in front
};                       // of another family: with the values that it had last
struct SetParameter {
    std::string name;
    s64 value;
    bool dragging = false;
};  // dragging: one undo step for the whole drag
struct SetChoice {
    Choice choice;
};
struct CompareWith {
    std::optional<Choice> choice;
};                             // none: ends the comparison
struct CompareWithAnother {};  // with the next variant, or the next size, unless something is compared
                               // already; lays the window out for it
struct CloseComparison {};     // restores the task's layout; keeps the comparison
struct RunAgain {};
struct RunSample {
    bool on = true;
};  // of the experiment's blocks; off: all of them again
struct CancelRun {};
struct SetBackend {
    std::string backend;
    u32 device = 0;
};  // runs the experiment again, there
struct SetColdTimes {
    bool cold;
};  // times the GPU again, so
struct GpusFound {
    Gpus gpus;
};
struct CompilerMissing {
    bool canFetch = false;
};
struct FetchCompiler {
    Fetched what = Fetched::Compiler;
};
struct CompilerFetching {
    std::string package;
};
struct StopFetching {};
struct CompilerFetched {
    std::optional<Fault> fault;  // none: it is there
};
struct Undo {};
struct Redo {};
// onGpu: requested there. moreToCome: it will arrive again, with the whole grid, or
// with its caches.
struct RunArrived {
    u64 ticket;
    std::shared_ptr<const run::Run> run;
    bool onGpu = false, moreToCome = false;
};
struct RunFailed {
    u64 ticket;
    Fault fault;
};
struct MachineCodeRead {
    std::shared_ptr<const run::Run> of, run;
};  // `run` is `of` with its machine code; nothing else changes
struct FixesFound {
    std::shared_ptr<const run::Run> of, run;
};  // `run` is `of` with the variants that cure its hints
// A view of the cycle model is looked at.
struct WantIssues {
    viz::Modeled what = viz::Modeled::Issues;
    bool both = false;  // also of the run that it is compared with
};
struct IssuesArrived {
    u64 ticket;
    std::shared_ptr<const viz::IssuesOnShow> issues;
};
struct TryOrders {
    u32 orders = 0;
};  // so many orders of the threads of the run on show; 0: no longer, what was tried by then is kept
struct OrdersTried {
    u64 ticket;
    std::shared_ptr<const viz::OrdersOnShow> orders;
};
struct ShowRun {
    std::shared_ptr<const run::Run> run;
    std::string file = {};
};  // an opened recording, and its path

// Sweeps.
struct StartSweep {
    std::string parameter;
    bool modeled = false;  // only the points without a measured time, for the cycle model's
};  // of the chosen variant, and of the one that it is compared with, around their values; supersedes
    // another. Empty: its first one, and the chart comes to the front
struct CancelSweep {};
// points: of one run, or why there are none. done: how many runs there have been, of all.
struct SweepPointArrived {
    u64 ticket;
    std::shared_ptr<const run::Sweep> points;
    u64 done = 0, total = 0;
};

// Exporting.
struct OpenExport {
    std::string view;
};                      // the dialog, for this view or (empty) the whole window
struct CloseExport {};  // and cancels the export in progress
struct SetExport {
    ExportSettings settings;
};
struct ChooseExportFile {};  // through the desktop's own dialog
struct ExportFileChosen {
    std::string file;
    std::optional<Fault> fault = {};
};
struct OpenExportFolder {};  // of the file that was written last, in the desktop
struct ExportNow {};         // asks before it replaces a file
struct CopyPicture {
    std::string view;
};  // of this view, or (empty) of the whole window, to the clipboard
struct ExportProgressed {
    f64 progress;
};
struct ExportEnded {
    std::string file;
    std::optional<Fault> fault;
};

// Files.
struct ChooseFile {};  // through the desktop's own dialog, else through the window's
struct Browse {
    bool open = true;
};  // the window's own dialog
struct OpenFile {
    std::string path;
};  // .lks, .cu or .ptx
struct OpenFiles {
    std::vector<std::string> paths;
};  // dropped at once: the first one as OpenFile does, other kernels into the editor
struct ShowLineOfExercise {
    u32 line = 0;
    std::string size;
};  // of its file, run as it is judged at this size
struct LookAgain {
    OwnKernel kernel;
};  // for kernels in its file, an instance of a template being asked for
struct KernelsFound {
    OwnKernelDialog dialog;
};  // in such a file
struct LookEnded {
    u64 ticket = 0;
};  // whatever was found
struct StopLooking {};
struct OpenPage {
    std::string page;
};  // of the documentation: "internals/caches.md"
struct CloseDialog {};
struct CouldNot {
    Fault fault;
};

// The cursor.
struct MoveCursor {
    viz::Cursor to;
};
struct MoveCompared {
    viz::Cursor to;
};  // in the second run; the first cursor follows
struct Step {
    explain::Stride unit;
    bool back = false;
};
struct ToEnd {
    bool back = false;
};  // Home, End
struct ChangeWarp {
    int by;
};
struct ChangeBlock {
    int by;
};  // through the blocks in focus
struct ChangeLane {
    int by;
};
struct SelectSteps {
    std::optional<StepRange> range = {};
};  // on the timeline; none: no longer
struct SelectOn {
    bool back = false;
};  // a step forward, extending the selection

// Playing.
struct TogglePlay {};
struct SetSpeed {
    f32 stepsPerSecond;
};
struct SetStepUnit {
    explain::Stride unit;
};
struct Tick {
    f64 seconds;
};  // time that went by since the last frame

// The playground.
struct SetPattern {
    model::AccessPattern pattern;
};  // an invalid one is reported and not applied
struct TypeExpression {
    std::string text;
};  // lanes placed by hand follow it again
struct PlaceLane {
    Lane lane;
    s64 place;
};  // dragged by hand, onto this element
struct SelectLane {
    Lane lane;
};
struct SwitchLane {
    Lane lane;
};  // on or off
struct ResetPlayground {};
struct TakeAccess {};  // the access at the cursor, into the playground

// The look.
struct SetTheme {
    std::string theme;
};
struct SetLanguage {
    Language language;
};
struct SetReduceMotion {
    bool on;
};
struct SetZoom {
    int steps = 0;
};  // so many larger, or smaller; 0: none at all
struct SetProfile {
    std::string profile;
};
struct SetDevices {
    std::vector<std::string> devices;
};  // side by side, up to three
struct BringUp {
    std::string view;
};  // its tab comes to the front
struct TurnTo {
    std::string view;
};  // makes it the active view
struct Enlarge {
    std::string view;
};  // maximized; empty: restores the layout
struct SetView {
    std::string view;
    viz::ViewState state;
};
struct Magnify {
    int steps = 0;
};  // the view in hand, so many larger or smaller; 0: shows all of it
struct Present {
    bool on = true;
};
struct NextLens {
    bool back = false;
};  // of the presentation: none, then each in turn
struct SetLens {
    std::string view;
};  // empty: only the stage
struct BlackOut {
    bool on = true;
};
struct ShowPalette {
    bool open = true;
};
struct UsedCommand {
    std::string id;
};  // from the palette
struct SetTask {
    std::string task;
};  // its arrangement of the views
struct ResetLayout {};
struct ShowHint {};  // how to begin, again
struct DismissHint {};
struct TakeTour {
    u32 step = 0;
};  // to a step of the tour, from 0; the first one opens the kernel that it is about
struct LeaveTour {};
struct ShowKeys {
    bool open = true;
};
struct ShowTerm {
    std::string id = {};
};  // of the glossary; empty: closes the card
struct UnderlineTerms {
    bool on;
};
struct DismissFault {};
struct Say {
    Message text;
};  // for a while: what has just been done
struct ShowSaid {
    bool open = true;
};  // the list of what was said
struct Quit {};

// Every action, in the order of Action::index().
template <class... Done> struct Alternatives {
    template <class One> static constexpr bool contains = (std::is_same_v<One, Done> || ...);
    template <class One>
    static constexpr std::size_t indexOf = [] {
        std::size_t index = 0;
        (void)((std::is_same_v<One, Done> || (++index, false)) || ...);
        return index;
    }();
};
using Actions =
    Alternatives<ChooseVariant, SetParameter, SetChoice, CompareWith, CompareWithAnother, CloseComparison,
                 RunAgain, RunSample, CancelRun, SetBackend, SetColdTimes, GpusFound, CompilerMissing,
                 FetchCompiler, CompilerFetching, StopFetching, CompilerFetched, Undo, Redo, RunArrived,
                 RunFailed, MachineCodeRead, FixesFound, WantIssues, IssuesArrived, TryOrders, OrdersTried,
                 ShowRun, StartSweep, CancelSweep, SweepPointArrived, OpenExport, CloseExport, SetExport,
                 ChooseExportFile, ExportFileChosen, ExportNow, OpenExportFolder, CopyPicture,
                 ExportProgressed, ExportEnded, MoveCursor, MoveCompared, Step, ToEnd, ChangeWarp,
                 ChangeBlock, ChangeLane, SelectSteps, SelectOn, TogglePlay, SetSpeed, SetStepUnit, Tick,
                 SetPattern, TypeExpression, PlaceLane, SelectLane, SwitchLane, ResetPlayground, TakeAccess,
                 SetTheme, SetLanguage, SetReduceMotion, SetZoom, SetProfile, SetDevices, BringUp, TurnTo,
                 Enlarge, SetView, Magnify, Present, NextLens, SetLens, BlackOut, ShowPalette, UsedCommand,
                 SetTask, ResetLayout, ShowHint, DismissHint, TakeTour, LeaveTour, ChooseFile, Browse,
                 OpenFile, OpenFiles, OpenPage, ShowLineOfExercise, LookAgain, KernelsFound, LookEnded,
                 StopLooking, CloseDialog, CouldNot, ShowKeys, ShowTerm, UnderlineTerms, DismissFault, Say,
                 ShowSaid, LessonAction, PlaylistAction, ProgramAction, EditorAction, Quit>;

// One of Actions. A std::variant of them all costs each file that sends one a second of compilation for its
// special members; only update.cpp has to know what is in it.
class Action {
public:
    template <class Done>
        requires(Actions::contains<Done>)
    Action(Done done)
        : index_(Actions::indexOf<Done>), done_(std::make_shared<const Done>(std::move(done))) {}

    std::size_t index() const { return index_; }
    const void* get() const { return done_.get(); }  // of the type with this index
    template <class Done> const Done* as() const {   // nullptr: it is another
        return index_ == Actions::indexOf<Done> ? static_cast<const Done*>(get()) : nullptr;
    }

private:
    std::size_t index_;
    std::shared_ptr<const void> done_;
};

// A side effect requested by an update: the shell performs it and reports back with an Action.
struct StartRun {
    u64 ticket;
    Choice choice;
    std::vector<Dim3> focus;  // additional focus blocks, if the grid has them
    std::shared_ptr<JobProgress> progress;
    std::optional<u32> device;  // the GPU's; none: on the emulator
    bool compared = false;      // the run that the first is compared with
    bool coldTimes = false;     // L2 is flushed before each timed execution
    u64 sampleBlocks = 0;       // run::Options
    // On show, with a cursor that keeps its place: its block is shown first, if that place is in it again.
    std::shared_ptr<const run::Run> before = {};
    viz::Cursor at = {};
    std::shared_ptr<const std::string> text = {};  // of the user's file, in place of what was saved
};
struct ReadMachineCode {
    std::shared_ptr<const run::Run> of;
    bool compared = false;
};  // of the shown run; arrives later
struct TimeIssues {
    u64 ticket;
    std::shared_ptr<const run::Run> of;
    viz::Modeled what;
    std::shared_ptr<const viz::IssuesOnShow> shown;  // what is known already, and of which block
    std::shared_ptr<Progress> progress;
    std::shared_ptr<const run::Run> beside{};  // of shown->beside; null: of one run alone
};                                             // asks the cycle model
struct SearchOrders {
    u64 ticket;
    std::shared_ptr<const run::Run> of;
    u32 orders;
    std::shared_ptr<Progress> progress;
};  // one that changes the result
struct RunSweep {
    u64 ticket;
    run::SweepPlan plan;
    std::shared_ptr<Progress> progress;
    std::optional<u32> device;  // as of StartRun
    bool coldTimes = false;
    std::vector<run::SweepTask> tasks{};  // of the plan, in their order
    bool modeled = false;                 // the cycle model says their times; no GPU does
};
struct StopSweep {};
struct StartExport {
    ExportSettings settings;
};
struct StopExport {};
struct PutOnClipboard {
    std::string view;
};
struct ReadRecording {
    std::string path;
};
struct LookForKernels {
    OwnKernel kernel;
    SharedText text = {};  // as the editor has the file; null: as it was saved
    u64 ticket = 0;
};  // in its file; its other values are as they were last time
struct StopLook {};
struct StartFetch {
    Fetched what;
    std::shared_ptr<std::atomic<bool>> cancelled;
};
struct AskForFile {};
struct AskWhereToSave {
    ExportSettings settings;
};
struct ShowPage {
    std::string page;
};
using Effect =
    std::variant<StartRun, ReadMachineCode, TimeIssues, SearchOrders, RunSweep, StopSweep, StartExport,
                 StopExport, PutOnClipboard, ReadRecording, LookForKernels, StopLook, StartFetch, AskForFile,
                 AskWhereToSave, ShowPage, LessonTask, PlaylistTask, ProgramTask, EditorTask>;

}  // namespace lockstep::app
