// A text in the program's two languages, written together by hand.
#pragma once

#include "base/integers.h"

#include <string>

namespace lockstep {

enum class Language : u8 { English, Chinese };

struct Text {
    std::string en, zh;
    const std::string& in(Language language) const {
        return language == Language::Chinese && !zh.empty() ? zh : en;
    }
};

}  // namespace lockstep
