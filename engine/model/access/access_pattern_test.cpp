#include "model/access/access_pattern.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

AccessAnswer answerOf(const AccessPattern& pattern, const char* profile = "cc90") {
    const Expected<AccessQuery> query = queryOf(pattern);
    EXPECT_TRUE(query) << describe(query.error());
    const Expected<AccessAnswer> result = answer(*query, *findProfile(profile));
    EXPECT_TRUE(result) << describe(result.error());
    return *result;
}

TEST(AccessPattern, PaddingMovesEachRowOnByItsLength) {
    const RowLayout padded{.elements = 32, .padding = 1};
    EXPECT_EQ(padded.place(31), 31);
    EXPECT_EQ(padded.place(32), 33);
    EXPECT_EQ(padded.place(65), 67) << "row 2, column 1";
    EXPECT_EQ(padded.place(-1), -2) << "the last element of the row before";
    EXPECT_TRUE(padded.isUsed(31));
    EXPECT_FALSE(padded.isUsed(32));
    EXPECT_FALSE(padded.isUsed(-1));
    EXPECT_TRUE(padded.isUsed(33));
}

TEST(AccessPattern, ASwizzleExchangesTheColumnsOfARow) {
    const RowLayout swizzled{.elements = 8, .swizzled = true};
    EXPECT_EQ(swizzled.place(5), 5) << "row 0 stays";
    EXPECT_EQ(swizzled.place(8), 9) << "row 1: columns 0 and 1 change places";
    EXPECT_EQ(swizzled.place(9), 8);
    EXPECT_EQ(swizzled.place(3 * 8 + 6), 3 * 8 + 5) << "6 ^ 3";
    EXPECT_EQ(swizzled.place(9 * 8 + 6), 9 * 8 + 7) << "row 9 as row 1: within eight columns";
}

TEST(AccessPattern, PaddingAndSwizzleFreeAColumnOfConflicts) {
    AccessPattern column{.expression = "tid * 32"};
    EXPECT_EQ(answerOf(column).wavefronts, 32u);
    column.rows.padding = 1;
    EXPECT_EQ(answerOf(column).wavefronts, 1u);
    column.rows = {.swizzled = true};
    EXPECT_EQ(answerOf(column).wavefronts, 1u);
    column.expression = "tid";
    EXPECT_EQ(answerOf(column).wavefronts, 1u) << "and a row stays free";
}

TEST(AccessPattern, MovedLanesAndLanesThatAreOffWinOverTheExpression) {
    AccessPattern pattern{.space = trace::Space::Global, .expression = "tid"};
    pattern.moved[3] = 100;
    pattern.off = LaneMask::of(Lane{5});
    const Expected<AccessQuery> query = queryOf(pattern);
    ASSERT_TRUE(query);
    EXPECT_EQ(query->offsets[2], 8);
    EXPECT_EQ(query->offsets[3], 400);
    EXPECT_EQ(query->offsets[5], std::nullopt);
    EXPECT_EQ(answerOf(pattern).sectors, 5u) << "four of the line, and the one of lane 3";
    pattern.expression.clear();
    EXPECT_EQ(answerOf(pattern).sectors, 1u) << "only lane 3 is left";
}

TEST(AccessPattern, MistakesSayWhatToDo) {
    const auto messageOf = [](const AccessPattern& pattern) { return describe(queryOf(pattern).error()); };
    EXPECT_NE(messageOf({.expression = "tid +"}).find("the expression ends where"), std::string::npos);
    EXPECT_NE(messageOf({.rows = {.elements = 33, .swizzled = true}}).find("power of two"),
              std::string::npos);
    EXPECT_NE(messageOf({.rows = {.elements = 0}}).find("1 to 65,536 elements"), std::string::npos);
    EXPECT_NE(messageOf({.widthBytes = 3}).find("1, 2, 4, 8 or 16"), std::string::npos);
}

TEST(AccessPattern, ARecordedAccessBecomesAnExpressionWhereItsLanesAreEven) {
    trace::WarpAccess access{.pc = kNoPc,
                             .active = LaneMask::all(),
                             .space = trace::Space::Shared,
                             .kind = trace::AccessKind::Load,
                             .widthBytes = 4};
    const auto fill = [&](auto&& element) {
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            access.addresses[lane] = 1024 + u64(4 * element(s64{lane}));
    };
    fill([](s64 lane) { return lane; });
    EXPECT_EQ(patternOf(access, 1024)->expression, "tid");
    fill([](s64 lane) { return 33 * lane + 7; });
    EXPECT_EQ(patternOf(access, 1024)->expression, "tid * 33 + 7");
    fill([](s64 lane) { return 31 - lane; });
    EXPECT_EQ(patternOf(access, 1024)->expression, "31 - tid");
    fill([](s64) { return 6; });
    EXPECT_EQ(patternOf(access, 1024)->expression, "6");
    fill([](s64 lane) { return lane * lane; });
    const auto squares = patternOf(access, 1024);
    EXPECT_EQ(squares->expression, "");
    EXPECT_EQ(squares->moved[5], 25);
    fill([](s64 lane) { return 2 * lane; });
    EXPECT_EQ(answerOf(*patternOf(access, 1024)).wavefronts, 2u);
    access.active = LaneMask::firstLanes(4);
    const auto partial = patternOf(access, 1024);
    EXPECT_EQ(partial->off, ~LaneMask::firstLanes(4));
    EXPECT_EQ(partial->moved[3], 6);
    EXPECT_EQ(patternOf(access, 1022), std::nullopt);
    access.kind = trace::AccessKind::Atomic;
    EXPECT_EQ(patternOf(access, 1024), std::nullopt);
}

TEST(AccessPattern, APresetIsKnownHoweverItsExpressionIsWritten) {
    const AccessPreset& everySecond = *findAccessPreset("stride-2");
    AccessPattern pattern = everySecond.pattern;
    for (const char* same : {"tid * 2", "tid*2", "2*tid", "tid + tid", "tid << 1"}) {
        pattern.expression = same;
        EXPECT_EQ(presetOf(pattern), &everySecond) << same;
    }
    for (const char* other : {"tid * 3", "tid *", ""}) {
        pattern.expression = other;
        EXPECT_EQ(presetOf(pattern), nullptr) << other;
    }
    for (const AccessPreset& preset : accessPresets())
        EXPECT_EQ(presetOf(preset.pattern), &preset) << preset.name;
}

TEST(AccessPattern, EveryPresetIsAnAccessAndHasItsNameOnce) {
    for (const AccessPreset& preset : accessPresets()) {
        EXPECT_TRUE(queryOf(preset.pattern)) << preset.name;
        EXPECT_EQ(findAccessPreset(preset.name), &preset);
        EXPECT_FALSE(preset.title.empty()) << preset.name;
    }
    struct Case {
        const char* preset;
        const char* profile;
        u32 wavefronts, items;
    };
    // Counted by hand.
    for (const Case& c : {Case{"column", "cc90", 32, 0},
                          {"column-padded", "cc90", 1, 0},
                          {"column-swizzled", "cc90", 1, 0},
                          {"broadcast", "cc90", 1, 0},
                          {"stride-2", "cc90", 2, 0},
                          {"four-words", "cc90", 4, 0},
                          {"aligned", "cc90", 0, 4},
                          {"off-by-one", "cc90", 0, 5},
                          {"swapped", "cc90", 0, 4},
                          {"swapped", "cc10", 0, 32},
                          {"swapped", "cc12", 0, 2},
                          {"structures", "cc90", 0, 12},
                          {"matrix-column", "cc90", 0, 32},
                          {"half-off", "cc90", 0, 2},
                          {"bytes", "cc90", 0, 1}}) {
        const AccessAnswer got = answerOf(findAccessPreset(c.preset)->pattern, c.profile);
        if (c.wavefronts)
            EXPECT_EQ(got.wavefronts, c.wavefronts) << c.preset;
        else
            EXPECT_EQ(got.sectors ? got.sectors : got.transactions, c.items) << c.preset << " " << c.profile;
    }
}

}  // namespace
}  // namespace lockstep::model
