// Formulas by hand.
#include "explain/access/address_in_numbers.h"

#include "base/text/counted.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using trace::Space;

TEST(AddressInNumbersTest, FollowsALaneFromTheIndexToTheBankOrTheSector) {
    const model::RowLayout padded{.padding = 1}, swizzled{.swizzled = true};
    struct Case {
        model::AccessPattern pattern;
        u32 lane;
        const char* text;
    };
    const Case cases[] = {
        {{.expression = "tid * 33 + 2"},
         5,
         "Lane 5: address = base + 4 · (5 · 33 + 2) = base + 668 → word 167 → bank 167 mod 32 = 7"},
        {{.expression = "tid"}, 3, "Lane 3: address = base + 4 · 3 = base + 12 → word 3 → bank 3 mod 32 = 3"},
        {{.widthBytes = 16, .expression = "tid"},
         2,
         "Lane 2: address = base + 16 · 2 = base + 32 → words 8 to 11 → banks 8 to 11"},
        {{.expression = "tid * 32", .rows = padded},
         5,
         "Lane 5: element 5 · 32 = 160, row 5, column 0 → address = base + 4 · (5 · 33 + 0) = base + 660 → "
         "word 165 → bank 165 mod 32 = 5"},
        {{.expression = "tid * 32 + 1", .rows = swizzled},
         5,
         "Lane 5: element 5 · 32 + 1 = 161, row 5, column 1 → address = base + 4 · (5 · 32 + (1 xor 5)) = "
         "base + 656 → word 164 → bank 164 mod 32 = 4"},
        {{.space = Space::Global, .expression = "tid * 1024"},
         2,
         "Lane 2: address = base + 4 · (2 · 1024) = base + 8,192 → sector 8,192 / 32 = 256, line 8,192 / 128 "
         "= "
         "64"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(addressInNumbers(c.pattern, Lane{c.lane}, model::defaultProfile(), Language::English),
                  c.text);
    EXPECT_EQ(addressInNumbers(cases[0].pattern, Lane{5}, model::defaultProfile(), Language::Chinese),
              "通道 5：地址 = 基址 + 4 · (5 · 33 + 2) = 基址 + 668 → 字 167 → 存储体 167 % 32 = 7");
}

TEST(AddressInNumbersTest, AgreesWithTheModelWhereverAPresetReaches) {
    for (const model::AccessPreset& preset : model::accessPresets()) {
        const Expected<model::AccessQuery> query = model::queryOf(preset.pattern);
        ASSERT_TRUE(query);
        for (u32 lane = 0; lane < kWarpSize; ++lane) {
            const std::string text =
                addressInNumbers(preset.pattern, Lane{lane}, model::defaultProfile(), Language::English);
            if (const auto offset = query->offsets[lane])
                EXPECT_NE(text.find(" = base + " + grouped(*offset) + " →"), std::string::npos)
                    << preset.name << ": " << text;
            else
                EXPECT_EQ(text, "") << preset.name;
        }
    }
}

TEST(AddressInNumbersTest, SaysOfALaneThatWasMovedByHandWhereItLies) {
    model::AccessPattern pattern{.expression = "tid"};
    pattern.moved[4] = 200;
    EXPECT_EQ(
        addressInNumbers(pattern, Lane{4}, model::defaultProfile(), Language::English),
        "Lane 4, placed by hand: address = base + 4 · 200 = base + 800 → word 200 → bank 200 mod 32 = 8");
    pattern.off = LaneMask::of(Lane{4});
    EXPECT_EQ(addressInNumbers(pattern, Lane{4}, model::defaultProfile(), Language::English), "");
}

}  // namespace
}  // namespace lockstep::explain
