// The lecturer's notes in a second window of the operating system, with an OpenGL and an ImGui context of its
// own.
#pragma once

#include "app/shell/backends.h"
#include "app/shell/drawing/gui.h"
#include "app/shell/window.h"

#include <memory>
#include <vector>

namespace lockstep::shell {

class NotesWindow {
public:
    // `fonts` and `first` must outlive it. Fault: there is no display for it.
    static Expected<std::unique_ptr<NotesWindow>> open(const viz::Fonts& fonts, const Window& first,
                                                       Language language);
    ~NotesWindow();
    NotesWindow(const NotesWindow&) = delete;
    NotesWindow& operator=(const NotesWindow&) = delete;

    GLFWwindow* handle() const { return window_.handle(); }
    bool shouldClose() const { return window_.shouldClose(); }
    // Draws and presents a frame, and collects the lecturer's actions. lectureSeconds: since it began. True:
    // the clock restarts. The first window's contexts are current again.
    bool draw(const app::State& state, f64 lectureSeconds, std::vector<app::Action>& actions);

    f32 scale() const;           // its units a logical pixel
    viz::Image picture() const;  // of what was drawn last

private:
    NotesWindow(const viz::Fonts& fonts, const Window& first, Window window);
    class Current;

    const Window& first_;
    Window window_;
    std::unique_ptr<Gui> gui_;
    ImGuiContext* context_ = nullptr;
    std::unique_ptr<Backends> backends_;
};

}  // namespace lockstep::shell
