#include "program/chevrons.h"

#include <gtest/gtest.h>

namespace lockstep::program {
namespace {

TEST(Chevrons, AreJoinedWhereTheyLaunchAKernel) {
    struct Case {
        const char *written, *joined;
    };
    constexpr Case kCases[] = {
        {"f << <1, 32>> >(a);", "f <<< 1, 32 >>>(a);"},
        {"f< <<1, n >> 2 > >>(a);", "f<<< 1, n >> 2  >>>(a);"},
        {"f<<<1, 32>>>(a);", "f<<<1, 32>>>(a);"},
        {"f << <grid,\n  block >> >\n(a);", "f <<< grid,\n  block  >>>\n(a);"},
        {"std::vector<std::vector<std::vector<int>> > v;", "std::vector<std::vector<std::vector<int>> > v;"},
        {"f << <1, 2>> >(); A<B<C<int>> > x;", "f <<< 1, 2 >>>(); A<B<C<int>> > x;"},
        {"puts(\"<< <1>> >\"); // f << <1>> >\n/* << < */ '\"'; f << <1>> >();",
         "puts(\"<< <1>> >\"); // f << <1>> >\n/* << < */ '\"'; f <<< 1 >>>();"},
        {"int n = 1'000; f << <n, 2>> >(); char c = '\\'';",
         "int n = 1'000; f <<< n, 2 >>>(); char c = '\\'';"},
        {"R\"x(\" << <)x\"; f << <1, 2>> >();", "R\"x(\" << <)x\"; f <<< 1, 2 >>>();"},
    };
    for (const Case& c : kCases)
        EXPECT_EQ(joinedChevrons(c.written), c.joined) << c.written;
}

}  // namespace
}  // namespace lockstep::program
