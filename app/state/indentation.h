// How the lines of a text are indented, as the text itself does it: by tabs, or by so many blanks.
#pragma once

#include "base/integers.h"

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::app {

struct Indentation {
    bool byTabs = false;
    u32 columns = 4;  // of one level; of a tab as well

    std::string unit() const { return byTabs ? "\t" : std::string(columns, ' '); }
    bool operator==(const Indentation&) const = default;
};

// As most of its lines that are deeper than the one before; of a text without such lines four blanks.
Indentation indentationOf(std::string_view text);

// The blanks that a line begins with.
std::string_view blanksOf(std::string_view line);

// What Enter writes between what stands before and behind the cursor in its line, and where the cursor is
// then.
struct NewLine {
    std::string text;       // with its line ends
    u32 index = 0;          // of the cursor in the line below
    u32 skippedBehind = 0;  // blanks behind the cursor, which go
};
NewLine newLine(std::string_view before, std::string_view behind, const Indentation& indentation);

// The blanks of the line in which the brace stands that a '}' behind this text closes; none: no such brace.
std::optional<std::string_view> blanksOfOpening(std::string_view before);

}  // namespace lockstep::app
