#include "playlists/answer_in_words.h"

namespace lockstep::playlists {
namespace {

using lessons::StepOnShow;

std::string changeInWords(std::string_view change, Language language) {
    if (change == "less") return say(language, english("of a quantity", "less"));
    if (change == "more") return say(language, english("of a quantity", "more"));
    return say(language, english("of a quantity", "the same"));
}

}  // namespace

std::string answerInWords(const StepOnShow& question, Language language) {
    const lessons::StepWords& words = question.in(language);
    const std::string& meaning = words.meaningOf(question.answer);
    std::string list;
    for (const std::string& change : question.step().question.changes)
        list +=
            say(language, english("a quantity and how it changes", "- {0}: **{1}**"), words.meaningOf(change),
                changeInWords(lessons::changeOf(question.answer, change).value_or(std::string()), language)) +
            "\n";
    if (!list.empty()) return list;
    return meaning == question.answer ? "**" + meaning + "**" : meaning;
}

}  // namespace lockstep::playlists
