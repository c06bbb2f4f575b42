// In every view, at every usual size and in both languages: no text runs into another or leaves the scene,
// wherever the cursor is.
#include "explain/cursor/navigation.h"
#include "viz/cursor/playground.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_tidy.h"
#include "viz/testing/test_times.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace lockstep::viz {
namespace {

void expectTidy(const Scene& scene, const TextMetrics& metrics, const std::string& what) {
    for (const std::string& untidy : untidyTexts(scene, metrics))
        ADD_FAILURE() << what << ": " << untidy;
}

struct Sample {
    const char* name;
    run::Run run;
    std::vector<Cursor> cursors;
    const std::vector<run::RecordedMachine>* machines = nullptr;
};

std::vector<Sample> samples() {
    const auto at = [](Dim3 block, u32 warp, u32 step, u32 lane) {
        return Cursor{.launch = {}, .block = block, .warp = Warp{warp}, .lane = Lane{lane}, .step = step};
    };
    std::vector<Sample> all;
    all.push_back({"checked 3x3",
                   tiledMatmul(3, 2, true),
                   {at({1, 1, 0}, 0, 0, 0), at({1, 1, 0}, 0, 7, 2), at({1, 1, 0}, 0, 8, 2),
                    at({0, 0, 0}, 0, 10, 1), at({0, 0, 0}, 0, 17, 3), at({1, 1, 0}, 0, 35, 0)}});
    all.push_back({"unchecked 3x3",
                   tiledMatmul(3, 2, false),
                   {at({0, 0, 0}, 0, 21, 1), at({0, 0, 0}, 0, 24, 2), at({1, 1, 0}, 0, 35, 3)}});
    all.push_back(
        {"checked 20x20", tiledMatmul(20, 4, true), {at({4, 4, 0}, 0, 7, 3), at({1, 2, 0}, 0, 15, 9)}});
    all.push_back(
        {"checked 64x64", tiledMatmul(64, 16, true), {at({1, 1, 0}, 2, 7, 5), at({0, 0, 0}, 7, 40, 31)}});
    all.push_back({"unchecked 40x40", tiledMatmul(40, 16, false), {at({2, 2, 0}, 0, 10, 9)}});
    all.push_back({"column, pitch 32", columnRead(32), {at({1, 0, 0}, 0, 1, 9), at({1, 0, 0}, 1, 0, 0)}});
    all.push_back({"column, pitch 33", columnRead(33), {at({1, 0, 0}, 1, 2, 31)}});
    all.push_back({"transpose through a padded tile",
                   transpose(16, 8, 9),
                   {at({0, 1, 0}, 0, 0, 0), at({0, 1, 0}, 0, 1, 9), at({0, 1, 0}, 0, 2, 9),
                    at({0, 1, 0}, 0, 6, 9), at({0, 1, 0}, 0, 7, 31)}});
    all.push_back(
        {"transpose without a tile", transpose(64, 32, 0), {at({0, 1, 0}, 0, 1, 9), at({0, 1, 0}, 0, 4, 9)}});
    all.push_back({"copy of stride 17",
                   stridedCopy(17),
                   {at({0, 0, 0}, 0, 0, 0), at({0, 0, 0}, 0, 1, 31), at({0, 0, 0}, 0, 2, 5)}});
    all.push_back(
        {"sum of 64",
         treeSum(64),
         {at({0, 0, 0}, 1, 0, 0), at({0, 0, 0}, 0, 6, 9), at({0, 0, 0}, 0, 11, 3), at({0, 0, 0}, 0, 30, 0)}});
    all.push_back({"sum of 512", treeSum(512), {at({0, 0, 0}, 9, 1, 0), at({0, 0, 0}, 0, 6, 9)}});
    static const TimedRun timed = timedMultiply();
    all.push_back({"measured multiply", timed.run, {at({1, 1, 0}, 0, 7, 3)}, &timed.machines});
    static const TimedRun two = timedOnTwo();
    all.push_back({"multiply on two machines", two.run, {at({1, 1, 0}, 0, 7, 3)}, &two.machines});
    all[1].run.recording.findings.resize(20);
    for (auto& finding : all[1].run.recording.findings)
        finding.who = {.pc = Pc{4}, .block = {0, 0, 0}, .thread = {0, 1, 0}, .kind = trace::AccessKind::Load};
    model::SiteReport site;
    site.executions = 1234567, site.requests = 1234567, site.sectors = 123456789, site.wavefronts = 12345678,
    site.idealWavefronts = 1234567;
    for (const auto space : {trace::Space::Global, trace::Space::Shared})
        for (const auto kind :
             {trace::AccessKind::Load, trace::AccessKind::Store, trace::AccessKind::AsyncCopy}) {
            site.space = space, site.kind = kind;
            all[0].run.report.sites.push_back(site);
        }
    all[0].run.report.counters = {{"lts__t_sectors_srcunit_tex_op_read", 123456789},
                                  {"dram__sectors_write", 17}};
    return all;
}

TEST(LayoutTest, NoTextRunsIntoAnotherOrLeavesTheScene) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    for (const Sample& sample : samples())
        for (const Cursor& cursor : sample.cursors)
            for (const ViewRow& view : views())
                for (const Size size :
                     {Size{1280, 720}, Size{747, 520}, Size{1920, 1080}, Size{460, 675}, Size{1440, 160}})
                    for (const Language language : {Language::English, Language::Chinese}) {
                        const ComparedRun beside{sample.run, cursor, model::defaultProfile()};
                        const ViewInput in{.run = sample.run,
                                           .cursor = cursor,
                                           .profile = model::defaultProfile(),
                                           .size = size,
                                           .language = language,
                                           .metrics = *fonts,
                                           .machines = sample.machines,
                                           .compared = &beside};
                        const std::string what = std::string(view.name) + ", " + sample.name + ", step " +
                                                 std::to_string(cursor.step) + ", " +
                                                 std::to_string(int(size.width)) + " x " +
                                                 std::to_string(int(size.height)) +
                                                 (language == Language::Chinese ? ", zh-CN" : ", en");
                        expectTidy(view.build(in), *fonts, what);
                    }
}

TEST(LayoutTest, ThePlaygroundIsTidyWithEveryPresetOnOneToThreeDevices) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run none;
    for (const model::AccessPreset& preset : model::accessPresets())
        for (const std::vector<const model::Profile*>& devices :
             {std::vector<const model::Profile*>{},
              {model::findProfile("cc20"), model::findProfile("cc10")},
              {model::findProfile("cc10"), model::findProfile("cc12"), model::findProfile("cc90")}})
            for (const Size size :
                 {Size{1280, 720}, Size{747, 458}, Size{747, 700}, Size{460, 675}, Size{1920, 1080}}) {
                const Playground playground{preset.pattern, Lane{5}};
                const ViewInput in{.run = none,
                                   .cursor = {},
                                   .profile = devices.empty() ? model::defaultProfile() : *devices.back(),
                                   .size = size,
                                   .language = size.width > 1000 ? Language::English : Language::Chinese,
                                   .metrics = *fonts,
                                   .devices = devices,
                                   .playground = &playground,
                                   .titled = size.width > 800};
                expectTidy(findView("playground")->build(in), *fonts,
                           std::string(preset.name) + ", " + std::to_string(devices.size()) + " devices, " +
                               std::to_string(int(size.width)) + " x " + std::to_string(int(size.height)));
            }
}

TEST(LayoutTest, NoViewFailsAtAnySizeOrCursor) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(3, 2, true);
    run::Run bare;
    bare.module = std::make_shared<ptx::Module>(*run.module);
    for (const ViewRow& view : views())
        for (const Size size : {Size{1, 1}, Size{40, 900}, Size{900, 30}, Size{4000, 3000}})
            for (const Cursor& cursor : {Cursor{}, Cursor{.launch = LaunchId{3},
                                                   .block = {7, 7, 7},
                                                   .warp = Warp{9},
                                                   .lane = Lane{31},
                                                   .step = 99}})
                for (const run::Run* r : {&run, static_cast<const run::Run*>(&bare)}) {
                    const Scene scene = view.build({.run = *r,
                                                    .cursor = cursor,
                                                    .profile = model::defaultProfile(),
                                                    .size = size,
                                                    .language = Language::English,
                                                    .metrics = *fonts});
                    EXPECT_EQ(scene.size.width, size.width);
                }
}

TEST(LayoutTest, AViewWithNothingAtTheCursorSaysSoAndShowsTheNearestAccess) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = columnRead(32);
    const Cursor arithmetic{.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = {}, .step = 0};
    const Scene banks = findView("banks")->build({.run = run,
                                                  .cursor = arithmetic,
                                                  .profile = model::defaultProfile(),
                                                  .size = {800, 600},
                                                  .language = Language::English,
                                                  .metrics = *fonts});
    const Cursor access{.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = {}, .step = 1};
    const Scene there = findView("banks")->build({.run = run,
                                                  .cursor = access,
                                                  .profile = model::defaultProfile(),
                                                  .size = {800, 600},
                                                  .language = Language::English,
                                                  .metrics = *fonts});
    EXPECT_TRUE(
        banks.sentence.starts_with("The instruction at the cursor does not access shared memory. The next "
                                   "one that does is at step 2, line "))
        << banks.sentence;
    EXPECT_TRUE(banks.sentence.ends_with(there.sentence)) << banks.sentence;
    ASSERT_FALSE(banks.hits.empty()) << "and leads there";
    EXPECT_EQ(banks.hits[0].hit.hover, "Go to step 2");
    EXPECT_EQ(banks.hits[0].hit.go->step, 1u);
    const Scene low = findView("banks")->build({.run = run,
                                                .cursor = arithmetic,
                                                .profile = model::defaultProfile(),
                                                .size = {800, 240},
                                                .language = Language::English,
                                                .metrics = *fonts});
    EXPECT_EQ(low.sentence, "The instruction at the cursor does not access shared memory.");
    ASSERT_EQ(low.hits.size(), 1u) << "where there is room for words alone";
    EXPECT_EQ(low.hits[0].hit.go->step, 1u);
    const Scene sectors = findView("sectors")->build({.run = run,
                                                      .cursor = arithmetic,
                                                      .profile = model::defaultProfile(),
                                                      .size = {800, 600},
                                                      .language = Language::Chinese,
                                                      .metrics = *fonts});
    EXPECT_EQ(sectors.sentence, "线程束 0 完全没有使用全局内存。");
}

TEST(LayoutTest, AClickOnALanesCellMovesTheCursorThere) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = columnRead(32);
    const Cursor cursor{.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = Lane{9}, .step = 1};
    const Scene scene = findView("banks")->build({.run = run,
                                                  .cursor = cursor,
                                                  .profile = model::defaultProfile(),
                                                  .size = {1280, 720},
                                                  .language = Language::English,
                                                  .metrics = *fonts});
    // Lane 5 is word 160, pass 6 of bank 0.
    const auto found = std::ranges::find_if(scene.hits, [](const HitArea& h) {
        return h.hit.hover == "Lane 5 accesses word 160: bank 0, wavefront 6.";
    });
    ASSERT_NE(found, scene.hits.end());
    const Hit* hit = scene.hitAt(found->rect.centre());
    ASSERT_NE(hit, nullptr);
    EXPECT_EQ(hit->go->lane, Lane{5});
    EXPECT_EQ(scene.hitAt({-5, -5}), nullptr);
}

}  // namespace
}  // namespace lockstep::viz
