// Draws the matrix stage: matrices with the block's tiles lit, values on their way through registers into
// shared memory, row and column under multiplication, sums in P.
#include "viz/stages/matmul/matmul_stage.h"

#include "explain/cursor/navigation.h"
#include "explain/numbers.h"
#include "viz/cursor/presentation.h"
#include "viz/marks/cursor_box.h"
#include "viz/messages.h"
#include "viz/parts/load_row.h"
#include "viz/parts/loupe.h"
#include "viz/stages/matmul/matmul_drawing.h"
#include "viz/stages/matmul/matmul_table.h"
#include "viz/stages/matmul/multiply_alone.h"

#include <algorithm>

namespace lockstep::viz {

using namespace message;

Scene MatmulStage::build() {
    const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), matmulCaption(in_, facts_));
    if (in_.isPresented && facts_.activity == Activity::Multiply &&
        drawMultiplyAlone(canvas_, in_, facts_, here_, *accesses_, body))
        return std::move(canvas_).take(matmulSentence(in_, facts_, here_));
    layout_ = layoutMatmul(facts_, launch_, body, in_);
    const bool isMoving = facts_.activity == Activity::Load || facts_.activity == Activity::Keep;
    if (in_.isPresented && isMoving && !layout_.alone && drawLoadRow(canvas_, in_, facts_, here_, body))
        return std::move(canvas_).take(matmulSentence(in_, facts_, here_));
    if (!layout_.fits) return emptyScene(in_, kStageTitle, say(in_.language, kTooSmall));
    gatherAccumulators();
    passing_ = lanesThatPassStoreTest(in_, facts_, here_);
    if (layout_.side.width > 0) {
        const f32 table = matmulTableHeight(in_, facts_, here_, layout_.side);
        drawMatmulTable(canvas_, in_, facts_, here_,
                        {layout_.side.x, layout_.side.bottom() - table, layout_.side.width, table});
    }
    // In the free quarter, where no element of the matrices has room for its number.
    constexpr f32 kNoNumbers = 20, kToNames = 66, kApart = 30;
    if (!facts_.tiled() && !layout_.zoom.on() && layout_.cell < kNoNumbers &&
        facts_.activity == Activity::Multiply) {
        const f32 left = std::max(layout_.side.right(), body.x) + kApart;
        drawMultiplyLoupe(
            canvas_, in_, facts_, here_, *accesses_,
            {left, body.y + 8, layout_.n.x - kApart - left, layout_.p.y - kToNames - body.y - 8});
    }
    const std::size_t beside = canvas_.scene().hits.size();
    if (layout_.zoom.on()) canvas_.clip(layout_.zoom.area);
    if (layout_.alone) {
        drawLoadAlone();
    } else {
        drawBands();
        drawMatrix(facts_.n, layout_.n, true);
        drawMatrix(facts_.m, layout_.m, false);
        drawResult();
        drawNames();
        if (facts_.tiled()) drawTiles();
        if (layout_.sums) drawSums(*layout_.sums);
        drawReads();
        drawTransfers(facts_.n, layout_.n, layout_.nds);
        drawTransfers(facts_.m, layout_.m, layout_.mds);
        drawAllIndices(true);
        if (facts_.tiled() && layout_.magnified) {
            drawNameBeside(facts_.m, layout_.mds);
            drawNameBeside(facts_.n, layout_.nds);
        }
    }
    if (layout_.magnified && !layout_.zoom.on() && !in_.isPresented) drawLoupe(body);
    if (secondAt_) draw(canvas_, *second_, *secondAt_, layout_.zoom.area);
    if (layout_.zoom.on()) canvas_.unclip();
    const std::size_t strip = canvas_.scene().hits.size();
    if (layout_.strip) drawStrip(*layout_.strip);
    drawKeys();
    Scene scene = std::move(canvas_).take(matmulSentence(in_, facts_, here_));
    if (layout_.zoom.on()) layout_.zoom.cutHits(scene, beside, strip);
    scene.panes.push_back({layout_.zoom.area});
    scene.animating = in_.motion < 1;
    return scene;
}

void MatmulStage::drawKeys() {
    if (layout_.side.width > 0) {
        const f32 table = matmulTableHeight(in_, facts_, here_, layout_.side);
        drawMarksKey({layout_.side.x, layout_.side.y, layout_.side.width, layout_.side.height - table - 12});
    }
    if (layout_.key.width > 0)
        keyRow(canvas_, {layout_.key.x, layout_.key.centre().y}, layout_.key.width,
               drawnOf(canvas_, marks(true)));
}

void MatmulStage::drawLoupe(const Rect& body) {
    constexpr f32 kApart = 30, kBelowMap = 28, kToTileName = 66;
    const u64 columns = std::max<u64>(1, facts_.m.tile->columns()),
              rows = facts_.m.tile->elements() / columns;
    const f32 left = std::max(layout_.side.right(), body.x) + kApart,
              top = layout_.p.y + f32(layout_.rowsM) * layout_.cell + kBelowMap,
              bottom = layout_.mds.y + f32(rows) * layout_.tileCell - kToTileName;
    const Rect area{left, top, layout_.mds.x - kApart - left, bottom - top};
    if (facts_.activity == Activity::Multiply) {
        const bool hasNumbers =
            textOf(keptIn(facts_.m)).characters > 0 && textOf(keptIn(facts_.n)).characters > 0;
        if (!hasNumbers) drawMultiplyLoupe(canvas_, in_, facts_, here_, *accesses_, area);
        return;
    }
    if (facts_.activity != Activity::Load && facts_.activity != Activity::Keep) return;
    const Matrix& m = current().matrix;
    const auto mine = std::ranges::find_if(current().transfers, [&](const Transfer& t) {
        return t.round == facts_.round && isCursor(t.warp, t.lane) && t.read && m.contains(*t.read);
    });
    if (mine == current().transfers.end()) return;
    const Buffer& buffer = in_.run.recording.initial[m.buffer];
    Loupe{.title = cellName(m, *mine->read),
          .rows = m.rows,
          .columns = m.columns,
          .row = u64(mine->read->row),
          .column = u64(mine->read->column),
          .cellOf =
              [&](u64 row, u64 column) {
                  const u64 element = row * m.columns + column;
                  if (element >= buffer.count()) return LoupeCell{};
                  const std::string value =
                      explain::numberText(buffer.valueAt(element), explain::isFloatElement(buffer.type), 6);
                  const std::string said =
                      say(in_.language, kCellIs, cellName(m, {s64(row), s64(column)}), value);
                  return LoupeCell{
                      .value = value, .hover = said, .standsFor = ValueCell{.at = addressOf(m, element)}};
              }}
        .draw(canvas_, area);
}

const Transfer* MatmulStage::wrongSpokenOf() const {
    const Transfer* chosen = nullptr;
    for (const Transfer& t : current().transfers) {
        if (t.round != facts_.round || t.warp != in_.cursor.warp || !isWrong(t) || !t.read ||
            progressOf(t) == Progress::Ahead)
            continue;
        if (isCursor(t.warp, t.lane)) return &t;
        if (!chosen || (chosen->outside && !t.outside)) chosen = &t;
    }
    return chosen;
}

Progress MatmulStage::progressOf(const Transfer& t) const {
    if (t.storeOrder == facts_.order) return Progress::Keeping;
    if (t.storeOrder < facts_.order) return Progress::Stored;
    if (!t.loadStep) {  // made up: it is there as soon as its warp's others are
        if (facts_.activity == Activity::Load && t.round == facts_.round && t.warp == in_.cursor.warp)
            return ghostsHeld(t) ? Progress::Held : Progress::Ahead;
        return Progress::Ahead;
    }
    if (t.loadOrder == facts_.order) return Progress::Fetching;
    return t.loadOrder < facts_.order ? Progress::Held : Progress::Ahead;
}

bool MatmulStage::ghostsHeld(const Transfer& t) const {
    const std::vector<Transfer>& all = current().transfers;
    return std::ranges::any_of(all, [&](const Transfer& o) { return &o == &t; });
}

void MatmulStage::gatherAccumulators() {
    const u64 threads = here_.block->threads;
    if (layout_.cell < 16 || threads > 256) return;
    for (u32 w = 0; w < here_.block->warps.size(); ++w)
        for (u32 l = 0; l < explain::lanesOf(*here_.block, Warp{w}); ++l)
            accumulators_[{w, l}] = accumulatorOf(in_.run, facts_, *here_.block, Warp{w}, Lane{l});
}

void MatmulStage::drawLoadAlone() {
    const bool isN = facts_.onN;
    const Operand& operand = current();
    const Point origin = isN ? layout_.n : layout_.m;
    drawMatrix(operand, origin, isN);
    canvas_.text({origin.x - 8, origin.y - 12}, operand.matrix.name,
                 {.size = type::kName, .bold = true, .align = Align::Right});
    drawTile(operand, isN ? layout_.nds : layout_.mds);
    drawTransfers(operand, origin, isN ? layout_.nds : layout_.mds);
    drawAllIndices(false);
    const auto mine = std::ranges::find_if(operand.transfers, [&](const Transfer& t) {
        return t.round == facts_.round && isCursor(t.warp, t.lane) && t.asked;
    });
    if (mine == operand.transfers.end()) return;
    const f32 right = origin.x + f32(isN ? layout_.columnsN : layout_.inner) * layout_.cell;
    const std::string thread =
        std::string(kColumnThread.in(in_.language)) + " " +
        coordinates(explain::threadOf(launch_, in_.cursor.warp, in_.cursor.lane), launch_.block);
    // Beside the matrix, or where its tile is too near, below.
    const TextStyle style{.size = type::kBody, .bold = true};
    const f32 wide = canvas_.width(thread, style) + 20,
              bottom = origin.y + f32(isN ? layout_.inner : layout_.rowsM) * layout_.cell;
    const bool hasRoom = right + 10 + wide < (isN ? layout_.nds : layout_.mds).x;
    cursorChip(canvas_,
               hasRoom ? Point{right + 10, layout_.cellAt(origin, *mine->asked).centre().y}
                       : Point{origin.x + 10, bottom + 18},
               thread, style);
}

Cursor MatmulStage::at(Warp warp, Lane lane, u32 step) const {
    Cursor c = in_.cursor;
    c.warp = warp, c.lane = lane, c.step = step;
    return c;
}

u32 MatmulStage::momentOf(Warp warp) const {
    const auto other = explain::otherWarp(in_.run, in_.cursor, int(warp.value) - int(in_.cursor.warp.value));
    return other ? other->step : 0;
}

Scene buildMatmulStage(const ViewInput& in, const MatmulFacts& facts) {
    const CursorContext here = lookUp(in.run, in.cursor);
    return MatmulStage(in, facts, here).build();
}

}  // namespace lockstep::viz
