// Occupancy as an experiment: a click tries another block size, registers, shared memory or device, what fits
// follows, and in both languages no text is cut or runs into another.
#include "looked_at.h"
#include "model/occupancy/occupancy.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "viz/cursor/opening.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_tidy.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

using namespace viz;

class OccupancyPageTest : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(fonts_) << describe(fonts_.error());
        Expected<std::vector<run::HardwareRecording>> recordings =
            run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
        ASSERT_TRUE(recordings) << describe(recordings.error());
        machines_ = run::recordedMachines(std::move(*recordings), shipped());
    }
    Scene sceneOf(const run::Run& run, const OccupancyOptions& options, Size size = {1440, 900},
                  Language language = Language::English) const {
        return findView("occupancy")
            ->build({.run = run,
                     .cursor = initialCursor(run),
                     .profile = run.profile,
                     .size = size,
                     .language = language,
                     .metrics = *fonts_,
                     .state = {.options = options},
                     .machines = &machines_});
    }
    static bool says(const Scene& scene, std::string_view wanted) {
        return scene.sentence.find(wanted) != std::string::npos ||
               std::ranges::any_of(scene.marks, [&](const Mark& mark) {
                   const auto* text = std::get_if<TextMark>(&mark);
                   return text && text->text.find(wanted) != std::string::npos;
               });
    }
    // What a click on the place with this hover chooses.
    static std::optional<OccupancyOptions> chosenBy(const Scene& scene, std::string_view hover) {
        for (const HitArea& area : scene.hits)
            if (area.hit.options && area.hit.text().starts_with(hover))
                return optionsAs<OccupancyOptions>(*area.hit.options);
        return std::nullopt;
    }
    std::vector<run::RecordedMachine> machines_;
    Expected<Fonts> fonts_ = Fonts::load(LOCKSTEP_FONT_FOLDER);
};

TEST_F(OccupancyPageTest, IsTidyAtAnySize) {
    for (const char* kernel : {"matmul/tiled", "reduction/v6", "transpose/shared"}) {
        const Expected<run::Run> run = runShipped(kernel, {});
        ASSERT_TRUE(run) << describe(run.error());
        for (const OccupancyOptions& options :
             {OccupancyOptions{}, OccupancyOptions{.threads = 1024, .registers = 248, .sharedBytes = 65'536},
              OccupancyOptions{.threads = 64, .device = "cc13"}})
            for (const Size size : {Size{480, 320}, Size{640, 480}, Size{920, 480}, Size{1440, 900}})
                for (const Language language : {Language::English, Language::Chinese})
                    EXPECT_EQ(untidyTexts(sceneOf(*run, options, size, language), *fonts_),
                              std::vector<std::string>{})
                        << kernel << " " << size.width << " x " << size.height << " " << options.threads;
    }
}

TEST_F(OccupancyPageTest, AClickTriesAnotherValueAndAnotherDevice) {
    const Expected<run::Run> run = runShipped("transpose/shared", {});
    ASSERT_TRUE(run) << describe(run.error());
    const Scene first = sceneOf(*run, {});
    const u64 threads = run->recording.launches.front().block.count();
    EXPECT_TRUE(says(first, std::to_string(threads) + ", as launched"));
    EXPECT_FALSE(chosenBy(first, "Back to the block size"));

    const auto tried = chosenBy(first, "64 threads per block: ");
    ASSERT_TRUE(tried);
    EXPECT_EQ(tried->threads, 64u);
    const Scene second = sceneOf(*run, *tried);
    EXPECT_TRUE(says(second, "64 instead of " + std::to_string(threads)));
    model::BlockNeeds needs{.threads = 64,
                            .sharedBytes = run::sharedBytes(*run->module, run->recording.launches.front()),
                            .registersPerThread = {}};
    if (run->measured && !run->measured->registers.empty())
        needs.registersPerThread = run->measured->registers.front();
    const model::Occupancy expected = model::occupancy(needs, run->profile);
    EXPECT_TRUE(says(second, std::to_string(expected.possibleBlocksPerSm) + " blocks per SM, " +
                                 std::to_string(expected.possibleWarpsPerSm) + " of 64 warps"))
        << second.sentence;

    const auto back = chosenBy(second, "Back to the block size");
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, OccupancyOptions{});

    const auto old = chosenBy(second, "Compute capability 1.3");
    ASSERT_TRUE(old);
    EXPECT_EQ(old->threads, 64u) << "what was tried stays";
    EXPECT_TRUE(says(sceneOf(*run, *old), "of 32 warps")) << sceneOf(*run, *old).sentence;
}

TEST_F(OccupancyPageTest, SaysWhatLetsNoBlockFit) {
    const Expected<run::Run> run = runShipped("matmul/tiled", {{"width", "64"}, {"tile", "16"}});
    ASSERT_TRUE(run) << describe(run.error());
    const Scene scene = sceneOf(*run, {.threads = 1024, .registers = 128});
    EXPECT_TRUE(says(scene, "no block fits on an SM. Limiting factor: registers.")) << scene.sentence;
}

TEST_F(OccupancyPageTest, ShowsTheTimesThatWereRecordedAtOtherBlockSizes) {
    const Expected<run::Run> run = runShipped("matmul/tiled", {{"width", "64"}, {"tile", "16"}});
    ASSERT_TRUE(run) << describe(run.error());
    const Scene scene = sceneOf(*run, {});
    EXPECT_TRUE(says(scene, "Recorded on NVIDIA H200"));
    EXPECT_TRUE(says(scene, "blocks per SM"));
}

}  // namespace
}  // namespace lockstep
