#include "time/machine/relations.h"

#include <array>

namespace lockstep::time {

using sass::Modifier;

std::optional<u32> relationOf(OpBuilder& b) {
    struct Row {
        Modifier modifier;
        u32 holds;
    };
    constexpr std::array kRelations = {
        Row{Modifier::Lt, kLess},
        Row{Modifier::Le, kLess | kEqual},
        Row{Modifier::Eq, kEqual},
        Row{Modifier::Ne, kLess | kGreater},
        Row{Modifier::Ge, kGreater | kEqual},
        Row{Modifier::Gt, kGreater},
        Row{Modifier::Ltu, kLess | kUnordered},
        Row{Modifier::Leu, kLess | kEqual | kUnordered},
        Row{Modifier::Neu, kLess | kGreater | kUnordered},
        Row{Modifier::Geu, kGreater | kEqual | kUnordered},
        Row{Modifier::Gtu, kGreater | kUnordered},
        Row{Modifier::Num, kLess | kEqual | kGreater},
        Row{Modifier::Nan, kUnordered},
    };
    for (const Row& row : kRelations)
        if (b.has(row.modifier))
            return row.holds | (b.has(Modifier::Or) ? kOr : b.has(Modifier::Xor) ? kXor : 0);
    return std::nullopt;
}

}  // namespace lockstep::time
