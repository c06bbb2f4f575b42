// lockstep, lockstep window and lockstep shot: the window on a screen and as a picture.
#include "app/cli/commands/ask_model.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/sweep_points.h"
#include "app/cli/commands/try_orders.h"
#include "app/cli/options/view_options.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "model/profiles/profile.h"
#include "run/catalog_ptx.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/lookup.h"
#include "viz/issues_on_show.h"
#include "viz/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>
#if LOCKSTEP_APP
#include "app/shell/files/preferences.h"
#include "app/shell/shell.h"
#endif

namespace lockstep::cli {
namespace {

// Minimum window size: below, its panels do not fit side by side.
constexpr viz::Size kLeastWindow{640, 480};

#if LOCKSTEP_APP

struct Arguments {
    ViewOptions view;
    ComparedOptions beside;
    AnimationArguments animation;
    std::string name, out;
    std::string lesson, lessonStep, answer, exercise;
    std::string playlist, entry;
    bool revealed = false, notes = false;
    bool hasAnswer = false;
    std::vector<std::string> devices;  // side by side
    u32 frames = 0;
    bool timing = false, present = false, enlarge = false;
    bool fresh = false;       // as a first start: nothing that is kept is read or written
    std::optional<f64> zoom;  // --scale of the window
};

// Empty: it is not known.
std::string ownExecutable() {
    std::error_code error;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::string() : own.string();
}

// This program started as the GPU worker process.
std::optional<cuda::WorkerCommand> gpuWorker() {
    const std::string own = ownExecutable();
    return own.empty() ? std::nullopt : std::optional(cuda::WorkerCommand{own, {kGpuWorker}});
}

// Shipped recordings are read on first use; the user's own file at once, because it may have errors.
Expected<std::shared_ptr<const shell::RecordedMachines>> machinesOf(const std::string& ownFile,
                                                                    const catalog::Catalog& catalog,
                                                                    Session& session) {
    using Machines = shell::RecordedMachines;
    std::optional<run::HardwareRecording> own;
    if (!ownFile.empty()) {
        Expected<run::HardwareRecording> read = run::readRecording(ownFile);
        if (!read) return Unexpected{read.error()};
        own = std::move(*read);
    }
    return std::make_shared<const Machines>(
        [own = std::move(own), &catalog, resources = **session.resources()]() -> Expected<Machines::All> {
            Expected<std::vector<run::HardwareRecording>> all = run::shippedRecordings(resources);
            if (!all) return Unexpected{all.error()};
            if (own) all->insert(all->begin(), *own);
            return std::make_shared<const std::vector<run::RecordedMachine>>(
                run::recordedMachines(std::move(*all), catalog));
        });
}

// Appearance and cursor; the two commands fill in what to run.
Expected<shell::Request> requestOf(const Arguments& arguments, Session& session) {
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    const Expected<viz::Size> size = sizeOf(arguments.view.size, kLeastWindow);
    if (!size) return Unexpected{size.error()};
    const Expected<const viz::Theme*> theme = themeOf(arguments.view);
    if (!theme) return Unexpected{theme.error()};
    const Expected<Language> language = languageOf(arguments.view);
    if (!language) return Unexpected{language.error()};
    if (!arguments.name.empty())
        if (const Expected<const viz::ViewRow*> view = viewNamed(arguments.name); !view)
            return Unexpected{view.error()};
    std::vector<std::string> devices = arguments.devices;
    const std::string& profile = arguments.view.run.profile;
    for (const std::string& name : devices)
        if (!model::findProfile(name))
            return fail(FaultKind::Usage,
                        Message(english("--profile {0}: the window sets devices of the program's own side by "
                                        "side; `lockstep list` names them"),
                                name));
    const run::Resources& resources = **session.resources();
    auto machines = machinesOf(arguments.view.run.recording, **catalog, session);
    if (!machines) return Unexpected{machines.error()};
    const Expected<viz::ViewState> state = viewState(arguments.view, arguments.name);
    if (!state) return Unexpected{state.error()};
    const viz::ViewRow* view = viz::findView(arguments.name);
    return shell::Request{.catalog = *catalog,
                          .machines = std::move(*machines),
                          .resources = resources,
                          .fontFolder = fontFolder(resources),
                          .gpuWorker = gpuWorker(),
                          .executable = ownExecutable(),
                          .backend = arguments.view.run.backend,
                          .device = arguments.view.run.device,
                          .choice = app::firstChoice(**catalog),
                          .run = nullptr,
                          .viewState = *state,
                          .schedules = view && view->followsOrders ? arguments.view.schedules : 0,
                          .cursor = {},
                          .view = arguments.name,
                          .theme = arguments.view.theme,
                          .profile = profile.empty() ? model::defaultProfile().name : profile,
                          .devices = std::move(devices),
                          .language = *language,
                          .size = *size,
                          .scale = arguments.view.scale,
                          .frames = arguments.frames,
                          .enlarge = arguments.enlarge,
                          .present = arguments.present,
                          .presentingTheme = arguments.view.given.theme ? arguments.view.theme : "projector"};
}

bool isOwnFile(const std::string& what) { return what.ends_with(".cu") || what.ends_with(".ptx"); }

// The request as a choice of the catalog; "" is the default picture.
Expected<app::Choice> choiceOf(const RunOptions& options, const catalog::Catalog& catalog) {
    if (options.what.empty()) return app::firstChoice(catalog);
    if (isOwnFile(options.what)) {
        app::OwnKernel own;
        own.file = std::filesystem::absolute(options.what).string();
        own.entry = options.entry;
        own.grid = options.grid;
        own.block = options.block;
        own.shared = std::to_string(options.sharedBytes);
        own.arguments = options.arguments;
        own.defines = options.defines;
        own.references = options.references;
        own.further = options.further;
        return app::Choice{.family = {}, .variant = {}, .values = {}, .own = std::move(own)};
    }
    if (!options.references.empty())
        return fail(FaultKind::Usage, english("--reference goes with a FILE.cu, FILE.ptx or FILE.lks; a "
                                              "kernel of the catalog has its own reference"));
    const auto found = lookUp(catalog, options.what);
    if (!found) return Unexpected{found.error()};
    const auto settings = settingsOf(options.settings);
    if (!settings) return Unexpected{settings.error()};
    Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, *settings);
    if (!values) return Unexpected{values.error()};
    if (const Expected<void> can = run::checkCompilable(*found->first, *found->second, *values); !can)
        return Unexpected{can.error()};
    return app::Choice{found->first->name, found->second->name, std::move(*values)};
}

// What to compare with, by name; it runs where the first one does.
Expected<void> compareWith(const Arguments& arguments, shell::Request& request, Session& session) {
    if (!arguments.beside.isGiven()) {
        if (arguments.name != "compare") return {};
        return fail(FaultKind::Usage, english("--view compare needs --with FAMILY/VARIANT, or --with-set "
                                              "name=value: say what to compare with"));
    }
    const Expected<viz::ViewState> state = compareState(arguments.beside);
    if (!state) return Unexpected{state.error()};
    const Expected<RunOptions> options = comparedRunOptions(arguments.beside, arguments.view.run, session);
    if (!options) return Unexpected{options.error()};
    if (options->what.ends_with(".lks") || isOwnFile(options->what))
        return fail(FaultKind::Usage,
                    Message(english("--with {0}: the window compares with kernels of the catalog; `lockstep "
                                    "show` takes recordings and files too"),
                            options->what));
    Expected<app::Choice> choice = choiceOf(*options, *request.catalog);
    if (!choice) return Unexpected{choice.error()};
    request.compared = std::move(*choice);
    request.compareState = *state;
    if (!request.run) return {};
    Expected<run::Run> run = openCompared(arguments.beside, arguments.view, *request.cursor, session);
    if (!run) return Unexpected{run.error()};
    request.comparedRun = std::make_shared<const run::Run>(std::move(*run));
    const ViewOptions& at = arguments.view;  // as in `lockstep show`
    if (!at.step && !at.phase && at.range.empty())
        request.cursor =
            viz::greatestDifference(*request.run, *request.cursor, *request.comparedRun,
                                    viz::optionsAs<viz::CompareOptions>(state->options).tie,
                                    at.warp || !at.block.empty() ? viz::Within::Warp : viz::Within::Run);
    return {};
}

// Runs the request and places the cursor.
Expected<void> runFirst(Arguments& arguments, shell::Request& request, Session& session) {
    if (arguments.view.run.what.empty()) {
        arguments.view.run.what = request.choice.family + "/" + request.choice.variant;
        const auto found = request.catalog->lookUp(arguments.view.run.what);
        if (!found) return Unexpected{found.error()};
        for (const std::string& name : found->second->parameters)
            arguments.view.run.settings.push_back(
                name + "=" + found->first->findParameter(name)->shown(request.choice.values.at(name)));
    }
    if (Expected<void> focused = focusOnTheBlock(arguments.view); !focused) return focused;
    if (!arguments.view.run.what.ends_with(".lks")) {
        const Expected<app::Choice> choice = choiceOf(arguments.view.run, *request.catalog);
        if (!choice) return Unexpected{choice.error()};
        request.choice = *choice;
    }
    Expected<run::Run> run = openRun(arguments.view, session);
    if (!run) return Unexpected{run.error()};
    const Expected<viz::Cursor> cursor =
        cursorOf(arguments.view, *run,
                 viz::findView(arguments.name == "compare" ? arguments.beside.each : arguments.name));
    if (!cursor) return Unexpected{cursor.error()};
    request.cursor = *cursor;
    const Expected<std::optional<StepRange>> range = rangeOf(arguments.view, *run, *cursor);
    if (!range) return Unexpected{range.error()};
    request.range = *range;
    const auto& machines = request.machines->get();
    if (!machines) return Unexpected{machines.error()};
    run::attachRecorded(*run, **machines);
    request.run = std::make_shared<const run::Run>(std::move(*run));
    return {};
}

bool standsSomewhere(const ViewOptions& view) {
    return !view.block.empty() || view.warp || view.lane || view.step || view.phase || !view.range.empty();
}

// The folder for the window's settings by the XDG base directory specification; empty if there is none.
std::filesystem::path configFile(const char* name) {
    const char *config = std::getenv("XDG_CONFIG_HOME"), *home = std::getenv("HOME");
    if (config && *config) return std::filesystem::path(config) / "lockstep" / name;
    return home && *home ? std::filesystem::path(home) / ".config" / "lockstep" / name
                         : std::filesystem::path();
}

// Takes them out of --profile.
Expected<void> readDevices(Arguments& arguments) {
    const Expected<std::vector<model::Profile>> devices = takeDevices(arguments.view);
    if (!devices) return Unexpected{devices.error()};
    for (const model::Profile& device : *devices)
        arguments.devices.push_back(device.name);
    return {};
}

// Restores the window's last state, except what the command line sets.
void recall(Arguments& arguments, const shell::Preferences& remembered) {
    ViewOptions& view = arguments.view;
    if (!view.given.theme && remembered.theme) view.theme = *remembered.theme;
    if (!view.given.language && remembered.language) view.language = rowOf(*remembered.language).code;
    if (view.run.profile.empty()) arguments.devices = remembered.devices;
    if (!view.given.size && remembered.size)
        view.size = fmt::format("{:.0f}x{:.0f}", std::max(remembered.size->width, kLeastWindow.width),
                                std::max(remembered.size->height, kLeastWindow.height));
}

void printTiming(const shell::Timing& timing, Language language) {
    const auto row = [&](const Words& label, const std::string& text) {
        printOut("{:<19} {}\n", say(language, label), text);
    };
    const auto afterTheStart = [&](const std::optional<f64>& at) {
        return say(language, english("{0} after the start"),
                   at ? fmt::format("{:.2f} s", *at) : say(language, english("never")));
    };
    const auto spread = [&](std::vector<f64> ms) {
        std::ranges::sort(ms);
        const auto at = [&](f64 share) {
            return ms.empty() ? 0.0 : ms[std::size_t(share * f64(ms.size() - 1))];
        };
        return say(language, english("median {0} ms, 95 of 100 under {1} ms, most {2} ms"),
                   fmt::format("{:.2f}", at(0.5)), fmt::format("{:.2f}", at(0.95)),
                   fmt::format("{:.2f}", at(1)));
    };
    row(english("first frame"), afterTheStart(timing.firstFrameSeconds));
    row(english("first moving frame"), afterTheStart(timing.firstAnimatedSeconds));
    const auto print = [&](const shell::FrameTimes& times, const Words& frames) {
        row(english("own work a frame"), say(language, frames, spread(times.ownMs), times.ownMs.size()));
        row(english("OpenGL, presenting"), spread(times.presentMs));
        row(english("whole frame"), spread(times.wholeMs));
        row(english("of it own CPU time"), spread(times.cpuMs));
        row(english("of it no CPU free"), spread(times.queuedMs));
    };
    print(timing.frames, english("{0} ({1} frames)"));
    if (!timing.besideARun.ownMs.empty()) print(timing.besideARun, english("{0} ({1} frames beside a run)"));
    if (!timing.changeMs.empty()) row(english("shown after a change"), spread(timing.changeMs));
}

// For a file without --block-size, --block is the block size, as in `lockstep run`.
void settleBlock(ViewOptions& view) {
    if (isOwnFile(view.run.what) && view.run.block.empty()) view.run.block = std::exchange(view.block, {});
}

// Nothing says what to open.
bool opensBare(const Arguments& arguments) {
    return arguments.view.run.what.empty() && arguments.lesson.empty() && arguments.playlist.empty() &&
           arguments.exercise.empty() && !arguments.beside.isGiven() && arguments.view.run.settings.empty();
}

Expected<int> openTheWindow(Arguments arguments, Session& session) {
    settleBlock(arguments.view);
    if (arguments.view.time == "modeled" && arguments.name != "times")
        return fail(FaultKind::Usage,
                    english("in the window --time modeled goes with --view times; the chart "
                            "has a button for it"));
    // A window with a frame limit is a measurement or a test: it ignores the user's settings.
    const bool remembers = arguments.frames == 0 && !arguments.timing && !arguments.fresh;
    if (const Expected<void> read = readDevices(arguments); !read) return Unexpected{read.error()};
    const shell::Preferences remembered =
        remembers ? shell::readPreferences(configFile("preferences.conf")) : shell::Preferences{};
    if (remembers) recall(arguments, remembered);
    Expected<shell::Request> request = requestOf(arguments, session);
    if (!request) return Unexpected{request.error()};
    // Only for the window: a missing remembered item must not reject a run that precedes it.
    if (!arguments.view.given.backend && remembered.backend)
        request->backend = *remembered.backend, request->device = remembered.device.value_or(0);
    bool reopens = false;  // the last experiment, which then waits for its reader
    // A recording, and a given cursor, need the run first; else the window opens at once and runs meanwhile.
    const bool isAsked = isOwnFile(arguments.view.run.what) &&
                         (arguments.view.run.grid.empty() || arguments.view.run.block.empty());
    if (isAsked) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(arguments.view.run.what, error))
            return fail(FaultKind::NotFound, english("cannot be read; give the path of a .cu or .ptx file"),
                        {.file = arguments.view.run.what});
        request->open = std::filesystem::absolute(arguments.view.run.what).string();
    } else if (arguments.view.run.what.ends_with(".lks") || standsSomewhere(arguments.view)) {
        if (const Expected<void> ran = runFirst(arguments, *request, session); !ran)
            return Unexpected{ran.error()};
    } else {
        Expected<app::Choice> choice = choiceOf(arguments.view.run, *request->catalog);
        if (!choice) return Unexpected{choice.error()};
        request->choice = std::move(*choice);
        if (remembers && opensBare(arguments))
            if (std::optional<app::Choice> last =
                    shell::lastChoice(configFile("recent.json"), *request->catalog))
                request->choice = std::move(*last), reopens = true,
                request->cursor = shell::lastPlace(configFile("recent.json"));
    }
    if (const Expected<void> compared = compareWith(arguments, *request, session); !compared)
        return Unexpected{compared.error()};
    // The default picture plays at once; a named request starts paused.
    request->play = opensBare(arguments) && !request->run && !reopens;
    request->playlist = arguments.playlist;
    request->playlistEntry = arguments.entry;
    request->lesson = arguments.lesson;
    request->lessonStep = arguments.lessonStep;
    request->exercise = arguments.exercise;
    if (remembers) {
        request->layoutFile = configFile("window.ini");
        request->preferencesFile = configFile("preferences.conf");
        request->recentFile = configFile("recent.json");
        request->progressFile = configFile("progress.lessons");
        if (remembered.task) request->task = *remembered.task;
        request->enlarged = remembered.enlarged;
        request->underlineTerms = remembered.underlineTerms.value_or(true);
        request->exportFolder = remembered.exportFolder;
        if (!arguments.zoom) request->zoom = remembered.zoom.value_or(1);
        request->hint = !remembered.knowsHowToBegin;
    }
    if (arguments.fresh) request->hint = true;
    if (arguments.zoom) request->zoom = f32(*arguments.zoom);
    std::error_code noFolder;
    if (request->exportFolder.empty())
        request->exportFolder = std::filesystem::current_path(noFolder).string();
    shell::Timing timing;
    if (arguments.timing) request->timing = &timing;
    if (arguments.timing && request->frames == 0) request->frames = 600;
    if (const Expected<void> closed = shell::openWindow(*request); !closed) return Unexpected{closed.error()};
    if (arguments.timing) printTiming(timing, session.language());
    return kDone;
}

// What the view in front shows of the cycle model.
Expected<void> askForPicture(const Arguments& arguments, shell::Request& request, Session& session) {
    const viz::ViewRow* const view = viz::findView(request.view);
    if (!view) return {};
    const bool isModeled = arguments.view.time == "modeled";
    const viz::Modeled asked =
        viz::modeledBy(*view, (view->showsBoth ? request.compareState : request.viewState).options);
    Expected<viz::IssuesOnShow> issues =
        askModel(isModeled ? view->modeled : asked, *request.run, *request.cursor, session);
    if (!issues) return Unexpected{issues.error()};
    if (view->showsBoth && request.comparedRun && asked != viz::Modeled::None) {
        const viz::Cursor there =
            viz::tied(*request.run, *request.cursor, *request.comparedRun,
                      viz::optionsAs<viz::CompareOptions>(request.compareState.options).tie);
        Expected<viz::IssuesOnShow> beside = askModel(asked, *request.comparedRun, there, session);
        if (!beside) return Unexpected{beside.error()};
        issues->beside = std::make_shared<const viz::IssuesOnShow>(std::move(*beside));
    }
    request.issues = std::make_shared<const viz::IssuesOnShow>(std::move(*issues));
    if (!isModeled || !view->followsSweeps) return {};
    const auto& machines = request.machines->get();
    if (!machines) return Unexpected{machines.error()};
    Expected<viz::SweepsOnShow> sweeps =
        modelChart(*request.run, viz::optionsAs<viz::ChartOptions>(request.viewState.options),
                   arguments.view.run, **machines, session);
    if (!sweeps) return Unexpected{sweeps.error()};
    request.sweeps = std::make_shared<const viz::SweepsOnShow>(std::move(*sweeps));
    return {};
}

Expected<int> takeAShot(Arguments arguments, Session& session) {
    settleBlock(arguments.view);
    arguments.view.run.readsMachineCode = true;  // as the window would, once the run is shown
    const Expected<std::optional<viz::AnimationFormat>> animation =
        animationFormatOf(arguments.out, arguments.animation, arguments.view);
    if (!animation) return Unexpected{animation.error()};
    if (arguments.notes && (arguments.playlist.empty() || !arguments.out.ends_with(".png")))
        return fail(FaultKind::Usage, english("--notes goes with --playlist, and makes a FILE.png"));
    if (const Expected<void> place = canBeWritten(arguments.out); !place) return Unexpected{place.error()};
    if (const Expected<void> read = readDevices(arguments); !read) return Unexpected{read.error()};
    Expected<shell::Request> request = requestOf(arguments, session);
    if (!request) return Unexpected{request.error()};
    if (const Expected<void> pixels = checkPixels(arguments.view, request->size, arguments.out); !pixels)
        return Unexpected{pixels.error()};
    if (!arguments.lesson.empty() || !arguments.exercise.empty()) {
        request->lesson = arguments.lesson;
        request->exercise = arguments.exercise;
        request->lessonStep = arguments.lessonStep;
        const auto answer = arguments.hasAnswer ? std::optional(arguments.answer) : std::nullopt;
        if (const Expected<void> ready = shell::prepareLesson(*request, answer); !ready)
            return Unexpected{ready.error()};
    }
    if (!arguments.playlist.empty()) {
        request->playlist = arguments.playlist;
        request->playlistEntry = arguments.entry;
        if (const Expected<void> ready = shell::preparePlaylist(*request, arguments.revealed); !ready)
            return Unexpected{ready.error()};
        request->notes = arguments.notes;
    }
    if (!request->run)
        if (const Expected<void> ran = runFirst(arguments, *request, session); !ran)
            return Unexpected{ran.error()};
    if (const Expected<void> compared = compareWith(arguments, *request, session); !compared)
        return Unexpected{compared.error()};
    if (const Expected<void> asked = askForPicture(arguments, *request, session); !asked)
        return Unexpected{asked.error()};
    if (const viz::ViewRow* const view = viz::findView(request->view))
        if (viz::OrdersOnShow orders = ordersFor(*view, *request->run, arguments.view, session); orders.any())
            request->orders = std::make_shared<const viz::OrdersOnShow>(std::move(orders));
    std::optional<shell::ShotSteps> moving;
    if (*animation) {
        const Expected<std::pair<u32, u32>> steps = animationStepsOf(
            arguments.animation, arguments.view, viz::stepsOfWarp(*request->run, *request->cursor));
        if (!steps) return Unexpected{steps.error()};
        moving = shell::ShotSteps{steps->first, steps->second, f32(arguments.animation.speed),
                                  arguments.animation.reducedMotion};
    }
    const ProgressLine line(session.language(), say(session.language(), english("drawing")));
    if (const Expected<void> taken = shell::takeShot(*request, arguments.out, moving); !taken)
        return Unexpected{taken.error()};
    return kDone;
}

constexpr const char* kWindowSize = "1440x900";

std::shared_ptr<Arguments> addArguments(const Command& command) {
    auto arguments = std::make_shared<Arguments>();
    addViewOptions(command, arguments->view, kWindowSize);
    addComparedOptions(command, arguments->beside);
    command.option("--block").describe(english(
        "the block to look at, from 0; of a file without --block-size: how many threads a block has"));
    addEntryOption(command, arguments->view.run);
    addLaunchOptions(command, arguments->view.run, kBlockSizeAlone);
    command.add("--view", arguments->name, english("the view in front: {0}"), viewNames()).type("VIEW");
    command
        .add("--lesson", arguments->lesson,
             english("beside the views a lesson: its name, or the folder of one of your own (lockstep lesson "
                     "list has all of them); 'list' for the start page"))
        .type("NAME");
    command
        .add("--lesson-step", arguments->lessonStep,
             english("step of the lesson (default the first that was not answered yet)"))
        .type("ID");
    command
        .add("--exercise", arguments->exercise,
             english("the start page of lessons with an exercise open: its name, or the folder of one of "
                     "your own (lockstep check --list has the program's)"))
        .type("NAME");
    command
        .add("--playlist", arguments->playlist,
             english("beside the views a playlist: its name, or the file of one of your own (lockstep "
                     "playlist list has the program's); 'list' for all of them"))
        .type("NAME");
    command.add("--playlist-entry", arguments->entry, english("entry of the playlist (default its first)"))
        .type("ID");
    command
        .add("--enlarge", arguments->enlarge,
             english("the view (--view, else the stage) over the whole width, as Z does it in the window"))
        .excludes(command.add("--present", arguments->present,
                              english("as in a presentation, in large letters: the stage, --view beside it "
                                      "(banks, sectors, lanes or source), and the sentence")));
    return arguments;
}

#else

Expected<int> noWindow() {
    return fail(FaultKind::Unsupported, english("this build has no window; `lockstep run` and `lockstep "
                                                "show` work, -DLOCKSTEP_APP=ON builds the window"));
}

#endif

}  // namespace

#if LOCKSTEP_APP

Action addWindow(const Command& command, Session& session) {
    const auto arguments = addArguments(command);
    command
        .add("--frames", arguments->frames,
             english("draw so many frames and quit; with --timing, those during a run do not count"))
        .takesWhole();
    command.add("--fresh", arguments->fresh,
                english("as at a first start: nothing of earlier ones is read, nothing is written over"));
    command.add("--timing", arguments->timing,
                english("play, and say at the end what starting and a frame cost"));
    const Option scale = command.option("--scale");
    scale
        .describe(english("how large everything is drawn in the window, beside the display's own scale: 0.8 "
                          "to 3 (default: 1, or as it was left)"))
        .takesNumber(0.8, 3);
    return [arguments, &session, scale] {
        if (scale.count() > 0) arguments->zoom = arguments->view.scale;
        return openTheWindow(*arguments, session);
    };
}

Expected<int> openLessonWindow(const std::string& lesson, const std::string& step, Session& session) {
    Arguments arguments;
    arguments.view.size = kWindowSize;
    arguments.view.language = rowOf(session.language()).code;
    arguments.lesson = lesson;
    arguments.lessonStep = step;
    return openTheWindow(std::move(arguments), session);
}

Expected<int> openPlaylistWindow(const std::string& file, const std::string& entry, Session& session) {
    Arguments arguments;
    arguments.view.size = kWindowSize;
    arguments.view.language = rowOf(session.language()).code;
    arguments.playlist = file;
    arguments.entry = entry;
    return openTheWindow(std::move(arguments), session);
}

Action addShot(const Command& command, Session& session) {
    const auto arguments = addArguments(command);
    addAnimationOptions(command, arguments->animation);
    command.add("--revealed", arguments->revealed,
                english("with --playlist, once what the entry hides is revealed"));
    command.add("--notes", arguments->notes,
                english("of --playlist the lecturer's notes, as the second window has them (FILE.png)"));
    command.add("--answer", arguments->answer, english("with --lesson, once this answer has been checked"))
        .type("ANSWER")
        .whenGiven([arguments] { arguments->hasAnswer = true; });
    command
        .add("--out", arguments->out,
             english("the picture, FILE.png or FILE.svg; with --steps FILE.gif or FILE.apng"))
        .type("FILE")
        .required();
    return [arguments, &session] { return takeAShot(*arguments, session); };
}

#else

Action addWindow(const Command& command, Session&) {
    command.takesAnything();
    return noWindow;
}

Expected<int> openLessonWindow(const std::string&, const std::string&, Session&) { return noWindow(); }
Expected<int> openPlaylistWindow(const std::string&, const std::string&, Session&) { return noWindow(); }

Action addShot(const Command& command, Session&) {
    command.takesAnything();
    return noWindow;
}

#endif

}  // namespace lockstep::cli
