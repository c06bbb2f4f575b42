// Every lesson that ships, walked to its end with right and wrong answers, in both languages.
#include "base/files/text_file.h"
#include "lessons/answer_step.h"
#include "lessons/check_lesson.h"
#include "lessons/lesson_notes.h"
#include "lessons/step_on_show.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

namespace lockstep::lessons {
namespace {

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};

const catalog::Catalog& shippedCatalog() {
    static const catalog::Catalog catalog = *catalog::Catalog::read(kResources.kernels());
    return catalog;
}

std::vector<Lesson> shipped() { return lessonsIn(kResources.assets() / "lessons"); }

bool isChinese(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return u8(c) >= 0xe4 && u8(c) <= 0xe9; });
}

TEST(Lessons, HaveNoMistakes) {
    LessonRuns runs(kResources, shippedCatalog());
    ASSERT_FALSE(shipped().empty());
    for (const Lesson& lesson : shipped()) {
        const Expected<ReadLesson> read = readLesson(lesson.folder);
        ASSERT_TRUE(read);
        for (const Fault& fault : checkLesson(*read, runs, [](std::string_view) { return true; }))
            ADD_FAILURE() << describe(fault);
    }
}

TEST(Lessons, AreInBothLanguagesAndTheirTextsDiffer) {
    for (const Lesson& lesson : shipped())
        for (const LessonStep& step : lesson.steps) {
            ASSERT_EQ(step.texts.size(), 2u) << lesson.name << " " << step.id;
            EXPECT_TRUE(isChinese(step.text(Language::Chinese).body)) << lesson.name << " " << step.id;
            EXPECT_FALSE(isChinese(step.text(Language::English).body)) << lesson.name << " " << step.id;
        }
}

// The right answer is right; wrong ones get a reason in both languages.
void walk(const AskedStep& asked) {
    const Expected<std::string> truth = rightAnswer(asked);
    ASSERT_TRUE(truth) << describe(truth.error());
    EXPECT_EQ(answerStep(asked, *truth)->judged.verdict, Verdict::Right) << *truth;
    const auto wrong = wrongAnswers(asked, 3);
    ASSERT_TRUE(wrong) << describe(wrong.error());
    EXPECT_FALSE(wrong->empty());
    for (const std::string& answer : *wrong) {
        const Expected<Answered> answered = answerStep(asked, answer);
        ASSERT_TRUE(answered) << describe(answered.error());
        EXPECT_EQ(answered->judged.verdict, Verdict::Wrong) << answer;
        const Expected<std::string> en = replyTo(asked, *answered, Language::English),
                                    zh = replyTo(asked, *answered, Language::Chinese);
        ASSERT_TRUE(en && zh);
        EXPECT_GT(en->size(), 10u) << answer;
        EXPECT_TRUE(isChinese(*zh)) << answer << ": " << *zh;
        EXPECT_EQ(en->find('{'), std::string::npos) << *en;
    }
}

TEST(Lessons, RightAnswersAreRightAndTypicalOnesWrongWithAReasonInBothLanguages) {
    LessonRuns runs(kResources, shippedCatalog());
    for (const Lesson& lesson : shipped())
        for (const LessonStep& step : lesson.steps)
            for (u64 seed = 0; seed < (step.varied.empty() ? 1u : 3u); ++seed) {
                if (step.question.kind.empty()) continue;
                SCOPED_TRACE(lesson.name + " " + step.id);
                const Expected<AskedStep> asked = AskedStep::ask(step, runs, seed);
                ASSERT_TRUE(asked) << describe(asked.error());
                walk(*asked);
            }
}

TEST(Lessons, ABarrierIsRightWhereverItLeavesNothingToFind) {
    LessonRuns runs(kResources, shippedCatalog());
    const Lesson races = readLesson(kResources.assets() / "lessons" / "races")->lesson;
    struct Case {
        const char *step, *line;
        Verdict verdict;
    };
    constexpr Case cases[] = {
        {"place", "8", Verdict::Right},          {"place", "10", Verdict::Right},
        {"place", "7", Verdict::Wrong},          {"place", "11", Verdict::Wrong},
        {"place", "4", Verdict::Wrong},          {"place", "behind it", Verdict::Unreadable},
        {"place-in-loop", "14", Verdict::Right}, {"place-in-loop", "15", Verdict::Wrong},
        {"place-in-loop", "9", Verdict::Wrong},  {"place-in-loop", "17", Verdict::Wrong}};
    for (const Case& c : cases) {
        const Expected<AskedStep> asked = AskedStep::ask(*races.find(c.step), runs, 0);
        ASSERT_TRUE(asked) << describe(asked.error());
        const Expected<Answered> answered = answerStep(*asked, c.line);
        ASSERT_TRUE(answered) << describe(answered.error());
        EXPECT_EQ(answered->judged.verdict, c.verdict) << c.step << " " << c.line;
        if (c.verdict == Verdict::Wrong) {
            EXPECT_NE(answered->judged.reason.english().find(std::string("line ") + c.line),
                      std::string::npos);
        }
    }
}

TEST(Lessons, AMistakeThatALessonListsGetsItsRemark) {
    LessonRuns runs(kResources, shippedCatalog());
    const Lesson banks = readLesson(kResources.assets() / "lessons" / "banks")->lesson;
    const LessonStep& step = *banks.find("broadcast");
    const AskedStep asked = *AskedStep::ask(step, runs, 0);
    const Answered answered = *answerStep(asked, "32");
    ASSERT_NE(answered.mistake, nullptr);
    EXPECT_EQ(answered.mistake->belief, 4u);
    EXPECT_NE(replyTo(asked, answered, Language::English)->find("common belief"), std::string::npos);
}

// What the run says to an answer of a shipped lesson.
std::string replyOf(const char* lesson, const char* step, std::string_view answer) {
    LessonRuns runs(kResources, shippedCatalog());
    const Lesson read = readLesson(kResources.assets() / "lessons" / lesson)->lesson;
    const AskedStep asked = *AskedStep::ask(*read.find(step), runs, 0);
    return *replyTo(asked, *answerStep(asked, answer), Language::English);
}

TEST(Lessons, ARemarkStandsBeforeWhatTheRunSays) {
    EXPECT_TRUE(replyOf("tiles", "phases", "1").starts_with("That leaves the last column"));
    EXPECT_EQ(replyOf("banks", "swizzle", "fewer"),
              "Each lane still loads an element of its own, so the words are as many as before. Only where "
              "they lie has changed.")
        << "figures would give the right one away";
}

TEST(Lessons, WhatHoldsAtTwoPlacesIsToldOfEach) {
    const std::string reply = replyOf("tiles", "corner", "0");
    EXPECT_NE(reply.find("Line 19: "), std::string::npos) << reply;
    EXPECT_NE(reply.find("Line 33: "), std::string::npos) << reply;
    const std::string change = replyOf("banks", "odd", "same same same");
    EXPECT_NE(change.find("Stride = 7: "), std::string::npos) << change;
}

TEST(Lessons, AnElementWithItsIndicesExchangedIsCalledThat) {
    EXPECT_TRUE(replyOf("tiles", "thread", "P[2][1]").starts_with("Row and column are exchanged."));
    EXPECT_TRUE(replyOf("tiles", "thread", "P[0][1]").starts_with("Thread (x 0, y 1) accesses"));
}

TEST(Lessons, AnUnreadableAnswerIsToldHowToBeWritten) {
    EXPECT_EQ(
        replyOf("tiles", "n-outside", "2 and 3"),
        "This cannot be read as an answer. Write lanes, as 0-7, 12 or 0-30/2 for every second one; none "
        "is an answer, too.");
}

TEST(Lessons, WhatIsShownBeforeTheAnswerHasNoComments) {
    LessonRuns runs(kResources, shippedCatalog());
    auto banks = std::make_shared<Lesson>(readLesson(kResources.assets() / "lessons" / "banks")->lesson);
    const auto shown = *showStep(banks, banks->indexOf(*banks->find("swizzle")), runs, 0);
    const auto codeOf = [](const run::Run& run) {
        std::string all;
        for (const std::string& source : run.module->sources)
            all += source;
        return all;
    };
    const std::string before = codeOf(*shown->before), whole = codeOf(*shown->asked.on().run);
    EXPECT_EQ(before.find("every bank"), std::string::npos);
    EXPECT_NE(whole.find("every bank"), std::string::npos);
    EXPECT_EQ(std::ranges::count(before, '\n'), std::ranges::count(whole, '\n'));
}

TEST(Lessons, ASeedDrawsOtherFiguresAndTheSameSeedTheSameOnes) {
    LessonRuns runs(kResources, shippedCatalog());
    const Lesson banks = readLesson(kResources.assets() / "lessons" / "banks")->lesson;
    const LessonStep& step = *banks.find("bank");
    std::set<std::string> texts;
    for (u64 seed = 0; seed < 12; ++seed) {
        const std::string text =
            *AskedStep::ask(step, runs, seed)->filled(step.text(Language::English).body, Language::English);
        EXPECT_EQ(
            text,
            *AskedStep::ask(step, runs, seed)->filled(step.text(Language::English).body, Language::English));
        texts.insert(text);
    }
    EXPECT_GT(texts.size(), 2u);
}

// docs/lessons: a lecturer's page for each lesson. With LOCKSTEP_WRITE_LESSON_PAGES set they are written.
TEST(Lessons, EachHasAPageForTheLecturer) {
    LessonRuns runs(kResources, shippedCatalog());
    const std::filesystem::path folder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "docs/lessons";
    for (const Lesson& lesson : shipped()) {
        const Expected<std::string> notes = lessonNotes(lesson, runs, Language::English);
        ASSERT_TRUE(notes) << describe(notes.error());
        const std::filesystem::path file = folder / (lesson.name + ".md");
        if (std::getenv("LOCKSTEP_WRITE_LESSON_PAGES")) {
            std::filesystem::create_directories(folder);
            std::ofstream(file, std::ios::binary) << *notes;
        }
        const Expected<std::string> page = readTextFile(file, {});
        ASSERT_TRUE(page) << describe(page.error());
        EXPECT_TRUE(*page == *notes) << file << " is not of its lesson: lockstep lesson notes docs/lessons";
        const Expected<std::string> chinese = lessonNotes(lesson, runs, Language::Chinese);
        ASSERT_TRUE(chinese) << describe(chinese.error());
        EXPECT_TRUE(isChinese(*chinese));
    }
}

// docs/guide/lessons.md: what a teacher looks up there.
TEST(Lessons, ThePageOfTheGuideListsEveryQuantityAndTheStepOfEveryBelief) {
    const Expected<std::string> page =
        readTextFile(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "docs/guide" /
                         "lessons"
                         ".md",
                     {});
    ASSERT_TRUE(page);
    for (const Quantity& quantity : quantities()) {
        const std::string row =
            "| `" + std::string(quantity.name) + "` | " + std::string(quantity.meaning.english()) + " |";
        EXPECT_NE(page->find(row), std::string::npos) << row;
    }
    for (const QuestionKind& kind : questionKinds())
        EXPECT_NE(page->find("| `" + std::string(kind.name) + "` | "), std::string::npos) << kind.name;
    std::map<u32, std::string> steps;
    for (u32 belief = 1; belief <= kBeliefs; ++belief)
        steps[belief] = "waiting";
    std::vector<Lesson> lessons = shipped();
    std::ranges::sort(lessons, {}, &Lesson::name);
    for (const Lesson& lesson : lessons)
        for (const LessonStep& step : lesson.steps)
            for (const u32 belief : step.question.beliefs) {
                std::string& known = steps[belief];
                if (known == "waiting")
                    known.clear();
                else
                    known += ", ";
                known.append(lesson.name).append(" ").append(step.id);
            }
    for (const auto& [belief, met] : steps) {
        const std::size_t row = page->find("\n| " + std::to_string(belief) + " | ");
        ASSERT_NE(row, std::string::npos) << belief;
        const std::string line = page->substr(row + 1, page->find('\n', row + 1) - row - 1);
        EXPECT_TRUE(line.ends_with(" | " + met + " |")) << line << ", not " << met;
    }
}

}  // namespace
}  // namespace lockstep::lessons
