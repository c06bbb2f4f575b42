// Visits of the window that compare two runs and export what they see.
#include "app/shell/window_tests/window_driver.h"
#include "explain/cursor/navigation.h"
#include "viz/scene/scene_text.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lockstep::shell {
namespace {

void smallReduction(Request& request) {
    request.choice = {
        "reduction", "v0",
        catalog::resolve(*request.catalog->find("reduction"),
                         std::vector<std::pair<std::string, std::string>>{{"n", "64"}, {"block", "64"}})
            .value()};
}

void awaitBoth(Hand& hand) {
    hand.await(
        [&] {
            return hand.state().run && hand.state().compared.run && !hand.state().job.running &&
                   !hand.state().compared.job.running;
        },
        "both runs end");
}

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void clickAt(Hand& hand, viz::Point at) {
    const ImVec2 origin = Hand::windowOf("##comparison")->Pos;
    hand.drag({origin.x + at.x, origin.y + at.y}, {origin.x + at.x, origin.y + at.y});
}

TEST(CompareWindowTest, InASmallWindowTheNamesHaveTheRoomThatNumbersLeave) {
    withWindow(
        [](Request& request) {
            request.size = {800, 600};
            request.choice = {"transpose", "shared", {{"rows", 64}, {"columns", 32}}};
        },
        [](Hand& hand) {
            hand.awaitRun();
            hand.press(ImGuiMod_Ctrl | ImGuiKey_3);
            awaitBoth(hand);
            hand.frames(3);
            hand.photograph("compare-bar-small");
            const auto widthOf = [&](const char* item) { return hand.rectOf(hand.idOf(item)).GetWidth(); };
            for (const char* list : {"//##comparebar/##a variant", "//##comparebar/##b variant"})
                EXPECT_GT(widthOf(list), 185) << "A tile in shared memory";
        });
}

TEST(CompareWindowTest, TwoVariantsStandBesideEachOther) {
    withWindow(smallReduction, [](Hand& hand) {
        hand.awaitRun();
        hand.click("//##experiment/compare/##text");
        awaitBoth(hand);
        EXPECT_TRUE(hand.state().compared.open);
        EXPECT_EQ(hand.state().compared.choice->variant,
                  hand.state().catalog->find("reduction")->variants[1].name);
        ASSERT_EQ(hand.scene("compare").panes.size(), 2u);

        const catalog::Variant& sequential = *hand.state().catalog->find("reduction")->find("v2");
        hand.choose("//##comparebar/##b variant", sequential.title.en);
        awaitBoth(hand);
        EXPECT_EQ(hand.state().compared.choice->variant, "v2");

        // A number chooses the view of both; of one that cannot be compared nothing comes.
        const auto viewOfBoth = [&] {
            return viz::optionsAs<viz::CompareOptions>(hand.state().views.find("compare")->second.options)
                .view;
        };
        const std::string turnedTo = hand.state().turnedTo;
        hand.press(ImGuiKey_2);
        EXPECT_EQ(viewOfBoth(), "banks");
        hand.press(ImGuiKey_1);
        EXPECT_EQ(viewOfBoth(), "stage");
        EXPECT_EQ(hand.state().turnedTo, turnedTo);

        // A step of one is a step of both.
        for (int steps = 0; steps < 4; ++steps) {
            hand.press(ImGuiMod_Shift | ImGuiKey_RightArrow);
            EXPECT_EQ(explain::phaseOf(*hand.state().run, hand.state().cursor),
                      explain::phaseOf(*hand.state().compared.run, hand.state().compared.cursor));
        }
        EXPECT_GT(hand.state().cursor.step, 0u);
        hand.frames(30);  // what travels arrives
        hand.photograph("compare-dark-en");

        // A click in the second moves both.
        const viz::Scene& scene = hand.scene("compare");
        const viz::HitArea* right = nullptr;
        for (const viz::HitArea& hit : scene.hits)
            if (hit.hit.compared && hit.hit.go && hit.hit.go->step != hand.state().compared.cursor.step &&
                scene.panes[1].contains(hit.rect.centre()))
                right = &hit;
        ASSERT_NE(right, nullptr);
        const viz::Cursor wanted = *right->hit.go;
        clickAt(hand, right->rect.centre());
        EXPECT_EQ(hand.state().compared.cursor, wanted);
        EXPECT_EQ(explain::phaseOf(*hand.state().run, hand.state().cursor),
                  explain::phaseOf(*hand.state().compared.run, wanted));

        hand.press(ImGuiKey_L);
        hand.frames(4);
        hand.photograph("compare-dark-zh");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
        awaitBoth(hand);
        EXPECT_EQ(hand.state().compared.choice->variant,
                  hand.state().catalog->find("reduction")->variants[1].name)
            << "undone";
        hand.click("//##bar/task/$$0/##segment");
        EXPECT_FALSE(hand.state().compared.open);
        EXPECT_FALSE(hand.scene("stage").marks.empty());
    });
}

TEST(CompareWindowTest, TwoSizesOfOneVariant) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.click("//##bar/task/$$2/##segment");
        awaitBoth(hand);
        hand.choose("//##comparebar/##b variant",
                    hand.state().catalog->find("matmul")->find("tiled-bounds")->title.en);
        awaitBoth(hand);
        hand.type("//##comparebar/##b width", 8);
        awaitBoth(hand);
        EXPECT_EQ(hand.state().choice.values.at("width"), 3);
        EXPECT_EQ(hand.state().compared.choice->values.at("width"), 8);
        EXPECT_EQ(hand.state().compared.run->recording.final.back().count(), 64u);
        hand.photograph("compare-sizes");
    });
}

TEST(ExportTest, AViewTheWindowAndAnAnimationAreWrittenAndSayWhatTheyShow) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep-exports";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    withWindow(
        [](Request& request) {
            request.size = {1280, 800};
        },
        [&](Hand& hand) {
            hand.awaitRun();
            const auto exportTo = [&](const std::string& name) {
                hand.write("//##exportdialogue/##file", (folder / name).string().c_str());
                hand.click("//##exportdialogue/export/##text");
                hand.await([&] { return !hand.state().exporting.running; }, "the export ends");
                EXPECT_FALSE(hand.state().exporting.fault) << describe(*hand.state().exporting.fault);
                EXPECT_EQ(hand.state().exporting.written, (folder / name).string());
                return bytesOf(folder / name);
            };
            hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
            ASSERT_TRUE(hand.state().exporting.open);
            EXPECT_EQ(hand.state().exporting.settings.file, "matmul-tiled-bounds-stage.png");
            hand.photograph("export");
            const std::string line = app::commandLine(hand.state(), "stage");
            EXPECT_TRUE(line.starts_with(
                "lockstep matmul/tiled-bounds --set width=3 --set tile=2 --view stage --block "))
                << line;
            EXPECT_NE(exportTo("view.png").find(line), std::string::npos);
            hand.click("//##exportdialogue/line/##text");
            EXPECT_EQ(std::string(ImGui::GetClipboardText()), line);

            hand.click("//##exportdialogue/format/$$1/##segment");
            EXPECT_NE(exportTo("view.svg").find("<desc>" + line), std::string::npos);
            hand.click("//##exportdialogue/format/$$2/##segment");
            EXPECT_LT(hand.state().exporting.settings.first, hand.state().exporting.settings.last);
            hand.type("//##exportdialogue/##last", int(hand.state().exporting.settings.first + 2));
            EXPECT_EQ(exportTo("view.gif").substr(0, 6), "GIF89a");
            hand.choose("//##exportdialogue/##what", "The whole window");
            hand.click("//##exportdialogue/format/$$0/##segment");
            const std::string window = exportTo("window.png");
            EXPECT_EQ(window.substr(1, 3), "PNG");
            EXPECT_EQ(u8(window[18]) * 256 + u8(window[19]), 2 * 1280) << "twice as fine as the window";

            // A file that is there is replaced only when asked for twice.
            hand.click("//##exportdialogue/export/##text");
            EXPECT_TRUE(hand.state().exporting.asksToReplace);
            hand.click("//##exportdialogue/export/##text");
            hand.await([&] { return !hand.state().exporting.written.empty(); }, "it is replaced");
            hand.press(ImGuiKey_Escape);
            EXPECT_FALSE(hand.state().exporting.open);
        });
}

TEST(ExportTest, AnExportThatIsStoppedLeavesNoFile) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "stopped.gif";
    std::filesystem::remove(file);
    withWindow({}, [&](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
        hand.click("//##exportdialogue/format/$$2/##segment");
        hand.type("//##exportdialogue/##first", 1);
        hand.type("//##exportdialogue/##last", 1000);
        hand.write("//##exportdialogue/##file", file.string().c_str());
        hand.click("//##exportdialogue/export/##text");
        EXPECT_TRUE(hand.state().exporting.running);
        hand.click("//##exportdialogue/cancel/##text");
        EXPECT_FALSE(hand.state().exporting.running);
        hand.frames(5);
        EXPECT_FALSE(std::filesystem::exists(file));
    });
}

TEST(ExportTest, TheViewInHandIsTheOneThatWasAskedForOrClickedOrTheOneToBeSeen) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep-in-hand";
    std::filesystem::remove_all(folder);
    const auto kept = [&](Request& request) {
        request.size = {1440, 900};
        request.layoutFile = folder / "window.ini";
        request.task = "measure";
    };
    withWindow(kept, [](Hand& hand) { hand.awaitRun(); });
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        hand.frames(10);
        EXPECT_EQ(app::viewInHand(hand.state()), "memory")
            << "no view was asked for: the one with most room, not the stage, which is covered";
        hand.press(ImGuiKey_7);
        hand.frames(10);
        EXPECT_EQ(app::viewInHand(hand.state()), "memory");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_C);
        EXPECT_EQ(std::string(ImGui::GetClipboardText()), viz::tableText(hand.scene("memory")));
        const ImGuiWindow& source = *Hand::windowOf("###source");
        ASSERT_TRUE(source.DockTabIsVisible);
        hand.drag({source.WorkRect.Min.x + 20, source.WorkRect.Max.y - 20},
                  {source.WorkRect.Min.x + 20, source.WorkRect.Max.y - 20});
        EXPECT_EQ(app::viewInHand(hand.state()), "source") << "a click turns to it";
        hand.bringUp("findings");
        EXPECT_EQ(app::viewInHand(hand.state()), "findings");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
        EXPECT_EQ(hand.state().exporting.settings.view, "findings");
        hand.press(ImGuiKey_Escape);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
        hand.frames(12);
        EXPECT_EQ(app::viewInHand(hand.state()), "stage") << "findings are covered in this task";
    });
    std::filesystem::remove_all(folder);
}

TEST(ExportTest, TheDialogueHasAllKeysAndItsUpperEdgeStays) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const std::string theme = hand.state().theme;
        const viz::Cursor cursor = hand.state().cursor;
        hand.click("//##bar/export/##icon");
        ASSERT_TRUE(hand.state().exporting.open);
        EXPECT_EQ(hand.state().exporting.settings.view, "stage");
        hand.frames(3);
        EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the field of the file is written into";
        hand.photograph("export");
        const f32 top = Hand::windowOf("##exportdialogue")->Pos.y;
        hand.click("//##exportdialogue/format/$$2/##segment");
        EXPECT_EQ(Hand::windowOf("##exportdialogue")->Pos.y, top);
        EXPECT_FALSE(ImGui::GetIO().WantTextInput);
        for (const ImGuiKey key :
             {ImGuiKey_T, ImGuiKey_P, ImGuiKey_RightArrow, ImGuiKey_7, ImGuiKey_End, ImGuiKey_Space})
            hand.press(key);
        EXPECT_EQ(hand.state().theme, theme);
        EXPECT_EQ(hand.state().cursor, cursor);
        EXPECT_EQ(hand.state().broughtUp, "stage");
        EXPECT_FALSE(hand.state().playback.playing);
        hand.press(ImGuiKey_Escape);
        EXPECT_FALSE(hand.state().exporting.open);
        hand.press(ImGuiKey_T);
        EXPECT_NE(hand.state().theme, theme) << "the keys are the window's again";
    });
}

TEST(ExportTest, ThePlaceIsChosenInTheDesktopsDialogue) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep-dialogue";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    // A desktop's program that takes what it is asked and answers with a file.
    std::ofstream(folder / "zenity") << "#!/bin/sh\necho \"$@\" > " << (folder / "asked").string()
                                     << "\necho " << (folder / "chosen.svg").string() << "\n";
    std::filesystem::permissions(folder / "zenity", std::filesystem::perms::owner_all);
    const char* const before = std::getenv("PATH");
    const std::string path = before ? before : "";
    setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
    withWindow({}, [&](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
        hand.click("//##exportdialogue/browse/##text");
        hand.await([&] { return hand.state().exporting.settings.file == (folder / "chosen.svg").string(); },
                   "the answer arrives");
        EXPECT_EQ(hand.state().exporting.settings.format, app::ExportFormat::Svg);
        EXPECT_NE(bytesOf(folder / "asked").find("matmul-tiled-bounds-stage.png"), std::string::npos)
            << "the proposed name is proposed there, too";
        EXPECT_NE(bytesOf(folder / "asked").find("--save"), std::string::npos);
        hand.click("//##exportdialogue/export/##text");
        hand.await([&] { return !hand.state().exporting.written.empty(); }, "it is written there");
    });
    setenv("PATH", path.c_str(), 1);
    EXPECT_TRUE(std::filesystem::exists(folder / "chosen.svg"));
    std::filesystem::remove_all(folder);
}

TEST(SentenceTest, OfTheViewsThatSpeakOnlyAloneTheOneTurnedToIsHeard) {
    withWindow(
        [](Request& request) {
            request.size = {1440, 900}, request.task = "measure";
        },
        [](Hand& hand) {
            hand.awaitRun();
            hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
            hand.press(ImGuiMod_Ctrl | ImGuiKey_2);
            hand.frames(10);
            hand.bringUp("findings");
            EXPECT_EQ(hand.sentence(), hand.scene("findings").sentence);
            hand.bringUp("memory");
            EXPECT_EQ(hand.sentence(), hand.scene("memory").sentence)
                << "findings are on top, too, but they are not looked at any more";
        });
}

TEST(ExportTest, TheTextsOfAViewAreCopied) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.bringUp("memory");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_C);
        const std::string text = ImGui::GetClipboardText();
        EXPECT_NE(text.find('\t'), std::string::npos) << text;
        hand.press(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
        EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("lockstep matmul/tiled-bounds "))
            << ImGui::GetClipboardText();
    });
}

}  // namespace
}  // namespace lockstep::shell
