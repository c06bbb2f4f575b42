// The column of a lesson beside the views: its head, the list of lessons or the step on show, and the row to
// go on from it.
#pragma once

#include "app/panels/lesson/answer_inputs.h"

#include <string>
#include <string_view>

namespace lockstep::app {

// Their heights; the step is between them.
inline constexpr f32 kLessonHead = 76, kLessonFoot = 44;
// Wide enough for two rows of lanes and lines that read well.
f32 lessonWidth(f32 window);

class LessonColumn {
public:
    // Whether the start page has its exercises in a window of their own.
    void putExercisesBeside(bool beside) { exercisesBeside_ = beside; }
    // Each fills the current ImGui window.
    void drawHead(PanelContext& context) const;
    void drawBody(PanelContext& context);
    void drawFoot(PanelContext& context) const;

private:
    void drawStep(PanelContext& context);
    void drawQuestion(PanelContext& context);
    void drawMistakes(PanelContext& context);

    AnswerInputs inputs_;
    u64 shown_ = 0;  // ticket of the step whose top has been scrolled to
    bool exercisesBeside_ = false;
    bool listsMistakes_ = true;  // of a teacher's lesson
};

// The start page: what to do next, and the lessons; the exercises.
void drawLessonList(PanelContext& context);
void drawExerciseList(PanelContext& context);
// By a lesson whose question the view would answer.
bool isCovered(const State& state, std::string_view view);
// In the place of a view that has the answer.
void drawCovered(PanelContext& context);

}  // namespace lockstep::app
