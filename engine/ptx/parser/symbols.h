// Names in scope while a text is parsed: module, function, and every { } within it, the inner hiding the
// outer.
#pragma once

#include "base/integers.h"

#include <string_view>
#include <vector>

namespace lockstep::ptx {

enum class SymbolKind : u8 { Register, RegisterRange, Variable, Function, Label, BranchTargets };

struct Symbol {
    SymbolKind kind;
    u32 id;     // of the Register, Variable or Function; a label's pc; an index into the parser's ranges or
                // target lists
    u32 depth;  // of the scope it was declared in; 0 = module
};

class SymbolTable {
public:
    SymbolTable();
    const Symbol* find(std::string_view name) const;
    // False if that scope has the name already. `symbol.depth` is an open scope.
    bool declare(std::string_view name, Symbol symbol);
    void open() { scopes_.emplace_back(); }
    void close();
    u32 depth() const { return u32(scopes_.size()) - 1; }

private:
    static constexpr u32 kNone = 0xffffffffu;
    struct Name {
        std::string_view text;
        std::size_t hash;
        u32 innermost = kNone;  // into entries_
    };
    struct Entry {
        Symbol symbol;
        u32 name;    // into names_
        u32 hidden;  // the entry of the next outer scope
    };
    u32 bucketOf(std::string_view text, std::size_t hash) const;
    void grow();

    std::vector<u32> buckets_;  // into names_; open addressing, a power of two
    std::vector<Name> names_;
    std::vector<Entry> entries_;
    std::vector<std::vector<u32>> scopes_;  // entries declared in each open scope
};

}  // namespace lockstep::ptx
