// What comes before the picture when a parameter or a variant changes: opening the experiment, running the
// blocks that are shown first, the stage of them. Processor time of all threads, of which the window waits
// for every part.
#include "base/check.h"
#include "explain/cursor/same_place.h"
#include "run/partial_result.h"
#include "subjects.h"
#include "viz/cursor/opening.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace lockstep::bench {
namespace {

struct Change {
    const char* name;
    Settings settings;
};
// The largest that each family is changed to in a lecture, and kernels that are hard to follow.
const std::array kChanges{
    Change{"matmul/naive", {{"width", "2048"}}},
    Change{"matmul/tiled", {{"width", "2048"}}},
    Change{"matmul/tiled", {{"width", "2048"}, {"tile", "32"}}},
    Change{"matmul/register-1d", {{"width", "1024"}}},
    Change{"matmul/register-2d", {{"width", "1024"}}},
    Change{"matmul/warp-tiled", {{"width", "1024"}}},
    Change{"matmul/double-buffered", {{"width", "1024"}}},
    Change{"transpose/naive", {{"rows", "4096"}, {"columns", "4096"}}},
    Change{"transpose/shared-swizzled", {{"rows", "2048"}, {"columns", "2048"}}},
    Change{"reduction/v0", {{"n", "1048576"}}},
    Change{"reduction/grid-stride", {{"n", "1048576"}}},
    Change{"scan/blelloch", {{"n", "1048576"}, {"block", "512"}}},
    Change{"stencil/tiled", {{"rows", "1024"}, {"columns", "1024"}}},
    Change{"histogram/global-atomics", {{"n", "1048576"}}},
    Change{"histogram/private-copies", {{"n", "1048576"}}},
    Change{"coalescing/scattered", {{"n", "1048576"}}},
    Change{"coalescing/stride", {{"n", "1048576"}}},
    Change{"divergence/trip-counts", {{"n", "1048576"}}},
    Change{"divergence/switch-by-lane", {{"n", "1048576"}}},
};

const viz::Fonts& fonts() {
    static const auto fonts = viz::Fonts::load(LOCKSTEP_FONT_FOLDER);
    CHECK(fonts, "the build copies the fonts");
    return *fonts;
}

// The run as it is first shown, and no more of it. arrived() is called when it is there.
run::Run shownFirst(run::Experiment experiment, const std::function<void()>& arrived) {
    std::optional<run::Run> first;
    Progress progress;
    run::Options options;
    options.emulator.progress = &progress;
    constexpr u64 kSmallGrid = 16;
    options.emulator.focusAll = experiment.launches.front().grid.count() <= kSmallGrid;  // as in the window
    const auto take = [&](const run::Run& run) {
        if (first) return;
        arrived();
        first = run;
        progress.cancelled = true;
    };
    const auto takeFocus = [&](const std::shared_ptr<run::Run>& run) { take(*run); };
    // A change keeps the cursor's place: its block comes first.
    auto whole =
        run::run(std::move(experiment), options, {.focus = takeFocus, .run = take, .block = Dim3{0, 0, 0}});
    CHECK(first || whole, "the catalog's kernel runs");
    if (!first) arrived();
    return first ? std::move(*first) : std::move(*whole);
}

void openAgain(benchmark::State& state, const Change& change) {
    for (auto _ : state)
        benchmark::DoNotOptimize(experiment(change.name, change.settings));
}

void runAgain(benchmark::State& state, const Change& change) {
    const run::Experiment opened = experiment(change.name, change.settings);
    for (auto _ : state) {
        state.PauseTiming();
        run::Experiment again = opened;
        state.ResumeTiming();
        benchmark::DoNotOptimize(shownFirst(std::move(again), [&] { state.PauseTiming(); }));
        state.ResumeTiming();  // as the end of an iteration wants it
    }
}

void stageAnew(benchmark::State& state, const Change& change) {
    const run::Run run = shownFirst(experiment(change.name, change.settings), [] {});
    const viz::Cursor before = viz::initialCursor(run);
    for (auto _ : state) {
        viz::ViewCache kept;
        const auto cursor = explain::samePlace(run, before, run);
        CHECK(cursor, "it is in the block that was run");
        benchmark::DoNotOptimize(viz::findView("stage")->build({.run = run,
                                                                .cursor = *cursor,
                                                                .profile = run.profile,
                                                                .size = {860, 560},
                                                                .metrics = fonts(),
                                                                .cache = &kept}));
    }
}

[[maybe_unused]] const bool kRegistered = [] {
    for (const Change& change : kChanges) {
        std::string name = std::string("change/") + change.name;
        for (const auto& [parameter, value] : change.settings)
            name.append(", ").append(parameter).append(" ").append(value);
        const auto add = [&](const char* part, void (*measure)(benchmark::State&, const Change&)) {
            benchmark::RegisterBenchmark(
                (name + ": " + part).c_str(),
                [measure, &change](benchmark::State& state) { measure(state, change); })
                ->Unit(benchmark::kMillisecond)
                ->MeasureProcessCPUTime()
                ->Apply(withFastest);
        };
        add("open", openAgain);
        add("run", runAgain);
        add("stage", stageAnew);
    }
    return true;
}();

}  // namespace
}  // namespace lockstep::bench
