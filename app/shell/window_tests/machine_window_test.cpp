// Machine code in the window: it arrives after the run is shown, and its tab links to the source and back.
#include "app/shell/window_tests/window_driver.h"
#include "cuda/compiler/toolkit.h"
#include "run/machine/machine_run.h"
#include "viz/cursor/lookup.h"
#include "viz/view_options.h"

#include <algorithm>
#include <cstdlib>

namespace lockstep::shell {
namespace {

// Where a hit of the source view lies on the screen.
void clickOn(Hand& hand, const viz::HitArea& area) {
    const ImGuiWindow* window = Hand::windowOf("###source");
    const viz::Scene& scene = hand.scene("source");
    const f32 scale = window->WorkRect.GetWidth() / scene.size.width;
    const ImVec2 at{window->WorkRect.Min.x + area.rect.centre().x * scale,
                    window->WorkRect.Min.y + area.rect.centre().y * scale};
    hand.drag(at, at);
}

const viz::HitArea* find(const viz::Scene& scene, auto&& wanted) {
    const auto found = std::ranges::find_if(scene.hits, wanted);
    return found == scene.hits.end() ? nullptr : &*found;
}

void openMachineTab(Hand& hand) {
    hand.bringUp("source");
    const viz::HitArea* tab = find(hand.scene("source"), [](const viz::HitArea& area) {
        return area.hit.options == viz::ViewOptions(viz::SourceOptions{viz::SourceTab::Machine});
    });
    ASSERT_NE(tab, nullptr);
    clickOn(hand, *tab);
    EXPECT_EQ(hand.state().views.at("source").options,
              viz::ViewOptions(viz::SourceOptions{viz::SourceTab::Machine}));
}

TEST(MachineWindowTest, ItsTabLeadsFromTheMachineToTheSource) {
    if (const auto toolkit = cuda::findToolkit(); !toolkit) GTEST_SKIP() << toolkit.error().message.english();
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.await([&] { return hand.state().run->machine != nullptr; }, "the machine code");
        ASSERT_TRUE(run::hasMachineCode(*hand.state().run));
        EXPECT_FALSE(hand.state().job.running);
        EXPECT_TRUE(run::registersOf(*hand.state().run, hand.state().run->profile));
        openMachineTab(hand);
        const viz::HitArea* elsewhere = find(hand.scene("source"), [&](const viz::HitArea& area) {
            return area.hit.hover.find("Machine instruction") != std::string::npos && area.hit.go &&
                   area.hit.go->step != hand.state().cursor.step &&
                   area.rect.centre().y < hand.scene("source").size.height - 120;
        });
        ASSERT_NE(elsewhere, nullptr);
        const viz::Cursor wanted = *elsewhere->hit.go;
        const std::string said = elsewhere->hit.hover;
        clickOn(hand, *elsewhere);
        EXPECT_EQ(hand.state().cursor, wanted);
        const viz::CursorContext here = viz::lookUp(*hand.state().run, wanted);
        ASSERT_TRUE(here.step);
        EXPECT_NE(
            said.find("line " +
                      std::to_string(explain::lineOf(*hand.state().run->module, here.step->pc).line) + "."),
            std::string::npos)
            << said;

        // The next run of the same PTX has it from the start.
        const auto before = hand.state().run;
        hand.click("//##experiment/run/##text");
        hand.await([&] { return hand.state().run != before; }, "the next run");
        EXPECT_TRUE(run::hasMachineCode(*hand.state().run));
    });
}

TEST(MachineWindowTest, WithoutTheToolkitTheTabSaysHowToGetIt) {
    const char* before = std::getenv("LOCKSTEP_TOOLKIT");
    const std::string kept = before ? before : "";
    setenv("LOCKSTEP_TOOLKIT", "/no/such/folder", 1);
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.await([&] { return hand.state().run->machine != nullptr; }, "the answer that there is none");
        openMachineTab(hand);
        EXPECT_NE(hand.scene("source").sentence.find("run scripts/get-ptxas"), std::string::npos)
            << hand.scene("source").sentence;
        hand.press(ImGuiKey_L);
        hand.frames(4);
        EXPECT_NE(hand.scene("source").sentence.find("请运行 scripts/get-ptxas"), std::string::npos)
            << hand.scene("source").sentence;
    });
    if (before)
        setenv("LOCKSTEP_TOOLKIT", kept.c_str(), 1);
    else
        unsetenv("LOCKSTEP_TOOLKIT");
}

}  // namespace
}  // namespace lockstep::shell
