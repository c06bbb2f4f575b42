#include "lessons/lesson_notes.h"

#include "lessons/answer_step.h"

#include <fmt/format.h>

#include <set>

namespace lockstep::lessons {
namespace {

constexpr std::size_t kMostUsual = 4;  // wrong answers of a question

std::string beliefsOf(const Lesson& lesson) {
    std::set<u32> beliefs;
    for (const LessonStep& step : lesson.steps)
        beliefs.insert(step.question.beliefs.begin(), step.question.beliefs.end());
    return fmt::format("{}", fmt::join(beliefs, ", "));
}

// "Show: banks, banks/stride, stride = 8, warp 0, step 21."
std::string whatToShow(const AskedStep& asked, Language language) {
    std::string what = "`" + asked.place().kernel + "`";
    for (const auto& [name, value] : asked.place().settings)
        what += fmt::format(", {} = {}", name, value);
    const Cursor& cursor = asked.on().cursor;
    return say(language, english("*Show:* the view `{0}` of {1}; block (x {2}, y {3}), warp {4}, step {5}."),
               asked.place().view, what, cursor.block.x, cursor.block.y, cursor.warp.value, cursor.step + 1);
}

// A paragraph as one line of a list; items of its own become sentences.
std::string inOneLine(std::string text) {
    for (std::size_t at = 0; (at = text.find("\n- ", at)) != std::string::npos;) {
        const bool isWide = at > 0 && u8(text[at - 1]) >= 0x80;  // needs no blank
        text.replace(at, 3, isWide ? "" : " ");
    }
    for (char& c : text)
        if (c == '\n') c = ' ';
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

Expected<std::string> usualAnswers(const AskedStep& asked, Language language) {
    const Expected<std::vector<std::string>> wrong = wrongAnswers(asked, kMostUsual);
    if (!wrong) return Unexpected{wrong.error()};
    std::string text;
    for (const std::string& answer : *wrong) {
        const Expected<Answered> answered = answerStep(asked, answer);
        if (!answered) return Unexpected{answered.error()};
        Expected<std::string> reply = replyTo(asked, *answered, language);
        if (!reply) return reply;
        text += fmt::format("- `{}`: {}\n", answer, inOneLine(*reply));
    }
    return text;
}

Expected<std::string> questionOf(const AskedStep& asked, const StepText& text, Language language) {
    std::string page;
    for (const Option& option : asked.question().options)
        if (const std::string* said = text.findChoice(option.name)) {
            Expected<std::string> filled = asked.filled(*said, language);
            if (!filled) return filled;
            page += fmt::format("- `{}`: {}\n", option.name, inOneLine(*filled));
        }
    if (!page.empty()) page += "\n";
    const Expected<std::string> truth = rightAnswer(asked), reveal = asked.filled(text.reveal, language),
                                usual = usualAnswers(asked, language);
    for (const auto* part : {&truth, &reveal, &usual})
        if (!*part) return *part;
    page += say(language, english("*Right:* `{0}`. {1}"), *truth, inOneLine(*reveal)) + "\n";
    if (!usual->empty()) page += "\n" + say(language, english("*Usual answers:*")) + "\n\n" + *usual;
    return page;
}

Fault inLesson(Fault fault, const Lesson& lesson, const LessonStep& step) {
    fault.place = {lesson.mainFile(), step.place.fileLine, 0};
    return fault;
}

}  // namespace

Expected<std::string> lessonNotes(const Lesson& lesson, LessonRuns& runs, Language language) {
    std::string page = fmt::format(
        "# {}\n\n{}\n\n", lesson.title(language),
        lesson.introductions.contains(language) ? lesson.introductions.at(language) : std::string());
    page += say(language,
                english("*Time:* about {0} {0:minute|minutes} for {1} {1:step|steps}. *Start:* {2}, or the "
                        "lesson's name in the window."),
                lesson.minutes(), lesson.steps.size(), "`lockstep lesson " + lesson.name + "`");
    if (const std::string beliefs = beliefsOf(lesson); !beliefs.empty())
        page += " " + say(language, english("*Misconceptions* ({0}): {1}."),
                          "[lessons.md](../guide/lessons.md#misconceptions)", beliefs);
    page +=
        "\n\n" +
        say(language, english("The figures are those of the lesson's own values; in practice they vary.")) +
        fmt::format("\n\n![{}](../images/lesson-{}.svg)\n",
                    say(language, english("What one of its steps shows")), lesson.name);
    std::size_t number = 0;
    for (const LessonStep& step : lesson.steps) {
        const Expected<AskedStep> asked = AskedStep::ask(step, runs, 0);
        if (!asked) return Unexpected{inLesson(asked.error(), lesson, step)};
        const StepText& text = step.text(language);
        const Expected<std::string> title = asked->filled(text.title, language),
                                    body = asked->filled(text.body, language);
        const Expected<std::string> question =
            step.question.kind.empty() ? Expected<std::string>("") : questionOf(*asked, text, language);
        for (const auto* part : {&title, &body, &question})
            if (!*part) return Unexpected{inLesson(part->error(), lesson, step)};
        page += fmt::format("\n## {}: {}\n\n{}\n\n{}\n\n{}", ++number, *title, whatToShow(*asked, language),
                            *body, *question);
    }
    return page;
}

}  // namespace lockstep::lessons
