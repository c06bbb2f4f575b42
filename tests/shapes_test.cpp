// The shape of kernels of other hands (tests/shapes), each run as a file: as shapes.toml has it.
#include "base/files/toml.h"
#include "explain/shape.h"
#include "run/run.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lockstep {
namespace {

struct Kernel {
    run::FileRequest request;
    std::string shape, found;  // deserved; what is said
};

std::vector<Kernel> kernels() {
    const std::filesystem::path folder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests" / "shapes";
    const toml::parse_result table = toml::parse_file((folder / "shapes.toml").string());
    std::vector<Kernel> all;
    EXPECT_TRUE(table) << "shapes.toml";
    if (!table) return all;
    for (const toml::node& node : *table["kernels"].as_array()) {
        const toml::table& row = *node.as_table();
        Kernel kernel{.request = {.file = folder / row["file"].value_or(""),
                                  .entry = row["entry"].value_or(""),
                                  .grid = {},
                                  .block = {},
                                  .defines = {},
                                  .arguments = {},
                                  .includeFolders = {}},
                      .shape = row["shape"].value_or(""),
                      .found = row["found"].value_or(row["shape"].value_or(""))};
        const auto extents = [&](const char* key) {
            Dim3 dim{1, 1, 1};
            std::sscanf(row[key].value_or("1"), "%u,%u,%u", &dim.x, &dim.y, &dim.z);
            return dim;
        };
        kernel.request.grid = extents("grid");
        kernel.request.block = extents("block");
        kernel.request.dynamicSharedBytes = row["shared"].value_or(0u);
        for (const toml::node& argument : *row["args"].as_array())
            kernel.request.arguments.push_back(argument.value_or(""));
        all.push_back(std::move(kernel));
    }
    return all;
}

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
    for (const Kernel& kernel : kernels()) {
        SCOPED_TRACE(kernel.request.file.filename().string());
        Expected<run::Experiment> experiment = run::open(kernel.request);
        ASSERT_TRUE(experiment) << describe(experiment.error());
        const Expected<run::Run> run = run::run(std::move(*experiment), {});
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
