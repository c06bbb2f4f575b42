// Every view of every family of the catalog, at the places where something happens, as large as windows and
// their panels are, in both languages and all themes: no text runs into another or is cut off.
#include "looked_at.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "viz/compare/comparison.h"
#include "viz/messages.h"
#include "viz/painters/svg/svg.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace lockstep {
namespace {

using namespace viz;

// Logical pixels: whole windows of 1280 x 720, of 1920 x 1080 (and so of 3840 x 2160 at scale 2), and what
// the arrangement leaves to the middle, the right and the timeline in each.
constexpr Size kSizes[] = {{1280, 720},  {588, 400},  {460, 400}, {1280, 140},
                           {1920, 1080}, {1142, 770}, {538, 770}, {1920, 270}};

// What is drawn of a family: its first variant that runs at its defaults, and the next one beside it; and a
// kernel with findings.
struct Subject {
    std::string name;
    run::Run run, other;
    IssuesOnShow issues{};  // of the block where it is first shown
    OrdersOnShow orders{};
};

std::vector<Subject> subjects() {
    std::vector<Subject> all;
    for (const catalog::Family& family : shipped().families()) {
        Expected<run::Run> run = runShipped(nameOfVariant(family, 0), {}),
                           other = runShipped(nameOfVariant(family, 1), {});
        EXPECT_TRUE(run && other) << family.name;
        if (run && other) all.push_back({family.name, std::move(*run), std::move(*other)});
    }
    Expected<run::Run> faulty = runShipped("matmul/missing-second-barrier", {}),
                       repaired = runShipped("matmul/tiled", {});
    EXPECT_TRUE(faulty && repaired);
    if (faulty && repaired)
        all.push_back({"matmul/missing-second-barrier", std::move(*faulty), std::move(*repaired)});
    return all;
}

std::vector<Cursor> cursorsOf(const run::Run& run) {
    const Cursor initial = initialCursor(run);
    Cursor end = explain::toEnd(run, initial);
    end.lane = Lane{17};
    return placesToLookAt(run, {explain::forward(run, run.profile, initial, explain::Stride::Finding), end});
}

struct Look {
    const ViewRow& view;
    const Subject& subject;
    Cursor cursor;
    Size size;
    Language language;
    std::optional<StepRange> range{};  // of the timeline
};

Scene sceneOf(const Look& look, const Fonts& fonts, const std::vector<run::RecordedMachine>& machines) {
    const ComparedRun beside{look.subject.other,
                             tied(look.subject.run, look.cursor, look.subject.other, Tie::Phase),
                             look.subject.other.profile};
    return look.view.build({.run = look.subject.run,
                            .cursor = look.cursor,
                            .profile = look.subject.run.profile,
                            .size = look.size,
                            .language = look.language,
                            .metrics = fonts,
                            .machines = &machines,
                            .compared = &beside,
                            .range = look.range,
                            .issues = &look.subject.issues,
                            .orders = &look.subject.orders});
}

std::string described(const Look& look) {
    return fmt::format("{}, {}, warp {}, step {}, {} x {}, {}", look.subject.name, look.view.name,
                       look.cursor.warp.value, look.cursor.step + 1, look.size.width, look.size.height,
                       nameOfLanguage(look.language));
}

// Of "abc…" is cut: whether a hover of the picture says the whole, as that of a table's row does.
bool isWholeUnderTheMouse(const Scene& scene, const std::string& wrong) {
    const std::size_t end = wrong.find("…\"");
    if (!wrong.starts_with("\"") || end == std::string::npos) return false;
    const std::string beginning = wrong.substr(1, end - 1);
    return std::ranges::any_of(scene.hits, [&](const HitArea& area) {
        return area.hit.text().find(beginning) != std::string::npos;
    });
}

class VisualTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        subjects_ = subjects();
        for (Subject& subject : subjects_)
            subject.issues = issuesAt(subject.run, initialCursor(subject.run)),
            subject.orders = ordersOf(subject.run);
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
        Expected<std::vector<run::HardwareRecording>> recordings =
            run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
        ASSERT_TRUE(recordings) << describe(recordings.error());
        machines_ = run::recordedMachines(std::move(*recordings), shipped());
        for (Subject& subject : subjects_)
            for (run::Run* run : {&subject.run, &subject.other})
                run::attachRecorded(*run, machines_);
    }
    static void TearDownTestSuite() {
        subjects_.clear();
        machines_.clear();
        fonts_.reset();
    }
    static inline std::vector<Subject> subjects_;
    static inline std::vector<run::RecordedMachine> machines_;
    static inline std::optional<Fonts> fonts_;
};

TEST_F(VisualTest, NoTextOfAnyFamilyRunsIntoAnotherOrIsCutOff) {
    ASSERT_GE(subjects_.size(), 9u);
    std::set<std::string> complained;  // once for each view of a family is enough
    u32 scenes = 0;
    for (const Subject& subject : subjects_)
        for (const Cursor& cursor : cursorsOf(subject.run))
            for (const ViewRow& view : views())
                for (const Size size : kSizes)
                    for (const Language language : {Language::English, Language::Chinese})
                        for (const bool withRange : {false, true}) {
                            if (withRange && view.name != "timeline") continue;
                            Look look{view, subject, cursor, size, language};
                            if (withRange)
                                look.range = StepRange{.launch = cursor.launch,
                                                       .block = cursor.block,
                                                       .warp = cursor.warp,
                                                       .first = cursor.step / 2,
                                                       .last = cursor.step};
                            ++scenes;
                            const Scene scene = sceneOf(look, *fonts_, machines_);
                            if (const std::vector<std::string> untidy = wrongTexts(scene, *fonts_);
                                !untidy.empty() &&
                                complained.insert(subject.name + std::string(view.name)).second)
                                ADD_FAILURE() << described(look) << ": " << untidy.front();
                        }
    EXPECT_GT(scenes, 1000u);
}

// A language whose words are 40% longer. What a table cuts is whole under the mouse.
TEST_F(VisualTest, ALanguageWithLongerWordsHasRoom) {
    const Language longer = languageOf(kPseudoLanguage).value();
    std::set<std::string> complained;
    u32 scenes = 0;
    for (const Subject& subject : subjects_)
        for (const Cursor& cursor : cursorsOf(subject.run))
            for (const ViewRow& view : views())
                for (const Size size : kSizes) {
                    const Look look{view, subject, cursor, size, longer};
                    ++scenes;
                    const Scene scene = sceneOf(look, *fonts_, machines_);
                    for (const std::string& wrong : wrongTexts(scene, *fonts_))
                        if (!isWholeUnderTheMouse(scene, wrong) &&
                            complained.insert(std::string(view.name) + wrong).second)
                            ADD_FAILURE() << described(look) << ": " << wrong;
                }
    EXPECT_GT(scenes, 1000u);
}

// Each variant with each of its sliders at the lower end: a matrix of one element, a block of one thread.
TEST_F(VisualTest, EveryStageHasSomethingToShowAtTheLowerEndOfASlider) {
    u32 drawn = 0;
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants)
            for (const catalog::Parameter& parameter : family.parameters) {
                if (parameter.isChoice() ||
                    std::ranges::find(variant.parameters, parameter.name) == variant.parameters.end())
                    continue;
                const Expected<run::Run> run = runShipped(family.name + "/" + variant.name,
                                                          {{parameter.name, std::to_string(parameter.min)}});
                if (!run) continue;  // a combination that the kernel refuses
                const Cursor cursor = initialCursor(*run);
                for (const Size size : {Size{1142, 770}, Size{588, 400}}) {
                    const Scene scene = findView("stage")->build({.run = *run,
                                                                  .cursor = cursor,
                                                                  .profile = run->profile,
                                                                  .size = size,
                                                                  .language = Language::English,
                                                                  .metrics = *fonts_});
                    EXPECT_NE(scene.sentence, message::kTooSmall.english())
                        << family.name << "/" << variant.name << ", " << parameter.name << " = "
                        << parameter.min << ", " << size.width;
                    ++drawn;
                }
            }
    EXPECT_GT(drawn, 100u);
}

// A scene knows what a color means, the theme which one it is: what holds in one theme holds in all.
TEST_F(VisualTest, ThemesChangeColorsAndNothingElse) {
    const std::regex color("#[0-9A-F]{6}");
    for (const ViewRow& view : views()) {
        const Subject& subject = subjects_.front();
        const Scene scene = sceneOf(
            {view, subject, initialCursor(subject.run), {1280, 720}, Language::English}, *fonts_, machines_);
        std::set<std::string> shapes;
        for (const Theme& theme : themes())
            shapes.insert(std::regex_replace(toSvg(scene, theme), color, "#"));
        EXPECT_EQ(shapes.size(), 1u) << view.name;
    }
}

}  // namespace
}  // namespace lockstep
