// What lessons need done in the background: reads their files, runs the experiments of their steps, judges
// answers. One thing at a time, on any thread.
#pragma once

#include "app/state/action.h"
#include "run/resources.h"

#include <filesystem>
#include <mutex>
#include <vector>

namespace lockstep::shell {

class LessonDesk {
public:
    LessonDesk(const run::Resources& resources, const catalog::Catalog& catalog);

    // The program's own.
    std::vector<app::LessonEntry> list() const;
    // The task's result.
    std::vector<app::Action> carryOut(const app::LessonTask& task, Language language);

    // A lesson of the program by its name, another one by its folder.
    Expected<app::LessonOpened> open(const std::string& what) const;
    Expected<std::shared_ptr<const lessons::StepOnShow>> prepare(const app::PrepareStep& wanted);

private:
    std::filesystem::path folder_;  // of the program's lessons
    std::mutex mutex_;              // of the runs
    lessons::LessonRuns runs_;
};

}  // namespace lockstep::shell
