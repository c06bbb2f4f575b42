// Time per picture: each view of a tiled multiply at 1024, and the painting of one.
#include "base/check.h"
#include "explain/cursor/navigation.h"
#include "subjects.h"
#include "viz/cursor/opening.h"
#include "viz/glossary/term_marks.h"
#include "viz/painters/raster/raster.h"
#include "viz/painters/svg/svg.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <algorithm>

namespace lockstep::bench {
namespace {

const viz::Fonts& fonts() {
    static const auto fonts = viz::Fonts::load(LOCKSTEP_FONT_FOLDER);
    CHECK(fonts, "the build copies the fonts");
    return *fonts;
}

// At the first load of a recorded warp from this space: a view has more to show at one or at the other.
viz::Cursor cursorAt(trace::Space space) {
    const run::Run& run = recordedRun();
    viz::Cursor cursor = viz::initialCursor(run);
    const trace::WarpTrace& warp =
        run.recording.trace.find(cursor.launch, cursor.block)->warps[cursor.warp.value];
    const auto wanted = [&](const trace::Step& step) {
        return step.access != trace::Step::kNone && warp.accesses[step.access].space == space &&
               warp.accesses[step.access].kind == trace::AccessKind::Load;
    };
    const auto found = std::ranges::find_if(warp.steps, wanted);
    CHECK(found != warp.steps.end(), "the tiled multiply loads from global and from shared memory");
    cursor.step = u32(found - warp.steps.begin());
    return cursor;
}

viz::Scene build(const viz::ViewRow& view, const viz::Cursor& cursor, viz::ViewCache* kept = nullptr) {
    return view.build({.run = recordedRun(),
                       .cursor = cursor,
                       .profile = recordedRun().profile,
                       .size = {1280, 800},
                       .metrics = fonts(),
                       .cache = kept});
}

viz::Scene stage() { return build(viz::views().front(), cursorAt(trace::Space::Shared)); }

void buildScene(benchmark::State& state, const viz::ViewRow& view, trace::Space space) {
    const viz::Cursor cursor = cursorAt(space);
    build(view, cursor);  // the fonts are there before the clock starts
    for (auto _ : state)
        benchmark::DoNotOptimize(build(view, cursor));
}

// The next frame of a motion: run and cursor are as they were.
void buildAgain(benchmark::State& state, const char* name) {
    const viz::ViewRow& view = *viz::findView(name);
    const viz::Cursor cursor = cursorAt(trace::Space::Shared);
    viz::ViewCache kept;
    build(view, cursor, &kept);
    for (auto _ : state)
        benchmark::DoNotOptimize(build(view, cursor, &kept));
}
BENCHMARK_CAPTURE(buildAgain, stage, "stage")
    ->Name("scene/stage, a later frame")
    ->Unit(benchmark::kMicrosecond)
    ->Apply(withFastest);
BENCHMARK_CAPTURE(buildAgain, read, "read")
    ->Name("scene/read, a later step")
    ->Unit(benchmark::kMicrosecond)
    ->Apply(withFastest);

// Every view with another device's rules: the most that the window redraws when the profile changes, on a
// stored trace.
void switchProfile(benchmark::State& state) {
    const viz::Cursor cursor = cursorAt(trace::Space::Global);
    const model::Profile* profiles[] = {model::findProfile("cc12"), model::findProfile("cc90")};
    std::size_t switched = 0;
    for (auto _ : state) {
        const model::Profile& profile = *profiles[++switched % std::size(profiles)];
        for (const viz::ViewRow& view : viz::views())
            benchmark::DoNotOptimize(view.build({.run = recordedRun(),
                                                 .cursor = cursor,
                                                 .profile = profile,
                                                 .size = {1280, 800},
                                                 .metrics = fonts()}));
    }
}
BENCHMARK(switchProfile)
    ->Name("scene/all views, another profile")
    ->Unit(benchmark::kMicrosecond)
    ->Apply(withFastest);

// What the window adds to a scene that is new: finding the terms of the glossary in it.
void markTerms(benchmark::State& state, const viz::ViewRow& view) {
    const viz::Scene scene = build(view, cursorAt(trace::Space::Shared));
    for (auto _ : state)
        benchmark::DoNotOptimize(viz::markTerms(scene, fonts(), Language::English));
}

void paintSvg(benchmark::State& state) {
    const viz::Scene scene = stage();
    for (auto _ : state)
        benchmark::DoNotOptimize(viz::toSvg(scene, viz::defaultTheme()));
}
BENCHMARK(paintSvg)->Name("paint/stage, SVG")->Unit(benchmark::kMicrosecond)->Apply(withFastest);

void paintPixels(benchmark::State& state) {
    const viz::Scene scene = stage();
    viz::RasterPainter painter(fonts());
    for (auto _ : state)
        benchmark::DoNotOptimize(painter.paint(scene, viz::defaultTheme()));
}
BENCHMARK(paintPixels)->Name("paint/stage, pixels")->Unit(benchmark::kMicrosecond)->Apply(withFastest);

// Two benchmarks a row of the views' table.
[[maybe_unused]] const bool kRegistered = [] {
    const auto add = [](const viz::ViewRow& view, std::string_view where, trace::Space space) {
        const std::string name = "scene/" + std::string(view.name) + std::string(where);
        benchmark::RegisterBenchmark(name.c_str(), buildScene, view, space)
            ->Unit(benchmark::kMicrosecond)
            ->Apply(withFastest);
    };
    for (const viz::ViewRow& view : viz::views()) {
        add(view, " at a global load", trace::Space::Global);
        add(view, " at a shared load", trace::Space::Shared);
        benchmark::RegisterBenchmark(("terms/" + std::string(view.name)).c_str(), markTerms, view)
            ->Unit(benchmark::kMicrosecond)
            ->Apply(withFastest);
    }
    return true;
}();

}  // namespace
}  // namespace lockstep::bench
