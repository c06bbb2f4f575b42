// The kinds of questions: one row each. The run has the answer; nothing of it stands in a lesson.
#pragma once

#include "lessons/asked_step.h"

#include <span>

namespace lockstep::lessons {

// Of docs/guide/lessons.md.
inline constexpr u32 kBeliefs = 18;

enum class Verdict : u8 { Right, Wrong, Unreadable };

struct Judged {
    Verdict verdict = Verdict::Wrong;
    Message reason{};             // Wrong: from the run. Unreadable: what an answer looks like
    Message lead{};               // Wrong: what comes before it where the author says nothing
    std::optional<s64> answer{};  // as a number, where it is one
    std::optional<s64> count{};   // groups, lanes or sectors that it names
    std::string plain{};          // the same for answers that say the same
    bool isBare = false;          // the reason says that it is wrong, and no more
    bool isOld = false;           // it speaks of a change by what held before as well
    bool isUnfinished = false;    // it lacks a part: no mistake is seen in it yet, and the reason says what
};

struct QuestionKind {
    std::string_view name;
    Words howToAnswer;
    std::vector<std::string_view>
        needs{};  // keys of the header: "answer", "choices", "order", "change", "to"
    // A right answer. Fault: the step has none.
    Expected<std::string> (*truth)(const AskedStep&) = nullptr;
    Expected<Judged> (*judge)(const AskedStep&, std::string_view answer) = nullptr;
    // What a WrongAnswer::is means; null: it is the answer itself.
    Expected<std::string> (*answerOf)(const AskedStep&, std::string_view is) = nullptr;
    // Answers that people give who have not understood, some of which may be right.
    std::vector<std::string> (*usual)(const AskedStep&) = nullptr;
    // The author's words about a wrong answer, where there are some, stand in the place of what the run says.
    bool remarkSaysAll = false;
};
std::span<const QuestionKind> questionKinds();
const QuestionKind* findQuestionKind(std::string_view name);

}  // namespace lockstep::lessons
