// Kernels that ran on a GPU: the emulator's results must match the GPU's bit for bit if the case says so,
// correct kernels must have no findings, and faulty ones theirs at one of the named lines.
#include "base/files/npy.h"
#include "ptx/module.h"
#include "simt/emulator.h"
#include "simt/opcodes/same_results.h"
#include "simt/opcodes/truth_cases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace lockstep::simt {
namespace {

// Differing elements, or those beyond the case's tolerance.
void expectEqual(const Comparison& comparison, const Buffer& got, const Buffer& want) {
    ASSERT_EQ(got.bytes.size(), want.bytes.size());
    u64 wrong = 0;
    std::string first;
    const u32 bytes = info(got.type).bytes;
    for (u64 i = 0; i < got.count(); ++i) {
        if (std::memcmp(got.bytes.data() + i * bytes, want.bytes.data() + i * bytes, bytes) == 0) continue;
        const f64 g = got.valueAt(i), w = want.valueAt(i);
        if (!comparison.exact && std::abs(g - w) <= comparison.absolute + comparison.relative * std::abs(w))
            continue;
        if (!wrong++)
            first =
                "element " + std::to_string(i) + ": got " + std::to_string(g) + ", want " + std::to_string(w);
    }
    EXPECT_EQ(wrong, 0u) << first;
}

// The line of the .cu; for code without a line, the preceding one.
std::string lineOf(const ptx::Module& module, const trace::Finding& finding) {
    if (finding.who.pc == kNoPc) return "?";
    for (u32 pc = finding.who.pc.value + 1; pc-- > 0;) {
        u32 location = module.instructions[pc].location;
        while (module.locations[location].inlinedAt)
            location = module.locations[location].inlinedAt;
        if (module.locations[location].line) return std::to_string(module.locations[location].line);
    }
    return "?";
}

class Truth : public testing::TestWithParam<std::size_t> {
protected:
    const Case& c = cases()[GetParam()];
};

TEST_P(Truth, IsWhatTheGpuDid) {
    Experiment e = experimentOf(c);
    if (c.id == "wmma_half") {  // tensor cores: rejected by name, before anything runs
        auto supported = checkSupported(e.module, e.launch.entry);
        ASSERT_FALSE(supported);
        EXPECT_NE(supported.error().message.english().find("wmma.load"), std::string::npos)
            << supported.error().message.english();
        return;
    }
    Options options;
    options.engine = Engine::Plain;
    if (c.id == "endless_loop") options.limit = std::chrono::milliseconds(200);
    auto result = run(e.module, {&e.launch, 1}, e.buffers, options);
    ASSERT_TRUE(result) << describe(result.error());

    bool found = c.kinds.empty();
    std::string seen;
    for (const trace::Finding& finding : result->findings) {
        const std::string kind(nameOf(finding.kind)), line = lineOf(e.module, finding);
        seen += fmt::format("{} at line {}; ", kind, line);
        found |= c.kinds.contains(kind) && c.lines.contains(line);
    }
    EXPECT_TRUE(found) << "found: " << seen;
    if (c.kinds.empty()) {
        EXPECT_TRUE(result->findings.empty()) << seen;
    }

    for (const Comparison& comparison : c.comparisons) {
        const u32 buffer = std::get<BufferArgument>(e.launch.arguments[comparison.argument]).buffer;
        const std::filesystem::path file =
            kFolder / "expected" / (c.id + "_" + std::to_string(comparison.argument) + ".npy");
        if (!std::filesystem::exists(file)) continue;  // the GPU's result was not kept for the large ones
        auto want = readNpy(file);
        ASSERT_TRUE(want) << describe(want.error());
        expectEqual(comparison, e.buffers[buffer], *want);
    }
}

TEST_P(Truth, IsTheSameOnBothEngines) {
    if (c.id == "wmma_half" || c.id == "endless_loop") GTEST_SKIP() << "does not run to an end";
    Experiment plain = experimentOf(c), fast = experimentOf(c);
    Options options;
    options.engine = Engine::Plain;
    auto one = run(plain.module, {&plain.launch, 1}, plain.buffers, options);
    ASSERT_TRUE(one) << describe(one.error());
    options.engine = Engine::Fast;
    for (u32 threads : {1u, 3u}) {
        options.threads = threads;
        Experiment e = fast;
        auto other = run(e.module, {&e.launch, 1}, e.buffers, options);
        ASSERT_TRUE(other) << describe(other.error());
        EXPECT_EQ(firstDifference(*one, plain.buffers, *other, e.buffers), "") << threads << " threads";
    }
}

INSTANTIATE_TEST_SUITE_P(Own, Truth, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& info) { return cases()[info.param].id; });

}  // namespace
}  // namespace lockstep::simt
