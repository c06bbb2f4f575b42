// The part of the window's state that lessons have: the list of them, the step on show, the answer that is
// being made, and the progress. What was on show before a lesson is given back when it is closed.
#pragma once

#include "base/cursor.h"
#include "lessons/progress.h"
#include "lessons/step_on_show.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::exercises {
struct Exercise;  // exercises/exercise.h
struct Verdict;   // exercises/judge.h
}  // namespace lockstep::exercises

namespace lockstep::app {

// Of a file with the progress of lessons.
inline constexpr std::string_view kProgressExtension = ".lessons";

// Before the keys of a user's lessons in the progress; behind it stands the folder's whole path. Earlier
// files have the folder's name alone there.
inline constexpr std::string_view kOwnLesson = "own/";

// A lesson of the list: one of the program's, or one that was opened from a folder of the user.
struct LessonEntry {
    std::string key;  // in the progress
    std::shared_ptr<const lessons::Lesson> lesson;
    bool isOwn = false;
};

// The same of an exercise. The key of the user's own is its folder's whole path.
struct ExerciseEntry {
    std::string key;
    std::shared_ptr<const exercises::Exercise> exercise;
    bool isOwn = false;
};

// A folder of the user that was begun and cannot be opened now.
struct LostFolder {
    std::string path;
    bool isExercise = false;
    Fault why;
};

// How the step's question has been dealt with so far.
struct Attempt {
    std::string answer;                           // as it is being made
    std::shared_ptr<const lessons::Reply> reply;  // to the last one that was checked
    std::optional<Fault> fault;                   // it could not be judged
    u32 wrong = 0;                                // answers that were
    bool hinted = false, shown = false;           // the hint, the right answer
    bool isJudged = false;                        // being judged just now
    bool isRight() const { return reply && reply->verdict == lessons::Verdict::Right; }
};

// An exercise of the list that is open there, and the file that is to be judged by it.
struct ExerciseAttempt {
    std::string key;   // empty: none is open
    std::string file;  // as typed
    std::shared_ptr<const exercises::Verdict> verdict{};
    std::shared_ptr<const exercises::Verdict> earlier{};  // of when it last compiled, where it does not now
    std::optional<Fault> fault{};                         // why there is none
    u64 ticket = 0;                                       // of the judgment under way; 0: none is
};

struct LessonState {
    bool open = false;                                // the column is there, with the list or a step
    std::vector<LessonEntry> all;                     // the program's, by their order, then the user's own
    std::string key;                                  // of the lesson on show; empty: the list is
    std::vector<Fault> mistakes;                      // in the files of that lesson
    u64 checkTicket = 0;                              // of the check of all its steps; 0: none is under way
    std::size_t number = 0;                           // of the step that is on show, or is to be
    std::shared_ptr<const lessons::StepOnShow> step;  // null until its run is made
    std::optional<Fault> fault;                       // why it cannot be shown
    u64 ticket = 0;                                   // of the step or the answer that is worked out
    bool isUnderWay = false;                          // the step is
    Attempt attempt;
    lessons::Progress progress;
    std::vector<Fault> leftOut{};            // damaged lines of the progress that was read last
    std::vector<ExerciseEntry> exercises{};  // the program's, then the user's own
    ExerciseAttempt exercise;
    std::vector<LostFolder> lost{};
    std::string folder;          // as typed: of a lesson to open
    std::string exerciseFolder;  // as typed: of an exercise to open
    std::string file;            // as typed: of progress to export or import
    std::string exported;        // the file that the progress was exported to last
    std::string asksToReplace;   // is there with other progress; exporting to it again replaces it

    const LessonEntry* find(std::string_view wanted) const;
    const LessonEntry* current() const { return key.empty() ? nullptr : find(key); }
    const LessonEntry* behind() const;  // the lesson behind the one on show; null: it is the last
    // Nothing is asked, or it has been answered or shown.
    bool isSettled() const { return step && (!step->asks() || attempt.shown || attempt.isRight()); }
    // What would give the answer away is covered.
    bool hidesAnswer() const { return open && !key.empty() && step && !isSettled(); }
};

// How many steps of a lesson have been dealt with, by how.
struct LessonCounts {
    std::size_t steps = 0, done = 0, first = 0, later = 0, helped = 0, shown = 0;
};
LessonCounts countsOf(const LessonEntry& entry, const lessons::Progress& progress);

// What to do next: the lesson that was looked at last, if it has a step that has not been dealt with; else
// the first one with such a step. Null: there is none.
struct NextStep {
    const LessonEntry* entry = nullptr;
    const lessons::LessonStep* step = nullptr;
};
NextStep nextStepOf(const LessonEntry& entry, const lessons::Progress& progress);
NextStep nextStepOf(const LessonState& state);

// How far an exercise has come; the progress keeps it beside that of lessons.
enum class ExerciseState : u8 { New, Tried, Passed };
ExerciseState stateOf(const ExerciseEntry& entry, const lessons::Progress& progress);

// While a question is open, views have its run up to the place alone (StepOnShow::before). Covered is what
// would say something else all the same: views that sum up a run, or know more of it than its record, and
// those that show the last access before the cursor where it has none, which a student would take for the one
// that is asked about.
bool isCoveredInLesson(std::string_view view);
// Where the cursor stands: while the step's answer is hidden, just before its place.
Cursor placeOf(const lessons::StepOnShow& step, bool isSettled);

}  // namespace lockstep::app
