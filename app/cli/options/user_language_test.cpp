#include "app/cli/options/user_language.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace lockstep::cli {
namespace {

Language languageFor(const std::vector<std::string>& words, const std::map<std::string, std::string>& set) {
    return userLanguage(words, [&](const char* name) {
        const auto found = set.find(name);
        return found == set.end() ? std::string() : found->second;
    });
}

TEST(UserLanguage, NothingSaidIsEnglish) {
    EXPECT_EQ(languageFor({}, {}), Language::English);
    EXPECT_EQ(languageFor({"run", "matmul/tiled"}, {{"LANG", "C"}}), Language::English);
}

TEST(UserLanguage, WhatBeginsWithZhIsChineseAndAllElseEnglish) {
    for (const char* value : {"zh", "zh-CN", "zh_CN.UTF-8", "zh_TW"})
        EXPECT_EQ(languageFor({}, {{"LANG", value}}), Language::Chinese) << value;
    for (const char* value : {"C", "C.UTF-8", "POSIX", "en_US.UTF-8", "de_DE", "es_ES.UTF-8"})
        EXPECT_EQ(languageFor({}, {{"LANG", value}}), Language::English) << value;
}

TEST(UserLanguage, TheFirstVariableThatIsNotEmptyDecides) {
    EXPECT_EQ(languageFor({}, {{"LC_ALL", "C"}, {"LC_MESSAGES", "zh_CN"}, {"LANG", "zh_CN"}}),
              Language::English);
    EXPECT_EQ(languageFor({}, {{"LC_ALL", ""}, {"LC_MESSAGES", "zh_CN"}, {"LANG", "C"}}), Language::Chinese);
    EXPECT_EQ(languageFor({}, {{"LC_ALL", "C"}, {"LOCKSTEP_LANG", "zh"}}), Language::Chinese);
    EXPECT_EQ(languageFor({}, {{"LANG", "zh_CN"}, {"LOCKSTEP_LANG", "en"}}), Language::English);
}

TEST(UserLanguage, TheOptionGoesFirst) {
    EXPECT_EQ(languageFor({"show", "--lang", "zh-CN"}, {{"LANG", "C"}}), Language::Chinese);
    EXPECT_EQ(languageFor({"show", "--lang=en"}, {{"LOCKSTEP_LANG", "zh"}}), Language::English);
}

TEST(UserLanguage, AnOptionWithoutALanguageIsNoChoice) {
    EXPECT_EQ(languageFor({"show", "--lang", "xx"}, {{"LANG", "zh_CN"}}), Language::Chinese);
    EXPECT_EQ(languageFor({"show", "--lang"}, {}), Language::English);
}

}  // namespace
}  // namespace lockstep::cli
