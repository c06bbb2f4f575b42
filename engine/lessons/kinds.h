// The rows of questionKinds(), by what an answer is.
#pragma once

#include "lessons/question_kinds.h"

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

// What a question's expression follows from: of its quantities, at most two, each once.
Message whyOf(const AskedStep& asked, std::string_view expression);
// A place of the step in the words in which it differs from another one: "stride = 7", a kernel's title,
// "line 18". By their names in `also`; empty: the step's own.
Message placeName(const AskedStep& asked, const std::string& place, const std::string& other);
// As a sentence begins.
Message capitalized(const Message& sentence);
// Two sentences, one behind the other.
Message joined(Message first, Message second);
// In both languages: "0–7, 12".
Message lanesMessage(LaneMask lanes);

}  // namespace lockstep::lessons
