#include "run/own/argument_types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lockstep::run {
namespace {

struct TypeRow {
    std::string_view cpp, element;
    u32 elements = 1;
};
constexpr std::array kTypes{
    TypeRow{"float", "f32"},         TypeRow{"double", "f64"},         TypeRow{"__half", "f16"},
    TypeRow{"int", "i32"},           TypeRow{"unsigned int", "u32"},   TypeRow{"char", "i8"},
    TypeRow{"signed char", "i8"},    TypeRow{"unsigned char", "u8"},   TypeRow{"bool", "u8"},
    TypeRow{"short", "i16"},         TypeRow{"unsigned short", "u16"}, TypeRow{"long", "i64"},
    TypeRow{"unsigned long", "u64"}, TypeRow{"long long", "i64"},      TypeRow{"unsigned long long", "u64"},
    TypeRow{"float2", "f32", 2},     TypeRow{"float4", "f32", 4},      TypeRow{"int2", "i32", 2},
    TypeRow{"int4", "i32", 4},       TypeRow{"uint2", "u32", 2},       TypeRow{"uint4", "u32", 4},
    TypeRow{"double2", "f64", 2}};

}  // namespace

std::optional<ArgumentElement> elementOf(std::string_view type) {
    const auto row = std::ranges::find(kTypes, type, &TypeRow::cpp);
    return row == kTypes.end() ? std::nullopt : std::optional(ArgumentElement{row->element, row->elements});
}

u64 bytesOfElement(std::string_view name) {
    u64 bits = 8;
    std::from_chars(name.data() + 1, name.data() + name.size(), bits);
    return bits / 8;
}

std::vector<std::string> parametersOf(const std::string& signature) {
    std::vector<std::string> parameters;
    if (!signature.ends_with(')')) return parameters;
    // The parenthesis that matches the last one.
    int depth = 0;
    std::size_t open = signature.size();
    while (open-- > 0) {
        if (signature[open] == ')') ++depth;
        if (signature[open] == '(' && --depth == 0) break;
    }
    std::string parameter;
    depth = 0;
    for (const char c : signature.substr(open + 1, signature.size() - open - 2)) {
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        if (c == ',' && depth == 0) {
            parameters.push_back(std::exchange(parameter, {}));
        } else if (c != ' ' || !parameter.empty()) {
            parameter += c;
        }
    }
    if (!parameter.empty()) parameters.push_back(parameter);
    return parameters;
}

bool isPointer(const std::string& type) {
    std::string_view rest = type;
    for (const std::string_view word : {" const", " volatile", " __restrict"})
        while (rest.ends_with(word))
            rest.remove_suffix(word.size());
    return rest.ends_with('*');
}

std::string pointeeOf(const std::string& type) {
    std::string rest = type;
    if (const std::size_t star = rest.rfind('*'); star != std::string::npos) rest.resize(star);
    for (const std::string_view word : {" const", " volatile", " __restrict"})
        while (rest.ends_with(word))
            rest.resize(rest.size() - word.size());
    return rest.starts_with("const ") ? rest.substr(6) : rest;
}

}  // namespace lockstep::run
