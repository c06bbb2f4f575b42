// What is wrong in a lesson, each with file:line: its places do not exist, its questions have no answer or
// two, its texts name figures that there are not, its languages differ.
#pragma once

#include "lessons/asked_step.h"
#include "lessons/read_lesson.h"

#include <functional>
#include <span>
#include <string>

namespace lockstep::lessons {

// Runs every step with several seeds. views: the names of the program's. isStopped: asked
// between runs; what was found by then is the result.
std::vector<Fault> checkLesson(const ReadLesson& read, LessonRuns& runs, std::span<const std::string> views,
                               const std::function<bool()>& isStopped = {});

// What is wrong in the texts of a step whatever it runs: figures in a title; in the second language what is
// not translated, and figures that its sections have not in common. Of lines, without a file's name.
struct TextMistake {
    Language language{};
    u32 line = 0;
    Message message;
};
std::vector<TextMistake> mistakesOfTexts(const LessonStep& step, const std::string& firstFile);

// Macros that are set for one of its places, but that the file which this runs has nowhere; of lines, without
// a file's name.
std::vector<Fault> unusedMacros(const LessonStep& step);

}  // namespace lockstep::lessons
