// GNU gettext's PO files, the part of the format that our translations use: entries with a context or
// without, their flags and places; the header's fields; the rule that says which form goes with a number.
// https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html
#pragma once

#include "base/integers.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct PoEntry {
    std::string context, english, translation;
    bool isFuzzy = false;  // a guess of msgmerge, which is not shown
};

struct PoFile {
    std::vector<PoEntry> entries;  // without the header
    std::string header;            // "Language: zh_CN\nPlural-Forms: ...\n"
    std::string error;             // "line 12: ..."; empty where it could be read

    // Of a field of the header; empty where it has none.
    std::string_view field(std::string_view name) const;
};

PoFile parsePo(std::string_view text);

// "nplurals=2; plural=(n != 1);": an expression of C over n.
class PluralRule {
public:
    explicit PluralRule(std::string_view field = "nplurals=2; plural=(n != 1);");
    u32 forms() const { return forms_; }
    bool isValid() const { return !known_.empty(); }
    // Which of the forms goes with n, from 0.
    u32 formOf(u64 n) const;

private:
    static constexpr std::size_t kTried = 200;  // numbers that the rule is tried with, and answers at once

    std::string expression_;
    std::vector<u8> known_;  // the form of each of them; empty: no valid rule
    u32 forms_ = 1;
};

}  // namespace lockstep
