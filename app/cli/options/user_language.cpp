#include "app/cli/options/user_language.h"

#include <optional>
#include <string_view>

namespace lockstep::cli {
namespace {

// "--lang zh-CN" or "--lang=zh-CN"; an unknown code is rejected later, by the command.
std::optional<Language> chosenBy(std::span<const std::string> words) {
    constexpr std::string_view kOption = "--lang", kWithEquals = "--lang=";
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].starts_with(kWithEquals)) return languageOf(words[i].substr(kWithEquals.size()));
        if (words[i] == kOption && i + 1 < words.size()) return languageOf(words[i + 1]);
    }
    return std::nullopt;
}

}  // namespace

Language userLanguage(std::span<const std::string> words, const Environment& environment) {
    if (const std::optional<Language> chosen = chosenBy(words)) return *chosen;
    for (const char* name : {"LOCKSTEP_LANG", "LC_ALL", "LC_MESSAGES", "LANG"})
        if (const std::string value = environment(name); !value.empty())
            return value.starts_with("zh") ? Language::Chinese : Language::English;
    return Language::English;
}

Message unknownLanguage(const std::string& code) {
    std::string offered;
    for (const LanguageRow& row : languages())
        if (row.isComplete) offered += (offered.empty() ? "" : ", ") + std::string(row.code);
    return Message(english("--lang {0}: the languages are {1}"), code, offered);
}

}  // namespace lockstep::cli
