// The PO files as the build has put them into the program, and looking a text up in them.
#pragma once

#include "base/text/language.h"

#include <span>
#include <string>
#include <string_view>

namespace lockstep {

struct EmbeddedPo {
    std::string_view code;  // the file's name: "zh_CN"
    std::span<const std::string_view> entries;
};
std::span<const EmbeddedPo> embeddedPo();

// Whether ideographs and Latin letters that touch are set apart by a blank ("线程 5").
bool spacesLatin(Language language);

// None: it is English, or there is none. It stays where it is.
const std::string* translation(Language language, u64 key);
// The text in this language, or itself where it has not been translated. key: keyOfText.
std::string_view translated(Language language, std::string_view english, u64 key);

}  // namespace lockstep
