#include "app/cli/pages/lesson_page.h"

#include "app/cli/exit_status.h"
#include "app/cli/options/help_text.h"
#include "app/cli/terminal/is_terminal.h"
#include "app/cli/terminal/output.h"
#include "lessons/answer_step.h"

#include <iostream>
#include <sstream>

namespace lockstep::cli {
namespace {

using lessons::AskedStep, lessons::Lesson, lessons::LessonStep, lessons::StepText, lessons::Verdict;

std::string_view nameOf(Verdict verdict) {
    return verdict == Verdict::Right ? "right" : verdict == Verdict::Wrong ? "wrong" : "unreadable";
}

// In lines that fit, from the left edge: wrapped() has them in the column of a help page.
std::string paragraphOf(const std::string& text) {
    std::istringstream lines(wrapped(text, 0));
    std::string all;
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t from = line.find_first_not_of(' '); from != std::string::npos)
            all += (all.empty() ? "" : "\n") + line.substr(from);
    return all;
}

// Markdown as it is, in lines that fit a terminal; code stays as it is.
void printText(const std::string& text) {
    std::istringstream lines(text);
    bool inFence = false;
    std::string paragraph;
    const auto flush = [&] {
        if (!paragraph.empty()) printOut("{}\n", paragraphOf(paragraph));
        paragraph.clear();
    };
    for (std::string line; std::getline(lines, line);) {
        const bool isFence = line.starts_with("```");
        if (isFence || inFence || line.empty() || line.starts_with("- ")) {
            flush();
            printOut("{}\n", line.starts_with("- ") && !inFence ? paragraphOf(line) : line);
        } else {
            paragraph +=
                (paragraph.empty() || static_cast<signed char>(paragraph.back()) < 0 ? "" : " ") + line;
        }
        inFence ^= isFence;
    }
    flush();
}

// As options; what the lesson leaves to the file's host code is left to it here, too.
std::string launchOf(const lessons::FileLaunch& own) {
    std::string options;
    const auto add = [&](std::string_view option, const std::string& value) {
        if (!value.empty()) options += fmt::format(" {} '{}'", option, value);
    };
    add("--entry", own.entry);
    add("--grid", own.grid);
    add("--block-size", own.block);
    add("--shared", own.sharedBytes ? std::to_string(*own.sharedBytes) : "");
    for (const std::string& argument : own.arguments)
        add("--arg", argument);
    return options;
}

// Where a step is to be looked at, as a command.
std::string commandOf(const AskedStep& asked) {
    const lessons::PlaceOnShow& on = asked.on();
    const std::optional<lessons::FileLaunch>& own = asked.place().own;
    std::string command = "lockstep show " + (own ? own->file.string() : asked.place().kernel);
    if (own) command += launchOf(*own);
    for (const auto& [name, value] : asked.place().settings)
        command += fmt::format(" {} {}={}", own ? "--define" : "--set", name, value);
    return command + fmt::format(" --view {} --block {},{} --warp {} --step {} --out step.svg",
                                 asked.place().view, on.cursor.block.x, on.cursor.block.y,
                                 on.cursor.warp.value, on.cursor.step + 1);
}

Expected<void> printFilled(const AskedStep& asked, const std::string& text, Language language) {
    const Expected<std::string> filled = asked.filled(text, language);
    if (!filled) return Unexpected{filled.error()};
    printText(*filled);
    return {};
}

Expected<void> printQuestion(const Lesson& lesson, const AskedStep& asked, Language language) {
    const StepText& text = asked.step().text(language);
    printOut("{} ({}/{})  {}\n\n", lesson.title(language), lesson.indexOf(asked.step()) + 1,
             lesson.steps.size(), text.title);
    if (Expected<void> printed = printFilled(asked, text.body, language); !printed) return printed;
    for (const lessons::Option& option : asked.question().options)
        if (const std::string* said = text.findChoice(option.name)) {
            printOut("\n");
            if (Expected<void> printed = printFilled(asked, option.name + ") " + *said, language); !printed)
                return printed;
        }
    for (const std::string& change : asked.question().changes) {
        const lessons::AskedStep::Named named = asked.named(change);
        if (named.quantity)
            printOut("\n{}\n",
                     paragraphOf("- " + change + ": " + std::string(named.quantity->meaning.in(language))));
    }
    const lessons::QuestionKind* kind = lessons::findQuestionKind(asked.question().kind);
    printOut("\n{}\n", commandOf(asked));
    if (kind) printLine(language, english("Answer: {0}."), kind->howToAnswer);
    return {};
}

Expected<std::string> inBoth(const AskedStep& asked, const std::string StepText::*part, Language language) {
    return asked.filled(asked.step().text(language).*part, language);
}

Json placeJson(const AskedStep& asked) {
    const lessons::PlaceOnShow& on = asked.on();
    Json settings = Json::object();
    for (const auto& [name, value] : asked.place().settings)
        settings[name] = value;
    return {{"kernel", asked.place().kernel},   {"set", settings},
            {"profile", asked.place().profile}, {"view", asked.place().view},
            {"block", triple(on.cursor.block)}, {"warp", on.cursor.warp.value},
            {"lane", on.cursor.lane.value},     {"step", on.cursor.step + 1}};
}

}  // namespace

Json lessonJson(const Lesson& lesson) {
    Json titles = Json::object(), steps = Json::array();
    for (const Language language : lessons::kLessonLanguages)
        titles[std::string(rowOf(language).code)] = lesson.title(language);
    for (const LessonStep& step : lesson.steps)
        steps.push_back({{"id", step.id},
                         {"kernel", step.place.kernel},
                         {"view", step.place.view},
                         {"ask", step.question.kind.empty() ? Json(nullptr) : Json(step.question.kind)},
                         {"beliefs", step.question.beliefs}});
    return {{"name", lesson.name},
            {"title", titles},
            {"folder", lesson.folder.string()},
            {"minutes", lesson.minutes()},
            {"steps", steps}};
}

Expected<StepAsJson> stepJson(const Lesson& lesson, const AskedStep& asked,
                              const std::optional<std::string>& answer) {
    const LessonStep& step = asked.step();
    StepAsJson out{{{"lesson", lesson.name},
                    {"step", step.id},
                    {"place", placeJson(asked)},
                    {"ask", step.question.kind.empty() ? Json(nullptr) : Json(step.question.kind)},
                    {"beliefs", step.question.beliefs}}};
    Json texts = Json::object(), replies = Json::object();
    for (const Language language : lessons::kLessonLanguages) {
        Json text = Json::object();
        const std::pair<const char*, const std::string StepText::*> parts[] = {{"title", &StepText::title},
                                                                               {"text", &StepText::body},
                                                                               {"hint", &StepText::hint},
                                                                               {"reveal", &StepText::reveal}};
        for (const auto& [name, part] : parts) {
            const Expected<std::string> filled = inBoth(asked, part, language);
            if (!filled) return Unexpected{filled.error()};
            text[name] = *filled;
        }
        Json choices = Json::object();
        for (const auto& [name, said] : step.text(language).choices) {
            const Expected<std::string> filled = asked.filled(said, language);
            if (!filled) return Unexpected{filled.error()};
            choices[name] = *filled;
        }
        text["choices"] = choices;
        texts[std::string(rowOf(language).code)] = text;
    }
    out.json["texts"] = texts;
    if (!answer) return out;
    const Expected<lessons::Answered> answered = lessons::answerStep(asked, *answer);
    if (!answered) return Unexpected{answered.error()};
    for (const Language language : lessons::kLessonLanguages) {
        const Expected<std::string> reply = lessons::replyTo(asked, *answered, language);
        if (!reply) return Unexpected{reply.error()};
        replies[std::string(rowOf(language).code)] = *reply;
    }
    out.json["answer"] = {
        {"text", *answer},
        {"verdict", nameOf(answered->judged.verdict)},
        {"belief",
         answered->mistake && answered->mistake->belief ? Json(answered->mistake->belief) : Json(nullptr)},
        {"reply", replies}};
    out.status = answered->judged.verdict == Verdict::Right ? kDone : kAnswerIsWrong;
    return out;
}

Expected<int> printStep(const Lesson& lesson, const AskedStep& asked,
                        const std::optional<std::string>& answer, Language language) {
    if (!answer) {
        const Expected<void> printed = printQuestion(lesson, asked, language);
        return printed ? Expected<int>(kDone) : Unexpected{inLesson(printed.error(), lesson, asked.step())};
    }
    const Expected<lessons::Answered> answered = lessons::answerStep(asked, *answer);
    if (!answered) return Unexpected{inLesson(answered.error(), lesson, asked.step())};
    const Expected<std::string> reply = lessons::replyTo(asked, *answered, language);
    if (!reply) return Unexpected{inLesson(reply.error(), lesson, asked.step())};
    printText(*reply);
    if (answered->judged.verdict != Verdict::Right) return kAnswerIsWrong;
    printOut("\n");
    const Expected<void> printed = printFilled(asked, asked.step().text(language).reveal, language);
    return printed ? Expected<int>(kDone) : Unexpected{inLesson(printed.error(), lesson, asked.step())};
}

bool canAsk() { return isTerminal(stdin) && isTerminal(stdout); }

Expected<int> askInTerminal(const Lesson& lesson, std::size_t first, lessons::LessonRuns& runs, u64 seed,
                            Language language) {
    return askFrom(std::cin, lesson, first, runs, seed, language);
}

Expected<int> askFrom(std::istream& input, const Lesson& lesson, std::size_t first, lessons::LessonRuns& runs,
                      u64 seed, Language language) {
    for (std::size_t i = first; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        const Expected<AskedStep> asked = AskedStep::ask(step, runs, seed);
        if (!asked) return Unexpected{inLesson(asked.error(), lesson, step)};
        if (Expected<void> printed = printQuestion(lesson, *asked, language); !printed)
            return Unexpected{inLesson(printed.error(), lesson, step)};
        const StepText& text = step.text(language);
        for (bool isDone = false; !isDone;) {
            printLine(language,
                      step.question.kind.empty()
                          ? english("Enter: go on.  q: quit.")
                          : english("Your answer?  h: hint.  s: show the answer.  Enter: go on.  q: quit."));
            std::fflush(stdout);
            std::string line;
            if (!std::getline(input, line) || line == "q") return kDone;
            if (line.empty()) break;
            Expected<void> printed;
            if (line == "h")
                printed = printFilled(*asked, text.hint, language);
            else if (line == "s") {
                const Expected<std::string> truth = lessons::rightAnswer(*asked);
                if (!truth) return Unexpected{inLesson(truth.error(), lesson, step)};
                printOut("{}\n\n", *truth);
                printed = printFilled(*asked, text.reveal, language);
                isDone = true;
            } else {
                Expected<int> status = printStep(lesson, *asked, line, language);
                if (!status) return status;
                isDone = *status == kDone;
            }
            if (!printed) return Unexpected{inLesson(printed.error(), lesson, step)};
        }
        printOut("\n");
    }
    return kDone;
}

Fault inLesson(Fault fault, const Lesson& lesson, const LessonStep& step) {
    fault.place = {lesson.mainFile(), step.place.fileLine, 0};
    return fault;
}

}  // namespace lockstep::cli
