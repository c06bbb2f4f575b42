// The source of every variant in the catalog in panels of usual sizes: the current line is seen whole,
// however much the values beside it take.
#include "looked_at.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

using namespace viz;

// What the right side has of a window of 640 x 480, of 1280 x 720, of 1440 x 900 and of 1920 x 1080.
constexpr Size kSizes[] = {{240, 300}, {460, 334}, {518, 420}, {538, 770}};

Scene sourceAt(const run::Run& run, const Cursor& cursor, Size size, const Fonts& fonts) {
    return findView("source")->build(
        {.run = run, .cursor = cursor, .profile = run.profile, .size = size, .metrics = fonts});
}

// The rows of a line, by its number, which the cursor frames.
f32 heightOfLine(const Scene& scene, const std::string& number) {
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark);
            text && text->text == number && text->face == Face::MonoBold)
            for (const HitArea& area : scene.hits)
                if (area.rect.x == 0 && area.rect.width == scene.size.width &&
                    area.rect.contains({0, text->at.y}))
                    return area.rect.height;
    return 0;
}

TEST(SourceTest, TheCurrentLineIsSeenWhole) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    u32 looked = 0;
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants) {
            const std::string name = family.name + "/" + variant.name;
            const Expected<run::Run> run = runShipped(name, {});
            ASSERT_TRUE(run) << name;
            const Cursor start = explain::toStart(*run, initialCursor(*run));
            for (const Cursor& cursor : placesToLookAt(
                     *run, {explain::forward(*run, run->profile, start, explain::Stride::Conflict),
                            explain::forward(*run, run->profile, start, explain::Stride::Finding)})) {
                const CursorContext here = lookUp(*run, cursor);
                const explain::SourceLine line =
                    here.step ? explain::lineOf(*run->module, here.step->pc) : explain::SourceLine{};
                if (!line.line) continue;
                const std::string number = std::to_string(line.line);
                for (const Size size : kSizes) {
                    const f32 whole =
                        heightOfLine(sourceAt(*run, cursor, {size.width, 4000}, *fonts), number);
                    EXPECT_GT(whole, 0) << name << ", line " << number;
                    EXPECT_EQ(heightOfLine(sourceAt(*run, cursor, size, *fonts), number), whole)
                        << name << ", line " << number << ", " << size.width << " x " << size.height;
                    ++looked;
                }
            }
        }
    EXPECT_GT(looked, 500u);
}

}  // namespace
}  // namespace lockstep
