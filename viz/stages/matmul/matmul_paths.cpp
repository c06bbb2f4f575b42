// Of the matrix stage: the ways of the values, from their cells through registers into the tiles.
#include "viz/marks/cursor_box.h"
#include "viz/messages.h"
#include "viz/stages/matmul/matmul_drawing.h"
#include "viz/stages/matmul/matmul_table.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {

using namespace message;

void MatmulStage::drawTransfers(const Operand& operand, Point matrix, Point tileOrigin) {
    if (!facts_.tiled() || layout_.tileCell < 4 || facts_.activity == Activity::SetUp ||
        facts_.activity == Activity::Multiply || facts_.activity == Activity::Result)
        return;
    const bool isN = &operand == &facts_.n;
    std::vector<const Transfer*> mine;
    for (const Transfer& t : operand.transfers)
        if (t.round == facts_.round && t.warp == in_.cursor.warp) mine.push_back(&t);
    for (const Transfer* t : mine)
        drawWay(operand, matrix, tileOrigin, *t, isN);
    if (!mine.empty() &&
        std::ranges::all_of(mine, [&](const Transfer* t) { return progressOf(*t) == Progress::Ahead; }))
        drawNextLoad(operand, matrix, tileOrigin, isN);
    std::ranges::stable_partition(
        mine, [](const Transfer* t) { return !t->loadStep; });  // what travels passes in front
    const Transfer* atCursor = nullptr;
    // Numbers in all tokens or in none, as in the tiles.
    const TextStyle least{.size = 9, .bold = true, .mono = true};
    const bool numbers = std::ranges::all_of(mine, [&](const Transfer* t) {
        return canvas_.width(shortened(t->value), least) <= slotRect(operand, tileOrigin, *t).width - 4;
    });
    for (const Transfer* t : mine) {
        drawToken(operand, matrix, tileOrigin, *t, isN, numbers);
        if (isCursor(t->warp, t->lane) && progressOf(*t) != Progress::Ahead) atCursor = t;
    }
    if (!atCursor) return;
    const std::optional<CellIndex> cell = atCursor->asked ? atCursor->asked : atCursor->read;
    if (cell && layout_.cell >= 3 && (&operand == &current()))
        cursorBox(canvas_, layout_.cellAt(matrix, *cell).inset(1));
}

f32 MatmulStage::besideDigits(const Rect& cell, bool right) {
    const f32 inset = std::min(1.75f, cell.width * 0.3f);
    return right ? cell.right() - inset : cell.x + inset;
}

Way MatmulStage::wayOf(const Operand& operand, Point matrix, Point tileOrigin, const Transfer& t,
                       bool isN) const {
    const std::optional<CellIndex> source = t.read && !t.outside ? t.read : t.asked;
    const Rect slot = slotRect(operand, tileOrigin, t);
    const f32 c = layout_.cell;
    const Rect cell = layout_.cellAt(matrix, source.value_or(CellIndex{}));
    const bool lower = source && source->row % 2 != 0;
    const u64 columns = std::max<u64>(1, operand.tile ? operand.tile->columns() : 1);
    Way way{.from = {}, .curve = {}, .role = laneColor(t.warp, t.lane), .read = t.loadStep.has_value()};
    if (layout_.magnified) {  // from the map to the register above the tile
        way.from = cell.centre();
        const Point end{slot.centre().x, slot.y};
        way.curve = {way.from,
                     isN ? Point{way.from.x + 60, way.from.y} : Point{way.from.x, way.from.y + 30},
                     {end.x, end.y - (isN ? 8.0f : 24.0f)},
                     end};
        return way;
    }
    if (layout_.alone) {  // below the matrix to the register, which has its tile above it
        const f32 x = besideDigits(cell, lower),
                  bottom = matrix.y + f32(isN ? layout_.inner : layout_.rowsM) * c + 2;
        way.from = {x, cell.centre().y};
        const Point end{slot.x, slot.centre().y};
        way.curve = {Point{x, bottom}, {x, std::max(bottom + 20, end.y + 24)}, {end.x - 70, end.y}, end};
    } else if (isN) {
        const f32 x = besideDigits(cell, lower), bottom = matrix.y + f32(layout_.inner) * c + 2;
        way.from = {x, cell.centre().y};
        // Between two rows of registers where others of its row are in the way, lest it seem to end in them.
        const bool passesOthers = t.place % columns + 1 < columns;
        const Point end = passesOthers ? Point{slot.centre().x + slot.width / 4, slot.bottom()}
                                       : Point{slot.right(), slot.centre().y};
        // Below the matrix until it is left of its indices, and above the names under it.
        way.curve = {
            Point{x, bottom},
            {x, bottom + 22},
            {std::min(end.x + 70, matrix.x - 30), std::max(end.y + (passesOthers ? 2 : 0), bottom + 14)},
            end};
    } else {
        const f32 x = besideDigits(cell, lower), top = matrix.y - 4;
        way.from = {x, cell.centre().y};
        // Between two columns of registers where there are others below its own.
        const bool passesOthers =
            slot.bottom() + slot.height < layout_.mSlotTop + f32(layout_.slotRows) * layout_.slotHeight;
        const Point end =
            passesOthers ? Point{slot.x - 1.5f, slot.centre().y} : Point{slot.centre().x, slot.bottom()};
        way.curve = {Point{x, top},
                     {x, top - 40},
                     {end.x, layout_.mSlotTop + f32(layout_.slotRows) * layout_.slotHeight + 40},
                     end};
    }
    return way;
}

void MatmulStage::drawWay(const Operand& operand, Point matrix, Point tileOrigin, const Transfer& t,
                          bool isN) {
    const Progress p = progressOf(t);
    if (p == Progress::Stored || p == Progress::Ahead) return;
    Way way = wayOf(operand, matrix, tileOrigin, t, isN);
    const bool placed = (t.asked || (t.read && !t.outside)) && !(t.outside && !t.asked);
    const Rect slot = slotRect(operand, tileOrigin, t), place = tileRect(*operand.tile, tileOrigin, t.place);
    if (placed) {
        if (t.outside) way.role = role(RoleKind::Finding);  // read, but from no cell
        way.travelled = p == Progress::Fetching ? ease(in_.motion) : 1;
        if (layout_.magnified && !isCursor(t.warp, t.lane)) {  // thin, as there are many
            way.role.alpha = 0.45f;
            canvas_.curve(part(way.curve, 0, std::max(0.02f, way.travelled)),
                          {way.role, 1, way.read ? Dash::Solid : Dash::Dashed});
        } else {
            draw(canvas_, way);
        }
    }
    const f32 gone = p == Progress::Keeping ? ease(in_.motion) : 0;
    const bool down = layout_.magnified;
    if (down && layout_.tileCell < 30 && !isCursor(t.warp, t.lane))
        return;  // thirty-two arrows over numbers would hide them
    const u64 columns = std::max<u64>(1, operand.tile->columns());
    const bool passesOthers = !down && layout_.tileCell >= kGhostWithValue &&
                              t.place / columns + 1 < operand.tile->elements() / columns;
    if (passesOthers) {  // between two columns, past the places below its own
        const f32 x = place.x;
        const Point from{x, slot.y + slot.height / 2}, to{x, place.centre().y};
        canvas_.line({slot.x, from.y}, from, {laneColor(t.warp, t.lane), line::kUnread});
        if (gone > 0)
            canvas_.line(from, between(from, to, gone),
                         {laneColor(t.warp, t.lane), t.loadStep ? line::kRead : line::kUnread,
                          t.loadStep ? Dash::Solid : Dash::Dashed});
        if (gone < 1)
            canvas_.line(between(from, to, gone), to, {laneColor(t.warp, t.lane), 1.2f, Dash::Dotted}, 6);
        return;
    }
    const bool passesValues = down && t.place >= columns;  // of rows above its own: between two columns
    const Point from{passesValues ? place.x - 0.5f : slot.centre().x, down ? slot.bottom() : slot.y},
        to{passesValues ? from.x : place.centre().x,
           down ? place.y + 2 : place.bottom() - (layout_.tileCell > 24 ? 8.0f : 2.0f)};
    if (gone > 0)
        canvas_.line(from, between(from, {to.x, down ? place.y : place.bottom() + 2}, gone),
                     {laneColor(t.warp, t.lane), t.loadStep ? line::kRead : line::kUnread,
                      t.loadStep ? Dash::Solid : Dash::Dashed});
    if (gone < 1)
        canvas_.line(between(from, to, gone), to, {laneColor(t.warp, t.lane), 1.2f, Dash::Dotted},
                     layout_.tileCell > 20 ? 6.0f : 4.0f);
}

void MatmulStage::drawNextLoad(const Operand& operand, Point matrix, Point tileOrigin, bool isN) {
    if (layout_.magnified || layout_.alone || layout_.cell < 20 ||
        isN != (facts_.activity != Activity::Load || !facts_.onN))
        return;
    const std::optional<Rect> source = outlineOf(operand, matrix);
    if (!source) return;
    const Stroke stroke{role(RoleKind::TextThird), 1.2f, Dash::Sparse};
    const explain::SharedArray& tile = *operand.tile;
    const u64 tileRows = tile.elements() / std::max<u64>(1, tile.columns());
    const Rect target{tileOrigin.x, tileOrigin.y, f32(tile.columns()) * layout_.tileCell,
                      f32(tileRows) * layout_.tileCell};
    constexpr f32 kIndices = 26, kArrow = 6, kTitle = 34;
    if (!isN) {  // upwards between two columns of M, to the tile above it
        const f32 x = target.centre().x < source->centre().x ? source->x : source->right(),
                  top = matrix.y - kIndices;
        canvas_.line({x, source->y}, {x, top}, stroke);
        const Point end{target.centre().x, target.bottom() + 4};
        canvas_.curve({Point{x, top}, {x, (top + end.y) / 2}, {end.x, (top + end.y) / 2}, end}, stroke,
                      kArrow);
        return;
    }
    // Leftwards between two rows of N, to the tile beside it, or to the one below where the tiles are left of
    // M.
    const bool below = target.y > layout_.m.y;
    const f32 y = std::abs(target.centre().y - source->y) < std::abs(target.centre().y - source->bottom())
                      ? source->y
                      : source->bottom(),
              left = matrix.x - kIndices;
    canvas_.line({source->x, y}, {left, y}, stroke);
    if (below) {
        const Point end{target.centre().x, target.y - kTitle};
        canvas_.curve({Point{left, y}, {end.x, y}, {end.x, y}, end}, stroke, kArrow);
    } else {
        const Point end{target.right() + 4, target.centre().y};
        canvas_.curve({Point{left, y}, {(left + end.x) / 2, y}, {(left + end.x) / 2, end.y}, end}, stroke,
                      kArrow);
    }
}

void MatmulStage::drawToken(const Operand& operand, Point matrix, Point tileOrigin, const Transfer& t,
                            bool isN, bool numbers) {
    const Progress p = progressOf(t);
    if (p == Progress::Ahead || p == Progress::Stored) return;
    const Rect slot = slotRect(operand, tileOrigin, t);
    if (p == Progress::Keeping && in_.motion >= 1) {  // empty again
        const bool isSmall =
            layout_.magnified || layout_.tileCell <= 24;  // but for its outline: a way has an end
        canvas_.rect(slot, {.fill = role(RoleKind::Ground),
                            .stroke = {laneColor(t.warp, t.lane)},
                            .radius = isSmall ? radius::kCell : radius::kToken});
        if (isSmall) return;
        canvas_.text(
            slot.centre(), std::to_string(t.lane.value),
            {.size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)});
        return;
    }
    Token token{.centre = slot.centre(),
                .width = slot.width,
                .height = slot.height,
                .lane = std::to_string(t.lane.value),
                .value = !numbers                                ? std::string()
                         : slot.width < 30 || t.value.size() > 5 ? shortened(t.value)
                                                                 : t.value,
                .fill = laneColor(t.warp, t.lane),
                .hollow = !t.loadStep.has_value()};
    if (p == Progress::Fetching && t.read && !t.outside) {
        const Way way = wayOf(operand, matrix, tileOrigin, t, isN);
        const Point along = pointAt(way.curve, ease(in_.motion));
        token.centre = in_.motion >= 1
                           ? slot.centre()
                           : Point{along.x, along.y - (isN || layout_.magnified ? 0 : slot.height / 2)};
    }
    if (p == Progress::Keeping)
        token.centre =
            between(slot.centre(), tileRect(*operand.tile, tileOrigin, t.place).centre(), ease(in_.motion));
    draw(canvas_, token);
    const Rect box = bounds(token);
    if (isWrong(t))
        canvas_.rect(box.inset(-1), {.stroke = {role(RoleKind::Finding), 2}, .radius = radius::kToken});
    canvas_.hit(box, {.hover = transferSentence(in_, operand, t), .go = at(t.warp, t.lane, in_.cursor.step)});
    if (isCursor(t.warp, t.lane)) cursorBox(canvas_, box, 7);
}

}  // namespace lockstep::viz
