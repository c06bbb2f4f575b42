#include "app/shell/loop.h"

#include <algorithm>

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include "app/shell/layout_file.h"
#include "app/shell/preferences.h"

namespace lockstep::shell {

Backends::Backends(const Window& window) {
    ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
    ImGui_ImplOpenGL3_Init("#version 330");
}

Backends::~Backends() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
}

void Backends::newFrame() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
}

Loop::Loop(const Request& request, const viz::Fonts& fonts, const Window& window)
    : window_(window), gui_(fonts), backends_(window), state_(firstState(request)),
      runner_({*request.catalog, request.resources, request.gpuWorker, request.machines}, [] { Window::wake(); }), exporter_(fonts), frames_(request.frames), timing_(request.timing), layoutFile_(request.layoutFile), preferencesFile_(request.preferencesFile),
      openedTheme_(state_.theme), openedLanguage_(state_.language), openedBackend_(state_.backend), openedDevice_(state_.device), openedSize_(window.size()), openedDevices_(state_.devices) {
    if (const std::optional<std::string> layout = readLayout(layoutFile_)) ImGui::LoadIniSettingsFromMemory(layout->data(), layout->size());
    if (!request.run) apply(app::RunAgain{});
    runner_.lookForGpus();
}

void Loop::keepPreferences() const {
    Preferences preferences = readPreferences(preferencesFile_);
    if (state_.theme != openedTheme_) preferences.theme = state_.theme;
    if (state_.language != openedLanguage_) preferences.language = state_.language;
    const viz::Size size = window_.size();
    if (size.width != openedSize_.width || size.height != openedSize_.height) preferences.size = size;
    if (state_.devices != openedDevices_) preferences.devices = state_.devices;
    if (state_.backend != openedBackend_ || state_.device != openedDevice_) preferences.backend = state_.backend, preferences.device = state_.device;
    if (preferences.theme || preferences.language || preferences.size || !preferences.devices.empty() || preferences.backend) writePreferences(preferencesFile_, preferences);
}

// A narrow window has a makeshift arrangement, which is not the user's.
Loop::~Loop() {
    if (!preferencesFile_.empty()) keepPreferences();
    if (!layoutFile_.empty() && gui_.window().arrangementIsTheUsers()) writeLayout(layoutFile_, ImGui::SaveIniSettingsToMemory());
}

void Loop::run() {
    for (u32 frame = 0; !window_.shouldClose() && !state_.quit && (frames_ == 0 || frame < frames_); ++frame) {
        window_.waitForEvents(pause());
        draw();
        present();
    }
    apply(app::Quit{});
}

void Loop::present() {
    window_.present();
    if (!timing_) return;
    timing_->presentMs.push_back(std::chrono::duration<f64, std::milli>(Clock::now() - ownWorkDone_).count());
    if (!timing_->firstFrameSeconds) timing_->firstFrameSeconds = secondsSinceProcessStart();
    if (!timing_->firstAnimatedSeconds && moving_) timing_->firstAnimatedSeconds = secondsSinceProcessStart();
    if (state_.run && !state_.playback.playing) apply(app::TogglePlay{});
}

// How long nothing need happen. ImGui wants a few frames after an event until its own states have settled.
f64 Loop::pause() const {
    constexpr f64 kForever = 3600, kProgress = 0.1;
    if (frames_ > 0 || settling_ > 0 || moving_ || exporter_.isBusy() || state_.playback.playing || state_.playback.motion < 1) return 0;
    return state_.job.running || state_.beside.job.running ? kProgress : kForever;
}

// A frame after a long quiet time takes up where it was, it does not leap.
f64 Loop::elapsedSinceLastFrame(bool wasQuiet) {
    const Clock::time_point now = Clock::now();
    const f64 elapsed = std::min(std::chrono::duration<f64>(now - last_).count(), wasQuiet ? 0.1 : 0.5);
    last_ = now;
    return elapsed;
}

void Loop::draw() {
    const f64 begin = timing_ ? threadSeconds() : 0;
    const bool wasQuiet = pause() > 0;
    const f64 elapsed = elapsedSinceLastFrame(wasQuiet);
    settling_ = wasQuiet ? kSettlingFrames : std::max(0, settling_ - 1);
    for (const app::Action& action : runner_.take()) apply(action);
    if (const std::optional<app::Action> exported = exporter_.work()) apply(*exported);
    apply(app::Tick{elapsed});

    Backends::newFrame();
    std::vector<app::Action> actions;
    moving_ = gui_.frame(state_, actions);
    if (ImGui::GetIO().WantTextInput || ImGui::IsAnyItemActive()) settling_ = std::max(settling_, 1);
    if (timing_) {
        timing_->ownMs.push_back(1000 * (threadSeconds() - begin));
        ownWorkDone_ = Clock::now();
    }
    const viz::Theme* theme = viz::findTheme(state_.theme);
    window_.clear(theme ? theme->ground : viz::defaultTheme().ground);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (!actions.empty()) settling_ = kSettlingFrames;
    for (const app::Action& action : actions) apply(action);
}

void Loop::apply(const app::Action& action) {
    struct Doer {
        Loop& loop;
        void operator()(app::StartRun& job) const { loop.runner_.start(std::move(job)); }
        void operator()(const app::StartExport& job) const { loop.exporter_.start(job.settings, loop.state_, loop.window_.size()); }
        void operator()(const app::StopExport&) const { loop.exporter_.stop(); }
    };
    for (app::Effect& effect : app::update(state_, action)) std::visit(Doer{*this}, effect);
}

}  // namespace lockstep::shell
