// No stage opens on an empty picture: of every variant, with the place that its family chose and without, and
// of kernels of other hands opened as files, the first step on show accesses memory, exchanges values, parts
// lanes or holds them at a barrier, and its stage draws something that leads there.
#include "explain/branches.h"
#include "ptx/opcodes.h"
#include "support/kernels_of_others.h"
#include "support/run_shipped.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/opening.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

bool isToBeSeen(const run::Run& run, const viz::Cursor& cursor) {
    const viz::CursorContext here = viz::lookUp(run, cursor);
    if (!here.step) return false;
    if (here.access) return !here.access->active.empty();
    const std::string_view opcode = ptx::opcodeTable()[run.module->at(here.step->pc).opcode].name;
    return opcode == "shfl" || opcode == "bar" || explain::isConditionalBranch(*run.module, here.step->pc);
}

void expectPicture(const run::Run& run, const viz::Fonts& fonts) {
    const viz::Cursor cursor = viz::initialCursor(run);
    EXPECT_TRUE(isToBeSeen(run, cursor)) << "step " << cursor.step << " of warp " << cursor.warp.value;
    const viz::Scene scene = viz::findView("stage")->build(
        {.run = run, .cursor = cursor, .profile = run.profile, .size = {900, 600}, .metrics = fonts});
    EXPECT_GE(scene.hits.size(), 8u) << "nothing to point at";
    EXPECT_FALSE(scene.sentence.empty());
}

TEST(OpeningsTest, NoStageOpensOnAnEmptyPicture) {
    Expected<viz::Fonts> fonts = viz::Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    u32 seen = 0;
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants) {
            SCOPED_TRACE(family.name + "/" + variant.name);
            Expected<run::Run> run = runShipped(family.name + "/" + variant.name, {});
            ASSERT_TRUE(run) << describe(run.error());
            expectPicture(*run, *fonts);
            catalog::Variant withoutPlace = variant;
            withoutPlace.opening.reset();
            run->catalog->variant = &withoutPlace;
            SCOPED_TRACE("without a place of its own");
            expectPicture(*run, *fonts);
            ++seen;
        }
    EXPECT_GE(seen, 75u);
    u32 number = 0, ofOthers = 0;
    for (const KernelOfOthers& kernel : kernelsOfOthers()) {
        if (number++ % 6 != 0) continue;
        SCOPED_TRACE(kernel.request.file.filename().string());
        const Expected<run::Run> run = runOf(kernel);
        ASSERT_TRUE(run) << describe(run.error());
        expectPicture(*run, *fonts);
        ++ofOthers;
    }
    EXPECT_GE(ofOthers, 30u);
}

}  // namespace
}  // namespace lockstep
