#include "lessons/progress.h"

#include <gtest/gtest.h>

namespace lockstep::lessons {
namespace {

TEST(LessonProgress, GoesThroughTextAndBack) {
    Progress progress;
    progress.add("banks", "stride", Outcome::FirstTry);
    progress.add("banks", "wide", Outcome::Shown);
    progress.add("a lesson of my own", "one", Outcome::AfterHint);
    progress.add("races", "shared", Outcome::LaterTry);
    progress.add("races", "look", Outcome::Seen);
    const Expected<Progress> again = Progress::parse(progress.text(), "x");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, progress);
    EXPECT_EQ(again->of("banks", "wide"), Outcome::Shown);
    EXPECT_EQ(again->of("banks", "nothing"), std::nullopt);
}

TEST(LessonProgress, TheBetterOutcomeStays) {
    Progress progress, other;
    progress.add("banks", "stride", Outcome::Shown);
    progress.add("banks", "stride", Outcome::FirstTry);
    progress.add("banks", "stride", Outcome::AfterHint);
    EXPECT_EQ(progress.of("banks", "stride"), Outcome::FirstTry);
    other.add("banks", "stride", Outcome::LaterTry);
    other.add("banks", "wide", Outcome::LaterTry);
    progress.add(other);
    EXPECT_EQ(progress.of("banks", "stride"), Outcome::FirstTry);
    EXPECT_EQ(progress.of("banks", "wide"), Outcome::LaterTry);
}

TEST(LessonProgress, TheLastVisitIsKeptAndTheLaterOneStays) {
    Progress progress, other;
    progress.visit("banks", "stride", "2026-11-29 08:15");
    progress.visit("banks", "wide", "2026-11-28 20:00");
    ASSERT_TRUE(progress.lastVisit("banks"));
    EXPECT_EQ(progress.lastVisit("banks")->step, "stride");
    EXPECT_FALSE(progress.lastVisit("races"));
    other.visit("banks", "odd", "2026-11-30 09:00");
    progress.add(other);
    EXPECT_EQ(progress.lastVisit("banks")->step, "odd");
    const Expected<Progress> again = Progress::parse(progress.text(), "x");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, progress);
}

TEST(LessonProgress, ADamagedFileIsRefusedWithItsLine) {
    struct Case {
        const char* text;
        const char* message;
    };
    constexpr Case kCases[]{
        {"", "p:1: this is no file with the progress of lessons"},
        {"{}", "p:1: this is no file with the progress of lessons"},
        {"lockstep lessons 1\nfirst-try\tbanks\tstride\nfirst-tr",
         "p:3: the progress of lessons is damaged from this line on"},
        {"lockstep lessons 1\nbest\tbanks\tstride\n",
         "p:2: the progress of lessons is damaged from this line on"},
        {"lockstep lessons 1\nvisited\tbanks\tstride\n",
         "p:2: the progress of lessons is damaged from this line on"},
        {"lockstep lessons 1\nshown\t\tstride\n",
         "p:2: the progress of lessons is damaged from this line on"},
    };
    for (const Case& c : kCases) {
        const Expected<Progress> read = Progress::parse(c.text, "p");
        ASSERT_FALSE(read) << c.text;
        EXPECT_EQ(describe(read.error()), c.message);
    }
}

}  // namespace
}  // namespace lockstep::lessons
