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

}  // namespace
}  // namespace lockstep::shell
