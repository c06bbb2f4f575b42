#include "program/variable_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace lockstep::program {
namespace {

u64 wordAt(const std::byte* at, u32 bytes) {
    u64 word = 0;
    std::memcpy(&word, at, bytes);
    return word;
}

std::string elementText(const std::byte* at, ptx::Type type) {
    const u32 bytes = ptx::bytesOf(type);
    if (type == ptx::Type::F32) return fmt::format("0f{:08X}", wordAt(at, bytes));
    if (type == ptx::Type::F64) return fmt::format("0d{:016X}", wordAt(at, bytes));
    return std::to_string(wordAt(at, bytes));
}

// What stands behind the variable's name: "[3] = {1, 2, 3}" or " = 5".
std::string valueText(const ptx::Variable& variable, bool isArray, const std::vector<std::byte>& bytes) {
    const u32 element = ptx::bytesOf(variable.type);
    if (!isArray) return " = " + elementText(bytes.data(), variable.type);
    std::string text = fmt::format("[{}] = {{", bytes.size() / element);
    for (u64 at = 0; at + element <= bytes.size(); at += element)
        text += (at ? ", " : "") + elementText(bytes.data() + at, variable.type);
    return text + "}";
}

}  // namespace

std::optional<std::string> withValues(const ptx::Module& module, std::vector<VariableValue> values) {
    const std::string_view text = module.text();
    const auto placeOf = [&](const VariableValue& value) {
        return std::size_t(module.variables[value.variable.value].name.data() - text.data());
    };
    std::ranges::sort(values, {}, placeOf);
    std::string result;
    std::size_t done = 0;
    for (const VariableValue& value : values) {
        const ptx::Variable& variable = module.variables[value.variable.value];
        const std::size_t name = placeOf(value), end = name + variable.name.size();
        const std::size_t semicolon = end <= text.size() ? text.find(';', end) : text.npos;
        const u32 element = ptx::bytesOf(variable.type);
        if (semicolon == text.npos || name < done || !element || value.bytes.size() != variable.sizeBytes ||
            value.bytes.size() % element)
            return {};
        const std::size_t next = text.find_first_not_of(" \t", end);
        const bool isArray = text[next] == '[';
        if (!isArray && value.bytes.size() != element) return {};
        result.append(text.substr(done, end - done));
        result += valueText(variable, isArray, value.bytes);
        done = semicolon;
    }
    result.append(text.substr(done));
    return result;
}

}  // namespace lockstep::program
