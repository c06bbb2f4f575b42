// The start page of lessons, and lessons from a teacher's folder, as people use them: with the keys alone, in
// both languages, light and dark, in small windows and large ones.
#include "app/shell/window_tests/window_driver.h"
#include "cuda/compiler/nvrtc.h"
#include "exercises/judge.h"

#include <algorithm>
#include <fstream>

namespace lockstep::shell {
namespace {

const app::LessonState& lessonOf(const Hand& hand) { return hand.state().lessons; }

void awaitStep(Hand& hand, const std::string& id) {
    hand.await(
        [&] {
            return lessonOf(hand).step && lessonOf(hand).step->step().id == id && !hand.state().job.running;
        },
        id.c_str());
}

// Rows scroll up and down; nothing is wider than its part of the window.
void expectNothingCut(Hand& hand) {
    std::vector<app::DrawnText> texts;
    hand.listTexts(&texts);
    hand.listTexts(nullptr);
    std::size_t seen = 0;
    for (const app::DrawnText& text : texts) {
        if (!text.window.starts_with("##lesson") && !text.window.starts_with("##exercises")) continue;
        ++seen;
        EXPECT_GE(text.box.x, text.clip.x) << text.text;
        EXPECT_LE(text.box.right(), text.clip.right() + 0.5f) << text.text;
    }
    EXPECT_GT(seen, 30u);
}

struct Sight {
    Language language;
    const char* theme;
    viz::Size size;
};

TEST(LessonStartTest, SaysWhereOneStandsInEveryLook) {
    for (const Sight& sight :
         {Sight{Language::English, "dark", {1280, 720}}, Sight{Language::English, "light", {640, 480}},
          Sight{Language::Chinese, "light", {1280, 720}}, Sight{Language::Chinese, "dark", {640, 480}}})
        withWindow(
            [&](Request& request) {
                request.language = sight.language;
                request.theme = sight.theme;
                request.size = sight.size;
            },
            [&](Hand& hand) {
                hand.awaitRun();
                hand.press(ImGuiKey_F2);
                hand.await([&] { return !lessonOf(hand).all.empty(); }, "the lessons are listed");
                lessons::Progress progress;
                progress.visit("banks", "stride", "2026-11-28 09:30");
                progress.add("banks", "bank", lessons::Outcome::FirstTry);
                progress.add("exercise/transpose", "check", lessons::Outcome::FirstTry);
                const std::filesystem::path file =
                    std::filesystem::path(testing::TempDir()) / "lockstep-start.lessons";
                std::ofstream(file) << progress.text();
                hand.drop(file.string());
                hand.await([&] { return !lessonOf(hand).progress.empty(); }, "it is read");
                EXPECT_TRUE(hand.isDrawn("2026-11-28 09:30"));
                expectNothingCut(hand);
                hand.photograph(std::string("lesson-start-") + sight.theme +
                                (sight.language == Language::English ? "" : "-zh"));
                const auto next = app::nextStepOf(lessonOf(hand));
                ASSERT_TRUE(next.step);
                EXPECT_EQ(next.entry->key, "banks") << "which was looked at last";
                hand.click("//##lesson/next");
                awaitStep(hand, next.step->id);
            });
}

TEST(LessonStartTest, IsUsedWithTheKeysAlone) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_F2);
        hand.await([&] { return !lessonOf(hand).all.empty(); }, "the lessons are listed");
        const ImGuiID next = hand.idOf("//##lesson/next");
        for (int i = 0; i < 40 && ImGui::GetCurrentContext()->NavId != next; ++i)
            hand.press(ImGuiKey_Tab);
        ASSERT_EQ(ImGui::GetCurrentContext()->NavId, next) << "Tab reaches it";
        hand.press(ImGuiKey_Enter);
        hand.await([&] { return lessonOf(hand).step != nullptr; }, "the first step of the first lesson");
        EXPECT_EQ(lessonOf(hand).key, lessonOf(hand).all.front().key);
        EXPECT_TRUE(lessonOf(hand).progress.lastVisit(lessonOf(hand).key));
        hand.press(ImGuiKey_F2);
        EXPECT_FALSE(lessonOf(hand).open);
    });
}

TEST(LessonStartTest, AnExerciseIsBegunAndJudged) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "lockstep-my-transpose.cu";
    std::filesystem::remove(file);
    withWindow(
        [](Request& request) {
            request.size = {1280, 720};
        },
        [&](Hand& hand) {
            hand.awaitRun();
            hand.press(ImGuiKey_F2);
            hand.await([&] { return !lessonOf(hand).exercises.empty(); }, "the exercises are listed");
            hand.click("//##exercises/exercise transpose");
            EXPECT_EQ(lessonOf(hand).exercise.key, "transpose");
            hand.text("//##exercises/##exercise", file.string().c_str());
            hand.click("//##exercises/begin/##text");
            hand.await([&] { return std::filesystem::exists(file); }, "the kernel to begin with is written");
            hand.click("//##exercises/judge/##text");
            hand.await([&] { return lessonOf(hand).exercise.verdict != nullptr; }, "it is judged");
            EXPECT_FALSE(lessonOf(hand).exercise.verdict->passed()) << "there is something left to do";
            EXPECT_EQ(lessonOf(hand).progress.of("exercise/transpose", "check"), lessons::Outcome::Seen);
            hand.frames(3);
            hand.photograph("exercise-verdict");
        });
}

TEST(LessonStartTest, AnExercisesFileIsCreatedCheckedAndLeadsToTheLineThatFails) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep-row-sums";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    withWindow(
        [&](Request& request) {
            request.size = {1280, 720};
            request.exportFolder = folder.string();
        },
        [&](Hand& hand) {
            const auto attempt = [&]() -> const app::ExerciseAttempt& { return lessonOf(hand).exercise; };
            const auto check = [&] {
                hand.click("//##exercises/judge/##text");
                hand.await([&] { return attempt().ticket == 0; }, "it is judged");
                hand.frames(3);
            };
            hand.awaitRun();
            hand.press(ImGuiKey_F2);
            hand.await([&] { return !lessonOf(hand).exercises.empty(); }, "the exercises are listed");
            hand.click("//##exercises/exercise row-sums");
            hand.click("//##exercises/judge/##text");
            EXPECT_TRUE(hand.isDrawn("write the path")) << "what to do without a path";
            hand.click("//##exercises/begin/##text");
            const std::filesystem::path file = folder / "row-sums.cu";
            hand.await([&] { return std::filesystem::exists(file); },
                       "it is written where nothing was asked");
            EXPECT_EQ(attempt().file, file.string());
            check();
            EXPECT_TRUE(hand.isDrawn("sum += tile[threadIdx.x][k];")) << "the line that is to blame";
            EXPECT_FALSE(hand.isDrawn("bank_conflicts"));

            // A sentence about another file moves nothing.
            const float before = hand.rectOf("//##exercises/judge/##text").Min.y;
            hand.drop("no-such-file.xyz");
            ASSERT_TRUE(hand.state().fault);
            hand.frames(3);
            EXPECT_EQ(hand.rectOf("//##exercises/judge/##text").Min.y, before);

            // What does not compile keeps the result of before, as such.
            std::ofstream(file, std::ios::app) << "__device__ int broken() { return nothing; }\n";
            hand.frames(3);
            EXPECT_TRUE(hand.isDrawn("was changed after this result"));
            check();
            EXPECT_TRUE(hand.isDrawn("does not compile"));
            EXPECT_TRUE(hand.isDrawn("Earlier result"));
            hand.photograph("exercise-earlier");

            std::filesystem::remove(file);
            hand.click("//##exercises/begin/##text");
            hand.await([&] { return std::filesystem::exists(file); }, "begun again");
            check();
            hand.click("//##exercises/rule 6");
            hand.await([&] { return hand.state().choice.own && !hand.state().job.running; }, "it runs");
            EXPECT_FALSE(lessonOf(hand).open);
            EXPECT_EQ(hand.state().choice.own->block, "32,4");
            EXPECT_TRUE(hand.state().run->recording.findings.empty()) << "a right kernel";
            hand.await([&] { return !hand.state().wantedLine; }, "the cursor goes to the line");
            hand.photograph("exercise-line");
            // Its task and its check are beside the kernel.
            EXPECT_TRUE(hand.isDrawn("rules hold"));
            hand.click("//##experiment/judge/##text");
            hand.await([&] { return attempt().ticket == 0; }, "it is judged there");
            EXPECT_FALSE(lessonOf(hand).open);
            hand.click("//##experiment/rules/##text");
            EXPECT_TRUE(lessonOf(hand).open);
        });
    std::filesystem::remove_all(folder);
}

// With its slashes, which are no steps from a window to its parts.
std::string oneName(std::string_view path) {
    std::string name;
    for (const char c : path)
        name += c == '/' ? std::string("\\/") : std::string(1, c);
    return name;
}

// Begun in one window, found in the next, and said to be gone where its folder is not there.
TEST(LessonOfOneFolderTest, WhatWasBegunIsOnTheStartPageAndTellsWhenItsFolderIsGone) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep-begun",
                                source = LOCKSTEP_SOURCE_DIR, lesson = folder / "my-lesson",
                                exercise = folder / "my-exercise";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::filesystem::copy(source / "assets" / "lesson-template", lesson);
    std::filesystem::copy(source / "assets" / "exercises" / "transpose", exercise);
    const auto kept = [&](Language language, const char* theme, viz::Size size) {
        return [&, language, theme, size](Request& request) {
            request.progressFile = folder / "progress.lessons";
            request.language = language;
            request.theme = theme;
            request.size = size;
        };
    };
    const std::string lessonKey = "own/" + std::filesystem::canonical(lesson).string(),
                      key = std::filesystem::canonical(exercise).string();
    withWindow(kept(Language::English, "dark", {1280, 720}), [&](Hand& hand) {
        hand.awaitRun();
        hand.drop(lesson.string());
        awaitStep(hand, "look");
        hand.click("//##lessonhead/all/##icon");
        hand.text("//##exercises/##exercisefolder", exercise.string().c_str());
        hand.click("//##exercises/openexercise/##text");
        hand.await([&] { return lessonOf(hand).exercise.key == key; }, "the exercise is open");
        hand.frames(6);
        hand.photograph("exercise-own");
        hand.text("//##exercises/##exercisefolder", (folder / "nothing").string().c_str());
        hand.click("//##exercises/openexercise/##text");
        hand.await([&] { return hand.state().fault.has_value(); }, "there is no such folder");
    });
    withWindow(kept(Language::English, "dark", {1280, 720}), [&](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_F2);
        hand.await([&] { return lessonOf(hand).find(lessonKey) != nullptr; }, "it is found");
        EXPECT_TRUE(hand.isDrawn("Go on with")) << "of all the one that was looked at last";
        EXPECT_EQ(app::nextStepOf(lessonOf(hand)).entry->key, lessonKey);
        expectNothingCut(hand);
        hand.photograph("lesson-start-own");
        hand.click(("//##lesson/lesson " + oneName(lessonKey)).c_str());
        awaitStep(hand, app::nextStepOf(lessonOf(hand)).step->id);
        hand.click("//##lessonhead/all/##icon");
        EXPECT_EQ(lessonOf(hand).exercises.back().key, key);
        // A mistake is said with its place.
        std::ofstream(exercise / "exercise.toml", std::ios::app) << "\n[[rules\n";
        hand.drop(exercise.string());
        hand.await([&] { return hand.state().fault.has_value(); }, "it has a mistake");
        EXPECT_GT(hand.state().fault->place.line, 0u);
        EXPECT_TRUE(hand.state().fault->place.file.ends_with("my-exercise/exercise.toml"));
    });
    std::filesystem::remove_all(lesson);
    withWindow(kept(Language::Chinese, "light", {800, 600}), [&](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_F2);
        hand.await([&] { return lessonOf(hand).lost.size() == 2; }, "both cannot be opened");
        expectNothingCut(hand);
        hand.click(("//##lesson/lost " + oneName(lessonKey.substr(4))).c_str());
        hand.await([&] { return hand.state().fault.has_value(); }, "it is tried again");
        hand.photograph("lesson-start-lost-zh");
        hand.click("//##lesson/##exercisefolder");
        hand.photograph("exercise-start-lost-zh");
    });
    std::filesystem::remove_all(folder);
}

TEST(LessonOfOneFolderTest, IsCheckedWhenItIsDroppedAndItsGoodStepsWork) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::filesystem::path folder =
        std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests" / "lessons" / "mistakes";
    withWindow(
        [](Request& request) {
            request.size = {1280, 720};
        },
        [&](Hand& hand) {
            hand.awaitRun();
            hand.drop(folder.string());
            awaitStep(hand, "good");
            hand.await([&] { return lessonOf(hand).checkTicket == 0; }, "the check ends");
            const auto isNamed = [&](const char* file, const char* says) {
                return std::ranges::any_of(lessonOf(hand).mistakes, [&](const Fault& fault) {
                    return fault.place.file == (folder / file).string() && fault.place.line > 0 &&
                           describe(fault).find(says) != std::string::npos;
                });
            };
            EXPECT_TRUE(isNamed("broken.cu", "dta"));
            EXPECT_TRUE(isNamed("en.md", "bankz"));
            EXPECT_TRUE(isNamed("en.md", "has to lie in the lesson's folder"));
            hand.photograph("lesson-own-mistakes");
            hand.click("//##lesson/mistakes/##text");
            hand.text("//##lesson/##answer", "32");
            hand.press(ImGuiKey_Enter);
            hand.await([&] { return lessonOf(hand).isSettled(); }, "it is right");
            hand.await([&] { return !hand.state().job.running; }, "the whole run");
            EXPECT_TRUE(hand.state().choice.own);
            EXPECT_EQ(hand.state().choice.own->file, (folder / "twice.cu").string());
        });
}

TEST(LessonOfOneFolderTest, ItsKernelsAreOnShowAndElementsAndLinesAreClicked) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::filesystem::path folder =
        std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "assets" / "lesson-template";
    withWindow(
        [](Request& request) {
            request.size = {1440, 900};
        },
        [&](Hand& hand) {
            hand.awaitRun();
            hand.drop(folder.string());
            awaitStep(hand, "look");
            hand.await([&] { return lessonOf(hand).checkTicket == 0; }, "the check ends");
            EXPECT_TRUE(lessonOf(hand).mistakes.empty());
            hand.photograph("lesson-own");
            hand.click("//##lessonhead/step5");
            awaitStep(hand, "race");
            EXPECT_FALSE(lessonOf(hand).isSettled());
            hand.photograph("lesson-own-line");
        });
}

}  // namespace
}  // namespace lockstep::shell
