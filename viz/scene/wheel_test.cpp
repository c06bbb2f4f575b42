// The wheel: what is under the mouse stays there, something stays in view, and what scrolls ends at both
// ends.
#include "viz/scene/wheel.h"

#include "explain/cursor/navigation.h"
#include "explain/findings/finding_places.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/opening.h"
#include "viz/scene/canvas.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_machine.h"
#include "viz/testing/test_run.h"
#include "viz/view_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

class Wheels : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene draw(const char* view, const run::Run& run, const Cursor& cursor, Point pan = {}, f32 zoom = 0,
               ViewCache* kept = nullptr) const {
        return findView(view)->build({.run = run,
                                      .cursor = cursor,
                                      .profile = model::defaultProfile(),
                                      .size = {900, 560},
                                      .metrics = *fonts_,
                                      .state = {.pan = pan, .zoom = zoom},
                                      .cache = kept});
    }
    // How far a view was drawn that was asked to scroll so far.
    f32 scrolled(const char* view, const run::Run& run, const Cursor& cursor, f32 to) const {
        ViewCache kept;
        (void)draw(view, run, cursor, {0, to}, 0, &kept);
        const Scrolled* drawn = std::any_cast<Scrolled>(&kept.facts);
        return drawn ? drawn->y : NAN;
    }
    static Cursor at(Dim3 block, u32 step) {
        return {.launch = {}, .block = block, .warp = Warp{0}, .lane = Lane{1}, .step = step};
    }

    std::optional<Fonts> fonts_;
};

bool covers(const Rect& outer, const Rect& r) {
    return r.x >= outer.x && r.y >= outer.y && r.right() <= outer.right() + 0.01f &&
           r.bottom() <= outer.bottom() + 0.01f;
}

TEST_F(Wheels, TheElementUnderTheMouseStaysThere) {
    for (const auto& [width, tile] : {std::pair{3u, 2u}, std::pair{40u, 16u}}) {
        const run::Run run = tiledMatmul(width, tile, true);
        const Cursor cursor = at({0, 0, 0}, 10);
        const Scene whole = draw("stage", run, cursor);
        ASSERT_EQ(whole.panes.size(), 1u);
        const Rect pane = whole.panes.front();
        u32 elements = 0;
        for (const HitArea& area : whole.hits) {
            const Point mouse = area.rect.centre();
            if (!pane.contains(mouse) || whole.hitAt(mouse) != &area.hit)
                continue;                // another one lies over it
            if (!area.hit.go) continue;  // a name, whose letters do not grow
            ++elements;
            for (const f32 zoom : {1.1892f, 2.8284f, 16.0f}) {
                const Scene zoomed =
                    draw("stage", run, cursor,
                         {(mouse.x - pane.x) * (1 - zoom), (mouse.y - pane.y) * (1 - zoom)}, zoom);
                const Hit* hit = zoomed.hitAt(mouse);
                ASSERT_TRUE(hit) << area.hit.hover << ", zoom " << zoom;
                // A part of a map becomes the elements in it, as soon as they can be seen.
                const std::string text = area.hit.text();
                if (const bool isMap = text.starts_with("rows "); isMap && hit->text() != text) {
                    const std::size_t of = text.find(" of ");
                    ASSERT_NE(of, std::string::npos) << text;
                    EXPECT_NE(hit->text().find(text.substr(of + 4, 1) + "["), std::string::npos)
                        << text << " and " << hit->text();
                    continue;
                }
                EXPECT_EQ(hit->text(), text) << "zoom " << zoom;
            }
            if (elements > 60) break;
        }
        EXPECT_GT(elements, 10u) << width;
    }
}

TEST_F(Wheels, WhateverThePanSomethingStaysInViewAndNothingAnswersBesideIt) {
    const run::Run run = tiledMatmul(3, 2, true);
    for (const f32 x : {-1e6f, 0.0f, 1e6f})
        for (const f32 y : {-1e6f, 1e6f}) {
            const Scene scene = draw("stage", run, at({1, 1, 0}, 10), {x, y}, 2);
            u32 inside = 0;
            for (const HitArea& area : scene.hits) {
                const bool isOfStage = area.rect.width > 0 && covers(scene.panes.front(), area.rect);
                inside += isOfStage;
                EXPECT_TRUE(isOfStage || area.rect.width == 0 || area.rect.height == 0 ||
                            area.rect.right() <= scene.panes.front().x ||
                            area.rect.y >= scene.panes.front().bottom())
                    << area.hit.hover;
            }
            EXPECT_GT(inside, 0u) << x << ", " << y;
        }
}

TEST_F(Wheels, EveryStageGrowsUnderTheMouse) {
    for (const run::Run& run : {transpose(32, 32, 9), stridedCopy(4), treeSum(64)}) {
        const Cursor cursor = initialCursor(run);
        const Scene whole = draw("stage", run, cursor);
        ASSERT_EQ(whole.panes.size(), 1u);
        u32 grown = 0;
        for (const HitArea& area : whole.hits) {
            const Point mouse = area.rect.centre();
            if (whole.hitAt(mouse) != &area.hit || area.rect.width > 100)
                continue;  // another one lies over it; a label
            const f32 zoom = std::min(2.0f, whole.mostZoom);
            const Scene zoomed =
                draw("stage", run, cursor, {mouse.x * (1 - zoom), mouse.y * (1 - zoom)}, zoom);
            const Hit* hit = zoomed.hitAt(mouse);
            ASSERT_TRUE(hit) << area.hit.text();
            EXPECT_EQ(hit->text(), area.hit.text());
            EXPECT_EQ(zoomed.sentence, whole.sentence);
            ++grown;
        }
        EXPECT_GT(grown, 10u);
        EXPECT_GT(whole.mostZoom, 1);
    }
}

TEST_F(Wheels, BuffersGrowUnderTheMouse) {
    const run::Run run = columnRead(32);
    const Cursor cursor = at({1, 0, 0}, 1);
    const Scene whole = draw("stage", run, cursor);
    ASSERT_FALSE(whole.panes.empty());
    const HitArea& first = whole.hits.front();
    const Rect pane = whole.panes.front();
    const Point mouse = first.rect.centre();
    const Scene zoomed = draw("stage", run, cursor, {(mouse.x - pane.x) * -3, (mouse.y - pane.y) * -3}, 4);
    const Hit* hit = zoomed.hitAt(mouse);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->text(), first.hit.text());
}

TEST_F(Wheels, WhatScrollsEndsAtBothEnds) {
    const run::Run run = tiledMatmul(3, 2, true);
    const Cursor cursor = at({1, 1, 0}, 20);
    for (const char* view : {"lanes", "source"}) {
        ASSERT_EQ(findView(view)->wheel, Wheel::Scrolls);
        const f32 down = scrolled(view, run, cursor, -1e6f), up = scrolled(view, run, cursor, 1e6f);
        EXPECT_GE(up, down) << view;
        EXPECT_GT(down, -4000.0f) << view;
        EXPECT_LT(up, 4000.0f) << view;
        EXPECT_EQ(scrolled(view, run, cursor, down), down)
            << view << ": what was reached is where the next notch begins";
        EXPECT_EQ(scrolled(view, run, cursor, up), up) << view;
    }
    EXPECT_GT(scrolled("lanes", run, cursor, 1e6f), scrolled("lanes", run, cursor, -1e6f));
}

// A line as long as three windows, at the cursor, and short ones around it.
run::Run withLongLine(u32 blanks) {
    run::Run run = tiledMatmul(3, 2, true);
    auto module = std::make_shared<ptx::Module>(*run.module);
    const CursorContext here =
        lookUp(run, {.launch = {}, .block = {1, 1, 0}, .warp = {}, .lane = {}, .step = 20});
    const explain::SourceLine at = explain::lineOf(*module, here.step->pc);
    std::string text;
    for (u32 line = 1; line <= at.line + 3; ++line)
        text += line == at.line ? std::string(blanks, ' ') + "first" + std::string(300, 'x') + "last\n"
                                : "short\n";
    module->sources[at.file] = text;
    run.module = module;
    return run;
}

std::optional<f32> leftOf(const Scene& scene, std::string_view begin) {
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark); text && text->text.starts_with(begin))
            return text->at.x;
    return std::nullopt;
}

TEST_F(Wheels, CodeScrollsAcrossAsFarAsThereIsALineThatGoesOn) {
    const run::Run run = withLongLine(4);
    const Cursor cursor = at({1, 1, 0}, 20);
    ViewCache kept;
    const auto drawnAt = [&](f32 x) {
        const Scene scene = draw("source", run, cursor, {x, 0}, 0, &kept);
        return std::pair(leftOf(scene, "first").value_or(NAN),
                         std::any_cast<Scrolled>(&kept.facts)->x.value_or(NAN));
    };
    const auto [left, start] = drawnAt(0);
    EXPECT_EQ(start, 0);
    EXPECT_EQ(drawnAt(1e6f).second, 0) << "not beyond its beginning";
    const auto [moved, by] = drawnAt(-100);
    EXPECT_EQ(by, -100);
    EXPECT_FLOAT_EQ(moved, left - 100);
    const f32 end = drawnAt(-1e6f).second;
    EXPECT_LT(end, -1000);
    EXPECT_EQ(drawnAt(end).second, end);
    const TextStyle code{.size = type::kCode, .mono = true};
    const f32 lastColumn =
        drawnAt(end).first + fonts_->width("first" + std::string(300, 'x') + "last", code.size, code.face());
    EXPECT_LE(lastColumn, 900) << "the last column is in sight";
    EXPECT_GT(lastColumn, 900 - 60) << "and nothing behind it";
}

TEST_F(Wheels, ACursorsLineThatBeginsFarBehindIsSeenFromItsFirstColumn) {
    const run::Run run = withLongLine(150);
    const Scene scene = draw("source", run, at({1, 1, 0}, 20));
    const std::optional<f32> left = leftOf(scene, "first");
    ASSERT_TRUE(left);
    EXPECT_GT(*left, 0);
    EXPECT_LT(*left, 450);
}

TEST_F(Wheels, EveryTabOfTheSourceScrollsAcross) {
    const run::Run run = tiledMatmulMachine(tiledMatmul(3, 2, true));
    for (const SourceTab tab : {SourceTab::Cuda, SourceTab::Ptx, SourceTab::Machine}) {
        ViewCache kept;
        (void)findView("source")->build({.run = run,
                                         .cursor = at({1, 1, 0}, 8),
                                         .profile = model::defaultProfile(),
                                         .size = {200, 400},
                                         .metrics = *fonts_,
                                         .state = {.pan = {-30, 0}, .zoom = 0, .options = SourceOptions{tab}},
                                         .cache = &kept});
        EXPECT_EQ(std::any_cast<Scrolled>(&kept.facts)->x, -30) << nameOf(tab);
    }
}

TEST_F(Wheels, TheFindingAtTheCursorIsSeen) {
    run::Run run = tiledMatmul(3, 2, false);
    const trace::FocusBlock& block = *run.recording.trace.find({}, {0, 0, 0});
    std::vector<Pc> accesses;  // one finding for each instruction that reaches for memory
    for (const trace::Step& step : block.warps[0].steps)
        if (step.access != trace::Step::kNone && std::ranges::find(accesses, step.pc) == accesses.end())
            accesses.push_back(step.pc);
    for (const trace::FindingKind kind :
         {trace::FindingKind::OutOfBounds, trace::FindingKind::Race, trace::FindingKind::UninitializedRead})
        for (const Pc pc : accesses) {
            trace::Finding finding;
            finding.kind = kind;
            finding.who = {
                .pc = pc, .block = {0, 0, 0}, .thread = {0, 0, 0}, .kind = trace::AccessKind::Load};
            run.recording.findings.push_back(finding);
        }
    EXPECT_LT(scrolled("findings", run, at({1, 1, 0}, 0), -1e6f), -100) << "there are more than fit";
    EXPECT_EQ(scrolled("findings", run, at({1, 1, 0}, 0), 1e6f), 0);
    for (const trace::Finding& finding : run.recording.findings) {
        const std::optional<Cursor> there = explain::cursorOf(run, finding);
        ASSERT_TRUE(there);
        const Scene scene = draw("findings", run, *there);
        EXPECT_TRUE(
            std::ranges::any_of(scene.hits, [&](const HitArea& area) { return area.hit.go == *there; }));
    }
}

TEST_F(Wheels, ARowOfTheMemoryTableLeadsFromAccessToAccess) {
    run::Run run = tiledMatmul(3, 2, true);
    for (const trace::AccessKind kind : {trace::AccessKind::Load, trace::AccessKind::Store}) {
        model::SiteReport site;
        site.space = trace::Space::Shared, site.kind = kind, site.executions = 4;
        run.report.sites.push_back(site);
    }
    const auto& warp = run.recording.trace.find({}, {1, 1, 0})->warps[0];
    Cursor cursor = at({1, 1, 0}, 0);
    u32 met = 0;
    for (u32 before = 0; met < 5; before = cursor.step, ++met) {
        const Scene scene = draw("memory", run, cursor);
        const auto row = std::ranges::find_if(scene.hits, [](const HitArea& area) {
            return area.hit.go && area.hit.hover.find("shared load") != std::string::npos;
        });
        ASSERT_NE(row, scene.hits.end());
        cursor = *row->hit.go;
        const trace::StoredAccess& access = warp.accesses[warp.steps[cursor.step].access];
        EXPECT_EQ(access.space, trace::Space::Shared);
        EXPECT_EQ(access.kind, trace::AccessKind::Load);
        EXPECT_TRUE(access.active.has(cursor.lane));
        EXPECT_NE(cursor.step, before);
    }
}

}  // namespace
}  // namespace lockstep::viz
