// Of the matrix stage: what lanes read while they multiply, and their sums.
#include "base/device_addresses.h"
#include "explain/numbers.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/messages.h"
#include "viz/stages/matmul/matmul_drawing.h"
#include "viz/stages/matmul/product_words.h"

#include <algorithm>
#include <array>
#include <map>

namespace lockstep::viz {

using namespace message;

void MatmulStage::drawReads() {
    if (facts_.activity != Activity::Multiply || !here_.warp) return;
    const std::array<const Operand*, 2> operands{&facts_.m, &facts_.n};
    const Accumulator mine = accumulatorOf(in_.run, facts_, *here_.block, in_.cursor.warp, in_.cursor.lane);
    for (u32 which = 0; which < 2; ++which) {
        const Operand& operand = *operands[which];
        const auto& factor = which == 0 ? mine.m : mine.n;
        if (!facts_.tiled()) lightAllReads(operand, which == 0 ? layout_.m : layout_.n);
        if (!factor) continue;
        if (facts_.tiled()) {
            const Point origin = which == 0 ? layout_.mds : layout_.nds;
            const u64 columns = std::max<u64>(1, operand.tile->columns()),
                      rows = operand.tile->elements() / columns;
            const u64 row = factor->place / columns, column = factor->place % columns;
            const f32 c = layout_.tileCell;
            const Rect segment = which == 0 ? Rect{origin.x, origin.y + f32(row) * c, f32(columns) * c, c}
                                            : Rect{origin.x + f32(column) * c, origin.y, c, f32(rows) * c};
            canvas_.rect(segment, {.stroke = kSegmentLine, .radius = c > 10 ? radius::kControl : 1.0f});
            cursorBox(canvas_, tileRect(*operand.tile, origin, factor->place).inset(c > 24 ? 4 : 0));
            lightGlobal(operand, which == 1, factor->place);
        } else {
            const Point origin = which == 0 ? layout_.m : layout_.n;
            const CellIndex cell{s64(factor->place / operand.matrix.columns),
                                 s64(factor->place % operand.matrix.columns)};
            constexpr f32 kOneSheet = 5, kLeast = 2;
            if (layout_.cell < kOneSheet) {  // no cells: the whole row or column
                const f32 thick = std::max(kLeast, layout_.cell);
                const Rect element = layout_.cellAt(origin, cell);
                canvas_.rect(
                    which == 0 ? Rect{origin.x, element.y, f32(operand.matrix.columns) * layout_.cell, thick}
                               : Rect{element.x, origin.y, thick, f32(operand.matrix.rows) * layout_.cell},
                    {.fill = warpColor(0.28f), .stroke = {warpColor(), 0.5f}});
            }
            if (layout_.cell >= 2) cursorBox(canvas_, clampBox(layout_.cellAt(origin, cell).inset(1)));
        }
    }
}

void MatmulStage::lightGlobal(const Operand& operand, bool isN, u64 place) {
    if (!facts_.textbook || layout_.cell < 1) return;
    const u64 columns = std::max<u64>(1, operand.tile->columns());
    const Point origin = isN ? layout_.n : layout_.m;
    for (const Transfer& t : operand.transfers) {
        if (t.round != facts_.round || !t.asked) continue;
        const bool inSegment =
            isN ? t.place % columns == place % columns : t.place / columns == place / columns;
        if (!inSegment) continue;
        const Rect cell = layout_.cellAt(origin, *t.asked);
        const bool now = t.place == place;
        if (operand.matrix.contains(*t.asked)) canvas_.rect(cell, {.fill = role(RoleKind::Raised)});
        canvas_.rect(cell.inset(layout_.cell > 8 ? 1 : 0),
                     {.fill = warpColor(operand.matrix.contains(*t.asked) ? (now ? 0.55f : 0.28f) : 0.0f),
                      .stroke = {now ? role(RoleKind::Cursor) : warpColor(), layout_.cell > 8 ? 1.5f : 0.5f},
                      .radius = layout_.cell > 10 ? radius::kCell : 0.0f});
        if (layout_.cell >= 16 && operand.matrix.contains(*t.asked))
            drawCellValue(cell, t.value, false, true);
    }
}

void MatmulStage::lightAllReads(const Operand& operand, Point origin) {
    if (!here_.access || here_.access->space != trace::Space::Global ||
        here_.access->kind != trace::AccessKind::Load)
        return;
    const u32 bytes = info(in_.run.recording.initial[operand.matrix.buffer].type).bytes;
    std::map<u64, LaneMask> cells;
    for (const Lane lane : here_.access->active) {
        const u64 address = here_.warp->address(*here_.access, lane);
        if (bufferOfAddress(address) != operand.matrix.buffer) return;
        LaneMask& lanes = cells[(address - deviceAddressOf(operand.matrix.buffer)) / bytes];
        lanes = lanes | LaneMask::of(lane);
    }
    for (const auto& [element, lanes] : cells) {
        const CellIndex index{s64(element / operand.matrix.columns), s64(element % operand.matrix.columns)};
        if (!operand.matrix.contains(index)) continue;
        const Rect cell = clampBox(layout_.cellAt(origin, index));
        canvas_.rect(cell.inset(layout_.cell > 8 ? 1 : 0),
                     {.fill = laneColor(in_.cursor.warp, lanes.lowest(), layout_.cell > 12 ? 0.6f : 1.0f),
                      .radius = layout_.cell > 10 ? radius::kCell : 0.0f});
        if (layout_.cell > 12) drawCellValue(cell, cellText(operand.matrix, element), true);
        canvas_.hit(cell, {.hover = say(in_.language, kCellReadByLanes, cellName(operand.matrix, index),
                                        explain::lanesText(lanes, in_.language), in_.cursor.warp.value,
                                        lanes.count()),
                           .go = at(in_.cursor.warp, lanes.lowest(), in_.cursor.step)});
    }
}

void MatmulStage::drawSums(Point origin) {
    const f32 c = layout_.tileCell;
    const bool numbers = c >= 24;
    const u32 rows = facts_.swapped ? facts_.threads.x : facts_.threads.y;
    canvas_.text({origin.x - 10, origin.y + f32(rows) * c - 10}, facts_.p.name,
                 {.size = type::kTitle, .bold = true, .align = Align::Right});
    std::optional<Rect> cursorAt;
    for (u32 w = 0; w < here_.block->warps.size(); ++w)
        for (u32 l = 0; l < explain::lanesOf(*here_.block, Warp{w}); ++l) {
            const Dim3 thread = explain::threadOf(launch_, Warp{w}, Lane{l});
            const CellIndex index = facts_.elementOf(in_.cursor.block, thread);
            const u32 row = facts_.swapped ? thread.x : thread.y,
                      column = facts_.swapped ? thread.y : thread.x;
            const Rect cell{origin.x + f32(column) * c, origin.y + f32(row) * c, c, c};
            if (!facts_.p.contains(index)) {
                ghostCell(canvas_, cell, false);
            } else {
                std::optional<Accumulator> sum;
                if (numbers || isCursor(Warp{w}, Lane{l}))
                    sum = accumulatorOf(in_.run, facts_, *here_.block, Warp{w}, Lane{l});
                if (sum) drawSumCell(cell, index, *sum);
                valueCell(canvas_, cell,
                          sum && sum->stored ? laneColor(Warp{w}, Lane{l}) : role(RoleKind::Raised),
                          sum && numbers ? explain::numberText(sum->stored.value_or(sum->sum), true, 4)
                                         : std::string());
            }
            canvas_.hit(cell, {.hover = say(in_.language, ownershipOf(facts_, index),
                                            coordinates(thread, launch_.block), cellName(facts_.p, index)),
                               .go = at(Warp{w}, Lane{l},
                                        w == in_.cursor.warp.value ? in_.cursor.step : momentOf(Warp{w}))});
            if (!numbers || c >= 30) markStoreTest(Warp{w}, Lane{l}, cell);
            if (isCursor(Warp{w}, Lane{l})) cursorAt = cell.inset(c > 8 ? 1 : 0);
        }
    if (cursorAt) cursorBox(canvas_, *cursorAt, 3);
}

}  // namespace lockstep::viz
