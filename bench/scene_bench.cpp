// How long a picture takes: each view of a tiled multiply at 1024, in the middle of its first phase; and its
// painting.
#include "base/check.h"
#include "subjects.h"
#include "viz/fonts.h"
#include "viz/navigation.h"
#include "viz/painters/raster/raster.h"
#include "viz/painters/svg/svg.h"
#include "viz/view.h"

#include <algorithm>

namespace lockstep::bench {
namespace {

const viz::Fonts& fonts() {
    static const auto fonts = viz::Fonts::load(LOCKSTEP_FONT_FOLDER);
    CHECK(fonts, "the build copies the fonts");
    return *fonts;
}

// In the second phase, at its first load from shared memory: every view has something to show.
viz::Cursor findCursor() {
    const run::Run& run = recordedRun();
    viz::Cursor cursor = viz::startOfPhase(run, viz::initialCursor(run), 1);
    const trace::WarpTrace& warp =
        run.recording.trace.find(cursor.launch, cursor.block)->warps[cursor.warp.value];
    const auto isSharedLoad = [&](const trace::Step& step) {
        return step.access != trace::Step::kNone &&
               warp.accesses[step.access].space == trace::Space::Shared &&
               warp.accesses[step.access].kind == trace::AccessKind::Load;
    };
    cursor.step = u32(std::find_if(warp.steps.begin() + cursor.step, warp.steps.end(), isSharedLoad) -
                      warp.steps.begin());
    CHECK(cursor.step < warp.steps.size(), "a phase of the tiled multiply reads its tiles");
    return cursor;
}

const viz::Cursor& cursor() {
    static const viz::Cursor cursor = findCursor();
    return cursor;
}

viz::Scene build(const viz::ViewRow& view, viz::Kept* kept = nullptr) {
    return view.build({.run = recordedRun(),
                       .cursor = cursor(),
                       .profile = recordedRun().profile,
                       .size = {1280, 800},
                       .metrics = fonts(),
                       .kept = kept});
}

void buildScene(benchmark::State& state, const viz::ViewRow& view) {
    build(view);  // the run and the fonts are there before the clock starts
    for (auto _ : state)
        benchmark::DoNotOptimize(build(view));
}

// The next frame of a motion: run and cursor are as they were.
void buildStageAgain(benchmark::State& state) {
    viz::Kept kept;
    build(viz::views().front(), &kept);
    for (auto _ : state)
        benchmark::DoNotOptimize(build(viz::views().front(), &kept));
}
BENCHMARK(buildStageAgain)
    ->Name("scene/stage, a later frame")
    ->Unit(benchmark::kMillisecond)
    ->Apply(withFastest);

void paintSvg(benchmark::State& state) {
    const viz::Scene scene = build(viz::views().front());
    for (auto _ : state)
        benchmark::DoNotOptimize(viz::toSvg(scene, viz::defaultTheme()));
}
BENCHMARK(paintSvg)->Name("paint/stage, SVG")->Unit(benchmark::kMillisecond)->Apply(withFastest);

void paintPixels(benchmark::State& state) {
    const viz::Scene scene = build(viz::views().front());
    viz::RasterPainter painter(fonts());
    for (auto _ : state)
        benchmark::DoNotOptimize(painter.paint(scene, viz::defaultTheme()));
}
BENCHMARK(paintPixels)->Name("paint/stage, pixels")->Unit(benchmark::kMillisecond)->Apply(withFastest);

// One benchmark a row of the views' table.
[[maybe_unused]] const bool kRegistered = [] {
    for (const viz::ViewRow& view : viz::views())
        benchmark::RegisterBenchmark(("scene/" + std::string(view.name)).c_str(), buildScene, view)
            ->Unit(benchmark::kMillisecond)
            ->Apply(withFastest);
    return true;
}();

}  // namespace
}  // namespace lockstep::bench
