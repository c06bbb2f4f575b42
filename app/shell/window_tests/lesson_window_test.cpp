// Lessons in the window, as a student goes through them: opened, answered with the mouse and with the keys,
// right and wrong, in both languages; a teacher's folder; the progress kept between starts.
#include "app/shell/window_tests/window_driver.h"
#include "base/files/text_file.h"
#include "lessons/read_lesson.h"

#include <algorithm>
#include <fstream>

namespace lockstep::shell {
namespace {

using lessons::AnswerInput;

const app::LessonState& lessonOf(const Hand& hand) { return hand.state().lessons; }
const lessons::StepOnShow& stepOf(const Hand& hand) { return *lessonOf(hand).step; }

void awaitStep(Hand& hand, const std::string& id) {
    hand.await(
        [&] { return lessonOf(hand).step && stepOf(hand).step().id == id && !hand.state().job.running; },
        id.c_str());
}

void check(Hand& hand) {
    hand.click("//##lesson/check/##text");
    hand.await([&] { return !lessonOf(hand).attempt.isJudged; }, "it is judged");
}

// On the screen: a cell of the strip of lanes or sectors.
ImVec2 cellOf(Hand& hand, const char* strip, s64 cell, int columns) {
    const ImRect area = hand.rectOf(strip);
    const f32 width = area.GetWidth() / f32(columns);
    const s64 row = cell / columns, column = cell % columns;
    return {area.Min.x + width * (f32(column) + 0.5f), area.Min.y + 24 * (f32(row) + 0.5f)};
}

void chooseLanes(Hand& hand, LaneMask lanes) {
    for (u32 first = 0; first < kWarpSize; ++first) {
        if (!lanes.has(Lane{first})) continue;
        u32 last = first;
        while (last + 1 < kWarpSize && lanes.has(Lane{last + 1}))
            ++last;
        hand.drag(cellOf(hand, "//##lesson/lanes", first, 16), cellOf(hand, "//##lesson/lanes", last, 16));
        first = last;
    }
}

// The same as a student would do it: with the input of the question's kind.
void give(Hand& hand, const std::string& answer) {
    const lessons::Question& question = stepOf(hand).step().question;
    switch (stepOf(hand).input()) {
        case AnswerInput::Lanes: return chooseLanes(hand, lessons::lanesBeingChosen(answer));
        case AnswerInput::Groups: {
            const std::vector<LaneMask> groups = lessons::groupsBeingMade(answer);
            for (std::size_t i = 0; i < groups.size(); ++i) {
                if (i > 0) hand.click("//##lesson/more/##text");
                chooseLanes(hand, groups[i]);
            }
            return;
        }
        case AnswerInput::Sectors:
            for (const s64 sector : lessons::sectorsBeingChosen(answer)) {
                const ImVec2 at = cellOf(hand, "//##lesson/sectors", sector, 12);
                hand.drag(at, at);
            }
            return;
        case AnswerInput::Line: return hand.click(("//##lesson/line" + answer).c_str());
        case AnswerInput::Choice: return hand.click(("//##lesson/choice " + answer).c_str());
        case AnswerInput::Order: {
            const std::vector<std::string> wanted = lessons::orderOf(question, answer);
            for (std::size_t i = 0; i < wanted.size(); ++i)
                while (lessons::orderOf(question, lessonOf(hand).attempt.answer)[i] != wanted[i])
                    hand.click(("//##lesson/" + wanted[i] + "/up/##icon").c_str());
            return;
        }
        case AnswerInput::Changes:
            for (const std::string& quantity : question.changes) {
                constexpr std::array kChanges{"less", "same", "more"};
                const auto at = std::ranges::find(kChanges, lessons::changeOf(answer, quantity).value_or(""));
                ASSERT_NE(at, kChanges.end()) << answer;
                hand.click(
                    ("//##lesson/" + quantity + "/$$" + std::to_string(at - kChanges.begin()) + "/##segment")
                        .c_str());
            }
            return;
        case AnswerInput::Sums: {
            const std::vector<std::string> sums = lessons::sumsBeingWritten(answer);
            for (std::size_t i = 0; i < sums.size(); ++i)
                hand.write(("//##lesson/##sum" + std::to_string(i + 1)).c_str(), sums[i].c_str());
            return;
        }
        default: return hand.text("//##lesson/##answer", answer.c_str());
    }
}

// What was put together with the mouse is taken away in the field below it.
void clear(Hand& hand) {
    const AnswerInput input = stepOf(hand).input();
    if (input == AnswerInput::Lanes || input == AnswerInput::Groups || input == AnswerInput::Sectors)
        hand.text("//##lesson/##answer", "");
    if (input == AnswerInput::Sums) hand.write("//##lesson/##sum1", "");
}

// The column scrolls up and down; nothing in it is wider than it.
void expectNothingCut(Hand& hand) {
    std::vector<app::DrawnText> texts;
    hand.listTexts(&texts);
    hand.listTexts(nullptr);
    std::size_t seen = 0;
    for (const app::DrawnText& text : texts) {
        if (!text.window.starts_with("##lesson")) continue;
        ++seen;
        EXPECT_GE(text.box.x, text.clip.x) << text.text;
        EXPECT_LE(text.box.right(), text.clip.right() + 0.5f) << text.text;
    }
    EXPECT_GT(seen, 5u);
}

struct Asked {
    const char *lesson, *step, *wrong;
};
// One of each kind; the wrong answer is one that people give.
constexpr std::array kAsked{Asked{"banks", "stride", "1"},
                            Asked{"tiles", "m-outside", "0"},
                            Asked{"banks", "machine", "0-31"},
                            Asked{"divergence", "paths", "0-15 | 16-31"},
                            Asked{"coalescing", "sectors", "0"},
                            Asked{"races", "lines", "LAST"},
                            Asked{"tiles", "thread", "P[0][0]"},
                            Asked{"divergence", "trips", "OTHER"},
                            Asked{"coalescing", "generations", "REVERSED"},
                            Asked{"banks", "odd", "wavefronts more, banks_used more, words more"},
                            Asked{"reduction", "round", "0"}};

std::string wrongFor(const lessons::StepOnShow& step, const Asked& asked) {
    std::string wrong = asked.wrong;
    const lessons::Question& question = step.step().question;
    if (wrong == "LAST") return std::to_string(step.code.front().number);
    if (wrong == "OTHER")
        return question.options.front().name == step.answer ? question.options.back().name
                                                            : question.options.front().name;
    if (wrong != "REVERSED") return wrong;
    std::vector<std::string> names = lessons::orderOf(question, step.answer);
    std::string text;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        text += *name + " ";
    return text;
}

void open(Hand& hand, const Asked& asked) {
    hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
    hand.write((std::string("lesson ") + asked.lesson).c_str());
    hand.press(ImGuiKey_Enter);
    hand.await([&] { return lessonOf(hand).key == asked.lesson && lessonOf(hand).step; }, asked.lesson);
    const lessons::Lesson& lesson = *stepOf(hand).lesson;
    hand.click(
        ("//##lessonhead/step" + std::to_string(lesson.indexOf(*lesson.find(asked.step)) + 1)).c_str());
    awaitStep(hand, asked.step);
    hand.frames(3);
}

class LessonKindTest : public testing::TestWithParam<Asked> {};

TEST_P(LessonKindTest, IsAnsweredWrongAndRightInBothLanguages) {
    const Asked& asked = GetParam();
    for (const Language language : {Language::English, Language::Chinese})
        withWindow(
            [&](Request& request) {
                request.language = language;
                request.size = language == Language::English ? viz::Size{1280, 720} : viz::Size{1440, 900};
            },
            [&](Hand& hand) {
                hand.awaitRun();
                open(hand, asked);
                ASSERT_EQ(stepOf(hand).step().id, asked.step);
                EXPECT_TRUE(lessonOf(hand).hidesAnswer());
                give(hand, wrongFor(stepOf(hand), asked));
                check(hand);
                const auto& reply = lessonOf(hand).attempt.reply;
                ASSERT_TRUE(reply);
                EXPECT_EQ(reply->verdict, lessons::Verdict::Wrong) << lessonOf(hand).attempt.answer;
                EXPECT_FALSE(reply->words.at(language).empty());
                hand.click("//##lesson/hint/##text");
                EXPECT_TRUE(lessonOf(hand).attempt.hinted);
                clear(hand);
                give(hand, stepOf(hand).answer);
                check(hand);
                EXPECT_TRUE(lessonOf(hand).isSettled())
                    << lessonOf(hand).attempt.answer << ", not " << stepOf(hand).answer;
                EXPECT_EQ(lessonOf(hand).progress.of(asked.lesson, asked.step), lessons::Outcome::AfterHint);
                expectNothingCut(hand);
                hand.photograph("lesson-" + stepOf(hand).step().question.kind +
                                (language == Language::English ? "" : "-zh"));
            });
}

INSTANTIATE_TEST_SUITE_P(Kinds, LessonKindTest, testing::ValuesIn(kAsked),
                         [](const testing::TestParamInfo<Asked>& info) {
                             std::string name = info.param.lesson + std::string("_") + info.param.step;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(LessonWindowTest, OpensAndClosesAndGivesTheEarlierExperimentBack) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto run = hand.state().run;
        const viz::Cursor cursor = hand.state().cursor;
        hand.press(ImGuiKey_F2);
        hand.await([&] { return !lessonOf(hand).all.empty(); }, "the lessons are listed");
        hand.photograph("lessons");
        hand.click("//##lesson/lesson banks");
        awaitStep(hand, "bank");
        EXPECT_EQ(hand.state().choice.family, "banks");
        hand.click("//##lessonfoot/next/##text");
        awaitStep(hand, "stride");
        hand.press(ImGuiKey_L);  // the text goes along
        EXPECT_EQ(hand.state().language, Language::Chinese);
        hand.text("//##lesson/##answer", "7");
        hand.press(ImGuiKey_Enter);
        hand.await([&] { return lessonOf(hand).attempt.reply != nullptr; }, "Enter checks");
        hand.click("//##lesson/show/##text");
        EXPECT_TRUE(lessonOf(hand).isSettled());
        hand.click("//##lesson/again/##text");
        hand.await([&] { return lessonOf(hand).step && !lessonOf(hand).isSettled(); }, "it is asked again");
        hand.click("//##lessonhead/close/##icon");
        EXPECT_FALSE(lessonOf(hand).open);
        EXPECT_EQ(hand.state().run, run);
        EXPECT_EQ(hand.state().cursor, cursor);
    });
}

std::filesystem::path teachersFolder() {
    std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep-lesson-of-mine";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "en.md")
        << "# Mine\n\n+++\nid = \"one\"\nkernel = \"banks/stride\"\nview = \"banks\"\n"
           "at = \"= words[\"\ndoes = \"load\"\nask = \"number\"\n"
           "answer = \"wavefronts\"\n+++\n\n## One\n\nHow many?\n\n"
           "+++\nid = \"two\"\nkernel = \"banks/no-such\"\n+++\n\n## Two\n\nLook.\n"
           "\n+++\nid = \"three\"\ncolor = 3\nkernel = \"banks/stride\"\n+++\n\n"
           "## Three\n\nLook.\n";
    return folder;
}

TEST(LessonWindowTest, ATeachersFolderIsOpenedWithItsMistakesNamed) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const std::filesystem::path folder = teachersFolder();
        hand.drop(folder.string());
        awaitStep(hand, "one");
        ASSERT_FALSE(lessonOf(hand).mistakes.empty());
        EXPECT_EQ(lessonOf(hand).mistakes.front().place.file, (folder / "en.md").string());
        EXPECT_GT(lessonOf(hand).mistakes.front().place.line, 0u);
        hand.click("//##lessonfoot/next/##text");
        hand.await([&] { return lessonOf(hand).fault.has_value(); }, "the second step has no kernel");
        EXPECT_EQ(lessonOf(hand).fault->place.file, (folder / "en.md").string());
        hand.photograph("lesson-mistake");
        hand.click("//##lessonfoot/next/##text");
        awaitStep(hand, "three");
        const std::string key = "own/" + std::filesystem::canonical(folder).string();
        EXPECT_EQ(lessonOf(hand).progress.of(key, "three"), lessons::Outcome::Seen);
    });
}

TEST(LessonWindowTest, OfDamagedProgressTheGoodLinesStayAndTheOthersAreListed) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "lockstep-lesson-damaged";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::filesystem::path kept = folder / "progress.lessons";
    const auto prepare = [&](Request& request) { request.progressFile = kept; };
    std::ofstream(kept) << "lockstep lessons 1\nfirst-try\tbanks\tbank\nfirst-t\nshown\traces\tlines\n";
    withWindow(prepare, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_EQ(lessonOf(hand).progress.of("banks", "bank"), lessons::Outcome::FirstTry);
        EXPECT_EQ(lessonOf(hand).progress.of("races", "lines"), lessons::Outcome::Shown);
        hand.press(ImGuiKey_F2);
        hand.await([&] { return !lessonOf(hand).all.empty(); }, "the lessons are listed");
        EXPECT_TRUE(hand.isDrawn("progress.lessons.damaged:3"));
        hand.click("//##lesson/##file");
        hand.photograph("lesson-damaged-line");
    });
    withWindow(prepare, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_TRUE(lessonOf(hand).leftOut.empty() && hand.state().notices.empty()) << "said once";
        EXPECT_EQ(lessonOf(hand).progress.of("races", "lines"), lessons::Outcome::Shown);
    });
    std::filesystem::remove_all(folder);
}

TEST(LessonWindowTest, ProgressIsKeptExportedAndImportedAndADamagedFileIsSetAside) {
    std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep-lesson-progress";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::filesystem::path kept = folder / "progress.lessons", other = folder / "other.lessons";
    const auto prepare = [&](Request& request) { request.progressFile = kept; };
    std::ofstream(kept) << "nothing of ours";
    withWindow(prepare, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_TRUE(std::filesystem::exists(folder / "progress.lessons.damaged"));
        ASSERT_EQ(hand.state().notices.size(), 1u);
        hand.press(ImGuiKey_F2);
        hand.await([&] { return !lessonOf(hand).all.empty(); }, "the lessons are listed");
        hand.click("//##lesson/lesson banks");
        awaitStep(hand, "bank");
        give(hand, stepOf(hand).answer);
        check(hand);
        hand.click("//##lessonhead/all/##icon");
        hand.text("//##lesson/##file", other.string().c_str());
        hand.click("//##lesson/export/##text");
        hand.await([&] { return lessonOf(hand).exported == other; }, "it is written");
        hand.click("//##lesson/export/##text");
        EXPECT_TRUE(lessonOf(hand).asksToReplace.empty()) << "the file of the last export";
        const auto contents = [](const std::filesystem::path& file) {
            return *readTextFile(file.string(), {});
        };
        const std::filesystem::path notes = folder / "notes.txt", older = folder / "older.lessons";
        std::ofstream(notes) << "my notes";
        hand.text("//##lesson/##file", notes.string().c_str());
        hand.click("//##lesson/export/##text");
        hand.await([&] { return hand.state().fault.has_value(); }, "it is no progress");
        EXPECT_EQ(contents(notes), "my notes");
        hand.frames(3);
        constexpr f32 kFaultBar = 40;
        EXPECT_LE(hand.rectOf("//##lesson/export/##text").Max.y, ImGui::GetMainViewport()->Size.y - kFaultBar)
            << "the fault does not cover the button";
        const std::string text = "lockstep lessons 1\nshown\traces\tlines\n";
        std::ofstream(older) << text;
        hand.text("//##lesson/##file", older.string().c_str());
        hand.click("//##lesson/export/##text");
        hand.await([&] { return lessonOf(hand).asksToReplace == older; }, "it asks");
        EXPECT_EQ(contents(older), text);
        EXPECT_TRUE(hand.isDrawn("This file has other progress in it."));
        hand.photograph("lesson-export-asks");
        hand.click("//##lesson/export/##text");
        hand.await([&] { return lessonOf(hand).exported == older; }, "it is replaced");
        EXPECT_EQ(contents(older), contents(other));
    });
    std::filesystem::remove(folder / "progress.lessons.damaged");
    withWindow(prepare, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_TRUE(hand.state().notices.empty());
        EXPECT_EQ(lessonOf(hand).progress.of("banks", "bank"), lessons::Outcome::FirstTry);
    });
    std::filesystem::remove(kept);
    withWindow(prepare, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_TRUE(lessonOf(hand).progress.empty());
        hand.drop(other.string());
        hand.await([&] { return !lessonOf(hand).progress.empty(); }, "it is read");
        EXPECT_EQ(lessonOf(hand).progress.of("banks", "bank"), lessons::Outcome::FirstTry);
    });
}

}  // namespace
}  // namespace lockstep::shell
