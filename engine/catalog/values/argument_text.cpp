#include "catalog/values/argument_text.h"

#include "base/text/typed_number.h"
#include "catalog/values/contents.h"
#include "catalog/values/number_text.h"

#include <fmt/format.h>

#include <cstring>
#include <new>
#include <optional>
#include <string>

namespace lockstep::catalog {
namespace {

constexpr std::size_t kMaxStructBytes =
    4096;  // of all kernel parameters together: CUDA C++ Programming Guide, "__global__ Function Parameters"

constexpr std::size_t kMaxDimensions = 4;

std::string typeNames() {
    std::string names;
    for (const ElementTypeInfo& row : elementTypes())
        names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
    return names;
}

std::optional<u8> hexDigit(char c) {
    if (c >= '0' && c <= '9') return u8(c - '0');
    if (c >= 'a' && c <= 'f') return u8(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return u8(c - 'A' + 10);
    return {};
}

Expected<ArgumentValue> parseStruct(std::string_view digits) {
    if (digits.empty() || digits.size() % 2)
        return fail(FaultKind::Usage, english("hex: needs two digits for each byte of the struct"));
    if (digits.size() / 2 > kMaxStructBytes)
        return fail(FaultKind::Usage, Message(english("a struct of {0} {0:byte|bytes} is more than the {1} "
                                                      "that a kernel's parameters may have"),
                                              digits.size() / 2, kMaxStructBytes));
    ScalarArgument scalar;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const std::optional<u8> high = hexDigit(digits[i]), low = hexDigit(digits[i + 1]);
        if (!high || !low)
            return fail(FaultKind::Usage,
                        Message(english("'{0}' is not a byte in hexadecimal"), digits.substr(i, 2)));
        scalar.bytes.push_back(std::byte(*high << 4 | *low));
    }
    return scalar;
}

Expected<ArgumentValue> parseScalar(std::string_view value, const ElementTypeInfo& type) {
    Expected<Bits64> bits = parseElement(value, type.type);
    if (const std::optional<s64> typed = bits ? std::nullopt : typedNumber(value))
        bits = parseElement(std::to_string(*typed), type.type);
    if (!bits) return Unexpected{bits.error()};
    ScalarArgument scalar{std::vector<std::byte>(type.bytes)};
    std::memcpy(scalar.bytes.data(), &*bits, type.bytes);
    return scalar;
}

// "[8][16]" and what follows: one extent per bracket, the last of columns.
Expected<std::vector<u64>> parseShape(std::string_view& text, const ElementTypeInfo& type) {
    std::vector<u64> shape;
    u64 elements = 1;
    while (text.starts_with('[')) {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos)
            return fail(FaultKind::Usage, english("']' is missing after the number of elements"));
        const std::string_view count = text.substr(1, close - 1);
        const std::optional<s64> extent = typedWhole(count);
        if (!extent || *extent < 1)
            return fail(FaultKind::Usage,
                        Message(english("'{0}' is no number of elements; a buffer has 1 or more"), count));
        if (u64(*extent) > kMaxBufferBytes / type.bytes / elements)
            return fail(
                FaultKind::Usage,
                shape.empty()
                    ? Message(english("{0} {0:element|elements} of {1} are more than the {2} GiB "
                                      "that a buffer may have"),
                              *extent, type.name, kMaxBufferBytes >> 30)
                    : Message(english("{0} × {1} {1:element|elements} of {2} are more than the {3} GiB "
                                      "that a buffer may have"),
                              elements, *extent, type.name, kMaxBufferBytes >> 30));
        elements *= u64(*extent);
        shape.push_back(u64(*extent));
        text.remove_prefix(close + 1);
    }
    if (shape.size() > kMaxDimensions)
        return fail(FaultKind::Usage,
                    Message(english("a buffer has at most {0} dimensions"), kMaxDimensions));
    return shape;
}

Expected<ArgumentValue> parseBuffer(std::vector<u64> shape, std::string_view contents,
                                    const ElementTypeInfo& type, u32 index, u64 seed) {
    u64 elements = 1;
    for (const u64 extent : shape)
        elements *= extent;
    // Before allocating: a typo costs nothing.
    if (const Expected<void> checked = checkContents(contents, type.type); !checked)
        return Unexpected{checked.error()};

    Buffer buffer{
        .name = fmt::format("arg{}", index), .type = type.type, .shape = std::move(shape), .bytes = {}};
    try {
        buffer.bytes.resize(elements * type.bytes);
    } catch (const std::bad_alloc&) {
        return fail(FaultKind::System,
                    Message(english("there is not enough memory for {0} {0:element|elements} of {1}"),
                            elements, type.name));
    }
    if (const Expected<void> filled = fill(buffer, contents, {.seed = seed, .stream = index}); !filled)
        return Unexpected{filled.error()};
    return buffer;
}

Expected<ArgumentValue> parse(std::string_view text, u32 index, u64 seed) {
    const std::size_t mark = text.find_first_of("[:");
    if (mark == std::string_view::npos)
        return fail(FaultKind::Usage,
                    english("a buffer is written f32[4096]=random, a scalar i32:96, a struct hex:0a00"));
    const std::string_view typeName = text.substr(0, mark), rest = text.substr(mark + 1);
    if (text[mark] == ':' && typeName == "hex") return parseStruct(rest);

    const ElementTypeInfo* type = findElementType(typeName);
    if (!type)
        return fail(FaultKind::Usage,
                    Message(english("'{0}' is no type; the types are {1}"), typeName, typeNames()));
    if (text[mark] == ':') return parseScalar(rest, *type);

    std::string_view after = text.substr(mark);
    Expected<std::vector<u64>> shape = parseShape(after, *type);
    if (!shape) return Unexpected{shape.error()};
    if (!after.starts_with('='))
        return fail(FaultKind::Usage,
                    Message(english("what the buffer holds is missing: {0}=zero, for example"),
                            text.substr(0, text.size() - after.size())));
    return parseBuffer(std::move(*shape), after.substr(1), *type, index, seed);
}

}  // namespace

Expected<ArgumentValue> parseArgument(std::string_view text, u32 index, u64 seed) {
    Expected<ArgumentValue> value = parse(text, index, seed);
    if (!value)
        value.error().message =
            Message(english("--arg {0} ('{1}'): {2}"), index, text, value.error().message);
    return value;
}

}  // namespace lockstep::catalog
