// Questions that the figures of a run raise, with their answers: those of the family's family.toml, then
// those that any kernel may raise. They stand where the figure stands (noted.h), and all together in the view
// that is read.
#pragma once

#include "viz/view.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::viz {

struct Note {
    std::string name, question, answer;  // in the input's language
};

// view: those whose figure stands there; empty: all. A note none of whose sentences can be said of this run
// is left out.
std::vector<Note> notesOf(const ViewInput& in, std::string_view view = {});

// One that any kernel may raise.
struct GeneralNote {
    std::string_view name;
    std::vector<std::string_view> views;
    bool (*applies)(const ViewInput&);
    Words question;
    std::vector<Words> answer;  // sentences, as of catalog::NoteTemplate
};
const std::vector<GeneralNote>& generalNotes();

}  // namespace lockstep::viz
