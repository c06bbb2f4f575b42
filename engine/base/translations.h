// The PO files as the build has put them into the program, and looking a text up in them.
#pragma once

#include "base/language.h"

#include <span>
#include <string_view>

namespace lockstep {

struct EmbeddedPo {
    std::string_view code;  // the file's name: "zh_CN"
    std::span<const std::string_view> entries;
};
std::span<const EmbeddedPo> embeddedPo();

// The text in this language, or itself where it has not been translated. key: keyOfText.
std::string_view translated(Language language, std::string_view english, u64 key);

}  // namespace lockstep
