// A race at the cursor: the stage marks where the two threads meet, and names the other one.
#include "viz/parts/conflicting_thread.h"

#include "explain/findings/finding_places.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr Pc kStoreM{3}, kReadMds{7};  // of tiledMatmul

// Thread (x 0, y 0) stores Mds[0][0] while thread (x 1, y 0) reads it.
run::Run racing(bool withStage) {
    run::Run run = tiledMatmul(3, 2, true);
    if (!withStage) run.catalog.reset();
    trace::Finding race;
    race.kind = trace::FindingKind::Race;
    race.who = {.pc = kStoreM, .block = {1, 1, 0}, .thread = {0, 0, 0}, .kind = trace::AccessKind::Store};
    race.other = trace::Culprit{
        .pc = kReadMds, .block = {1, 1, 0}, .thread = {1, 0, 0}, .kind = trace::AccessKind::Load};
    race.space = trace::Space::Shared;
    race.address = 0;
    race.widthBytes = 4;
    run.recording.findings.push_back(race);
    return run;
}

class ConflictingThreadTest : public ::testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene stage(const run::Run& run, const Cursor& cursor) const {
        return findView("stage")->build({.run = run,
                                         .cursor = cursor,
                                         .profile = model::defaultProfile(),
                                         .size = {900, 640},
                                         .metrics = *fonts_});
    }
    static const TextMark* named(const Scene& scene, const std::string& what) {
        const auto found = std::ranges::find_if(scene.marks, [&](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text == what && text->role == role(RoleKind::Finding);
        });
        return found == scene.marks.end() ? nullptr : &std::get<TextMark>(*found);
    }
    std::optional<Fonts> fonts_;
};

TEST_F(ConflictingThreadTest, IsNamedBesideTheElementAndLedTo) {
    for (const bool withStage : {true, false}) {
        const run::Run run = racing(withStage);
        const Cursor cursor = *explain::cursorOf(run, run.recording.findings.front()),
                     other = *explain::cursorOf(run, {}, *run.recording.findings.front().other);
        const Scene scene = stage(run, cursor);
        const TextMark* name = named(scene, "read by thread (x 1, y 0)");
        ASSERT_TRUE(name) << withStage;
        const Hit* hit = scene.hitAt(name->at);
        ASSERT_TRUE(hit && hit->go);
        EXPECT_EQ(*hit->go, other);
        EXPECT_FALSE(hit->text().empty());
        const bool outlined = std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* rect = std::get_if<RectMark>(&mark);
            return rect && rect->stroke.role == role(RoleKind::Finding) &&
                   std::abs(rect->rect.centre().y - name->at.y) < rect->rect.height;
        });
        EXPECT_TRUE(outlined);
    }
}

TEST_F(ConflictingThreadTest, IsNotThereWhereTheCursorStandsOnNoFindingOrTheOtherIsInAnotherBlock) {
    run::Run run = racing(true);
    Cursor cursor = *explain::cursorOf(run, run.recording.findings.front());
    EXPECT_TRUE(explain::conflictingThreadAt(run, cursor, Language::English));
    run.recording.findings.front().other->block = {0, 1, 0};
    EXPECT_FALSE(explain::conflictingThreadAt(run, cursor, Language::English));
    ++cursor.step;
    EXPECT_FALSE(named(stage(run, cursor), "read by thread (x 1, y 0)"));
}

}  // namespace
}  // namespace lockstep::viz
