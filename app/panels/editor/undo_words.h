// The editor's widget undoes one letter at a time; here a word that was typed is undone, and done again, as
// one.
#pragma once

#include "base/integers.h"

#include <TextEditor.h>

#include <vector>

namespace lockstep::app {

class UndoWords {
public:
    // Around the widget's frame.
    void begin(const TextEditor& editor);
    void end(TextEditor& editor);
    // What the widget tells of each of its changes.
    void note(const std::vector<TextEditor::Change>& changes);

private:
    struct Typed {
        bool isLetter = false;  // one alone, of a word
        TextEditor::DocPos start, end;
    };
    std::vector<Typed> typed_;  // in this frame
    std::vector<bool> goesOn_;  // by the widget's count of changes: that one goes on with the word before it
    Typed last_;
    std::size_t before_ = 0;
};

}  // namespace lockstep::app
