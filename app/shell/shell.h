// The command line's interface to the window: open it, or take its picture without a display.
#pragma once

#include "app/shell/files/recorded_machines.h"
#include "app/shell/timing.h"
#include "app/state/update.h"
#include "cuda/worker/worker.h"
#include "run/resources.h"
#include "viz/issues_on_show.h"
#include "viz/scene/scene.h"
#include "viz/sweeps_on_show.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace lockstep::shell {

struct Request {
    const catalog::Catalog* catalog = nullptr;
    std::shared_ptr<const RecordedMachines> machines{};  // available measurements; may be null
    run::Resources resources;
    std::filesystem::path fontFolder;
    std::optional<cuda::WorkerCommand>
        gpuWorker{};               // the process that uses the GPU; none: the window knows the emulator alone
    std::string executable{};      // our own, which runs whole programs as a process; empty: it is not known
    std::string backend = "auto";  // what runs the experiment: auto, emulator, gpu
    u32 device = 0;                // which GPU
    app::Choice choice;            // what to run, unless `run` is there
    std::shared_ptr<const run::Run> run;    // an opened recording, or a run already made
    std::optional<app::Choice> compared{};  // what it is compared with; the window is then laid out for that
    std::shared_ptr<const run::Run> comparedRun{};      // where `run` is there, its run
    viz::ViewState compareState{}, viewState{};         // of compare; of `view`, or else the stage
    std::string open{};                                 // a .cu or .ptx whose launch is to be asked for
    std::shared_ptr<const viz::IssuesOnShow> issues{};  // of `run`: the time of the block at `cursor`
    std::shared_ptr<const viz::OrdersOnShow> orders{};  // of `run`
    u32 schedules = 0;                                  // orders that are tried at once if `view` shows them
    std::shared_ptr<const viz::SweepsOnShow> sweeps{};  // that the chart has from the start
    std::optional<viz::Cursor> cursor;  // where to stand; none: where the run is most interesting
    std::optional<StepRange> range{};   // chosen on the timeline; where `run` is there
    std::string view;                   // the view to bring up; empty: the stage
    std::string theme = "dark", profile = "cc90";
    std::vector<std::string> devices{};  // profiles side by side; none: the views choose
    Language language = Language::English;
    viz::Size size{1440, 900};                // logical pixels
    f32 scale = 0;                            // of a picture; 0: the display's own
    f32 zoom = 1;                             // of the interface, in the window
    std::string exportFolder{};               // that pictures are proposed to be written to; empty: none
    u32 frames = 0;                           // draw so many and quit; 0: until closed
    std::filesystem::path layoutFile{};       // where the user's arrangement is kept; empty: nowhere
    std::filesystem::path preferencesFile{};  // where theme, language, size and the GPU to use are kept once
                                              // the user changes them; empty: nowhere
    bool enlarge = false;                     // maximizes `view`, or else the stage
    bool present = false;                     // presentation; `view` is then the lens
    std::string presentingTheme = "projector";
    std::filesystem::path recentFile{};    // experiments and commands used last; empty: nowhere
    std::filesystem::path progressFile{};  // of lessons; empty: nowhere
    std::string lesson{}, lessonStep{};    // a lesson to open, by name or folder, and the step to begin with
    std::string exercise{};                // an exercise to open on the start page, by name or folder
    std::string playlist{}, playlistEntry{};  // a playlist to open, by its file, and the entry to begin with
    bool notes = false;                       // of a picture: the lecturer's notes, not the window
    std::optional<app::PlaylistState> playlistShown{};  // of a picture: as preparePlaylist made it
    std::optional<app::LessonState> lessonShown{};      // of a picture: as prepareLesson made it
    std::string task = "explore";                       // whose arrangement of the views is shown
    bool underlineTerms = true;                         // of the glossary
    std::map<std::string, std::string> enlarged{};      // by task: the maximized view
    bool hint = false;                                  // says how to begin
    bool play = false;                                  // once the first run is there
    Timing* timing = nullptr;  // filled in if there; the window then plays all the time
};

// Opens the window and returns when it is closed. Fault: no display or no OpenGL 3.3.
Expected<void> openWindow(const Request& request);
// Steps of the cursor's warp, from 1, as an animation.
struct ShotSteps {
    u32 first = 1, last = 1;
    f32 perSecond = 2;
    bool reducedMotion = false;  // no animation between steps
};
// The same window as PNG, as SVG if the file ends in .svg, or these steps as GIF or (.apng) APNG. Requires
// `request.run`.
Expected<void> takeShot(const Request& request, const std::filesystem::path& file,
                        const std::optional<ShotSteps>& steps = {});

// For a picture: `lesson` ("list": the list of lessons) and `lessonStep` with its run, cursor, profile and
// view, before its question is answered, or after this answer; the start page with `exercise`.
Expected<void> prepareLesson(Request& request, const std::optional<std::string>& answer);

// The same of `playlist` ("list": the list of playlists) and `playlistEntry`, as it begins or once it is
// revealed.
Expected<void> preparePlaylist(Request& request, bool revealed);

// The experiment used last, as the file of the recent ones has it, if it can still be opened: its kernel is
// in the catalog, or its file is there. None: there is no such file, or none in it.
std::optional<app::Choice> lastChoice(const std::filesystem::path& recentFile,
                                      const catalog::Catalog& catalog);
// Where in it the window was closed; none: somewhere else.
std::optional<viz::Cursor> lastPlace(const std::filesystem::path& recentFile);

// The initial state for the request; without a run it has a pending effect: start the choice.
app::State firstState(const Request& request);

}  // namespace lockstep::shell
