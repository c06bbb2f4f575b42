#include "program/compile.h"

#include <gtest/gtest.h>

namespace lockstep::program {
namespace {

TEST(Compile, TakesWarningsOfErrorsThatAreNotUsed) {
    std::set<CodePlace> places;
    const std::string rest = takeUnusedResults(
        R"(program.cu:7:5: warning: ignoring return value of function declared with 'warn_unused_result' attribute [-Wunused-result]
    cudaFree(a);
    ^~~~~~~~ ~
./other.cu:12:9: warning: unused variable 'b' [-Wunused-variable]
    int b;
        ^
program.cu:8:5: warning: ignoring return value of function declared with 'warn_unused_result' attribute [-Wunused-result]
    cudaFree(a);
    ^~~~~~~~ ~
3 warnings generated.
)",
        places);
    EXPECT_EQ(rest,
              "./other.cu:12:9: warning: unused variable 'b' [-Wunused-variable]\n    int b;\n        ^\n");
    EXPECT_EQ(places, (std::set<CodePlace>{{"program.cu", 7}, {"program.cu", 8}}));
}

}  // namespace
}  // namespace lockstep::program
