// The window's side of exercises: the file that is written, how it is launched, and where a rule that fails
// leads to.
#pragma once

#include "app/state/state.h"

namespace lockstep::exercises {
struct Exercise;
struct Verdict;
}  // namespace lockstep::exercises

namespace lockstep::app {

// The one that is open in the list; null: none.
std::shared_ptr<const exercises::Exercise> openExercise(const LessonState& lessons);
// The file has been written since it was judged.
bool isOutdated(const exercises::Verdict& verdict);
// Where the kernel to begin with is proposed to be written: a new file.
std::string proposedStart(const exercises::Exercise& exercise, const std::string& folder);
// The open exercise's file, launched as it is judged at this size ("rows=50"; else the first). None: `file`
// is another, or no exercise is open.
std::optional<OwnKernel> kernelOfExercise(const LessonState& lessons, const std::string& file,
                                          std::string_view size = {});
// The first recorded step at a line of the run's own file, of the block and warp at the cursor if they come
// there.
std::optional<viz::Cursor> stepAtLine(const run::Run& run, const viz::Cursor& from, u32 line);

}  // namespace lockstep::app
