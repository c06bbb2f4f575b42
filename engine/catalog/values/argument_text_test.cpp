#include "catalog/values/argument_text.h"

#include "base/files/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

namespace lockstep::catalog {
namespace {

std::string hex(const std::vector<std::byte>& bytes) {
    std::string text;
    for (std::byte b : bytes) {
        text += "0123456789abcdef"[unsigned(b) >> 4];
        text += "0123456789abcdef"[unsigned(b) & 15];
    }
    return text;
}

TEST(ArgumentText, ScalarsHaveTheBytesOfTheAbi) {
    struct Case {
        const char *text, *bytes;
    };
    constexpr Case cases[] = {
        {"i32:96", "60000000"},
        {"i32:-1", "ffffffff"},
        {"u32:7", "07000000"},
        {"u32:0xdeadbeef", "efbeadde"},
        {"f32:1.5", "0000c03f"},
        {"f64:-2", "00000000000000c0"},
        {"f16:1", "003c"},
        {"i8:-128", "80"},
        {"u8:255", "ff"},
        {"i16:-2", "feff"},
        {"u16:65535", "ffff"},
        {"i64:-9223372036854775808", "0000000000000080"},
        {"u64:0", "0000000000000000"},
        {"hex:0a00FF", "0a00ff"},
        {"f32:1e-3", "6f12833a"},
        {"i32:1,000,000", "40420f00"},
        {"i32:16M", "00000001"},
        {"u64:2^20", "0000100000000000"},
        {"f32:2K", "00000045"},
    };
    for (const Case& c : cases) {
        const Expected<ArgumentValue> value = parseArgument(c.text, 0, 1);
        ASSERT_TRUE(value) << value.error().message.english();
        ASSERT_TRUE(std::holds_alternative<ScalarArgument>(*value)) << c.text;
        EXPECT_EQ(hex(std::get<ScalarArgument>(*value).bytes), c.bytes) << c.text;
    }
}

TEST(ArgumentText, BuffersHaveTypeLengthAndContents) {
    const Expected<ArgumentValue> value = parseArgument("i32[96]=iota", 3, 1);
    ASSERT_TRUE(value) << value.error().message.english();
    const Buffer& buffer = std::get<Buffer>(*value);
    EXPECT_EQ(buffer.name, "arg3");
    EXPECT_EQ(buffer.type, ElementType::I32);
    EXPECT_EQ(buffer.shape, std::vector<u64>{96});
    EXPECT_EQ(buffer.valueAt(95), 95);
    const Expected<ArgumentValue> typed = parseArgument("u8[2^10][1,000]=zero", 0, 1);
    ASSERT_TRUE(typed) << typed.error().message.english();
    EXPECT_EQ(std::get<Buffer>(*typed).shape, (std::vector<u64>{1024, 1000}));
}

TEST(ArgumentText, EveryArgumentHasRandomNumbersOfItsOwn) {
    const auto bytes = [](u32 index, u64 seed) {
        return std::get<Buffer>(*parseArgument("f32[64]=random", index, seed)).bytes;
    };
    EXPECT_EQ(bytes(0, 1), bytes(0, 1));
    EXPECT_NE(bytes(0, 1), bytes(1, 1));
    EXPECT_NE(bytes(0, 1), bytes(0, 2));
}

TEST(ArgumentText, BuffersKeepTheirShape) {
    const auto shapeOf = [](std::string_view text) {
        const Expected<ArgumentValue> value = parseArgument(text, 0, 1);
        EXPECT_TRUE(value) << value.error().message.english();
        return value ? std::get<Buffer>(*value).shape : std::vector<u64>{};
    };
    EXPECT_EQ(shapeOf("f32[8][6]=random"), (std::vector<u64>{8, 6}));
    EXPECT_EQ(shapeOf("u8[2][3][4][5]=iota"), (std::vector<u64>{2, 3, 4, 5}));
    EXPECT_EQ(std::get<Buffer>(*parseArgument("u8[2][3][4]=iota", 0, 1)).count(), 24u);

    const std::string path = testing::TempDir() + "lockstep_shaped.npy";
    const Buffer written{
        .name = "x", .type = ElementType::U8, .shape = {2, 3}, .bytes = std::vector<std::byte>(6)};
    ASSERT_TRUE(writeNpy(path, written));
    EXPECT_EQ(shapeOf("u8[6]=" + path), (std::vector<u64>{2, 3})) << "a flat buffer takes the file's";
    EXPECT_EQ(shapeOf("u8[3][2]=" + path), (std::vector<u64>{3, 2})) << "a shape that is written stands";
    std::filesystem::remove(path);
}

TEST(ArgumentText, FilesAreReadAndChecked) {
    const std::string path = testing::TempDir() + "lockstep_argument.npy";
    Buffer written{.name = "x",
                   .type = ElementType::U8,
                   .shape = {3},
                   .bytes = {std::byte{1}, std::byte{2}, std::byte{3}}};
    ASSERT_TRUE(writeNpy(path, written));
    const Expected<ArgumentValue> value = parseArgument("u8[3]=" + path, 0, 1);
    ASSERT_TRUE(value) << value.error().message.english();
    EXPECT_EQ(std::get<Buffer>(*value).bytes, written.bytes);

    const Expected<ArgumentValue> longer = parseArgument("u8[4]=" + path, 2, 1);
    ASSERT_FALSE(longer);
    EXPECT_EQ(longer.error().message.english(),
              "--arg 2 ('u8[4]=" + path + "'): " + path +
                  " holds 3 elements of type u8, but 4 of type u8 are asked for");
    std::filesystem::remove(path);
}

TEST(ArgumentText, SaysWhatIsWrong) {
    struct Case {
        const char *text, *message;
    };
    constexpr Case cases[] = {
        {"", "a buffer is written f32[4096]=random, a scalar i32:96, a struct hex:0a00"},
        {"96", "a buffer is written f32[4096]=random, a scalar i32:96, a struct hex:0a00"},
        {"int:96", "'int' is no type; the types are i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64"},
        {"i32:", "'' is not a whole number, and i32 holds nothing else"},
        {"i32:1.5", "'1.5' is not a whole number, and i32 holds nothing else"},
        {"u32:-1", "-1 does not fit in u32, which goes from 0 to 4,294,967,295"},
        {"f32:1,5", "'1,5' is not a number"},
        {"hex:", "hex: needs two digits for each byte of the struct"},
        {"hex:0a0", "hex: needs two digits for each byte of the struct"},
        {"hex:0g", "'0g' is not a byte in hexadecimal"},
        {"f32[4096", "']' is missing after the number of elements"},
        {"f32[4096]", "what the buffer holds is missing: f32[4096]=zero, for example"},
        {"f32[0]=zero", "'0' is no number of elements; a buffer has 1 or more"},
        {"f32[-1]=zero", "'-1' is no number of elements; a buffer has 1 or more"},
        {"f32[n]=zero", "'n' is no number of elements; a buffer has 1 or more"},
        {"f32[600000000]=zero", "600,000,000 elements of f32 are more than the 2 GiB that a buffer may have"},
        {"u64[9223372036854775807]=zero",
         "9,223,372,036,854,775,807 elements of u64 are more than the 2 GiB that a buffer may have"},
        {"f32[65536][65536]=zero",
         "65,536 × 65,536 elements of f32 are more than the 2 GiB that a buffer may have"},
        {"f32[2][2][2][2][2]=zero", "a buffer has at most 4 dimensions"},
        {"f32[4][0]=zero", "'0' is no number of elements; a buffer has 1 or more"},
        {"f32[4][2=zero", "']' is missing after the number of elements"},
        {"f32[4][2]", "what the buffer holds is missing: f32[4][2]=zero, for example"},
        {"f32[4]=one",
         "'one' is no initial content; say zero, iota, permutation, const:X, random, random:LOW:HIGH or the "
         "name of a "
         ".npy file"},
        {"f32[4]=missing.npy", "there is no file missing.npy"},
    };
    for (const Case& c : cases) {
        const Expected<ArgumentValue> value = parseArgument(c.text, 1, 1);
        ASSERT_FALSE(value) << c.text;
        EXPECT_EQ(value.error().message.english(), std::string("--arg 1 ('") + c.text + "'): " + c.message);
    }
}

}  // namespace
}  // namespace lockstep::catalog
