// The window's controls in its own style: text in the program's fonts, buttons, segments, sliders, tooltips.
// Sizes from viz/scene/tokens.h.
#pragma once

#include "app/panels/panel.h"
#include "viz/scene/tokens.h"

#include <span>
#include <string>
#include <string_view>

struct ImDrawList;

namespace lockstep::app {

inline constexpr f32 kControlHeight = 28, kButtonWidth = 28, kPlayWidth = 40, kBarHeight = 40,
                     kHeadHeight = 36;

enum class Icon : u8 {
    First,
    Last,
    PhaseBack,
    Phase,
    StepBack,
    Step,
    Play,
    Pause,
    Check,
    Cross,
    Warning,
    Clock,
    Theme,
    Export,
    Enlarge,
    Restore,
    More,
    Up,
    Down,
    Logo
};

// ImGui colors and metrics from the theme; call it when the theme changes.
void applyStyle(const viz::Theme& theme);

viz::Color colorOf(const PanelContext& context, viz::RoleKind kind);
u32 ink(const PanelContext& context, viz::RoleKind kind, f32 alpha = 1);

struct TextLook {
    f32 size = viz::type::kBody;
    viz::Face face = viz::Face::Text;
    viz::RoleKind role = viz::RoleKind::Text;
};
// A line of text at the layout's cursor. Returns its width.
f32 label(PanelContext& context, std::string_view text, TextLook look = {});
// The same beside controls: in the middle of their height.
void controlLabel(PanelContext& context, std::string_view text, TextLook look = {});
// Two texts on one line, the second at the right end.
void labelPair(PanelContext& context, std::string_view left, std::string_view right, TextLook leftLook = {},
               TextLook rightLook = {});
// Wrapped to `width` (0: the rest of the line).
void paragraph(PanelContext& context, std::string_view text, TextLook look = {}, f32 width = 0);
// Height of this text as a paragraph.
f32 heightOf(const PanelContext& context, std::string_view text, TextLook look, f32 width);
// As many lines as fit into `height`, the last one truncated with an ellipsis; returns how many.
u32 paragraphWithin(PanelContext& context, std::string_view text, TextLook look, f32 height);
f32 widthOf(const PanelContext& context, std::string_view text, TextLook look = {});
// Text into a draw list, `at` being the left end of its middle line.
void drawText(PanelContext& context, ImDrawList& list, viz::Point at, std::string_view text,
              TextLook look = {});
// The same in a color of its own.
void drawTextIn(PanelContext& context, u32 color, ImDrawList& list, viz::Point at, std::string_view text,
                TextLook look);

// Of the previous item, or of what lies there on the screen: below it, or above it, so that both are seen.
void tooltip(PanelContext& context, std::string_view text);
// scale: of its letters.
void tooltip(PanelContext& context, std::string_view text, viz::Rect explained, f32 scale = 1);
// The mouse points at nothing that somebody asks about: the table of keys or the list of messages is open,
// and the current window is not it, or what is under the mouse came there by itself.
bool explainsNothing(const PanelContext& context);
// Before a tooltip that does not come from these. `least`: that it is likely to need.
// All of it lies within the window.
inline constexpr viz::Size kTooltip{384, 150};
void placeTooltip(PanelContext& context, viz::Rect explained, viz::Size least = kTooltip);
// The same, plus the documentation page: a right click on the previous item opens it.
void helpOn(PanelContext& context, std::string_view text, std::string_view page);
// A control's help, and its documentation page. Every control has one.
struct Help {
    Help(std::string_view text, std::string_view page) : text(text), page(page) {}
    std::string text;
    std::string_view page;
};
// For the previous item, if it is ImGui's own: shown while the mouse rests on it, unless it is being edited.
void helped(PanelContext& context, const Help& help);
void helped(PanelContext& context, const Help& help,
            u32 id);  // parent id if it is one of several parts
// A dialog, a list or a menu.
bool isAnyPopupOpen();
// Of the popup that is being drawn.
void closeOnEscape();
// The menu of the previous item, below it; like ImGui::BeginPopup, and ends as that does.
bool beginMenu(const char* id);
void drawIcon(ImDrawList& list, Icon icon, viz::Point centre, u32 color);

// `id` is unique in its window. Buttons support the keyboard (Tab, Enter) like ImGui's own.
bool iconButton(PanelContext& context, const char* id, Icon icon, const Help& help, f32 width = kButtonWidth,
                bool raised = false);
bool textButton(PanelContext& context, const char* id, std::string_view text, const Help& help, f32 width = 0,
                f32 height = kControlHeight);
// A text button takes the place of what has just been clicked: its help waits as if it had been clicked
// itself.
void comesUnderMouse(const char* button);
// Buttons side by side, one of them selected; returns the one clicked, or -1.
// One Help each, or one for all; those from `enabled` on are disabled.
int segments(PanelContext& context, const char* id, std::span<const std::string_view> texts, int on,
             const std::vector<Help>& helps, int enabled = 1000);
// A drop-down list of this width (0: the available width); returns the one chosen, or -1.
int dropDown(PanelContext& context, const char* id, std::span<const std::string> texts, int on,
             const Help& help, f32 width = 0);
// One that is never truncated: the choice is wrapped, and the list as tall as needed. notes: shown beside
// each row of the open list.
int wrappingDropDown(PanelContext& context, const char* id, std::span<const std::string> texts, int on,
                     const Help& help, f32 width, std::span<const std::string> notes = {});
// Its height, if that of a one-line control is `frame`.
f32 wrappingDropDownHeight(const PanelContext& context, std::string_view chosen, f32 width, f32 frame);

// Only a logarithmic slider.
bool speedSlider(PanelContext& context, const char* id, f32& value, f32 min, f32 max, f32 width,
                 const Help& help);
// A whole number, typed in any of the ways that typedNumber() takes; of anything else it is said what may be
// typed. True once one has been entered.
bool numberField(PanelContext& context, const char* id, s64& value, f32 width, const Help& help);
// A slider with an input field. Returns true while its value changes, and once the slider, held until then
// (`dragging`), is let go.
bool intSlider(PanelContext& context, const char* id, s64& value, s64 min, s64 max, bool logarithmic,
               bool& dragging, const Help& help);
// Only the field, at the right end of the line. True once a value has been entered.
bool intField(PanelContext& context, const char* id, s64& value, s64 max, const Help& help);

// A button that fetches the CUDA compiler, where there is none and it can be fetched; with the gap behind it.
// 0: there is none to draw.
f32 widthOfFetchButton(const PanelContext& context);
void drawFetchButton(PanelContext& context, f32 width = 0, f32 height = kControlHeight);

}  // namespace lockstep::app
