// A step of a lesson in the terminal and as JSON, and the dialog that asks its question.
#pragma once

#include "app/cli/json/json.h"
#include "lessons/asked_step.h"

namespace lockstep::cli {

Json lessonJson(const lessons::Lesson& lesson);

// With figures filled in, in both languages; with an answer, how it is judged. A right answer is not in it.
struct StepAsJson {
    Json json;
    int status = 0;
};
Expected<StepAsJson> stepJson(const lessons::Lesson& lesson, const lessons::AskedStep& asked,
                              const std::optional<std::string>& answer);

// The exit status: whether the answer is right.
Expected<int> printStep(const lessons::Lesson& lesson, const lessons::AskedStep& asked,
                        const std::optional<std::string>& answer, Language language);

// Whether somebody can be asked: standard input and output are a terminal.
bool canAsk();
// From this step to the last: shows, asks, judges, gives hints, shows the answer. Ends at the end of input.
Expected<int> askInTerminal(const lessons::Lesson& lesson, std::size_t first, lessons::LessonRuns& runs,
                            u64 seed, Language language);
// The same with a given input, for tests; what is typed comes from it line by line.
Expected<int> askFrom(std::istream& input, const lessons::Lesson& lesson, std::size_t first,
                      lessons::LessonRuns& runs, u64 seed, Language language);

// The fault of a step that cannot be asked, with its place in the lesson's file.
Fault inLesson(Fault fault, const lessons::Lesson& lesson, const lessons::LessonStep& step);

}  // namespace lockstep::cli
