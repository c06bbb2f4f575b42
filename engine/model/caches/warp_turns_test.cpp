#include "model/caches/warp_turns.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace lockstep::model {
namespace {

constexpr auto nobody = [] { return u64{0}; };
std::vector<u32> take(WarpTurns& turns, u32 many) {
    std::vector<u32> taken;
    for (u32 i = 0; i < many; ++i)
        taken.push_back(turns.next(nobody));
    return taken;
}
using Warps = std::vector<u32>;

TEST(WarpTurns, GoRoundInTheOrderOfNumbers) {
    WarpTurns turns;
    EXPECT_TRUE(turns.empty());
    for (u32 warp : {63u, 0u, 5u})
        turns.join(warp);
    EXPECT_EQ(take(turns, 7), (Warps{0, 5, 63, 0, 5, 63, 0}));
    turns.leave(5);
    turns.join(2);
    EXPECT_EQ(take(turns, 4), (Warps{2, 63, 0, 2})) << "in its place, also in a round that has begun";
    for (u32 warp : {0u, 2u, 63u})
        turns.leave(warp);
    EXPECT_TRUE(turns.empty());
}

TEST(WarpTurns, AWarpThatIsLateComesBackToItsPlace) {
    WarpTurns turns;
    for (u32 warp : {0u, 1u, 2u})
        turns.join(warp);
    EXPECT_EQ(take(turns, 2), (Warps{0, 1}));
    turns.late(1, 2);
    EXPECT_EQ(take(turns, 6), (Warps{2, 0, 2, 0, 1, 2}));
    turns.late(2, 1);  // it has had its turn in this round
    EXPECT_EQ(take(turns, 3), (Warps{0, 1, 2}));
    for (u32 warp : {0u, 1u, 2u})
        turns.late(warp, 3);
    EXPECT_EQ(turns.next(nobody), 0u) << "when all are late, a round nobody has passes at once";
}

TEST(WarpTurns, ThoseThatSitOutARoundHaveTheNext) {
    WarpTurns turns;
    for (u32 warp : {0u, 1u, 2u})
        turns.join(warp);
    u64 out = 0b110;
    const auto sitOut = [&] { return std::exchange(out, 0); };
    Warps taken;
    for (u32 i = 0; i < 7; ++i)
        taken.push_back(turns.next(sitOut));
    EXPECT_EQ(taken, (Warps{0, 1, 2, 0, 0, 1, 2})) << "asked as the second round begins";
}

}  // namespace
}  // namespace lockstep::model
