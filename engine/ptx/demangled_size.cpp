// A reading of the Itanium C++ ABI's mangling (https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling)
// that knows only lengths: names, what is nested, and references (S_, T_), each taken to be as long as the
// longest part so far.
#include "ptx/demangled_size.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

namespace lockstep::ptx {
namespace {

constexpr u64 kWord = 40;  // more than any built-in type, qualifier, operator or std:: abbreviation adds
constexpr u64 kMost = std::numeric_limits<u64>::max() / 16;  // sums of a few stay in range

struct Level {
    char opener;
    u64 sum = 0;   // of all in it
    u64 last = 0;  // of the last part: what template arguments belong to
};

}  // namespace

u64 demangledSizeBound(std::string_view name) {
    std::vector<Level> levels{{0}};
    u64 longest = kWord;
    const auto add = [&](u64 size) {
        Level& level = levels.back();
        level.sum = std::min(level.sum + size, kMost);
        level.last = size;
    };
    for (std::size_t at = 0; at < name.size();) {
        const char c = name[at++];
        if (std::isdigit(static_cast<unsigned char>(c))) {
            std::size_t length = std::size_t(c - '0');
            while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) &&
                   length < name.size())
                length = 10 * length + std::size_t(name[at++] - '0');
            if (levels.back().opener != 'L')
                at = std::min(at + length, name.size());  // in a literal: a number
            add(kWord + length);
        } else if ((c == 'S' || c == 'T') && at < name.size() &&
                   !std::islower(static_cast<unsigned char>(name[at]))) {
            while (at < name.size() && name[at] != '_')
                ++at;
            ++at;
            add(longest);
        } else if (c == 'I' || c == 'N' || c == 'F' || c == 'J' || c == 'X' || c == 'L' || c == 'Z') {
            levels.push_back({c});
            continue;
        } else if (c == 'E' && levels.size() > 1) {
            const Level closed = levels.back();
            levels.pop_back();
            const Level& outer = levels.back();
            const u64 before = closed.opener != 'I' ? 0 : outer.opener == 'N' ? outer.sum : outer.last;
            add(std::min(closed.sum + before, kMost));
        } else {
            add(kWord);
            longest = std::min(longest + kWord,
                               kMost);  // a pointer or const of what is referred to is a part of its own
        }
        longest =
            std::max({longest, levels.back().last, levels.back().opener == 'N' ? levels.back().sum : 0});
    }
    u64 total = 0;
    for (const Level& level : levels)
        total = std::min(total + level.sum, kMost);
    return total;
}

}  // namespace lockstep::ptx
