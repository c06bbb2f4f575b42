#include "base/files/npy.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep {
namespace {

std::vector<std::byte> bytesOf(std::string_view text) {
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

// A version 1.0 file as numpy.save lays it out.
std::vector<std::byte> file(const std::string& header, std::string_view data) {
    std::string text("\x93NUMPY\x01\x00", 8);
    text += char(header.size());
    text += char(header.size() >> 8);
    return bytesOf(text + header + std::string(data));
}

constexpr std::string_view kThreeFloats{"\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", 12};  // 1, 2, 3

TEST(Npy, ReadsAnArrayAsNumpySavesIt) {
    const Expected<Buffer> buffer = parseNpy(
        file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   \n", kThreeFloats), "data/x.npy");
    ASSERT_TRUE(buffer) << describe(buffer.error());
    EXPECT_EQ(buffer->name, "x");
    EXPECT_EQ(buffer->type, ElementType::F32);
    EXPECT_EQ(buffer->shape, std::vector<u64>{3});
    EXPECT_EQ(buffer->valueAt(2), 3.0);
}

TEST(Npy, ReadsVersionsTwoAndThree) {
    for (char version : {2, 3}) {
        const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)}\n";
        std::string text = "\x93NUMPY";
        text += version;
        text += std::string("\0", 1);
        text += char(header.size());
        text += std::string("\0\0\0", 3);
        const Expected<Buffer> buffer = parseNpy(bytesOf(text + header + "abcd"), "x.npy");
        ASSERT_TRUE(buffer) << describe(buffer.error());
        EXPECT_EQ(buffer->shape, (std::vector<u64>{2, 2}));
        EXPECT_EQ(buffer->valueAt(3), 'd');
    }
}

TEST(Npy, WhatIsWrittenIsReadBackForEveryType) {
    for (const ElementTypeInfo& row : elementTypes()) {
        Buffer buffer{
            .name = "x", .type = row.type, .shape = {2, 3}, .bytes = std::vector<std::byte>(6 * row.bytes)};
        for (std::size_t i = 0; i < buffer.bytes.size(); ++i)
            buffer.bytes[i] = std::byte(i * 37);
        const std::vector<std::byte> written = formatNpy(buffer);
        EXPECT_EQ((written.size() - buffer.bytes.size()) % 64, 0u) << "data start on 64 bytes";
        const Expected<Buffer> read = parseNpy(written, "x.npy");
        ASSERT_TRUE(read) << row.name << ": " << describe(read.error());
        EXPECT_EQ(read->type, row.type);
        EXPECT_EQ(read->shape, buffer.shape);
        EXPECT_EQ(read->bytes, buffer.bytes);
    }
}

TEST(Npy, SaysWhatIsWrongInOneSentence) {
    const auto header = [](std::string_view descr, std::string_view order, std::string_view shape) {
        return "{'descr': " + std::string(descr) + ", 'fortran_order': " + std::string(order) +
               ", 'shape': " + std::string(shape) + ", }";
    };
    struct Case {
        std::vector<std::byte> bytes;
        std::string message;
    };
    const std::string broken =
        "the header of this .npy file is not the dictionary NumPy writes; save it again with numpy.save";
    const Case cases[] = {
        {{}, "this is not a .npy file: it does not begin with \\x93NUMPY"},
        {bytesOf("PK\3\4 a zip file instead"), "this is not a .npy file: it does not begin with \\x93NUMPY"},
        {bytesOf(std::string("\x93NUMPY\x04\x00\x10\x00\x00\x00", 12)),
         "this .npy file is of version 4.0; known are 1 to 3"},
        {bytesOf(std::string("\x93NUMPY\x01\x00\xff\xff{}", 12)),
         "the header of this .npy file claims 65,535 bytes, which it does not have"},
        {bytesOf(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)),
         "the header of this .npy file claims 4,294,967,295 bytes, which it does not have"},
        {file(header("'<f4'", "False", "(4,)"), kThreeFloats),
         "this .npy file holds 12 bytes of data, but its shape asks for 16; it was cut off or is not one "
         "array"},
        {file(header("'<f4'", "False", "(2,)"), kThreeFloats),
         "this .npy file holds 12 bytes of data, but its shape asks for 8; it was cut off or is not one "
         "array"},
        {file(header("'>f4'", "False", "(3,)"), kThreeFloats),
         "this .npy file is big-endian ('>f4'); save it with .astype('<f4')"},
        {file(header("'<c8'", "False", "(3,)"), kThreeFloats),
         "this .npy file has elements of type '<c8'; known are i1, u1, i2, u2, i4, u4, i8, u8, f2, f4 and "
         "f8"},
        {file(header("[('a', '<f4')]", "False", "(3,)"), kThreeFloats),
         "this .npy file holds records; save one plain array per file"},
        {file(header("'<f4'", "True", "(1, 3)"), kThreeFloats),
         "this .npy file is in Fortran order; save numpy.ascontiguousarray(...) of it"},
        {file(header("'<f4'", "False", "(4294967296, 4294967296)"), kThreeFloats),
         "the shape in this .npy file is larger than any memory"},
        {file(header("'<f4'", "False", "(-3,)"), kThreeFloats), broken},
        {file(header("'<f4'", "Maybe", "(3,)"), kThreeFloats), broken},
        {file("{'descr': '<f4'}", kThreeFloats), broken},
        {file("{'descr", kThreeFloats), broken},
    };
    for (const Case& c : cases) {
        const Expected<Buffer> buffer = parseNpy(c.bytes, "x.npy");
        ASSERT_FALSE(buffer) << c.message;
        EXPECT_EQ(buffer.error().message.english(), c.message);
    }
}

TEST(Npy, NoBeginningOfAFileIsReadAsAWholeOne) {
    const std::vector<std::byte> whole =
        file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", kThreeFloats);
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(parseNpy(std::span(whole).first(length), "x.npy")) << length;
}

TEST(Npy, FilesAreWrittenAndReadAndCheckedAgainstWhatIsAskedFor) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "lockstep_npy_test.npy";
    Buffer buffer{.name = "x", .type = ElementType::I32, .shape = {5}, .bytes = std::vector<std::byte>(20)};
    buffer.as<s32>()[4] = -7;
    ASSERT_TRUE(writeNpy(path, buffer));

    const Expected<Buffer> read = readNpy(path, ElementType::I32, 5);
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->valueAt(4), -7.0);

    const Expected<Buffer> other = readNpy(path, ElementType::F32, 6);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message.english(),
              path.string() + " holds 5 elements of type i32, but 6 of type f32 are asked for");
    std::filesystem::remove(path);
}

TEST(Npy, AFileThatIsMissingOrAFolderIsNamed) {
    for (const std::filesystem::path path : {testing::TempDir() + "no_such_file.npy", testing::TempDir()}) {
        const Expected<Buffer> buffer = readNpy(path);
        ASSERT_FALSE(buffer);
        EXPECT_EQ(buffer.error().message.english(), "there is no file " + path.string());
    }
}

}  // namespace
}  // namespace lockstep
