#include "ptx/parser/symbols.h"

#include "base/check.h"

#include <functional>

namespace lockstep::ptx {

SymbolTable::SymbolTable() : buckets_(256, kNone), scopes_(1) {}

u32 SymbolTable::bucketOf(std::string_view text, std::size_t hash) const {
    const std::size_t mask = buckets_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
        const u32 name = buckets_[at];
        if (name == kNone || (names_[name].hash == hash && names_[name].text == text)) return u32(at);
    }
}

const Symbol* SymbolTable::find(std::string_view name) const {
    const u32 at = buckets_[bucketOf(name, std::hash<std::string_view>{}(name))];
    if (at == kNone || names_[at].innermost == kNone) return nullptr;
    return &entries_[names_[at].innermost].symbol;
}

bool SymbolTable::declare(std::string_view name, Symbol symbol) {
    CHECK_LT(symbol.depth, scopes_.size(), "a symbol is declared in an open scope");
    const std::size_t hash = std::hash<std::string_view>{}(name);
    u32 bucket = bucketOf(name, hash);
    if (buckets_[bucket] == kNone) {
        if (names_.size() * 2 >= buckets_.size()) {
            grow();
            bucket = bucketOf(name, hash);
        }
        buckets_[bucket] = u32(names_.size());
        names_.push_back({name, hash});
    }
    Name& known = names_[buckets_[bucket]];
    const u32 hidden = known.innermost;
    if (hidden != kNone && entries_[hidden].symbol.depth >= symbol.depth) return false;
    known.innermost = u32(entries_.size());
    scopes_[symbol.depth].push_back(known.innermost);
    entries_.push_back({symbol, buckets_[bucket], hidden});
    return true;
}

void SymbolTable::close() {
    for (u32 entry : scopes_.back())
        names_[entries_[entry].name].innermost = entries_[entry].hidden;
    scopes_.pop_back();
}

void SymbolTable::grow() {
    buckets_.assign(buckets_.size() * 2, kNone);
    for (u32 i = 0; i < names_.size(); ++i)
        buckets_[bucketOf(names_[i].text, names_[i].hash)] = i;
}

}  // namespace lockstep::ptx
