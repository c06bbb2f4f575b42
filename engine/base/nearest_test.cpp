#include "base/nearest.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Nearest, IsTheNameThatWasMeant) {
    const std::string names[] = {"naive", "tiled", "tiled-bounds", "missing-second-barrier", "v0"};
    struct Case {
        const char *word, *best;
    };
    constexpr Case cases[] = {
        {"tild", "tiled"},
        {"tield", "tiled"},
        {"Naive", "naive"},
        {"tiled_bounds", "tiled-bounds"},
        {"missing", "missing-second-barrier"},
        {"v1", "v0"},
        {"reduction", ""},
        {"", ""},
    };
    for (const Case& c : cases)
        EXPECT_EQ(nearest(c.word, names), c.best) << c.word;
    EXPECT_EQ(didYouMean("tild", names).english(), "; did you mean 'tiled'?");
    EXPECT_EQ(didYouMean("reduction", names).english(), "");
}

}  // namespace
}  // namespace lockstep
