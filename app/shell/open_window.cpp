// The frame loop: events to actions, actions to the state, the state to a picture; nothing is drawn while nothing changes.
#include <chrono>

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include "app/shell/gui.h"
#include "app/shell/runner.h"
#include "app/shell/shell.h"
#include "app/shell/window.h"

namespace lockstep::shell {
namespace {

using Clock = std::chrono::steady_clock;

// ImGui's backends, from their beginning to their end.
class Backends {
public:
    explicit Backends(const Window& window) {
        ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
        ImGui_ImplOpenGL3_Init("#version 330");
    }
    ~Backends() {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
    }
    Backends(const Backends&) = delete;
    Backends& operator=(const Backends&) = delete;
    static void newFrame() {
        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
    }
};

class Loop {
public:
    Loop(const Request& request, const viz::Fonts& fonts, const Window& window)
        : window_(window), gui_(fonts), backends_(window), state_(firstState(request)),
          runner_(*request.catalog, request.resources, [] { Window::wake(); }), frames_(request.frames) {
        if (!request.run) apply(app::RunAgain{});
    }

    void run() {
        for (u32 frame = 0; !window_.shouldClose() && !state_.quit && (frames_ == 0 || frame < frames_); ++frame) {
            window_.waitForEvents(pause());
            step();
        }
        apply(app::Quit{});
    }

private:
    // How long nothing need happen. ImGui wants a few frames after an event until its own states have settled.
    f64 pause() const {
        constexpr f64 kForever = 3600, kProgress = 0.1;
        if (frames_ > 0 || settling_ > 0 || moving_ || state_.playback.playing || state_.playback.motion < 1) return 0;
        return state_.job.running ? kProgress : kForever;
    }

    void step() {
        const bool wasQuiet = pause() > 0;
        const Clock::time_point now = Clock::now();
        // A frame after a long quiet time takes up where it was, it does not leap.
        const f64 elapsed = std::min(std::chrono::duration<f64>(now - last_).count(), wasQuiet ? 0.1 : 0.5);
        last_ = now;
        settling_ = wasQuiet ? kSettlingFrames : std::max(0, settling_ - 1);
        for (const app::Action& action : runner_.take()) apply(action);
        apply(app::Tick{elapsed});

        Backends::newFrame();
        std::vector<app::Action> actions;
        moving_ = gui_.frame(state_, actions);
        if (ImGui::GetIO().WantTextInput || ImGui::IsAnyItemActive()) settling_ = std::max(settling_, 1);
        const viz::Theme* theme = viz::findTheme(state_.theme);
        window_.clear(theme ? theme->ground : viz::defaultTheme().ground);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        window_.present();
        if (!actions.empty()) settling_ = kSettlingFrames;
        for (const app::Action& action : actions) apply(action);
    }

    void apply(const app::Action& action) {
        for (app::Effect& effect : app::update(state_, action))
            std::visit([this](app::StartRun& job) { runner_.start(std::move(job)); }, effect);
    }

    static constexpr int kSettlingFrames = 3;
    const Window& window_;
    Gui gui_;
    Backends backends_;
    app::State state_;
    Runner runner_;
    u32 frames_;
    Clock::time_point last_ = Clock::now();
    int settling_ = kSettlingFrames;
    bool moving_ = false;
};

}  // namespace

Expected<void> openWindow(const Request& request) {
    Expected<Window> window = Window::open("Lockstep", request.size);
    if (!window) return Unexpected{window.error()};
    const Expected<viz::Fonts> fonts = viz::Fonts::load(request.fontFolder);
    if (!fonts) return Unexpected{fonts.error()};
    Loop(request, *fonts, *window).run();
    return {};
}

}  // namespace lockstep::shell
