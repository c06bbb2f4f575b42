// What the dotted parts of an instruction's name mean: "ld.global.nc.v4.f32" -> space Global, vector 4, type
// F32.
#pragma once

#include "ptx/instruction.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::ptx {

// How ".and", ".min" or ".lt" is to be read depends on the opcode.
enum class ModifierContext : u8 { Plain, Compares, IsAtomic };

struct ParsedModifiers {
    Modifiers modifiers;
    std::array<Type, 4> types{};
    u8 typeCount = 0;
    std::string form;                     // ".global.v4.f32": what stays in the form, in the order written
    std::vector<std::string_view> parts;  // all, as written, without dots
    bool cacheHint = false;               // .L2::cache_hint: one more operand, a policy
    std::string_view unknown;             // the first part that is no modifier; the rest is still read

    bool has(std::string_view part) const;
};

// `dotted`: everything behind the base opcode, from the first dot. `keepsScope`: .cluster and the like are
// part of the meaning (barrier.cluster.arrive).
ParsedModifiers parseModifiers(std::string_view dotted, ModifierContext context, bool keepsScope);

}  // namespace lockstep::ptx
