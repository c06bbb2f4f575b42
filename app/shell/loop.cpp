#include "app/shell/loop.h"

#include "app/panels/program/program_words.h"
#include "app/panels/words.h"
#include "app/shell/compiler_fetch.h"
#include "app/shell/editor_desk.h"
#include "app/shell/files/layout_file.h"
#include "app/shell/files/own_files.h"
#include "app/shell/files/progress_file.h"
#include "base/files/whole_file.h"
#include "cuda/compiler/nvrtc.h"
#include "cuda/compiler/toolkit.h"
#include "operations/report.h"
#include "run/recordings/saved_run.h"
#include "trace/lks/lks.h"
#include "viz/orders_on_show.h"
#include "viz/painters/svg/svg.h"
#include "viz/program/program_picture.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>  // the queue of input events

#include <algorithm>
#include <cmath>

namespace lockstep::shell {

namespace {

constexpr f64 kNotesPause = 0.5;  // between pictures of the notes, whose clock has seconds

Fault notFound(Message message, std::string file = {}) {
    return fail(FaultKind::NotFound, std::move(message), {.file = std::move(file)}).value();
}

}  // namespace

Loop::Loop(const Request& request, const viz::Fonts& fonts, Window& window)
    : window_(window),
      gui_(fonts),
      backends_(window),
      machines_(request.machines),
      state_(firstState(request)),
      runner_({*request.catalog, request.resources, request.gpuWorker, request.machines},
              [] { Window::wake(); }),
      fonts_(fonts),
      exporter_(fonts),
      errands_([] { Window::wake(); }),
      programDesk_(request.executable, request.catalog, [] { Window::wake(); }),
      watcher_([] { Window::wake(); }),
      unsaved_(request.recentFile),
      lessonDesk_(std::make_shared<LessonDesk>(request.resources, *request.catalog)),
      playlistDesk_(std::make_shared<PlaylistDesk>(request.resources, *request.catalog)),
      keptProgress_(state_.lessons.progress),
      documentation_(request.resources.root / "docs"),
      resources_(request.resources.root),
      frames_(request.frames),
      timing_(request.timing),
      layoutFile_(request.layoutFile),
      preferencesFile_(request.preferencesFile),
      recentFile_(request.recentFile),
      progressFile_(request.progressFile),
      seen_(now()) {
    if (window_.drawsInSoftware()) keptFrame_.emplace();
    app::MainWindow::Arrangements arrangements;
    for (const std::string_view task : app::kTasks)
        if (std::optional<std::string> layout = readLayout(layoutFileOf(task)))
            arrangements[std::string(task)] = std::move(*layout);
    gui_.window().setArrangements(std::move(arrangements));
    gui_.window().buildInBackground([] { Window::wake(); });
    keptRecent_ = readRecent(recentFile_);
    if (!preferencesFile_.empty()) kept_ = readPreferences(preferencesFile_);
    glfwSetWindowUserPointer(window_.handle(), this);
    glfwSetDropCallback(window_.handle(), [](GLFWwindow* handle, int count, const char** paths) {
        static_cast<Loop*>(glfwGetWindowUserPointer(handle))->dropped(count, paths);
    });
    // ImGui's own callback, in logical pixels.
    glfwSetCursorPosCallback(window_.handle(), [](GLFWwindow* handle, f64 x, f64 y) {
        const f64 scale = static_cast<Loop*>(glfwGetWindowUserPointer(handle))->scale();
        ImGui_ImplGlfw_CursorPosCallback(handle, x / scale, y / scale);
    });
    if (!request.open.empty()) apply(app::OpenFile{request.open});
    if (!request.run && request.open.empty()) apply(app::RunAgain{});
    errands_.run([desk = lessonDesk_](const std::stop_token&) {
        return std::vector<app::Action>{
            app::LessonAction{app::LessonsListed{desk->list(), desk->exercises()}}};
    });
    errands_.run([desk = playlistDesk_](const std::stop_token&) {
        return std::vector<app::Action>{app::PlaylistAction{app::PlaylistsListed{desk->list()}}};
    });
    if (request.playlist == "list")
        apply(app::PlaylistAction{app::ShowPlaylists{}});
    else if (!request.playlist.empty())
        apply(app::PlaylistAction{app::OpenPlaylist{request.playlist, request.playlistEntry}});
    if (request.lesson == "list")
        apply(app::LessonAction{app::ShowLessons{}});
    else if (!request.lesson.empty())
        apply(app::LessonAction{app::OpenLesson{request.lesson, request.lessonStep}});
    if (!request.exercise.empty()) apply(app::LessonAction{app::OpenExerciseFolder{request.exercise}});
    for (const bool beside : {false, true})
        if (const auto& run = beside ? state_.compared.run : state_.run; run && !run->machine)
            runner_.readMachineCode({run, beside});
    apply(app::EditorAction{app::TextsRecovered{unsaved_.left()}});
    runner_.lookForGpus();
    state_.canFetchToolkit = !recipeOf(app::Fetched::Toolkit, resources_).empty();
    errands_.run([canFetch = !recipeOf(app::Fetched::Compiler, resources_).empty()](
                     const std::stop_token&) -> std::vector<app::Action> {
        if (cuda::findNvrtc()) return {};
        return {app::CompilerMissing{canFetch}};
    });
    if (machines_)
        errands_.run([machines = machines_](const std::stop_token&) {
            return (void)machines->get(), std::vector<app::Action>{};
        });  // the first run, in progress, needs them
}

// The display's own and the user's; not so large that nothing fits any more.
f32 Loop::scale() const {
    constexpr viz::Size kLeast{800, 500};
    const viz::Size size = window_.size();
    const f32 most = std::max(1.0f, std::min(size.width / kLeast.width, size.height / kLeast.height));
    return window_.pixelScale() * std::min(state_.zoom, most);
}

// The current values of all preferences.
Preferences Loop::now() const {
    return {.theme = state_.theme,
            .language = state_.language,
            .size = sizeBeforePresenting_.value_or(window_.size()),
            .devices = state_.devices,
            .backend = state_.backend,
            .device = state_.device,
            .task = state_.task,
            .enlarged = state_.enlarged,
            .knowsHowToBegin = !state_.showHint,
            .underlineTerms = state_.underlineTerms,
            .zoom = state_.zoom,
            .exportFolder = state_.exportFolder};
}

// Saves preferences and recent experiments if they have changed: at once, because the program may end without
// notice.
void Loop::keep() {
    if (!preferencesFile_.empty()) {
        const Preferences is = now();
        Preferences preferences = withChanges(kept_, seen_, is);
        seen_ = is;
        if (preferences != kept_) {
            writePreferences(preferencesFile_, preferences);
            kept_ = std::move(preferences);
        }
    }
    // The place is kept when the window is closed; of another experiment there is none yet.
    const bool isSame = !keptRecent_.experiments.empty() && !state_.recent.empty() &&
                        keptRecent_.experiments.front() == state_.recent.front();
    const Recent recent{state_.recent, state_.recentCommands, state_.program.arguments,
                        state_.program.compile,
                        place_   ? place_
                        : isSame ? keptRecent_.place
                                 : std::nullopt};
    if (!recentFile_.empty() && recent != keptRecent_) {
        writeRecent(recentFile_, recent);
        keptRecent_ = recent;
    }
    keepProgress();
}

void Loop::keepProgress() {
    if (progressFile_.empty() || state_.lessons.progress == keptProgress_) return;
    writeProgress(progressFile_, state_.lessons.progress);
    keptProgress_ = state_.lessons.progress;
}

// At once when the window is closed; else once nothing has been typed for a moment.
void Loop::keepUnsaved() { unsaved_.keep(state_.editor.texts); }

// The first task's file has the plain name.
std::filesystem::path Loop::layoutFileOf(std::string_view task) const {
    if (layoutFile_.empty() || task == app::kTasks.front()) return layoutFile_;
    std::filesystem::path file = layoutFile_;
    return file.replace_filename(
        fmt::format("{}-{}{}", layoutFile_.stem().string(), task, layoutFile_.extension().string()));
}

Loop::~Loop() {
    const bool isOnShow = state_.run && state_.shown && !state_.recent.empty() &&
                          *state_.shown == state_.recent.front() && state_.choice == *state_.shown;
    if (isOnShow) place_ = state_.cursor;
    keep();
    keepUnsaved();
    if (!layoutFile_.empty())
        for (const auto& [task, arrangement] : gui_.window().arrangements())
            writeLayout(layoutFileOf(task), arrangement);
}

void Loop::run() {
    for (u32 counted = 0; !window_.shouldClose() && !state_.quit && (frames_ == 0 || counted < frames_);) {
        window_.waitForEvents(pause());
        draw();
        present();
        // Times frames that show a run; those during a run are timed separately.
        if (!timing_ || !isRunUnderWay()) ++counted;
    }
    if (timing_ && state_.run) timeChanges();
    apply(app::Quit{});
}

// As after a slider has moved: from the new run's start until it, or what is known of it so far, is on
// screen.
void Loop::timeChanges() {
    constexpr u32 kChanges = 9;
    for (u32 change = 0; change < kChanges && !window_.shouldClose(); ++change) {
        const auto shown = state_.run;
        const Clock::time_point begin = Clock::now();
        apply(app::RunAgain{});
        while (((state_.run == shown && state_.job.running) ||
                (state_.run != shown && gui_.window().runOnShow() == shown.get())) &&
               !window_.shouldClose()) {
            window_.waitForEvents(pause());
            draw();
            present();
        }
        if (state_.run != shown)
            timing_->changeMs.push_back(std::chrono::duration<f64, std::milli>(Clock::now() - begin).count());
        apply(app::CancelRun{});
    }
}

void Loop::present() {
    window_.present();
    if (!timing_) return;
    const Clock::time_point now = Clock::now();
    FrameTimes& times = timesNow();
    times.presentMs.push_back(std::chrono::duration<f64, std::milli>(now - ownWorkDone_).count());
    times.wholeMs.push_back(std::chrono::duration<f64, std::milli>(now - frameBegan_).count());
    times.queuedMs.push_back(1000 * (queuedSeconds() - queuedAtBegin_));
    times.cpuMs.push_back(1000 * (threadSeconds() - cpuAtBegin_));
    if (!timing_->firstFrameSeconds) timing_->firstFrameSeconds = secondsSinceProcessStart();
    if (!timing_->firstAnimatedSeconds && moving_) timing_->firstAnimatedSeconds = secondsSinceProcessStart();
    if (state_.run && !state_.playback.playing) apply(app::TogglePlay{});
}

FrameTimes& Loop::timesNow() { return isRunUnderWay() ? timing_->besideARun : timing_->frames; }

bool Loop::isRunUnderWay() const { return state_.job.running || state_.compared.job.running; }

// The next frame would equal the previous one.
bool Loop::isQuiet() const {
    const bool counts = frames_ > 0 && !isRunUnderWay();
    return !counts && settling_ == 0 && !moving_ && !exporter_.isBusy() && !state_.playback.playing &&
           state_.playback.motion >= 1;
}

// How long to wait for events. ImGui needs a few frames after an event until its state has settled. Animation
// during a run leaves the run some CPU time, which software-drawn frames would use up.
f64 Loop::pause() const {
    constexpr f64 kForever = 3600, kProgress = 0.1, kFrameBesideARun = 1.0 / 30;
    const bool progresses = isRunUnderWay() || state_.orders.isUnderWay || state_.issues.isUnderWay ||
                            state_.program.isUnderWay || state_.editor.sinceKey || state_.looking ||
                            state_.fetching;
    if (isQuiet()) {
        const f64 quiet = notes_ ? kNotesPause : kForever;
        return progresses || !state_.notices.empty() ? kProgress : quiet;
    }
    if (!isRunUnderWay() || settling_ > 0 || exporter_.isBusy()) return 0;
    return std::max(0.0, kFrameBesideARun - std::chrono::duration<f64>(Clock::now() - last_).count());
}

// A frame after a long pause continues where it was, without a jump.
f64 Loop::elapsedSinceLastFrame(bool wasQuiet) {
    const Clock::time_point now = Clock::now();
    const f64 elapsed = std::min(std::chrono::duration<f64>(now - last_).count(), wasQuiet ? 0.1 : 0.5);
    last_ = now;
    return elapsed;
}

void Loop::drawOnScreen() {
    const viz::Theme* theme = viz::findTheme(app::themeShown(state_));
    const viz::Color ground = theme ? theme->ground : viz::defaultTheme().ground;
    if (keptFrame_) return keptFrame_->draw(*ImGui::GetDrawData(), ground);
    window_.clear(ground);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

// The lecturer's second window is opened, drawn and closed as the state has it. Its clock begins with the
// playlist and goes on while the window is closed.
void Loop::drawNotes() {
    if (!state_.playlists.showsNotes()) return notes_.reset();
    if (state_.playlists.playlist->file != lecture_)
        lecture_ = state_.playlists.playlist->file, lectureBegan_ = Clock::now();
    if (!notes_) {
        Expected<std::unique_ptr<NotesWindow>> opened = NotesWindow::open(fonts_, window_, state_.language);
        if (!opened) {
            apply(app::PlaylistAction{app::ShowNotes{false}});
            return apply(app::CouldNot{opened.error()});
        }
        notes_ = std::move(*opened);
    }
    if (notes_->shouldClose()) return apply(app::PlaylistAction{app::ShowNotes{false}});
    const f64 sinceDrawn = std::chrono::duration<f64>(Clock::now() - notesDrawn_).count();
    if (settling_ == 0 && sinceDrawn < kNotesPause) return;
    notesDrawn_ = Clock::now();
    std::vector<app::Action> actions;
    if (notes_->draw(state_, std::chrono::duration<f64>(notesDrawn_ - lectureBegan_).count(), actions))
        lectureBegan_ = Clock::now();
    if (!actions.empty()) settling_ = kSettlingFrames;
    for (const app::Action& action : actions)
        apply(action);
}

void Loop::draw() {
    const f64 begin = timing_ ? threadSeconds() : 0;
    if (timing_) frameBegan_ = Clock::now(), cpuAtBegin_ = begin, queuedAtBegin_ = queuedSeconds();
    const bool wasQuiet = isQuiet();
    const f64 elapsed = elapsedSinceLastFrame(wasQuiet);
    // An event during the settling frames of the previous one waits until they are done: a click becomes a
    // menu two frames later.
    settling_ = takeArrived() || wasQuiet || inputWaits() ? kSettlingFrames : std::max(0, settling_ - 1);
    if (!state_.machines && machines_)
        state_.machines = machines_->ready();  // before the run that they came with is drawn
    if (watcher_.hasChanged()) apply(app::EditorAction{app::FileChanged{watched_}});
    apply(app::Tick{elapsed});

    Backends::newFrame(scale());
    std::vector<app::Action> actions;
    moving_ = gui_.frame(state_, actions);
    if (ImGui::GetIO().WantTextInput || ImGui::IsAnyItemActive()) settling_ = std::max(settling_, 1);
    if (timing_) {
        timesNow().ownMs.push_back(1000 * (threadSeconds() - begin));
        ownWorkDone_ = Clock::now();
    }
    drawOnScreen();
    if (!actions.empty() || inputWaits()) settling_ = kSettlingFrames;
    for (const app::Action& action : actions)
        apply(action);
    drawNotes();
    fillScreen();
    keepProgress();  // an answer or an import, however long the picture takes to settle
    if (settling_ == 0) keep();
    if (!state_.editor.sinceKey) keepUnsaved();
}

// Takes results of runs, export and background tasks.
bool Loop::takeArrived() {
    std::vector<app::Action> arrived = runner_.take();
    if (std::optional<app::Action> exported = exporter_.work()) arrived.push_back(std::move(*exported));
    for (app::Action& action : errands_.take())
        arrived.push_back(std::move(action));
    for (app::Action& action : programDesk_.take())
        arrived.push_back(std::move(action));
    for (const app::Action& action : arrived)
        apply(action);
    return !arrived.empty();
}

// ImGui handles one press and one release per frame: more of them wait.
bool Loop::inputWaits() { return !ImGui::GetCurrentContext()->InputEventsQueue.empty(); }

// A presentation fills the screen.
void Loop::fillScreen() {
    if (state_.presenting.on == sizeBeforePresenting_.has_value()) return;
    sizeBeforePresenting_ = state_.presenting.on ? std::optional(window_.size()) : std::nullopt;
    window_.fillScreen(state_.presenting.on);
}

void Loop::apply(const app::Action& action) {
    const bool isTick = action.as<app::Tick>() != nullptr;
    for (app::Effect& effect : app::update(state_, action))
        std::visit([this](auto& wanted) { carryOut(wanted); }, effect);
    if (!isTick) watchOwnFile();
}

// Watches the user's own kernel file, when it changes to another one.
void Loop::watchOwnFile() {
    const std::string_view file =
        state_.choice.own ? std::string_view(state_.choice.own->file) : std::string_view();
    if (file == watched_) return;
    watched_ = file;
    watcher_.watch(watched_);
    if (!watched_.ends_with(".cu")) return;
    errands_.run([path = watched_](const std::stop_token&) -> std::vector<app::Action> {
        if (!isProgram(path)) return {};
        return {app::ProgramAction{app::ProgramFound{path}}};
    });
}

void Loop::dropped(int count, const char** paths) {
    if (count > 0) apply(app::OpenFiles{{paths, paths + count}});
    settling_ = kSettlingFrames;
}

void Loop::carryOut(app::StartRun& job) {
    if (job.choice.launch)
        programDesk_.open(std::move(job), state_.profile);
    else
        runner_.start(std::move(job));
}
void Loop::carryOut(app::ReadMachineCode& wanted) { runner_.readMachineCode(std::move(wanted)); }
void Loop::carryOut(app::TimeIssues& wanted) { runner_.time(std::move(wanted)); }
void Loop::carryOut(app::SearchOrders& wanted) {
    errands_.run([wanted](const std::stop_token& stop) -> std::vector<app::Action> {
        stepBehindTheFrames();
        const std::stop_callback ends(stop, [&] { wanted.progress->cancelled = true; });
        run::OrderOptions options;
        options.orders = wanted.orders;
        options.progress = wanted.progress.get();
        return {app::OrdersTried{wanted.ticket, std::make_shared<const viz::OrdersOnShow>(
                                                    run::searchOrders(*wanted.of, options))}};
    });
}
void Loop::carryOut(app::RunSweep& job) { runner_.sweep(std::move(job)); }
void Loop::carryOut(app::StopSweep&) { runner_.cancelSweep(); }
void Loop::carryOut(app::StartExport& job) { exporter_.start(job.settings, state_, window_.size()); }
void Loop::carryOut(app::StopExport&) { exporter_.stop(); }
void Loop::carryOut(app::PutOnClipboard& wanted) {
    if (const Expected<void> offered =
            clipboard_.offer(Exporter::png(fonts_, wanted.view, state_, window_.size()));
        !offered)
        return apply(app::CouldNot{offered.error()});
    const viz::ViewRow* view = viz::findView(wanted.view);
    apply(app::Say{Message(app::words::kCopiedPicture, view ? view->title : app::words::kWholeWindow)});
}

void Loop::carryOut(app::ReadRecording& task) {
    errands_.run([path = task.path, profile = state_.profile, catalog = state_.catalog,
                  machines = machines_](const std::stop_token&) -> std::vector<app::Action> {
        Expected<run::Run> run = run::openSaved(path, profile, catalog);
        if (!run) return {app::CouldNot{run.error()}};
        if (machines) (void)machines->get();
        return {app::ShowRun{std::make_shared<const run::Run>(std::move(*run)), path}};
    });
}

void Loop::carryOut(app::LookForKernels& task) {
    look_.request_stop();
    look_ = {};
    errands_.run([kernel = std::move(task.kernel), text = std::move(task.text), ticket = task.ticket,
                  look = look_](const std::stop_token& end) mutable {
        const std::stop_callback atTheEnd(end, [&] { look.request_stop(); });
        std::vector<app::Action> actions{app::LookEnded{ticket}};
        app::Action kernels = kernelsFor(kernel, text, look.get_token());
        if (look.stop_requested()) return actions;
        // Where its kernels cannot be shown, the program may still be run.
        if (isProgram(kernel.file, text))
            actions.push_back(app::ProgramAction{
                app::ProgramFound{kernel.file, kernels.as<app::KernelsFound>() == nullptr}});
        actions.push_back(std::move(kernels));
        return actions;
    });
}

void Loop::carryOut(app::StopLook&) { look_.request_stop(); }
void Loop::carryOut(app::StartFetch& wanted) {
    errands_.run([this, what = wanted.what,
                  cancelled = wanted.cancelled](const std::stop_token& end) -> std::vector<app::Action> {
        const std::stop_callback atTheEnd(end, [&] { *cancelled = true; });
        const Expected<void> fetched = fetchCompiler(
            recipeOf(what, resources_), *cancelled,
            [this](std::string_view package) { errands_.tell(app::CompilerFetching{std::string(package)}); });
        if (!fetched) return {app::CompilerFetched{fetched.error()}};
        if (what == app::Fetched::Toolkit) {
            const Expected<cuda::Toolkit> toolkit = cuda::findToolkit();
            if (!toolkit) return {app::CompilerFetched{toolkit.error()}};
            return {app::CompilerFetched{}, app::Say{Message(app::words::kToolkitFetched)}};
        }
        const Expected<cuda::NvrtcInfo> nvrtc = cuda::findNvrtc();
        if (!nvrtc) return {app::CompilerFetched{nvrtc.error()}};
        return {app::CompilerFetched{},
                app::Say{Message(app::words::kCompilerFetched, nvrtc->major, nvrtc->minor)}};
    });
}

void Loop::carryOut(app::AskForFile&) {
    errands_.run([language = state_.language](const std::stop_token& stop) -> std::vector<app::Action> {
        if (!hasFileDialog()) return {app::Browse{}};
        const std::optional<std::string> chosen = askForFile(language, stop);
        return chosen ? std::vector<app::Action>{app::OpenFile{*chosen}} : std::vector<app::Action>{};
    });
}

void Loop::carryOut(app::AskWhereToSave& task) {
    errands_.run([language = state_.language, settings = std::move(task.settings)](
                     const std::stop_token& stop) -> std::vector<app::Action> {
        if (!hasFileDialog())
            return {
                app::ExportFileChosen{{},
                                      notFound(english("this desktop has no program for choosing files "
                                                       "(zenity, kdialog); write the path into the field"))}};
        const std::optional<std::string> chosen = askWhereToSave(language, settings, stop);
        return chosen ? std::vector<app::Action>{app::ExportFileChosen{*chosen}} : std::vector<app::Action>{};
    });
}

void Loop::carryOut(app::LessonTask& task) {
    errands_.run([desk = lessonDesk_, task = std::move(task)](const std::stop_token& stop) {
        return desk->carryOut(task, stop);
    });
}

void Loop::carryOut(app::PlaylistTask& task) {
    errands_.run([desk = playlistDesk_, task = std::move(task)](const std::stop_token&) {
        return desk->carryOut(task);
    });
}

void Loop::carryOut(app::EditorTask& task) {
    errands_.run([task = std::move(task)](const std::stop_token&) { return shell::carryOut(task); });
}

void Loop::carryOut(app::ProgramTask& task) {
    if (const auto* start = std::get_if<app::StartProgram>(&task))
        return programDesk_.start(*start, state_.profile);
    if (const auto* stop = std::get_if<app::StopProgram>(&task)) return programDesk_.stop(stop->ticket);
    if (const auto* timeline = std::get_if<app::DrawTimeline>(&task)) return drawTimeline(timeline->name);
    errands_.run([run = state_.run, name = std::get<app::SaveRecording>(task).name,
                  folder = state_.exportFolder](const std::stop_token&) -> std::vector<app::Action> {
        const std::string file = newFile(folder, name, ".lks");
        if (const Expected<void> saved = trace::save(run->recording, file); !saved)
            return {app::CouldNot{saved.error()}};
        return {app::Say{Message(app::words::kProgramSaved, file)}};
    });
}

// As `lockstep exec --timeline` does.
void Loop::drawTimeline(const std::string& name) {
    if (!state_.program.report) return;
    constexpr viz::Size kSize{1400, 120};
    const viz::Theme* const theme = viz::findTheme(app::themeShown(state_));
    std::string svg = viz::toSvg(
        viz::buildProgram({.operations = state_.program.report->operations,
                           .program = std::filesystem::path(state_.program.ran).filename().string(),
                           .size = kSize,
                           .language = state_.language,
                           .metrics = fonts_,
                           .followed = state_.program.followed}),
        theme ? *theme : viz::defaultTheme());
    errands_.run([svg = std::move(svg), name,
                  folder = state_.exportFolder](const std::stop_token&) -> std::vector<app::Action> {
        const std::string file = newFile(folder, name, ".svg");
        if (const Expected<void> saved = writeWholeFile(file, std::as_bytes(std::span(svg))); !saved)
            return {app::CouldNot{saved.error()}};
        return {app::Say{Message(app::words::kProgramSaved, file)}};
    });
}

void Loop::carryOut(app::ShowPage& task) {
    errands_.run([page = documentation_ / task.page](const std::stop_token&) -> std::vector<app::Action> {
        if (openInDesktop(page)) return {};
        return {app::CouldNot{
            notFound(english("no program of this desktop opens it (xdg-open)"), page.string())}};
    });
}

}  // namespace lockstep::shell
