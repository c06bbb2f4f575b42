// The if, while or for of a source that a condition belongs to, and what it decides on.
#pragma once

#include "base/integers.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lockstep::explain {

// From the first place to the last one, both in it; lines and columns from 1.
struct SourceSpan {
    u32 firstLine = 0, firstColumn = 0, lastLine = 0, lastColumn = 0;
    bool contains(u32 line, u32 column) const {
        return (line > firstLine || (line == firstLine && column >= firstColumn)) &&
               (line < lastLine || (line == lastLine && column <= lastColumn));
    }
};

struct Condition {
    enum class Kind : u8 { If, Loop } kind = Kind::If;
    SourceSpan head;  // the keyword and its parentheses
    SourceSpan body;  // the statement that is executed where the condition holds
    // What the body is, if nothing but that.
    enum class Leaves : u8 { Nothing, Loop, Turn, Function } leaves = Leaves::Nothing;
    std::optional<SourceSpan> loop;  // the innermost loop that it stands in, with its head
    // Where the condition of that loop is; none: there is no loop, or it has no condition.
    std::optional<SourceSpan> loopHead;
};

// The one whose keyword or parentheses have this place; none: it is of none.
std::optional<Condition> conditionAt(std::string_view source, u32 line, u32 column);
// Those whose body has this line, the outermost first.
std::vector<Condition> conditionsAround(std::string_view source, u32 line);

}  // namespace lockstep::explain
