// The worked example of the tiled multiply, to the letter: width 3, tile 2. The course counts rows first,
// also of threads: its thread (1,0) has y=1 and x=0, in the program thread (x 0, y 1). One sentence of the
// course counts x first: the thread of block (1,1) that owns no element of P and must load M[2][1] is thread
// (x 1, y 0).
#include "base/device_addresses.h"
#include "catalog/catalog.h"
#include "run/run.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

constexpr u32 kWidth = 3;

struct Cell {
    u32 row = 0, column = 0;
    auto operator<=>(const Cell&) const = default;
};

Expected<run::Run> runOf(const char* variantName) {
    const Expected<catalog::Catalog> catalog = catalog::Catalog::read(LOCKSTEP_SOURCE_DIR "/kernels");
    if (!catalog) return Unexpected{catalog.error()};
    const auto found = catalog->lookUp(std::string("matmul/") + variantName);
    if (!found) return Unexpected{found.error()};
    const std::vector<std::pair<std::string, std::string>> settings{{"width", "3"}, {"tile", "2"}};
    const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, settings);
    if (!values) return Unexpected{values.error()};
    Expected<run::Experiment> experiment =
        run::open({LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, *values);
    if (!experiment) return Unexpected{experiment.error()};
    run::Options options;
    options.emulator.focusAll = true;
    Expected<run::Run> run = run::run(std::move(*experiment), options);
    if (run) run->catalog.reset();  // it points into the catalog, which ends here
    return run;
}

// Which thread of the block (row first) reaches for which element of the buffer (0: M, 1: N, 2: P), counted
// along the rows. `phase` is of loads only.
std::vector<std::pair<Cell, u64>> accesses(const run::Run& run, Dim3 block, u32 phase, u32 buffer,
                                           trace::AccessKind kind) {
    std::vector<std::pair<Cell, u64>> result;
    const trace::FocusBlock* focus = run.recording.trace.find(LaunchId{0}, block);
    if (!focus) {
        ADD_FAILURE() << "the block was not recorded";
        return result;
    }
    const trace::WarpTrace& warp = focus->warps[0];
    for (u32 step = 0; step < warp.steps.size(); ++step) {
        if (warp.steps[step].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[warp.steps[step].access];
        if (access.space != trace::Space::Global || access.kind != kind) continue;
        if (kind == trace::AccessKind::Load && warp.phaseOf(step) / 2 != phase)
            continue;  // two barriers a phase
        for (Lane lane : access.active) {
            const u64 offset = warp.address(access, lane) - deviceAddressOf(buffer);
            if (offset < 4096) result.push_back({Cell{lane.value / 2, lane.value % 2}, offset / sizeof(f32)});
        }
    }
    return result;
}

// Threads that access an element beyond a row or the last one, and that element. In memory it is another:
// M[0][3] is M[1][0].
std::set<std::pair<Cell, Cell>> missing(const run::Run& run, Dim3 block, u32 phase, u32 buffer) {
    std::set<std::pair<Cell, Cell>> result;
    for (const auto& [thread, linear] : accesses(run, block, phase, buffer, trace::AccessKind::Load)) {
        const Cell asked = buffer == 0 ? Cell{block.y * 2 + thread.row, phase * 2 + thread.column}
                                       : Cell{phase * 2 + thread.row, block.x * 2 + thread.column};
        EXPECT_EQ(linear, asked.row * kWidth + asked.column);
        if (asked.row >= kWidth || asked.column >= kWidth) result.insert({thread, asked});
    }
    return result;
}

TEST(WorkedExample, WithoutChecksReachesForWhatDoesNotExist) {
    const Expected<run::Run> run = runOf("tiled");
    ASSERT_TRUE(run) << describe(run.error());
    using Missing = std::set<std::pair<Cell, Cell>>;
    const Dim3 first{0, 0, 0}, last{1, 1, 0};
    EXPECT_EQ(missing(*run, first, 1, 0), (Missing{{{0, 1}, {0, 3}}, {{1, 1}, {1, 3}}}));
    EXPECT_EQ(missing(*run, first, 1, 1), (Missing{{{1, 0}, {3, 0}}, {{1, 1}, {3, 1}}}));
    EXPECT_EQ(missing(*run, last, 0, 0), (Missing{{{1, 0}, {3, 0}}, {{1, 1}, {3, 1}}}));
    EXPECT_EQ(missing(*run, last, 0, 1), (Missing{{{0, 1}, {0, 3}}, {{1, 1}, {1, 3}}}));
    EXPECT_TRUE(missing(*run, first, 0, 0).empty() && missing(*run, first, 0, 1).empty());
}

TEST(WorkedExample, WithChecksLoadsForOthersWhereThereIsNoElementOfItsOwn) {
    const Expected<run::Run> run = runOf("tiled-bounds");
    ASSERT_TRUE(run) << describe(run.error());
    const Dim3 last{1, 1, 0};
    // Of the four threads only (0,0) owns an element of P.
    EXPECT_EQ(accesses(*run, last, 0, 2, trace::AccessKind::Store),
              (std::vector<std::pair<Cell, u64>>{{{0, 0}, 2 * kWidth + 2}}));
    using Loads = std::vector<std::pair<Cell, u64>>;
    EXPECT_EQ(accesses(*run, last, 0, 0, trace::AccessKind::Load),
              (Loads{{{0, 0}, 2 * kWidth + 0}, {{0, 1}, 2 * kWidth + 1}}));
    EXPECT_EQ(accesses(*run, last, 0, 1, trace::AccessKind::Load),
              (Loads{{{0, 0}, 0 * kWidth + 2}, {{1, 0}, 1 * kWidth + 2}}));
    EXPECT_EQ(run->correct(), true);
}

}  // namespace
}  // namespace lockstep
