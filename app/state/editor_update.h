// How the editor changes its part of the state. What it asks of the rest of the window comes back as a wish
// that update() fulfills.
#pragma once

#include "app/state/editor_action.h"
#include "base/expected.h"

#include <string_view>
#include <vector>

namespace lockstep::app {

struct EditorWish {
    bool runs = false;   // `file` was saved or read again: if it is the experiment, it runs again
    bool typed = false;  // `file` has another text: a run of the one before is of no use
    bool shows = false;  // nothing else is to cover the editor
    bool hides = false;  // the source takes its place
    std::string file{};
    std::optional<Fault> fault{};
    std::vector<EditorTask> tasks{};
};

EditorWish updateEditor(EditorState& state, const EditorAction& action);

// Time goes by. True once the text is to be compiled.
bool isDue(EditorState& state, f64 seconds);

// As the editor has it, lines ending in \n alone. Fault: it cannot hold all of it, so that saving would
// change more than what was typed.
Expected<std::string> textForEditor(const std::string& file, std::string_view inFile);
// As it is written to the file.
std::string textForFile(std::string_view text, bool endsLinesInTwo);

// A kernel to begin with.
std::string_view newKernelText();

}  // namespace lockstep::app
