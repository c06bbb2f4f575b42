// Lines that only one of two kernels has.
#include "explain/comparison/source_difference.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::RunBuilder;

run::Run withSource(const std::string& source) {
    RunBuilder b("kernel.cu", source);
    b.instruction("bar.sync 0", 2);
    b.launch({1, 1, 1}, {32, 1, 1});
    return b.finish();
}

std::vector<u32> numbers(const std::vector<SourceLine>& lines) {
    std::vector<u32> found;
    for (const SourceLine& line : lines)
        found.push_back(line.line);
    return found;
}

TEST(SourceDifferenceTest, IsTheLinesOfCodeThatOneOfTheTwoLacks) {
    const run::Run a = withSource(
                       "// The right one.\n__global__ void right(float* x) {\n  load(x);\n  __syncthreads(); "
                       " // all are here\n  use(x);\n}\n"),
                   b = withSource(
                       "__global__ void wrong(float* x)  {\n  load( x );\n  // Here a barrier is missing.\n  "
                       "use(x);\n  more(x);\n}\n");
    const SourceDifference difference = sourceDifference(a, {}, b, {});
    EXPECT_EQ(numbers(difference.onlyInA), (std::vector<u32>{4}));
    EXPECT_EQ(numbers(difference.onlyInB), (std::vector<u32>{5}));
    EXPECT_TRUE(difference.areAlike);
    const SourceDifference same = sourceDifference(a, {}, a, {});
    EXPECT_TRUE(same.areAlike && same.onlyInA.empty() && same.onlyInB.empty());
    EXPECT_FALSE(sourceDifference(
                     a, {}, withSource("__global__ void other() {\n  a();\n  b();\n  c();\n  d();\n}\n"), {})
                     .areAlike);
}

}  // namespace
}  // namespace lockstep::explain
