// The shape of kernels of other hands (tests/shapes), each run as a file: as shapes.toml has it.
#include "explain/shape.h"
#include "run/run.h"
#include "support/kernels_of_others.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lockstep {
namespace {

// As `run --json` says it: of the first recorded block that has a shape.
std::string shapeOf(const run::Run& run) {
    for (const trace::FocusBlock& block : run.recording.trace.blocks) {
        const auto flow = explain::BlockFlow::of(*run.module, run.recording.launches[block.launch.value],
                                                 run.recording.initial.size(), block);
        EXPECT_TRUE(flow) << describe(flow.error());
        if (!flow) continue;
        const explain::ProvedShape proved =
            explain::shapeOf(*run.module, run.recording.initial, block, *flow);
        EXPECT_FALSE(proved.evidence.empty());
        if (proved.shape != explain::Shape::Generic) return std::string(explain::nameOf(proved.shape));
        break;
    }
    return "generic";
}

TEST(ShapesTest, KernelsOfOtherHandsHaveTheShapeThatTheyDeserve) {
    std::size_t looked = 0, deserved = 0;
    for (const KernelOfOthers& kernel : kernelsOfOthers()) {
        SCOPED_TRACE(kernel.request.file.filename().string());
        const Expected<run::Run> run = runOf(kernel);
        ASSERT_TRUE(run) << describe(run.error());
        const std::string shape = shapeOf(*run);
        EXPECT_EQ(shape, kernel.found);
        ++looked, deserved += shape == kernel.shape;
    }
    EXPECT_GE(looked, 200u);
    EXPECT_GE(10 * deserved, 9 * looked) << deserved << " of " << looked;
    RecordProperty("deserved", int(deserved));
}

}  // namespace
}  // namespace lockstep
