// Every variant opens at the step that its texts speak of.
#include "viz/cursor/opening.h"

#include "looked_at.h"
#include "viz/cursor/lookup.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(OpeningTest, AVariantOpensOnTheLineThatItNames) {
    int named = 0;
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants) {
            if (!variant.opening) continue;
            ++named;
            const std::string name = family.name + "/" + variant.name;
            const Expected<run::Run> run = runShipped(name, {});
            ASSERT_TRUE(run) << name << ": " << describe(run.error());
            const viz::Cursor cursor = viz::initialCursor(*run);
            const viz::CursorContext here = viz::lookUp(*run, cursor);
            ASSERT_TRUE(here.step) << name;
            const std::string_view line =
                explain::textOfLine(*run->module, explain::lineOf(*run->module, here.step->pc));
            EXPECT_NE(line.find(variant.opening->at), std::string_view::npos)
                << name << " opens at '" << variant.opening->at << "' and not on: " << line;
            EXPECT_TRUE(here.step->active.has(cursor.lane)) << name << ": a lane that takes part";
        }
    EXPECT_GT(named, 20);
}

TEST(OpeningTest, AVariantOpensThereAtOtherSizesToo) {
    const Expected<run::Run> run = runShipped("divergence/unequal", {{"steps", "1"}});
    ASSERT_TRUE(run) << describe(run.error());
    const viz::CursorContext here = viz::lookUp(*run, viz::initialCursor(*run));
    ASSERT_TRUE(here.access);
    EXPECT_EQ(here.access->active.count(), 1) << "the second time comes to nothing: the last there is";
}

}  // namespace
}  // namespace lockstep
