#include "base/files/npy.h"

#include "base/files/whole_file.h"
#include "base/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace lockstep {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr u64 kFixedBytes = 12;           // magic, version, length of the text (2 or 4 bytes)
constexpr u64 kMaxTextBytes = 64 * 1024;  // NumPy itself refuses more than 10,000 characters by default
constexpr u64 kMaxDimensions = 32;        // NumPy's NPY_MAXDIMS up to version 1
constexpr u64 kAlignmentBytes = 64;       // where writers let the data start

struct Header {
    ElementType type = ElementType::F32;
    std::vector<u64> shape;
    u64 dataOffset = 0, dataBytes = 0;
};

Unexpected damaged(const std::string& name, Message message) {
    return fail(FaultKind::Damaged, std::move(message), {name, 0, 0});
}

// Reads the Python literal of the header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class Literal {
public:
    explicit Literal(std::string_view text) : rest_(text) {}

    bool take(char wanted) {
        skipBlanks();
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool takeWord(std::string_view word) {
        skipBlanks();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    std::optional<std::string_view> string() {
        skipBlanks();
        if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return {};
        const std::size_t end = rest_.find(rest_.front(), 1);
        if (end == std::string_view::npos) return {};
        const std::string_view inner = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return inner;
    }
    std::optional<u64> integer() {
        skipBlanks();
        u64 value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc{}) return {};
        rest_.remove_prefix(std::size_t(end - rest_.data()));
        (void)take('L');  // how Python 2 wrote long integers
        return value;
    }
    // (), (3,), (3, 4)
    std::optional<std::vector<u64>> tuple() {
        if (!take('(')) return {};
        std::vector<u64> items;
        while (!take(')')) {
            const std::optional<u64> item = integer();
            if (!item || items.size() == kMaxDimensions) return {};
            items.push_back(*item);
            if (take(',')) continue;
            if (!take(')')) return {};
            break;
        }
        return items;
    }
    bool atEnd() {
        skipBlanks();
        return rest_.empty();
    }

private:
    void skipBlanks() {
        const std::size_t first = rest_.find_first_not_of(" \t\n\r");
        rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
    }
    std::string_view rest_;
};

const ElementTypeInfo* findNumpyType(std::string_view code) {
    for (const ElementTypeInfo& row : elementTypes()) {
        if (row.numpy == code) return &row;
        // One byte has no order of bytes, whatever stands before it.
        if (row.bytes == 1 && code.size() == 3 && code.substr(1) == row.numpy.substr(1)) return &row;
    }
    return nullptr;
}

// Sets dataBytes; false where the product does not fit.
bool multiplyOut(Header& header) {
    u64 bytes = info(header.type).bytes;
    for (u64 extent : header.shape) {
        if (extent && bytes > std::numeric_limits<s64>::max() / extent) return false;
        bytes *= extent;
    }
    header.dataBytes = bytes;
    return true;
}

Expected<Header> parseText(std::string_view text, const std::string& name) {
    Literal literal(text);
    std::optional<std::string_view> descr;
    std::optional<bool> isFortran;
    std::optional<std::vector<u64>> shape;

    const Unexpected unreadable = damaged(name, english("the header of this .npy file is not the dictionary "
                                                        "NumPy writes; save it again with numpy.save"));
    if (!literal.take('{')) return unreadable;
    while (!literal.take('}')) {
        const std::optional<std::string_view> key = literal.string();
        if (!key || !literal.take(':')) return unreadable;
        if (*key == "descr") {
            descr = literal.string();
            if (!descr)
                return fail(FaultKind::Unsupported,
                            english("this .npy file holds records; save one plain array per file"),
                            {name, 0, 0});
        } else if (*key == "fortran_order") {
            if (literal.takeWord("True"))
                isFortran = true;
            else if (literal.takeWord("False"))
                isFortran = false;
            else
                return unreadable;
        } else if (*key == "shape") {
            shape = literal.tuple();
            if (!shape) return unreadable;
        } else {
            return unreadable;
        }
        if (literal.take(',')) continue;
        if (!literal.take('}')) return unreadable;
        break;
    }
    if (!literal.atEnd() || !descr || !isFortran || !shape) return unreadable;

    const ElementTypeInfo* type = findNumpyType(*descr);
    if (!type) {
        const bool bigEndian = descr->starts_with('>');
        return fail(
            FaultKind::Unsupported,
            bigEndian ? Message(english("this .npy file is big-endian ('{0}'); save it with .astype('<{1}')"),
                                *descr, descr->substr(1))
                      : Message(english("this .npy file has elements of type '{0}'; known are i1, u1, i2, "
                                        "u2, i4, u4, i8, u8, f2, f4 and f8"),
                                *descr),
            {name, 0, 0});
    }
    if (*isFortran && shape->size() > 1)
        return fail(FaultKind::Unsupported,
                    english("this .npy file is in Fortran order; save numpy.ascontiguousarray(...) of it"),
                    {name, 0, 0});

    Header header{.type = type->type, .shape = std::move(*shape), .dataOffset = 0, .dataBytes = 0};
    if (!multiplyOut(header))
        return damaged(name, english("the shape in this .npy file is larger than any memory"));
    return header;
}

// `start` holds the first bytes of a file of `fileBytes`, at least kFixedBytes + kMaxTextBytes of them or
// all.
Expected<Header> parseHeader(std::span<const std::byte> start, u64 fileBytes, const std::string& name) {
    if (start.size() < kFixedBytes || std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0)
        return damaged(name, english("this is not a .npy file: it does not begin with \\x93NUMPY"));
    const auto byteAt = [&](std::size_t i) { return u64(start[i]); };
    const u64 version = byteAt(6);
    if (version < 1 || version > 3)
        return fail(
            FaultKind::Unsupported,
            Message(english("this .npy file is of version {0}.{1}; known are 1 to 3"), version, byteAt(7)),
            {name, 0, 0});

    const u64 textBytes = version == 1 ? byteAt(8) | byteAt(9) << 8
                                       : byteAt(8) | byteAt(9) << 8 | byteAt(10) << 16 | byteAt(11) << 24;
    const u64 textOffset = version == 1 ? 10 : 12;
    if (textBytes > kMaxTextBytes || textOffset + textBytes > start.size())
        return damaged(
            name,
            Message(english("the header of this .npy file claims {0} {0:byte|bytes}, which it does not have"),
                    textBytes));

    Expected<Header> header =
        parseText({reinterpret_cast<const char*>(start.data()) + textOffset, textBytes}, name);
    if (!header) return header;
    header->dataOffset = textOffset + textBytes;
    const u64 held = fileBytes - header->dataOffset;
    if (held != header->dataBytes)
        return damaged(name, Message(english("this .npy file holds {0} {0:byte|bytes} of data, but its shape "
                                             "asks for {1}; it was cut off or is not one array"),
                                     grouped(held), grouped(header->dataBytes)));
    return header;
}

Buffer emptyBuffer(Header header, std::string name) {
    Buffer buffer{
        .name = std::move(name), .type = header.type, .shape = std::move(header.shape), .bytes = {}};
    buffer.bytes.resize(header.dataBytes);
    return buffer;
}

}  // namespace

Expected<Buffer> parseNpy(std::span<const std::byte> bytes, const std::string& name) {
    Expected<Header> header = parseHeader(bytes, bytes.size(), name);
    if (!header) return Unexpected{header.error()};
    const u64 offset = header->dataOffset;
    Buffer buffer = emptyBuffer(std::move(*header), std::filesystem::path(name).stem().string());
    if (!buffer.bytes.empty()) std::memcpy(buffer.bytes.data(), bytes.data() + offset, buffer.bytes.size());
    return buffer;
}

Expected<Buffer> readNpy(const std::filesystem::path& file) {
    const std::string name = file.string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        return fail(FaultKind::NotFound, Message(english("there is no file {0}"), name));
    const u64 fileBytes = std::filesystem::file_size(file, error);
    std::ifstream in(file, std::ios::binary);
    if (error || !in)
        return fail(FaultKind::System, Message(english("{0} cannot be read; check its permissions"), name));

    std::vector<std::byte> start(std::min<u64>(fileBytes, kFixedBytes + kMaxTextBytes));
    in.read(reinterpret_cast<char*>(start.data()), std::streamsize(start.size()));
    if (!in) return fail(FaultKind::System, Message(english("{0} cannot be read"), name));

    Expected<Header> header = parseHeader(start, fileBytes, name);
    if (!header) return Unexpected{header.error()};
    const u64 offset = header->dataOffset;
    Buffer buffer = emptyBuffer(std::move(*header), file.stem().string());
    in.seekg(std::streamoff(offset));
    in.read(reinterpret_cast<char*>(buffer.bytes.data()), std::streamsize(buffer.bytes.size()));
    if (!in) return fail(FaultKind::System, Message(english("{0} cannot be read"), name));
    return buffer;
}

Expected<Buffer> readNpy(const std::filesystem::path& file, ElementType type, u64 count) {
    Expected<Buffer> buffer = readNpy(file);
    if (buffer && (buffer->type != type || buffer->count() != count))
        return fail(
            FaultKind::Usage,
            Message(
                english("{0} holds {1} {1:element|elements} of type {2}, but {3} of type {4} are asked for"),
                file.string(), grouped(buffer->count()), info(buffer->type).name, grouped(count),
                info(type).name));
    return buffer;
}

std::vector<std::byte> formatNpy(const Buffer& buffer) {
    std::string shape;
    for (u64 extent : buffer.shape)
        shape += fmt::format("{}{}", shape.empty() ? "" : ", ", extent);
    if (buffer.shape.size() == 1) shape += ',';
    if (buffer.shape.empty()) shape = fmt::format("{},", buffer.count());

    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   info(buffer.type).numpy, shape);
    const u64 unpadded = 10 + text.size() + 1;
    text.append((kAlignmentBytes - unpadded % kAlignmentBytes) % kAlignmentBytes, ' ');
    text += '\n';

    const std::array<u8, 4> versionAndLength{1, 0, u8(text.size()), u8(text.size() >> 8)};
    std::vector<std::byte> bytes(10 + text.size() + buffer.bytes.size());
    std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
    std::memcpy(bytes.data() + 6, versionAndLength.data(), 4);
    std::memcpy(bytes.data() + 10, text.data(), text.size());
    if (!buffer.bytes.empty())
        std::memcpy(bytes.data() + 10 + text.size(), buffer.bytes.data(), buffer.bytes.size());
    return bytes;
}

Expected<void> writeNpy(const std::filesystem::path& file, const Buffer& buffer) {
    return writeWholeFile(file, formatNpy(buffer));
}

}  // namespace lockstep
