// What every panel gets: the state to read, the style to draw with, and a list for its actions.
#pragma once

#include "app/state/action.h"
#include "explain/glossary/term.h"
#include "viz/painters/imgui/imgui_fonts.h"
#include "viz/scene/fonts.h"
#include "viz/scene/geometry.h"
#include "viz/scene/theme.h"

#include <string>
#include <vector>

struct ImGuiWindow;

namespace lockstep::app {

// A control drawn in this frame, with its help.
struct HelpedControl {
    u32 id = 0;  // ImGui's
    std::string text;
    std::string page;
};

// A control that the keyboard can reach.
struct FocusStop {
    u32 id = 0;                     // ImGui's
    ImGuiWindow* window = nullptr;  // that it was drawn in
    viz::Rect place;                // on the screen
    bool isText = false;            // that is written into
};

// A text drawn in this frame, its place on the screen, and its window's clipping there.
struct DrawnText {
    std::string window;  // ImGui's name
    std::string text;
    viz::Rect box;  // from the top of its capitals to below its baseline
    viz::Rect clip;
};

class SceneBuilder;  // scene_builder.h

struct PanelContext {
    const State& state;
    const viz::Theme& theme;
    const viz::Fonts& metrics;
    const viz::ImGuiFonts& fonts;
    std::vector<Action>& actions;
    std::vector<HelpedControl>* controls = nullptr;  // where somebody wants to know of them
    std::vector<const explain::Term*>* termsSeen =
        nullptr;  // of the glossary, in the part being drawn; none: they are not underlined there
    std::vector<DrawnText>* texts = nullptr;  // where somebody wants to know of them
    bool termExplained = false;               // the mouse is on one: a right click is meant for it
    std::vector<FocusStop>* stops = nullptr;  // KeyboardFocus
    bool hasFocus = false;                    // a control has: arrows, Enter and Space are meant for it
    bool isEditing = false;                   // what is typed goes into the editor's text, Tab too
    bool typesOn = false;                     // a field has just taken what was typed
    bool isSlider = false;                    // the control whose help is being given
    bool hasListOpen = false;                 // over a dialog: Esc is meant for the list
    bool explainsNothing = false;             // the mouse lies where it was before what is on show came there
    bool escapeTaken = false;                 // it has just given the keys back, or a menu was closed
    SceneBuilder* builder = nullptr;          // for what takes long; null: it is built at once
    f64 buildingMs = 0;                       // that this frame has spent building scenes

    void send(Action action) { actions.push_back(std::move(action)); }
};

}  // namespace lockstep::app
