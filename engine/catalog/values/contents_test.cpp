#include "catalog/values/contents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

namespace lockstep::catalog {
namespace {

Buffer filled(ElementType type, u64 count, std::string_view words, RandomStream random = {}) {
    Buffer buffer{.name = "x",
                  .type = type,
                  .shape = {count},
                  .bytes = std::vector<std::byte>(count * info(type).bytes, std::byte{0xcc})};
    const Expected<void> done = fill(buffer, words, random);
    EXPECT_TRUE(done) << (done ? "" : done.error().message.english());
    return buffer;
}

TEST(Contents, PlainOnesHoldWhatTheySayInEveryType) {
    for (const ElementTypeInfo& row : elementTypes()) {
        EXPECT_EQ(filled(row.type, 5, "zero").valueAt(4), 0) << row.name;
        EXPECT_EQ(filled(row.type, 101, "iota").valueAt(100), 100) << row.name;
        EXPECT_EQ(filled(row.type, 5, "const:77").valueAt(4), 77) << row.name;
    }
    EXPECT_EQ(filled(ElementType::F32, 2, "const:2.5").valueAt(1), 2.5);
    EXPECT_EQ(filled(ElementType::F16, 2, "const:-0.5").valueAt(1), -0.5);
    EXPECT_EQ(filled(ElementType::I8, 2, "const:-128").valueAt(1), -128);
    EXPECT_EQ(filled(ElementType::U64, 1, "const:18446744073709551615").as<u64>()[0], ~u64{0});
    EXPECT_TRUE(std::isnan(filled(ElementType::F32, 1, "const:nan").valueAt(0)));
    EXPECT_EQ(filled(ElementType::U8, 300, "iota").valueAt(256), 0) << "wraps around";
}

TEST(Contents, APermutationHasEveryNumberOnceInTheSeedsOrder) {
    const auto permuted = [](u64 seed) {
        Buffer buffer{
            .name = "p", .type = ElementType::I32, .shape = {1000}, .bytes = std::vector<std::byte>(4000)};
        EXPECT_TRUE(fill(buffer, "permutation", {.seed = seed}));
        const std::span<const s32> elements = std::as_const(buffer).as<s32>();
        return std::vector<s32>(elements.begin(), elements.end());
    };
    std::vector<s32> first = permuted(1);
    EXPECT_EQ(first, permuted(1));
    EXPECT_NE(first, permuted(2));
    u32 inPlace = 0;
    for (s32 i = 0; i < 1000; ++i)
        inPlace += first[std::size_t(i)] == i;
    EXPECT_LT(inPlace, 10u);
    std::ranges::sort(first);
    for (s32 i = 0; i < 1000; ++i)
        ASSERT_EQ(first[std::size_t(i)], i);
}

TEST(Contents, RandomNumbersStayInTheirRangeAndReachItsEnds) {
    struct Case {
        ElementType type;
        const char* words;
        f64 low, high;
        bool whole;
    };
    constexpr Case cases[] = {
        {ElementType::I32, "random", 0, 254, true},          {ElementType::I8, "random", 0, 127, true},
        {ElementType::F32, "random", 0, 1, false},           {ElementType::F16, "random", 0, 1, false},
        {ElementType::F64, "random:-1.0:1.0", -1, 1, false}, {ElementType::F32, "random:0:254", 0, 254, true},
        {ElementType::I64, "random:-3:3", -3, 3, true},      {ElementType::F16, "random:-3:3", -3, 3, true},
        {ElementType::U16, "random:7:7", 7, 7, true},
    };
    for (const Case& c : cases) {
        const Buffer buffer = filled(c.type, 20000, c.words);
        f64 least = INFINITY, most = -INFINITY;
        for (u64 i = 0; i < buffer.count(); ++i) {
            const f64 value = buffer.valueAt(i);
            ASSERT_TRUE(value >= c.low && value <= c.high) << c.words << " gave " << value;
            if (c.whole) {
                ASSERT_EQ(value, std::round(value)) << c.words;
            }
            least = std::min(least, value);
            most = std::max(most, value);
        }
        const f64 near = c.whole ? 0 : (c.high - c.low) * 0.01;
        EXPECT_LE(least, c.low + near) << c.words;
        EXPECT_GE(most, c.high - near) << c.words;
    }
}

TEST(Contents, TheWholeRangeOfAnIntegerCanBeAskedFor) {
    const Buffer buffer = filled(ElementType::I64, 1000, "random:-9223372036854775808:9223372036854775807");
    std::set<s64> seen;
    for (s64 value : buffer.as<s64>())
        seen.insert(value);
    EXPECT_EQ(seen.size(), 1000u);
}

// Pinned: recordings, slides and tests rely on these numbers on every machine.
TEST(Contents, RandomNumbersAreTheSameEverywhere) {
    const Buffer whole = filled(ElementType::F32, 4, "random:0:254"),
                 real = filled(ElementType::F32, 4, "random");
    const f32 expectedWhole[] = {65, 22, 74, 144},
              expectedReal[] = {0x4181b1p-24f, 0x169c64p-24f, 0x4a5de8p-24f, 0x90f7efp-24f};
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(whole.as<f32>()[i], expectedWhole[i]);
        EXPECT_EQ(real.as<f32>()[i], expectedReal[i]);
    }
}

TEST(Contents, SeedsAndStreamsDiffer) {
    const auto bytes = [](RandomStream random) {
        return filled(ElementType::U64, 8, "random:0:1000000", random).bytes;
    };
    EXPECT_EQ(bytes({1, 0}), bytes({1, 0}));
    EXPECT_NE(bytes({1, 0}), bytes({2, 0}));
    EXPECT_NE(bytes({1, 0}), bytes({1, 1}));
    EXPECT_NE(bytes({1, 1}), bytes({2, 0}));
}

TEST(Contents, SayWhatIsWrong) {
    struct Case {
        ElementType type;
        const char *words, *message;
    };
    constexpr Case cases[] = {
        {ElementType::F32, "ones",
         "'ones' is no initial content; say zero, iota, permutation, const:X, random, random:LOW:HIGH or the "
         "name of a "
         ".npy file"},
        {ElementType::F32, "const:x", "'x' is not a number"},
        {ElementType::I32, "const:2.5", "'2.5' is not a whole number, and i32 holds nothing else"},
        {ElementType::U8, "const:256", "256 does not fit in u8, which goes from 0 to 255"},
        {ElementType::I8, "const:-129", "-129 does not fit in i8, which goes from -128 to 127"},
        {ElementType::F32, "random:5", "'random:5' needs two bounds: random:LOW:HIGH"},
        {ElementType::F32, "random:5:x", "'random:5:x' needs two numbers: random:LOW:HIGH"},
        {ElementType::F32, "random:0:inf", "'random:0:inf' needs two numbers: random:LOW:HIGH"},
        {ElementType::F32, "random:5:2", "'random:5:2' has its bounds in the wrong order"},
        {ElementType::F64, "random:5.0:2", "'random:5.0:2' has its bounds in the wrong order"},
        {ElementType::I32, "random:0.0:1.0",
         "'random:0.0:1.0' is not a range of whole numbers, and i32 holds nothing else"},
        {ElementType::U8, "random:0:300", "300 does not fit in u8, which goes from 0 to 255"},
    };
    for (const Case& c : cases) {
        const Expected<void> checked = checkContents(c.words, c.type);
        ASSERT_FALSE(checked) << c.words;
        EXPECT_EQ(checked.error().message.english(), c.message);
    }
}

}  // namespace
}  // namespace lockstep::catalog
