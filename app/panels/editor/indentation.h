// Where the widget leaves the indentation wrong: behind a new line in a block it counts the spaces it indents
// by as one, and a brace that ends a block stays as far in as the block's lines.
#pragma once

#include <TextEditor.h>

#include <vector>

namespace lockstep::app {

class Indentation {
public:
    // What the widget tells of each of its changes.
    void note(const std::vector<TextEditor::Change>& changes);
    // After the widget's frame.
    void correct(TextEditor& editor);

private:
    bool isNewLine_ = false, isBrace_ = false;
};

// The file's own way to indent stays: by tabs where it has them.
void indentAs(TextEditor& editor, const std::string& text);

}  // namespace lockstep::app
