#include "model/profiles/card_names.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

TEST(CardNames, AreThoseThatCoursesUse) {
    const std::pair<const char*, const char*> known[] = {{"cc10", "1.0 · G80"},
                                                         {"cc13", "1.3 · GT200"},
                                                         {"cc20", "2.0 · Tesla C2050"},
                                                         {"cc35-8byte", "3.5 (8 B) · Tesla K20"},
                                                         {"cc90", "9.0 · H200"}};
    for (const auto& [name, text] : known)
        EXPECT_EQ(knownAs(*findProfile(name)), text);
    for (const Profile& profile : profiles())
        EXPECT_FALSE(cardsOf(profile).empty()) << profile.name;
}

TEST(CardNames, AreNotGivenToAProfileOfTheUsersOwn) {
    Profile own = defaultProfile();
    own.name = "mine";
    EXPECT_TRUE(cardsOf(own).empty());
    EXPECT_EQ(knownAs(own), "9.0");
}

}  // namespace
}  // namespace lockstep::model
