// Shapes of shared arrays, solved from their declarations.
#include "viz/shared_arrays.h"

#include <gtest/gtest.h>

#include "viz/test_run.h"

namespace lockstep::viz {
namespace {

TEST(SharedArraysTest, DeclarationsAreSolvedForTheSizeThatIsKnown) {
    struct Case { const char* source; const char* name; u64 elements; std::vector<u64> shape; };
    const Case cases[] = {
        {"__shared__ float Mds[T][T];", "Mds", 256, {16, 16}},
        {"__shared__ float tile[TILE][TILE + 1];", "tile", 32 * 33, {32, 33}},
        {"__shared__ float a[2][T][T], b[T*T];", "a", 128, {2, 8, 8}},
        {"__shared__ float a[2][T][T], b[T*T];", "b", 64, {64}},
        {"__shared__ int counts[256];", "counts", 256, {256}},
        {"__shared__ float xs[4*(N+1)];", "xs", 20, {20}},
        {"__shared__ float Mds[T][T];", "Mds", 257, {}},
        {"__shared__ float Mds[T][T];", "Nds", 256, {}},
        {"float Mds[T][T];", "Mds", 256, {}},
        {"__shared__ float aMds[T];\n__shared__ float Mds[8];", "Mds", 8, {8}},
        {"__shared__ float Mds[T - ];", "Mds", 8, {}},
        {"__shared__ float Mds[((((((((((T))))))))))];", "Mds", 8, {}},
    };
    for (const Case& c : cases) EXPECT_EQ(declaredShape(c.source, c.name, c.elements), c.shape) << c.source << " " << c.name;
}

TEST(SharedArraysTest, ArraysLieOneBehindTheOther) {
    const run::Run run = tiledMatmul(3, 2, true);
    const std::vector<SharedArray> arrays = sharedArrays(run, {});
    ASSERT_EQ(arrays.size(), 2u);
    EXPECT_EQ(arrays[0].name, "Mds");
    EXPECT_EQ(arrays[0].shape, (std::vector<u64>{2, 2}));
    EXPECT_EQ(arrays[1].name, "Nds");
    EXPECT_EQ(arrays[1].base, 16u);
}

}  // namespace
}  // namespace lockstep::viz
