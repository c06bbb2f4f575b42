// What the source view says of registers: their names, their meaning, and how the lanes' values go together.
#include "viz/access/register_box.h"

#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/testing/test_tidy.h"
#include "viz/view_options.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

// A warp of 32 threads, of which the even ones go another way.
run::Run parity() {
    RunBuilder b("parity.cu",
                 "__global__ void kernel() {\n  int i = threadIdx.x;\n  if (i % 2) i = 7;\n  i *= i;\n  "
                 "done(i * 3);\n}\n");
    const Pc number = b.instruction("mov.u32 %r1, %tid.x", 2),
             wide = b.instruction("mul.wide.u32 %rd1, %r1, 4", 2),
             odd = b.instruction("and.b32 %r2, %r1, 1", 3),
             test = b.instruction("setp.eq.u32 %p1, %r2, 1", 3),
             seven = b.instruction("@%p1 mov.u32 %r1, 7", 3),
             square = b.instruction("mul.lo.u32 %r3, %r1, %r1", 4),
             three = b.instruction("mov.u32 %r4, 3", 5);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    for (const Pc pc : {number, wide, odd, test})
        b.step(0, pc, LaneMask::all());
    b.step(0, seven, {0xaaaaaaaa});
    for (const Pc pc : {square, three})
        b.step(0, pc, LaneMask::all());
    return b.finish();
}

class RegisterBoxTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene source(const run::Run& run, u32 step, bool registers = false, SourceTab tab = SourceTab::Cuda,
                 Language language = Language::English) {
        return findView("source")->build({.run = run,
                                          .cursor = at(step),
                                          .profile = model::defaultProfile(),
                                          .size = {900, 640},
                                          .language = language,
                                          .metrics = *fonts_,
                                          .state = {.pan = {}, .zoom = 0, .options = SourceOptions{tab}},
                                          .registers = registers});
    }
    static Cursor at(u32 step) {
        return {.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{1}, .step = step};
    }
    // Of a line of the page, from 1: what is shown beside the mouse.
    static Scene boxOf(const Scene& scene, u32 line) {
        u32 lines = 0;
        for (const HitArea& area : scene.hits)
            if (area.rect.width == scene.size.width && area.rect.height == type::kCodeLine && ++lines == line)
                return area.hit.box ? area.hit.box() : Scene{};
        return {};
    }
    static std::vector<std::string> texts(const Scene& scene) {
        std::vector<std::string> all;
        for (const Mark& mark : scene.marks)
            if (const auto* written = std::get_if<TextMark>(&mark)) all.push_back(written->text);
        return all;
    }
    static std::ptrdiff_t framesIn(const Scene& scene) {
        return std::ranges::count_if(scene.marks, [](const Mark& mark) {
            const auto* rect = std::get_if<RectMark>(&mark);
            return rect && rect->stroke.role.kind == RoleKind::TextSecond;
        });
    }
    static bool has(const Scene& scene, const std::string& text) {
        const std::vector<std::string> all = texts(scene);
        return std::ranges::find(all, text) != all.end();
    }

    std::optional<Fonts> fonts_;
};

TEST_F(RegisterBoxTest, SaysWhatTheLanesHaveInCommon) {
    const run::Run run = parity();
    const Scene scene = source(run, 3), box = boxOf(scene, 3);
    EXPECT_LT(box.size.height, 170) << "what lies behind it stays in sight";
    EXPECT_TRUE(has(box, "Warp 0 after step 4 of 7"));
    EXPECT_TRUE(has(box, "%r1"));
    EXPECT_TRUE(has(box, "0, 1, 2, …, 31  (+1 per lane)")) << ::testing::PrintToString(texts(box));
    EXPECT_TRUE(has(box, "false in 16 lanes; true in 16 lanes"))
        << "in so many, where there is no room for all: " << ::testing::PrintToString(texts(box));
    const Scene later = boxOf(source(run, 6), 5);
    EXPECT_TRUE(has(later, "3 in all 32 lanes")) << ::testing::PrintToString(texts(later));
    EXPECT_TRUE(has(boxOf(scene, 5), "not written yet"));
    EXPECT_EQ(boxOf(scene, 1).size.height, 0) << "no instruction came from it";
}

TEST_F(RegisterBoxTest, TheInstructionAtTheCursorComesFirst) {
    const run::Run run = parity();
    const auto firstOf = [&](u32 step) {
        for (const std::string& text : texts(boxOf(source(run, step), 3)))
            if (text.starts_with("%")) return text;
        return std::string();
    };
    EXPECT_EQ(firstOf(2), "%r2") << "and.b32";
    EXPECT_EQ(firstOf(4), "%r1") << "mov under a guard";
}

TEST_F(RegisterBoxTest, NamesWhatIsProven) {
    const run::Run run = parity();
    const Scene box = boxOf(source(run, 6), 2);
    EXPECT_TRUE(has(box, "%rd1"));
    EXPECT_FALSE(has(box, "threadIdx.x")) << "written in two places";
    EXPECT_FALSE(has(box, "4 * threadIdx.x"));
    EXPECT_TRUE(has(boxOf(source(run, 6), 5), "3")) << "a constant is its own name";
}

TEST_F(RegisterBoxTest, ShowsAllLanesAndFramesThoseThatDisagree) {
    const run::Run run = parity();
    const Scene box = boxOf(source(run, 5, true), 4);  // squares: 0, 49, 4, 49, ...
    EXPECT_TRUE(has(box, "%r3"));
    EXPECT_TRUE(has(box, "900")) << "lane 30";
    const std::vector<std::string> all = texts(box);
    EXPECT_EQ(std::ranges::count(all, "49"), 16) << "the odd lanes";
    EXPECT_TRUE(has(box, "lane 24"));
    EXPECT_EQ(framesIn(box), 0) << "half of them is no majority";
    RunBuilder b("few.cu",
                 "__global__ void kernel() {\n  int i = 7;\n  if (threadIdx.x < 4) i = threadIdx.x;\n}\n");
    const Pc seven = b.instruction("mov.u32 %r1, 7", 2), thread = b.instruction("mov.u32 %r2, %tid.x", 3),
             less = b.instruction("setp.lt.u32 %p1, %r2, 4", 3),
             number = b.instruction("@%p1 mov.u32 %r1, %r2", 3);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    for (const Pc pc : {seven, thread, less})
        b.step(0, pc, LaneMask::all());
    b.step(0, number, LaneMask::firstLanes(4));
    const run::Run few = b.finish();
    const Scene mostly = boxOf(source(few, 3, true), 2);
    EXPECT_TRUE(has(mostly, "7 in most lanes, framed where it is not"))
        << ::testing::PrintToString(texts(mostly));
    EXPECT_EQ(framesIn(mostly), 4);
    EXPECT_TRUE(has(boxOf(source(run, 4), 3), "Warp 0 after step 5 of 7 · 16 lanes inactive at this step"));
}

TEST_F(RegisterBoxTest, StandsInThePictureWhereItIsAskedFor) {
    const run::Run run = parity();
    for (const Language language : {Language::English, Language::Chinese})
        for (const SourceTab tab : {SourceTab::Cuda, SourceTab::Ptx}) {
            const Scene plain = source(run, 5, false, tab, language),
                        asked = source(run, 5, true, tab, language);
            EXPECT_FALSE(has(plain, "900"));
            EXPECT_TRUE(has(asked, "900")) << nameOf(tab);
        }
    for (const Language language : {Language::English, Language::Chinese}) {
        const run::Run matmul = tiledMatmul(3, 2, true);
        for (const u32 line : {4u, 7u, 11u})
            for (const SourceTab tab : {SourceTab::Cuda, SourceTab::Ptx}) {
                const Scene page = findView("source")->build(
                    {.run = matmul,
                     .cursor = at(8),
                     .profile = model::defaultProfile(),
                     .size = {900, 640},
                     .language = language,
                     .metrics = *fonts_,
                     .state = {.pan = {}, .zoom = 0, .options = SourceOptions{tab}}});
                EXPECT_EQ(untidyTexts(boxOf(page, line), *fonts_), std::vector<std::string>{});
            }
    }
}

}  // namespace
}  // namespace lockstep::viz
