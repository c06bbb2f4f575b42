// What authors typed into the texts of kernels/*/family.toml: figures that claims.txt derives from runs and
// recordings, or says to be facts that no run changes.
#pragma once

#include "base/text/text.h"
#include "base/text/words.h"
#include "witness/pictures.h"
#include "witness/tokens.h"

#include <string>
#include <vector>

namespace lockstep::witness {

// A row of claims.txt: "5 = most_load_sectors[offset=1]", "\"two thirds\" 0.667 = ...", "32 : lanes of a
// warp".
struct Claim {
    std::string number;   // as typed
    std::string words;    // instead of it: what the text has to say
    std::string formula;  // empty: a fact
    std::string code;     // that the variant's source has to have: of `4 in "tid + 4"`
    std::string reason;
    u32 line = 0;
};

// A text of the program's own, as one of the catalog's.
inline Text textOf(const Words& words) {
    return {std::string(words.english()), std::string(words.in(Language::Chinese))};
}
inline std::vector<Text> textsOf(const std::vector<Words>& all) {
    std::vector<Text> texts;
    for (const Words& words : all)
        texts.push_back(textOf(words));
    return texts;
}

// One text of the catalog, in both languages.
struct Authored {
    const catalog::Family* family = nullptr;
    const catalog::Variant* variant = nullptr;  // whose it is; none: the family's
    std::string name;                           // of the section: "coalescing/offset look"
    Text text;
    bool isNote = false;  // has figures in braces
};
// Everything that the view read may show of a variant.
std::vector<Authored> authoredTexts(const catalog::Family& family, const catalog::Variant& variant);

// Empty: every number that the author typed into the text has a claim, and each of these holds. A number that
// a note computes stands in braces.
struct Claimed {
    u64 numbers = 0;
    std::vector<std::pair<std::string, std::string>> wrong;  // number and why
};
const Claimed& claimed(const World& world, const Authored& authored, Language language);

// Sections of claims.txt that no text has, and rows that no number needs.
std::vector<std::string> idleClaims(const World& world);

}  // namespace lockstep::witness
