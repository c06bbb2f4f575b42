// The keys of the timeline and of the lanes view: an entry for each kind of mark in the picture, and no
// other.
#include "looked_at.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

using namespace viz;

std::set<std::string> entriesOf(std::string_view view, const std::string& variant, const Fonts& fonts) {
    const Expected<run::Run> run = runShipped(variant, {});
    if (!run) return {};
    const Scene scene = findView(view)->build({.run = *run,
                                               .cursor = initialCursor(*run),
                                               .profile = run->profile,
                                               .size = {1280, 320},
                                               .metrics = fonts});
    std::set<std::string> entries;
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark))
            for (const Rect& key : scene.keys)
                if (key.contains(text->at)) entries.insert(text->text);
    return entries;
}

TEST(KeyTest, AProblemHasAnEntryWhereThereIsOne) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    for (const char* view : {"timeline", "lanes"}) {
        EXPECT_TRUE(entriesOf(view, "scan/in-place", *fonts).contains("problem")) << view;
        EXPECT_FALSE(entriesOf(view, "matmul/tiled", *fonts).contains("problem")) << view;
        EXPECT_TRUE(entriesOf(view, "reduction/v4", *fonts).contains("warning")) << view;
    }
}

TEST(KeyTest, TheStripOfActiveLanesHasAnEntryForEachOfItsColors) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const std::set<std::string> whole = entriesOf("timeline", "matmul/tiled", *fonts),
                                parted = entriesOf("timeline", "divergence/parity", *fonts);
    EXPECT_TRUE(whole.contains("all lanes") && !whole.contains("some lanes"));
    EXPECT_TRUE(parted.contains("all lanes") && parted.contains("some lanes"));
}

}  // namespace
}  // namespace lockstep
