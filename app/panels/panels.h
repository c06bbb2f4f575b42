// The window's parts that are more than a Scene. Each draws into the current ImGui window.
#pragma once

#include "app/panels/panel.h"
#include "viz/scene/tokens.h"

#include <string>
#include <vector>

namespace lockstep::app {

void drawCompareBar(PanelContext& context);  // which two runs are compared

enum class ExperimentButton : u8 { None, Closed, Open };
// True when that button was clicked. `path`: of the file to open, as far as it has been typed.
bool drawTopBar(PanelContext& context, ExperimentButton experiment, std::string& path);
void drawExperiment(PanelContext& context);
// What that column says, for a picture of it.
struct ColumnText {
    std::string text;
    bool isHeading = false;
    viz::RoleKind role = viz::RoleKind::Text;
    f32 size = viz::type::kBody;
};
std::vector<ColumnText> experimentTexts(const State& state);
// "Tiled, any width": the kernel on show.
std::string windowTitle(const State& state);
// "block (x 0, y 0) · warp 0 · lane 3 · step 8 of 75 · line 11", or the last two alone.
std::string cursorText(const State& state, bool brief);
// The one line that says what to look at in the kernel on show; null where no text comes with it.
std::string briefOf(const State& state);
void drawBrief(PanelContext& context,
               const std::string& brief);  // and the way to the view in which there is more to read
void drawSentence(PanelContext& context, const std::string& sentence);
// Instead of it, once a step by hand has found no further place (State::inVain is there).
std::string noFurtherStepText(const State& state);
void drawTransport(PanelContext& context);
void drawPlaygroundControls(PanelContext& context);  // above the playground's picture
void drawFault(PanelContext& context);  // a strip that says what could not be done; nothing where all is well

void drawExport(PanelContext& context);  // the dialogue, where it is open

// Keys: one table says what each does; drawKeys shows that table.
void handleKeys(PanelContext& context);
void drawKeys(PanelContext& context);

}  // namespace lockstep::app
