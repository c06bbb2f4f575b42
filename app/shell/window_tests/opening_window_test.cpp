// What is in front after a kernel is opened, and after a view was maximized.
#include "app/shell/window_tests/window_driver.h"
#include "viz/cursor/opening.h"

#include <algorithm>

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

}  // namespace
}  // namespace lockstep::shell
