// What the user can do in a lesson, what arrives from the background, and what is asked of it.
#pragma once

#include "app/state/lesson_state.h"

#include <variant>

namespace lockstep::app {

// By the user.
struct ShowLessons {
    bool open = true;
};  // the column, with the list or where the lesson was left; closed: what was on show before comes back
struct ListLessons {};  // from a lesson back to the list
struct OpenLesson {
    std::string name;       // a lesson's key, or a folder
    std::string step = {};  // its id; empty: the first that has not been dealt with
};
struct GoToStep {
    std::size_t number = 0;
};
struct MakeAnswer {
    std::string text;
};
struct CheckAnswer {};
struct TakeHint {};
struct TryAgain {};  // with other figures
struct ShowAnswer {};
struct BackToPlace {};  // of the step, after a look elsewhere
struct TypeLessonPath {
    std::string folder, file;
};
struct ExportLessonProgress {};
struct ImportLessonProgress {
    std::string file = {};  // empty: the one that was typed
};

struct OpenExercise {
    std::string name;
};  // in the list; the one that is open is closed
struct TypeExerciseFile {
    std::string file;
};
struct BeginExercise {};  // writes the kernel to begin with to that file
struct CheckExercise {};  // judges that file

// From the background.
struct LessonsListed {
    std::vector<LessonEntry> all;
    std::vector<std::shared_ptr<const exercises::Exercise>> exercises = {};
};
struct LessonOpened {
    LessonEntry entry;
    std::vector<Fault> mistakes;
    std::string step;
};
struct LessonChecked {
    u64 ticket = 0;
    std::vector<Fault> mistakes;
};
struct StepReady {
    u64 ticket = 0;
    std::shared_ptr<const lessons::StepOnShow> step;
    std::string time = {};  // as lessons::Progress::Visit has it
};
struct StepFailed {
    u64 ticket = 0;
    Fault fault;
};
struct AnswerJudged {
    u64 ticket = 0;
    std::shared_ptr<const lessons::Reply> reply;  // null: `fault` says why
    std::optional<Fault> fault = {};
};
struct ProgressRead {
    lessons::Progress progress;
};
struct ExerciseChecked {
    u64 ticket = 0;
    std::shared_ptr<const exercises::Verdict> verdict;  // null: `fault` says why
    std::optional<Fault> fault = {};
};

using LessonAction =
    std::variant<ShowLessons, ListLessons, OpenLesson, GoToStep, MakeAnswer, CheckAnswer, TakeHint, TryAgain,
                 ShowAnswer, BackToPlace, TypeLessonPath, ExportLessonProgress, ImportLessonProgress,
                 OpenExercise, TypeExerciseFile, BeginExercise, CheckExercise, LessonsListed, LessonOpened,
                 LessonChecked, StepReady, StepFailed, AnswerJudged, ProgressRead, ExerciseChecked>;

// For the background; each is answered by one of the actions above.
struct ReadLessonFolder {
    std::string folder, step;
};
// All that `lockstep lesson check` tells of it.
struct CheckLesson {
    u64 ticket = 0;
    std::string folder;
};
struct PrepareStep {
    u64 ticket = 0;
    std::shared_ptr<const lessons::Lesson> lesson;
    std::size_t number = 0;
    u64 seed = 0;
    std::shared_ptr<const lessons::StepOnShow> other = {};  // figures that differ from its own are wanted
};
struct JudgeAnswer {
    u64 ticket = 0;
    std::shared_ptr<const lessons::StepOnShow> step;
    std::string answer;
};
struct WriteProgress {
    lessons::Progress progress;
    std::string file;
};  // an export; where the window keeps it, the shell writes it as it changes
struct ReadProgress {
    std::string file;
};
struct WriteStart {
    std::shared_ptr<const exercises::Exercise> exercise;
    std::string file;
};
struct JudgeExercise {
    u64 ticket = 0;
    std::shared_ptr<const exercises::Exercise> exercise;
    std::string file;
};
using LessonTask = std::variant<ReadLessonFolder, CheckLesson, PrepareStep, JudgeAnswer, WriteProgress,
                                ReadProgress, WriteStart, JudgeExercise>;

}  // namespace lockstep::app
