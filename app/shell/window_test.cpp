// The window as a user finds it: opened, clicked, played, dragged, resized. Each test ends in what the state
// must then be.
#include "app/shell/files/preferences.h"
#include "app/shell/window_tests/window_driver.h"
#include "explain/sentences/sentence.h"
#include "viz/messages.h"

#include <algorithm>
#include <ctime>
#include <fstream>

namespace lockstep::shell {
namespace {

using explain::Stride;

constexpr const char* kStepForward = "//##transport/step/##icon";
constexpr const char* kStepBack = "//##transport/step back/##icon";
constexpr const char* kPhaseForward = "//##transport/phase/##icon";
constexpr const char* kPhaseBack = "//##transport/phase back/##icon";
constexpr const char* kFirst = "//##transport/first/##icon";
constexpr const char* kLast = "//##transport/last/##icon";
constexpr const char* kPlay = "//##transport/play/##icon";

u32 stepsOfWarp(const app::State& state) {
    return u32(state.run->recording.trace.find(state.cursor.launch, state.cursor.block)
                   ->warps[state.cursor.warp.value]
                   .steps.size());
}

// The view, which is on top, shows a picture, not a message.
void expectFull(const Hand& hand, std::string_view view, const std::string& when) {
    const viz::Scene& scene = hand.scene(view);
    EXPECT_FALSE(scene.marks.empty()) << view << ", " << when;
    EXPECT_GT(scene.size.width, 300) << view << ", " << when;
    EXPECT_GT(scene.size.height, 90) << view << ", " << when;
    EXPECT_NE(scene.sentence, say(hand.state().language, viz::message::kTooSmall)) << view << ", " << when;
}

TEST(WindowTest, OpensOnTheFirstExampleAndRunsIt) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.family, "matmul");
        EXPECT_EQ(hand.state().choice.variant, "tiled-bounds");
        EXPECT_TRUE(hand.state().run->comparison->correct);
        EXPECT_FALSE(hand.state().fault);
        EXPECT_FALSE(hand.scene("stage").marks.empty());
        EXPECT_FALSE(hand.scene("timeline").marks.empty());
        EXPECT_FALSE(hand.scene("source").marks.empty())
            << "in a new layout the source lies on top at the right";
        EXPECT_TRUE(Hand::windowOf("###source")->DockTabIsVisible);
        EXPECT_FALSE(Hand::windowOf("###lanes")->DockTabIsVisible);

        const auto before = hand.state().run;
        hand.click("//##experiment/run/##text");
        hand.awaitRun();
        EXPECT_NE(hand.state().run, before) << "Run runs again";
    });
}

// Its index in paint order; none: not shown.
std::optional<int> paintedAs(const char* window) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    for (int i = 0; i < context.Windows.Size; ++i)
        if (context.Windows[i]->Active && std::string_view(context.Windows[i]->Name) == window) return i;
    return std::nullopt;
}

TEST(WindowTest, TheLinesBetweenItsPartsLieOverThePartsAndBelowDialogs) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto linesAt = [] { return paintedAs("##lines").value_or(-1); };
        for (const char* part :
             {"##bar", "##experiment", "##docks", "##sentence", "##transport", "##timeline"})
            EXPECT_LT(paintedAs(part).value_or(999), linesAt()) << part;
        EXPECT_GT(Hand::windowOf("##lines")->DrawList->VtxBuffer.Size, 0);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
        hand.frames(3);
        const ImGuiWindow* dialog = ImGui::GetCurrentContext()->Windows.back();
        EXPECT_TRUE(dialog->Active);
        EXPECT_GT(paintedAs(dialog->Name).value_or(-1), linesAt()) << dialog->Name;
        EXPECT_EQ(ImGui::GetForegroundDrawList()->VtxBuffer.Size, 0) << "nothing is drawn over everything";
        hand.photograph("export-over-lines");
        hand.press(ImGuiKey_Escape);

        hand.resize({960, 720});  // the experiment is drawn over the views
        hand.click("//##bar/experiment/$$0/##segment");
        hand.frames(3);
        EXPECT_GT(paintedAs("##experiment").value_or(-1), paintedAs("##docks").value_or(999));
        hand.photograph("experiment-over-views");
    });
}

TEST(WindowTest, StepsForwardAndBackWithButtonsAndKeys) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.click(kFirst);
        EXPECT_EQ(hand.state().cursor.step, 0u);
        hand.click("//##transport/units/$$2/##segment");
        EXPECT_EQ(hand.state().playback.unit, Stride::Instruction);
        hand.click(kStepForward);
        hand.click(kStepForward);
        hand.click(kStepForward);
        hand.click(kStepBack);
        EXPECT_EQ(hand.state().cursor.step, 2u);
        hand.press(ImGuiKey_RightArrow);
        hand.press(ImGuiKey_RightArrow);
        hand.press(ImGuiKey_LeftArrow);
        EXPECT_EQ(hand.state().cursor.step, 3u);
        hand.click("//##transport/units/$$0/##segment");
        EXPECT_EQ(hand.state().playback.unit, Stride::Event);
        hand.press(ImGuiKey_RightArrow);
        EXPECT_GT(hand.state().cursor.step, 4u) << "set-up is skipped";
        const u32 event = hand.state().cursor.step;
        hand.press(ImGuiKey_Period);
        EXPECT_EQ(hand.state().cursor.step, event + 1) << "by instruction, whatever the arrows step by";
        hand.press(ImGuiKey_Comma);
        EXPECT_EQ(hand.state().cursor.step, event);

        hand.press(ImGuiKey_End);
        EXPECT_EQ(hand.state().cursor.step, stepsOfWarp(hand.state()) - 1);
        hand.press(ImGuiKey_RightArrow);
        EXPECT_EQ(hand.state().cursor.step, stepsOfWarp(hand.state()) - 1) << "the end is the end";
        hand.press(ImGuiKey_Home);
        EXPECT_EQ(hand.state().cursor.step, 0u);
        hand.click(kLast);
        EXPECT_EQ(hand.state().cursor.step, stepsOfWarp(hand.state()) - 1);

        const auto phase = [&] { return explain::phaseOf(*hand.state().run, hand.state().cursor); };
        hand.press(ImGuiKey_Home);
        hand.click(kPhaseForward);
        const u32 behindSetUp = hand.state().cursor.step;
        EXPECT_GT(behindSetUp, 0u);
        EXPECT_EQ(phase(), 0u) << "the set-up has a segment of its own";
        hand.press(ImGuiMod_Shift | ImGuiKey_RightArrow);
        EXPECT_EQ(phase(), 1u);
        hand.press(ImGuiMod_Shift | ImGuiKey_RightArrow);
        EXPECT_EQ(phase(), 2u);
        hand.click(kPhaseBack);
        EXPECT_EQ(phase(), 1u);
        hand.press(ImGuiMod_Shift | ImGuiKey_LeftArrow);
        EXPECT_EQ(hand.state().cursor.step, behindSetUp);

        const auto line = [&] {
            const app::State& s = hand.state();
            const auto& warp =
                s.run->recording.trace.find(s.cursor.launch, s.cursor.block)->warps[s.cursor.warp.value];
            return s.run->module->locationOf(warp.steps[s.cursor.step].pc).line;
        };
        hand.press(ImGuiKey_Home);
        const u32 first = line();
        hand.press(ImGuiKey_PageDown);
        EXPECT_NE(line(), first);
        hand.press(ImGuiKey_PageUp);
        EXPECT_EQ(line(), first);
        hand.click("//##transport/units/$$1/##segment");
        EXPECT_EQ(hand.state().playback.unit, Stride::Line);
        hand.press(ImGuiKey_RightArrow);
        EXPECT_NE(line(), first) << "the arrows step by the unit that was chosen";

        while (hand.state().cursor.lane.value > 0)
            hand.press(ImGuiKey_UpArrow);
        hand.press(ImGuiKey_DownArrow);
        EXPECT_EQ(hand.state().cursor.lane.value, 1u);
    });
}

TEST(WindowTest, PlaysAndPauses) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_Home);
        hand.click(kPlay);
        EXPECT_TRUE(hand.state().playback.playing);
        hand.await([&] { return hand.state().cursor.step >= 2; }, "two steps are played");
        hand.press(ImGuiKey_Space);
        EXPECT_FALSE(hand.state().playback.playing);
        const u32 stoppedAt = hand.state().cursor.step;
        hand.frames(20);
        EXPECT_EQ(hand.state().cursor.step, stoppedAt);
    });
}

TEST(WindowTest, TheWheelMagnifiesTheStageUnderTheMouseAndScrollsWhatScrolls) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto placed = [&](const char* view) {
            const ImGuiWindow& window = *Hand::windowOf(("###" + std::string(view)).c_str());
            return viz::Point{window.WorkRect.Min.x, window.WorkRect.Min.y};
        };
        const viz::Scene& stage = hand.scene("stage");
        const auto element = std::ranges::find_if(stage.hits, [](const viz::HitArea& area) {
            return area.hit.text().find("P[0][0]") != std::string::npos;
        });
        ASSERT_NE(element, stage.hits.end());
        const viz::Point centre = element->rect.centre(), corner = placed("stage");
        const f32 before = element->rect.width;
        hand.wheel({corner.x + centre.x, corner.y + centre.y}, 6);
        const auto largest = [&] {
            f32 wide = 0;
            for (const viz::HitArea& area : hand.scene("stage").hits)
                if (area.hit.text().find("P[0][0]") != std::string::npos)
                    wide = std::max(wide, area.rect.width);
            return wide;
        };
        const viz::Hit* under = hand.scene("stage").hitAt(centre);
        ASSERT_TRUE(under);
        EXPECT_NE(under->text().find("P[0][0]"), std::string::npos) << under->text();
        EXPECT_GT(largest(), 1.5f * before);

        hand.bringUp("lanes");
        hand.click(kFirst);
        const viz::Point lanes = placed("lanes");
        hand.wheel({lanes.x + 200, lanes.y + 200}, -2);
        EXPECT_LT(hand.state().views.find("lanes")->second.pan.y, 0) << "further down";
        const f32 down = hand.state().views.find("lanes")->second.pan.y;
        hand.wheel({lanes.x + 200, lanes.y + 200}, 1);
        EXPECT_GT(hand.state().views.find("lanes")->second.pan.y, down) << "and up again";
        EXPECT_EQ(hand.state().views.find("lanes")->second.zoom, 0);

        hand.bringUp("source");
        const viz::Point source = placed("source");
        const auto across = [&] { return hand.state().views.find("source")->second.pan.x; };
        hand.wheelAcross({source.x + 200, source.y + 200}, -1);
        EXPECT_LT(across(), 0) << "further right in lines that are longer than the view is wide";
        hand.wheelAcross({source.x + 200, source.y + 200}, 2);
        hand.wheelWith(ImGuiMod_Shift, {source.x + 200, source.y + 200}, -1);
        EXPECT_LT(across(), 0) << "the same with Shift and a wheel that only turns";
        hand.photograph("source-scrolled-across");
        hand.press(ImGuiKey_RightArrow);
        EXPECT_EQ(across(), 0) << "the cursor's line is seen from its beginning";
    });
}

TEST(WindowTest, MenusOfTheBarHaveRoomAroundTheirRows) {
    for (const char* button : {"//##bar/recent/##text", "//##bar/rules/##text"})
        withWindow({}, [button](Hand& hand) {
            hand.awaitRun();
            hand.click(button);
            const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
            ASSERT_EQ(open.Size, 1) << button;
            EXPECT_GE(open.back().Window->WindowPadding.x, 8) << button;
        });
}

TEST(WindowTest, TheTimelineIsScrubbedByDragging) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_Home);
        const ImVec2 at = Hand::windowOf("##timeline")->Pos, size = Hand::windowOf("##timeline")->Size;
        hand.drag({at.x + 140, at.y + 20}, {at.x + size.x - 40, at.y + 20});
        EXPECT_GT(hand.state().cursor.step, stepsOfWarp(hand.state()) * 9 / 10);
        hand.drag({at.x + size.x - 40, at.y + 20}, {at.x + 118, at.y + 60});
        EXPECT_LT(hand.state().cursor.step, 3u) << "the mouse may leave the strip on its way";
    });
}

TEST(WindowTest, AClickOnAPhaseGoesToItsFirstStep) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_Home);
        const ImGuiWindow& window = *Hand::windowOf("##timeline");
        std::optional<ImVec2> last;
        std::optional<viz::Cursor> first;
        const f32 scale = window.Size.x / hand.scene("timeline").size.width;
        for (const viz::HitArea& area : hand.scene("timeline").hits)
            if (area.hit.click && area.hit.click->step > 0 && (!first || *first == *area.hit.click)) {
                first = area.hit.click;
                last = ImVec2{window.Pos.x + area.rect.centre().x * scale,
                              window.Pos.y + area.rect.centre().y * scale};
            }
        ASSERT_TRUE(last);
        hand.drag(*last, *last);  // the last step of the second phase
        EXPECT_EQ(hand.state().cursor, *first);
        EXPECT_EQ(explain::phaseOf(*hand.state().run, hand.state().cursor), 0u) << "set-up comes before it";
        hand.press(ImGuiKey_Period);
        EXPECT_EQ(hand.state().cursor.step, first->step + 1);
    });
}

TEST(WindowTest, StepsOfTheTimelineAreChosenByDraggingAndByKeysAndSummedUp) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_Home);
        const viz::Scene& scene = hand.scene("timeline");
        const ImGuiWindow& window = *Hand::windowOf("##timeline");
        const f32 scale = window.Size.x / scene.size.width;
        const auto place = [&](viz::Hit::Select select, u32 step) {
            for (const viz::HitArea& area : scene.hits)
                if (area.hit.select == select && area.hit.go->step == step)
                    return ImVec2{window.Pos.x + area.rect.centre().x * scale,
                                  window.Pos.y + area.rect.centre().y * scale};
            ADD_FAILURE() << "step " << step << " is not on the timeline";
            return ImVec2{};
        };
        using Select = viz::Hit::Select;
        hand.drag(place(Select::Dragging, 12), place(Select::Dragging, 7));
        ASSERT_TRUE(hand.state().range);
        EXPECT_EQ(hand.state().range->first, 7u);
        EXPECT_EQ(hand.state().range->last, 12u);
        EXPECT_EQ(hand.state().cursor.step, 0u) << "the cursor stays";
        const auto says = [&](const std::string& what) {
            return std::ranges::any_of(
                scene.hits, [&](const viz::HitArea& area) { return area.hit.text().starts_with(what); });
        };
        EXPECT_TRUE(says("Steps 8–13: 6 instructions, "));
        hand.photograph("timeline-range");

        hand.dragWith(ImGuiMod_Shift, place(Select::WithShift, 3),
                      {window.Pos.x + window.Size.x - 2, place(Select::WithShift, 3).y});
        EXPECT_EQ(hand.state().range->first, 3u);
        EXPECT_EQ(hand.state().range->last, stepsOfWarp(hand.state()) - 1) << "beyond the end is at the end";
        hand.drag(place(Select::WithShift, 3), place(Select::WithShift, 5));
        EXPECT_EQ(hand.state().range->first, 3u) << "without Shift the rows are scrubbed";
        EXPECT_EQ(hand.state().cursor.step, 5u);

        hand.press(ImGuiMod_Ctrl | ImGuiKey_RightArrow);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_RightArrow);
        EXPECT_EQ(hand.state().range->first, 5u);
        EXPECT_EQ(hand.state().range->last, 7u);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
        EXPECT_EQ(hand.state().exporting.settings.first, 6u);
        EXPECT_EQ(hand.state().exporting.settings.last, 8u);
        hand.press(ImGuiKey_Escape);
        EXPECT_FALSE(hand.state().exporting.open);
        EXPECT_TRUE(hand.state().range) << "the first Esc closes the dialog";
        hand.press(ImGuiKey_Escape);
        EXPECT_FALSE(hand.state().range);
    });
}

// The middle of what a hit of the view says, in the window's pixels.
ImVec2 placeOf(const Hand& hand, const char* view, const std::string& hover) {
    const viz::Scene& scene = hand.scene(view);
    const ImGuiWindow* window = Hand::windowOf((std::string("###") + view).c_str());
    const viz::HitArea* largest =
        nullptr;  // where several say it, as both memories of the playground do of an element
    for (const viz::HitArea& area : scene.hits)
        if (area.hit.text().starts_with(hover) &&
            (!largest || area.rect.width * area.rect.height > largest->rect.width * largest->rect.height))
            largest = &area;
    if (!largest) {
        ADD_FAILURE() << view << " has nothing that says: " << hover;
        return {};
    }
    const viz::Point centre = largest->rect.centre();
    const ImVec2 origin{window->Rect().Max.x - scene.size.width, window->Rect().Max.y - scene.size.height};
    return {origin.x + centre.x, origin.y + centre.y};
}

TEST(WindowTest, ASourceLineUnderTheMouseShowsWhatItsRegistersHold) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_End);
        std::optional<std::string> line;
        viz::Scene box;
        for (const viz::HitArea& area : hand.scene("source").hits)
            if (area.hit.box && !line)
                if (box = area.hit.box(); box.size.height > 0) line = area.hit.text();
        ASSERT_TRUE(line) << "some line names registers";
        EXPECT_FALSE(box.marks.empty());
        hand.hover(placeOf(hand, "source", *line));
        const ImGuiWindow* tooltip = Hand::windowOf("##Tooltip_00");
        ASSERT_TRUE(tooltip && tooltip->WasActive);
        EXPECT_GE(tooltip->Size.x, box.size.width);
        EXPECT_GT(tooltip->Size.y, box.size.height) << "below the sentence";
    });
}

TEST(WindowTest, ThePlaygroundIsTypedDraggedChosenAndUndone) {
    withWindow(
        [](Request& request) {
            request.size = {1920, 1080};
        },
        [](Hand& hand) {  // elements of some pixels
            hand.awaitRun();
            hand.bringUp("playground");
            expectFull(hand, "playground", "brought up");
            const auto shown = [&]() -> const model::AccessPattern& {
                return hand.state().playground.shown.pattern;
            };
            hand.write("//###playground/##expression", "tid * 2");
            EXPECT_EQ(shown().expression, "tid * 2");
            EXPECT_EQ(hand.scene("playground").sentence,
                      explain::sharedSentence(model::accessOf(*model::queryOf(shown())),
                                              model::defaultProfile(), {})
                          .english());
            hand.write("//###playground/##expression", "tid * (");
            EXPECT_EQ(shown().expression, "tid * 2") << "the last good one stays";
            EXPECT_TRUE(hand.state().playground.fault);

            hand.choose("//###playground/##presets",
                        std::string(model::findAccessPreset("column")->title.english()));
            EXPECT_EQ(shown(), model::findAccessPreset("column")->pattern);
            EXPECT_FALSE(hand.state().playground.fault);
            hand.drag(placeOf(hand, "playground", "Lane 5 accesses word 160: bank 0, wavefront 6."),
                      placeOf(hand, "playground", "Element 37"));
            EXPECT_EQ(shown().moved[5], 37) << "lane 5 was let go on word 37";
            EXPECT_EQ(hand.state().playground.shown.lane, Lane{5});
            hand.click("//###playground/switch lane/##text");
            EXPECT_TRUE(shown().off.has(Lane{5}));
            hand.click("//###playground/width/$$3/##segment");
            EXPECT_EQ(shown().widthBytes, 8u);

            const auto run = hand.state().run;
            for (int undone = 0; undone < 3; ++undone)
                hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
            EXPECT_EQ(shown(), model::findAccessPreset("column")->pattern);
            EXPECT_EQ(hand.state().run, run) << "undoing in the playground runs nothing";
            hand.press(ImGuiMod_Ctrl | ImGuiKey_Y);
            EXPECT_EQ(shown().moved[5], 37);
            hand.click("//###playground/reset/##text");
            EXPECT_EQ(shown(), viz::Playground{}.pattern);

            while (!viz::patternAt(*hand.state().run, hand.state().cursor))
                hand.press(ImGuiKey_RightArrow);
            const auto here = viz::patternAt(*hand.state().run, hand.state().cursor);
            hand.press(ImGuiKey_P);
            EXPECT_EQ(shown(), *here) << "P takes the access at the cursor";
        });
}

TEST(WindowTest, DevicesStandSideBySideInTheSectorsView) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.bringUp("sectors");
        const auto toGlobal = [&] {
            const viz::Cursor& at = hand.state().cursor;
            const auto& warp =
                hand.state().run->recording.trace.find(at.launch, at.block)->warps[at.warp.value];
            const auto access = warp.steps[at.step].access;
            return access != trace::Step::kNone && warp.accesses[access].space == trace::Space::Global;
        };
        while (!toGlobal())
            hand.press(ImGuiKey_RightArrow);
        hand.frames(20);
        const auto clickOn = [&](const char* hover) {
            const ImVec2 at = placeOf(hand, "sectors", hover);
            hand.drag(at, at);
        };
        clickOn("Add compute capability 1.0");
        EXPECT_EQ(hand.state().devices, (std::vector<std::string>{"cc90", "cc10"}));
        clickOn("Add compute capability 2.0");
        clickOn("Show compute capability 1.2 in place of the one chosen first");
        EXPECT_EQ(hand.state().devices, (std::vector<std::string>{"cc10", "cc20", "cc12"}));
        EXPECT_EQ(hand.state().profile, "cc12") << "cc90 went: the one chosen last rules";
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
        EXPECT_EQ(hand.state().devices.size(), 3u) << "undo is not of the devices";
        clickOn("Remove compute capability 1.0");
        EXPECT_EQ(hand.state().devices, (std::vector<std::string>{"cc20", "cc12"}));
    });
}

TEST(WindowTest, ThePicturesOfTheVariantsRunThem) {
    withWindow(
        [](Request& request) {
            request.size = {1920, 1080};
        },
        [](Hand& hand) {
            hand.awaitRun();
            hand.choose("//##experiment/##family", hand.state().catalog->find("coalescing")->title.en);
            hand.awaitRun();
            hand.bringUp("sectors");
            hand.frames(20);
            const auto hoverOf = [&](const char* variant) {
                for (const run::VariantAccess& access : hand.state().run->variants)
                    if (access.variant == variant) return std::string(access.title.en) + ": warp ";
                return std::string();
            };
            const auto startsWith = [&](const std::string& hover) {
                for (const viz::HitArea& area : hand.scene("sectors").hits)
                    if (area.hit.text().starts_with(hover)) return area.hit.text();
                return std::string();
            };
            const std::string stride = startsWith(hoverOf("stride"));
            EXPECT_NE(stride.find(" in 8 sectors"), std::string::npos) << stride;
            const ImVec2 at = placeOf(hand, "sectors", stride);
            hand.drag(at, at);
            hand.awaitRun();
            EXPECT_EQ(hand.state().choice.variant, "stride");
            hand.frames(20);
            EXPECT_NE(startsWith(hoverOf("stride")).find("the variant that runs"), std::string::npos);
            EXPECT_NE(startsWith(hoverOf("sequential")).find(" in 4 sectors"), std::string::npos);
        });
}

TEST(WindowTest, ParametersVariantsAndUndoRunAtOnce) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.type("//##experiment/width/##field", 8);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 8);
        EXPECT_EQ(hand.state().run->recording.final.back().count(), 64u);
        hand.type("//##experiment/width/##field", 999999);
        hand.await([&] { return hand.state().choice.values.at("width") == 4096; },
                   "what is typed is clamped to the range");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 8)
            << "undo takes back the last change, and cancels its run";

        const catalog::Variant& naive = *hand.state().catalog->find("matmul")->find("naive");
        hand.choose("//##experiment/##variant", naive.title.en);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.variant, "naive");
        EXPECT_EQ(hand.state().choice.values.at("width"), 8);
        EXPECT_TRUE(hand.state().run->comparison->correct);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.variant, "tiled-bounds");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 3);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Y);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 8);
    });
}

TEST(WindowTest, ChoicesAreListsAndSayWhatDoesNotGoTogether) {
    const auto turnkey = [](Request& request) {
        request.choice = {.family = "reduction",
                          .variant = "turnkey",
                          .values = {{"n", 1024},
                                     {"block", 128},
                                     {"blocks", 2},
                                     {"type", 0},
                                     {"op", 0},
                                     {"batches", 4},
                                     {"fold", 8}}};
    };
    withWindow(turnkey, [](Hand& hand) {
        hand.awaitRun();
        const std::vector<std::string> types =
            hand.state().catalog->find("reduction")->findParameter("type")->choices;
        const auto type = [&] { return types[std::size_t(hand.state().choice.values.at("type"))]; };
        hand.choose("//##experiment/##type", "i64");
        hand.awaitRun();
        EXPECT_EQ(type(), "i64");
        EXPECT_TRUE(hand.state().run->comparison->correct);
        hand.choose("//##experiment/##op", "xor");
        hand.awaitRun();
        EXPECT_TRUE(hand.state().run->comparison->correct);
        hand.choose("//##experiment/##type", "f32");
        hand.await([&] { return hand.state().fault.has_value(); }, "it says that xor is none of reals");
        EXPECT_NE(hand.state().fault->message.english().find("integers"), std::string::npos)
            << hand.state().fault->message.english();
        hand.photograph("choices-that-do-not-go-together");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
        hand.awaitRun();
        EXPECT_EQ(type(), "i64");
        EXPECT_FALSE(hand.state().fault) << "what has been undone is no fault any more";
    });
}

TEST(WindowTest, TheFirstPictureMovesByItself) {
    withWindow([](Request& request) { request.play = true; },
               [](Hand& hand) {
                   hand.awaitRun();
                   const u32 begin = hand.state().cursor.step;
                   EXPECT_TRUE(hand.state().playback.playing);
                   hand.await([&] { return hand.state().cursor.step >= begin + 2; },
                              "it plays on from the first load");
               });
}

TEST(WindowTest, TheArrangementIsKeptAndADamagedOneIsForgotten) {
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / "lockstep_window_test" / "window.ini";
    const auto kept = [&](Request& request) { request.layoutFile = file; };
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        hand.bringUp("lanes");
    });
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        EXPECT_TRUE(Hand::windowOf("###lanes")->DockTabIsVisible);
        EXPECT_FALSE(Hand::windowOf("###source")->DockTabIsVisible);
    });
    withWindow([&](Request& request) { kept(request), request.view = "findings"; },
               [](Hand& hand) {
                   hand.awaitRun();
                   EXPECT_TRUE(Hand::windowOf("###findings")->DockTabIsVisible)
                       << "what the command line asks for comes to the front of what was kept";
               });
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        hand.bringUp("lanes");
    });
    std::ofstream(file, std::ios::app)
        << "[Docking][Data]\nDockNode ID=0x1 Parent=0x1 SizeRef=-1,-1 Selected=0xZZ\n";
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        EXPECT_TRUE(Hand::windowOf("###source")->DockTabIsVisible);
    });
    std::filesystem::remove_all(file.parent_path());
}

TEST(WindowTest, WhatTheUserChangedIsRemembered) {
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / "lockstep_window_preferences" / "preferences.conf";
    const auto kept = [&](Request& request) { request.preferencesFile = file; };
    withWindow(kept, [&](Hand& hand) { hand.awaitRun(); });
    EXPECT_FALSE(std::filesystem::exists(file)) << "nothing was changed, so nothing is preferred";
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        hand.click("//##bar/theme/##icon");
        hand.click("//##bar/language/##text");
        hand.await([&] { return readPreferences(file).language == Language::Chinese; },
                   "it is kept while the window is open");
    });
    Preferences read = readPreferences(file);
    EXPECT_EQ(read.theme, "light");
    EXPECT_EQ(read.language, Language::Chinese);
    EXPECT_FALSE(read.size);
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        hand.resize({1000, 700});
    });
    read = readPreferences(file);
    EXPECT_EQ(read.theme, "light") << "what is not changed again stays";
    ASSERT_TRUE(read.size);
    EXPECT_EQ(read.size->width, 1000);
    EXPECT_EQ(read.size->height, 700);
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        for (const Language language : {Language::Chinese, Language::English}) {
            hand.press(ImGuiKey_L);
            hand.await([&] { return readPreferences(file).language == language; },
                       "the language that the window was opened in is kept as any other");
        }
    });
    std::filesystem::remove_all(file.parent_path());
}

TEST(WindowTest, TheExperimentFitsItsColumnAt720Lines) {
    withWindow(
        [](Request& request) {
            request.size = {1280, 720};
        },
        [](Hand& hand) {
            hand.awaitRun();
            const auto fits = [&](const std::string& name) {
                for (const char* language : {"-en", "-zh"}) {
                    hand.frames(4);
                    EXPECT_EQ(Hand::windowOf("##experiment")->ScrollMax.y, 0) << name << language;
                    hand.photograph("1280x720-" + name + language);
                    hand.click("//##bar/language/##text");
                }
            };
            fits("matmul");
            struct Case {
                const char *name, *entry;
            };
            for (const Case& c :
                 {Case{"race", "matmul/missing-second-barrier"}, Case{"transpose", "transpose/naive"},
                  Case{"reduction", "reduction/v0"}, Case{"histogram", "histogram/no-atomics"},
                  Case{"stencil", "stencil/tiled"}}) {
                hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
                hand.write(c.entry);
                hand.press(ImGuiKey_Enter);
                hand.awaitRun();
                EXPECT_EQ(hand.state().choice.family + "/" + hand.state().choice.variant, c.entry);
                fits(c.name);
            }
        });
}

TEST(WindowTest, AColumnWithoutRoomScrollsAndSaysSo) {
    const auto low = [](Request& request) {
        request.size = {1280, 520};
        const auto [family, variant] = request.catalog->lookUp("reduction/general").value();
        request.choice = {family->name, variant->name, catalog::resolve(*family, *variant, {}).value()};
    };
    withWindow(low, [](Hand& hand) {
        hand.awaitRun();
        const ImGuiWindow& column = *Hand::windowOf("##experiment");
        EXPECT_TRUE(column.ScrollbarY);
        EXPECT_GT(column.ScrollMax.y, 0);
        hand.photograph("1280x520-column");
        hand.wheel(column.Rect().GetCenter(), -40);
        hand.frames(20);
        EXPECT_EQ(column.Scroll.y, column.ScrollMax.y) << "its end can be reached";
        hand.photograph("1280x520-column-end");
        hand.resize({1280, 900});
        EXPECT_FALSE(column.ScrollbarY);
        EXPECT_EQ(column.Scroll.y, 0);
    });
}

TEST(WindowTest, ALongRunIsCancelledResizedUnderAndClosedUnder) {
    const auto longRun = [](Request& request) {
        request.choice.values = {{"width", 2048}, {"tile", 16}, {"j", 48}, {"k", 40}, {"l", 72}};
    };
    withWindow(longRun, [](Hand& hand) {
        hand.frames(10);
        EXPECT_TRUE(hand.state().job.running);
        for (const viz::Size size :
             {viz::Size{800, 500}, viz::Size{1500, 900}, viz::Size{640, 360}, viz::Size{1280, 800}})
            hand.resize(size);
        // The first blocks' picture may come between hover and click, and move the button.
        for (int tries = 0; tries < 2 && hand.state().job.running; ++tries)
            hand.click("//##experiment/cancel/##text");
        EXPECT_FALSE(hand.state().job.running);
        EXPECT_FALSE(hand.state().fault) << "what the user canceled is no fault";
        hand.type("//##experiment/width/##field", 1);
        hand.awaitRun();
        EXPECT_TRUE(hand.state().run->comparison->correct);
        hand.type("//##experiment/tile/##field", 32);
        hand.awaitRun();
        EXPECT_EQ(hand.state().run->recording.launches.front().block.count(), 1024u);
        EXPECT_TRUE(hand.state().run->comparison->correct);
        hand.photograph("one-element-tile-32");
    });
    // In time of the process, beside one whose run is short: the machine may be busy. The whole run takes
    // over half a minute of it.
    const auto secondsOf = [](auto change) {
        const std::clock_t begin = std::clock();
        withWindow(change, [](Hand& hand) { hand.frames(10); });
        return f64(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    const f64 shortly = secondsOf([](Request&) {});
    EXPECT_LT(secondsOf(longRun), 3 * shortly + 15) << "closing does not wait for the run's end";
}

TEST(WindowTest, WhoPresentsOrComparesDuringTheFirstRunIsToldOfIt) {
    // Of one block, so that nothing of it is shown before its end, which is seconds away.
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / "lockstep_long_first_run.ptx";
    std::ofstream(file, std::ios::trunc) << R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry loop(.param .u64 out)
{
    .reg .pred %p<2>; .reg .b32 %r<2>;
    mov.u32 %r1, 0;
L:  add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 400000000;
    @%p1 bra L;
    ret;
}
)";
    const auto longRun = [&](Request& request) {
        request.choice = {};
        request.choice.own = app::OwnKernel{.file = file.string(),
                                            .entry = "loop",
                                            .grid = "1",
                                            .block = "1",
                                            .arguments = {"u32[1]=zero"},
                                            .defines = {}};
    };
    withWindow(longRun, [](Hand& hand) {
        const auto told = [] {
            for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
                if (window->WasActive &&
                    std::string_view(window->Name).find("##first run") != std::string_view::npos)
                    return true;
            return false;
        };
        hand.frames(5);
        ASSERT_FALSE(hand.state().run);
        hand.press(ImGuiKey_F11);
        EXPECT_TRUE(hand.state().presenting.on);
        hand.frames(2);
        EXPECT_TRUE(told());
        hand.press(ImGuiKey_Escape);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_3);
        hand.frames(2);
        EXPECT_FALSE(hand.state().run);
    });
}

TEST(WindowTest, ALargeRunIsSeenBeforeItsCachesWhichComeLater) {
    const auto square = [](Request& request) {
        request.choice.values = {{"width", 16}, {"tile", 16}, {"j", 48}, {"k", 40}, {"l", 72}};
    };
    withWindow(square, [](Hand& hand) {
        hand.awaitRun();
        hand.bringUp("memory");
        hand.type("//##experiment/width/##field", 512);
        const auto says = [&](const std::string& what) {
            return std::ranges::any_of(hand.scene("memory").marks, [&](const viz::Mark& mark) {
                return std::holds_alternative<viz::TextMark>(mark) &&
                       std::get<viz::TextMark>(mark).text.starts_with(what);
            });
        };
        bool saidSo = false, wasAlone = false;
        hand.await(
            [&] {
                wasAlone |= hand.state().job.isShown && !hand.state().run->caches;
                saidSo |= says("The caches are being simulated: ");
                return !hand.state().job.running;
            },
            "the caches are there");
        EXPECT_TRUE(wasAlone) << "its picture came first";
        EXPECT_TRUE(saidSo);
        EXPECT_TRUE(hand.state().run->caches);
        EXPECT_FALSE(says("The caches are being simulated"));
        EXPECT_TRUE(hand.state().run->report.counters.contains("lts__t_sectors_srcunit_tex_op_read"))
            << "and so are the counters that come from them";
    });
}

TEST(WindowTest, EveryViewAtEverySizeThemeAndLanguageHasSomethingToShow) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        struct Look {
            const char* name;
            viz::Size size;
            const char* theme;
            Language language;
            bool everyViewIsPhotographed = false;
        };
        constexpr Look looks[] = {{"1280x800-dark-en", {1280, 800}, "dark", Language::English, true},
                                  {"1920x1080-light-zh", {1920, 1080}, "light", Language::Chinese},
                                  {"800x500-dark-zh", {800, 500}, "dark", Language::Chinese},
                                  {"800x500-light-en", {800, 500}, "light", Language::English},
                                  {"1280x800-light-zh", {1280, 800}, "light", Language::Chinese, true},
                                  {"1920x1080-dark-en", {1920, 1080}, "dark", Language::English}};
        for (const Look& look : looks) {
            hand.resize(look.size);
            for (int presses = 0; presses < 3 && hand.state().theme != look.theme; ++presses)
                hand.click("//##bar/theme/##icon");
            if (hand.state().language != look.language) hand.click("//##bar/language/##text");
            EXPECT_EQ(hand.state().theme, look.theme);
            EXPECT_EQ(hand.state().language, look.language);
            for (const viz::ViewRow& view : viz::views()) {
                if (view.name == "timeline") continue;
                hand.bringUp(std::string(view.name).c_str());
                expectFull(hand, view.name, look.name);
                expectFull(hand, "timeline", look.name);
                if (view.name != "stage" && look.everyViewIsPhotographed)
                    hand.photograph(std::string(view.name) + "-" + look.name);
            }
            hand.bringUp("stage");
            hand.bringUp(look.size.width < 1200 ? "stage" : "source");
            hand.photograph(std::string("stage-") + look.name);
        }
    });
}

}  // namespace
}  // namespace lockstep::shell
