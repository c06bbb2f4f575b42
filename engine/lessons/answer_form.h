// How an answer is given by hand: which input a kind of question has, and the answer's text while it is being
// made. The text is all there is: what is clicked is written into it, and what is typed is read from it.
#pragma once

#include "base/lane_mask.h"
#include "lessons/lesson.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::lessons {

enum class AnswerInput : u8 {
    Text,
    Number,
    Lanes,
    Groups,
    Sectors,
    Line,
    Cell,
    Choice,
    Order,
    Changes,
    Sums
};
// A kind without an input of its own is answered as text.
AnswerInput inputOf(std::string_view kind);

// With what the input begins: an order as it is listed, otherwise nothing.
std::string emptyAnswer(const Question& question);
// As it is judged: without groups and numbers that were left empty.
std::string finished(AnswerInput input, std::string_view text);

// What of the text can be read; the rest counts as not there.
LaneMask lanesBeingChosen(std::string_view text);
std::vector<LaneMask> groupsBeingMade(std::string_view text);  // at least one, some of them empty
std::set<s64> sectorsBeingChosen(std::string_view text);
std::vector<std::string> sumsBeingWritten(std::string_view text);

// Each lane is in one group at most: it leaves the one that it was in. Out of `group` if it is there already.
std::string withLane(std::string_view text, std::size_t group, Lane lane, bool in);
std::string withGroup(std::string_view text);  // one more, empty
std::string withSector(std::string_view text, s64 sector, bool in);
std::string withSum(std::string_view text, std::size_t place, std::string_view sum);

// "less", "same" or "more" for one of the question's quantities; none: not said yet.
std::optional<std::string> changeOf(std::string_view text, std::string_view quantity);
std::string withChange(const Question& question, std::string_view text, std::string_view quantity,
                       std::string_view change);

// Of an order: the names in the order of the text; a name that is missing comes last.
std::vector<std::string> orderOf(const Question& question, std::string_view text);
std::string moved(const Question& question, std::string_view text, std::size_t from, std::size_t to);

// The first element of one of these arrays that a text names, as "M[1][0]"; empty: none. dimensions: by name.
struct ArrayShape {
    std::string name;
    std::size_t dimensions = 1;
};
std::string elementNamedIn(std::string_view text, const std::vector<ArrayShape>& arrays);

// "M[1][0]" in parts; indices as they are typed.
struct CellParts {
    std::string array;
    std::vector<std::string> indices;
};
CellParts cellOf(std::string_view text);
std::string textOf(const CellParts& cell);

}  // namespace lockstep::lessons
