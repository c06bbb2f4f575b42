#include "app/state/exercise_place.h"

#include "app/state/whole_path.h"
#include "exercises/exercise_launch.h"
#include "exercises/judge.h"
#include "model/source_line.h"

#include <algorithm>
#include <filesystem>

namespace lockstep::app {
std::shared_ptr<const exercises::Exercise> openExercise(const LessonState& lessons) {
    for (const ExerciseEntry& entry : lessons.exercises)
        if (entry.key == lessons.exercise.key) return entry.exercise;
    return nullptr;
}

bool isOutdated(const exercises::Verdict& verdict) {
    std::error_code error;
    const auto now = std::filesystem::last_write_time(verdict.file, error);
    return error || now != verdict.written;
}

std::string proposedStart(const exercises::Exercise& exercise, const std::string& folder) {
    std::filesystem::path file;
    std::error_code ignored;
    for (u32 number = 1; number == 1 || std::filesystem::exists(file, ignored); ++number)
        file = wholePath(folder.empty() ? "." : folder) /
               (exercise.name + (number == 1 ? "" : "-" + std::to_string(number)) + ".cu");
    return file.lexically_normal().string();
}

std::optional<OwnKernel> kernelOfExercise(const LessonState& lessons, const std::string& file,
                                          std::string_view size) {
    const auto exercise = openExercise(lessons);
    if (!exercise || lessons.exercise.file.empty()) return std::nullopt;
    if (wholePath(file) != wholePath(lessons.exercise.file)) return std::nullopt;
    const Expected<exercises::ExerciseLaunch> launch =
        exercises::launchOf(*exercise, exercises::sizeNamed(*exercise, size));
    if (!launch) return std::nullopt;
    return OwnKernel{.file = wholePath(file).string(),
                     .entry = launch->entry,
                     .grid = launch->text.grid,
                     .block = launch->text.block,
                     .shared = std::to_string(launch->text.dynamicSharedBytes),
                     .arguments = launch->text.arguments,
                     .defines = {},
                     .references = {},
                     .further = launch->text.further};
}

std::optional<viz::Cursor> stepAtLine(const run::Run& run, const viz::Cursor& from, u32 line) {
    std::optional<viz::Cursor> found;
    for (const trace::FocusBlock& block : run.recording.trace.blocks) {
        for (u32 w = 0; w < block.warps.size(); ++w) {
            const auto& steps = block.warps[w].steps;
            const auto step = std::ranges::find_if(steps, [&](const trace::Step& one) {
                return model::sourceLineOf(one.pc, *run.module).line == line;
            });
            if (step == steps.end()) continue;
            viz::Cursor cursor = from;
            cursor.launch = block.launch, cursor.block = block.block, cursor.warp = Warp{w};
            cursor.step = u32(step - steps.begin());
            if (cursor.launch == from.launch && cursor.block == from.block && cursor.warp == from.warp)
                return cursor;
            if (!found) found = cursor;
        }
    }
    return found;
}

}  // namespace lockstep::app
