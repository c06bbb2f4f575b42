// An answer to a step's question: judged by the run, with the lesson's remark on a usual mistake.
#pragma once

#include "lessons/question_kinds.h"

namespace lockstep::lessons {

struct Answered {
    Judged judged;
    const WrongAnswer* mistake = nullptr;  // the usual mistake that it is
};
// Fault: the step asks nothing, or it cannot be asked.
Expected<Answered> answerStep(const AskedStep& asked, std::string_view answer);

// In one language: "Right.", or the reason, then the remark of the mistake.
Expected<std::string> replyTo(const AskedStep& asked, const Answered& answered, Language language);

// A right answer, to be shown.
Expected<std::string> rightAnswer(const AskedStep& asked);
// Typical answers that are wrong: those that the lesson lists, then the kind's, at most `most`.
Expected<std::vector<std::string>> wrongAnswers(const AskedStep& asked, std::size_t most);

}  // namespace lockstep::lessons
