// Finds declarations and solves them for the size that is known.
#include "explain/arrays/shared_arrays.h"

#include "explain/source/parameter_names.h"
#include "ptx/analysis/shared_layout.h"
#include "ptx/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
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

constexpr std::string_view kShared = "__shared__";
// Of variables of a module. Functions have the first of them, too: what follows a bracket is no variable's.
constexpr std::array<std::string_view, 3> kOfModule{"__device__", "__constant__", "__managed__"};

// The declaration of the variable up to its name, and what follows it, from the first bracket on.
struct Declaration {
    std::string_view before, after;
};
std::optional<Declaration> declarationOf(std::string_view source, std::string_view name,
                                         std::string_view qualifier) {
    for (std::size_t at = source.find(qualifier); at != std::string_view::npos;
         at = source.find(qualifier, at + 1)) {
        std::string_view declaration = source.substr(at, source.find(';', at) - at);
        if (qualifier != kShared) declaration = declaration.substr(0, declaration.find_first_of("({"));
        for (std::size_t found = declaration.find(name); found != std::string_view::npos;
             found = declaration.find(name, found + 1)) {
            const std::size_t after = found + name.size();
            const std::size_t next =
                std::min(declaration.find_first_not_of(" \t\r\n", after), declaration.size());
            const char follows = next < declaration.size() ? declaration[next] : ';';
            if (!isWord(declaration[found - 1]) &&
                std::string_view("[,;=").find(follows) != std::string_view::npos)
                return Declaration{declaration.substr(0, found), declaration.substr(next)};
        }
    }
    return std::nullopt;
}

std::optional<Declaration> declarationOf(std::string_view source, std::string_view name) {
    if (const auto shared = declarationOf(source, name, kShared)) return shared;
    for (const std::string_view qualifier : kOfModule)
        if (const auto found = declarationOf(source, name, qualifier)) return found;
    return std::nullopt;
}

// "const float4" of "__shared__ const float4 a[3], b[4]", for b, too.
std::string_view typeIn(const Declaration& declaration) {
    std::string_view type = declaration.before;  // from the qualifier on
    while (!type.empty() && isWord(type.front()))
        type.remove_prefix(1);
    const std::string_view first = type.substr(0, type.find(','));
    std::size_t end = first.find('[');
    if (end == first.npos) return first;
    while (end > 0 && !isWord(first[end - 1]))
        --end;
    while (end > 0 && isWord(first[end - 1]))
        --end;
    return first.substr(0, end);
}

// The texts between the brackets that follow the name in its declaration.
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

bool isScalar(std::string_view source, std::string_view name) {
    const std::optional<Declaration> declaration = declarationOf(source, name);
    return declaration && !declaration->after.starts_with('[');
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

// Of structs the source's, too.
TypeLayout declaredLayout(std::string_view source, std::string_view name, const TypeNames& types,
                          const Constants& constants) {
    const std::optional<Declaration> declaration = declarationOf(source, name);
    return declaration ? layoutOf(typeIn(*declaration), source, types, constants) : TypeLayout();
}

// 0 of no extents.
u64 productOf(const std::vector<u64>& extents) {
    u64 product = extents.empty() ? 0 : 1;
    for (const u64 extent : extents)
        product = extent > (u64{1} << 40) / std::max<u64>(product, 1) ? ~u64{0} : product * extent;
    return product;
}

std::string partName(const TypeLayout& layout, u32 offset, u32 bytes) {
    if (const TypeLayout::Leaf* leaf = layout.leafAt(offset, bytes)) return leaf->name;
    return offset ? fmt::format(" + {} bytes", offset) : std::string();
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
    const u32 offset = u32(element % components) * elementBytes;
    return name + indices + partName(layout, offset, elementBytes);
}

ptx::Type declaredType(std::string_view source, std::string_view name, const TypeNames& types) {
    const std::optional<Declaration> declaration = declarationOf(source, name);
    const TypeLayout layout = declaration ? layoutOf(typeIn(*declaration), {}, types) : TypeLayout();
    return layout.leaves.empty() ? ptx::Type::None : layout.leaves.front().type;
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

namespace {

// What the sources say of a launch's variables.
class Declared {
public:
    Declared(const ptx::Module& module, const Launch& launch, std::span<const std::string_view> qualifiers)
        : module_(module) {
        const std::string kernel = ptx::demangle(launch.entry);
        for (const std::string& source : module.sources) {
            const bool declares = std::ranges::any_of(qualifiers, [&](std::string_view qualifier) {
                return source.find(qualifier) != std::string::npos;
            });
            constants_.push_back(declares ? constantsOf(source, kernel) : Constants{});
            types_.push_back(declares ? templateTypesOf(source, kernel) : TypeNames{});
        }
    }

    // Arrays come as bytes in PTX; their alignment is their element's, unless that is a vector or asked for.
    // narrowest: access of such memory, in bytes. The type stays None where the sources do not tell it.
    SharedArray arrayOf(const ptx::Variable& variable, u64 base, u64 sizeBytes, u32 narrowest) const {
        SharedArray array{ptx::variableName(variable.name),
                          base,
                          sizeBytes,
                          std::max(1u, ptx::bytesOf(variable.type)),
                          ptx::Type::None,
                          {}};
        if (array.elementBytes == 1)
            array.elementBytes = std::min(std::max(variable.alignBytes, 1u), narrowest);
        for (std::size_t i = 0; i < constants_.size(); ++i)
            complete(array, i, narrowest);
        if (const std::vector<TypeLayout::Leaf>& leaves = array.layout.leaves;
            array.type == ptx::Type::None && !leaves.empty() &&
            std::ranges::all_of(leaves, [&](const auto& leaf) { return leaf.type == leaves.front().type; }))
            array.type = leaves.front().type;
        return array;
    }

private:
    void complete(SharedArray& array, std::size_t at, u32 narrowest) const {
        const std::string& source = module_.sources[at];
        const Constants& constants = constants_[at];
        const ptx::Type declared = declaredType(source, array.name, types_[at]);
        // What the source declares is what it is, however wide the accesses are; but for bytes that no access
        // takes one by one: these are room for whatever a pointer makes of them.
        const bool isRoom = ptx::bytesOf(declared) == 1 && narrowest > 1;
        if (declared != ptx::Type::None && !isRoom && array.sizeBytes % ptx::bytesOf(declared) == 0)
            array.type = declared, array.elementBytes = ptx::bytesOf(declared);
        // Elements of several parts: of vectors and structs, and of a type that is not known here, if it is
        // not too large.
        if (array.components > 1) return;
        array.isScalar = isScalar(source, array.name);
        array.layout = declaredLayout(source, array.name, types_[at], constants);
        const std::vector<u64> known = knownShape(source, array.name, constants);
        const u64 count = array.layout.bytes ? array.sizeBytes / array.layout.bytes : productOf(known);
        const u64 parts = count > 0 && array.elements() % count == 0 ? array.elements() / count : 1;
        if (parts > 1 && (array.layout.hasParts() || parts <= 4)) {
            array.components = u32(parts);
            array.declared = array.isScalar              ? std::vector<u64>{}
                             : productOf(known) == count ? known
                                                         : std::vector{count};
        }
        if (array.shape.empty() && array.components == 1)
            array.shape = declaredShape(source, array.name, array.elements(), constants);
    }

    const ptx::Module& module_;
    std::vector<Constants> constants_;  // of the sources that declare such memory; of others none
    std::vector<TypeNames> types_;
};

// Arrays and scalars in global and constant memory, those whose declaration is known.
std::vector<SharedArray> moduleArrays(const ptx::Module& module, const Launch& launch) {
    std::vector<SharedArray> arrays;
    std::optional<Declared> declared;
    for (const ptx::Variable& variable : module.variables) {
        if (variable.space != ptx::StateSpace::Global && variable.space != ptx::StateSpace::Const) continue;
        if (variable.sizeBytes == 0) continue;
        if (!declared) declared.emplace(module, launch, kOfModule);
        SharedArray array = declared->arrayOf(variable, 0, variable.sizeBytes, 1);
        if (array.type != ptx::Type::None || array.layout.hasParts()) arrays.push_back(std::move(array));
    }
    return arrays;
}

}  // namespace

std::vector<SharedArray> sharedArrays(const ptx::Module& module, const Launch& launch) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    std::vector<SharedArray> arrays;
    if (!entry) return arrays;
    const Declared declared(module, launch, std::array{kShared});
    const u32 narrowest = narrowestSharedAccess(module, *entry);
    for (const auto& placed : ptx::sharedLayout(module, *entry, launch.dynamicSharedBytes).variables) {
        SharedArray array = declared.arrayOf(module.variables[placed.variable.value], placed.offsetBytes,
                                             placed.sizeBytes, narrowest);
        if (ptx::bytesOf(array.type) != array.elementBytes)
            array.type = typeAsAccessed(module, *entry, array.elementBytes);
        if (array.shape.empty() && !array.isScalar) array.shape = {array.elements()};
        arrays.push_back(std::move(array));
    }
    return arrays;
}

TypeLayout elementLayout(const ptx::Module& module, const Launch& launch, u32 buffer) {
    const std::string kernel = ptx::demangle(launch.entry);
    for (const std::string& source : module.sources) {
        const std::vector<std::string> types = parameterTypes(source, ptx::shortName(launch.entry));
        if (types.size() != launch.arguments.size()) continue;
        for (std::size_t i = 0; i < types.size(); ++i) {
            const auto* argument = std::get_if<BufferArgument>(&launch.arguments[i]);
            if (!argument || argument->buffer != buffer || types[i].find('*') == std::string::npos) continue;
            TypeLayout layout = layoutOf(types[i], source, templateTypesOf(source, kernel));
            return layout.hasParts() ? layout : TypeLayout();
        }
    }
    return {};
}

std::vector<ArrayShape> arrayShapes(const ptx::Module& module, const Launch& launch,
                                    std::span<const Buffer> buffers) {
    std::vector<ArrayShape> shapes;
    std::vector<SharedArray> arrays = sharedArrays(module, launch);
    std::ranges::move(moduleArrays(module, launch), std::back_inserter(arrays));
    for (const SharedArray& array : arrays) {
        if (array.components == 1)
            shapes.push_back({array.name, array.shape, array.elementBytes, {}});
        else
            shapes.push_back(
                {array.name, array.declared, array.elementBytes * array.components, array.layout});
    }
    for (u32 b = 0; b < buffers.size(); ++b)
        if (const TypeLayout layout = elementLayout(module, launch, b); layout.bytes)
            shapes.push_back({.name = buffers[b].name,
                              .shape = {},
                              .elementBytes = layout.bytes,
                              .layout = layout,
                              .isBuffer = true});
    return shapes;
}

}  // namespace lockstep::explain
