// Values of host code, as far as the text tells them, with C++'s types and arithmetic.
#pragma once

#include "source/launch.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::source {

enum class Scalar : u8 { None, Bool, Char, UChar, Short, UShort, Int, UInt, Long, ULong, Float, Double };

struct Type {
    Scalar scalar = Scalar::None;
    std::string name = {};  // "float", "Matrix", "vector"
    u32 pointers = 0;
    bool isReference = false, isConstant = false;
    std::vector<Type> arguments = {};  // of a template: vector<float>

    bool isReal() const { return pointers == 0 && (scalar == Scalar::Float || scalar == Scalar::Double); }
    bool isInteger() const { return pointers == 0 && scalar != Scalar::None && !isReal(); }
    std::string written() const;
};
// What a pointer of that type points to.
Type pointee(Type type);
u64 bytesOf(Scalar scalar);
bool isUnsigned(Scalar scalar);
// A type that C++ or CUDA has: "int", "size_t", "float4". None for others; bytes 0: not known.
struct KnownType {
    Scalar scalar = Scalar::None;
    u64 bytes = 0, alignment = 1;
};
std::optional<KnownType> knownType(std::string_view name);

// A sum of loop variables: what an index is inside of loops.
struct Affine {
    s64 constant = 0;
    std::vector<std::pair<u32, s64>> terms;  // a loop's number, and its factor
};

struct Place {  // of a variable, or of a part of one
    u32 scope = 0;
    std::string name;
    std::vector<std::string> path;
};

struct Value {
    enum class Kind : u8 {
        NotKnown,
        Integer,
        Real,
        Extents,
        Pointer,
        Reference,
        Object,
        Kernel
    } kind = Kind::NotKnown;
    Type type = {};
    s64 integer = 0;
    f64 real = 0;
    NotKnown cause = {};
    u32 allocation = 0;  // of Pointer
    s64 offsetBytes = 0;
    Place place = {};                     // of Reference: what & gives; of Kernel its name
    std::vector<std::string> names = {};  // of Object, and of Extents: x, y, z
    std::vector<Value> parts = {};
    std::vector<Affine> affine = {};  // of a loop's variable: one, else empty

    bool isKnown() const { return kind != Kind::NotKnown; }
    bool isNumber() const { return kind == Kind::Integer || kind == Kind::Real; }
    f64 asReal() const {
        return kind == Kind::Integer ? (isUnsigned(type.scalar) ? f64(u64(integer)) : f64(integer)) : real;
    }
    Value* part(const std::string& name);
};

Value integerValue(s64 value, Scalar scalar = Scalar::Int);
Value realValue(f64 value, Scalar scalar = Scalar::Double);
Value notKnown(std::string variable, u32 line);
Value extentsValue(Value x, Value y, Value z);

// As an assignment to that type makes it.
Value converted(Value value, const Type& type);
// The same as a cast: what & gives stays what it is, and of what is not known the sum of loop variables.
Value cast(Value value, const Type& type);
Value combined(std::string_view sign, const Value& a, const Value& b);
// The same value in both, else what is not known because of `cause`.
bool isSame(const Value& a, const Value& b);

}  // namespace lockstep::source
