// Of the matrix stage: the tiles in shared memory, and what is kept at their places.
#include "base/text/punctuation.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/messages.h"
#include "viz/stages/matmul/matmul_drawing.h"

#include <algorithm>
#include <array>
#include <map>

namespace lockstep::viz {

using namespace message;

namespace {

constexpr f32 kBeforeSize = 8;
constexpr Words kSharedBrief = english("Shared memory");  // where its title has no room
constexpr Words kMatrixBeingRead = english("{0} being read");
constexpr Words kEachReadSoFar = english("each element read {0} {0:time|times} so far");
constexpr Words kReadSoFar = english("elements read {0} to {1} times so far");
constexpr Words kCellReadSoFar = english("Read {0} {0:time|times} so far.");

}  // namespace

Hit MatmulStage::linkToPlace(const explain::SharedArray& tile, u64 place, std::string said) const {
    return linkTo(in_, *accesses_, trace::Space::Shared, tile.base + place * tile.elementBytes, facts_.order,
                  std::move(said));
}

Rect MatmulStage::tileRect(const explain::SharedArray& tile, Point origin, u64 place) const {
    const u64 columns = std::max<u64>(1, tile.columns()), row = place / columns, column = place % columns;
    return {origin.x + f32(column) * layout_.tileCell, origin.y + f32(row) * layout_.tileCell,
            layout_.tileCell, layout_.tileCell};
}

void MatmulStage::drawTiles() {
    if (layout_.magnified) {
        drawTile(facts_.m, layout_.mds);
        drawTile(facts_.n, layout_.nds);
        return;
    }
    if (layout_.panel.height < 30 || layout_.tileCell < 1) return;
    constexpr TextStyle kTitle{.size = type::kBody, .bold = true};
    const bool hasRoom = canvas_.width(kSharedOfBlock.in(in_.language), kTitle) <= layout_.panel.width;
    canvas_.textWithin({layout_.panel.x, layout_.panel.y - 14}, layout_.panel.width,
                       (hasRoom ? kSharedOfBlock : kSharedBrief).in(in_.language), kTitle);
    canvas_.rect(layout_.panel,
                 {.fill = role(RoleKind::Panel), .stroke = {role(RoleKind::Line)}, .radius = radius::kPanel});
    drawTile(facts_.m, layout_.mds);
    drawTile(facts_.n, layout_.nds);
}

explain::TileReuse MatmulStage::reuseOf(const Operand& operand) const {
    return explain::tileReuse(facts_, operand, *accesses_);
}

void MatmulStage::drawNameBeside(const Operand& operand, Point origin) {
    const explain::SharedArray& tile = *operand.tile;
    const u64 rows = tile.elements() / std::max<u64>(1, tile.columns());
    const f32 bottom = origin.y + f32(rows) * layout_.tileCell, right = origin.x - 10;
    const f32 room = origin.x - 14 - (layout_.side.width > 0 ? layout_.side.right() : 0);
    const auto write = [&](const std::string& text, const TextStyle& style, f32 middle) {
        const std::string shown = canvas_.cut(text, room, style);
        if (!shown.empty())
            textOnGround(canvas_, {right - canvas_.width(shown, style) / 2, middle}, shown, style);
    };
    TextStyle name{.size = type::kTitle, .bold = true};
    if (canvas_.width(tile.name, name) > room) name.size = type::kCode;  // small rather than cut
    const TextStyle note{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    write(tile.name, name, bottom - 26);
    TextStyle size = note;
    if (canvas_.width(tile.extentsText(), size) > room) size.size = type::kAxis;
    if (canvas_.width(tile.extentsText(), size) <= room) write(tile.extentsText(), size, bottom - 9);
    // Its state is in the sentence, too; where the map leaves it less room, in two lines or not at all.
    const std::string state = stateOf(operand, isMoving(operand));
    if (state.empty()) return;
    constexpr f32 kGap = 8, kName = 20;
    // Clear of the name of P, which stands behind it, if there is room for that.
    for (const f32 behindP : {kName, kGap}) {
        // Of the matrices on the map, what reaches to that height at the left of the tile.
        f32 edge = std::max(space::kInset, origin.x - 14 - room);
        const auto keepOff = [&](Point at, u32 columns, u32 rows, f32 behind) {
            const f32 end = at.x + f32(columns) * layout_.cell, low = at.y + f32(rows) * layout_.cell;
            if (end < right && at.y < bottom - 36 && low > bottom - 72) edge = std::max(edge, end + behind);
        };
        keepOff(layout_.m, layout_.inner, layout_.rowsM, kGap);
        keepOff(layout_.n, layout_.columnsN, layout_.inner, kGap);
        keepOff(layout_.p, layout_.columnsN, layout_.rowsM, behindP);
        const f32 free = std::min(room, right - edge);
        if (canvas_.width(state, note) <= free) return write(state, note, bottom - 45);
        const std::vector<std::string> lines = canvas_.wrap(state, free, note);
        const auto fits = [&](const std::string& line) { return canvas_.width(line, note) <= free; };
        if (lines.size() != 2 || !std::ranges::all_of(lines, fits)) continue;
        write(lines[0], note, bottom - 62);
        return write(lines[1], note, bottom - 45);
    }
}

void MatmulStage::drawTile(const Operand& operand, Point origin) {
    const explain::SharedArray& tile = *operand.tile;
    const f32 c = layout_.tileCell, wide = f32(tile.columns()) * c;
    const bool mine = isMoving(operand);
    const std::string state = stateOf(operand, mine);
    const TextStyle name{.size = type::kTitle, .bold = true},
        note{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
    if (!layout_.magnified) {
        // Smaller where the tile is narrow.
        const std::string extents = tile.extentsText();
        TextStyle named = name, size{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const auto together = [&] {
            return canvas_.width(tile.name, named) + kBeforeSize + canvas_.width(extents, size);
        };
        for (const f32 smaller : {type::kBody, type::kAxis})
            if (together() > wide) named.size = smaller, size.size = type::kAxis;
        f32 nameWide = canvas_.textWithin({origin.x, origin.y - 17}, wide, tile.name, named) + kBeforeSize;
        // The other tile's name stands beside it.
        constexpr f32 kBeyond = 6;
        if (nameWide + canvas_.width(extents, size) <= wide + kBeyond)
            nameWide += canvas_.text({origin.x + nameWide, origin.y - 17}, extents, size);
        if (!state.empty() && canvas_.width(state, note) < wide - nameWide - 8)
            canvas_.text({origin.x + wide, origin.y - 17}, state, note);
    }
    std::optional<Rect> cursorAt;
    const std::map<u64, const Transfer*> kept = keptIn(operand);
    std::map<u64, const Transfer*> coming;  // in place of them
    for (const Transfer& t : operand.transfers)
        if (t.round == facts_.round && t.warp == in_.cursor.warp && progressOf(t) != Progress::Stored)
            coming[t.place] = &t;
    const TileText numbers = textOf(kept);
    for (u64 place = 0; place < tile.elements(); ++place) {
        const Rect cell = tileRect(tile, origin, place);
        const f32 gap = c > 24 ? 2 : c > 8 ? 1 : 0.25f;
        const Rect box = cell.inset(gap);
        const auto found = kept.find(place);
        const Transfer* t = found == kept.end() ? nullptr : found->second;
        const bool arriving = t && t->storeOrder == facts_.order && in_.motion < 1;
        canvas_.cell(
            {.rect = cell, .of = ValueCell::Of::Shared, .at = tile.base + place * tile.elementBytes});
        if (t && !arriving) {
            const bool stale = t->round < facts_.round,
                       replacedNext = stale && mine && coming.contains(place);
            drawKept(box, *t, stale, numbers);
            if (replacedNext)
                canvas_.rect(box, {.stroke = {warpColor(), 1.5f, c > 22 ? Dash::Dashed : Dash::Solid},
                                   .radius = c > 24 ? radius::kControl : 1.0f});
            std::string said =
                say(in_.language, facts_.rounds > 1 ? kTileHolds : kStoredByLane, placeName(tile, place),
                    t->value, t->lane.value, t->warp.value, t->round + 1, facts_.rounds);
            if (const u32 reads = explain::readsOf(operand, *t, *accesses_, facts_.order))
                said += sentenceGap(in_.language) + say(in_.language, kCellReadSoFar, reads);
            canvas_.hit(cell, linkToPlace(tile, place, std::move(said)));
        } else {
            const bool next = coming.contains(place) && mine;
            canvas_.rect(box, {.fill = role(RoleKind::Ground),
                               .stroke = {next ? warpColor() : role(RoleKind::Edge, c > 22 ? 1 : 0.5f),
                                          next ? 1.5f : 1.0f, c > 22 ? Dash::Dashed : Dash::Solid},
                               .radius = c > 24 ? radius::kControl : 1.0f});
            canvas_.hit(cell,
                        linkToPlace(tile, place, say(in_.language, kTileEmpty, placeName(tile, place))));
        }
        if (const auto next = coming.find(place); next != coming.end() && c >= kWithLane && !(t && !arriving))
            canvas_.text(laneCorner(box), std::to_string(next->second->lane.value),
                         {.size = type::kAxis,
                          .mono = true,
                          .align = Align::Centre,
                          .role = role(RoleKind::TextSecond)});
        if (const auto next = coming.find(place);
            next != coming.end() && mine && isCursor(next->second->warp, next->second->lane))
            cursorAt = box;
    }
    if (cursorAt) cursorBox(canvas_, *cursorAt, c > 24 ? radius::kControl : 2);
    if (second_ && second_->isAt(trace::Space::Shared, tile.base, tile.sizeBytes))
        secondAt_ = tileRect(tile, origin, (second_->address - tile.base) / tile.elementBytes);
}

bool MatmulStage::anyStale() const {
    return std::ranges::any_of(std::array{&facts_.m, &facts_.n}, [&](const Operand* operand) {
        std::map<u64, const Transfer*> kept = keptIn(*operand);
        return std::ranges::any_of(kept,
                                   [&](const auto& entry) { return entry.second->round < facts_.round; });
    });
}

std::map<u64, const Transfer*> MatmulStage::keptIn(const Operand& operand) const {
    std::map<u64, const Transfer*> kept;
    for (const Transfer& t : operand.transfers) {
        if (const Progress p = progressOf(t); p != Progress::Stored && p != Progress::Keeping) continue;
        const Transfer*& newest = kept[t.place];
        if (!newest || newest->storeOrder < t.storeOrder) newest = &t;
    }
    return kept;
}

std::string MatmulStage::stateOf(const Operand& operand, bool mine) const {
    if (mine)
        return facts_.activity == Activity::Load ? say(in_.language, kMatrixBeingRead, operand.matrix.name)
                                                 : say(in_.language, kTileBeingWritten);
    if (facts_.activity == Activity::Multiply) {
        const explain::TileReuse reuse = reuseOf(operand);
        return reuse.mostSoFar == 0 ? say(in_.language, kTileInUse)
               : reuse.leastSoFar == reuse.mostSoFar
                   ? say(in_.language, kEachReadSoFar, reuse.mostSoFar)
                   : say(in_.language, kReadSoFar, reuse.leastSoFar, reuse.mostSoFar);
    }
    const bool ahead = std::ranges::any_of(operand.transfers, [&](const Transfer& t) {
        return t.round == facts_.round && t.warp == in_.cursor.warp && progressOf(t) == Progress::Ahead;
    });
    return ahead ? say(in_.language, kTileNext) : std::string();
}

MatmulStage::TileText MatmulStage::textOf(const std::map<u64, const Transfer*>& kept) const {
    TileText text;
    std::size_t brief = 0;
    for (const auto& [place, t] : kept) {
        text.characters = std::max(text.characters, t->value.size());
        brief = std::max(brief, shortened(t->value).size());
    }
    const TextStyle least{.size = 9, .bold = true, .mono = true};
    const auto fits = [&](std::size_t characters) {
        return canvas_.width(std::string(characters, '0'), least) <=
               layout_.tileCell - (layout_.tileCell > 24 ? 8 : 2.5f);
    };
    if (!fits(text.characters)) text = {brief, false};
    if (!fits(text.characters)) text.characters = 0;
    return text;
}

void MatmulStage::drawKept(const Rect& box, const Transfer& t, bool stale, const TileText& number) {
    const f32 c = layout_.tileCell;
    const bool damaged = isWrong(t);
    if (!t.loadStep) {  // made up by the kernel: 0.0
        const Role edge = stale ? role(RoleKind::Ghost) : laneColor(t.warp, t.lane);
        Role hatch = edge;
        hatch.alpha = 0.45f;
        canvas_.rect(box, {.fill = role(RoleKind::Ground),
                           .stroke = {edge, c > 8 && !stale ? 1.5f : 1.0f},
                           .radius = c > 24 ? radius::kControl : 1.0f,
                           .hatch = hatch,
                           .hatchPitch = c > 24 ? 7.0f : 5.0f});
        TextStyle style{.mono = true,
                        .align = Align::Centre,
                        .role = role(stale ? RoleKind::TextSecond : RoleKind::Text)};
        const bool numbered = c >= kKeptWithLane && !stale;
        std::string shown = t.value;
        const auto fit = [&](f32 width) {
            const f32 most = box.height * (numbered ? 0.4f : 0.5f);
            return fittingSize(canvas_, shown, width, style,
                               c > 24 ? std::min(valueSize(box.height), most) : most);
        };
        style.size = fit(box.width - 8);
        if (style.size == 0) shown = shortened(t.value), style.size = fit(box.width - 4);
        if (style.size > 0 && c >= kGhostWithValue)
            textOnGround(canvas_,
                         numbered ? Point{box.centre().x, box.bottom() - box.height * 0.28f} : box.centre(),
                         shown, style);
        if (stale)
            cutCorner(box, layout_.magnified ? RoleKind::Ground : RoleKind::Panel);
        else if (numbered)
            textOnGround(canvas_, laneCorner(box), std::to_string(t.lane.value),
                         {.size = type::kAxis, .bold = true, .mono = true});
        return;
    }
    const Role fill = stale ? role(RoleKind::Inactive) : laneColor(t.warp, t.lane);
    canvas_.rect(box, {.fill = fill, .radius = c > 24 ? radius::kControl : c > 8 ? 1.0f : 0.0f});
    if (damaged)
        canvas_.rect(box.inset(c > 24 ? 1.0f : 0.5f),
                     {.stroke = {role(RoleKind::Finding), c > 24 ? 2.0f : 1.0f},
                      .radius = c > 24 ? radius::kCell : 1.0f});
    TextStyle style{.bold = !stale,
                    .mono = true,
                    .align = Align::Centre,
                    .role = stale ? role(RoleKind::TextSecond) : inkOn(fill)};
    const std::string shown = number.whole ? t.value : shortened(t.value);
    style.size =
        fittingSize(canvas_, std::string(number.characters, '0'), box.width - (c > 24 ? 4 : 0.5f), style,
                    c > 24 ? std::min(valueSize(box.height), box.height * 0.55f) : box.height * 0.75f);
    if (number.characters > 0 && style.size > 0) canvas_.text(valueCentre(box), shown, style);
    if (stale)
        cutCorner(box, layout_.magnified ? RoleKind::Ground : RoleKind::Panel);
    else if (c >= kKeptWithLane)
        canvas_.text(
            laneCorner(box), std::to_string(t.lane.value),
            {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = style.role});
}

void MatmulStage::cutCorner(const Rect& box, RoleKind behind) { cutCorner(canvas_, box, behind); }

void MatmulStage::cutCorner(Canvas& canvas, const Rect& box, RoleKind behind) {
    const f32 by = std::max(2.0f, std::min(10.0f, box.height * 0.3f));
    canvas.polygon({{box.x - 1, box.y - 1}, {box.x + by, box.y - 1}, {box.x - 1, box.y + by}}, role(behind));
    canvas.line({box.x + by, box.y}, {box.x, box.y + by}, {role(RoleKind::Ghost)});
}

Rect MatmulStage::slotRect(const Operand& operand, Point tileOrigin, const Transfer& t) const {
    const Rect place = tileRect(*operand.tile, tileOrigin, t.place);
    const u64 columns = std::max<u64>(1, operand.tile->columns());
    const u32 firstRow = u32((u64{t.warp.value} * kWarpSize) / columns),
              row = std::min(u32(t.place / columns) - std::min(firstRow, u32(t.place / columns)),
                             layout_.slotRows - 1);
    const f32 wide = std::min(std::clamp(layout_.tileCell * 0.7f, 46.0f, 60.0f),
                              layout_.tileCell - (layout_.tileCell > 8 ? 2 : 0.5f)),
              tall = std::min(std::max(30.0f, wide * 0.65f), layout_.slotHeight - 4);
    const f32 slotTop = &operand == &facts_.n ? layout_.nSlotTop : layout_.mSlotTop;
    return {place.centre().x - wide / 2,
            slotTop + f32(row) * layout_.slotHeight + (layout_.slotHeight - tall) / 2, wide, tall};
}

}  // namespace lockstep::viz
