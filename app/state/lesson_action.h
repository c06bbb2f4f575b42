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
    std::string folder, file, exerciseFolder = {};
};
struct ExportLessonProgress {};
struct ImportLessonProgress {
    std::string file = {};  // empty: the one that was typed
};

struct OpenExercise {
    std::string key;
};  // in the list; the one that is open is closed
struct OpenExerciseFolder {
    std::string folder;
};  // of the user, or the name of one of the program's
struct TypeExerciseFile {
    std::string file;
};
struct BeginExercise {};  // writes the kernel to begin with to that file
struct CheckExercise {};  // judges that file

// From the background.
struct LessonsListed {
    std::vector<LessonEntry> all;
    std::vector<ExerciseEntry> exercises = {};
};
// What was begun, as far as it can be opened.
struct OwnFound {
    std::vector<LessonEntry> lessons;
    std::vector<ExerciseEntry> exercises;
    std::vector<LostFolder> lost;
};
struct ExerciseOpened {
    ExerciseEntry entry;
    std::string time = {};  // as lessons::Progress::Visit has it
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
    std::vector<Fault> leftOut = {};
};
struct ProgressExported {
    std::string file;
};
struct AskToReplaceProgress {
    std::string file;
};  // it has other progress in it
struct ExerciseChecked {
    u64 ticket = 0;
    std::shared_ptr<const exercises::Verdict> verdict;  // null: `fault` says why
    std::optional<Fault> fault = {};
};

using LessonAction =
    std::variant<ShowLessons, ListLessons, OpenLesson, GoToStep, MakeAnswer, CheckAnswer, TakeHint, TryAgain,
                 ShowAnswer, BackToPlace, TypeLessonPath, ExportLessonProgress, ImportLessonProgress,
                 OpenExercise, OpenExerciseFolder, TypeExerciseFile, BeginExercise, CheckExercise,
                 LessonsListed, OwnFound, LessonOpened, ExerciseOpened, LessonChecked, StepReady, StepFailed,
                 AnswerJudged, ProgressRead, ProgressExported, AskToReplaceProgress, ExerciseChecked>;

// For the background; each is answered by one of the actions above.
struct ReadLessonFolder {
    std::string folder, step;
};
struct ReadExerciseFolder {
    std::string folder;
};
// Whole paths of the user's lessons and exercises that were begun.
struct FindOwn {
    std::vector<std::string> lessons, exercises;
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
    bool mayReplace = false;  // other progress that the file has; never what is none
};                            // an export; where the window keeps it, the shell writes it as it changes
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
using LessonTask = std::variant<ReadLessonFolder, ReadExerciseFolder, FindOwn, CheckLesson, PrepareStep,
                                JudgeAnswer, WriteProgress, ReadProgress, WriteStart, JudgeExercise>;

}  // namespace lockstep::app
