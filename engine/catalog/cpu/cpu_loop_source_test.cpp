#include "catalog/cpu/cpu_loop_source.h"

#include "catalog/cpu/plain_loops.h"
#include "catalog/references/references.h"

#include <gtest/gtest.h>

namespace lockstep::catalog {
namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

Variant named(std::string name, std::string reference = {}) {
    Variant variant;
    variant.name = std::move(name);
    variant.reference = std::move(reference);
    return variant;
}

TEST(CpuLoopSource, IsTheTextbooksLoopOfAMultiply) {
    const std::string source = cpuLoopSource("matmul", named("naive", "matmul"));
    EXPECT_TRUE(source.starts_with("void multiplyAsTaught(")) << source;
    EXPECT_TRUE(contains(source,
                         "            for (u64 k = 0; k < inner; ++k)\n"
                         "                sum += M[row * inner + k] * N[k * columns + column];\n"))
        << source;
    EXPECT_TRUE(source.ends_with("}\n")) << source;
}

TEST(CpuLoopSource, HasTheElementOfALoopOverElements) {
    const std::string source = cpuLoopSource("coalescing", named("stride"));
    EXPECT_TRUE(contains(source, "to[i] = element(scope, i);")) << source;
    EXPECT_TRUE(
        source.ends_with("\nforEach<f32, [](const Reals& s, s64 i) { return s.in[i * s.stride]; }>\n"))
        << source;
    const std::string switched = cpuLoopSource("divergence", named("switch-by-lane"));
    EXPECT_TRUE(contains(switched, "        case 1: return s.in[i] - more;\n")) << switched;
    EXPECT_TRUE(switched.ends_with("}>\n")) << switched;
}

TEST(CpuLoopSource, IsThereWhereverALoopIsTimed) {
    for (const PlainLoop& loop : plainLoops())
        for (const std::string_view variant : loop.variants)
            EXPECT_TRUE(
                contains(cpuLoopSource(loop.family, named(std::string(variant))), "#pragma omp parallel"))
                << loop.family << "/" << variant;
    for (const Reference& reference : references())
        EXPECT_EQ(cpuLoopSource("any", named("any", std::string(reference.name))).empty(),
                  reference.asTaught == nullptr)
            << reference.name;
    EXPECT_EQ(cpuLoopSource("banks", named("row")), "");
}

TEST(CpuLoopSource, EndsWhereItsCommentSaysSo) {
    EXPECT_EQ(markedPart("a\n// cpu loop x\nint b;\n  // cpu loop y\nc\n// end of cpu loop\nd\n", "x"),
              "int b;\n  // cpu loop y\nc\n");
    EXPECT_EQ(markedPart("a\n", "x"), "");
}

}  // namespace
}  // namespace lockstep::catalog
