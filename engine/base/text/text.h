// A text of a family.toml: English, and in files of users Chinese beside it. The program's own files are
// translated in po/ as its other texts are, under this context.
#pragma once

#include "base/text/translations.h"
#include "base/text/words.h"

#include <string>
#include <string_view>

namespace lockstep {

inline constexpr std::string_view kContextOfKernels = "kernel";

struct Text {
    std::string en, zh;
    const std::string& in(Language language) const {
        if (language == Language::Chinese && !zh.empty()) return zh;
        const std::string* found = translation(language, keyOfText(kContextOfKernels, en));
        return found ? *found : en;
    }
    bool operator==(const Text&) const = default;
};

}  // namespace lockstep
