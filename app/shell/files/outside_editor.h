// The user's own editor, as $VISUAL or $EDITOR name it, and how it is told a file and a line.
#pragma once

#include "base/integers.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::shell {

struct OutsideEditor {
    std::string name;  // as it is set; empty: neither is
    std::vector<std::string>
        command;                // to be started; empty: the desktop has to open the file, without a line
    bool isOfTerminal = false;  // it has no window of its own
};

// $VISUAL, else $EDITOR, each a program and its options; one that needs a terminal gives way to the other.
// line: from 1; 0: the first.
OutsideEditor outsideEditor(std::string_view visual, std::string_view editor, const std::string& file,
                            u32 line);

// Of the environment; empty where it is not set.
std::string variable(const char* name);
// Without waiting for its end. False: there is no such program.
bool start(const std::vector<std::string>& command);

}  // namespace lockstep::shell
