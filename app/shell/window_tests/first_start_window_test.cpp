// What a first start says over the window, and what a later one opens.
#include "app/shell/files/recent_file.h"
#include "app/shell/window_tests/window_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace lockstep::shell {
namespace {

void asAtAFirstStart(Request& request) { request.hint = true; }

TEST(FirstStartTest, ItsDoorsLeadToAKernel) {
    withWindow(asAtAFirstStart, [](Hand& hand) {
        hand.awaitRun();
        hand.photograph("first-start");
        hand.click("//##hint/conflict/##text");
        hand.awaitRun();
        hand.frames(6);
        EXPECT_EQ(hand.state().choice.family, "banks");
        EXPECT_EQ(hand.state().choice.variant, "column");
        EXPECT_EQ(hand.state().turnedTo, "banks");
        EXPECT_FALSE(hand.state().showHint);
        EXPECT_FALSE(Hand::windowOf("##hint")->Active);
    });
    withWindow(asAtAFirstStart, [](Hand& hand) {
        hand.awaitRun();
        hand.click("//##hint/multiply/##text");
        EXPECT_EQ(hand.state().choice.variant, "tiled-bounds");
        EXPECT_FALSE(hand.state().showHint);
    });
}

// Whether the card hides the number of the cursor's line in the source.
bool hidesTheLine(Hand& hand, const ImGuiWindow& card) {
    const viz::Scene& scene = hand.scene("source");
    const ImGuiWindow& window = *Hand::windowOf("###source");
    if (!window.DockTabIsVisible) return false;
    const ImVec2 origin{window.Rect().Max.x - scene.size.width, window.Rect().Max.y - scene.size.height};
    return std::ranges::any_of(scene.marks, [&](const viz::Mark& mark) {
        const auto* text = std::get_if<viz::TextMark>(&mark);
        return text && text->role.kind == viz::RoleKind::CursorInk &&
               card.Rect().Contains(ImVec2{origin.x + text->at.x, origin.y + text->at.y});
    });
}

// The card lies within the window and beside the part that it speaks of, with its buttons whole.
TEST(FirstStartTest, TheTourHasFourStepsAndIsFoundAgain) {
    struct Look {
        viz::Size size;
        const char* theme;
        Language language;
    };
    for (const Look& look :
         {Look{{1440, 900}, "dark", Language::English}, Look{{800, 600}, "dark", Language::English},
          Look{{2560, 1440}, "dark", Language::English}, Look{{1440, 900}, "light", Language::Chinese},
          Look{{800, 600}, "light", Language::Chinese}, Look{{2560, 1440}, "light", Language::Chinese}}) {
        const std::string name = fmt::format("{}-{}", look.theme, look.size.width);
        SCOPED_TRACE(name);
        withWindow(
            [&](Request& request) {
                asAtAFirstStart(request);
                request.size = look.size;
                request.theme = look.theme;
                request.language = look.language;
            },
            [&](Hand& hand) {
                hand.awaitRun();
                hand.frames(6);
                hand.photograph("doors-" + name);
                EXPECT_FALSE(hidesTheLine(hand, *Hand::windowOf("##hint")));
                hand.click("//##hint/tour/##text");
                std::optional<float> left;  // of the button that leads on
                for (u32 step = 0; step < app::kTourSteps; ++step) {
                    ASSERT_EQ(hand.state().tour, step);
                    hand.frames(6);
                    hand.photograph(fmt::format("tour-{}-{}", step + 1, name));
                    const ImGuiWindow* card = Hand::windowOf("##tour");
                    ASSERT_TRUE(card && card->Active);
                    const ImVec2 whole = ImGui::GetMainViewport()->Size;
                    EXPECT_TRUE(ImRect({0, 0}, whole).Contains(card->Rect()));
                    EXPECT_FALSE(hidesTheLine(hand, *card)) << "step " << step + 1;
                    EXPECT_LE(card->ContentSize.x, card->Size.x);
                    EXPECT_LE(card->ContentSize.y + card->WindowPadding.y, card->Size.y) << "nothing is cut";
                    const float on = hand.rectOf("//##tour/on/##text").Min.x;
                    EXPECT_EQ(on, left.value_or(on)) << "it stays, step by step";
                    left = on;
                    for (const char* told : {"stage", "source"})
                        if (hand.state().turnedTo == told && step != 1 && step + 1 < app::kTourSteps) {
                            const ImGuiWindow& part = *Hand::windowOf(("###" + std::string(told)).c_str());
                            EXPECT_LT(part.Rect().Max.y - card->Pos.y, part.Size.y * 0.2f)
                                << told << " is covered";
                        }
                    if (step % 2)
                        hand.press(ImGuiKey_Enter);
                    else
                        hand.click("//##tour/on/##text");
                }
                EXPECT_FALSE(hand.state().tour);
                EXPECT_FALSE(Hand::windowOf("##tour")->Active);
                hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
                hand.write("tour");
                hand.press(ImGuiKey_Enter);
                EXPECT_EQ(hand.state().tour, 0u);
                hand.press(ImGuiKey_Escape);
                EXPECT_FALSE(hand.state().tour);
            });
    }
}

TEST(FirstStartTest, NoTooltipLiesOverTheTour) {
    withWindow([&](Request& request) { asAtAFirstStart(request); },
               [&](Hand& hand) {
                   hand.awaitRun();
                   hand.frames(6);
                   hand.click("//##hint/tour/##text");
                   u32 seen = 0;
                   for (u32 step = 0; step < app::kTourSteps; ++step) {
                       hand.frames(6);
                       const ImRect card = Hand::windowOf("##tour")->Rect();
                       for (const ImVec2 at : {ImVec2{card.Min.x - 12, card.GetCenter().y},
                                               ImVec2{card.Max.x + 12, card.GetCenter().y},
                                               ImVec2{card.GetCenter().x, card.Min.y - 12},
                                               ImVec2{card.GetCenter().x, card.Max.y + 12},
                                               ImVec2{card.Min.x + 20, card.Min.y - 30}}) {
                           hand.hover({at.x - 3, at.y});
                           hand.hover(at);
                           hand.frames(45);
                           const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
                           if (!tooltip || !tooltip->Active) continue;
                           ++seen;
                           EXPECT_FALSE(tooltip->Rect().Overlaps(card))
                               << step << ": " << at.x << ", " << at.y;
                       }
                       hand.click("//##tour/on/##text");
                   }
                   EXPECT_GT(seen, 0u);
               });
}

TEST(FirstStartTest, ALaterStartOpensTheLastExperimentThatIsStillThere) {
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / "lockstep_last_choice_test" / "recent.json";
    const catalog::Catalog catalog =
        catalog::Catalog::read(run::Resources{LOCKSTEP_SOURCE_DIR}.kernels()).value();
    const auto last = [&](const app::Choice& choice) {
        EXPECT_TRUE(writeRecent(file, {.experiments = {choice}, .commands = {}}));
        return lastChoice(file, catalog);
    };
    EXPECT_FALSE(lastChoice(file, catalog)) << "a first start";
    app::Choice tiled{.family = "matmul", .variant = "tiled", .values = {{"width", 64}, {"tile", 16}}};
    EXPECT_EQ(last(tiled), tiled);
    tiled.values["width"] = 1'000'000;
    EXPECT_FALSE(last(tiled)) << "no such size";
    tiled.variant = "gone";
    EXPECT_FALSE(last(tiled)) << "no such kernel";
    app::OwnKernel own;
    own.file = "/nowhere/k.cu";
    EXPECT_FALSE(last({.family = {}, .variant = {}, .values = {}, .own = own}));
    own.file = std::string(LOCKSTEP_SOURCE_DIR) + "/kernels/matmul/tiled.cu";
    EXPECT_TRUE(last({.family = {}, .variant = {}, .values = {}, .own = own}));
    std::filesystem::remove_all(file.parent_path());
}

}  // namespace
}  // namespace lockstep::shell
