// How the bytes of a type lie in memory, which PTX has forgotten: scalars, CUDA's vectors, and structs as the
// source declares them.
#pragma once

#include "explain/source/source_constants.h"
#include "ptx/types.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::explain {

struct TypeLayout {
    // A part that is no vector, struct or array; what follows the name of the whole: ".x", ".corner[1].y";
    // empty: the type is a scalar.
    struct Leaf {
        std::string name;
        u32 offset = 0, bytes = 0;
        ptx::Type type = ptx::Type::None;
    };
    u32 bytes = 0, align = 1;  // 0: nothing is known of the type
    std::vector<Leaf> leaves;  // in the order of declaration; those of a union share their bytes
    bool hasParts() const { return leaves.size() > 1 || (leaves.size() == 1 && !leaves[0].name.empty()); }
    // Of exactly these bytes; none: they are several parts, or some of one.
    const Leaf* leafAt(u32 offset, u32 width) const;
};

// "const float4*", "unsigned char", "Point" of "struct Point { float x, y; };" in the source: of what it
// points to. types: template parameters of the kernel's instance.
TypeLayout layoutOf(std::string_view type, std::string_view source, const TypeNames& types = {},
                    const Constants& constants = {});

}  // namespace lockstep::explain
