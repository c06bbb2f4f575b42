// The rows of questionKinds(), by what an answer is.
#pragma once

#include "lessons/question_kinds.h"

#include <span>

namespace lockstep::lessons {

std::vector<QuestionKind> plainKinds();     // a number, lanes, a cell, a line
std::vector<QuestionKind> comparedKinds();  // an explanation, an order, a difference
std::vector<QuestionKind> machineKinds();   // be the machine: wavefronts, sectors, paths, round
QuestionKind barrierKind();                 // place a barrier

inline Judged right(std::string plain) { return {.verdict = Verdict::Right, .plain = std::move(plain)}; }
inline Judged wrong(std::string plain, Message reason) {
    return {.verdict = Verdict::Wrong, .reason = std::move(reason), .plain = std::move(plain)};
}
inline Judged unreadable(Message how) { return {.verdict = Verdict::Unreadable, .reason = std::move(how)}; }
inline Judged unfinished(Message lacks) {
    return {.verdict = Verdict::Unreadable, .reason = std::move(lacks), .isUnfinished = true};
}

// What a question's expression follows from: clues of its quantities, at most so many, each once. Left out
// are those that have one of these numbers in them, though the question has it not: by chance or not, it
// would be the answer. Empty: there is no clue.
Message cluesTo(const AskedStep& asked, std::string_view expression, std::span<const s64> answers = {},
                std::size_t most = 2);
// Why the answer is no greater than this value, or no less; empty: of the quantity that is asked for there is
// no such clue.
Message clueAgainst(const AskedStep& asked, s64 value, bool more);
// The same of each term of an order, by its name, as a list in Markdown. Their numbers are no answer: that is
// how they compare.
Message cluesToTerms(const AskedStep& asked);
// The same of what changes: of the changed place alone, since both would tell how they compare.
struct ChangeClues {
    Message clues;
    bool areOld = false;     // one of the figures changes, and what is said of it held before as well
    bool isOneBare = false;  // of one of them nothing is said
};
ChangeClues cluesToChange(const AskedStep& asked, std::span<const std::string> quantities);
// A place of the step in the words in which it differs from another one: "stride = 7", a kernel's title,
// "line 18". By their names in `also`; empty: the step's own.
Message placeName(const AskedStep& asked, const std::string& place, const std::string& other);
// As a sentence begins.
Message capitalized(const Message& sentence);
// Two sentences, one behind the other.
Message joined(Message first, Message second);
// How many lanes are missing from an answer, not which; empty: none is.
Message missingLanes(LaneMask missing);
// In both languages: "0–7, 12".
Message lanesMessage(LaneMask lanes);
// Whether a text names this number, written with or without separators.
bool namesNumber(std::string_view text, s64 number);

}  // namespace lockstep::lessons
