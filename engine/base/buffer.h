// The data a kernel works on: typed host arrays, and the arguments and launches that name them.
#pragma once

#include "base/dim3.h"
#include "base/expected.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep {

enum class ElementType : u8 { I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64 };  // the reals last

struct ElementTypeInfo {
    ElementType type;
    std::string_view name;  // as on the command line: "f32"
    u32 bytes;
    std::string_view numpy;  // as in a .npy header: "<f4"
};
// One row per element type; every name, size and .npy code comes from here.
std::span<const ElementTypeInfo> elementTypes();
const ElementTypeInfo& info(ElementType type);
const ElementTypeInfo* findElementType(std::string_view name);
constexpr bool isReal(ElementType type) { return type >= ElementType::F16; }

// A device buffer and its contents on the host. Row-major; shape has one entry per dimension (rows, columns).
struct Buffer {
    std::string name;
    ElementType type = ElementType::F32;
    std::vector<u64> shape;
    std::vector<std::byte> bytes;

    u64 count() const { return bytes.size() / info(type).bytes; }
    template <class T> std::span<const T> as() const {
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    template <class T> std::span<T> as() {
        return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    // Element i as a double / as text, for results and pictures. i < count().
    f64 valueAt(u64 i) const;
};

struct BufferArgument {
    u32 buffer;
};  // index into the experiment's buffers; passes its address
struct ScalarArgument {
    std::vector<std::byte> bytes;
};  // a scalar or a struct by value, as the ABI lays it out
using Argument = std::variant<BufferArgument, ScalarArgument>;

struct Launch {
    std::string entry;  // the .entry's name in the PTX
    Dim3 grid, block;
    u32 dynamicSharedBytes = 0;
    std::vector<Argument> arguments;  // in parameter order
};

}  // namespace lockstep
