// A comparison of any two variants of a family opens where they differ: if one access costs more sectors or
// wavefronts than its counterpart, so does the one that is shown first.
#include "explain/cursor/navigation.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"
#include "support/run_shipped.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/opening.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

const trace::StoredAccess* accessAt(const trace::WarpTrace& warp, u32 step) {
    const u32 at = warp.steps[step].access;
    return at == trace::Step::kNone ? nullptr : &warp.accesses[at];
}

// Counted here, and not as the program does: sectors of global memory, wavefronts of shared memory as if it
// were no atomic.
u64 costOf(const run::Run& run, const trace::WarpTrace& warp, const trace::StoredAccess& access) {
    const trace::WarpAccess whole = warp.unpack(access);
    if (access.space == trace::Space::Global) return model::globalCost(whole, run.profile).sectors;
    return access.space == trace::Space::Shared ? model::sharedWavefronts(whole, run.profile) : 0;
}

bool differAt(const run::Run& a, const viz::Cursor& at, const run::Run& b) {
    const viz::Cursor to = viz::tied(a, at, b, viz::Tie::Phase);
    const viz::CursorContext here = viz::lookUp(a, at), there = viz::lookUp(b, to);
    if (to.launch != at.launch || to.block != at.block || to.warp != at.warp || !here.access || !there.access)
        return false;
    if (here.access->space != there.access->space || here.access->kind != there.access->kind ||
        trace::isAtomic(here.access->kind))
        return false;
    return costOf(a, *here.warp, *here.access) != costOf(b, *there.warp, *there.access);
}

// The first access of any recorded block and warp whose cost differs.
std::optional<viz::Cursor> anyDifference(const run::Run& a, const run::Run& b) {
    constexpr u32 kMostSteps = 600;
    for (const trace::FocusBlock& block : a.recording.trace.blocks)
        for (u32 w = 0; w < block.warps.size(); ++w)
            for (u32 step = 0; step < std::min<std::size_t>(block.warps[w].steps.size(), kMostSteps);
                 ++step) {
                const viz::Cursor at{
                    .launch = block.launch, .block = block.block, .warp = Warp{w}, .lane = {}, .step = step};
                if (accessAt(block.warps[w], step) && differAt(a, at, b)) return at;
            }
    return std::nullopt;
}

Settings settingsOf(const std::string& family, const catalog::Variant& variant) {
    static const std::map<std::string, Settings> kSmall{
        {"matmul", {{"width", "16"}, {"tile", "8"}}},
        {"reduction", {{"n", "256"}, {"block", "64"}}},
        {"scan", {{"n", "64"}, {"block", "32"}}},
        {"histogram", {{"n", "256"}, {"blocks", "2"}, {"block", "64"}}},
        {"stencil", {{"rows", "12"}, {"columns", "12"}, {"tile", "8"}}},
        {"transpose", {{"rows", "64"}, {"columns", "64"}}}};
    Settings taken;
    if (const auto small = kSmall.find(family); small != kSmall.end())
        for (const auto& setting : small->second)
            if (std::ranges::find(variant.parameters, setting.first) != variant.parameters.end())
                taken.push_back(setting);
    return taken;
}

TEST(CompareOpening, ShowsADifferenceWhereThereIsOne) {
    u32 compared = 0, different = 0;
    for (const catalog::Family& family : shipped().families()) {
        std::vector<std::pair<std::string, run::Run>> runs;
        for (const catalog::Variant& variant : family.variants)
            if (Expected<run::Run> run =
                    runShipped(family.name + "/" + variant.name, settingsOf(family.name, variant)))
                runs.emplace_back(variant.name, std::move(*run));
        // Each with the next, and the first with all: what students put beside each other.
        for (std::size_t i = 0; i < runs.size(); ++i)
            for (std::size_t j = i + 1; j < (i == 0 ? runs.size() : std::min(i + 2, runs.size())); ++j) {
                const auto& [nameA, a] = runs[i];
                const auto& [nameB, b] = runs[j];
                ++compared;
                const auto isWrong = [](const run::Run& run) {
                    return std::ranges::any_of(run.recording.findings, [](const trace::Finding& f) {
                        return !trace::isRemark(f.kind);
                    });
                };
                if (isWrong(a) != isWrong(b)) continue;  // it opens at the mistake
                const std::optional<viz::Cursor> somewhere = anyDifference(a, b);
                if (!somewhere) continue;
                ++different;
                const viz::Cursor opening =
                    viz::greatestDifference(a, viz::initialCursor(a), b, viz::Tie::Phase);
                EXPECT_TRUE(differAt(a, opening, b))
                    << family.name << ": " << nameA << " beside " << nameB << " opens at step "
                    << opening.step + 1 << " of warp " << opening.warp.value << ", launch "
                    << opening.launch.value << ", but they differ at step " << somewhere->step + 1
                    << " of warp " << somewhere->warp.value;
            }
    }
    EXPECT_GT(compared, 80u);
    EXPECT_GT(different, 30u);
}

}  // namespace
}  // namespace lockstep
