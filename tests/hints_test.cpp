// Performance hints over the catalog: silent on the variants that are as good as they get, and elsewhere the
// right one first, with the variant that cures it.
#include "explain/hints/hints.h"

#include "run/find_hints.h"
#include "support/run_shipped.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

run::Run ran(const std::string& name, const Settings& settings = {}) {
    Expected<run::Run> run = runShipped(name, settings);
    EXPECT_TRUE(run) << name << ": " << (run ? "" : describe(run.error()));
    if (!run) return {};
    run::findFixes({LOCKSTEP_SOURCE_DIR}, *run);
    return std::move(*run);
}

TEST(HintsOfTheCatalog, AreSilentOnItsBestVariants) {
    const std::pair<const char*, Settings> kBest[] = {
        {"banks/swizzle", {}},
        {"banks/histogram-interleaved", {}},
        {"coalescing/sequential", {}},
        {"coalescing/structure-of-arrays", {}},
        {"coalescing/words", {}},
        {"coalescing/scattered", {}},  // where data say what to load
        {"coalescing/store-whole-sectors", {{"sectors", "4096"}}},
        {"divergence/by-warp", {}},
        {"histogram/private-copies", {}},
        {"matmul/tiled", {}},
        {"matmul/tiled-bounds", {{"width", "70"}}},
        {"matmul/padded", {}},
        {"matmul/double-buffered", {}},
        {"matmul/warp-tiled", {}},
        {"matmul/rectangular", {}},
        {"reduction/v6-syncwarp", {}},
        {"reduction/shuffle", {}},
        {"reduction/grid-stride", {{"n", "65536"}}},
        {"reduction/single-pass", {{"n", "65536"}}},
        {"scan/shuffle", {}},
        {"scan/blelloch-padded", {}},
        {"stencil/global", {}},  // L1 serves its neighbors
        {"stencil/tiled", {}},
        {"transpose/copy", {}},
        {"transpose/shared-padded", {}},
        {"transpose/shared-swizzled", {}},
        {"transpose/registers-shared", {}},
        {"transpose/registers-shared", {{"rows", "248"}, {"columns", "332"}}},
    };
    for (const auto& [name, settings] : kBest) {
        const run::Run run = ran(name, settings);
        ASSERT_TRUE(run.hints) << name;
        for (const explain::Hint& hint : run.hints->all)
            ADD_FAILURE() << name << ": " << hint.rule << ": " << explain::textOf(hint).english();
    }
}

TEST(HintsOfTheCatalog, SayTheRightThingFirstAndNameItsCure) {
    struct Case {
        const char* kernel;
        const char* rule;
        const char* fix;  // empty: the family has none
    };
    constexpr Case kCases[] = {
        {"banks/column", "bank_conflict", "swizzle"},
        {"banks/histogram", "shared_atomic_contention", "histogram-interleaved"},
        {"coalescing/stride", "uncoalesced", ""},
        {"coalescing/offset", "misaligned_start", ""},
        {"coalescing/array-of-structures", "uncoalesced", "structure-of-arrays"},
        {"divergence/parity", "divergence", "by-warp"},
        {"divergence/trip-counts", "divergence", ""},
        {"histogram/global-atomics", "atomic_contention", "private-copies"},
        {"matmul/naive", "reloaded", "tiled"},
        {"matmul/naive-swapped", "uncoalesced", ""},
        {"matmul/vector-loads", "bank_conflict", "padded"},
        {"reduction/v0", "divergence", "v1"},
        {"reduction/v1", "bank_conflict", "v2"},
        {"scan/blelloch", "bank_conflict", "blelloch-padded"},
        {"transpose/naive", "uncoalesced", "shared"},
        {"transpose/naive-write", "uncoalesced", ""},
        {"transpose/shared", "bank_conflict", "shared-padded"},
    };
    for (const Case& c : kCases) {
        const run::Run run = ran(c.kernel);
        ASSERT_TRUE(run.hints && !run.hints->all.empty()) << c.kernel;
        const explain::Hint& first = run.hints->all.front();
        EXPECT_EQ(first.rule, c.rule) << c.kernel;
        EXPECT_EQ(first.fix ? first.fix->variant : "", c.fix) << c.kernel;
        if (first.fix) {
            EXPECT_LT(first.fix->total, first.fix->before) << c.kernel;
        }
    }
}

TEST(HintsOfTheCatalog, HaveTheFiguresOfBothVariants) {
    // 64 warps load a column each: 32 wavefronts where one would do; 64 more store rows.
    const run::Run run = ran("transpose/shared");
    ASSERT_EQ(run.hints->all.size(), 1u);
    const explain::Hint& hint = run.hints->all.front();
    EXPECT_EQ(hint.excess, 64u * 31);
    EXPECT_EQ(hint.total, 64u * 33);
    ASSERT_TRUE(hint.fix);
    EXPECT_EQ(hint.fix->total, 128u);
    EXPECT_EQ(hint.fix->before, 64u * 33);
    EXPECT_EQ(explain::fixText(hint).english(),
              "Compare with shared-padded: 128 wavefronts in all, 2,112 here");
    EXPECT_EQ(run::compareCommand(run, *hint.fix),
              "lockstep compare transpose/shared transpose/shared-padded");
    const run::Run larger = ran("transpose/shared", {{"rows", "128"}});
    ASSERT_TRUE(larger.hints->all.front().fix);
    EXPECT_EQ(run::compareCommand(larger, *larger.hints->all.front().fix),
              "lockstep compare transpose/shared transpose/shared-padded --set rows=128");
}

TEST(HintsOfTheCatalog, StandInFindingsWithTheVariantToCompareWith) {
    const Expected<viz::Fonts> fonts = viz::Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = ran("transpose/shared");
    const viz::ViewRow* view = viz::findView("findings");
    ASSERT_TRUE(view);
    for (const Language language : {Language::English, Language::Chinese}) {
        const viz::Scene scene = view->build({.run = run,
                                              .cursor = {},
                                              .profile = run.profile,
                                              .size = {700, 500},
                                              .language = language,
                                              .metrics = *fonts});
        EXPECT_EQ(std::ranges::count_if(scene.hits,
                                        [](const viz::HitArea& area) {
                                            return area.hit.beside ==
                                                   std::optional<std::string>("shared-padded");
                                        }),
                  1);
        EXPECT_NE(scene.sentence.find("94%"), std::string::npos) << scene.sentence;
        const auto place = std::ranges::find_if(
            scene.hits, [](const viz::HitArea& area) { return area.hit.go.has_value(); });
        ASSERT_NE(place, scene.hits.end());
        const viz::Cursor at = *place->hit.go;
        const trace::FocusBlock* block = run.recording.trace.find(at.launch, at.block);
        ASSERT_TRUE(block);
        EXPECT_EQ(block->warps[at.warp.value].steps[at.step].pc, run.hints->all.front().pc);
    }
}

}  // namespace
}  // namespace lockstep
