// Kernels of other hands (tests/shapes): each has the stage of the shape that was proved of it, and no kernel
// without a shape has one that was made for another.
#include "viz/views/stage_of_shape.h"

#include "../support/kernels_of_others.h"
#include "viz/cursor/opening.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"
#include "viz/views/stage.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using namespace viz;
using explain::Shape;

// "matmul" of "matmul"; empty: the shape has no stage of its own.
std::string_view stageOf(std::string_view shape) {
    for (const Shape one : {Shape::Matmul, Shape::Transpose, Shape::Tree, Shape::Scan, Shape::Divergence})
        if (explain::nameOf(one) == shape) return stageOfShape(one);
    return {};
}

TEST(StageOfShapeTest, KernelsOfOtherHandsHaveTheStageOfTheirShape) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    std::size_t looked = 0;
    for (const KernelOfOthers& kernel : kernelsOfOthers()) {
        SCOPED_TRACE(kernel.request.file.filename().string());
        const Expected<run::Run> run = runOf(kernel);
        ASSERT_TRUE(run) << describe(run.error());
        const std::optional<BuiltStage> stage = buildShapedStage({.run = *run,
                                                                  .cursor = initialCursor(*run),
                                                                  .profile = run->profile,
                                                                  .size = {900, 600},
                                                                  .metrics = *fonts});
        const std::string drawn = stage ? std::string(stage->name) : "generic";
        const std::string_view own = stageOf(kernel.found);
        ++looked;
        if (own == "matmul") {
            EXPECT_EQ(drawn, own);
        } else if (!own.empty()) {
            EXPECT_TRUE(drawn == own || drawn == "generic") << drawn << " of " << own;
        } else {
            for (const std::string_view other : {"matmul", "reduction", "scan", "divergence"})
                EXPECT_NE(drawn, other);
        }
    }
    EXPECT_GE(looked, 200u);
}

}  // namespace
}  // namespace lockstep
