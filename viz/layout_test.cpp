// In every view, at every usual size and in both languages: no text runs into another or leaves the scene, wherever the cursor is.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "viz/fonts.h"
#include "viz/navigation.h"
#include "viz/test_run.h"
#include "viz/view.h"

namespace lockstep::viz {
namespace {

struct Box { Rect rect; std::string text; std::size_t mark; };

// What of a text is ink: from cap height to a little below the baseline.
Rect inkOf(const TextMark& t, const TextMetrics& metrics) {
    const f32 width = metrics.width(t.text, t.size, t.face);
    const f32 left = t.at.x - (t.align == Align::Centre ? width / 2 : t.align == Align::Right ? width : 0);
    return {left, t.at.y - t.size * 0.73f, width, t.size * 0.9f};
}

Rect meet(const Rect& a, const Rect& b) {
    const f32 x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

// An opaque rectangle drawn between two texts hides the first: a token over a cell.
bool hidden(const Scene& scene, const Box& below, const Box& above, const Rect& where) {
    for (std::size_t i = below.mark + 1; i < above.mark; ++i)
        if (const auto* r = std::get_if<RectMark>(&scene.marks[i]); r && r->fill.kind != RoleKind::None && r->fill.alpha >= 1)
            if (r->rect.x <= where.x + 0.5f && r->rect.y <= where.y + 0.5f && r->rect.right() >= where.right() - 0.5f && r->rect.bottom() >= where.bottom() - 0.5f) return true;
    return false;
}

void expectTidy(const Scene& scene, const TextMetrics& metrics, const std::string& what) {
    std::vector<Box> boxes;
    Rect clip{0, 0, scene.size.width, scene.size.height};
    for (std::size_t i = 0; i < scene.marks.size(); ++i) {
        if (const auto* c = std::get_if<ClipMark>(&scene.marks[i])) clip = c->rect.value_or(Rect{0, 0, scene.size.width, scene.size.height});
        const auto* text = std::get_if<TextMark>(&scene.marks[i]);
        if (!text) continue;
        const Rect whole = inkOf(*text, metrics), ink = meet(whole, clip);
        if (ink.width <= 0 || ink.height <= 0) continue;
        EXPECT_TRUE(ink.x >= -0.5f && ink.y >= -0.5f && ink.right() <= scene.size.width + 0.5f && ink.bottom() <= scene.size.height + 0.5f)
            << what << ": \"" << text->text << "\" leaves the scene";
        const bool clipped = clip.width < scene.size.width || clip.height < scene.size.height;
        EXPECT_TRUE(clipped || (whole.x >= -0.5f && whole.right() <= scene.size.width + 0.5f)) << what << ": \"" << text->text << "\" leaves the scene";
        boxes.push_back({ink, text->text, i});
    }
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = a + 1; b < boxes.size(); ++b) {
            const Rect common = meet(boxes[a].rect, boxes[b].rect);
            if (common.width <= 1 || common.height <= 1 || hidden(scene, boxes[a], boxes[b], common)) continue;
            ADD_FAILURE() << what << ": \"" << boxes[a].text << "\" and \"" << boxes[b].text << "\" overlap at " << common.x << ", " << common.y << " by " << common.width << " x " << common.height;
            return;
        }
}

struct Sample { const char* name; run::Run run; std::vector<Cursor> cursors; };

std::vector<Sample> samples() {
    const auto at = [](Dim3 block, u32 warp, u32 step, u32 lane) { return Cursor{.launch = {}, .block = block, .warp = Warp{warp}, .lane = Lane{lane}, .step = step}; };
    std::vector<Sample> all;
    all.push_back({"checked 3x3", tiledMatmul(3, 2, true), {at({1, 1, 0}, 0, 0, 0), at({1, 1, 0}, 0, 7, 2), at({1, 1, 0}, 0, 8, 2), at({0, 0, 0}, 0, 10, 1), at({0, 0, 0}, 0, 17, 3), at({1, 1, 0}, 0, 35, 0)}});
    all.push_back({"unchecked 3x3", tiledMatmul(3, 2, false), {at({0, 0, 0}, 0, 21, 1), at({0, 0, 0}, 0, 24, 2), at({1, 1, 0}, 0, 35, 3)}});
    all.push_back({"checked 20x20", tiledMatmul(20, 4, true), {at({4, 4, 0}, 0, 7, 3), at({1, 2, 0}, 0, 15, 9)}});
    all.push_back({"checked 64x64", tiledMatmul(64, 16, true), {at({1, 1, 0}, 2, 7, 5), at({0, 0, 0}, 7, 40, 31)}});
    all.push_back({"unchecked 40x40", tiledMatmul(40, 16, false), {at({2, 2, 0}, 0, 10, 9)}});
    all.push_back({"column, pitch 32", columnRead(32), {at({1, 0, 0}, 0, 1, 9), at({1, 0, 0}, 1, 0, 0)}});
    all.push_back({"column, pitch 33", columnRead(33), {at({1, 0, 0}, 1, 2, 31)}});
    all.push_back({"transpose through a padded tile", transpose(16, 8, 9), {at({0, 1, 0}, 0, 0, 0), at({0, 1, 0}, 0, 1, 9), at({0, 1, 0}, 0, 2, 9), at({0, 1, 0}, 0, 6, 9), at({0, 1, 0}, 0, 7, 31)}});
    all.push_back({"transpose without a tile", transpose(64, 32, 0), {at({0, 1, 0}, 0, 1, 9), at({0, 1, 0}, 0, 4, 9)}});
    all.push_back({"copy of stride 17", stridedCopy(17), {at({0, 0, 0}, 0, 0, 0), at({0, 0, 0}, 0, 1, 31), at({0, 0, 0}, 0, 2, 5)}});
    all.push_back({"sum of 64", treeSum(64), {at({0, 0, 0}, 1, 0, 0), at({0, 0, 0}, 0, 6, 9), at({0, 0, 0}, 0, 11, 3), at({0, 0, 0}, 0, 30, 0)}});
    all.push_back({"sum of 512", treeSum(512), {at({0, 0, 0}, 9, 1, 0), at({0, 0, 0}, 0, 6, 9)}});
    all[1].run.recording.findings.resize(20);
    for (auto& finding : all[1].run.recording.findings) finding.who = {.pc = Pc{4}, .block = {0, 0, 0}, .thread = {0, 1, 0}, .kind = trace::AccessKind::Load};
    model::SiteReport site;
    site.executions = 1234567, site.requests = 1234567, site.sectors = 123456789, site.wavefronts = 12345678, site.idealWavefronts = 1234567;
    for (const auto space : {trace::Space::Global, trace::Space::Shared})
        for (const auto kind : {trace::AccessKind::Load, trace::AccessKind::Store, trace::AccessKind::AsyncCopy}) {
            site.space = space, site.kind = kind;
            all[0].run.report.sites.push_back(site);
        }
    all[0].run.report.counters = {{"lts__t_sectors_srcunit_tex_op_read", 123456789}, {"dram__sectors_write", 17}};
    return all;
}

TEST(LayoutTest, NoTextRunsIntoAnotherOrLeavesTheScene) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    for (const Sample& sample : samples())
        for (const Cursor& cursor : sample.cursors)
            for (const ViewRow& view : views())
                for (const Size size : {Size{1280, 720}, Size{747, 520}, Size{1920, 1080}, Size{460, 675}, Size{1440, 160}})
                    for (const Language language : {Language::English, Language::Chinese}) {
                        const ViewInput in{.run = sample.run, .cursor = cursor, .profile = model::defaultProfile(), .size = size, .language = language, .metrics = *fonts};
                        const std::string what = std::string(view.name) + ", " + sample.name + ", step " + std::to_string(cursor.step) + ", " + std::to_string(int(size.width)) + " x " + std::to_string(int(size.height)) +
                                                 (language == Language::Chinese ? ", zh-CN" : ", en");
                        expectTidy(view.build(in), *fonts, what);
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
            for (const Cursor& cursor : {Cursor{}, Cursor{.launch = LaunchId{3}, .block = {7, 7, 7}, .warp = Warp{9}, .lane = Lane{31}, .step = 99}})
                for (const run::Run* r : {&run, static_cast<const run::Run*>(&bare)}) {
                    const Scene scene = view.build({.run = *r, .cursor = cursor, .profile = model::defaultProfile(), .size = size, .language = Language::English, .metrics = *fonts});
                    EXPECT_EQ(scene.size.width, size.width);
                }
}

TEST(LayoutTest, AViewWithNothingToShowSaysWhy) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = columnRead(32);
    const Cursor arithmetic{.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = {}, .step = 0};
    const Scene banks = findView("banks")->build({.run = run, .cursor = arithmetic, .profile = model::defaultProfile(), .size = {800, 600}, .language = Language::English, .metrics = *fonts});
    EXPECT_EQ(banks.sentence, "The instruction at the cursor does not touch shared memory.");
    ASSERT_EQ(banks.hits.size(), 1u) << "and leads to the next access";
    EXPECT_EQ(banks.hits[0].hit.go->step, 1u);
    const Scene sectors = findView("sectors")->build({.run = run, .cursor = arithmetic, .profile = model::defaultProfile(), .size = {800, 600}, .language = Language::Chinese, .metrics = *fonts});
    EXPECT_EQ(sectors.sentence, "线程束 0 完全没有使用全局内存。");
}

TEST(LayoutTest, AClickOnALanesCellMovesTheCursorThere) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = columnRead(32);
    const Cursor cursor{.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = Lane{9}, .step = 1};
    const Scene scene = findView("banks")->build({.run = run, .cursor = cursor, .profile = model::defaultProfile(), .size = {1280, 720}, .language = Language::English, .metrics = *fonts});
    // Lane 5 is word 160, pass 6 of bank 0.
    const auto found = std::ranges::find_if(scene.hits, [](const HitArea& h) { return h.hit.hover == "Lane 5 touches word 160: bank 0, pass 6."; });
    ASSERT_NE(found, scene.hits.end());
    const Hit* hit = scene.hitAt(found->rect.centre());
    ASSERT_NE(hit, nullptr);
    EXPECT_EQ(hit->go->lane, Lane{5});
    EXPECT_EQ(scene.hitAt({-5, -5}), nullptr);
}

}  // namespace
}  // namespace lockstep::viz
