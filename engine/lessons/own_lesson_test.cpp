// Lessons in a folder of one's own, whose kernels lie beside their text: the template that `lockstep lesson
// new` writes, and a folder with a mistake of every kind.
#include "cuda/compiler/nvrtc.h"
#include "lessons/check_lesson.h"
#include "lessons/step_on_show.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::lessons {
namespace {

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};
const std::filesystem::path kTemplate = kResources.assets() / "lesson-template";
const std::filesystem::path kMistakes =
    std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests" / "lessons" / "mistakes";

const std::filesystem::path kBarrier =
    std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests" / "lessons" / "barrier";

const std::filesystem::path kPlaces =
    std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests" / "lessons" / "places";

const std::vector<std::string> kViews{"banks", "lanes",  "sectors",  "memory",
                                      "stage", "source", "timeline", "findings"};

class OwnLessonTest : public testing::Test {
protected:
    void SetUp() override {
        if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    }
    std::shared_ptr<const StepOnShow> step(const std::string& id, u64 seed = 0,
                                           const std::filesystem::path& folder = kTemplate) {
        const Expected<ReadLesson> read = readLesson(folder);
        EXPECT_TRUE(read) << describe(read.error());
        const auto lesson = std::make_shared<const Lesson>(read->lesson);
        auto shown = showStep(lesson, lesson->indexOf(*lesson->find(id)), runs_, seed);
        EXPECT_TRUE(shown) << describe(shown.error());
        return shown ? *shown : nullptr;
    }

    catalog::Catalog catalog_ = *catalog::Catalog::read(kResources.kernels());
    LessonRuns runs_{kResources, catalog_};
};

TEST_F(OwnLessonTest, TheTemplateHasNoMistakes) {
    const Expected<ReadLesson> read = readLesson(kTemplate);
    ASSERT_TRUE(read) << describe(read.error());
    for (const Fault& fault : checkLesson(*read, runs_, kViews))
        ADD_FAILURE() << describe(fault);
    EXPECT_EQ(read->lesson.titles.size(), 2u) << "in both languages";
}

TEST_F(OwnLessonTest, AFileIsLaunchedAsTheHeaderSays) {
    const auto shown = step("sectors");
    ASSERT_TRUE(shown && shown->asksAbout.own);
    EXPECT_EQ(shown->asksAbout.own->file.filename(), "gather.cu");
    EXPECT_EQ(shown->asksAbout.own->launch.grid, "2");
    EXPECT_EQ(shown->asksAbout.own->launch.defines, std::vector<std::string>{"STRIDE=4"});
    EXPECT_EQ(shown->answer, "16") << "32 lanes, 16 bytes apart, in sectors of 32 bytes";
    EXPECT_TRUE(shown->asksAbout.family.empty());
    const auto other = step("sectors", 3);
    ASSERT_TRUE(other);
    EXPECT_EQ(std::to_string(s64(4) * other->asksAbout.values.at("STRIDE")), other->answer)
        << "it is a macro that varies";
}

TEST_F(OwnLessonTest, APlaceThatIsNotThereSaysWhatIsMissing) {
    using catalog::Opening;
    const Expected<ReadLesson> read = readLesson(kTemplate);
    ASSERT_TRUE(read) << describe(read.error());
    struct Case {
        const char* at;
        Opening::Does does;
        const char* says;
    };
    constexpr Case kCases[] = {
        {"no such text", Opening::Does::Load, "no line of the kernel's file has 'no such text'"},
        {"out[i]", Opening::Does::Branch, "the warp comes to the line with 'out[i]', but to no branch there"},
        {"out[i]", Opening::Does::Shuffle, "but does nothing there that 'does' asks for"},
    };
    for (const Case& c : kCases) {
        LessonStep step = *read->lesson.find("sectors");
        step.place.at = c.at;
        step.place.does = c.does;
        const Expected<AskedStep> asked = AskedStep::ask(step, runs_, 0);
        ASSERT_FALSE(asked) << c.says;
        EXPECT_NE(describe(asked.error()).find(c.says), std::string::npos) << describe(asked.error());
    }
}

TEST_F(OwnLessonTest, AFileIsLaunchedAsItsHostCodeSays) {
    const auto shown = step("race");
    ASSERT_TRUE(shown && shown->asksAbout.own);
    EXPECT_EQ(shown->asksAbout.own->entry, "reverse");
    EXPECT_EQ(shown->asksAbout.own->launch.grid, "2");
    EXPECT_EQ(shown->asksAbout.own->launch.block, "64");
    EXPECT_EQ(shown->answer, "6") << "where it writes what another warp reads";
}

// Any place is right that leaves nothing to find. The body of this kernel opens at the end of its
// declaration.
TEST_F(OwnLessonTest, ABarrierIsPlacedInAFile) {
    const auto shown = step("place", 0, kBarrier);
    ASSERT_TRUE(shown && shown->asksAbout.own);
    EXPECT_EQ(shown->answer, "7");
    struct Case {
        const char* answer;
        Verdict verdict;
        const char* says;
    };
    constexpr Case kCases[]{
        {"7", Verdict::Right, ""},
        {"8", Verdict::Right, ""},
        {"5", Verdict::Wrong, "reads s[32] before thread 32 of the same block has written it."},
        {"6", Verdict::Wrong, "of the same block has written it."},
        {"9", Verdict::Wrong, "of the same block has written it."},
        {"3", Verdict::Wrong, "reads s[32] before thread 32 of the same block has written it."},
        {"2", Verdict::Wrong, "No barrier can stand behind line 2"},
        {"11", Verdict::Wrong, "No barrier can stand behind line 11"},
    };
    for (const Case& c : kCases) {
        const Expected<Reply> said = reply(*shown, c.answer);
        ASSERT_TRUE(said) << describe(said.error());
        EXPECT_EQ(said->verdict, c.verdict) << c.answer;
        EXPECT_NE(said->words.at(Language::English).find(c.says), std::string::npos)
            << c.answer << ": " << said->words.at(Language::English);
    }
}

// Branches within others, members of structs, several sums a round, barriers in functions that are called.
TEST_F(OwnLessonTest, PlacesNeedNotBeTheFirstOrThePlainOnes) {
    struct Case {
        const char *step, *answer;
        Verdict verdict;
        const char* says = "";
    };
    constexpr Case kCases[]{
        {"outer", "0-18/2|1-19/2|20-27", Verdict::Right},
        {"outer", "0-19|20-27", Verdict::Wrong, "Lanes 0 and 1 take different paths at line 8."},
        {"inner", "0-18/2|1-19/2", Verdict::Right},
        {"inner", "0-18/2|1-19/2|20-27", Verdict::Wrong, "Lane 20 does not come to this branch."},
        {"condition", "1-19/2", Verdict::Right},
        {"condition", "0-18/2", Verdict::Wrong, "For lane 0 the condition at line 8 does not hold."},
        {"returns", "28-31", Verdict::Right},
        {"returns", "0-27", Verdict::Wrong, "For lane 0 the condition at line 4 does not hold."},
        {"guard", "0-19", Verdict::Right},
        {"breaks", "25-31", Verdict::Right},
        {"breaks", "0-24", Verdict::Wrong, "For lane 0 the condition at line 6 does not hold."},
        {"continues", "7", Verdict::Right},
        {"both-parts", "12-30/2", Verdict::Right},
        {"both-parts", "0-30/2", Verdict::Wrong, "For lane 0 the condition at line 16 does not hold."},
        {"slots", "160", Verdict::Right},  // 20 lanes, 8 instructions
        {"slots", "161", Verdict::Wrong, "Lanes 0 and 1 take different paths at line 8."},
        {"array", "items[5].keys[1]", Verdict::Right},
        {"array", "items[5]", Verdict::Wrong, "name the member, too"},
        {"array", "items[5].weight", Verdict::Wrong, "another member"},
        {"array", "items[4].keys[1]", Verdict::Wrong, "Only one of the indices is wrong."},
        {"vector", "pairs[5].y", Verdict::Right},
        {"vector", "pears[5].y", Verdict::Wrong, "The kernel has no array pears."},
        {"both", "28 12 32 15 36 14 40 13", Verdict::Right},
        {"both", "28 32 36 40", Verdict::Wrong, "8 places of both get a new value in this round, not 4."},
        {"both", "28 11 32 15 36 14 40 13", Verdict::Wrong, "both[0].y: lane 0 of warp 0 combines"},
        {"sums", "48 56 64 72", Verdict::Right},
        {"sums", "48 56 64 73", Verdict::Wrong, "sums[3]: lane 3 of warp 0 adds the value of sums[7]"},
        {"place", "4", Verdict::Right},
        {"place", "10", Verdict::Wrong, "before thread 63 of the same block has written it."},
        {"place", "7", Verdict::Wrong, "No barrier can stand behind line 7"},
    };
    for (const Case& c : kCases) {
        const auto shown = step(c.step, 0, kPlaces);
        ASSERT_TRUE(shown) << c.step;
        const Expected<Reply> said = reply(*shown, c.answer);
        ASSERT_TRUE(said) << describe(said.error());
        EXPECT_EQ(said->verdict, c.verdict) << c.step << ": " << c.answer;
        const std::string& words = said->words.at(Language::English);
        EXPECT_NE(words.find(c.says), std::string::npos) << c.step << ": " << c.answer << ": " << words;
    }
}

TEST_F(OwnLessonTest, EveryMistakeIsNamedWithItsFileAndLine) {
    const Expected<ReadLesson> read = readLesson(kMistakes);
    ASSERT_TRUE(read) << describe(read.error());
    const std::vector<Fault> found = checkLesson(*read, runs_, kViews);
    struct Case {
        const char* file;
        u32 first, last;  // lines
        const char* says;
    };
    constexpr Case kCases[]{
        {"broken.cu", 3, 3, "dta"},
        {"en.md", 36, 40, "no-such.cu"},
        {"en.md", 48, 48, "has to lie in the lesson's folder"},
        {"en.md", 46, 48, "gather.cu"},
        {"en.md", 55, 60, "there is no view 'bankz'; did you mean 'banks'?"},
        {"en.md", 64, 64, "no_such_quantity"},
        {"en.md", 70, 70, "block"},
        {"en.md", 71, 71, "lane"},
        {"en.md", 86, 86, "sectrs"},
        {"en.md", 88, 88, "lans"},
        {"en.md", 95, 95, "twice.cu uses no macro 'TIMES'"},
        {"en.md", 107, 107, "'vary' has lists of whole numbers"},
        {"en.md", 121, 121, "warp = 4: "},
        {"en.md", 141, 141, "'i32[32]=iota', is for a parameter of the type float*: say f32"},
        {"en.md", 144, 145, "a title has no figures"},
        {"en.md", 149, 155, "it needs no barrier"}};
    const auto isOf = [](const Fault& fault, const Case& c) {
        return std::filesystem::path(fault.place.file).filename() == c.file && fault.place.line >= c.first &&
               fault.place.line <= c.last && describe(fault).find(c.says) != std::string::npos;
    };
    for (const Case& c : kCases)
        EXPECT_TRUE(std::ranges::any_of(found, [&](const Fault& fault) { return isOf(fault, c); })) << c.says;
    for (const Fault& fault : found)
        EXPECT_TRUE(std::ranges::any_of(kCases, [&](const Case& c) { return isOf(fault, c); }))
            << describe(fault);
}

TEST_F(OwnLessonTest, AStoppedCheckEndsEarly) {
    const Expected<ReadLesson> read = readLesson(kTemplate);
    ASSERT_TRUE(read);
    LessonRuns none(kResources, catalog_);
    EXPECT_TRUE(checkLesson(*read, none, kViews, [] { return true; }).empty());
}

}  // namespace
}  // namespace lockstep::lessons
