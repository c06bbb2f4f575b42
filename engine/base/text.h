// A text in the program's two languages, written together by hand.
#pragma once

#include "base/language.h"

#include <string>

namespace lockstep {

struct Text {
    std::string en, zh;
    const std::string& in(Language language) const {
        return language == Language::Chinese && !zh.empty() ? zh : en;
    }
};

}  // namespace lockstep
