// Cells that are too small for numbers have theirs under the magnifier.
#include "looked_at.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/fonts.h"
#include "viz/scene/tokens.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

namespace lockstep {
namespace {

using namespace viz;

bool hasText(const Scene& scene, const Rect& cell) {
    return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && cell.contains({text->at.x, text->at.y - text->size * type::kMiddle});
    });
}

// Of the cells that stand for an element that the warp reads or writes now.
std::optional<Rect> cellOfCursor(const Scene& scene, const CursorContext& here, const Cursor& cursor) {
    if (!here.access || !here.access->active.has(cursor.lane)) return std::nullopt;
    const auto of =
        here.access->space == trace::Space::Shared ? ValueCell::Of::Shared : ValueCell::Of::Global;
    const u64 address = here.warp->address(*here.access, cursor.lane);
    for (const ValueCell& cell : scene.cells)
        if (cell.of == of && cell.at == address && !hasText(scene, cell.rect)) return cell.rect;
    return std::nullopt;
}

// The part of P that other warps compute has no values yet.
TEST(MagnifiedValuesTest, PatchesOfOtherWarpsAreNoEmptyPicture) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const Expected<run::Run> run = runShipped("matmul/register-2d", {});
    ASSERT_TRUE(run) << describe(run.error());
    const Size size{746, 472};
    const Cursor cursor = initialCursor(*run);
    ViewInput in{.run = *run, .cursor = cursor, .profile = run->profile, .size = size, .metrics = *fonts};
    const Scene whole = findView("stage")->build(in);
    const auto patch = std::ranges::find_if(whole.hits, [&](const HitArea& area) {
        return area.hit.hoverLater && area.hit.go && area.hit.go->warp != cursor.warp;
    });
    ASSERT_TRUE(patch != whole.hits.end());
    const Point middle = patch->rect.centre();
    in.state.zoom = whole.mostZoom;
    in.state.pan = {size.width / 2 - middle.x * in.state.zoom, size.height / 2 - middle.y * in.state.zoom};
    const Scene large = findView("stage")->build(in);
    const Point centre{size.width / 2, size.height / 2};
    EXPECT_TRUE(std::ranges::any_of(large.marks, [&](const Mark& mark) {
        const auto* rect = std::get_if<RectMark>(&mark);
        return rect && rect->stroke.role.kind == RoleKind::Edge && rect->rect.contains(centre) &&
               rect->rect.width < size.width / 2;
    }));
}

TEST(MagnifiedValuesTest, AreNotNeededForVectorsOfFewElementsBesideOneOfMany) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const Expected<run::Run> run = runShipped("histogram/private-copies", {{"n", "65536"}});
    ASSERT_TRUE(run) << describe(run.error());
    const Scene scene = findView("stage")->build({.run = *run,
                                                  .cursor = initialCursor(*run),
                                                  .profile = run->profile,
                                                  .size = {746, 500},
                                                  .metrics = *fonts});
    constexpr f32 kForDigits = 16;
    u32 cells = 0;
    for (const ValueCell& cell : scene.cells) {
        if (cell.of != ValueCell::Of::Shared) continue;
        ++cells;
        EXPECT_GE(cell.rect.width, kForDigits);
    }
    EXPECT_EQ(cells, 16u);
}

TEST(MagnifiedValuesTest, StandInCellsOfTransposesAndPatchesToo) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const ViewRow* stage = findView("stage");
    ASSERT_TRUE(stage);
    const Size size{1280, 720};
    for (const char* name : {"transpose/naive", "transpose/shared", "matmul/register-2d"}) {
        const Expected<run::Run> run = runShipped(name, {});
        ASSERT_TRUE(run) << name << ": " << describe(run.error());
        u32 looked = 0, written = 0;
        Cursor cursor = initialCursor(*run);
        const CursorContext first = lookUp(*run, cursor);
        ASSERT_TRUE(first.warp) << name;
        for (cursor.step = 0; cursor.step < first.warp->steps.size() && looked < 6; ++cursor.step) {
            const CursorContext here = lookUp(*run, cursor);
            if (!here.access || here.access->kind != trace::AccessKind::Load) continue;
            ViewInput in{
                .run = *run, .cursor = cursor, .profile = run->profile, .size = size, .metrics = *fonts};
            const Scene whole = stage->build(in);
            const std::optional<Rect> cell = cellOfCursor(whole, here, cursor);
            if (!cell || std::min(cell->width, cell->height) * whole.mostZoom < 30) continue;
            ++looked;
            in.state.zoom = std::min(whole.mostZoom, 60 / std::min(cell->width, cell->height));
            const Rect all{0, 0, size.width, size.height};
            const Rect pane = whole.panes.empty() ? all : static_cast<const Rect&>(whole.panes.front());
            const Point middle = cell->centre();
            in.state.pan = {pane.width / 2 - (middle.x - pane.x) * in.state.zoom,
                            pane.height / 2 - (middle.y - pane.y) * in.state.zoom};
            const Scene large = stage->build(in);
            const auto found = std::ranges::find_if(large.cells, [&](const ValueCell& other) {
                return other.rect.width > cell->width && hasText(large, other.rect);
            });
            written += found != large.cells.end();
        }
        EXPECT_GT(looked, 0u) << name;
        EXPECT_EQ(written, looked) << name;
    }
}

}  // namespace
}  // namespace lockstep
