// A question that asks for lines, an element or lanes is answered by a click in a view, too, where the view
// shows what is asked for.
#pragma once

#include "app/state/state.h"
#include "viz/scene/scene.h"

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::app {

// What the answer becomes by a click there; none: nothing is asked, or nothing of that kind is there.
std::optional<std::string> answerByClick(const State& state, std::string_view view, const viz::Hit& hit);
// Whether it is in the answer that is being made.
bool isInAnswer(const State& state, std::string_view view, const viz::Hit& hit);

}  // namespace lockstep::app
