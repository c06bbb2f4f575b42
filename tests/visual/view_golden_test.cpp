// Each view on a small input, against tests/golden.
#include "../support/kernels_of_others.h"
#include "../support/scene_text.h"
#include "base/text/counted.h"
#include "looked_at.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/playground.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_machine.h"
#include "viz/testing/test_times.h"
#include "viz/view.h"
#include "viz/view_options.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

using namespace viz;

struct Golden {
    const char* file;
    const char* view;
    run::Run run;
    Cursor cursor;
    Size size;
    Language language;
    f32 motion = 1;
    std::optional<run::Run> beside{};
    ViewOptions options{};
    std::vector<const char*> devices{};
    const char* preset = nullptr;
    const TimedRun* times = nullptr;
    std::optional<StepRange> range{};
    const SweepsOnShow* sweeps = nullptr;
    const IssuesOnShow* issues = nullptr;
    const OrdersOnShow* orders = nullptr;
};

Cursor at(Dim3 block, u32 step, u32 lane, u32 warp = 0) {
    return {.launch = {}, .block = block, .warp = Warp{warp}, .lane = Lane{lane}, .step = step};
}

run::Run counted(run::Run run, const std::map<std::string, u64>& counters) {
    for (const auto& [metric, value] : counters)
        run.report.counters[metric] = value;
    return run;
}

const TimedRun& timedOnce() {
    static const TimedRun timed = timedMultiply();
    return timed;
}

const TimedRun& timedTwice() {
    static const TimedRun timed = timedOnTwo();
    return timed;
}

const SweptRun& sweptOnce() {
    static const SweptRun swept = sweptMultiply();
    return swept;
}

// A shipped kernel, whose machine code is shipped, too.
struct IssuedRun {
    run::Run run;
    Cursor cursor;
    IssuesOnShow issues;
};
const IssuedRun& issuedOnce() {
    static const IssuedRun issued = [] {
        Expected<run::Run> run = runShipped("matmul/tiled", {{"width", "16"}});
        EXPECT_TRUE(run) << (run ? "" : describe(run.error()));
        if (!run) return IssuedRun{};
        IssuedRun made{.run = std::move(*run), .cursor = {}, .issues = {}};
        made.cursor = initialCursor(made.run);
        made.issues = issuesAt(made.run, made.cursor);
        return made;
    }();
    return issued;
}

// A kernel that races, and orders of its threads.
struct OrderedRun {
    run::Run run;
    OrdersOnShow orders;
};
OrderedRun orderedRun(const char* kernel, const Settings& settings) {
    Expected<run::Run> run = runShipped(kernel, settings);
    EXPECT_TRUE(run) << (run ? "" : describe(run.error()));
    if (!run) return {};
    OrdersOnShow orders = ordersOf(*run);
    return {std::move(*run), std::move(orders)};
}

ChartOptions chartOf(std::string_view metric) {
    const auto metrics = run::sweepMetrics();
    return {.metric = u16(run::findSweepMetric(metric) - metrics.data() + 1)};
}

std::vector<Golden> goldens() {
    const TimedRun &timed = timedOnce(), &two = timedTwice();
    const SweptRun& swept = sweptOnce();
    const IssuedRun& issued = issuedOnce();
    static const OrderedRun bad =
                                orderedRun("matmul/missing-second-barrier", {{"width", "16"}, {"tile", "8"}}),
                            harmless = orderedRun("matmul/tiled", {{"width", "3"}, {"tile", "2"}});
    Expected<run::Run> ragged = runOfOthers("mm_reg_ragged.cu");
    EXPECT_TRUE(ragged) << describe(ragged.error());
    if (!ragged) return {};
    const run::Run patches = std::move(*ragged);
    Expected<run::Run> shuffled = runOfOthers("red_float4_loads.cu");
    EXPECT_TRUE(shuffled) << describe(shuffled.error());
    if (!shuffled) return {};
    const run::Run threads = std::move(*shuffled);
    Expected<run::Run> prefetching = runOfOthers("mm_reg_double_buffer.cu");
    EXPECT_TRUE(prefetching) << describe(prefetching.error());
    if (!prefetching) return {};
    const run::Run ahead = std::move(*prefetching);
    const run::Run checked = tiledMatmul(3, 2, true), unchecked = tiledMatmul(3, 2, false);
    return {
        {"stage/load", "stage", checked, at({1, 1, 0}, 7, 2), {747, 562}, Language::English},
        {"stage/load-halfway", "stage", checked, at({1, 1, 0}, 7, 2), {747, 562}, Language::English, 0.5f},
        {"stage/keep", "stage", checked, at({0, 0, 0}, 8, 0), {747, 562}, Language::Chinese},
        {"stage/multiply", "stage", checked, at({0, 0, 0}, 17, 1), {747, 562}, Language::English},
        {"stage/alias", "stage", unchecked, at({0, 0, 0}, 21, 1), {900, 640}, Language::English},
        {"stage/magnified",
         "stage",
         tiledMatmul(32, 8, true),
         at({1, 1, 0}, 7, 5, 1),
         {1280, 684},
         Language::English},
        {"stage/patch-load", "stage", patches, at({0, 0, 0}, 75, 1), {747, 420}, Language::Chinese, 0.5f},
        {"stage/patch-product", "stage", patches, at({0, 0, 0}, 214, 6), {747, 420}, Language::English},
        {"stage/buffers", "stage", columnRead(33), at({1, 0, 0}, 1, 9), {747, 520}, Language::English},
        {"stage/transpose-load",
         "stage",
         transpose(16, 8, 9),
         at({0, 1, 0}, 1, 10),
         {747, 520},
         Language::English},
        {"stage/transpose-store",
         "stage",
         transpose(16, 8, 9),
         at({0, 1, 0}, 7, 17),
         {747, 520},
         Language::Chinese},
        {"stage/transpose-naive",
         "stage",
         transpose(16, 8, 0),
         at({0, 1, 0}, 2, 3),
         {747, 520},
         Language::English,
         0.5f},
        {"stage/coalescing", "stage", stridedCopy(2), at({0, 0, 0}, 1, 5), {747, 520}, Language::English},
        {"stage/coalescing-ahead",
         "stage",
         stridedCopy(1),
         at({0, 0, 0}, 0, 5),
         {747, 520},
         Language::Chinese},
        {"stage/reduction", "stage", treeSum(64), at({0, 0, 0}, 11, 5), {747, 520}, Language::English},
        {"stage/reduction-start",
         "stage",
         treeSum(16),
         at({0, 0, 0}, 6, 3),
         {747, 520},
         Language::Chinese,
         0.5f},
        {"stage/prefetch", "stage", ahead, at({0, 0, 0}, 60, 5), {900, 560}, Language::English},
        {"stage/threads-own", "stage", threads, at({0, 0, 0}, 24, 5), {747, 420}, Language::Chinese},
        {"stage/threads", "stage", threads, at({0, 0, 0}, 40, 5), {747, 520}, Language::English},
        {"stage/stencil", "stage", stencil(6, 6, 2), at({1, 1, 0}, 15, 1), {747, 420}, Language::English},
        {"stage/stencil-halo", "stage", stencil(6, 6, 2), at({1, 1, 0}, 5, 2), {747, 420}, Language::Chinese},
        {"stage/divergence", "stage", parity(), at({0, 0, 0}, 6, 3), {747, 300}, Language::English},
        {"stage/histogram", "stage", histogram(), at({0, 0, 0}, 1, 5), {747, 420}, Language::English},
        {"stage/scan", "stage", scan(), at({0, 0, 0}, 11, 6), {747, 420}, Language::Chinese},
        {"banks/histogram", "banks", histogram(), at({0, 0, 0}, 1, 5), {747, 420}, Language::English},
        {"banks/histogram-float",
         "banks",
         histogram("atom.shared.add.f32 %f2, [%r1], 0f3F800000"),
         at({0, 0, 0}, 1, 5),
         {747, 420},
         Language::Chinese},
        {"banks/scan", "banks", scan(), at({0, 0, 0}, 4, 6), {560, 320}, Language::Chinese},
        {"sectors/stencil", "sectors", stencil(6, 6, 2), at({1, 1, 0}, 6, 2), {560, 400}, Language::English},
        {"lanes/divergence", "lanes", parity(), at({0, 0, 0}, 2, 3), {747, 320}, Language::English},
        {"timeline/divergence", "timeline", parity(), at({0, 0, 0}, 3, 4), {747, 160}, Language::Chinese},
        {"timeline/scan", "timeline", scan(), at({0, 0, 0}, 11, 6), {747, 160}, Language::English},
        {"source/scan", "source", scan(), at({0, 0, 0}, 4, 6), {460, 360}, Language::English},
        {"findings/race", "findings", histogram(), at({0, 0, 0}, 0, 3), {747, 300}, Language::English},
        {"compare/source",
         "compare",
         tiledMatmul(3, 2, true),
         at({1, 1, 0}, 7, 2),
         {1000, 520},
         Language::English,
         1,
         tiledMatmul(3, 2, false),
         CompareOptions{"source", Tie::Phase, {}}},
        {"banks/conflict", "banks", columnRead(32), at({1, 0, 0}, 1, 9), {1060, 720}, Language::English},
        {"banks/padded", "banks", columnRead(33), at({1, 0, 0}, 1, 9), {747, 520}, Language::Chinese},
        {"sectors/plain", "sectors", checked, at({1, 1, 0}, 7, 1), {747, 520}, Language::English},
        {"sectors/three",
         "sectors",
         tiledMatmul(64, 16, true),
         at({1, 1, 0}, 7, 3),
         {1440, 700},
         Language::English},
        {"sectors/chosen",
         "sectors",
         tiledMatmul(64, 16, true),
         at({1, 1, 0}, 7, 3),
         {747, 520},
         Language::Chinese,
         1,
         {},
         {},
         {"cc90", "cc11", "cc20"}},
        {"playground/plain",
         "playground",
         {},
         {},
         {1320, 640},
         Language::English,
         1,
         {},
         {},
         {},
         "column-padded"},
        {"playground/global",
         "playground",
         {},
         {},
         {747, 700},
         Language::Chinese,
         1,
         {},
         {},
         {"cc10", "cc90"},
         "swapped"},
        {"playground/small",
         "playground",
         {},
         {},
         {560, 420},
         Language::English,
         1,
         {},
         {},
         {},
         "four-words"},
        {"lanes/plain", "lanes", checked, at({1, 1, 0}, 7, 2), {747, 520}, Language::English},
        {"timeline/plain", "timeline", checked, at({1, 1, 0}, 8, 2), {1440, 160}, Language::English},
        {"timeline/range",
         "timeline",
         tiledMatmul(32, 8, true),
         at({1, 1, 0}, 8, 2, 1),
         {1280, 186},
         Language::English,
         1,
         {},
         {},
         {},
         nullptr,
         nullptr,
         StepRange{.launch = {}, .block = {1, 1, 0}, .warp = Warp{1}, .first = 2, .last = 19}},
        {"timeline/range-narrow",
         "timeline",
         checked,
         at({1, 1, 0}, 8, 2),
         {800, 140},
         Language::Chinese,
         1,
         {},
         {},
         {},
         nullptr,
         nullptr,
         StepRange{.launch = {}, .block = {1, 1, 0}, .warp = Warp{0}, .first = 7, .last = 9}},
        {"source/plain", "source", checked, at({1, 1, 0}, 8, 2), {460, 675}, Language::English},
        {"source/machine",
         "source",
         tiledMatmulMachine(checked),
         at({1, 1, 0}, 8, 2),
         {820, 420},
         Language::English,
         1,
         {},
         SourceOptions{SourceTab::Machine}},
        {"source/machine-narrow",
         "source",
         tiledMatmulMachine(checked),
         at({1, 1, 0}, 8, 2),
         {460, 420},
         Language::Chinese,
         1,
         {},
         SourceOptions{SourceTab::Machine}},
        {"findings/none", "findings", checked, at({1, 1, 0}, 8, 2), {747, 520}, Language::Chinese},
        {"compare/banks",
         "compare",
         counted(columnRead(32), {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 64},
                                  {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", 62}}),
         at({1, 0, 0}, 1, 9),
         {1440, 786},
         Language::English,
         1,
         counted(columnRead(33), {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 2},
                                  {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", 0}}),
         CompareOptions{"banks", Tie::Phase, {}}},
        {"compare/stage-stacked",
         "compare",
         counted(treeSum(64), {{"ptx__inst_executed", 72}}),
         at({0, 0, 0}, 11, 5),
         {1280, 720},
         Language::Chinese,
         0.5f,
         counted(treeSum(32), {{"ptx__inst_executed", 29}}),
         CompareOptions{"stage", Tie::Phase, {}}},
        {"compare/lanes",
         "compare",
         tiledMatmul(3, 2, true),
         at({1, 1, 0}, 7, 2),
         {900, 520},
         Language::English,
         1,
         tiledMatmul(3, 2, false),
         CompareOptions{"lanes", Tie::Step, {}}},
        {"memory/none", "memory", checked, at({1, 1, 0}, 8, 2), {747, 520}, Language::English},
        {"memory/plain", "memory", timed.run, at({1, 1, 0}, 7, 3), {920, 760}, Language::English},
        {"memory/narrow", "memory", timed.run, at({1, 1, 0}, 8, 3), {460, 600}, Language::Chinese},
        {"times/plain", "times", timed.run, at({1, 1, 0}, 7, 3), {1440, 640}, Language::English},
        {"times/narrow", "times", timed.run, at({1, 1, 0}, 7, 3), {460, 760}, Language::Chinese},
        {"times/two",
         "times",
         two.run,
         at({1, 1, 0}, 7, 3),
         {1440, 640},
         Language::English,
         1,
         {},
         {},
         {},
         nullptr,
         &two},
        {"times/two-narrow",
         "times",
         two.run,
         at({1, 1, 0}, 7, 3),
         {460, 760},
         Language::Chinese,
         1,
         {},
         {},
         {},
         nullptr,
         &two},
        {"chart/times",
         "chart",
         swept.timed.run,
         at({1, 1, 0}, 7, 3),
         {1000, 560},
         Language::English,
         1,
         {},
         {},
         {},
         nullptr,
         &swept.timed},
        {"chart/swept",
         "chart",
         swept.timed.run,
         at({1, 1, 0}, 7, 3),
         {640, 480},
         Language::Chinese,
         1,
         {},
         chartOf("sectors_per_request"),
         {},
         nullptr,
         &swept.timed,
         {},
         &swept.sweeps},
        {"issue/around",
         "issue",
         issued.run,
         issued.cursor,
         {700, 400},
         Language::English,
         1,
         {},
         {},
         {},
         nullptr,
         nullptr,
         {},
         nullptr,
         &issued.issues},
        {"issue/hiding",
         "issue",
         issued.run,
         issued.cursor,
         {560, 400},
         Language::English,
         1,
         {},
         IssueOptions{.zoom = IssueZoom::Hiding},
         {},
         nullptr,
         nullptr,
         {},
         nullptr,
         &issued.issues},
        {"waits/tiled",
         "waits",
         issued.run,
         issued.cursor,
         {1080, 460},
         Language::English,
         1,
         {},
         {},
         {},
         nullptr,
         nullptr,
         {},
         nullptr,
         &issued.issues},
        {"orders/changed",
         "orders",
         bad.run,
         at({0, 0, 0}, 0, 0),
         {1000, 560},
         Language::English,
         1,
         {},
         {},
         {},
         nullptr,
         nullptr,
         {},
         nullptr,
         nullptr,
         &bad.orders},
        {"orders/narrow",
         "orders",
         bad.run,
         at({0, 0, 0}, 0, 0),
         {560, 520},
         Language::Chinese,
         1,
         {},
         {},
         {},
         nullptr,
         nullptr,
         {},
         nullptr,
         nullptr,
         &bad.orders},
        {"orders/none",
         "orders",
         harmless.run,
         at({0, 0, 0}, 0, 0),
         {747, 420},
         Language::English,
         1,
         {},
         {},
         {},
         nullptr,
         nullptr,
         {},
         nullptr,
         nullptr,
         &harmless.orders},
        {"memory/two",
         "memory",
         two.run,
         at({1, 1, 0}, 7, 3),
         {920, 760},
         Language::English,
         1,
         {},
         {},
         {},
         nullptr,
         &two},
    };
}

const std::vector<Golden>& all() {
    static const std::vector<Golden> goldens_ = goldens();
    return goldens_;
}

const Fonts& fonts() {
    static const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    return fonts.value();
}

class GoldenTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GoldenTest, LooksAsItDid) {
    const Golden& g = all()[GetParam()];
    std::optional<ComparedRun> beside;
    if (g.beside)
        beside.emplace(*g.beside, tied(g.run, g.cursor, *g.beside, optionsAs<CompareOptions>(g.options).tie),
                       model::defaultProfile(), g.motion);
    std::vector<const model::Profile*> devices;
    for (const char* name : g.devices)
        devices.push_back(model::findProfile(name));
    Playground playground;
    if (g.preset) playground.pattern = model::findAccessPreset(g.preset)->pattern;
    playground.lane = Lane{3};
    const Scene scene = findView(g.view)->build({.run = g.run,
                                                 .cursor = g.cursor,
                                                 .profile = model::defaultProfile(),
                                                 .size = g.size,
                                                 .language = g.language,
                                                 .metrics = fonts(),
                                                 .motion = g.motion,
                                                 .state = {.pan = {}, .zoom = 0, .options = g.options},
                                                 .machines = &(g.times ? *g.times : timedOnce()).machines,
                                                 .compared = beside ? &*beside : nullptr,
                                                 .devices = devices,
                                                 .playground = &playground,
                                                 .range = g.range,
                                                 .sweeps = g.sweeps,
                                                 .issues = g.issues,
                                                 .orders = g.orders});
    expectGolden(g.file, scene);
}

std::string nameOf(const ::testing::TestParamInfo<std::size_t>& info) {
    std::string name = all()[info.param].file;
    std::ranges::replace(name, '/', '_');
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Every, GoldenTest, ::testing::Range(std::size_t{0}, all().size()), nameOf);

}  // namespace
}  // namespace lockstep
