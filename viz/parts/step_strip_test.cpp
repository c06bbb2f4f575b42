// What stands below a stage where lanes meet at addresses or exchange values.
#include "viz/parts/step_strip.h"

#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

class StepStripTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    ViewInput input(const run::Run& run, u32 step, u32 lane) const {
        const Cursor cursor{
            .launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{lane}, .step = step};
        return {.run = run,
                .cursor = cursor,
                .profile = model::defaultProfile(),
                .size = {900, 300},
                .metrics = *fonts_};
    }
    Scene draw(const run::Run& run, u32 step, u32 lane) const {
        const ViewInput in = input(run, step, lane);
        Canvas canvas(in.size, in.metrics);
        StepStrip::draw(in, canvas, {0, 100, 900, StepStrip::kHeight});
        return std::move(canvas).take({});
    }
    static std::vector<std::string> textsOf(const Scene& scene) {
        std::vector<std::string> texts;
        for (const Mark& mark : scene.marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) texts.push_back(text->text);
        return texts;
    }
    static bool says(const Scene& scene, std::string_view text) {
        const std::vector<std::string> texts = textsOf(scene);
        return std::ranges::find(texts, text) != texts.end();
    }
    std::optional<Fonts> fonts_;
};

// Lane l goes to bin l * l mod 8: sixteen lanes to bin 1, eight each to bins 0 and 4.
TEST_F(StepStripTest, LanesOfAnAtomicStandInQueues) {
    const run::Run run = histogram();
    ASSERT_TRUE(StepStrip::isOf(input(run, 0, 0)));
    const Scene now = draw(run, 1, 2);
    EXPECT_TRUE(says(now, "atomicAdd: 32 lanes at 3 addresses, at most 16 each"));
    EXPECT_TRUE(says(now, "16 lanes, in any order")) << "the old values are not recorded";
    EXPECT_TRUE(
        says(draw(run, 0, 2), "Next, at step 2: atomicAdd: 32 lanes at 3 addresses, at most 16 each"));
    // Each lane's token leads to the lane.
    u32 tokens = 0;
    for (const HitArea& area : now.hits)
        if (area.hit.go && area.hit.go->step == 1) {
            ++tokens;
            EXPECT_TRUE(area.hit.hover.starts_with("Lane " + std::to_string(area.hit.go->lane.value) + ","))
                << area.hit.hover;
        }
    EXPECT_EQ(tokens, 32u);
}

TEST_F(StepStripTest, AShuffleSaysWhoTakesWhatFromWhom) {
    RunBuilder b("shuffle.cu", "\n");
    std::vector<f32> values(32);
    for (u32 i = 0; i < 32; ++i)
        values[i] = f32(i) * 10;
    b.buffer("in", {32}, values);
    const Pc load = b.instruction("ld.global.f32 %f1, [%rd1]", 1),
             move = b.instruction("mov.b32 %r1, %f1", 1),
             shuffle = b.instruction("shfl.sync.down.b32 %r2, %r1, 4, 31, 0xffffffff", 1),
             back = b.instruction("mov.b32 %f2, %r2", 1);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    b.access(
        0, load, LaneMask::all(), trace::Space::Global, trace::AccessKind::Load,
        [](u32 l) { return deviceAddressOf(0) + u64{l} * 4; }, [](u32 l) { return f32(l) * 10; });
    for (const Pc pc : {move, shuffle, back})
        b.step(0, pc, LaneMask::all());
    const run::Run run = b.finish();
    EXPECT_TRUE(says(draw(run, 2, 3), "__shfl_down_sync: lane 3 takes 70.0 from lane 7"));
    EXPECT_TRUE(says(draw(run, 2, 30), "__shfl_down_sync: lane 30 keeps its own 300.0"));
    EXPECT_TRUE(
        says(draw(run, 3, 3), "Previous, at step 3: __shfl_down_sync: lane 3 takes 70.0 from lane 7"));
    const Scene scene = draw(run, 2, 3);
    u32 ways = 0;
    for (const Mark& mark : scene.marks)
        if (const auto* line = std::get_if<LineMark>(&mark)) ways += line->arrow > 0 && line->from.y > 130;
    EXPECT_EQ(ways, 32u) << "one to each lane";
    EXPECT_TRUE(std::ranges::any_of(scene.hits, [](const HitArea& area) {
        return area.hit.hover == "Lane 5 after: 90.0, taken from lane 9";
    }));
}

TEST_F(StepStripTest, WarpsThatNeitherExchangeNorMeetHaveNone) {
    EXPECT_FALSE(StepStrip::isOf(input(stridedCopy(2), 0, 0)));
}

}  // namespace
}  // namespace lockstep::viz
