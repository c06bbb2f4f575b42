#include "app/shell/files/preferences.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lockstep::shell {
namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(::testing::TempDir()) / "lockstep_preferences_test";

Preferences readFrom(const std::string& text) {
    const std::filesystem::path file = kFolder / "preferences.conf";
    std::filesystem::create_directories(kFolder);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
    Preferences read = readPreferences(file);
    std::filesystem::remove_all(kFolder);
    return read;
}

TEST(PreferencesTest, WhatIsWrittenIsReadAgain) {
    const std::filesystem::path file = kFolder / "deep" / "preferences.conf";
    ASSERT_TRUE(writePreferences(file, {"projector",
                                        Language::Chinese,
                                        viz::Size{1280, 720},
                                        {"cc10", "cc90"},
                                        "gpu",
                                        1,
                                        "measure",
                                        {{"explore", "sectors"}, {"measure", "times"}},
                                        true,
                                        false}));
    const Preferences read = readPreferences(file);
    EXPECT_EQ(read.theme, "projector");
    EXPECT_EQ(read.language, Language::Chinese);
    ASSERT_TRUE(read.size);
    EXPECT_EQ(read.size->width, 1280);
    EXPECT_EQ(read.size->height, 720);
    EXPECT_EQ(read.devices, (std::vector<std::string>{"cc10", "cc90"}));
    EXPECT_EQ(read.backend, "gpu");
    EXPECT_EQ(read.device, 1u);
    EXPECT_EQ(read.task, "measure");
    EXPECT_EQ(read.enlarged,
              (std::map<std::string, std::string>{{"explore", "sectors"}, {"measure", "times"}}));
    EXPECT_TRUE(read.knowsHowToBegin);
    EXPECT_EQ(read.underlineTerms, false);

    ASSERT_TRUE(writePreferences(
        file, {.theme = {}, .language = Language::English, .size = {}, .backend = {}, .device = {}}));
    const Preferences fewer = readPreferences(file);
    EXPECT_FALSE(fewer.theme || fewer.size || fewer.backend || fewer.device || fewer.task ||
                 fewer.knowsHowToBegin || fewer.underlineTerms);
    EXPECT_EQ(fewer.language, Language::English);
    std::filesystem::remove_all(kFolder);
}

TEST(PreferencesTest, ALineThatMakesNoSenseLeavesItsDefaultAndTheOthersAlone) {
    struct Case {
        const char* text;
        bool theme, language, size;
    };
    const Case cases[] = {
        {"theme=light\r\n  language =  en  \nsize = 900x600\n", true, true, true},
        {"theme = purple\nlanguage = en\nsize = 900x600", false, true, true},
        {"theme = dark\nlanguage = klingon\nsize = 900x600x2", true, false, false},
        {"size = 10x10", false, false, false},
        {"size = 99999999999999999999x900", false, false, false},
        {"size = -900x900", false, false, false},
        {"\nfuture = 1\ntheme = dark\n", true, false, false},
        {"", false, false, false},
        {"= = =\n\n===", false, false, false},
    };
    for (const Case& c : cases) {
        const Preferences read = readFrom(c.text);
        EXPECT_EQ(read.theme.has_value(), c.theme) << c.text;
        EXPECT_EQ(read.language.has_value(), c.language) << c.text;
        EXPECT_EQ(read.size.has_value(), c.size) << c.text;
    }
    EXPECT_EQ(readFrom("devices = cc10,nothing,,cc12,cc90,cc80").devices,
              (std::vector<std::string>{"cc10", "cc12", "cc90"}));
    EXPECT_EQ(
        readFrom("enlarged = explore lanes,,sleep banks,measure no,measure timeline, explore, ,").enlarged,
        (std::map<std::string, std::string>{{"explore", "lanes"}}));
    EXPECT_FALSE(readFrom(std::string(1 << 20, 'x') + "\ntheme = dark\n").theme) << "whose file is this?";
    EXPECT_FALSE(readFrom(std::string(5, '\0') + "\n").theme);
    EXPECT_EQ(readFrom("terms = underlined").underlineTerms, true);
    EXPECT_FALSE(readFrom("terms = sometimes").underlineTerms);
    EXPECT_FALSE(readFrom("backend = cloud\ndevice = -1\n").backend);
    EXPECT_FALSE(readFrom("backend = cloud\ndevice = -1\n").device);
    EXPECT_FALSE(readFrom("device = 4000000000").device);
}

TEST(PreferencesTest, WhatIsChangedToAndFroIsPreferredAsItIsInTheEnd) {
    const Preferences opened{.theme = "dark",
                             .language = Language::English,
                             .size = viz::Size{1280, 800},
                             .devices = {},
                             .backend = "auto",
                             .device = 0,
                             .task = "explore"};
    EXPECT_EQ(withChanges({}, opened, opened), Preferences{})
        << "nothing was changed, so nothing is preferred";
    Preferences other = opened;
    other.theme = "light";
    other.language = Language::Chinese;
    other.size = viz::Size{1000, 700};
    other.devices = {"cc10"};
    other.device = 1;
    other.task = "measure";
    other.enlarged["measure"] = "times";
    const Preferences kept = withChanges({}, opened, other);
    EXPECT_EQ(kept, other);
    EXPECT_EQ(withChanges(kept, other, opened), opened)
        << "back at what it was opened with is a choice as well";
    EXPECT_EQ(withChanges(kept, opened, opened), kept) << "what was not touched stays as it was kept";
}

TEST(PreferencesTest, WhereNothingCanBeReadOrWrittenNothingHappens) {
    EXPECT_FALSE(writePreferences("/proc/lockstep/preferences.conf", {}));
    EXPECT_FALSE(writePreferences({}, {}));
    EXPECT_FALSE(readPreferences("/proc/lockstep/preferences.conf").theme);
    EXPECT_FALSE(readPreferences("/proc").theme);
    EXPECT_FALSE(readPreferences({}).theme);
}

}  // namespace
}  // namespace lockstep::shell
