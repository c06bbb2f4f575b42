#include "source/value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lockstep::source {
namespace {

struct TypeRow {
    std::string_view name;
    Scalar scalar;
    u64 bytes;
    u64 alignment =
        0;  // 0: the largest power of two that divides its size, 16 at most, as vector types have it
};
constexpr std::array kTypes{TypeRow{"bool", Scalar::Bool, 1},
                            TypeRow{"char", Scalar::Char, 1},
                            TypeRow{"uchar", Scalar::UChar, 1},
                            TypeRow{"short", Scalar::Short, 2},
                            TypeRow{"int", Scalar::Int, 4},
                            TypeRow{"uint", Scalar::UInt, 4},
                            TypeRow{"long", Scalar::Long, 8},
                            TypeRow{"ulong", Scalar::ULong, 8},
                            TypeRow{"float", Scalar::Float, 4},
                            TypeRow{"double", Scalar::Double, 8},
                            TypeRow{"size_t", Scalar::ULong, 8},
                            TypeRow{"ssize_t", Scalar::Long, 8},
                            TypeRow{"ptrdiff_t", Scalar::Long, 8},
                            TypeRow{"int8_t", Scalar::Char, 1},
                            TypeRow{"uint8_t", Scalar::UChar, 1},
                            TypeRow{"int16_t", Scalar::Short, 2},
                            TypeRow{"uint16_t", Scalar::UShort, 2},
                            TypeRow{"int32_t", Scalar::Int, 4},
                            TypeRow{"uint32_t", Scalar::UInt, 4},
                            TypeRow{"int64_t", Scalar::Long, 8},
                            TypeRow{"uint64_t", Scalar::ULong, 8},
                            TypeRow{"ushort", Scalar::UShort, 2},
                            TypeRow{"half", Scalar::None, 2},
                            TypeRow{"__half", Scalar::None, 2},
                            TypeRow{"__nv_bfloat16", Scalar::None, 2},
                            TypeRow{"float2", Scalar::None, 8},
                            TypeRow{"float3", Scalar::None, 12},
                            TypeRow{"float4", Scalar::None, 16},
                            TypeRow{"double2", Scalar::None, 16},
                            TypeRow{"double3", Scalar::None, 24},
                            TypeRow{"int2", Scalar::None, 8},
                            TypeRow{"int3", Scalar::None, 12},
                            TypeRow{"int4", Scalar::None, 16},
                            TypeRow{"uint2", Scalar::None, 8},
                            TypeRow{"uint4", Scalar::None, 16},
                            TypeRow{"uchar3", Scalar::None, 3},
                            TypeRow{"uchar4", Scalar::None, 4},
                            TypeRow{"char4", Scalar::None, 4},
                            TypeRow{"dim3", Scalar::None, 12},
                            TypeRow{"cufftComplex", Scalar::None, 8},
                            TypeRow{"cuComplex", Scalar::None, 8},
                            TypeRow{"cuFloatComplex", Scalar::None, 8},
                            TypeRow{"cuDoubleComplex", Scalar::None, 16},
                            TypeRow{"curandState", Scalar::None, 48, 8},
                            TypeRow{"curandState_t", Scalar::None, 48, 8},
                            TypeRow{"cudaError_t", Scalar::None, 4},
                            TypeRow{"cudaEvent_t", Scalar::None, 8},
                            TypeRow{"cudaStream_t", Scalar::None, 8},
                            TypeRow{"cudaDeviceProp", Scalar::None, 0},
                            TypeRow{"clock_t", Scalar::None, 8},
                            TypeRow{"time_t", Scalar::None, 8},
                            TypeRow{"auto", Scalar::None, 0},
                            TypeRow{"void", Scalar::None, 1},
                            TypeRow{"unsigned", Scalar::UInt, 4},
                            TypeRow{"FILE", Scalar::None, 0}};

Scalar commonOf(Scalar a, Scalar b) {
    if (a == Scalar::Double || b == Scalar::Double) return Scalar::Double;
    if (a == Scalar::Float || b == Scalar::Float) return Scalar::Float;
    const auto promoted = [](Scalar s) { return s < Scalar::Int ? Scalar::Int : s; };
    return std::max(promoted(a), promoted(b));  // they stand in the order of their rank
}

bool fits(s64 value, Scalar scalar) {
    switch (scalar) {
        case Scalar::Int:
            return value >= std::numeric_limits<s32>::min() && value <= std::numeric_limits<s32>::max();
        default: return true;
    }
}

Value narrowed(s64 value, Scalar scalar) {
    const u64 bits = u64(value);
    switch (scalar) {
        case Scalar::Bool: return integerValue(value != 0, scalar);
        case Scalar::Char: return integerValue(s8(bits), scalar);
        case Scalar::UChar: return integerValue(u8(bits), scalar);
        case Scalar::Short: return integerValue(s16(bits), scalar);
        case Scalar::UShort: return integerValue(u16(bits), scalar);
        case Scalar::Int: return integerValue(s32(bits), scalar);
        case Scalar::UInt: return integerValue(u32(bits), scalar);
        default: return integerValue(value, scalar);
    }
}

bool isComparison(std::string_view sign) {
    return sign == "==" || sign == "!=" || sign == "<" || sign == ">" || sign == "<=" || sign == ">=";
}

Value compared(std::string_view sign, auto a, auto b) {
    const bool holds = sign == "=="   ? a == b
                       : sign == "!=" ? a != b
                       : sign == "<"  ? a < b
                       : sign == ">"  ? a > b
                       : sign == "<=" ? a <= b
                                      : a >= b;
    return integerValue(holds, Scalar::Bool);
}

Value withCause(const NotKnown& cause) {
    Value value;
    value.cause = cause;
    return value;
}

// Loop variables in sums and products with constants.
std::vector<Affine> affineOf(std::string_view sign, const Value& a, const Value& b) {
    const auto of = [](const Value& value) -> std::vector<Affine> {
        if (value.kind == Value::Kind::Integer) return {Affine{value.integer, {}}};
        return value.affine;
    };
    const std::vector<Affine> x = of(a), y = of(b);
    if (x.empty() || y.empty()) return {};
    constexpr s64 kLarge = s64{1} << 31;
    const auto isLarge = [](const Affine& affine) {
        return std::abs(affine.constant) > kLarge || std::ranges::any_of(affine.terms, [](const auto& term) {
                   return std::abs(term.second) > kLarge;
               });
    };
    Affine result = x.front();
    if (isLarge(x.front()) || isLarge(y.front())) return {};
    if (sign == "+" || sign == "-") {
        const s64 factor = sign == "+" ? 1 : -1;
        result.constant += factor * y.front().constant;
        for (const auto& [loop, by] : y.front().terms) {
            const auto found = std::ranges::find(result.terms, loop, &std::pair<u32, s64>::first);
            if (found == result.terms.end())
                result.terms.emplace_back(loop, factor * by);
            else
                found->second += factor * by;
        }
        return {result};
    }
    if (sign != "*" || (!x.front().terms.empty() && !y.front().terms.empty())) return {};
    const s64 factor = x.front().terms.empty() ? x.front().constant : y.front().constant;
    result = x.front().terms.empty() ? y.front() : x.front();
    result.constant *= factor;
    for (auto& term : result.terms)
        term.second *= factor;
    return {result};
}

}  // namespace

std::string Type::written() const { return name + std::string(pointers, '*'); }

u64 bytesOf(Scalar scalar) {
    constexpr std::array<u64, 12> kBytes{0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return kBytes[std::size_t(scalar)];
}
Type pointee(Type type) {
    if (type.pointers) --type.pointers;
    return type;
}

bool isUnsigned(Scalar scalar) {
    return scalar == Scalar::Bool || scalar == Scalar::UChar || scalar == Scalar::UShort ||
           scalar == Scalar::UInt || scalar == Scalar::ULong;
}

std::optional<KnownType> knownType(std::string_view name) {
    const auto found = std::ranges::find(kTypes, name, &TypeRow::name);
    if (found == kTypes.end()) return std::nullopt;
    const u64 natural = std::min<u64>(found->bytes & (~found->bytes + 1), 16);
    return KnownType{found->scalar, found->bytes, found->alignment ? found->alignment : natural};
}

Value* Value::part(const std::string& name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? nullptr : &parts[std::size_t(found - names.begin())];
}

Value integerValue(s64 number, Scalar scalar) {
    Value value;
    value.kind = Value::Kind::Integer;
    value.type.scalar = scalar;
    value.integer = number;
    return value;
}
Value realValue(f64 number, Scalar scalar) {
    Value value;
    value.kind = Value::Kind::Real;
    value.type.scalar = scalar;
    value.real = scalar == Scalar::Float ? f64(f32(number)) : number;
    return value;
}
Value notKnown(std::string variable, u32 line) { return withCause({std::move(variable), line}); }

Value extentsValue(Value x, Value y, Value z) {
    Value value;
    value.kind = Value::Kind::Extents;
    value.type.name = "dim3";
    value.names = {"x", "y", "z"};
    const Type part{.scalar = Scalar::UInt, .name = "unsigned int"};
    value.parts = {converted(std::move(x), part), converted(std::move(y), part),
                   converted(std::move(z), part)};
    return value;
}

Value converted(Value value, const Type& type) {
    if (type.pointers == 0 && type.name == "dim3" && value.kind != Value::Kind::Extents) {
        if (value.isNumber()) return extentsValue(std::move(value), integerValue(1), integerValue(1));
        return value;
    }
    if (type.isInteger() && value.kind == Value::Kind::Integer) {
        value = narrowed(value.integer, type.scalar);
    } else if (type.isInteger() && value.kind == Value::Kind::Real) {
        if (type.scalar == Scalar::Bool)
            value = integerValue(value.real != 0, Scalar::Bool);
        else if (!(value.real > -9.2e18 && value.real < 9.2e18))
            value = withCause(value.cause);
        else
            value = narrowed(s64(value.real), type.scalar);
    } else if (type.isReal() && value.isNumber()) {
        value = realValue(value.asReal(), type.scalar);
    }
    if (type.scalar != Scalar::None || type.pointers > 0 || !type.name.empty()) {
        if (type.name != "auto") {
            const bool isConstant = type.isConstant;
            value.type = type;
            value.type.isConstant = isConstant;
        }
    }
    return value;
}

Value cast(Value value, const Type& type) {
    if (value.kind == Value::Kind::Reference) return value;
    if (value.kind == Value::Kind::NotKnown) {
        const std::vector<Affine> affine = value.affine;
        value = converted(std::move(value), type);
        value.affine = affine;
        return value;
    }
    return converted(std::move(value), type);
}

Value combined(std::string_view sign, const Value& a, const Value& b) {
    if (a.kind == Value::Kind::Pointer && b.kind == Value::Kind::Integer && (sign == "+" || sign == "-") &&
        a.type.pointers > 0) {
        Type element = a.type;
        --element.pointers;
        const std::optional<KnownType> known = knownType(element.name);
        const u64 bytes = element.pointers                 ? 8
                          : element.scalar != Scalar::None ? bytesOf(element.scalar)
                          : known                          ? known->bytes
                                                           : 0;
        if (bytes == 0 || std::abs(b.integer) > (s64{1} << 40)) return withCause(a.cause);
        Value moved = a;
        moved.offsetBytes += (sign == "+" ? 1 : -1) * b.integer * s64(bytes);
        return moved;
    }
    if (!a.isNumber() || !b.isNumber()) {
        Value value = withCause(!a.isNumber() ? a.cause : b.cause);
        value.affine = affineOf(sign, a, b);
        return value;
    }
    const Scalar common = commonOf(a.type.scalar, b.type.scalar);
    if (common == Scalar::Double || common == Scalar::Float) {
        const f64 x = a.asReal(), y = b.asReal();
        if (isComparison(sign)) return compared(sign, x, y);
        if (sign == "+") return realValue(x + y, common);
        if (sign == "-") return realValue(x - y, common);
        if (sign == "*") return realValue(x * y, common);
        if (sign == "/")
            return y == 0 ? withCause({})
                          : realValue(common == Scalar::Float ? f64(f32(x) / f32(y)) : x / y, common);
        return withCause({});
    }
    const Value left = narrowed(a.integer, common), right = narrowed(b.integer, common);
    const s64 x = left.integer, y = right.integer;
    const bool hasNoSign = isUnsigned(common);
    if (isComparison(sign)) return hasNoSign ? compared(sign, u64(x), u64(y)) : compared(sign, x, y);
    if (sign == "<<" || sign == ">>") {
        const Scalar of = a.type.scalar < Scalar::Int ? Scalar::Int : a.type.scalar;
        const u64 bits = bytesOf(of) * 8;
        if (b.integer < 0 || u64(b.integer) >= bits) return withCause({});
        if (sign == ">>")
            return isUnsigned(of) ? narrowed(s64(u64(a.integer) >> b.integer), of)
                                  : narrowed(a.integer >> b.integer, of);
        return narrowed(s64(u64(a.integer) << b.integer), of);
    }
    s64 result = 0;
    bool overflows = false;
    if (sign == "+")
        overflows = __builtin_add_overflow(x, y, &result);
    else if (sign == "-")
        overflows = __builtin_sub_overflow(x, y, &result);
    else if (sign == "*")
        overflows = __builtin_mul_overflow(x, y, &result);
    else if (sign == "/" || sign == "%") {
        if (y == 0 || (!hasNoSign && y == -1))
            return y == -1 && sign == "/" && x != std::numeric_limits<s64>::min() ? narrowed(-x, common)
                                                                                  : withCause({});
        if (hasNoSign)
            result = sign == "/" ? s64(u64(x) / u64(y)) : s64(u64(x) % u64(y));
        else
            result = sign == "/" ? x / y : x % y;
    } else if (sign == "&")
        result = x & y;
    else if (sign == "|")
        result = x | y;
    else if (sign == "^")
        result = x ^ y;
    else
        return withCause({});
    // Signed overflow has no value in C++; unsigned wraps around.
    if (!hasNoSign && (overflows || !fits(result, common))) return withCause({});
    return narrowed(result, common);
}

bool isSame(const Value& a, const Value& b) {
    if (a.kind != b.kind) return false;
    switch (a.kind) {
        case Value::Kind::NotKnown: return true;
        case Value::Kind::Integer: return a.integer == b.integer;
        case Value::Kind::Real: return a.real == b.real;
        case Value::Kind::Pointer: return a.allocation == b.allocation && a.offsetBytes == b.offsetBytes;
        case Value::Kind::Kernel:
        case Value::Kind::Reference:
            return a.place.scope == b.place.scope && a.place.name == b.place.name &&
                   a.place.path == b.place.path;
        case Value::Kind::Extents:
        case Value::Kind::Object: break;
    }
    return a.names == b.names && std::ranges::equal(a.parts, b.parts, isSame);
}

}  // namespace lockstep::source
