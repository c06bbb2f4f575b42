// A lecture in the window, as a lecturer gives it: every entry of every playlist that ships, with the keys of
// a presenter's remote, in both languages; a place added by a key, saved, and taken back.
#include "app/panels/panels.h"
#include "app/panels/playlist/lecture_screen.h"
#include "app/shell/window_tests/shipped_machines.h"
#include "app/shell/window_tests/window_driver.h"
#include "base/files/text_file.h"
#include "cuda/compiler/nvrtc.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <filesystem>

namespace lockstep::shell {
namespace {

const app::PlaylistState& playlistOf(const Hand& hand) { return hand.state().playlists; }

void awaitEntry(Hand& hand, std::size_t number) {
    hand.await(
        [&] {
            return playlistOf(hand).entry && !playlistOf(hand).isUnderWay &&
                   playlistOf(hand).number == number && !hand.state().job.running;
        },
        "the entry is there");
}

// No count of the run, and no sentence about it, neither below the views nor above.
void expectNothingGivenAway(Hand& hand) {
    EXPECT_TRUE(hand.state().run->report.lines.empty());
    EXPECT_EQ(app::briefOf(hand.state()), "");
    for (const char* view : {"memory", "findings", "chart"})
        EXPECT_TRUE(playlistOf(hand).hidesView(view)) << view;
}

// Each picture of the entry on show, revealed; ends at its last one.
void walkEntry(Hand& hand) {
    const playlists::EntryOnShow& entry = *playlistOf(hand).entry;
    SCOPED_TRACE(entry.step->step().id);
    const auto awaitPlace = [&](std::size_t picture, const viz::Cursor& place) {
        hand.await(
            [&] {
                return playlistOf(hand).picture == picture && !hand.state().job.running &&
                       hand.state().cursor == place;
            },
            "the picture is there");
    };
    const bool hidden = entry.entry().isHidden(playlists::Part::View);
    for (std::size_t i = 0; i < entry.pictures.size(); ++i) {
        const std::string& view = entry.pictures[i].view;
        if (i == 0) {
            awaitPlace(0, hidden ? entry.cursorBefore() : entry.pictures[0].cursor);
            EXPECT_EQ(playlistOf(hand).hidesView(view), hidden);
            if (hidden) expectNothingGivenAway(hand);
        }
        if (i == 0 && entry.hides()) {
            hand.press(ImGuiKey_PageDown);
            EXPECT_TRUE(playlistOf(hand).revealed);
        }
        awaitPlace(i, entry.pictures[i].cursor);
        EXPECT_FALSE(playlistOf(hand).hidesView(view));
        // Recordings, which the view with times needs, are read in the background.
        hand.await([&] { return hand.scene(view).marks.size() > 30; }, "the view is drawn");
        EXPECT_FALSE(hand.sentence().empty());
        if (i + 1 < entry.pictures.size()) hand.press(ImGuiKey_PageDown);
    }
}

TEST(PlaylistWindow, EveryEntryOfTheLectureIsWalkedThroughInBothLanguages) {
    for (const Language language : {Language::English, Language::Chinese})
        withWindow(
            [&](Request& request) { request.language = language, request.machines = shippedMachines(); },
            [&](Hand& hand) {
                hand.await([&] { return !playlistOf(hand).all.empty(); }, "the list is read");
                const std::vector<app::PlaylistName> all = playlistOf(hand).all;
                std::size_t row = 0;
                for (const app::PlaylistName& name : all) {
                    if (!playlistOf(hand).open) hand.press(ImGuiKey_F3);
                    if (playlistOf(hand).playlist) hand.click("//##playlisthead/all");
                    hand.click(("//##playlist/playlist " + std::to_string(++row)).c_str());
                    u32 minutes = 0;
                    for (std::size_t i = 0; i < name.entries; ++i) {
                        awaitEntry(hand, i);
                        walkEntry(hand);
                        minutes += playlistOf(hand).entry->entry().minutes;
                        if (i + 1 < name.entries) hand.press(ImGuiKey_PageDown);
                    }
                    EXPECT_EQ(minutes, name.minutes);
                    if (name.file.find("banks") != std::string::npos) {
                        EXPECT_EQ(minutes, 45u);
                    }
                }
            });
}

TEST(PlaylistWindow, APresentationGoesThroughThePlaylistAndShowsItsViews) {
    withWindow([](Request& request) { request.playlist = "banks"; },
               [](Hand& hand) {
                   awaitEntry(hand, 0);
                   hand.press(ImGuiKey_F11);
                   hand.await([&] { return hand.state().presenting.on; }, "it presents");
                   EXPECT_EQ(hand.state().presenting.lens, "banks");
                   hand.press(ImGuiKey_PageDown);
                   EXPECT_TRUE(playlistOf(hand).revealed);
                   const viz::Cursor before = hand.state().cursor;
                   EXPECT_EQ(before, playlistOf(hand).entry->pictures[0].cursor);
                   hand.press(ImGuiKey_PageDown);
                   awaitEntry(hand, 1);
                   hand.press(ImGuiKey_PageUp);
                   awaitEntry(hand, 0);
                   EXPECT_TRUE(playlistOf(hand).revealed);
                   // Steps and lenses are as in any presentation.
                   hand.press(ImGuiKey_RightArrow);
                   EXPECT_NE(hand.state().cursor, before);
                   hand.press(ImGuiKey_Escape);
                   EXPECT_FALSE(hand.state().presenting.on);
               });
}

// Which comes with its picture: of a change, the one behind the first.
void goOnToAnswer(Hand& hand) {
    const std::size_t pictures = playlistOf(hand).entry->pictures.size();
    for (std::size_t press = 0; press < pictures && !playlistOf(hand).tellsAnswer(); ++press) {
        hand.press(ImGuiKey_PageDown);
        hand.await([&] { return !hand.state().job.running; }, "it is revealed");
    }
    hand.frames(2);
}

// What the audience of a projector reads, before and after.
TEST(PlaylistWindow, TheProjectorHasTheQuestionItsChoicesAndTheAnswer) {
    for (const char* id : {"swizzle", "time"})
        withWindow([&](Request& request) { request.playlist = "banks", request.playlistEntry = id; },
                   [&](Hand& hand) {
                       hand.await([&] { return playlistOf(hand).entry && !hand.state().job.running; },
                                  "the entry is there");
                       hand.press(ImGuiKey_F11);
                       hand.frames(3);
                       const lessons::StepOnShow& question = *playlistOf(hand).entry->question;
                       const lessons::StepWords& words = question.in(Language::English);
                       ASSERT_FALSE(question.step().question.options.empty());
                       const auto beginning = [](const std::string& text) {
                           return text.substr(0, text.find(' ', 10));
                       };
                       for (const lessons::Option& option : question.step().question.options)
                           EXPECT_TRUE(hand.isDrawn(beginning(words.meaningOf(option.name)))) << option.name;
                       EXPECT_TRUE(hand.isDrawn(playlistOf(hand).entry->step->in(Language::English).title));
                       hand.photograph(std::string("lecture-asks-") + id);
                       goOnToAnswer(hand);
                       EXPECT_TRUE(hand.isDrawn(beginning(words.meaningOf(question.answer))));
                       hand.photograph(std::string("lecture-answers-") + id);
                   });
}

// However long the explanation is; a part that is cut ends in an ellipsis.
TEST(PlaylistWindow, TheProjectorHasTheWholeAnswer) {
    for (const char* id : {"odd", "padding", "time"})
        for (const Language language : {Language::English, Language::Chinese})
            withWindow(
                [&](Request& request) {
                    request.playlist = "banks", request.playlistEntry = id, request.language = language;
                },
                [&](Hand& hand) {
                    hand.await([&] { return playlistOf(hand).entry && !hand.state().job.running; },
                               "the entry is there");
                    hand.press(ImGuiKey_F11);
                    goOnToAnswer(hand);
                    hand.frames(4);
                    const std::string& reveal = playlistOf(hand).entry->question->in(language).reveal;
                    constexpr std::size_t kLast = 6;  // bytes: two ideographs
                    EXPECT_TRUE(hand.isDrawn(reveal.substr(reveal.size() - kLast))) << reveal;
                    EXPECT_FALSE(hand.isDrawn("…")) << id;
                });
}

TEST(PlaylistWindow, TheListOfPlaylistsLeavesALessonInTheWindow) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_F2);
        hand.await([&] { return !hand.state().lessons.all.empty(); }, "the lessons are listed");
        hand.click("//##lesson/next");
        hand.await([&] { return hand.state().lessons.step != nullptr; }, "a step is on show");
        hand.frames(5);
        const auto run = hand.state().run;
        hand.press(ImGuiKey_F3);
        hand.frames(5);
        EXPECT_TRUE(playlistOf(hand).open);
        EXPECT_EQ(hand.state().run, run);
        EXPECT_TRUE(hand.state().lessons.step);
        hand.press(ImGuiKey_F3);
        hand.frames(5);
        EXPECT_EQ(hand.state().run, run);
        EXPECT_TRUE(hand.state().lessons.open) << "and it goes on";
        hand.press(ImGuiKey_F3);
        hand.click("//##playlist/playlist 1");
        awaitEntry(hand, 0);
        EXPECT_FALSE(hand.state().lessons.open);
    });
}

// Pixels that differ from the one in the corner.
std::size_t drawnPixels(const viz::Image& image) {
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
        drawn += !std::equal(image.rgba.begin() + std::ptrdiff_t(i),
                             image.rgba.begin() + std::ptrdiff_t(i) + 3, image.rgba.begin());
    return drawn;
}

TEST(PlaylistWindow, TheNotesHaveAWindowOfTheirOwn) {
    withWindow([](Request& request) { request.playlist = "banks"; },
               [](Hand& hand) {
                   awaitEntry(hand, 0);
                   EXPECT_EQ(hand.notes(), nullptr);
                   hand.press(ImGuiMod_Shift | ImGuiKey_F3);
                   hand.await([&] { return hand.notes() != nullptr; }, "the notes open");
                   hand.frames(8);
                   EXPECT_GT(drawnPixels(hand.notes()->picture()), 10'000u);
                   // The first window works on, and what it shows is as it was.
                   hand.press(ImGuiKey_F11);
                   hand.press(ImGuiKey_PageDown);
                   EXPECT_TRUE(playlistOf(hand).revealed);
                   hand.press(ImGuiKey_PageDown);
                   awaitEntry(hand, 1);
                   EXPECT_GT(hand.scene("banks").marks.size(), 30u);
                   hand.press(ImGuiKey_Escape);
                   // Its own cross closes it, and it can be opened again and be closed by the key.
                   glfwSetWindowShouldClose(hand.notes()->handle(), GLFW_TRUE);
                   hand.await([&] { return hand.notes() == nullptr; }, "the notes close");
                   EXPECT_FALSE(playlistOf(hand).hasNotes);
                   hand.press(ImGuiMod_Shift | ImGuiKey_F3);
                   hand.await([&] { return hand.notes() != nullptr; }, "the notes open again");
                   hand.press(ImGuiMod_Shift | ImGuiKey_F3);
                   hand.await([&] { return hand.notes() == nullptr; }, "the key closes them");
                   // With the playlist's column they go, too.
                   hand.press(ImGuiMod_Shift | ImGuiKey_F3);
                   hand.await([&] { return hand.notes() != nullptr; }, "the notes are there");
                   hand.press(ImGuiKey_F3);
                   hand.await([&] { return hand.notes() == nullptr; }, "the lecture is over");
                   hand.press(ImGuiKey_F3);
                   hand.await([&] { return hand.notes() != nullptr; }, "it goes on");
               });  // the first window is closed while they are open
}

TEST(PlaylistWindow, APlaceIsAddedTwiceAtOnce) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "lockstep-playlist-twice-test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    withWindow([&](Request& request) { request.exportFolder = folder.string(); },
               [&](Hand& hand) {
                   hand.awaitRun();
                   for (int i = 0; i < 3; ++i)
                       hand.press(ImGuiMod_Ctrl | ImGuiKey_D);
                   hand.await([&] { return playlistOf(hand).count() == 3 && !playlistOf(hand).isSaving(); },
                              "all are added");
                   EXPECT_FALSE(hand.state().fault);
               });
    std::filesystem::remove_all(folder);
}

TEST(PlaylistWindow, APlaceIsAddedByAKeySavedAndTakenBack) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "lockstep-playlist-window-test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "lecture.playlist.md").string();
    withWindow([&](Request& request) { request.exportFolder = folder.string(); },
               [&](Hand& hand) {
                   hand.awaitRun();
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_D);
                   hand.await([&] { return playlistOf(hand).count() == 1; }, "it is added");
                   EXPECT_FALSE(hand.state().fault);
                   const std::string saved = *readTextFile(file, {});
                   EXPECT_NE(saved.find("kernel = \"matmul/tiled-bounds\""), std::string::npos) << saved;
                   hand.press(ImGuiKey_RightArrow);
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_D);
                   hand.await([&] { return playlistOf(hand).count() == 2; }, "another one");
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
                   hand.await([&] { return playlistOf(hand).count() == 1; }, "it is taken back");
                   EXPECT_EQ(*readTextFile(file, {}), saved);
                   hand.press(ImGuiKey_F3);
                   if (playlistOf(hand).entry) hand.click("//##playlist/entries");
                   hand.frames(2);
                   EXPECT_TRUE(hand.isDrawn("Stage · 3 minutes"));
                   EXPECT_TRUE(hand.isDrawn("Edit the text"));
                   hand.photograph("own-playlist");
                   hand.click("//##playlist/entry 1");
                   awaitEntry(hand, 0);
               });
    std::filesystem::remove_all(folder);
}

// A lesson of the lecturer's with a kernel of its own: both are named by their paths from the playlist.
TEST(PlaylistWindow, AKernelAndAQuestionOfOnesOwnAreAddedAndPresented) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep-own-lecture";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "lectures");
    std::filesystem::copy(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "assets" / "lesson-template",
                          folder / "mine");
    const std::filesystem::path file = folder / "lectures" / "lecture.playlist.md";
    const auto text = [&] { return readTextFile(file.string(), {}).value_or(std::string()); };
    withWindow([&](Request& request) { request.exportFolder = (folder / "lectures").string(); },
               [&](Hand& hand) {
                   const app::LessonState& lessons = hand.state().lessons;
                   hand.awaitRun();
                   hand.drop((folder / "mine").string());
                   hand.await([&] { return lessons.step != nullptr; }, "the lesson is there");
                   const auto goTo = [&](int step) {
                       hand.click(("//##lessonhead/step" + std::to_string(step)).c_str());
                       hand.await(
                           [&] {
                               return lessons.step && !lessons.isUnderWay && !hand.state().job.running &&
                                      lessons.number + 1 == std::size_t(step);
                           },
                           "the step is there");
                   };
                   goTo(2);
                   ASSERT_TRUE(hand.state().choice.own && lessons.step->asks());
                   const std::string kernel =
                       std::filesystem::path(hand.state().choice.own->file).filename().string();
                   const std::string id = lessons.step->step().id;
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_D);
                   hand.await([&] { return playlistOf(hand).count() == 1 && !playlistOf(hand).isSaving(); },
                              "it is saved");
                   EXPECT_NE(text().find("kernel = \"../mine/" + kernel + "\""), std::string::npos) << text();
                   EXPECT_NE(text().find("question = \"../mine#" + id + "\""), std::string::npos) << text();
                   hand.drop(file.string());
                   awaitEntry(hand, 0);
                   EXPECT_TRUE(playlistOf(hand).playlist->mistakes.empty());
                   EXPECT_TRUE(playlistOf(hand).entry->question);
                   ASSERT_TRUE(hand.state().choice.own);
                   EXPECT_EQ(std::filesystem::path(hand.state().choice.own->file).filename(), kernel);
                   EXPECT_FALSE(app::standsElsewhere(hand.state()));
                   hand.photograph("playlist-own");
                   walkEntry(hand);
                   hand.photograph("playlist-own-revealed");
               });
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::shell
