// The ImGui context with our fonts and style, and one frame of the window, or of the lecturer's notes, drawn
// into it. Independent of GLFW
// and OpenGL.
#pragma once

#include "app/panels/main_window.h"
#include "app/panels/playlist/notes_page.h"
#include "app/state/update.h"
#include "viz/painters/imgui/imgui_fonts.h"
#include "viz/scene/fonts.h"

#include <memory>

struct ImGuiContext;

namespace lockstep::shell {

class Gui {
public:
    enum class Shows : u8 { Window, Notes };
    // `fonts` must outlive it.
    explicit Gui(const viz::Fonts& fonts, Shows shows = Shows::Window);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    // Draws the state and collects the user's actions; then the draw data is ready. True while something is
    // animated.
    bool frame(const app::State& state, std::vector<app::Action>& actions);
    const app::MainWindow& window() const { return window_; }
    app::MainWindow& window() { return window_; }
    app::NotesClock& clock() { return clock_; }  // of the notes
    // From the next frame on, collects the controls and their help; null: stops.
    void listControls(std::vector<app::HelpedControl>* controls) { controls_ = controls; }
    // The same for its texts, except those of views and of ImGui's own fields.
    void listTexts(std::vector<app::DrawnText>* texts) { texts_ = texts; }

private:
    const viz::Fonts& fonts_;
    const Shows shows_;
    ImGuiContext* context_;
    viz::ImGuiFonts imguiFonts_;
    std::string styledFor_;
    std::vector<app::HelpedControl>* controls_ = nullptr;
    std::vector<app::DrawnText>* texts_ = nullptr;
    app::MainWindow window_;
    app::NotesClock clock_{};
};

}  // namespace lockstep::shell
