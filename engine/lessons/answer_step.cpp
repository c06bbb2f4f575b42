#include "lessons/answer_step.h"

#include "base/text/punctuation.h"

#include <algorithm>

namespace lockstep::lessons {
namespace {

Expected<const QuestionKind*> kindOf(const AskedStep& asked) {
    const QuestionKind* kind = findQuestionKind(asked.question().kind);
    if (!kind) return fail(FaultKind::Usage, english("this step asks nothing: it only shows"));
    return kind;
}

Expected<bool> isMistake(const AskedStep& asked, const QuestionKind& kind, const WrongAnswer& wrong,
                         const Judged& judged) {
    if (!wrong.condition.empty()) {
        Extra extra;
        if (judged.answer) extra["answer"] = *judged.answer;
        if (judged.count) extra["count"] = *judged.count;
        const Expected<s64> holds = asked.number(wrong.condition, extra);
        if (!holds) return Unexpected{holds.error()};
        return *holds != 0;
    }
    const Expected<std::string> text = kind.answerOf ? kind.answerOf(asked, wrong.is) : wrong.is;
    if (!text) return Unexpected{text.error()};
    const Expected<Judged> other = kind.judge(asked, *text);
    if (!other) return Unexpected{other.error()};
    return other->plain == judged.plain;
}

}  // namespace

Expected<Answered> answerStep(const AskedStep& asked, std::string_view answer) {
    const Expected<const QuestionKind*> kind = kindOf(asked);
    if (!kind) return Unexpected{kind.error()};
    Expected<Judged> judged = (*kind)->judge(asked, answer);
    if (!judged) return Unexpected{judged.error()};
    Answered answered{std::move(*judged)};
    if (answered.judged.verdict != Verdict::Wrong || answered.judged.isUnfinished) return answered;
    for (const WrongAnswer& wrong : asked.question().wrong) {
        const Expected<bool> is = isMistake(asked, **kind, wrong, answered.judged);
        if (!is) return Unexpected{is.error()};
        if (!*is) continue;
        answered.mistake = &wrong;
        break;
    }
    return answered;
}

Expected<std::string> replyTo(const AskedStep& asked, const Answered& answered, Language language) {
    if (answered.judged.verdict == Verdict::Right) return say(language, english("Right."));
    if (answered.judged.isUnfinished) return answered.judged.reason.in(language);
    if (answered.judged.verdict == Verdict::Unreadable)
        return say(language, english("This cannot be read as an answer. Write {0}."), answered.judged.reason);
    const std::string text = answered.judged.reason.in(language);
    const std::string* remark =
        answered.mistake ? asked.step().text(language).findWrong(answered.mistake->says) : nullptr;
    if (!remark) {
        const std::string lead = answered.judged.lead.in(language);
        return lead.empty() ? text : lead + sentenceGap(language) + text;
    }
    Expected<std::string> filled = asked.filled(*remark, language);
    if (!filled) return filled;
    // The author knows what was thought; what the run says comes behind that.
    const QuestionKind* const kind = findQuestionKind(asked.question().kind);
    const bool saysAll = answered.judged.isBare || (kind && kind->remarkSaysAll);
    return saysAll ? *filled : *filled + sentenceGap(language) + text;
}

Expected<std::string> rightAnswer(const AskedStep& asked) {
    const Expected<const QuestionKind*> kind = kindOf(asked);
    return kind ? (*kind)->truth(asked) : Unexpected{kind.error()};
}

Expected<std::vector<std::string>> wrongAnswers(const AskedStep& asked, std::size_t most) {
    const Expected<const QuestionKind*> kind = kindOf(asked);
    if (!kind) return Unexpected{kind.error()};
    std::vector<std::string> candidates;
    for (const WrongAnswer& wrong : asked.question().wrong) {
        if (wrong.is.empty()) continue;
        const Expected<std::string> text = (*kind)->answerOf ? (*kind)->answerOf(asked, wrong.is) : wrong.is;
        if (text) candidates.push_back(*text);
    }
    std::ranges::move((*kind)->usual(asked), std::back_inserter(candidates));
    std::vector<std::string> found, plain;
    for (const std::string& candidate : candidates) {
        if (found.size() == most) break;
        const Expected<Judged> judged = (*kind)->judge(asked, candidate);
        if (!judged) return Unexpected{judged.error()};
        if (judged->verdict != Verdict::Wrong || std::ranges::find(plain, judged->plain) != plain.end())
            continue;
        found.push_back(candidate);
        plain.push_back(judged->plain);
    }
    return found;
}

}  // namespace lockstep::lessons
