// What the compiler said of the text in the editor, for its lines and its list: errors, or of a text that
// compiled, warnings.
#pragma once

#include "app/state/state.h"

#include <string>
#include <vector>

namespace lockstep::app {

struct CompilerNotice {
    u32 line = 0;  // from 1
    std::string text;
    bool isWarning = false;
};
// In the order of their lines; of another text than this or without a line, none.
std::vector<CompilerNotice> noticesOf(const State& state, const EditedText& text);

}  // namespace lockstep::app
