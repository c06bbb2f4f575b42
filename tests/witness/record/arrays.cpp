// Arrays by name: buffers, and variables in shared memory as the source declares them.
#include "base/device_addresses.h"
#include "base/half.h"
#include "base/text/trimmed.h"
#include "witness/record/facts.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace lockstep::witness {
namespace {

using trace::Space;

struct ElementKind {
    char type;
    u32 bytes;  // of the whole element
    u32 components = 1;
};
ElementKind kindOf(ElementType type) {
    switch (type) {
        case ElementType::I8: return {'i', 1};
        case ElementType::U8: return {'u', 1};
        case ElementType::I16: return {'i', 2};
        case ElementType::U16: return {'u', 2};
        case ElementType::I32: return {'i', 4};
        case ElementType::U32: return {'u', 4};
        case ElementType::I64: return {'i', 8};
        case ElementType::U64: return {'u', 8};
        case ElementType::F16: return {'f', 2};
        case ElementType::F32: return {'f', 4};
        case ElementType::F64: return {'f', 8};
    }
    return {'f', 4};
}
ElementKind kindOf(std::string_view type) {
    static const std::map<std::string_view, ElementKind> kKinds{
        {"float", {'f', 4}},     {"int", {'i', 4}},           {"double", {'f', 8}},
        {"long long", {'i', 8}}, {"float2", {'f', 8, 2}},     {"float4", {'f', 16, 4}},
        {"int4", {'i', 16, 4}},  {"bool", {'u', 1}},          {"unsigned", {'u', 4}},
        {"char", {'i', 1}},      {"unsigned char", {'u', 1}}, {"short", {'i', 2}}};
    const auto found = kKinds.find(type);
    return found == kKinds.end() ? ElementKind{'i', 4} : found->second;
}

// "T + 2", "Threads / 32": names by what they stand for.
class Arithmetic {
public:
    Arithmetic(std::string_view text, const std::map<std::string, std::string>& names)
        : text_(text), names_(names) {}
    std::optional<s64> value() {
        const std::optional<s64> sum = sums();
        return trimmed(text_, kAllBlanks).empty() ? sum : std::nullopt;
    }

private:
    std::optional<s64> sums() {
        std::optional<s64> value = products();
        while (value) {
            text_ = trimmed(text_, kAllBlanks);
            if (text_.empty() || (text_[0] != '+' && text_[0] != '-')) break;
            const bool plus = text_[0] == '+';
            text_.remove_prefix(1);
            const std::optional<s64> next = products();
            if (!next) return next;
            *value += plus ? *next : -*next;
        }
        return value;
    }
    std::optional<s64> products() {
        std::optional<s64> value = one();
        while (value) {
            text_ = trimmed(text_, kAllBlanks);
            if (text_.empty() || (text_[0] != '*' && text_[0] != '/')) break;
            const bool times = text_[0] == '*';
            text_.remove_prefix(1);
            const std::optional<s64> next = one();
            if (!next || (!times && *next == 0)) return std::nullopt;
            *value = times ? *value * *next : *value / *next;
        }
        return value;
    }
    std::optional<s64> one() {
        text_ = trimmed(text_, kAllBlanks);
        if (text_.empty()) return std::nullopt;
        std::size_t end = 0;
        while (end < text_.size() && (std::isalnum(u8(text_[end])) || text_[end] == '_'))
            ++end;
        std::string word(text_.substr(0, end));
        if (word.empty()) return std::nullopt;
        text_.remove_prefix(end);
        if (const auto named = names_.find(word); named != names_.end()) word = named->second;
        if (word.empty() || !std::isdigit(u8(word[0]))) return std::nullopt;
        return std::stoll(word);
    }
    std::string_view text_;
    const std::map<std::string, std::string>& names_;
};

std::vector<std::string> splitAt(std::string_view text, char at) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && (text[i] == '<' || text[i] == '(')) ++depth;
        if (i < text.size() && (text[i] == '>' || text[i] == ')')) --depth;
        if (i == text.size() || (text[i] == at && depth == 0)) {
            parts.emplace_back(trimmed(text.substr(from, i - from), kAllBlanks));
            from = i + 1;
        }
    }
    return parts;
}

struct Declared {
    std::string name, type;
    std::vector<std::string> dims;
    u32 line = 0;
};
std::optional<Declared> declaredShared(std::string_view line) {
    const std::size_t at = line.find("__shared__");
    if (at == std::string_view::npos) return std::nullopt;
    std::string_view rest = trimmed(line.substr(at + 10), kAllBlanks);
    if (rest.starts_with("alignas")) rest = trimmed(rest.substr(rest.find(')') + 1), kAllBlanks);
    const std::size_t end = rest.find_first_of("[;");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view before = trimmed(rest.substr(0, end), kAllBlanks);
    const std::size_t space = before.find_last_of(' ');
    if (space == std::string_view::npos) return std::nullopt;
    Declared declared{std::string(before.substr(space + 1)),
                      std::string(trimmed(before.substr(0, space), kAllBlanks)),
                      {},
                      0};
    rest = rest.substr(end);
    while (rest.starts_with('[')) {
        const std::size_t close = rest.find(']');
        if (close == std::string_view::npos) break;
        declared.dims.emplace_back(trimmed(rest.substr(1, close - 1), kAllBlanks));
        rest = rest.substr(close + 1);
    }
    return declared;
}

}  // namespace

f64 readNumber(char type, u32 bytes, const std::byte* from) {
    const auto as = [&]<class T>(T value) {
        std::memcpy(&value, from, sizeof value);
        return value;
    };
    if (type == 'f')
        return bytes == 2 ? f64(halfToFloat(as(u16{}))) : bytes == 8 ? as(f64{}) : f64(as(f32{}));
    if (type == 'i')
        return bytes == 1   ? f64(as(s8{}))
               : bytes == 2 ? f64(as(s16{}))
               : bytes == 8 ? f64(as(s64{}))
                            : f64(as(s32{}));
    return bytes == 1   ? f64(as(u8{}))
           : bytes == 2 ? f64(as(u16{}))
           : bytes == 8 ? f64(as(u64{}))
                        : f64(as(u32{}));
}

std::map<std::string, std::string> constantsOf(const run::Run& run, const std::vector<std::string>& source) {
    std::map<std::string, std::string> names;
    for (const std::string& line : source) {
        if (const std::size_t at = line.find("constexpr int "); at != std::string::npos)
            for (const std::string& one :
                 splitAt(std::string_view(line).substr(at + 14, line.find(';', at) - at - 14), ','))
                if (const std::size_t equals = one.find('='); equals != std::string::npos)
                    names[std::string(trimmed(std::string_view(one).substr(0, equals), kAllBlanks))] =
                        std::string(trimmed(std::string_view(one).substr(equals + 1), kAllBlanks));
        if (const std::size_t at = line.find("template <");
            at != std::string::npos && line.find('>', at) != std::string::npos) {
            const std::size_t open = run.recording.entry.find('<');
            if (open == std::string::npos) continue;
            const std::vector<std::string> parameters =
                splitAt(std::string_view(line).substr(at + 10, line.find('>', at) - at - 10), ',');
            const std::vector<std::string> arguments =
                splitAt(std::string_view(run.recording.entry)
                            .substr(open + 1, run.recording.entry.rfind('>') - open - 1),
                        ',');
            if (parameters.size() == arguments.size())
                for (std::size_t i = 0; i < parameters.size(); ++i)
                    names[parameters[i].substr(parameters[i].find_last_of(' ') + 1)] = arguments[i];
        }
    }
    return names;
}

namespace {

// What a parameter of that name points to, where the kernel's source has one: "Word" of "const Word* in,".
std::string pointeeOf(std::string_view name, const std::vector<std::string>& source) {
    for (const std::string& whole : source) {
        const std::string_view line = std::string_view(whole).substr(0, whole.find("//"));
        for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
            const std::string_view behind = trimmed(line.substr(at + name.size()), kAllBlanks);
            std::string_view before = trimmed(line.substr(0, at), kAllBlanks);
            if (behind.empty() || (behind[0] != ',' && behind[0] != ')') || !before.ends_with("*")) continue;
            before = trimmed(before.substr(0, before.size() - 1), kAllBlanks);
            return std::string(before.substr(before.find_last_of(" (,") + 1));
        }
    }
    return {};
}

}  // namespace

std::vector<Array> arraysOf(const run::Run& run, const std::vector<std::string>& source) {
    std::vector<Array> arrays;
    const ptx::Module& module = *run.module;
    const trace::Recording& recording = run.recording;
    const std::map<std::string, std::string> names = constantsOf(run, source);
    for (u32 b = 0; b < recording.initial.size(); ++b) {
        const Buffer& buffer = recording.initial[b];
        const ElementKind kind = kindOf(buffer.type);
        u64 elements = 1;
        for (u64 extent : buffer.shape)
            elements *= extent;
        arrays.push_back({buffer.name, Space::Global, deviceAddressOf(b), elements * kind.bytes, buffer.shape,
                          kind.bytes, kind.type, s32(b)});
        std::string pointee = pointeeOf(buffer.name, source);
        if (const auto named = names.find(pointee); named != names.end()) pointee = named->second;
        ElementKind vector = kindOf(pointee);
        // "struct Point {", then "float x, y, z;"
        for (std::size_t line = 0; !pointee.empty() && line + 1 < source.size(); ++line)
            if (trimmed(source[line], kAllBlanks) == "struct " + pointee + " {")
                if (const std::string_view members = trimmed(source[line + 1], kAllBlanks);
                    members.find(" x, y") != std::string_view::npos)
                    vector.components = u32(std::ranges::count(members, ',')) + 1,
                    vector.bytes = kind.bytes * vector.components;
        if (vector.components == 1 || buffer.shape.size() != 1) continue;
        arrays.back().elementBytes = vector.bytes, arrays.back().components = vector.components;
        arrays.back().shape = {elements / vector.components};
    }
    std::vector<Declared> declared;
    for (const std::string& line : source)
        if (std::optional<Declared> one = declaredShared(line)) declared.push_back(std::move(*one));
    if (!recording.launches.empty()) {
        const std::string& entry = recording.launches.front().entry;
        u64 offset = 0;
        const auto place = [&](const ptx::Variable& variable) {
            offset = (offset + variable.alignBytes - 1) / variable.alignBytes * variable.alignBytes;
            for (const Declared& one : declared) {
                const bool mangled = variable.name.find(std::to_string(one.name.size()) + one.name) !=
                                         std::string_view::npos ||
                                     variable.name.ends_with("_" + one.name);
                if (variable.name != one.name && !mangled) continue;
                std::string type = one.type;
                if (const auto named = names.find(type); named != names.end()) type = named->second;
                const ElementKind kind = kindOf(type);
                Array array{one.name,   Space::Shared, offset, variable.sizeBytes, {},
                            kind.bytes, kind.type,     -1,     kind.components};
                for (const std::string& dim : one.dims) {
                    const std::optional<s64> extent = Arithmetic(dim, names).value();
                    if (!extent) {
                        array.shape.clear();
                        break;
                    }
                    array.shape.push_back(u64(*extent));
                }
                arrays.push_back(std::move(array));
                break;
            }
            offset += variable.sizeBytes;
        };
        // A variable in shared memory is of the kernel that has an instruction with its name: of the entry's
        // own, and of a device function's that it calls.
        const auto isOfAnother = [&](std::string_view name) {
            if (!name.starts_with("_ZZ") || !entry.starts_with("_Z") ||
                name.substr(3).starts_with(std::string_view(entry).substr(2)))
                return false;
            for (u32 pc = 0; pc < module.instructions.size(); ++pc)
                if (module.functions[module.functionOf(Pc{pc}).value].name == entry &&
                    module.textOf(Pc{pc}).find(name) != std::string_view::npos)
                    return false;
            return true;
        };
        for (const bool dynamic : {false, true})
            for (const ptx::Variable& variable : module.variables) {
                if (variable.space != ptx::StateSpace::Shared || variable.isExtern != dynamic) continue;
                if (variable.function && module.functions[variable.function->value].name != entry) continue;
                if (isOfAnother(variable.name)) continue;
                place(variable);
            }
    }
    return arrays;
}

}  // namespace lockstep::witness
