// A place of a lesson's step found in a run: the experiment is run once for each choice of its parameters.
#pragma once

#include "base/cursor.h"
#include "explain/cursor/lookup.h"
#include "lessons/lesson.h"
#include "lessons/run_facts.h"
#include "run/own/own_kernel.h"
#include "run/run.h"

#include <map>
#include <memory>
#include <optional>

namespace lockstep::lessons {

// What questions ask about.
struct PlaceOnShow {
    std::shared_ptr<const run::Run> run;
    Cursor cursor;
    explain::CursorContext here;                // of it
    std::optional<trace::WarpAccess> access{};  // of its step
    u32 round = 1;                              // of a sum in shared memory
    std::shared_ptr<RunFacts> facts{};          // of the run
    RunFacts::Settings recorded{};              // of a recording, in place of the run's

    // Lanes that execute the step: of a branch all that come to it.
    LaneMask active() const;
    const trace::WarpTrace& warp() const { return *here.warp; }
};

// A kernel of the lesson's folder with its whole launch.
struct OwnExperiment {
    std::filesystem::path file;
    std::string entry;
    run::LaunchText launch;
};

// Opens and runs experiments, and keeps them.
class LessonRuns {
public:
    LessonRuns(run::Resources resources, const catalog::Catalog& catalog)
        : resources_(std::move(resources)), catalog_(&catalog) {}

    // Fault: no such kernel, parameter, block, warp, line or step; with the line of the key that says so, of
    // no file's name.
    Expected<PlaceOnShow> find(const Place& place);
    // The parameters of its kernel, as set; of a file, its macros that are whole numbers.
    Expected<catalog::Values> valuesOf(const Place& place) const;
    // Those parameters or macros of a place with values that are words: {"word", "float4"}.
    std::map<std::string, std::string, std::less<>> wordsOf(const Place& place) const;
    // Of a place whose kernel is a file.
    Expected<OwnExperiment> ownOf(const Place& place);
    const catalog::Catalog& catalog() const { return *catalog_; }

private:
    struct Kept {
        std::shared_ptr<const run::Run> run;
        std::shared_ptr<RunFacts> facts;
    };
    Expected<Kept> runOf(const Place& place);
    Expected<run::Experiment> experimentOf(const Place& place, const catalog::Values& values);

    run::Resources resources_;
    const catalog::Catalog* catalog_;
    std::map<std::string, Fault> endless_;      // what did not come to its end, by the same
    std::map<std::string, Kept> runs_;          // by kernel, values, profile and block
    std::map<std::string, OwnExperiment> own_;  // by file, its time, launch and macros
};

}  // namespace lockstep::lessons
