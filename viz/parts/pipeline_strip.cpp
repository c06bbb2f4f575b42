#include "viz/parts/pipeline_strip.h"

#include "base/text/words.h"
#include "viz/cursor/presentation.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/parts/first_around.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

using explain::TilePipeline;

constexpr Words kBoth = english("Warp {0} multiplies tile {1} while tile {2} is loaded");
constexpr Words kMultiplies = english("Warp {0} multiplies tile {1}");
constexpr Words kLoads = english("Warp {0} loads tile {1}");
constexpr Words kNeither = english("Warp {0}: loads and products of {1} {1:tile|tiles}");
constexpr Words kLoadRow = english("load");
constexpr Words kMultiplyRow = english("multiply");
constexpr Words kLoadHover = english("Warp {0} loads tile {1} of {2}: steps {3} to {4}.");
constexpr Words kMultiplyHover = english("Warp {0} multiplies tile {1} of {2}: steps {3} to {4}.");
constexpr u32 kMostTiles = 9;  // bars that can be read from the back row

std::string titleOf(const ViewInput& in, const TilePipeline& pipeline) {
    const auto loaded = pipeline.loadedAt(in.cursor.step), multiplied = pipeline.multipliedAt(in.cursor.step);
    const u32 warp = in.cursor.warp.value;
    if (loaded && multiplied && loaded != multiplied)
        return say(in.language, kBoth, warp, *multiplied + 1, *loaded + 1);
    if (multiplied) return say(in.language, kMultiplies, warp, *multiplied + 1);
    if (loaded) return say(in.language, kLoads, warp, *loaded + 1);
    return say(in.language, kNeither, warp, pipeline.tiles.size());
}

// Of all tiles those around the cursor's, as steps.
TilePipeline::Span shownSteps(const TilePipeline& pipeline, u32 step) {
    const u32 all = u32(pipeline.tiles.size());
    if (all <= kMostTiles) return {0, pipeline.steps};
    u32 now = 0;
    for (u32 t = 0; t < all; ++t)
        if (!pipeline.tiles[t].load.empty() && pipeline.tiles[t].load.begin <= step) now = t;
    const u32 first = firstAround(now, kMostTiles, all), last = first + kMostTiles - 1;
    const auto& begin = pipeline.tiles[first].load;
    const auto& end =
        pipeline.tiles[last].multiply.empty() ? pipeline.tiles[last].load : pipeline.tiles[last].multiply;
    return {first == 0 ? 0 : std::min(begin.begin, step),
            std::max(last + 1 == all ? pipeline.steps : end.end, step + 1)};
}

}  // namespace

void PipelineStrip::draw(Canvas& canvas, const Rect& area) const {
    constexpr f32 kTitle = 22, kRow = 22, kGap = 3;
    canvas.line({area.x, area.y}, {area.right(), area.y}, {role(RoleKind::Line)});
    const TextStyle title{.size = type::kCode, .bold = true},
        label{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    const std::string said = titleOf(in, pipeline);
    canvas.textWithin({area.x + space::kInset, area.y + kTitle / 2 + 1}, area.width - 2 * space::kInset, said,
                      shrunkToFit(canvas, area.width - 2 * space::kInset, title, said));
    const std::string names[] = {say(in.language, kLoadRow), say(in.language, kMultiplyRow)};
    const f32 labels = std::max(canvas.width(names[0], label), canvas.width(names[1], label)) + 10,
              left = area.x + space::kInset + labels, whole = area.right() - space::kInset - left,
              top = area.y + kTitle;
    if (whole < 40) return;
    const TilePipeline::Span shown = shownSteps(pipeline, in.cursor.step);
    const f32 unit = whole / f32(std::max(1u, shown.end - shown.begin));
    const auto xOf = [&](u32 step) {
        return left + f32(std::clamp(step, shown.begin, shown.end) - shown.begin) * unit;
    };
    const f32 now = xOf(in.cursor.step) + unit / 2;
    const u32 all = u32(pipeline.tiles.size());
    for (u32 row = 0; row < 2; ++row) {
        const f32 y = top + f32(row) * (kRow + kGap);
        canvas.text({area.x + space::kInset, y + kRow / 2}, names[row], label);
        for (u32 t = 0; t < all; ++t) {
            const TilePipeline::Span span = row == 0 ? pipeline.tiles[t].load : pipeline.tiles[t].multiply;
            if (span.empty() || span.end <= shown.begin || span.begin >= shown.end) continue;
            const f32 x = xOf(span.begin);
            const Rect box{x, y, std::max(2.0f, xOf(span.end) - x - 1), kRow};
            const bool isNow = span.contains(in.cursor.step);
            const Role fill = row == 1 ? warpRole(in.cursor.warp) : role(RoleKind::Raised);
            canvas.rect(box, {.fill = fill,
                              .stroke = row == 1 ? Stroke{} : Stroke{role(RoleKind::Edge)},
                              .radius = std::min(3.0f, box.width / 2)});
            if (isNow) cursorBox(canvas, box, 3);
            const std::string number = std::to_string(t + 1);
            const TextStyle digits{.size = type::kCode,
                                   .bold = isNow,
                                   .mono = true,
                                   .align = Align::Centre,
                                   .role = row == 1 ? inkOn(fill) : role(RoleKind::Text)};
            // Beside the line that marks the step, where that would strike it.
            const f32 wide = canvas.width(number, digits);
            Rect room = box;
            if (std::abs(box.centre().x - now) < wide / 2 + 4) {
                const bool isLeft = now - box.x > box.right() - now;
                room = isLeft ? Rect{box.x, box.y, now - box.x, box.height}
                              : Rect{now, box.y, box.right() - now, box.height};
            }
            if (wide + 8 <= room.width) canvas.text(room.centre(), number, digits);
            Cursor go = in.cursor;
            go.step = span.begin;
            canvas.hit(box, {.hover = say(in.language, row == 0 ? kLoadHover : kMultiplyHover,
                                          in.cursor.warp.value, t + 1, all, span.begin + 1, span.end),
                             .go = go});
        }
    }
    canvas.line({now, top - 3}, {now, top + 2 * kRow + kGap + 3}, {role(RoleKind::Cursor), 2});
}

}  // namespace lockstep::viz
