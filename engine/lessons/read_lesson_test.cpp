#include "lessons/read_lesson.h"

#include <gtest/gtest.h>

namespace lockstep::lessons {
namespace {

constexpr std::string_view kStep = R"(# Banks

Text.

+++
id = "a"
kernel = "banks/stride"
ask = "number"
answer = "wavefronts"
+++

## Step A

Body.

::: hint

Hint.

::: reveal

Reveal.
)";

std::string mistakesOf(std::string_view english, std::string_view chinese = {}) {
    std::vector<LessonFile> files{{Language::English,
                                   "x/en"
                                   ".md",
                                   std::string(english)}};
    if (!chinese.empty())
        files.push_back({Language::Chinese,
                         "x/zh-CN"
                         ".md",
                         std::string(chinese)});
    std::string all;
    for (const Fault& fault : parseLesson("x", files).mistakes)
        all += describe(fault) + "\n";
    return all;
}

TEST(ReadLesson, ReadsHeaderTitleAndSections) {
    const LessonFile file{Language::English,
                          "x/en"
                          ".md",
                          std::string(kStep)};
    const ReadLesson read = parseLesson("x", {&file, 1});
    EXPECT_TRUE(read.mistakes.empty());
    EXPECT_EQ(read.lesson.title(Language::English), "Banks");
    ASSERT_EQ(read.lesson.steps.size(), 1u);
    const LessonStep& step = read.lesson.steps[0];
    EXPECT_EQ(step.id, "a");
    EXPECT_EQ(step.place.kernel, "banks/stride");
    EXPECT_EQ(step.question.answer, "wavefronts");
    const StepText& text = step.text(Language::English);
    EXPECT_EQ(text.title, "Step A");
    EXPECT_EQ(text.body, "Body.");
    EXPECT_EQ(text.hint, "Hint.");
    EXPECT_EQ(text.reveal, "Reveal.");
    EXPECT_EQ(text.sectionLines.at("reveal"), 22u);
}

TEST(ReadLesson, EveryMistakeHasItsLine) {
    struct Case {
        const char* text;
        const char* mistakes;
    };
    constexpr Case cases[] = {
        {"",
         "x/en.md:1: a lesson begins with its title: a line \"# ...\"\nx/en.md:1: the lesson has no step\n"},
        {"# T\n+++\nid = \"a\"\n", "x/en.md:2: this header has no end: a line +++\n"},
        {"# T\n+++\nid = \"a\"\nkernel = \"k\"\nasks = 1\n+++\n## S\n", "x/en.md:5: "},
        {"# T\n+++\nid = \"a\"\n+++\n## S\n", "x/en.md:2: the step has no 'kernel'\n"},
        {"# T\n+++\nid = \"a\"\nkernel = \"k\"\n+++\n## S\n::: hnit\n",
         "x/en.md:7: a section is ::: hint, ::: reveal, ::: wrong NAME or ::: choice NAME\n"},
        {"# T\n+++\nid = \"a\"\nkernel = \"k\"\nask = \"nubmer\"\n+++\n## S\n",
         "x/en.md:5: there is no kind of question 'nubmer'; did you mean 'number'?\n"},
        {"# T\n+++\nid = \"a\"\nkernel = \"k\"\nwarp = -1\n+++\n## S\n", "x/en.md:5: 'warp' is from 0 to "},
        {"# T\n+++\nid = \n+++\n## S\n", "x/en.md:3: "},
    };
    for (const Case& c : cases) {
        const std::string mistakes = mistakesOf(c.text);
        EXPECT_NE(mistakes.find(c.mistakes), std::string::npos) << c.text << "\n" << mistakes;
    }
}

// Of three steps, the first or the second lacks one of its lines +++: the others are there.
TEST(ReadLesson, AMissingFenceLeavesTheOtherSteps) {
    const auto step = [](const std::string& id, const char* begins, const char* ends) {
        return std::string(begins) + "id = \"" + id + "\"\nkernel = \"banks/stride\"\nask = \"number\"\n" +
               "answer = \"wavefronts\"\n" + ends + "\n## Step " + id +
               "\n\nBody.\n\n::: reveal\n\nReveal.\n\n";
    };
    constexpr const char* kFence = "+++\n";
    const auto read = [](const std::string& text) {
        const LessonFile file{Language::English,
                              "x/en"
                              ".md",
                              text};
        return parseLesson("x", {&file, 1});
    };
    const ReadLesson noEnd =
        read("# T\n\n" + step("a", kFence, "") + step("b", kFence, kFence) + step("c", kFence, kFence));
    ASSERT_EQ(noEnd.mistakes.size(), 1u);
    EXPECT_EQ(describe(noEnd.mistakes[0]), "x/en.md:3: this header has no end: a line +++");
    for (const char* id : {"a", "b", "c"}) {
        ASSERT_NE(noEnd.lesson.find(id), nullptr) << id;
        EXPECT_EQ(noEnd.lesson.find(id)->text(Language::English).body, "Body.") << id;
    }
    const ReadLesson noBegin =
        read("# T\n\n" + step("a", kFence, kFence) + step("b", "", kFence) + step("c", kFence, kFence));
    ASSERT_FALSE(noBegin.mistakes.empty());
    EXPECT_NE(describe(noBegin.mistakes[0]).find("ends no header"), std::string::npos);
    EXPECT_NE(noBegin.lesson.find("a"), nullptr);
    EXPECT_NE(noBegin.lesson.find("c"), nullptr);
    EXPECT_EQ(noBegin.lesson.steps.size(), 2u);
}

TEST(ReadLesson, LanguagesHaveTheSameStepsInTheSameOrder) {
    EXPECT_EQ(mistakesOf(kStep, "# 存储体\n+++\nid = \"a\"\n+++\n## 第一步\n"), "");
    EXPECT_EQ(mistakesOf(kStep, "# 存储体\n+++\nid = \"b\"\n+++\n## 第一步\n"),
              "x/zh-CN.md:2: there is no step 'b' in x/en.md\nx/zh-CN.md:1: step 'a' is missing here\n");
    const std::string three =
        "# T\n+++\nid = \"a\"\nkernel = \"k\"\n+++\n## A\n+++\nid = \"b\"\nkernel = \"k\"\n+++\n## "
        "B\n+++\nid = \"c\"\nkernel = \"k\"\n+++\n## C\n";
    EXPECT_EQ(mistakesOf(three, "# 题\n+++\nid = \"b\"\n+++\n## 乙\n+++\nid = \"c\"\n+++\n## 丙\n"),
              "x/zh-CN.md:1: step 'a' is missing here\n");
    EXPECT_NE(
        mistakesOf(
            three,
            "# 题\n+++\nid = \"b\"\n+++\n## 乙\n+++\nid = \"a\"\n+++\n## 甲\n+++\nid = \"c\"\n+++\n## 丙\n")
            .find("step 'a' stands at another place than in x/en.md"),
        std::string::npos);
    EXPECT_NE(mistakesOf(kStep, "# 存储体\n+++\nid = \"a\"\nkernel = \"k\"\n+++\n## 第一步\n")
                  .find("x/zh-CN.md:4: "),
              std::string::npos);
}

}  // namespace
}  // namespace lockstep::lessons
