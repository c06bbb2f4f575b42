// Finds declarations and solves them for the size that is known.
#include "explain/arrays/shared_arrays.h"

#include "explain/source/parameter_names.h"
#include "ptx/analysis/shared_layout.h"
#include "ptx/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace lockstep::explain {
namespace {

// + - * / ( ) over numbers; every name stands for `value`.
class Extent {
public:
    Extent(std::string_view text, u64 value) : text_(text), value_(value) {}
    std::optional<u64> evaluate() {
        const std::optional<u64> result = sum();
        skipBlanks();
        return text_.empty() ? result : std::nullopt;
    }

private:
    void skipBlanks() {
        while (!text_.empty() && std::isspace(u8(text_[0])))
            text_.remove_prefix(1);
    }
    bool take(char c) {
        skipBlanks();
        if (text_.empty() || text_[0] != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    std::optional<u64> sum() {
        std::optional<u64> left = product();
        while (left) {
            const bool plus = take('+'), minus = !plus && take('-');
            if (!plus && !minus) return left;
            const std::optional<u64> right = product();
            if (!right || (minus && *right > *left)) return std::nullopt;
            left = plus ? *left + *right : *left - *right;
        }
        return left;
    }
    std::optional<u64> product() {
        std::optional<u64> left = factor();
        while (left) {
            const bool times = take('*'), by = !times && take('/');
            if (!times && !by) return left;
            const std::optional<u64> right = factor();
            if (!right || (by && *right == 0)) return std::nullopt;
            left = times ? *left * *right : *left / *right;
        }
        return left;
    }
    std::optional<u64> factor() {
        if (take('(')) {
            const std::optional<u64> inner = depth_++ < 8 ? sum() : std::nullopt;
            return take(')') ? inner : std::nullopt;
        }
        if (text_.empty()) return std::nullopt;
        std::size_t n = 0;
        while (n < text_.size() && (std::isalnum(u8(text_[n])) || text_[n] == '_'))
            ++n;
        if (n == 0) return std::nullopt;
        const std::string_view word = text_.substr(0, n);
        text_.remove_prefix(n);
        if (!std::isdigit(u8(word[0]))) return value_;
        u64 number = 0;
        for (const char c : word) {
            if (!std::isdigit(u8(c)) || number > 1u << 30) return std::nullopt;
            number = number * 10 + u64(c - '0');
        }
        return number;
    }

    std::string_view text_;
    u64 value_;
    int depth_ = 0;
};

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }

// The declaration of the __shared__ array up to its name, and what follows it, from the first bracket on.
struct Declaration {
    std::string_view before, after;
};
std::optional<Declaration> declarationOf(std::string_view source, std::string_view name) {
    for (std::size_t at = source.find("__shared__"); at != std::string_view::npos;
         at = source.find("__shared__", at + 1)) {
        const std::string_view declaration = source.substr(at, source.find(';', at) - at);
        for (std::size_t found = declaration.find(name); found != std::string_view::npos;
             found = declaration.find(name, found + 1)) {
            const std::size_t after = found + name.size();
            if (!isWord(declaration[found - 1]) && after < declaration.size() && declaration[after] == '[')
                return Declaration{declaration.substr(0, found), declaration.substr(after)};
        }
    }
    return std::nullopt;
}

// The texts between the brackets that follow the name in a __shared__ declaration.
std::vector<std::string_view> brackets(std::string_view source, std::string_view name) {
    const std::optional<Declaration> declaration = declarationOf(source, name);
    std::vector<std::string_view> texts;
    std::string_view rest = declaration ? declaration->after : std::string_view();
    while (rest.starts_with('[')) {
        const std::size_t end = rest.find(']');
        if (end == std::string_view::npos) return {};
        texts.push_back(rest.substr(1, end - 1));
        rest.remove_prefix(end + 1);
    }
    return texts;
}

bool isSharedAccess(const ptx::Instruction& instruction) {
    constexpr std::array kForms = {"ld.shared",          "ld.volatile.shared", "st.shared",
                                   "st.volatile.shared", "atom.shared",        "red.shared"};
    return std::ranges::any_of(kForms, [&](const char* form) { return instruction.form.starts_with(form); });
}

// Of elements of so many bytes whose declaration tells no type: a float where the kernel moves such floats
// through shared memory.
ptx::Type typeAsAccessed(const ptx::Module& module, const ptx::Function& entry, u32 bytes) {
    ptx::Type type = ptx::bitsType(bytes);
    for (u32 pc = entry.first.value; pc < entry.end.value; ++pc) {
        const ptx::Instruction& instruction = module.at(Pc{pc});
        if (!isSharedAccess(instruction) || ptx::bytesOf(instruction.types[0]) != bytes) continue;
        if (ptx::isFloat(instruction.types[0])) return instruction.types[0];
        type = instruction.types[0];
    }
    return type;
}

// Bytes of the smallest element that the kernel loads from shared memory or stores to it; 4 where there is
// none.
u32 narrowestSharedAccess(const ptx::Module& module, const ptx::Function& entry) {
    u32 least = 0;
    for (u32 pc = entry.first.value; pc < entry.end.value; ++pc) {
        const ptx::Instruction& instruction = module.at(Pc{pc});
        if (!isSharedAccess(instruction)) continue;
        const u32 bytes = ptx::bytesOf(instruction.types[0]);
        if (bytes > 0) least = least ? std::min(least, bytes) : bytes;
    }
    return least ? std::min(least, 8u) : 4;
}

// 0 of no extents.
u64 productOf(const std::vector<u64>& extents) {
    u64 product = extents.empty() ? 0 : 1;
    for (const u64 extent : extents)
        product = extent > (u64{1} << 40) / std::max<u64>(product, 1) ? ~u64{0} : product * extent;
    return product;
}

}  // namespace

std::string SharedArray::extentsText() const {
    std::string text;
    for (const u64 extent : shape)
        text += (text.empty() ? "" : " × ") + std::to_string(extent);
    return text.empty() ? std::to_string(elements()) : text;
}

std::string SharedArray::nameOf(u64 element) const {
    const std::vector<u64>& extents = components > 1 ? declared : shape;
    u64 left = element / components;
    std::string indices;
    for (std::size_t at = extents.size(); at-- > 0;) {
        const bool isInner = at > 0 && extents[at] > 0;  // the outermost keeps what is left
        indices.insert(0, fmt::format("[{}]", isInner ? left % extents[at] : left));
        if (isInner) left /= extents[at];
    }
    const u64 part = element % components;
    if (isVectors && part < 4)
        return name + indices + (components > 1 ? fmt::format(".{}", "xyzw"[part]) : std::string());
    return name + indices + (part ? fmt::format(" + {} bytes", part * elementBytes) : std::string());
}

ptx::Type declaredType(std::string_view source, std::string_view name, const TypeNames& types) {
    using ptx::Type;
    const std::optional<Declaration> declaration = declarationOf(source, name);
    if (!declaration) return Type::None;
    bool isUnsigned = false, isChar = false, isShort = false;
    int longs = 0;
    Type type = Type::None;
    for (std::string_view rest = declaration->before.substr(std::string_view("__shared__").size());
         !rest.empty();) {
        std::size_t n = 0;
        while (n < rest.size() && isWord(rest[n]))
            ++n;
        std::string_view word = rest.substr(0, n);
        rest.remove_prefix(std::max<std::size_t>(n, 1));
        if (const auto argument = types.find(word); argument != types.end()) word = argument->second;
        if (word == "unsigned") isUnsigned = true, type = type == Type::None ? Type::U32 : type;
        if (word == "long") ++longs, type = Type::S64;
        if (word == "short") isShort = true;
        if (word == "char") isChar = true;
        struct Named {
            std::string_view name;
            Type type;
        };
        constexpr Named kNames[] = {
            {"float", Type::F32},     {"double", Type::F64},       {"half", Type::F16},
            {"__half", Type::F16},    {"__nv_bfloat", Type::BF16}, {"int", Type::S32},
            {"uint", Type::U32},      {"char", Type::S8},          {"uchar", Type::U8},
            {"short", Type::S16},     {"ushort", Type::U16},       {"longlong", Type::S64},
            {"ulonglong", Type::U64}, {"size_t", Type::U64},       {"int8_t", Type::S8},
            {"uint8_t", Type::U8},    {"int16_t", Type::S16},      {"uint16_t", Type::U16},
            {"int32_t", Type::S32},   {"uint32_t", Type::U32},     {"int64_t", Type::S64},
            {"uint64_t", Type::U64},  {"bool", Type::U8},          {"signed", Type::S32}};
        const auto named = [&](std::string_view wanted) {
            return std::ranges::find(kNames, wanted, &Named::name);
        };
        auto found = named(word);
        if (found == std::end(kNames) && word.size() > 1 && word.back() >= '1' && word.back() <= '4')
            found = named(word.substr(0, word.size() - 1));  // float4
        if (found == std::end(kNames) || (word == "int" && type != Type::None))
            continue;  // unsigned int, long int
        type = found->type;
    }
    if (isChar) return isUnsigned ? Type::U8 : Type::S8;
    if (isShort) return isUnsigned ? Type::U16 : Type::S16;
    if (type == Type::S64 && isUnsigned && longs) return Type::U64;
    return type;
}

std::vector<u64> knownShape(std::string_view source, std::string_view name, const Constants& constants) {
    std::vector<u64> shape;
    for (const std::string_view text : brackets(source, name)) {
        const std::optional<s64> extent = constantValue(text, constants);
        if (!extent || *extent <= 0) return {};
        shape.push_back(u64(*extent));
    }
    return shape;
}

std::vector<u64> declaredShape(std::string_view source, std::string_view name, u64 elements,
                               const Constants& constants) {
    const std::vector<std::string_view> texts = brackets(source, name);
    if (texts.empty() || elements == 0) return {};
    if (std::vector<u64> known = knownShape(source, name, constants); productOf(known) == elements)
        return known;
    constexpr u64 kLargestConstant = 4096;
    const bool hasName = std::ranges::any_of(texts, [](std::string_view text) {
        return std::ranges::any_of(text, [](char c) { return std::isalpha(u8(c)) || c == '_'; });
    });
    const u64 most = hasName ? kLargestConstant : 1;
    // Nothing, as of a row's padding, where nothing else fits.
    for (u64 tried = 1; tried <= most + hasName; ++tried) {
        const u64 value = tried <= most ? tried : 0;
        std::vector<u64> shape;
        u64 product = 1;
        for (const std::string_view text : texts) {
            const std::optional<u64> extent = Extent(text, value).evaluate();
            if (!extent || *extent == 0 || *extent > elements) break;
            shape.push_back(*extent);
            product *= *extent;
            if (product > elements) break;
        }
        if (shape.size() == texts.size() && product == elements) return shape;
    }
    return {};
}

std::vector<SharedArray> sharedArrays(const ptx::Module& module, const Launch& launch) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    std::vector<SharedArray> arrays;
    if (!entry) return arrays;
    const std::string kernel = ptx::demangle(launch.entry);
    std::vector<Constants> constantsOfSources;  // of the sources that declare shared memory
    std::vector<TypeNames> typesOfSources;
    for (const std::string& source : module.sources) {
        const bool declares = source.find("__shared__") != std::string::npos;
        constantsOfSources.push_back(declares ? constantsOf(source, kernel) : Constants{});
        typesOfSources.push_back(declares ? templateTypesOf(source, kernel) : TypeNames{});
    }
    const u32 narrowest = narrowestSharedAccess(module, *entry);
    for (const auto& placed : ptx::sharedLayout(module, *entry, launch.dynamicSharedBytes).variables) {
        const ptx::Variable& variable = module.variables[placed.variable.value];
        SharedArray array{ptx::variableName(variable.name),          placed.offsetBytes, placed.sizeBytes,
                          std::max(1u, ptx::bytesOf(variable.type)), ptx::Type::None,    {}};
        // Arrays come as bytes in PTX; their alignment is their element's, unless that is a vector or asked
        // for.
        if (array.elementBytes == 1)
            array.elementBytes = std::min(std::max(variable.alignBytes, 1u), narrowest);
        for (std::size_t i = 0; i < constantsOfSources.size(); ++i) {
            const std::string& source = module.sources[i];
            const Constants& constants = constantsOfSources[i];
            const ptx::Type declared = declaredType(source, array.name, typesOfSources[i]);
            // What the source declares is what it is, however wide the accesses are; but for bytes that no
            // access takes one by one: these are room for whatever a pointer makes of them.
            const bool isRoom = ptx::bytesOf(declared) == 1 && narrowest > 1;
            if (declared != ptx::Type::None && !isRoom && array.sizeBytes % ptx::bytesOf(declared) == 0)
                array.type = declared, array.elementBytes = ptx::bytesOf(declared);
            // Of a type that is not known here, or of vectors: so many bytes an element that each has
            // several.
            const std::vector<u64> known = knownShape(source, array.name, constants);
            if (const u64 count = productOf(known); count > 0 && count < array.elements() &&
                                                    array.elements() % count == 0 &&
                                                    array.elements() / count <= 4) {
                array.components = u32(array.elements() / count);
                array.declared = known;
                array.isVectors = declared != ptx::Type::None;
            }
            if (array.shape.empty() && array.components == 1)
                array.shape = declaredShape(source, array.name, array.elements(), constants);
        }
        if (ptx::bytesOf(array.type) != array.elementBytes)
            array.type = typeAsAccessed(module, *entry, array.elementBytes);
        if (array.shape.empty()) array.shape = {array.elements()};
        arrays.push_back(std::move(array));
    }
    return arrays;
}

namespace {

// 4 of "const Word*", where Word is float4; 0: no vector of CUDA's.
u32 componentsOf(std::string_view type, const TypeNames& types) {
    u32 components = 0;
    while (!type.empty()) {
        std::size_t n = 0;
        while (n < type.size() && isWord(type[n]))
            ++n;
        std::string_view word = type.substr(0, n);
        type.remove_prefix(std::max<std::size_t>(n, 1));
        if (const auto argument = types.find(word); argument != types.end()) word = argument->second;
        constexpr std::string_view kScalars[] = {"float", "double", "int",  "uint",  "char",     "uchar",
                                                 "short", "ushort", "long", "ulong", "longlong", "ulonglong"};
        if (word.size() > 1 && word.back() >= '2' && word.back() <= '4' &&
            std::ranges::find(kScalars, word.substr(0, word.size() - 1)) != std::end(kScalars))
            components = u32(word.back() - '0');
    }
    return components;
}

// 3 of "const Point*" where the source has "struct Point { float x, y, z; }": read like a vector of CUDA's.
u32 membersOf(std::string_view type, std::string_view source) {
    while (!type.empty() && !isWord(type.back()))
        type.remove_suffix(1);
    std::size_t begin = type.size();
    while (begin > 0 && isWord(type[begin - 1]))
        --begin;
    const std::size_t found = source.find(fmt::format("struct {} {{", type.substr(begin)));
    if (found == std::string_view::npos) return 0;
    const std::size_t open = source.find('{', found), close = source.find('}', open);
    if (close == std::string_view::npos) return 0;
    std::string members;
    for (const char c : source.substr(open + 1, close - open - 1))
        if (!std::isspace(u8(c)) || (!members.empty() && members.back() != ' '))
            members += std::isspace(u8(c)) ? ' ' : c;
    for (const std::string_view names : {"x, y;", "x, y, z;", "x, y, z, w;"})
        if (const std::size_t at = members.find(names);
            at != std::string::npos && at > 0 && members.find(';') == at + names.size() - 1 &&
            members.find_first_not_of(' ', at + names.size()) == std::string::npos)
            return u32(std::ranges::count(names, ',')) + 1;
    return 0;
}

}  // namespace

u32 vectorBytes(const ptx::Module& module, const Launch& launch, std::span<const Buffer> buffers,
                u32 buffer) {
    const std::string kernel = ptx::demangle(launch.entry);
    for (const std::string& source : module.sources) {
        const std::vector<std::string> types = parameterTypes(source, ptx::shortName(launch.entry));
        if (types.size() != launch.arguments.size()) continue;
        for (std::size_t i = 0; i < types.size(); ++i) {
            const auto* argument = std::get_if<BufferArgument>(&launch.arguments[i]);
            if (!argument || argument->buffer != buffer || types[i].find('*') == std::string::npos) continue;
            const u32 components = componentsOf(types[i], templateTypesOf(source, kernel));
            return (components ? components : membersOf(types[i], source)) * info(buffers[buffer].type).bytes;
        }
    }
    return 0;
}

std::vector<ArrayShape> arrayShapes(const ptx::Module& module, const Launch& launch,
                                    std::span<const Buffer> buffers) {
    std::vector<ArrayShape> shapes;
    for (const SharedArray& array : sharedArrays(module, launch)) {
        if (array.components == 1)
            shapes.push_back({array.name, array.shape, array.elementBytes});
        else
            shapes.push_back({array.name, array.declared, array.elementBytes * array.components,
                              array.isVectors ? array.elementBytes : 0});
    }
    for (u32 b = 0; b < buffers.size(); ++b)
        if (const u32 bytes = vectorBytes(module, launch, buffers, b))
            shapes.push_back({.name = buffers[b].name, .shape = {}, .elementBytes = bytes, .isBuffer = true});
    return shapes;
}

}  // namespace lockstep::explain
