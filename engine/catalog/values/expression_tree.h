// An expression of family.toml as a tree: read once, evaluated as often as needed (expression_value.h).
//
//   whole numbers   + - * / %, == != < <= > >=, && || !, ?:, ceil_div(a, b), min(a, b), max(a, b), names
//   of elements     besides, name[index], and sum(k, count, term): the term for k = 0 .. count - 1, added up
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "catalog/values/operators.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::catalog {

struct Node {
    enum class Kind : u8 {
        Number,
        Name,
        Variable,
        Element,
        Not,
        And,
        Or,
        Choice,
        Sum,
        Operation
    } kind = Kind::Number;
    bool isReal = false;      // set by bindNames()
    u32 column = 0;           // from 1: for messages
    u32 a = 0, b = 0, c = 0;  // operands, as nodes. Element: the index; Sum: count and term
    u32 index =
        0;  // Name, Element: in `names`; after bindNames(), an Element's buffer. Variable, Sum: the slot
    s64 number = 0;
    const Operator* operation = nullptr;
};

// Slots of the variables: of the element being computed, and of the enclosing sums.
inline constexpr u32 kElementSlot = 0, kRowSlot = 1, kColumnSlot = 2, kFirstSumSlot = 3, kMostSums = 4;
inline constexpr u32 kSlots = kFirstSumSlot + kMostSums;

struct ExpressionTree {
    std::string text;
    std::vector<Node> nodes;
    u32 root = 0;
    std::vector<std::string> names;  // each once
};

enum class Elements : u8 { Refused, Allowed };
Expected<ExpressionTree> parseExpression(std::string_view text, Elements elements);

// The variables i, row and column: reserved names.
bool isVariable(std::string_view word);
// Names that no parameter or buffer may have: these and the functions. A label may have a function's name: op
// == min.
bool isReservedWord(std::string_view word);

// "... (column 4 of 'n / 0')".
Message withPlace(const Message& what, const ExpressionTree& tree, u32 column);

// The meaning of a name.
struct Meaning {
    enum class Kind : u8 { Number, Variable } kind = Kind::Number;
    s64 number = 0;  // or the slot
};
struct NamedType {
    std::string_view name;
    ElementType type;
};
// Replaces names by their meanings, resolves buffers, and determines which nodes are integer and which real.
// An unknown name stays: it matters only if evaluation reaches it. Faults: a buffer not among `buffers`, and
// a real number where an integer is required.
Expected<void> bindNames(ExpressionTree& tree,
                         const std::function<std::optional<Meaning>(std::string_view)>& meaningOf,
                         std::span<const NamedType> buffers = {});

}  // namespace lockstep::catalog
