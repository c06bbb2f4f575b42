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
    const Expected<ParsedProgress> again = parseProgress(progress.text(), "x");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(again->progress, progress);
    EXPECT_TRUE(again->leftOut.empty());
    EXPECT_EQ(again->progress.of("banks", "wide"), Outcome::Shown);
    EXPECT_EQ(again->progress.of("banks", "nothing"), std::nullopt);
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
    const Expected<ParsedProgress> again = parseProgress(progress.text(), "x");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(again->progress, progress);
}

TEST(LessonProgress, NoVisitWasLaterThanTheOneOfNow) {
    Progress progress;
    progress.visit("banks", "wide", "2099-01-01 00:00");
    progress.visitNow("races", "one-warp", "2026-12-01 10:00");
    EXPECT_EQ(progress.lastVisit("banks")->time, "2026-12-01 10:00");
    progress.visitNow("banks", "odd", "2026-12-01 10:05");
    EXPECT_EQ(*progress.lastVisit("banks"), (Progress::Visit{"odd", "2026-12-01 10:05"}));
    progress.visitNow("banks", "bank", "");
    EXPECT_EQ(progress.lastVisit("races")->time, "2026-12-01 10:00") << "without a clock nothing changes";
}

TEST(LessonProgress, WhatIsKnownOfOneLessonIsCopiedToAnother) {
    Progress progress;
    progress.add("own/tiles", "one", Outcome::FirstTry);
    progress.visit("own/tiles", "two", "2026-11-29 08:15");
    progress.add("own//home/a/tiles", "one", Outcome::Shown);
    progress.copy("own/tiles", "own//home/a/tiles");
    EXPECT_EQ(progress.of("own//home/a/tiles", "one"), Outcome::FirstTry);
    EXPECT_EQ(progress.of("own/tiles", "one"), Outcome::FirstTry);
    EXPECT_EQ(progress.lastVisit("own//home/a/tiles")->step, "two");
    EXPECT_EQ(progress.lessons(), (std::vector<std::string>{"own//home/a/tiles", "own/tiles"}));
    EXPECT_EQ(progress.stepsOf("own/tiles"), (std::vector<std::string>{"one"}));
}

TEST(LessonProgress, WhatIsNoSuchFileIsRefused) {
    for (const char* text : {"", "{}", "notes\nof something else\n", "lockstep lessons 2\nshown\ta\tb\n"}) {
        const Expected<ParsedProgress> read = parseProgress(text, "p");
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(describe(read.error()), "p:1: this is no file with the progress of lessons");
    }
}

TEST(LessonProgress, ADamagedLineIsLeftOutWithItsPlaceAndTheGoodOnesStay) {
    constexpr const char* kBad[]{"first-tr",        "best\tbanks\tstride",          "visited\tbanks\tstride",
                                 "shown\t\tstride", "shown\tatomics\tlo\xff\xfest", "\x01\xff\t\t\t\t"};
    for (const std::string bad : kBad) {
        const Expected<ParsedProgress> read = parseProgress(
            "lockstep lessons 1\nfirst-try\tbanks\tstride\n" + bad + "\nshown\traces\tlines\n", "p");
        ASSERT_TRUE(read) << bad;
        ASSERT_EQ(read->leftOut.size(), 1u) << bad;
        EXPECT_EQ(describe(read->leftOut.front()), "p:3: this line is damaged and was left out");
        EXPECT_EQ(read->progress.of("banks", "stride"), Outcome::FirstTry);
        EXPECT_EQ(read->progress.of("races", "lines"), Outcome::Shown);
    }
    const Expected<ParsedProgress> first = parseProgress("lockst\nfirst-try\tbanks\tstride\n", "p");
    ASSERT_TRUE(first) << "the first line alone is damaged";
    EXPECT_EQ(describe(first->leftOut.front()), "p:1: this line is damaged and was left out");
    EXPECT_EQ(first->progress.of("banks", "stride"), Outcome::FirstTry);
}

}  // namespace
}  // namespace lockstep::lessons
