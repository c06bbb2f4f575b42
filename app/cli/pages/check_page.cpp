#include "app/cli/pages/check_page.h"

#include "app/cli/terminal/output.h"

#include <algorithm>

namespace lockstep::cli {
namespace {

using exercises::Exercise;
using exercises::RuleVerdict;
using exercises::State;
using exercises::Verdict;

Words wordOf(State state) {
    switch (state) {
        case State::Holds: return english("a rule", "holds");
        case State::Fails: return english("a rule", "FAILS");
        case State::NotJudged: break;
    }
    return english("a rule", "not judged");
}

// "line 14: ... (n=1000)"
std::string sentenceOf(const RuleVerdict& verdict, Language language) {
    const std::string sentence = verdict.sentence.in(language);
    return sentence.empty() || verdict.size.empty() ? sentence : sentence + " (" + verdict.size + ")";
}

// What is missing, as one sentence.
std::string missingIn(const Verdict& verdict, Language language) {
    const RuleVerdict* missing = verdict.missing();
    if (!missing) return say(language, english("passed"));
    return missing->rule + ": " + sentenceOf(*missing, language);
}

std::size_t widest(const auto& items, auto textOf) {
    std::size_t most = 0;
    for (const auto& item : items)
        most = std::max(most, std::string(textOf(item)).size());
    return most;
}

std::string sizesOf(const Exercise& exercise) {
    std::string sizes;
    for (const exercises::Size& size : exercise.sizes)
        sizes += (sizes.empty() ? "" : "; ") + size.text;
    return sizes;
}

}  // namespace

void printExercises(const exercises::Shelf& shelf, Language language) {
    const std::size_t width = widest(shelf.exercises, [](const Exercise& exercise) { return exercise.name; });
    for (const Exercise& exercise : shelf.exercises)
        printOut("  {:<{}}  {}\n", exercise.name, width, exercise.title.in(language));
}

void printTask(const Exercise& exercise, Language language) {
    printOut("{}: {}\n\n{}\n\n", exercise.name, exercise.title.in(language), exercise.task.in(language));
    printLine(language, english("judged at {0}, on random data"), sizesOf(exercise));
    const std::size_t width = widest(exercise.rules, [](const exercises::Rule& rule) { return rule.text; });
    for (const exercises::Rule& rule : exercise.rules)
        printOut("  {:<{}}  {}\n", rule.text, width, exercises::inWords(rule).in(language));
    printOut("\n");
    printLine(language,
              english("begin with: lockstep check {0} --start my.cu; judge it with: lockstep check "
                      "{0} my.cu"),
              exercise.name);
}

void printQuantities(Language language) {
    const auto nameOf = [](const auto& row) { return row.name; };
    const std::size_t width = widest(exercises::quantities(), nameOf);
    for (const exercises::BuiltInRule& rule : exercises::builtInRules())
        printOut("  {:<{}}  {}\n", rule.name, width, say(language, rule.what));
    for (const exercises::Quantity& quantity : exercises::quantities())
        printOut("  {:<{}}  {}\n", quantity.name, width, say(language, quantity.what));
}

void printVerdict(const Verdict& verdict, Language language) {
    const std::size_t rules = widest(verdict.rules, [](const RuleVerdict& rule) { return rule.rule; });
    for (const RuleVerdict& rule : verdict.rules)
        printOut("  {}{}{:<{}}{}\n", say(language, wordOf(rule.state)), "  ", rule.rule,
                 rule.sentence.empty() ? 0 : rules + 2, sentenceOf(rule, language));
    printOut("{}: {}\n", verdict.file,
             verdict.passed()
                 ? say(language, english("passed"))
                 : say(language, english("{0} of {1} rules hold"), verdict.held(), verdict.rules.size()));
}

void printGrading(const Grading& grading, Language language) {
    printOut("{}: {}\n", grading.exercise.name, grading.exercise.title.in(language));
    printLine(language, english("at {0}; seed {1}"), sizesOf(grading.exercise), std::to_string(grading.seed));
    printOut("\n");
    if (grading.verdicts.size() == 1) {
        printVerdict(grading.verdicts.front(), language);
        return;
    }
    const std::size_t width = widest(grading.verdicts, [](const Verdict& verdict) { return verdict.file; });
    for (const Verdict& verdict : grading.verdicts)
        printOut("  {:<{}}  {:>5}  {}\n", verdict.file, width,
                 std::to_string(verdict.held()) + "/" + std::to_string(verdict.rules.size()),
                 missingIn(verdict, language));
    printOut("\n");
    printLine(language, english("{0} of {1} files passed"), grading.passed(), grading.verdicts.size());
}

}  // namespace lockstep::cli
