// The memory view of a sample: what machines measured is of the whole grid, and stands beside nothing else.
#include "../support/run_shipped.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "viz/cursor/opening.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

bool says(const Scene& scene, std::string_view text) {
    return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
        const auto* written = std::get_if<TextMark>(&mark);
        return written && written->text.find(text) != std::string::npos;
    });
}

TEST(SampledMemoryTest, SetsNothingMeasuredBesideTheBlocksThatRan) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    Expected<std::vector<run::HardwareRecording>> shippedOnes = run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
    ASSERT_TRUE(shippedOnes) << describe(shippedOnes.error());
    const std::vector<run::RecordedMachine> machines =
        run::recordedMachines(std::move(*shippedOnes), shipped());
    for (const u64 blocks : {0, 40}) {
        run::Options options;
        options.sampleBlocks = blocks;
        Expected<run::Run> run = runShipped("matmul/tiled", {{"width", "512"}}, options);
        ASSERT_TRUE(run) << describe(run.error());
        run::attachRecorded(*run, machines);
        const Scene scene = findView("memory")->build({.run = *run,
                                                       .cursor = initialCursor(*run),
                                                       .profile = run->profile,
                                                       .size = {640, 1400},
                                                       .metrics = *fonts,
                                                       .machines = &machines});
        EXPECT_EQ(says(scene, "bank conflicts"), blocks == 0);
        EXPECT_TRUE(says(scene, "327,680") || blocks == 0) << "shared loads of 40 blocks";
    }
}

}  // namespace
}  // namespace lockstep::viz
