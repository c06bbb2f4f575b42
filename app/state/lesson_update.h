// How lessons change their part of the state. What they ask of the rest of the window, an experiment and a
// place in it, comes back as a wish that update() fulfills.
#pragma once

#include "app/state/lesson_action.h"

namespace lockstep::app {

struct LessonWish {
    enum class Of : u8 {
        Nothing,
        Place,    // the step's experiment, view and cursor
        Moment,   // from before the step's place on to it
        Restore,  // what was on show before the lesson
    };
    Of of = Of::Nothing;
    std::vector<LessonTask> tasks{};
};

// tickets: given out so far.
LessonWish updateLesson(LessonState& state, const LessonAction& action, u64& tickets);

}  // namespace lockstep::app
