#include "playlists/answer_in_words.h"

#include "base/lane_mask.h"
#include "base/text/punctuation.h"
#include "explain/sentences/lane_lists.h"
#include "lessons/answer_text.h"

#include <algorithm>
#include <array>

namespace lockstep::playlists {
namespace {

using lessons::StepOnShow;

std::string changeInWords(std::string_view change, Language language) {
    if (change == "less") return say(language, english("of a quantity", "less"));
    if (change == "more") return say(language, english("of a quantity", "more"));
    return say(language, english("of a quantity", "the same"));
}

std::string changeOf(std::string_view answer, const std::string& quantity, Language language) {
    return changeInWords(lessons::changeOf(answer, quantity).value_or(std::string()), language);
}

// An answer of lanes as people read them; of an option, what it says; else as it is typed.
std::string answerAsRead(const StepOnShow& question, const std::string& answer, Language language) {
    constexpr std::array<std::string_view, 3> kOfLanes{"lanes", "paths", "wavefronts"};
    if (std::ranges::find(kOfLanes, question.step().question.kind) == kOfLanes.end())
        return question.in(language).meaningOf(answer);
    const Expected<std::vector<LaneMask>> groups = lessons::groupsIn(answer);
    if (!groups || std::ranges::any_of(*groups, &LaneMask::empty)) return answer;
    std::string text;
    for (const LaneMask group : *groups)
        text += (text.empty() ? "" : " | ") + explain::lanesInBrief(group, language);
    return text;
}

std::string withoutFullStop(std::string text) {
    for (const std::string_view end : {".", "。"})
        if (text.ends_with(end)) text.resize(text.size() - end.size());
    return text;
}

}  // namespace

std::string answerInWords(const StepOnShow& question, Language language) {
    const lessons::StepWords& words = question.in(language);
    const std::string meaning = answerAsRead(question, question.answer, language);
    std::string list;
    for (const std::string& change : question.step().question.changes)
        list += say(language, english("a quantity and how it changes", "- {0}: **{1}**"),
                    words.meaningOf(change), changeOf(question.answer, change, language)) +
                "\n";
    if (!list.empty()) return list;
    return words.meaningOf(question.answer) == question.answer ? "**" + meaning + "**" : meaning;
}

std::string answerInOneLine(const StepOnShow& question, std::string_view answer, Language language) {
    const lessons::StepWords& words = question.in(language);
    std::string line;
    for (const std::string& change : question.step().question.changes)
        line += (line.empty() ? "" : semicolon(language)) + words.meaningOf(change) + colon(language) +
                changeOf(answer, change, language);
    return line.empty() ? withoutFullStop(answerAsRead(question, std::string(answer), language)) : line;
}

std::string questionInWords(const StepOnShow& question, Language language) {
    const lessons::StepWords& words = question.in(language);
    std::string text = words.body;
    for (const lessons::Option& option : question.step().question.options)
        text += "\n\n- " + words.meaningOf(option.name);
    for (const std::string& change : question.step().question.changes)
        text += "\n\n- " + say(language, english("a quantity in a question", "{0}: less, the same or more?"),
                               words.meaningOf(change));
    return text;
}

}  // namespace lockstep::playlists
