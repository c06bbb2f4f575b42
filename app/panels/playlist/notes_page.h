// What the lecturer has on a screen of his own while the first window is presented: the entry's notes, what
// comes next, the question with its usual answers, and the time.
#pragma once

#include "app/panels/panel.h"

namespace lockstep::app {

struct NotesClock {
    f64 seconds = 0;       // since the lecture began
    bool isReset = false;  // the clock restarts
};

// Fills the whole ImGui viewport.
void drawNotesPage(PanelContext& context, NotesClock& clock);

// What the next press of a presenter's remote does: "reveals view, sentence and answer", "picture 2 of 3",
// "entry 5: Padding"; empty: nothing.
std::string whatComesNext(const State& state);

}  // namespace lockstep::app
