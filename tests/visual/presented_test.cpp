// Every family as a hall sees it, in every view, at the places where something happens: no letter
// is smaller than the last row can read, and no text runs into another, is struck through or is cut off.
#include "looked_at.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/presentation.h"
#include "viz/messages.h"
#include "viz/scene/fonts.h"
#include "viz/scene/tokens.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

using namespace viz;

std::vector<Cursor> cursorsOf(const run::Run& run) {
    const Cursor initial = initialCursor(run);
    return placesToLookAt(run, {explain::forward(run, run.profile, initial, explain::Stride::Phase),
                                explain::toStart(run, initial), explain::toEnd(run, initial)});
}

TEST(PresentedTest, LettersAreLargeAndWholeInEveryFamilyAndView) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    Expected<std::vector<run::HardwareRecording>> recordings = run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
    ASSERT_TRUE(recordings) << describe(recordings.error());
    const std::vector<run::RecordedMachine> machines =
        run::recordedMachines(std::move(*recordings), shipped());
    struct Subject {
        std::string name;
        Settings settings;
    };
    std::vector<Subject> subjects{{"matmul/tiled-bounds", {{"width", "3"}, {"tile", "2"}}},
                                  {"matmul/tiled-bounds", {{"width", "64"}, {"tile", "16"}}},
                                  {"matmul/tiled", {{"width", "3"}, {"tile", "2"}}},
                                  {"matmul/missing-second-barrier", {{"width", "8"}, {"tile", "8"}}},
                                  {"matmul/naive", {{"width", "4"}}}};
    for (const catalog::Family& family : shipped().families())
        subjects.push_back({nameOfVariant(family, 0), {}});
    u32 scenes = 0;
    std::set<std::string> complained;  // once for each view of a subject is enough
    for (const Subject& subject : subjects) {
        Expected<run::Run> run = runShipped(subject.name, subject.settings);
        ASSERT_TRUE(run) << subject.name << ": " << describe(run.error());
        run::attachRecorded(*run, machines);
        const std::vector<Cursor> cursors = cursorsOf(*run);
        const IssuesOnShow issues = issuesAt(*run, cursors.front());
        const OrdersOnShow orders = ordersOf(*run);
        const std::string family = subject.name.substr(0, subject.name.find('/'));
        const Expected<run::Run> other = runShipped(nameOfVariant(*shipped().find(family), 1), {});
        ASSERT_TRUE(other);
        for (const Cursor& cursor : cursors)
            for (const ViewRow& view : views()) {
                // What shows no step of its own is the same for all of them.
                if (!view.isLens && view.name != "stage" && cursor != cursors.front()) continue;
                const std::string name(view.name);
                const ComparedRun beside{*other, tied(*run, cursor, *other, Tie::Phase), other->profile};
                for (const Size window : {Size{1440, 900}, Size{1920, 1080}})
                    for (const Language language : {Language::English, Language::Chinese}) {
                        const HallLayout hall = hallLayout(window);
                        EXPECT_NEAR(hall.letters * type::kAxis, hall::kLeastLetters * hall.screen, 0.01f);
                        const Scene scene = presented(view, {.run = *run,
                                                             .cursor = cursor,
                                                             .profile = run->profile,
                                                             .size = hall.viewSize(),
                                                             .language = language,
                                                             .metrics = *fonts,
                                                             .machines = &machines,
                                                             .compared = &beside,
                                                             .issues = &issues,
                                                             .orders = &orders});
                        ++scenes;
                        std::vector<std::string> wrong = wrongTexts(scene, *fonts);
                        if (scene.sentence == message::kTooSmall.in(language))
                            wrong.emplace_back("there is not enough room");
                        for (const Mark& mark : scene.marks)
                            if (const auto* text = std::get_if<TextMark>(&mark);
                                text && text->size * hall.letters < hall::kLeastLetters * hall.screen - 0.1f)
                                wrong.push_back(fmt::format("\"{}\" is small", text->text));
                        if (!wrong.empty() && complained.insert(subject.name + name).second)
                            ADD_FAILURE() << subject.name << ", " << name << ", warp " << cursor.warp.value
                                          << ", step " << cursor.step + 1 << ", " << window.width << ", "
                                          << nameOfLanguage(language) << ": " << wrong.front();
                    }
            }
    }
    EXPECT_GT(scenes, 500u);
}

// Where there are many warps or strips, their rows are low.
TEST(PresentedTest, EveryRowAndStripOfTheIssueTimelineHasItsName) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    for (const auto& [width, tile] : {std::pair{"3", "2"}, std::pair{"64", "32"}}) {
        const Expected<run::Run> run = runShipped("matmul/tiled-bounds", {{"width", width}, {"tile", tile}});
        ASSERT_TRUE(run) << describe(run.error());
        const Cursor cursor = initialCursor(*run);
        const IssuesOnShow issues = issuesAt(*run, cursor);
        ASSERT_TRUE(issues.run);
        for (const Size window : {Size{1280, 720}, Size{1440, 900}, Size{2560, 1440}}) {
            const ViewInput in{.run = *run,
                               .cursor = cursor,
                               .profile = run->profile,
                               .size = hallLayout(window).viewSize(),
                               .language = Language::English,
                               .metrics = *fonts,
                               .issues = &issues,
                               .titled = false};
            const ViewRow& view = *findView("issue");
            EXPECT_EQ(presented(view, in).marks.size(), view.build(in).marks.size())
                << tile << ", " << window.width << ": of which some are left out as too small";
        }
    }
}

}  // namespace
}  // namespace lockstep
