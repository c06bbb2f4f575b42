// A lesson as a page for the lecturer: how long it takes, what to show, what to ask, and the usual answers.
#pragma once

#include "lessons/asked_step.h"

#include <string>

namespace lockstep::lessons {

// In Markdown, with the figures of the lesson's own values. The same on every machine. Fault: a step that
// cannot be asked, with its place.
Expected<std::string> lessonNotes(const Lesson& lesson, LessonRuns& runs, Language language);

}  // namespace lockstep::lessons
