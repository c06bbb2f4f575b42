// The languages that the program speaks: English, in which its texts are written where they are used, and one
// for each file of po/.
#pragma once

#include "base/integers.h"

#include <optional>
#include <span>
#include <string_view>

namespace lockstep {

// Further ones are numbers behind these, in the order of languages().
enum class Language : u8 { English, Chinese };

struct LanguageRow {
    Language id = Language::English;
    std::string_view code;     // "zh-CN"
    std::string_view name;     // in the language itself: "中文"
    std::string_view english;  // "Simplified Chinese"
    bool isComplete = false;   // has all texts, so that a user is offered it
};

std::span<const LanguageRow> languages();
const LanguageRow& rowOf(Language language);
// By its code, or the first part of that ("zh").
std::optional<Language> languageOf(std::string_view code);

// The one behind it of those that a user is offered, again and again.
Language nextLanguage(Language language);

// A language for tests, in no menu: English with accents, and longer by 40%.
inline constexpr std::string_view kPseudoLanguage = "qps-ploc";

}  // namespace lockstep
