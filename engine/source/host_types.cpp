// Types as they are written, and how large they are.
#include "source/host.h"

#include <array>

namespace lockstep::source {
namespace {

// By what a name stands for; a `const` that was written before it stays.
void replace(Type& type, const Type& other) {
    const bool isConstant = type.isConstant;
    type = other;
    type.isConstant = type.isConstant || isConstant;
}

}  // namespace

std::optional<Type> Host::parseType(bool mayBeUnknown) {
    const Level level(*this);
    const std::size_t start = pos_;
    Type type;
    bool isUnsignedType = false, hasSign = false, hasBase = false;
    int longs = 0;
    bool isShort = false;
    while (now().isWord()) {
        const std::string& word = now().text;
        if (isOneOf(word, {"const", "constexpr"})) {
            type.isConstant = true;
        } else if (isOneOf(word, {"static",       "volatile",     "struct",       "class",      "enum",
                                  "union",        "typename",     "extern",       "inline",     "register",
                                  "mutable",      "thread_local", "__restrict__", "__restrict", "restrict",
                                  "__constant__", "__device__",   "__managed__",  "__host__",   "__shared__",
                                  "unsigned",     "signed",       "long",         "short"})) {
            if (word == "unsigned") isUnsignedType = hasSign = true;
            if (word == "signed") hasSign = true;
            if (word == "long") ++longs;
            if (word == "short") isShort = true;
        } else if (hasBase || ((hasSign || longs || isShort) && !isOneOf(word, {"int", "char", "double"}))) {
            break;
        } else {
            if (!parseTypeName(type, mayBeUnknown)) break;
            hasBase = true;
            continue;
        }
        ++pos_;
    }
    if (!hasBase && !hasSign && !longs && !isShort) {
        pos_ = start;
        return std::nullopt;
    }
    if (hasSign || longs || isShort) {
        const Scalar base = type.scalar;
        if (base == Scalar::Double)
            type.scalar = Scalar::Double;
        else if (base == Scalar::Char)
            type.scalar = isUnsignedType ? Scalar::UChar : Scalar::Char;
        else if (isShort)
            type.scalar = isUnsignedType ? Scalar::UShort : Scalar::Short;
        else if (longs)
            type.scalar = isUnsignedType ? Scalar::ULong : Scalar::Long;
        else
            type.scalar = isUnsignedType ? Scalar::UInt : Scalar::Int;
        constexpr std::array<std::string_view, 12> kNames{"",      "bool",           "char",  "unsigned char",
                                                          "short", "unsigned short", "int",   "unsigned int",
                                                          "long",  "unsigned long",  "float", "double"};
        type.name = kNames[std::size_t(type.scalar)];
    }
    while (true) {
        if (take("*"))
            ++type.pointers, type.isConstant = false;
        else if (take("&") || take("&&"))
            type.isReference = true;
        else if (now().is("const"))
            ++pos_, type.isConstant = true;
        else if (now().is("__restrict__") || now().is("__restrict") || now().is("restrict") ||
                 now().is("volatile"))
            ++pos_;
        else
            break;
    }
    return type;
}

bool Host::parseTypeName(Type& type, bool mayBeUnknown) {
    const std::size_t start = pos_;
    while (now().isWord() && at(pos_ + 1).is("::") && at(pos_ + 2).isWord())
        pos_ += 2;
    const std::string name = now().text;
    if (!now().isWord() || (!isTypeName(name) && !mayBeUnknown && pos_ == start) ||
        isOneOf(name, {"return", "delete", "new", "sizeof", "else", "case", "goto", "throw"})) {
        pos_ = start;
        return false;
    }
    ++pos_;
    type.name = name;
    if (now().is("<")) {
        if (const std::size_t behind = behindAngles(tokens_, pos_); behind > pos_ && behind <= end_) {
            for (const TokenRange& range : listIn(tokens_, pos_ + 1, behind - 1)) {
                const Within within(*this, range.first, range.last);
                type.arguments.push_back(parseType().value_or(Type{}));
            }
            pos_ = behind;
        }
    }
    if (const auto bound = frames_.back().types.find(name); bound != frames_.back().types.end())
        replace(type, bound->second);
    else if (const auto alias = aliases_.find(name); alias != aliases_.end())
        replace(type, alias->second);
    else if (const std::optional<KnownType> known = knownType(name)) {
        type.scalar = known->scalar;
        if (name == "unsigned") type.name = "unsigned int";
    }
    return true;
}

Type Host::returnTypeOf(const Function& function) {
    const Within within(*this, function.declaration.first, function.declaration.parameters);
    while (now().is("template"))
        pos_ = std::max(behindAngles(tokens_, pos_ + 1), pos_ + 1);
    while (
        isOneOf(now().text, {"__host__", "__device__", "__forceinline__", "__inline__", "inline", "static"}))
        ++pos_;
    const Type type = parseType().value_or(Type{});
    return frames_.back().types.contains(type.name) ? Type{} : type;
}

bool Host::isTypeName(const std::string& name) const {
    if (isOneOf(name,
                {"vector", "device_vector", "host_vector", "string", "unique_ptr", "shared_ptr", "array"}))
        return true;
    return knownType(name) || aliases_.contains(name) || structs_.contains(name) ||
           frames_.back().types.contains(name);
}

bool Host::isConcrete(const Type& type) const {
    return type.scalar != Scalar::None || structs_.contains(type.name) ||
           (knownType(type.name) && type.name != "auto" && type.name != "void");
}

Host::Layout Host::layoutOf(const Type& type) const {
    if (type.pointers) return {8, 8};
    if (type.scalar != Scalar::None) return {bytesOf(type.scalar), bytesOf(type.scalar)};
    if (const auto found = structs_.find(type.name); found != structs_.end()) return found->second;
    const std::optional<KnownType> known = knownType(type.name);
    return known ? Layout{known->bytes, known->alignment} : Layout{};
}

Result Host::sizeOfOperand() {
    Result result;
    const u32 where = line();
    u64 bytes = 0;
    if (now().is("(")) {
        const std::size_t open = pos_, behind = std::min(behindBracket(tokens_, pos_), end_);
        ++pos_;
        const bool isVariable = now().isWord() && find(now().text) && !at(pos_ + 1).is("*");
        std::optional<Type> type;
        if (!isVariable) type = parseType(false);
        if (type && pos_ + 1 == behind) {
            bytes = sizeOf(*type);
        } else {
            pos_ = open + 1;
            const Result inner = expression();
            bytes = sizeOfValue(inner);
        }
        pos_ = behind;
    } else {
        bytes = sizeOfValue(unary());
    }
    if (bytes)
        result.value = integerValue(s64(bytes), Scalar::ULong);
    else
        result.value = notKnown("sizeof", where);
    return result;
}

u64 Host::sizeOfValue(const Result& inner) {
    if (inner.hasPlace && inner.place.path.empty())
        if (const Variable* root = state_.variable(inner.place); root && root->type.name != "auto") {
            if (arrays_.contains(inner.place.name) && inner.value.kind == Value::Kind::Pointer) {
                const Allocation* allocation = state_.allocationOf(inner.value);
                return allocation && allocation->bytes ? *allocation->bytes : 0;
            }
            return sizeOf(root->type);
        }
    return sizeOf(inner.value.type);
}

Value Host::bytesFor(const Value& count, const Type& element) {
    const u64 bytes = sizeOf(element);
    if (bytes == 0) return notKnown("sizeof(" + element.name + ")", line());
    return combined("*", converted(count, {.scalar = Scalar::ULong, .name = "size_t"}),
                    integerValue(s64(bytes), Scalar::ULong));
}

}  // namespace lockstep::source
