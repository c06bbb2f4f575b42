// The timed loops compute what their kernels should: compared with the results in family.toml, at sizes with
// partial pieces and rows.
#include "catalog/cpu/plain_loops.h"

#include "catalog/cpu/cpu_timing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace lockstep::catalog {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

const Catalog& shipped() {
    static const Expected<Catalog> catalog =
        Catalog::read(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "kernels");
    return *catalog;
}

Experiment make(const Family& family, const Variant& variant, const Settings& all) {
    Settings settings;
    for (const auto& [name, value] : all)
        if (std::ranges::find(variant.parameters, name) != variant.parameters.end())
            settings.emplace_back(name, value);
    const Expected<Values> values = resolve(family, variant, settings);
    if (!values) {
        ADD_FAILURE() << variant.name << ": " << values.error().message.english();
        std::abort();
    }
    return *makeExperiment(family, variant, *values);
}

s64 totalOf(const Buffer& buffer) {
    s64 total = 0;
    for (const s32 element : buffer.as<s32>())
        total += element;
    return total;
}

void expectSame(const Experiment& experiment) {
    const std::string name = experiment.family->name + "/" + experiment.variant->name;
    const PlainLoop* loop = findPlainLoop(experiment);
    ASSERT_TRUE(loop) << name;
    Buffer result = resultOf(*loop, experiment);
    ASSERT_TRUE(loop->run(experiment, result, nullptr)) << name;
    const auto expected = computeReference(experiment);
    ASSERT_TRUE(expected && expected->size() == 1u) << name;
    const Buffer& output = expected->begin()->second;
    if (experiment.family->name == "reduction")
        EXPECT_EQ(totalOf(result), totalOf(output)) << name;
    else
        EXPECT_EQ(result.bytes, output.bytes) << name;
}

TEST(PlainLoops, DoWhatTheirKernelsShould) {
    const Settings uneven{{"n", "1000"},   {"block", "64"}, {"rows", "44"},  {"columns", "72"},
                          {"steps", "7"},  {"offset", "5"}, {"stride", "3"}, {"working", "11"},
                          {"width", "50"}, {"height", "7"}, {"kinds", "13"}};
    for (const PlainLoop& loop : plainLoops())
        for (const std::string_view name : loop.variants) {
            const Family* family = shipped().find(loop.family);
            ASSERT_TRUE(family && family->find(name)) << loop.family << "/" << name;
            expectSame(make(*family, *family->find(name), {}));
            expectSame(make(*family, *family->find(name), uneven));
        }
    // More elements than one piece of a loop has.
    const Family& divergence = *shipped().find("divergence");
    expectSame(make(divergence, *divergence.find("parity"), {{"n", "65536"}, {"steps", "1"}}));
    const Family& coalescing = *shipped().find("coalescing");
    expectSame(make(coalescing, *coalescing.find("stride"), {{"n", "200000"}}));
}

// Variants without a timed loop are faulty, or move one tile of one block.
TEST(PlainLoops, EveryKernelIsTimedOnTheCpuButThese) {
    std::vector<std::string> untimed;
    for (const Family& family : shipped().families())
        for (const Variant& variant : family.variants) {
            const std::optional<CpuTiming> timing =
                timeOnCpu(make(family, variant, {{"n", "64"}, {"width", "64"}}), 1);
            if (!timing)
                untimed.push_back(family.name + "/" + variant.name);
            else
                EXPECT_EQ(timing->seconds.size(), 1u) << variant.name;
        }
    EXPECT_EQ(untimed,
              (std::vector<std::string>{"banks/stride", "banks/words", "banks/broadcast", "banks/row",
                                        "banks/column", "banks/swizzle", "divergence/divergent-barrier"}));
}

TEST(PlainLoops, KeepToTheBuffersThatAreThere) {
    const Family& coalescing = *shipped().find("coalescing");
    for (const char* const variant : {"sequential", "offset", "stride", "structure-of-arrays", "scattered"}) {
        Experiment experiment = make(coalescing, *coalescing.find(variant), {});
        Buffer& in = experiment.buffers[indexOf(experiment.buffers, "in")];
        in.shape = {8};
        in.bytes.resize(8 * sizeof(f32));
        EXPECT_FALSE(findPlainLoop(experiment)) << variant;
    }
    const Family& transposed = *shipped().find("transpose");
    Experiment experiment = make(transposed, *transposed.find("naive"), {});
    experiment.buffers[indexOf(experiment.buffers, "out")].shape = {64, 32};
    EXPECT_FALSE(findPlainLoop(experiment));
}

TEST(PlainLoops, GiveNothingOnceCancelled) {
    const std::atomic<bool> cancelled{true};
    for (const PlainLoop& loop : plainLoops()) {
        const Family& family = *shipped().find(loop.family);
        const Experiment experiment = make(family, *family.find(loop.variants[0]), {});
        Buffer result = resultOf(loop, experiment);
        EXPECT_FALSE(loop.run(experiment, result, &cancelled)) << loop.variants[0];
    }
}

}  // namespace
}  // namespace lockstep::catalog
