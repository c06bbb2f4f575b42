// Every stage is magnified from the whole grid to one cell, and shown whole again: by the wheel, by a pinch,
// which arrives as parts of a notch with Ctrl, and by keys.
#include "app/shell/window_tests/window_driver.h"
#include "viz/view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::shell {
namespace {

struct Case {
    const char *family, *variant;
    bool isRedrawn =
        true;  // cells get their values; else the picture itself grows, beside a loupe with values
};
// Each shape that has a stage of its own, and one without.
constexpr std::array kCases{Case{"matmul", "naive"},
                            Case{"matmul", "tiled"},
                            Case{"matmul", "register-2d", false},
                            Case{"transpose", "shared-padded", false},
                            Case{"reduction", "v2"},
                            Case{"scan", "hillis-steele"},
                            Case{"stencil", "global"},
                            Case{"histogram", "global-atomics"},
                            Case{"coalescing", "stride", false},
                            Case{"divergence", "parity", false},
                            Case{"banks", "column"}};

f32 zoomOf(const Hand& hand) {
    const auto found = hand.state().views.find("stage");
    return found == hand.state().views.end() || found->second.zoom == 0 ? 1 : found->second.zoom;
}

// The smallest cell that leads somewhere, of those in sight: what a lecturer would point at.
std::optional<viz::HitArea> smallestCell(const viz::Scene& scene) {
    std::optional<viz::HitArea> found;
    for (const viz::HitArea& area : scene.hits) {
        const viz::Point at = area.rect.centre();
        const bool isInPane = std::ranges::any_of(scene.panes, [&](const viz::Pane& pane) {
            return pane.contains(at) && area.rect.width < pane.width / 2;
        });
        // Of a picture that says which values it stands for, one that is known.
        const bool hasValue = std::ranges::any_of(
            scene.cells, [&](const viz::ValueCell& cell) { return cell.rect.contains(at) && cell.value; });
        const bool says = area.hit.text().find_first_of("0123456789") != std::string::npos,
                   isKnown = hasValue || std::ranges::none_of(scene.cells, [](const viz::ValueCell& cell) {
                                 return cell.value.has_value();
                             });
        if (!isInPane || !says || !isKnown || area.rect.width < 0.5f || area.rect.height < 0.5f ||
            scene.hitAt(at) != &area.hit)
            continue;
        if (!found || area.rect.width * area.rect.height < found->rect.width * found->rect.height)
            found = area;
    }
    return found;
}

bool hasNumber(const viz::Scene& scene, const viz::Rect& cell) {
    return std::ranges::any_of(scene.marks, [&](const viz::Mark& mark) {
        const auto* text = std::get_if<viz::TextMark>(&mark);
        return text && text->size >= 9 && cell.contains({text->at.x, text->at.y - text->size / 3}) &&
               text->text.find_first_of("0123456789") != std::string::npos;
    });
}

ImVec2 onScreen(const Hand& hand, viz::Point at) {
    const ImGuiWindow* window = Hand::windowOf("###stage");
    const f32 scale = window->WorkRect.GetWidth() / hand.scene("stage").size.width;
    return {window->WorkRect.Min.x + at.x * scale, window->WorkRect.Min.y + at.y * scale};
}

TEST(MagnifyWindowTest, EveryStageGrowsToOneCellAndShrinksAgain) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(std::string(c.family) + "/" + c.variant);
        withWindow(
            [&](Request& request) {
                const auto [family, variant] =
                    request.catalog->lookUp(std::string(c.family) + "/" + c.variant).value();
                request.choice = {family->name, variant->name,
                                  catalog::resolve(*family, *variant, {}).value()};
            },
            [&](Hand& hand) {
                hand.awaitRun();
                const std::optional<viz::HitArea> cell = smallestCell(hand.scene("stage"));
                ASSERT_TRUE(cell) << "nothing to point at";
                const viz::Point centre = cell->rect.centre();
                const ImVec2 mouse = onScreen(hand, centre);
                const f32 most = hand.scene("stage").mostZoom;
                // A pinch, as systems send it: parts of a notch, with Ctrl held.
                const auto cellNow = [&] {
                    const viz::Scene& scene = hand.scene("stage");
                    for (const viz::HitArea& area : scene.hits)
                        if (area.rect.contains(centre) && scene.hitAt(centre) == &area.hit) return area.rect;
                    return viz::Rect{};
                };
                for (int part = 0; part < 400 && zoomOf(hand) < most - 0.001f; ++part) {
                    if (c.isRedrawn && hasNumber(hand.scene("stage"), cellNow())) break;
                    const f32 before = zoomOf(hand);
                    hand.wheelWith(ImGuiMod_Ctrl, mouse, 0.6f);
                    EXPECT_GT(zoomOf(hand), before);
                }
                if (c.isRedrawn) {
                    EXPECT_TRUE(hasNumber(hand.scene("stage"), cellNow()))
                        << c.variant << ", at " << zoomOf(hand) << " times: no number under the mouse";
                } else {
                    EXPECT_GT(cellNow().width, 3 * cell->rect.width) << c.variant;
                }
                const f32 largest = zoomOf(hand);
                hand.wheel(mouse, -0.5f);
                if (largest > 1.1f) {
                    EXPECT_LT(zoomOf(hand), largest) << "the wheel alone does the same";
                }
                hand.press(ImGuiKey_0);
                EXPECT_EQ(zoomOf(hand), 1);
                hand.press(ImGuiKey_Equal);
                hand.press(ImGuiKey_KeypadAdd);
                const f32 twice = std::min(2.0f, most);
                EXPECT_NEAR(zoomOf(hand), twice, 0.01f) << "+ twice";
                hand.press(ImGuiKey_Minus);
                hand.press(ImGuiKey_KeypadSubtract);
                EXPECT_EQ(zoomOf(hand), 1) << "- twice";
            });
    }
}

TEST(MagnifyWindowTest, AKeyMagnifiesWhereTheCursorIsDrawnWhileTheMouseIsElsewhere) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.hover({4, 4});
        for (int press = 0; press < 4; ++press)
            hand.press(ImGuiKey_Equal);
        EXPECT_GT(zoomOf(hand), 2);
        const viz::Scene& stage = hand.scene("stage");
        EXPECT_TRUE(std::ranges::any_of(stage.hits, [&](const viz::HitArea& area) {
            return area.hit.go == hand.state().cursor && area.rect.width > 0 &&
                   std::ranges::any_of(
                       stage.panes, [&](const viz::Pane& pane) { return pane.contains(area.rect.centre()); });
        })) << "the cursor's cell is still in sight";
    });
}

}  // namespace
}  // namespace lockstep::shell
