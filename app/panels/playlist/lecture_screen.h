// What an audience reads of a lecture's entry in the place of views and sentences: its question in letters as
// large as they fit, before it is revealed; the answer afterwards; its title.
#pragma once

#include "app/panels/panel.h"

#include <string>
#include <string_view>

namespace lockstep::app {

// In the place of a view that is not revealed yet: the entry's own has the question, or else the entry's
// text.
void drawUnrevealed(PanelContext& context, std::string_view view, f32 scale = 1);

// What stands in the sentence's place; empty: the view's own sentence does. isAskedInView: the question
// stands in the place of a view, if that is hidden.
std::string sentenceOfEntry(const State& state, bool isAskedInView);
// Of the entry whose picture is on show; empty: something else is.
std::string titleOnShow(const State& state);
// Whether the window shows something else than the entry's picture.
bool standsElsewhere(const State& state);

}  // namespace lockstep::app
