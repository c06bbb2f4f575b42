// What is in front after a kernel is opened, and after a view was maximized.
#include "app/shell/window_tests/window_driver.h"
#include "viz/cursor/opening.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace lockstep::shell {
namespace {

bool isInFront(const char* view) {
    const ImGuiWindow* window = Hand::windowOf((std::string("###") + view).c_str());
    return window && window->DockTabIsVisible;
}

// The views on top, in their order.
std::vector<std::string> inFront() {
    std::vector<std::string> names;
    for (const viz::ViewRow& view : viz::views())
        if (!view.isStrip && isInFront(std::string(view.name).c_str())) names.emplace_back(view.name);
    return names;
}

void choose(Hand& hand, const char* entry) {
    hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
    hand.write(entry);
    hand.press(ImGuiKey_Enter);
    hand.awaitRun();
    hand.frames(6);
}

TEST(OpeningWindowTest, AKernelThatIsOpenedIsSeenAtItsMostTellingStep) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.bringUp("chart");
        hand.bringUp("findings");
        hand.press(ImGuiKey_End);
        choose(hand, "matmul/naive");
        EXPECT_EQ(inFront(), (std::vector<std::string>{"stage", "source"})) << "from the palette";
        EXPECT_EQ(hand.state().cursor, viz::initialCursor(*hand.state().run));
        hand.bringUp("banks");
        hand.bringUp("memory");
        hand.press(ImGuiKey_End);
        choose(hand, "recent tiled-bounds");
        EXPECT_EQ(hand.state().choice.variant, "tiled-bounds");
        EXPECT_EQ(inFront(), (std::vector<std::string>{"stage", "source"})) << "from the recent ones";
        EXPECT_EQ(hand.state().cursor, viz::initialCursor(*hand.state().run));
        hand.bringUp("banks");
        const catalog::Variant& naive = *hand.state().catalog->find("matmul")->find("naive");
        hand.choose("//##experiment/##variant", naive.title.en);
        hand.awaitRun();
        hand.frames(6);
        EXPECT_EQ(inFront(), (std::vector<std::string>{"banks", "source"}))
            << "a variant is looked at in the same views";
        hand.press(ImGuiMod_Ctrl | ImGuiKey_2);
        hand.frames(6);
        hand.bringUp("banks");
        choose(hand, "transpose/naive");
        EXPECT_EQ(inFront(), (std::vector<std::string>{"source", "memory"})) << "who measures measures it";
        hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
        hand.frames(6);
        hand.bringUp("banks");
        hand.press(ImGuiKey_Z);
        hand.frames(4);
        choose(hand, "matmul/tiled");
        EXPECT_EQ(hand.state().enlarged.at("explore"), "stage") << "who sees one view sees the stage";
    });
}

TEST(OpeningWindowTest, InANarrowWindowTheStageIsInFront) {
    withWindow(
        [](Request& request) {
            request.size = {1100, 800};
        },
        [](Hand& hand) {
            hand.awaitRun();
            hand.bringUp("findings");
            choose(hand, "matmul/naive");
            EXPECT_EQ(inFront(), std::vector<std::string>{"stage"});
        });
}

TEST(OpeningWindowTest, MaximizingAndRestoringLeavesAllAsItWas) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto goesAndComesBack = [&](const char* where) {
            const std::vector<std::string> before = inFront();
            const bool comparing = hand.state().compared.open;
            hand.press(ImGuiKey_Z);
            hand.frames(5);
            EXPECT_TRUE(isEnlarged(hand.state())) << where;
            EXPECT_TRUE(Hand::windowOf("##enlarged")->Active) << where;
            hand.press(ImGuiKey_Z);
            hand.frames(8);
            EXPECT_FALSE(isEnlarged(hand.state())) << where;
            EXPECT_EQ(hand.state().compared.open, comparing) << where;
            EXPECT_TRUE(comparing || inFront() == before)
                << where << ": " << ::testing::PrintToString(inFront()) << ", not "
                << ::testing::PrintToString(before);
        };
        goesAndComesBack("as opened");
        hand.bringUp("banks");
        hand.press(ImGuiKey_5);
        EXPECT_EQ(hand.state().turnedTo, "timeline");
        goesAndComesBack("turned to the timeline, which is no tab");
        EXPECT_TRUE(isInFront("banks"));
        hand.bringUp("memory");
        goesAndComesBack("at the right");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_2);
        hand.frames(6);
        hand.press(ImGuiKey_5);
        goesAndComesBack("measuring");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
        hand.frames(6);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_3);
        hand.awaitRun();
        goesAndComesBack("comparing");
        hand.press(ImGuiKey_Z);
        EXPECT_EQ(hand.state().enlarged.at("explore"), "compare") << "what is on show, not what is covered";
        hand.press(ImGuiKey_Z);
        hand.frames(8);
        EXPECT_TRUE(Hand::windowOf("##comparison")->Active);
        hand.press(ImGuiKey_Z);
        hand.frames(4);
        hand.press(ImGuiKey_Escape);
        hand.frames(4);
        EXPECT_TRUE(Hand::windowOf("##comparison")->Active) << "Esc restores as Z does";
        hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
        hand.frames(8);
        EXPECT_EQ(inFront(), (std::vector<std::string>{"banks", "memory"})) << "as before the comparison";
        hand.press(ImGuiKey_F11);
        hand.frames(8);
        hand.press(ImGuiKey_Escape);
        hand.frames(8);
        EXPECT_EQ(inFront(), (std::vector<std::string>{"banks", "memory"})) << "and the presentation";
    });
}

TEST(OpeningWindowTest, AnArrangementHasSettledBeforeNothingIsDrawnAnyMore) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto settles = [&](const char* after) {
            for (int frame = 0; frame < 100 && !hand.isQuiet(); ++frame)
                hand.frames(1);
            ASSERT_TRUE(hand.isQuiet()) << after;
            const std::vector<std::string> before = inFront();
            hand.frames(12);
            EXPECT_EQ(inFront(), before) << after;
        };
        settles("as opened");
        for (const char* task : {"$$1", "$$0", "$$2", "$$1", "$$0"}) {
            hand.click((std::string("//##bar/task/") + task + "/##segment").c_str());
            settles(task);
        }
        hand.press(ImGuiKey_Z);
        settles("maximized");
        hand.press(ImGuiKey_Z);
        settles("restored");
        hand.press(ImGuiKey_F6);
        settles("the editor");
    });
}

TEST(OpeningWindowTest, FilesAreChosenInTheWindowWhereTheDesktopHasNoDialog) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "lockstep-browser";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "kernels");
    std::ofstream(folder / "kernels" / "one.ptx") << "no PTX";
    std::ofstream(folder / "kernels" / "two.ptx") << "no PTX";
    std::ofstream(folder / "kernels" / "notes.txt") << "no kernel";
    const char* kept = std::getenv("PATH");
    const std::string path = kept ? kept : "";
    setenv("PATH", folder.c_str(), 1);  // neither zenity nor kdialog
    withWindow({}, [&](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_O);
        hand.await([&] { return hand.state().browsing; }, "the window asks itself");
        hand.frames(3);
        EXPECT_TRUE(ImGui::GetIO().WantTextInput);
        hand.press(ImGuiKey_Escape);
        hand.frames(2);
        EXPECT_FALSE(hand.state().browsing);
        EXPECT_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 0);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_O);
        hand.await([&] { return hand.state().browsing; }, "again");
        hand.frames(3);
        hand.write((folder.string() + "/").c_str());
        hand.press(ImGuiKey_Enter);
        hand.frames(3);
        hand.photograph("file-browser-folder");
        hand.write("kern");
        hand.press(ImGuiKey_Enter);
        hand.frames(3);
        hand.photograph("file-browser");
        hand.press(ImGuiKey_DownArrow);
        hand.press(ImGuiKey_DownArrow);
        hand.press(ImGuiKey_Enter);
        hand.await([&] { return hand.state().fault || hand.state().dialog; }, "the second of two is opened");
        EXPECT_FALSE(hand.state().browsing);
        ASSERT_TRUE(hand.state().fault);
        EXPECT_EQ(hand.state().fault->place.file, (folder / "kernels" / "two.ptx").string());
    });
    setenv("PATH", path.c_str(), 1);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::shell
