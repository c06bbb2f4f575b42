// Questions that are answered by a click in a view: a line in Source, an element in the stage, lanes in
// Lanes. What is clicked is framed, and does not move the cursor while the question is open.
#include "app/shell/window_tests/window_driver.h"

#include <algorithm>

namespace lockstep::shell {
namespace {

const app::LessonState& lessonOf(const Hand& hand) { return hand.state().lessons; }

void open(Hand& hand, const std::string& lesson, const std::string& step) {
    hand.press(ImGuiKey_F2);
    hand.await([&] { return !lessonOf(hand).all.empty(); }, "the lessons are listed");
    hand.click(("//##lesson/lesson " + lesson).c_str());
    hand.await([&] { return lessonOf(hand).step != nullptr; }, lesson.c_str());
    const lessons::Lesson& of = *lessonOf(hand).step->lesson;
    hand.click(("//##lessonhead/step" + std::to_string(of.indexOf(*of.find(step)) + 1)).c_str());
    hand.await([&] { return lessonOf(hand).step && lessonOf(hand).step->step().id == step; }, step.c_str());
    hand.frames(8);
}

// In the middle of the largest hit for which the condition holds, in the window's pixels.
template <class Condition> ImVec2 placeWhere(const Hand& hand, const char* view, Condition&& isMeant) {
    const viz::Scene& scene = hand.scene(view);
    const ImGuiWindow* window = Hand::windowOf((std::string("###") + view).c_str());
    const viz::HitArea* found = nullptr;
    for (const viz::HitArea& area : scene.hits)
        if (isMeant(area.hit) &&
            (!found || area.rect.width * area.rect.height > found->rect.width * found->rect.height))
            found = &area;
    if (!found) {
        ADD_FAILURE() << view << " has nothing like that";
        return {};
    }
    const f32 scale = (window->Rect().GetWidth()) / scene.size.width;
    const viz::Point centre = found->rect.centre();
    const ImVec2 low{window->Rect().Max.x - scene.size.width * scale,
                     window->Rect().Max.y - scene.size.height * scale};
    return {low.x + centre.x * scale, low.y + centre.y * scale};
}

void clickAt(Hand& hand, ImVec2 at) { hand.drag(at, at); }

void checkIsRight(Hand& hand) {
    hand.click("//##lesson/check/##text");
    hand.await([&] { return !lessonOf(hand).attempt.isJudged; }, "it is judged");
    EXPECT_TRUE(lessonOf(hand).isSettled()) << lessonOf(hand).attempt.answer;
}

TEST(LessonClickTest, ALineOfTheSourceIsAnAnswer) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        open(hand, "races", "lines");
        const viz::Cursor before = hand.state().cursor;
        // The first of the kernel's lines that are in sight.
        std::string clicked;
        for (const lessons::CodeLine& line : lessonOf(hand).step->code) {
            const std::string said = "Line " + std::to_string(line.number);
            const auto& hits = hand.scene("source").hits;
            if (clicked.empty() && std::ranges::any_of(hits, [&](const viz::HitArea& area) {
                    return area.hit.text().ends_with(said);
                }))
                clicked = std::to_string(line.number);
        }
        ASSERT_FALSE(clicked.empty());
        clickAt(hand, placeWhere(hand, "source", [&](const viz::Hit& hit) {
                    return hit.text().ends_with("Line " + clicked);
                }));
        EXPECT_EQ(lessonOf(hand).attempt.answer, clicked);
        EXPECT_EQ(hand.state().cursor, before);
        hand.photograph("lesson-click-line");
    });
}

TEST(LessonClickTest, AnElementOfTheStageIsAnAnswer) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        open(hand, "tiles", "thread");
        const std::string answer = lessonOf(hand).step->answer;
        clickAt(hand, placeWhere(hand, "stage", [&](const viz::Hit& hit) {
                    return lessons::elementNamedIn(hit.text(), lessonOf(hand).step->arrays) == answer;
                }));
        EXPECT_EQ(lessonOf(hand).attempt.answer, answer);
        hand.photograph("lesson-click-element");
        checkIsRight(hand);
    });
}

TEST(LessonClickTest, LanesAreChosenAndLeftOutByAClick) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        open(hand, "reduction", "who-adds");
        const LaneMask lanes = lessons::lanesBeingChosen(lessonOf(hand).step->answer);
        const auto click = [&](Lane lane) {
            clickAt(hand, placeWhere(hand, "lanes", [&](const viz::Hit& hit) {
                        viz::Cursor wanted = hand.state().cursor;
                        wanted.lane = lane;
                        return hit.go == wanted && !hit.scrub;
                    }));
        };
        const Lane some{3};
        click(some);
        EXPECT_TRUE(lessons::lanesBeingChosen(lessonOf(hand).attempt.answer).has(some));
        click(some);
        EXPECT_FALSE(lessons::lanesBeingChosen(lessonOf(hand).attempt.answer).has(some)) << "out again";
        for (const Lane lane : lanes)
            click(lane);
        EXPECT_EQ(lessons::lanesBeingChosen(lessonOf(hand).attempt.answer), lanes);
        hand.photograph("lesson-click-lanes");
        checkIsRight(hand);
    });
}

// On the screen: a lane of the strip of 16 columns.
ImVec2 laneAt(Hand& hand, s64 lane) {
    const ImRect area = hand.rectOf("//##lesson/lanes");
    const f32 width = area.GetWidth() / 16;
    const s64 row = lane / 16;
    return {area.Min.x + width * (f32(lane % 16) + 0.5f), area.Min.y + 24 * (f32(row) + 0.5f)};
}

TEST(LessonLanesTest, ALaneIsDroppedOnAGroupAndPaintingStays) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        open(hand, "banks", "machine");
        ASSERT_EQ(lessonOf(hand).step->input(), lessons::AnswerInput::Groups);
        const auto groups = [&] { return lessons::groupsBeingMade(lessonOf(hand).attempt.answer); };
        const auto tab = [&](const char* name) { return hand.rectOf(name).GetCenter(); };
        hand.drag(laneAt(hand, 0), laneAt(hand, 15));
        hand.click("//##lesson/more/##text");
        hand.drag(laneAt(hand, 16), laneAt(hand, 31));
        ASSERT_EQ(groups().size(), 2u);
        EXPECT_EQ(groups()[0].count(), 16u);
        // Dragged over other lanes and back.
        hand.drag(laneAt(hand, 0), tab("//##lesson/group2/$$0/##segment"));
        EXPECT_TRUE(groups()[1].has(Lane{0}));
        EXPECT_EQ(groups()[0].count(), 15u) << lessonOf(hand).attempt.answer;
        EXPECT_EQ(groups()[1].count(), 17u);
        hand.drag(laneAt(hand, 0), tab("//##lesson/group1/$$0/##segment"));
        EXPECT_EQ(groups()[0].count(), 16u);
        EXPECT_EQ(groups()[1].count(), 16u);
        hand.drag(laneAt(hand, 31), tab("//##lesson/more/##text"));
        ASSERT_EQ(groups().size(), 3u) << "a group of its own";
        EXPECT_EQ(groups()[2].count(), 1u);
        EXPECT_TRUE(groups()[2].has(Lane{31}));
        hand.frames(4);
        hand.photograph("lesson-lane-dropped");
    });
}

TEST(LessonLanesTest, LanesAreChosenWithTheKeys) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        open(hand, "banks", "machine");
        const ImGuiID lanes = hand.idOf("//##lesson/lanes");
        for (int i = 0; i < 60 && ImGui::GetCurrentContext()->NavId != lanes; ++i)
            hand.press(ImGuiKey_Tab);
        ASSERT_EQ(ImGui::GetCurrentContext()->NavId, lanes) << "Tab reaches it";
        const viz::Cursor before = hand.state().cursor;
        hand.press(ImGuiKey_Enter);
        hand.press(ImGuiKey_RightArrow);
        hand.press(ImGuiKey_DownArrow);
        hand.press(ImGuiKey_Enter);
        EXPECT_EQ(lessonOf(hand).attempt.answer, "0, 17");
        EXPECT_EQ(hand.state().cursor, before) << "the arrows are the strip's";
        hand.photograph("lesson-lane-keys");
        hand.press(ImGuiKey_Enter);
        EXPECT_EQ(lessonOf(hand).attempt.answer, "0") << "out again";
    });
}

}  // namespace
}  // namespace lockstep::shell
