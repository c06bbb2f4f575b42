// What the sectors view says of an access.
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

using trace::AccessKind, trace::Space;

// `lanes` lanes of a warp add to counts[0], counts[1] and so on.
run::Run globalAtomics(u32 lanes) {
    RunBuilder b("atomics.cu", "__global__ void kernel(float* counts) {\n  atomicAdd(&counts[t], 1);\n}\n");
    b.buffer("counts", {32}, std::vector<f32>(32));
    const Pc add = b.instruction("red.global.add.u32 [%rd1], 1", 2);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    LaneMask active;
    for (u32 lane = 0; lane < lanes; ++lane)
        active = active | LaneMask::of(Lane{lane});
    b.access(
        0, add, active, Space::Global, AccessKind::Reduction,
        [](u32 l) { return deviceAddressOf(0) + u64{l} * 4; }, [](u32) { return 0.0f; });
    return b.finish();
}

// The SM sends operands to L2 and gets no sector for it.
TEST(SectorsTest, AnAtomicIsToldInSectorAccessesAndTransfersNothing) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const auto sentence = [&](u32 lanes) {
        const run::Run run = globalAtomics(lanes);
        return findView("sectors")
            ->build({.run = run,
                     .cursor = {},
                     .profile = model::defaultProfile(),
                     .size = {900, 500},
                     .language = Language::English,
                     .metrics = *fonts})
            .sentence;
    };
    EXPECT_TRUE(sentence(1).starts_with(
        "Warp 0 updates 4 bytes atomically with 1 lane: 1 sector access to 1 sector."))
        << sentence(1);
    EXPECT_TRUE(sentence(32).starts_with(
        "Warp 0 updates 128 bytes atomically with 32 lanes: 4 sector accesses to 4 sectors."))
        << sentence(32);
}

}  // namespace
}  // namespace lockstep::viz
