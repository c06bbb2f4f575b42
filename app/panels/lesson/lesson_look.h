// What the parts of the lesson column share: the page of their help, and looks of their texts.
#pragma once

#include "app/panels/widgets.h"
#include "base/text/words.h"

#include <string_view>

namespace lockstep::app {

inline constexpr std::string_view kLessonPage = "guide/lessons.md";
inline constexpr TextLook kSecondLook{.role = viz::RoleKind::TextSecond},
    kBoldLook{.face = viz::Face::TextBold};

inline Help lessonHelp(const PanelContext& context, const Words& words) {
    return {words.in(context.state.language), kLessonPage};
}

}  // namespace lockstep::app
