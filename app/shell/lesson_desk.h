// What lessons need done in the background: reads their files, runs the experiments of their steps, judges
// answers. One thing at a time, on any thread.
#pragma once

#include "app/state/action.h"
#include "run/resources.h"

#include <filesystem>
#include <mutex>
#include <stop_token>
#include <vector>

namespace lockstep::shell {

class LessonDesk {
public:
    LessonDesk(const run::Resources& resources, const catalog::Catalog& catalog);

    // The program's own.
    std::vector<app::LessonEntry> list() const;
    std::vector<app::ExerciseEntry> exercises() const;
    // The task's result. What takes long ends soon after a stop is requested.
    std::vector<app::Action> carryOut(const app::LessonTask& task, const std::stop_token& stop = {});

    // A lesson of the program by its name, another one by its folder.
    Expected<app::LessonOpened> open(const std::string& what) const;
    // The same of exercises.
    Expected<app::ExerciseOpened> openExercise(const std::string& what) const;
    Expected<std::shared_ptr<const lessons::StepOnShow>> prepare(const app::PrepareStep& wanted);

private:
    app::OwnFound find(const app::FindOwn& wanted) const;
    std::vector<Fault> check(const std::string& folder, const std::stop_token& stop) const;

    run::Resources resources_;
    const catalog::Catalog* catalog_;
    std::filesystem::path folder_;  // of the program's lessons
    std::mutex mutex_;              // of the runs
    lessons::LessonRuns runs_;
};

}  // namespace lockstep::shell
