// The column of a lesson beside the views: its head, the list of lessons or the step on show, and the row to
// go on from it.
#pragma once

#include "app/panels/lesson/answer_inputs.h"
#include "app/state/lesson_state.h"

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
    void drawReplies(PanelContext& context);
    void drawEnd(PanelContext& context) const;
    void drawMistakes(PanelContext& context);
    void scrollToNews(const LessonState& state, f32 from);

    // What a step has said to an answer so far.
    struct Said {
        u64 ticket = 0;  // of the step
        const void* reply = nullptr;
        bool hinted = false, shown = false;
        bool operator==(const Said&) const = default;
    };

    AnswerInputs inputs_;
    Said said_;
    f32 replyHeight_ = 0;  // of the last one
    u32 newsFrames_ = 0;   // in which what was said is scrolled to
    u64 shown_ = 0;        // ticket of the step whose top has been scrolled to
    bool exercisesBeside_ = false;
    bool listsMistakes_ = true;  // of a teacher's lesson
};

// The start page: what to do next, and the lessons; the exercises.
void drawLessonList(PanelContext& context);
void drawExerciseList(PanelContext& context);
// Of both: a folder of the user that cannot be opened, and a field for a path. True: Enter was pressed there.
void drawLost(PanelContext& context, const LostFolder& lost);
bool pathField(PanelContext& context, const char* id, std::string& path, const Words& hint, const Help& help);
// "5 of 10 steps: 3 at the first try, 2 shown".
std::string progressText(const LessonCounts& counts, Language language);
// By a lesson whose question the view would answer.
bool isCovered(const State& state, std::string_view view);
// A question is open: of a lesson, or of a lecture about its picture. What is said of the run would answer
// it.
bool hidesResult(const State& state);
// In the place of a view that has the answer.
void drawCovered(PanelContext& context);

}  // namespace lockstep::app
