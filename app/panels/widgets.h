// The window's controls in its own look: text in the program's faces, buttons, segments, sliders, tooltips.
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
// Wrapped to `width` (0: what is left of the line).
void paragraph(PanelContext& context, std::string_view text, TextLook look = {}, f32 width = 0);
// Of the paragraph that this text would be.
f32 heightOf(const PanelContext& context, std::string_view text, TextLook look, f32 width);
// As many lines as fit into `height`, the last one cut with an ellipsis; returns how many.
u32 paragraphWithin(PanelContext& context, std::string_view text, TextLook look, f32 height);
f32 widthOf(const PanelContext& context, std::string_view text, TextLook look = {});
// Text into a draw list, `at` being the left end of its middle line.
void drawText(PanelContext& context, ImDrawList& list, viz::Point at, std::string_view text,
              TextLook look = {});

void tooltip(PanelContext& context, std::string_view text);
// The same, and the page of the documentation that says more: a right click on the item before opens it.
void helpOn(PanelContext& context, std::string_view text, std::string_view page);
// What a control is for, and the page of the documentation that says more. Every control has it.
struct Help {
    Help(std::string_view text, std::string_view page) : text(text), page(page) {}
    std::string text;
    std::string_view page;
};
// Of the item before, for those that are ImGui's own: while the mouse rests on it, unless it is being written
// into.
void helped(PanelContext& context, const Help& help);
void helped(PanelContext& context, const Help& help,
            u32 id);  // one of several parts has this id as its parent
void drawIcon(ImDrawList& list, Icon icon, viz::Point centre, u32 color);

// `id` is unique in its window. Buttons answer to the keyboard (Tab, Enter) as ImGui's own.
bool iconButton(PanelContext& context, const char* id, Icon icon, const Help& help, f32 width = kButtonWidth,
                bool raised = false);
bool textButton(PanelContext& context, const char* id, std::string_view text, const Help& help, f32 width = 0,
                f32 height = kControlHeight);
// Buttons side by side of which one is on; returns the one clicked, or -1.
// Each says what it is about, or one Help is for all; those from `enabled` on cannot be clicked.
int segments(PanelContext& context, const char* id, std::span<const std::string_view> texts, int on,
             const std::vector<Help>& helps, int enabled = 1000);
// A drop-down list, of `width` or (0) as wide as there is room; returns the one chosen, or -1.
int dropDown(PanelContext& context, const char* id, std::span<const std::string> texts, int on,
             const Help& help, f32 width = 0);
// One that is never cut: what is chosen is wrapped, and the list as high as that needs. notes: what the open
// list says beside each.
int wrappingDropDown(PanelContext& context, const char* id, std::span<const std::string> texts, int on,
                     const Help& help, f32 width, std::span<const std::string> notes = {});
// Its height, where that of a control of one line is `frame`.
f32 wrappingDropDownHeight(const PanelContext& context, std::string_view chosen, f32 width, f32 frame);

// A logarithmic slider alone.
bool speedSlider(PanelContext& context, const char* id, f32& value, f32 min, f32 max, f32 width,
                 const Help& help);
// A slider with a field to type into. Returns true while its value changes; `dragging` tells whether the
// slider is held.
bool intSlider(PanelContext& context, const char* id, s64& value, s64 min, s64 max, bool logarithmic,
               bool& dragging, const Help& help);
// The field alone, at the right end of the line. True once a value has been typed.
bool intField(PanelContext& context, const char* id, s64& value, s64 min, s64 max, const Help& help);

}  // namespace lockstep::app
