// The window's parts that are more than a Scene. Each draws into the current ImGui window.
#pragma once

#include "app/panels/panel.h"
#include "viz/scene/tokens.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::app {

void drawCompareBar(PanelContext& context);  // which two runs are compared

enum class ExperimentButton : u8 { None, Closed, Open };
// What the mouse does with that button.
struct BarClick {
    bool toggled = false, isOver = false;
};
// `path`: of the file to open, as typed so far.
BarClick drawTopBar(PanelContext& context, ExperimentButton experiment, std::string& path);
void drawExperiment(PanelContext& context);
// That column's texts, for a picture of it.
struct ColumnText {
    std::string text;
    bool isHeading = false;
    viz::RoleKind role = viz::RoleKind::Text;
    f32 size = viz::type::kBody;
};
std::vector<ColumnText> experimentTexts(const State& state);
// "Tiled, any width": the current kernel.
std::string windowTitle(const State& state);
// "block (x 0, y 0) · warp 0 · lane 3 · step 8 of 75 · line 11", or only the last two.
std::string cursorText(const State& state, bool brief);
// The line that says what to look at in the current kernel; null if it has none.
std::string briefOf(const State& state);
void drawBrief(PanelContext& context,
               const std::string& brief);  // and the link to the view with more to read
void drawSentence(PanelContext& context, const std::string& sentence);
// Shown instead, once a manual step has found no further event (State::inVain).
std::string noFurtherStepText(const State& state);
void drawTransport(PanelContext& context);
void drawPlaygroundControls(PanelContext& context);  // above the playground's picture
void drawFault(PanelContext& context);               // a strip with the last error; nothing if there is none

void drawExport(PanelContext& context);  // the dialog, if open
// State::notices, at the foot of this part of the window.
void drawNotices(PanelContext& context, const viz::Rect& area);
// State::looking, with what ends it.
void drawErrands(PanelContext& context, const viz::Rect& area);
// All that was said, the latest first, if State::showSaid.
void drawSaid(PanelContext& context);
// Of what the view shows; says so.
void copyCommandLine(PanelContext& context, std::string_view view);

// Keys: one table says what each does; KeysPage shows that table.
void handleKeys(PanelContext& context);

}  // namespace lockstep::app
