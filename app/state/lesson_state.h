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

namespace lockstep::app {

// Of a file with the progress of lessons.
inline constexpr std::string_view kProgressExtension = ".lessons";

// A lesson of the list: one of the program's, or one that was opened from a folder of the user.
struct LessonEntry {
    std::string key;  // in the progress
    std::shared_ptr<const lessons::Lesson> lesson;
    bool isOwn = false;
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

struct LessonState {
    bool open = false;                                // the column is there, with the list or a step
    std::vector<LessonEntry> all;                     // the program's, by their order, then the user's own
    std::string key;                                  // of the lesson on show; empty: the list is
    std::vector<Fault> mistakes;                      // in the files of that lesson
    std::size_t number = 0;                           // of the step that is on show, or is to be
    std::shared_ptr<const lessons::StepOnShow> step;  // null until its run is made
    std::optional<Fault> fault;                       // why it cannot be shown
    u64 ticket = 0;                                   // of the step or the answer that is worked out
    bool isUnderWay = false;                          // the step is
    Attempt attempt;
    lessons::Progress progress;
    std::string folder;  // as typed: of a lesson to open
    std::string file;    // as typed: of progress to export or import

    const LessonEntry* find(std::string_view wanted) const;
    const LessonEntry* current() const { return key.empty() ? nullptr : find(key); }
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

// A view that sums up the whole run, so that it has the answer wherever the cursor stands.
bool isCoveredInLesson(std::string_view view);
// Where the cursor stands while the step's answer is hidden: just before its place.
Cursor placeOf(const lessons::StepOnShow& step, bool isSettled);

}  // namespace lockstep::app
