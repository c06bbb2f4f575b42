#include "model/access/access_query.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

using trace::Space;

AccessAnswer ask(Space space, u32 width, std::string_view expression, std::string_view profile,
                 std::optional<bool> l1 = {}) {
    const Expected<LaneOffsets> offsets = offsetsOf(expression, width);
    EXPECT_TRUE(offsets) << expression;
    const Expected<AccessAnswer> found =
        answer({.space = space, .widthBytes = width, .offsets = *offsets, .l1 = l1}, *findProfile(profile));
    EXPECT_TRUE(found) << expression;
    return *found;
}

TEST(AccessQuery, OfASharedColumnGivesWavefrontsAndPassesOnly) {
    const AccessAnswer column = ask(Space::Shared, 4, "tid*32+3", "cc90");
    EXPECT_EQ(column.wavefronts, 32u);
    EXPECT_EQ(column.idealWavefronts, 1u);
    EXPECT_FALSE(column.requests || column.sectors || column.transactions);
    EXPECT_TRUE(column.items.empty());
    ASSERT_EQ(column.passes.size(), 32u);
    EXPECT_EQ(column.passes[5].lanes, std::vector<u32>{5});
    EXPECT_EQ(column.passes[5].banks, std::vector<u32>{3});
}

TEST(AccessQuery, OfAGlobalAccessGivesSectorsOrTransactions) {
    const AccessAnswer today = ask(Space::Global, 4, "tid+1", "cc90");
    EXPECT_EQ(today.requests, 1u);
    EXPECT_EQ(today.sectors, 5u);
    EXPECT_FALSE(today.transactions || today.wavefronts || today.idealWavefronts);
    ASSERT_EQ(today.items.size(), 5u);
    EXPECT_EQ(today.items[4].start, 128);
    EXPECT_EQ(today.items[4].lanes, std::vector<u32>{31});

    const AccessAnswer g80 = ask(Space::Global, 4, "tid+1", "cc10");
    EXPECT_EQ(g80.requests, 2u);
    EXPECT_EQ(g80.transactions, 32u);
    EXPECT_FALSE(g80.sectors);

    EXPECT_EQ(ask(Space::Global, 4, "tid*8", "cc20").transactions, 8u);
    EXPECT_EQ(ask(Space::Global, 4, "tid*8", "cc20", false).sectors, 32u);
    EXPECT_EQ(ask(Space::Global, 4, "tid*8", "cc35").sectors, 32u);
    EXPECT_EQ(ask(Space::Global, 4, "tid*8", "cc35", true).transactions, 8u);
    EXPECT_EQ(ask(Space::Global, 4, "tid*8", "cc90", false).sectors, 32u);
}

TEST(AccessQuery, TakesNegativeIndices) {
    const AccessAnswer halo = ask(Space::Global, 4, "tid-1", "cc90");
    EXPECT_EQ(halo.sectors, 5u);
    EXPECT_EQ(halo.items[0].start, -32);
    EXPECT_EQ(halo.items[0].lanes, std::vector<u32>{0});
    EXPECT_EQ(ask(Space::Shared, 4, "-tid", "cc90").wavefronts, 1u);
}

TEST(ParseOffsets, TakesNumbersAndInactiveLanes) {
    std::string text = "0,-, 0x10 ,-4";
    for (u32 lane = 4; lane < 32; ++lane)
        text += "," + std::to_string(4 * lane);
    const Expected<LaneOffsets> offsets = parseOffsets(text);
    ASSERT_TRUE(offsets) << offsets.error().message.english();
    EXPECT_EQ((*offsets)[0], 0);
    EXPECT_FALSE((*offsets)[1]);
    EXPECT_EQ((*offsets)[2], 16);
    EXPECT_EQ((*offsets)[3], -4);
    EXPECT_EQ((*offsets)[31], 124);
    const AccessAnswer found = *answer({.space = Space::Global, .offsets = *offsets}, defaultProfile());
    EXPECT_EQ(found.items[0].start, -32);
    EXPECT_EQ(found.sectors, 5u);
}

TEST(AccessQuery, SaysWhatIsWrong) {
    EXPECT_EQ(parseOffsets("0,4,8").error().message.english(),
              "3 offsets are given; a warp has 32 lanes: give one for each, - where a lane is inactive");
    EXPECT_EQ(parseOffsets("0,four").error().message.english(),
              "'four' (lane 1) is not a byte offset; give a whole number, or - for an inactive lane");
    EXPECT_FALSE(parseOffsets(""));
    EXPECT_FALSE(parseOffsets("0,,4"));
    EXPECT_FALSE(parseOffsets("99999999999999999999999"));
    EXPECT_FALSE(parseOffsets(std::string(100000, ',')));
    EXPECT_FALSE(offsetsOf("1 << 62", 4));
    EXPECT_FALSE(offsetsOf("tid +", 4));

    AccessQuery query{.space = Space::Global};
    query.offsets[3] = 6;
    EXPECT_EQ(answer(query, defaultProfile()).error().message.english(),
              "lane 3's byte offset 6 is not a multiple of the width 4: a GPU stops there (misaligned "
              "address); use multiples of 4 or a smaller width");
    query.widthBytes = 3;
    EXPECT_EQ(answer(query, defaultProfile()).error().message.english(),
              "the width 3 does not exist; an access is 1, 2, 4, 8 or 16 bytes wide");
    query.widthBytes = 4;
    query.offsets[3] = s64{1} << 50;
    EXPECT_FALSE(answer(query, defaultProfile()));
}

TEST(AccessQuery, WithoutAnActiveLaneIsFree) {
    for (Space space : {Space::Shared, Space::Global})
        for (const Profile& profile : profiles()) {
            const AccessAnswer none = *answer({.space = space}, profile);
            EXPECT_EQ(none.requests.value_or(0) + none.sectors.value_or(0) + none.transactions.value_or(0) +
                          none.wavefronts.value_or(0),
                      0u);
        }
}

}  // namespace
}  // namespace lockstep::model
