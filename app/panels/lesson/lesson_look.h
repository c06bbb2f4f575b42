// What the columns of lessons and of playlists share: their heads and rows, the page of their help, and looks
// of their texts.
#pragma once

#include "app/panels/widgets.h"
#include "base/text/words.h"

#include <span>
#include <string>
#include <string_view>

namespace lockstep::app {

inline constexpr std::string_view kLessonPage = "guide/lessons.md";
inline constexpr TextLook kSecondLook{.role = viz::RoleKind::TextSecond},
    kBoldLook{.face = viz::Face::TextBold};

// A row of the start page that can be pressed: texts one below the other, and room below them.
struct ListText {
    std::string text;
    TextLook look;
};
struct ListRow {
    bool isPressed = false;
    viz::Rect box, text;  // on the screen: all of it, and its texts
};
ListRow listRow(PanelContext& context, const char* id, std::span<const ListText> texts, f32 below,
                const Help& help);

// The first line of a column: its title, a button that leads back (null: there is none) and one that closes.
struct PressedInHead {
    bool back = false, close = false;
};
PressedInHead columnHead(PanelContext& context, std::string_view title, const Help* back, const Help& close,
                         TextLook look = kBoldLook);

inline Help lessonHelp(const PanelContext& context, const Words& words) {
    return {words.in(context.state.language), kLessonPage};
}

}  // namespace lockstep::app
