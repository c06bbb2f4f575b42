#include "model/profiles/profile.h"

#include "model/profiles/built_in_profiles.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep::model {
namespace {

TEST(Profiles, AreThoseOfTheCommandLine) {
    std::string names;
    for (const Profile& profile : profiles())
        names += profile.name + " ";
    EXPECT_EQ(
        names,
        "cc10 cc11 cc12 cc13 cc20 cc35 cc35-8byte cc52 cc60 cc61 cc70 cc75 cc80 cc86 cc89 cc90 cc100 cc120 ");
    for (const Profile& profile : profiles())
        EXPECT_EQ(findProfile(profile.name)->name, profile.name);
    EXPECT_EQ(findProfile("cc91"), nullptr);
    EXPECT_EQ(findProfile("cc35-16byte"), nullptr);
    EXPECT_EQ(defaultProfile().name, "cc90");
}

TEST(Profiles, AreConsistentInThemselves) {
    for (const Profile& p : profiles()) {
        EXPECT_TRUE(p.name.starts_with("cc" + std::to_string(p.major) + std::to_string(p.minor))) << p.name;
        EXPECT_EQ(p.threadsPerSm, p.warpsPerSm * 32) << p.name;
        EXPECT_LE(p.sharedBytesPerBlock, p.sharedBytesOptIn) << p.name;
        EXPECT_LE(p.sharedBytesOptIn + p.sharedReservedPerBlock, p.sharedBytesPerSm) << p.name;
        EXPECT_EQ(p.measured, p.name == "cc90");
    }
}

TEST(Profiles, HaveTheFiguresOfTheirCards) {
    const Profile& h200 = defaultProfile();
    EXPECT_EQ(h200.card, "NVIDIA H200");
    EXPECT_EQ(h200.multiprocessors, 132u);
    EXPECT_EQ(h200.sharedBytesOptIn, 227u * 1024);
    EXPECT_EQ(findProfile("cc10")->banks, 16u);
    EXPECT_EQ(findProfile("cc10")->threadsPerBlock, 512u);
    EXPECT_EQ(findProfile("cc86")->blocksPerSm, 16u);
    EXPECT_EQ(findProfile("cc89")->blocksPerSm, 24u);
    EXPECT_TRUE(findProfile("cc20")->l1CachesGlobalLoads);
    EXPECT_FALSE(findProfile("cc35")->l1CachesGlobalLoads);
}

TEST(Profiles, OfUnknownDevicesAreTheNearestLowerOnes) {
    EXPECT_EQ(nearestProfile(9, 0).name, "cc90");
    EXPECT_EQ(nearestProfile(8, 7).name, "cc86");
    EXPECT_EQ(nearestProfile(10, 3).name, "cc100");
    EXPECT_EQ(nearestProfile(13, 0).name, "cc120");
    EXPECT_EQ(nearestProfile(3, 0).name, "cc20");
    EXPECT_EQ(nearestProfile(3, 7).name, "cc35") << "not one of its modes";
    EXPECT_EQ(nearestProfile(0, 9).name, "cc10");
}

TEST(Profiles, OfAModeAreTheDevicesOwnButForTheBanks) {
    const Profile &kepler = *findProfile("cc35"), &mode = *findProfile("cc35-8byte");
    EXPECT_EQ(kepler.sharedRule, SharedRule::WordPairs);
    EXPECT_EQ(mode.sharedRule, SharedRule::DoubleWords);
    EXPECT_EQ(mode.card, kepler.card);
    EXPECT_EQ(mode.sharedBytesPerSm, kepler.sharedBytesPerSm);
    EXPECT_EQ(capabilityOf(kepler), "3.5");
    EXPECT_EQ(capabilityOf(mode), "3.5 (8 B)");
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), with);
}

TEST(ParseProfile, NamesTheKeyAndTheLineOfAMistake) {
    std::string good;
    for (const ProfileText& file : builtInProfiles())
        if (file.file.ends_with("cc90.toml")) good = file.text;
    ASSERT_TRUE(parseProfile(good, "mine.toml"));

    struct Case {
        std::string_view what, with, message;
        u32 line;
    };
    const Case cases[] = {
        {"banks = 32", "banks = 64", "'shared_memory.banks' must be a whole number from 1 to 32", 11},
        {"banks = 32", "", "'shared_memory.banks' must be a whole number from 1 to 32", 0},
        {"\"merging_words\"", "\"magic\"",
         "'shared_memory.rule' must be one of \"broadcast_word\", \"words\", \"word_pairs\", "
         "\"double_words\", "
         "\"merging_words\"",
         10},
        {"[9, 0]", "[9]", "'compute_capability' must be a list of 2 whole numbers", 5},
        {"[9, 0]", "[9, true]", "'compute_capability[1]' must be a whole number from 0 to 99", 5},
        {"measured = true", "measured = 1", "'measured' must be true or false", 6},
        {"\"NVIDIA H200\"", "7", "'card' must be a text in quotes", 3},
        {"banks = 32", "bancs = 32", "a profile has no key 'shared_memory.bancs'; did you mean 'banks'?", 11},
        {"banks = 32", "banks = 32\ncolor = 3", "a profile has no key 'shared_memory.color'", 12},
        {"measured = true", "measured = true\n[speeed]",
         "a profile has no section 'speeed'; did you mean 'speed'?", 7},
    };
    for (const Case& c : cases) {
        const Expected<Profile> bad = parseProfile(replaced(good, c.what, c.with), "mine.toml");
        ASSERT_FALSE(bad) << c.message;
        EXPECT_EQ(bad.error().message.english(), c.message);
        EXPECT_EQ(bad.error().place.line, c.line) << c.message;
        EXPECT_EQ(bad.error().place.file, "mine.toml");
    }
    const Expected<Profile> twice =
        parseProfile(replaced(good, "sms = [4, 5,", "sms = [128, 128,"), "mine.toml");
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().message.english().substr(twice.error().message.english().find(".sms'")),
              ".sms' lists SM 128 a second time; each belongs to one group, once");
    EXPECT_EQ(twice.error().place.line, 66u);
    EXPECT_FALSE(parseProfile("banks = [", "mine.toml"));
    EXPECT_FALSE(parseProfile("", "mine.toml"));
    EXPECT_FALSE(parseProfile("[=]", "mine.toml"));
    EXPECT_EQ(parseProfile("# 名称\n\n名称 = 1", "mine.toml").error().place.line, 3u);
    EXPECT_FALSE(readProfile("/nowhere/at/all.toml"));
}

}  // namespace
}  // namespace lockstep::model
