// Draws the matrix stage: matrices with the block's tiles lit, values on their way through registers into shared memory, row and
// column under multiplication, sums in P.
#include "viz/stage/matmul_stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/device_addresses.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/marks/token.h"
#include "viz/marks/way.h"
#include "viz/messages.h"
#include "viz/navigation.h"
#include "viz/numbers.h"
#include "viz/phrases.h"
#include "viz/presented.h"
#include "viz/stage/block_accesses.h"
#include "viz/stage/load_row.h"
#include "viz/stage/matmul_layout.h"
#include "viz/stage/matmul_table.h"
#include "viz/stage/multiply_alone.h"
#include "viz/stage/second_thread.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kMatrixBeingRead{"{0} being read", "正在读取 {0}"};
constexpr Words kKeyWrong{"not what was asked for", "不是想要的值"};
constexpr Words kKeyAsked{"asked for; no such cell", "想要的单元并不存在"};
constexpr Words kKeyPastEnd{"read past the end", "读到末尾之后的内容"};

// Where the key is a row.
constexpr Words kValueInBrief{"value", "值"};
constexpr Words kOutsideInBrief{"outside", "矩阵之外"};
constexpr Words kReadInBrief{"read", "读取"};
constexpr Words kTileInBrief{"block's tile", "本块的分块"};
constexpr Words kTileNextInBrief{"next tile", "下一分块"};

// How far a transfer is at the cursor.
enum class Progress : u8 { Ahead, Fetching, Held, Keeping, Kept };

class MatmulStage {
public:
    MatmulStage(const ViewInput& in, const MatmulFacts& facts, const Here& here)
        : in_(in), facts_(facts), here_(here), canvas_(in.size, in.metrics), launch_(launchOf(in.run, in.cursor.launch)), accesses_(accessesOfBlock(in)), second_(secondThreadAt(in)) {}

    Scene build() {
        const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), matmulCaption(in_, facts_));
        if (in_.state.option == kPresented && facts_.activity == Activity::Multiply && drawMultiplyAlone(canvas_, in_, facts_, here_, *accesses_, body)) return std::move(canvas_).take(matmulSentence(in_, facts_, here_));
        layout_ = layoutMatmul(facts_, launch_, body, in_);
        const bool isMoving = facts_.activity == Activity::Load || facts_.activity == Activity::Keep;
        if (in_.state.option == kPresented && isMoving && !layout_.alone && drawLoadRow(canvas_, in_, facts_, here_, body)) return std::move(canvas_).take(matmulSentence(in_, facts_, here_));
        if (!layout_.fits) return emptyScene(in_, kStageTitle, say(in_.language, kTooSmall));
        gatherAccumulators();
        if (layout_.side.width > 0) {
            const f32 table = matmulTableHeight(in_, facts_, here_, layout_.side);
            drawMarksKey({layout_.side.x, layout_.side.y, layout_.side.width, layout_.side.height - table - 12});
            drawMatmulTable(canvas_, in_, facts_, here_, {layout_.side.x, layout_.side.bottom() - table, layout_.side.width, table});
        }
        if (layout_.key.width > 0) keyRow(canvas_, {layout_.key.x, layout_.key.centre().y}, layout_.key.width, marks(true));
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
        if (secondAt_) draw(canvas_, *second_, *secondAt_, layout_.zoom.area, secondIsFirst_);
        if (layout_.zoom.on()) canvas_.unclip();
        const std::size_t strip = canvas_.scene().hits.size();
        if (layout_.strip) drawStrip(*layout_.strip);
        Scene scene = std::move(canvas_).take(matmulSentence(in_, facts_, here_));
        if (layout_.zoom.on()) layout_.zoom.cutHits(scene, beside, strip);
        scene.panes.push_back(layout_.zoom.area);
        scene.animating = in_.motion < 1;
        return scene;
    }

private:
    Role laneColour(Warp warp, Lane lane, f32 alpha = 1) const { return warpRole(warp, lane, lanesOf(*here_.block, warp), alpha); }
    Role warpColour(f32 alpha = 1) const { return warpRole(in_.cursor.warp, Lane{0}, 0, alpha); }
    static bool isWrong(const Transfer& t) { return t.outside || t.isAlias(); }
    // Of the wrong reads of this round the one that the sentence is about: the cursor's, else the first that stays within the matrix.
    const Transfer* wrongSpokenOf() const {
        const Transfer* chosen = nullptr;
        for (const Transfer& t : current().transfers) {
            if (t.round != facts_.round || t.warp != in_.cursor.warp || !isWrong(t) || !t.read || progressOf(t) == Progress::Ahead) continue;
            if (isCursor(t.warp, t.lane)) return &t;
            if (!chosen || (chosen->outside && !t.outside)) chosen = &t;
        }
        return chosen;
    }
    bool isCursor(Warp warp, Lane lane) const { return warp == in_.cursor.warp && lane == in_.cursor.lane; }
    const Operand& current() const { return facts_.onN ? facts_.n : facts_.m; }

    Progress progressOf(const Transfer& t) const {
        if (t.storeOrder == facts_.order) return Progress::Keeping;
        if (t.storeOrder < facts_.order) return Progress::Kept;
        if (!t.loadStep) {  // made up: it is there as soon as its warp's others are
            if (facts_.activity == Activity::Load && t.round == facts_.round && t.warp == in_.cursor.warp) return ghostsHeld(t) ? Progress::Held : Progress::Ahead;
            return Progress::Ahead;
        }
        if (t.loadOrder == facts_.order) return Progress::Fetching;
        return t.loadOrder < facts_.order ? Progress::Held : Progress::Ahead;
    }
    // Whether the ghosts of this operand are to be shown: its load is the one at the cursor or just before it.
    bool ghostsHeld(const Transfer& t) const {
        const std::vector<Transfer>& all = current().transfers;
        return std::ranges::any_of(all, [&](const Transfer& o) { return &o == &t; });
    }

    void gatherAccumulators() {
        const u64 threads = here_.block->threads;
        if (layout_.cell < 16 || threads > 256) return;
        for (u32 w = 0; w < here_.block->warps.size(); ++w)
            for (u32 l = 0; l < lanesOf(*here_.block, Warp{w}); ++l) accumulators_[{w, l}] = accumulatorOf(in_.run, facts_, *here_.block, Warp{w}, Lane{l});
    }

    // For a hall: the operand that is loaded, its tile, and which thread is spoken of.
    void drawLoadAlone() {
        const bool isN = facts_.onN;
        const Operand& operand = current();
        const Point origin = isN ? layout_.n : layout_.m;
        drawMatrix(operand, origin, isN);
        canvas_.text({origin.x - 8, origin.y - 12}, operand.matrix.name, {.size = type::kName, .bold = true, .align = Align::Right});
        drawTile(operand, isN ? layout_.nds : layout_.mds);
        drawTransfers(operand, origin, isN ? layout_.nds : layout_.mds);
        drawAllIndices(false);
        const auto mine = std::ranges::find_if(operand.transfers, [&](const Transfer& t) { return t.round == facts_.round && isCursor(t.warp, t.lane) && t.asked; });
        if (mine == operand.transfers.end()) return;
        const f32 right = origin.x + f32(isN ? layout_.columnsN : layout_.inner) * layout_.cell;
        const std::string thread = std::string(kColumnThread.in(in_.language)) + " " + coordinates(threadOf(launch_, in_.cursor.warp, in_.cursor.lane), launch_.block);
        // Beside the matrix, or where its tile is too near, below.
        const TextStyle style{.size = type::kBody, .bold = true};
        const f32 wide = canvas_.width(thread, style) + 20, bottom = origin.y + f32(isN ? layout_.inner : layout_.rowsM) * layout_.cell;
        const bool hasRoom = right + 10 + wide < (isN ? layout_.nds : layout_.mds).x;
        cursorChip(canvas_, hasRoom ? Point{right + 10, layout_.cellAt(origin, *mine->asked).centre().y} : Point{origin.x + 10, bottom + 18}, thread, style);
    }

    // ---- Matrices

    // Where the row of M and the column of N meet.
    void drawBands() {
        if (!facts_.textbook) return;
        const auto [first, last] = blockElements();
        const f32 c = layout_.cell, rows = f32(last.row - first.row + 1) * c, columns = f32(last.column - first.column + 1) * c;
        const f32 top = layout_.p.y + f32(first.row) * c, left = layout_.p.x + f32(first.column) * c;
        canvas_.rect({layout_.m.x - 2, top, layout_.p.x + f32(layout_.columnsN) * c - layout_.m.x + 4, rows}, {.fill = warpColour(kBand)});
        canvas_.rect({left, layout_.n.y - 2, columns, layout_.p.y + f32(layout_.rowsM) * c - layout_.n.y + 4}, {.fill = warpColour(kBand)});
    }

    // First and last element of P that the block's threads stand for.
    std::pair<CellIndex, CellIndex> blockElements() const {
        return {facts_.elementOf(in_.cursor.block, {0, 0, 0}), facts_.elementOf(in_.cursor.block, {launch_.block.x - 1, launch_.block.y - 1, 0})};
    }

    Cursor at(Warp warp, Lane lane, u32 step) const {
        Cursor c = in_.cursor;
        c.warp = warp, c.lane = lane, c.step = step;
        return c;
    }

    // Who of the block touches an element of a matrix or of a tile, and when.
    Hit leadingToElement(const Matrix& m, u64 element, std::string said) const {
        return leadingTo(in_, *accesses_, trace::Space::Global, deviceAddressOf(m.buffer) + element * info(in_.run.recording.initial[m.buffer].type).bytes, facts_.order, std::move(said));
    }
    Hit leadingToPlace(const SharedArray& tile, u64 place, std::string said) const {
        return leadingTo(in_, *accesses_, trace::Space::Shared, tile.base + place * tile.elementBytes, facts_.order, std::move(said));
    }

    std::string cellName(const Matrix& m, CellIndex c) const { return fmt::format("{}[{}][{}]", m.name, c.row, c.column); }

    // Cells that are wholly or partly where the stage is drawn.
    std::pair<u64, u64> rowsInView(Point origin, u32 rows) const { return cellsBetween(origin.y, layout_.cell, rows, layout_.zoom.area.y, layout_.zoom.area.bottom()); }
    std::pair<u64, u64> columnsInView(Point origin, u32 columns) const { return cellsBetween(origin.x, layout_.cell, columns, layout_.zoom.area.x, layout_.zoom.area.right()); }

    void drawMatrix(const Operand& operand, Point origin, bool isN) {
        const Matrix& m = operand.matrix;
        const u32 rows = isN ? layout_.inner : layout_.rowsM, columns = isN ? layout_.columnsN : layout_.inner;
        std::map<std::pair<s64, s64>, const Transfer*> lit;  // cells that this round's transfers concern
        const bool loading = facts_.activity == Activity::Load || facts_.activity == Activity::Keep;
        for (const Transfer& t : operand.transfers) {
            if (t.round != facts_.round) continue;
            const Progress p = progressOf(t);
            if (p == Progress::Ahead || (p == Progress::Kept && !loading)) continue;
            if (!(loading && &operand == &current()) && p == Progress::Kept) continue;
            if (t.asked) lit.emplace(std::pair{t.asked->row, t.asked->column}, &t);
            if (t.read && !t.outside) lit[{t.read->row, t.read->column}] = &t;
        }
        if (layout_.cell < 5) {
            drawMap(m, origin, rows, columns);
        } else {
            const Buffer& buffer = in_.run.recording.initial[m.buffer];
            const auto [firstRow, endRow] = rowsInView(origin, rows);
            const auto [firstColumn, endColumn] = columnsInView(origin, columns);
            for (u32 r = u32(firstRow); r < endRow; ++r)
                for (u32 c = u32(firstColumn); c < endColumn; ++c) {
                    const CellIndex index{r, c};
                    const Rect cell = layout_.cellAt(origin, index);
                    const auto found = lit.find({r, c});
                    const Transfer* t = found == lit.end() ? nullptr : found->second;
                    if (!m.contains(index)) {
                        ghostCell(canvas_, cell, t != nullptr);
                        if (t && !t->loadStep && layout_.cell >= 34) {
                            drawLaneNumber(cell, t->lane);
                            textOnGround(canvas_, {cell.centre().x, cell.centre().y + 4}, t->value, {.size = type::kBody, .mono = true, .role = role(RoleKind::TextSecond)});
                        }
                        if (t && isWrong(*t)) drawAskedInVain(cell, t->lane);
                        canvas_.hit(cell, {.hover = say(in_.language, kCellOutside, cellName(m, index), m.name), .go = t ? std::optional(at(t->warp, t->lane, t->loadStep.value_or(t->storeStep))) : std::nullopt});
                        continue;
                    }
                    const u64 element = u64(r) * m.columns + c;
                    const std::string value = element < buffer.count() ? cellText(m, element) : std::string();
                    valueCell(canvas_, cell, role(RoleKind::Raised));
                    if (!t) drawCellValue(cell, value, false);
                    if (t) {
                        canvas_.rect(cell.inset(1), {.fill = laneColour(t->warp, t->lane, 0.5f), .radius = radius::kCell});
                        drawCellValue(cell, value, true);
                        if (layout_.cell >= kNumberOverValue) drawLaneNumber(cell, t->lane);
                        if (t->isAlias()) frameWrong(cell);
                    }
                    if (t) canvas_.hit(cell, {.hover = say(in_.language, kCellRead, cellName(m, index), value, t->lane.value, t->warp.value), .go = at(t->warp, t->lane, t->loadStep.value_or(t->storeStep))});
                    else canvas_.hit(cell, leadingToElement(m, element, say(in_.language, kCellIs, cellName(m, index), value)));
                }
        }
        drawTileOutline(operand, origin);
        if (const u64 bytes = info(in_.run.recording.initial[m.buffer].type).bytes; second_ && second_->isAt(trace::Space::Global, deviceAddressOf(m.buffer), m.rows * m.columns * bytes)) {
            const u64 element = (second_->address - deviceAddressOf(m.buffer)) / bytes;
            secondAt_ = layout_.cellAt(origin, m.cellOf(element));
        }
    }

    // Above the ways, on plates of the ground's colour where ways pass.
    void drawAllIndices(bool all) {
        if (!withIndices()) return;
        if (all || facts_.onN) drawIndices(layout_.n, layout_.inner, layout_.columnsN, u32(facts_.n.matrix.rows), u32(facts_.n.matrix.columns));
        if (all || !facts_.onN) drawIndices(layout_.m, layout_.rowsM, layout_.inner, u32(facts_.m.matrix.rows), u32(facts_.m.matrix.columns));
        if (all) drawIndices(layout_.p, layout_.rowsM, layout_.columnsN, u32(facts_.p.rows), u32(facts_.p.columns));
    }

    static constexpr f32 kIndexCell = 15, kNumberOverValue = 40;
    bool withIndices() const { return layout_.cell >= kIndexCell && !layout_.low; }
    u32 cellCharacters() const { return layout_.cell >= 36 ? 5 : layout_.alone ? 3 : 4; }
    f32 leastDigits() const { return layout_.alone ? type::kAxis : 9; }  // smaller ones are noise
    f32 roomForValue(const Rect& cell) const { return cell.width - (cell.width > 24 ? 8 : 4); }  // ways run along both edges

    void frameWrong(const Rect& cell) { canvas_.rect(cell.inset(2), {.stroke = {role(RoleKind::Finding), layout_.cell > 20 ? 2.0f : 1.0f}, .radius = layout_.cell > 20 ? radius::kCell : 1.0f}); }

    // A cell that a lane asked for, and that there is not.
    void drawAskedInVain(const Rect& cell, Lane lane) {
        frameWrong(cell);
        if (layout_.cell >= kIndexCell) textOnGround(canvas_, cell.centre(), "?", {.size = std::min(type::kTitle, layout_.cell * 0.6f), .bold = true, .mono = true});
        if (layout_.cell >= kNumberOverValue) textOnGround(canvas_, {cell.x + 13, cell.y + 12}, std::to_string(lane.value), {.size = type::kAxis, .bold = true, .mono = true});
    }

    // Digits in all cells of a matrix or in none: "7" for "7.0" where cells are small.
    std::string cellText(const Matrix& m, u64 element) {
        const Buffer& buffer = in_.run.recording.initial[m.buffer];
        const auto whole = [&](u64 e) { return numberText(buffer.valueAt(e), isFloatElement(buffer.type), cellCharacters()); };
        const auto [known, isNew] = brief_.try_emplace(m.buffer, false);
        if (isNew && layout_.alone)
            for (u64 e = 0; e < buffer.count() && !known->second; ++e) known->second = numberText(buffer.valueAt(e), isFloatElement(buffer.type)).size() > cellCharacters();
        if (isNew && layout_.cell < kNumberOverValue && layout_.cell >= kIndexCell) {
            const TextStyle least{.size = leastDigits(), .mono = true};
            for (u64 e = 0; e < buffer.count() && !known->second; ++e) known->second = canvas_.width(std::string(std::max<std::size_t>(whole(e).size(), cellCharacters()), '0'), least) > roomForValue({0, 0, layout_.cell, layout_.cell});
        }
        return known->second ? shortened(whole(element)) : whole(element);
    }

    void drawLaneNumber(const Rect& cell, Lane lane) {
        canvas_.text({cell.x + 13, cell.y + 10}, std::to_string(lane.value), {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre});
    }

    void drawCellValue(const Rect& cell, const std::string& value, bool lit, bool bright = false) {
        TextStyle style{.bold = bright, .mono = true, .align = Align::Centre, .role = role(lit || bright ? RoleKind::Text : RoleKind::TextSecond)};
        // One size for all cells: that of the longest value there may be.
        const auto sizeFor = [&](std::size_t characters) { return fittingSize(canvas_, std::string(characters, '0'), roomForValue(cell), style, valueSize(cell.height)); };
        std::string shown = value;
        style.size = sizeFor(std::max<std::size_t>(value.size(), cellCharacters()));
        if (style.size == 0) shown = shortened(value), style.size = sizeFor(std::max<std::size_t>(shown.size(), 3));
        if (style.size > 0) canvas_.text({cell.centre().x, cell.centre().y + (lit && cell.height > 38 ? 4.0f : 0.0f)}, shown, style);
    }

    // Too many elements to draw: the matrix as one sheet, with the grid of tiles where it can be seen.
    void drawMap(const Matrix& m, Point origin, u32 rows, u32 columns) {
        const f32 c = layout_.cell;
        canvas_.rect({origin.x, origin.y, f32(columns) * c, f32(rows) * c}, {.stroke = {role(RoleKind::Ghost, 0.5f)}, .hatch = role(RoleKind::Ghost, kGhostIdle), .hatchPitch = 5});
        canvas_.rect({origin.x, origin.y, f32(m.columns) * c, f32(m.rows) * c}, {.fill = role(RoleKind::Raised)});
        const f32 tileX = f32(facts_.threads.x) * c, tileY = f32(facts_.threads.y) * c;
        hitMap(m, origin);
        if (tileX < 5 || tileY < 5) return;
        for (f32 x = tileX; x < f32(columns) * c - 0.5f; x += tileX) canvas_.line({origin.x + x, origin.y}, {origin.x + x, origin.y + f32(rows) * c}, {role(RoleKind::Ground)});
        for (f32 y = tileY; y < f32(rows) * c - 0.5f; y += tileY) canvas_.line({origin.x, origin.y + y}, {origin.x + f32(columns) * c, origin.y + y}, {role(RoleKind::Ground)});
    }

    // A tile of a map leads where the block touches it, one of P to the block whose it is; where tiles are too small for the mouse, some
    // of them together.
    void hitMap(const Matrix& m, Point origin) {
        constexpr f32 kLeast = 5;
        const auto cellsOf = [&](u32 threads) {
            const u32 tile = std::max(1u, threads);
            return tile * u32(std::max(1.0f, std::ceil(kLeast / (f32(tile) * layout_.cell))));
        };
        const u32 tall = cellsOf(facts_.threads.y), wide = cellsOf(facts_.threads.x);
        for (u64 row = 0; row < m.rows; row += tall)
            for (u64 column = 0; column < m.columns; column += wide) {
                const u64 endRow = std::min(row + tall, m.rows), endColumn = std::min(column + wide, m.columns);
                const Rect area{origin.x + f32(column) * layout_.cell, origin.y + f32(row) * layout_.cell, f32(endColumn - column) * layout_.cell, f32(endRow - row) * layout_.cell};
                const std::string said = say(in_.language, kPartOf, row, endRow - 1, column, endColumn - 1, m.name);
                if (m.buffer == facts_.p.buffer) canvas_.hit(area, {.hover = said, .go = blockOf({s64(row), s64(column)})});
                else canvas_.hit(area, leadingToElement(m, row * m.columns + column, said));
            }
    }

    // The cells of this round's tile within its matrix.
    std::optional<Rect> outlineOf(const Operand& operand, Point origin) const {
        std::optional<CellIndex> low, high;
        for (const Transfer& t : operand.transfers) {
            const std::optional<CellIndex>& c = t.asked ? t.asked : t.read;
            if (t.round != facts_.round || !c) continue;
            low = low ? CellIndex{std::min(low->row, c->row), std::min(low->column, c->column)} : *c;
            high = high ? CellIndex{std::max(high->row, c->row), std::max(high->column, c->column)} : *c;
        }
        if (!low) return std::nullopt;
        const f32 c = layout_.cell;
        return clampBox({origin.x + f32(low->column) * c - 1, origin.y + f32(low->row) * c - 1, f32(high->column - low->column + 1) * c + 2, f32(high->row - low->row + 1) * c + 2});
    }

    // The tile of this round: filled line while its load is at the cursor, dashed when it comes next.
    void drawTileOutline(const Operand& operand, Point origin) {
        const std::optional<Rect> found = outlineOf(operand, origin);
        if (!found) return;
        const f32 c = layout_.cell;
        const Rect box = *found;
        const bool ahead = std::ranges::any_of(operand.transfers, [&](const Transfer& t) { return t.round == facts_.round && t.warp == in_.cursor.warp && progressOf(t) == Progress::Ahead; });
        canvas_.rect(box, {.stroke = ahead ? Stroke{warpColour(), line::kNext, Dash::Dashed} : Stroke{warpColour(), line::kTile}, .radius = c > 10 ? radius::kControl : 1.0f});
    }
    static Rect clampBox(Rect r) {
        r.width = std::max(r.width, 4.0f), r.height = std::max(r.height, 4.0f);
        return r;
    }

    void drawIndices(Point origin, u32 rows, u32 columns, u32 realRows, u32 realColumns) {
        const auto style = [&](bool inside) { return TextStyle{.size = std::min(type::kCode, layout_.cell * 0.6f), .mono = true, .align = Align::Centre, .role = role(inside ? RoleKind::TextSecond : RoleKind::TextThird)}; };
        const auto write = [&](Point centre, const std::string& number, const TextStyle& style) {
            if (facts_.activity == Activity::Load || facts_.activity == Activity::Keep) textOnGround(canvas_, centre, number, style);
            else canvas_.text(centre, number, style);
        };
        const auto [firstRow, endRow] = rowsInView(origin, rows);
        const auto [firstColumn, endColumn] = columnsInView(origin, columns);
        for (u32 c = u32(firstColumn); c < endColumn; ++c) write({origin.x + (f32(c) + 0.5f) * layout_.cell, origin.y - 10}, std::to_string(c), style(c < realColumns));
        for (u32 r = u32(firstRow); r < endRow; ++r) {
            const std::string number = std::to_string(r);
            write({origin.x - 7 - canvas_.width(number, style(true)) / 2, origin.y + (f32(r) + 0.5f) * layout_.cell}, number, style(r < realRows));
        }
    }

    void drawNames() {
        if (layout_.magnified) {
            const TextStyle style{.size = type::kBody, .bold = true};
            const f32 c = layout_.cell;
            // Left of it where M's leaves room: the ways of what is loaded go to the right.
            const std::string name(facts_.n.matrix.name);
            const f32 wide = canvas_.width(name, style), left = layout_.n.x - 6 - wide, behind = layout_.m.x + canvas_.width(facts_.m.matrix.name, style) + 6;
            canvas_.text({left >= behind ? left : layout_.n.x + f32(layout_.columnsN) * c + 6, layout_.n.y + 8}, name, style);
            canvas_.text({layout_.p.x + f32(layout_.columnsN) * c + 6, layout_.p.y + 8}, facts_.p.name, style);
            canvas_.text({layout_.m.x, layout_.m.y - 11}, facts_.m.matrix.name, style);
            return;
        }
        const TextStyle style{.size = type::kName, .bold = true, .align = Align::Right};
        const f32 above = withIndices() ? 32.0f : 14.0f;
        const f32 right = layout_.p.x + f32(layout_.columnsN) * layout_.cell;
        canvas_.text({right, layout_.zoom.on() ? layout_.n.y - above : std::max(layout_.n.y - above, in_.titled ? space::kHead + 12 : 12)}, facts_.n.matrix.name, style);
        canvas_.text({layout_.m.x + f32(layout_.inner) * layout_.cell, layout_.m.y - above}, facts_.m.matrix.name, style);
        const std::string product = facts_.p.name + " = " + facts_.m.matrix.name + " × " + facts_.n.matrix.name;
        const f32 room = f32(layout_.columnsN) * layout_.cell + 20;
        canvas_.text({right, layout_.p.y - above}, canvas_.width(product, style) < room ? product : facts_.p.name, style);
    }

    void drawResult() {
        const Matrix& m = facts_.p;
        const f32 c = layout_.cell;
        if (c < 5) {
            drawMap(m, layout_.p, layout_.rowsM, layout_.columnsN);
        } else {
            const auto [firstRow, endRow] = rowsInView(layout_.p, layout_.rowsM);
            const auto [firstColumn, endColumn] = columnsInView(layout_.p, layout_.columnsN);
            for (u32 r = u32(firstRow); r < endRow; ++r)
                for (u32 q = u32(firstColumn); q < endColumn; ++q) {
                    const CellIndex index{r, q};
                    const Rect cell = layout_.cellAt(layout_.p, index);
                    if (m.contains(index)) valueCell(canvas_, cell, role(RoleKind::Raised));
                    else ghostCell(canvas_, cell, false);
                    if (const auto go = blockOf(index)) canvas_.hit(cell, {.hover = say(in_.language, kElementOfBlock, cellName(m, index), coordinates(go->block, launch_.grid)), .go = go});
                }
        }
        u32 without = 0, all = 0;
        if (facts_.textbook)
            for (u32 w = 0; w < here_.block->warps.size(); ++w)
                for (u32 l = 0; l < lanesOf(*here_.block, Warp{w}); ++l) {
                    const CellIndex index = facts_.elementOf(in_.cursor.block, threadOf(launch_, Warp{w}, Lane{l}));
                    ++all;
                    without += !m.contains(index);
                    if (c >= 5) drawThreadResult(Warp{w}, Lane{l}, index);
                }
        if (facts_.textbook) {
            const auto [first, last] = blockElements();
            const Rect box = clampBox({layout_.p.x + f32(first.column) * c - 1, layout_.p.y + f32(first.row) * c - 1, f32(last.column - first.column + 1) * c + 2, f32(last.row - first.row + 1) * c + 2});
            canvas_.rect(box, {.stroke = {warpColour(), line::kNext}, .radius = c > 10 ? radius::kControl : 1.0f});
        }
        if (without > 0 && !layout_.magnified && !layout_.low) {
            const TextStyle style{.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)};
            const std::string text = say(in_.language, kThreadsWithoutElement, without, all, m.name);
            const f32 right = layout_.p.x + f32(layout_.columnsN) * c;
            canvas_.textWithin({right, layout_.p.y + f32(layout_.rowsM) * c + 13}, right - layout_.side.right() - 30, text, style);
        }
    }

    // The same step in another block of the focus, whose element this is.
    std::optional<Cursor> blockOf(CellIndex index) const {
        if (!facts_.textbook) return std::nullopt;
        const u32 y = u32(index.row) / std::max(1u, facts_.swapped ? launch_.block.x : launch_.block.y), x = u32(index.column) / std::max(1u, facts_.swapped ? launch_.block.y : launch_.block.x);
        Cursor there = in_.cursor;
        there.block = facts_.swapped ? Dim3{y, x, 0} : Dim3{x, y, 0};
        return there;
    }

    void drawThreadResult(Warp warp, Lane lane, CellIndex index) {
        const Rect cell = layout_.cellAt(layout_.p, index);
        const bool exists = facts_.p.contains(index);
        const auto found = accumulators_.find({warp.value, lane.value});
        if (!exists) ghostCell(canvas_, cell, true);
        if (found != accumulators_.end() && exists) {
            const Accumulator& a = found->second;
            const std::string value = numberText(a.stored.value_or(a.sum), true, layout_.cell > 34 ? 7 : 4);
            if (a.stored) {
                valueCell(canvas_, cell, laneColour(warp, lane), value, true);
            } else {
                if (layout_.cell >= 38) canvas_.text({cell.x + 5, cell.y + 9}, std::string(kSum.in(in_.language)), {.size = type::kAxis, .role = role(RoleKind::TextThird)});
                drawCellValue(cell, value, layout_.cell >= 38);
            }
        }
        canvas_.hit(cell, {.hover = say(in_.language, exists ? kThreadOwns : kThreadOwnsNothing, coordinates(threadOf(launch_, warp, lane), launch_.block), cellName(facts_.p, index)), .go = at(warp, lane, in_.cursor.step)});
        if (isCursor(warp, lane) && (facts_.activity == Activity::Multiply || facts_.activity == Activity::Result)) cursorBox(canvas_, cell.inset(1));
    }

    // ---- Shared memory

    Rect tileRect(const SharedArray& tile, Point origin, u64 place) const {
        const u64 columns = std::max<u64>(1, tile.columns());
        return {origin.x + f32(place % columns) * layout_.tileCell, origin.y + f32(place / columns) * layout_.tileCell, layout_.tileCell, layout_.tileCell};
    }

    void drawTiles() {
        if (layout_.magnified) {
            drawTile(facts_.m, layout_.mds);
            drawTile(facts_.n, layout_.nds);
            return;
        }
        if (layout_.panel.height < 30 || layout_.tileCell < 1) return;
        canvas_.textWithin({layout_.panel.x, layout_.panel.y - 14}, layout_.panel.width, kSharedOfBlock.in(in_.language), {.size = type::kBody, .bold = true});
        canvas_.rect(layout_.panel, {.fill = role(RoleKind::Panel), .stroke = {role(RoleKind::Line)}, .radius = radius::kPanel});
        drawTile(facts_.m, layout_.mds);
        drawTile(facts_.n, layout_.nds);
    }

    // Of a magnified tile: beside it, because ways come from above; over those of the other tile that pass.
    void drawNameBeside(const Operand& operand, Point origin) {
        const SharedArray& tile = *operand.tile;
        const f32 bottom = origin.y + f32(tile.elements() / std::max<u64>(1, tile.columns())) * layout_.tileCell, right = origin.x - 10;
        const f32 room = origin.x - 14 - (layout_.side.width > 0 ? layout_.side.right() : 0);
        const auto write = [&](const std::string& text, const TextStyle& style, f32 middle) {
            const std::string shown = canvas_.cut(text, room, style);
            if (!shown.empty()) textOnGround(canvas_, {right - canvas_.width(shown, style) / 2, middle}, shown, style);
        };
        TextStyle name{.size = type::kTitle, .bold = true};
        if (canvas_.width(tile.name, name) > room) name.size = type::kCode;  // small rather than cut
        write(tile.name, name, bottom - 10);
        const TextStyle note{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const std::string state = stateOf(operand, isMoving(operand));
        // Its state is in the sentence, too.
        if (!state.empty() && canvas_.width(state, note) <= room) write(state, note, bottom - 30);
    }

    bool isMoving(const Operand& operand) const { return &operand == &current() && (facts_.activity == Activity::Load || facts_.activity == Activity::Keep); }

    void drawTile(const Operand& operand, Point origin) {
        const SharedArray& tile = *operand.tile;
        const f32 c = layout_.tileCell, wide = f32(tile.columns()) * c;
        const bool mine = isMoving(operand);
        const std::string state = stateOf(operand, mine);
        const TextStyle name{.size = type::kTitle, .bold = true}, note{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        if (!layout_.magnified) {
            const f32 nameWide = canvas_.textWithin({origin.x, origin.y - 17}, wide, tile.name, name);
            if (!state.empty() && canvas_.width(state, note) < wide - nameWide - 8) canvas_.text({origin.x + wide, origin.y - 17}, state, note);
        }
        std::optional<Rect> cursorAt;
        const std::map<u64, const Transfer*> kept = keptIn(operand);
        std::map<u64, const Transfer*> coming;  // in place of them
        for (const Transfer& t : operand.transfers)
            if (t.round == facts_.round && t.warp == in_.cursor.warp && progressOf(t) != Progress::Kept) coming[t.place] = &t;
        const TileText numbers = textOf(kept);
        for (u64 place = 0; place < tile.elements(); ++place) {
            const Rect cell = tileRect(tile, origin, place);
            const f32 gap = c > 24 ? 2 : c > 8 ? 1 : 0.25f;
            const Rect box = cell.inset(gap);
            const auto found = kept.find(place);
            const Transfer* t = found == kept.end() ? nullptr : found->second;
            const bool arriving = t && t->storeOrder == facts_.order && in_.motion < 1;
            if (t && !arriving) {
                const bool stale = t->round < facts_.round, replacedNext = stale && mine && coming.contains(place);
                drawKept(box, *t, stale, numbers);
                if (replacedNext) canvas_.rect(box, {.stroke = {warpColour(), 1.5f, c > 22 ? Dash::Dashed : Dash::Solid}, .radius = c > 24 ? radius::kControl : 1.0f});
                canvas_.hit(cell, leadingToPlace(tile, place, say(in_.language, kTileHolds, placeName(tile, place), t->value, t->lane.value, t->warp.value, t->round + 1, facts_.rounds)));
            } else {
                const bool next = coming.contains(place) && mine;
                canvas_.rect(box, {.fill = role(RoleKind::Ground), .stroke = {next ? warpColour() : role(RoleKind::Edge, c > 22 ? 1 : 0.5f), next ? 1.5f : 1.0f, c > 22 ? Dash::Dashed : Dash::Solid}, .radius = c > 24 ? radius::kControl : 1.0f});
                canvas_.hit(cell, leadingToPlace(tile, place, say(in_.language, kTileEmpty, placeName(tile, place))));
            }
            if (const auto next = coming.find(place); next != coming.end() && c >= kWithLane && !(t && !arriving)) canvas_.text(laneCorner(box), std::to_string(next->second->lane.value), {.size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)});
            if (const auto next = coming.find(place); next != coming.end() && mine && isCursor(next->second->warp, next->second->lane)) cursorAt = box;
        }
        if (cursorAt) cursorBox(canvas_, *cursorAt, c > 24 ? radius::kControl : 2);
        if (second_ && second_->isAt(trace::Space::Shared, tile.base, tile.sizeBytes)) secondAt_ = tileRect(tile, origin, (second_->address - tile.base) / tile.elementBytes), secondIsFirst_ = (second_->address - tile.base) / tile.elementBytes % std::max<u64>(1, tile.columns()) == 0;
    }

    // Whether a place holds a value of a tile that is over.
    bool anyStale() const {
        return std::ranges::any_of(std::array{&facts_.m, &facts_.n}, [&](const Operand* operand) {
            std::map<u64, const Transfer*> kept = keptIn(*operand);
            return std::ranges::any_of(kept, [&](const auto& entry) { return entry.second->round < facts_.round; });
        });
    }

    // The newest value at each place of the operand's tile.
    std::map<u64, const Transfer*> keptIn(const Operand& operand) const {
        std::map<u64, const Transfer*> kept;
        for (const Transfer& t : operand.transfers) {
            if (const Progress p = progressOf(t); p != Progress::Kept && p != Progress::Keeping) continue;
            const Transfer*& newest = kept[t.place];
            if (!newest || newest->storeOrder < t.storeOrder) newest = &t;
        }
        return kept;
    }

    // What happens to a tile; while its elements are loaded, to the matrix that they come from. Empty: nothing.
    std::string stateOf(const Operand& operand, bool mine) const {
        if (mine) return facts_.activity == Activity::Load ? say(in_.language, kMatrixBeingRead, operand.matrix.name) : say(in_.language, kTileBeingWritten);
        if (facts_.activity == Activity::Multiply) return say(in_.language, kTileInUse);
        const bool ahead = std::ranges::any_of(operand.transfers, [&](const Transfer& t) { return t.round == facts_.round && t.warp == in_.cursor.warp && progressOf(t) == Progress::Ahead; });
        return ahead ? say(in_.language, kTileNext) : std::string();
    }

    std::string placeName(const SharedArray& tile, u64 place) const { return fmt::format("{}[{}][{}]", tile.name, place / std::max<u64>(1, tile.columns()), place % std::max<u64>(1, tile.columns())); }

    // Numbers in all cells or in none, and of one size: a few that happen to be short would look like something special.
    struct TileText {
        std::size_t characters = 0;  // of the longest; 0: no numbers
        bool whole = true;           // "7.0" rather than "7"
    };
    TileText textOf(const std::map<u64, const Transfer*>& kept) const {
        TileText text;
        std::size_t brief = 0;
        for (const auto& [place, t] : kept) {
            text.characters = std::max(text.characters, t->value.size());
            brief = std::max(brief, shortened(t->value).size());
        }
        const TextStyle least{.size = 9, .bold = true, .mono = true};
        const auto fits = [&](std::size_t characters) { return canvas_.width(std::string(characters, '0'), least) <= layout_.tileCell - (layout_.tileCell > 24 ? 8 : 2.5f); };
        if (!fits(text.characters)) text = {brief, false};
        if (!fits(text.characters)) text.characters = 0;
        return text;
    }

    void drawKept(const Rect& box, const Transfer& t, bool stale, const TileText& number) {
        const f32 c = layout_.tileCell;
        const bool damaged = isWrong(t);
        if (!t.loadStep) {  // made up by the kernel: 0.0
            const Role edge = stale ? role(RoleKind::Ghost) : laneColour(t.warp, t.lane);
            Role hatch = edge;
            hatch.alpha = 0.45f;
            canvas_.rect(box, {.fill = role(RoleKind::Ground), .stroke = {edge, c > 8 && !stale ? 1.5f : 1.0f}, .radius = c > 24 ? radius::kControl : 1.0f, .hatch = hatch, .hatchPitch = c > 24 ? 7.0f : 5.0f});
            TextStyle style{.mono = true, .align = Align::Centre, .role = role(stale ? RoleKind::TextSecond : RoleKind::Text)};
            const bool numbered = c >= kKeptWithLane && !stale;
            style.size = fittingSize(canvas_, t.value, box.width - 8, style, numbered ? std::min(valueSize(box.height), box.height * 0.4f) : box.height * 0.5f);
            if (style.size > 0 && c >= 24) textOnGround(canvas_, numbered ? Point{box.centre().x, box.bottom() - box.height * 0.28f} : box.centre(), t.value, style);
            if (stale) cutCorner(box, layout_.magnified ? RoleKind::Ground : RoleKind::Panel);
            else if (numbered) textOnGround(canvas_, laneCorner(box), std::to_string(t.lane.value), {.size = type::kAxis, .bold = true, .mono = true});
            return;
        }
        const Role fill = stale ? role(RoleKind::Inactive) : laneColour(t.warp, t.lane);
        canvas_.rect(box, {.fill = fill, .radius = c > 24 ? radius::kControl : c > 8 ? 1.0f : 0.0f});
        if (damaged) canvas_.rect(box.inset(c > 24 ? 1.0f : 0.5f), {.stroke = {role(RoleKind::Finding), c > 24 ? 2.0f : 1.0f}, .radius = c > 24 ? radius::kCell : 1.0f});
        TextStyle style{.bold = !stale, .mono = true, .align = Align::Centre, .role = stale ? role(RoleKind::TextSecond) : inkOn(fill)};
        const std::string shown = number.whole ? t.value : shortened(t.value);
        style.size = fittingSize(canvas_, std::string(number.characters, '0'), box.width - (c > 24 ? 4 : 0.5f), style, c > 24 ? std::min(valueSize(box.height), box.height * 0.55f) : box.height * 0.75f);
        if (number.characters > 0 && style.size > 0) canvas_.text(valueCentre(box), shown, style);
        if (stale) cutCorner(box, layout_.magnified ? RoleKind::Ground : RoleKind::Panel);
        else if (c >= kKeptWithLane) canvas_.text(laneCorner(box), std::to_string(t.lane.value), {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = style.role});
    }
    // A value of a phase that is over: its cell lacks a corner, whatever the colours.
    void cutCorner(const Rect& box, RoleKind behind) { cutCorner(canvas_, box, behind); }
    static void cutCorner(Canvas& canvas, const Rect& box, RoleKind behind) {
        const f32 by = std::max(2.0f, std::min(10.0f, box.height * 0.3f));
        canvas.polygon({{box.x - 1, box.y - 1}, {box.x + by, box.y - 1}, {box.x - 1, box.y + by}}, role(behind));
        canvas.line({box.x + by, box.y}, {box.x, box.y + by}, {role(RoleKind::Ghost)});
    }
    // In cells this large the lane's number stands in the corner, and the value makes room for it.
    static constexpr f32 kWithLane = 24, kKeptWithLane = 40;  // empty, with a value
    static Point laneCorner(const Rect& box) { return {box.x + 10, box.y + 9}; }
    Point valueCentre(const Rect& box) const { return {box.centre().x, box.centre().y + (layout_.tileCell >= kKeptWithLane ? 4.0f : 0.0f)}; }
    // "7" of "7.0": room is short in small cells.
    static std::string shortened(const std::string& value) { return value.ends_with(".0") ? value.substr(0, value.size() - 2) : value; }

    // The places that lanes read at this step of the multiplication; the cursor's row and column as segments.
    void drawReads() {
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
                const u64 columns = std::max<u64>(1, operand.tile->columns()), rows = operand.tile->elements() / columns;
                const u64 row = factor->place / columns, column = factor->place % columns;
                const f32 c = layout_.tileCell;
                const Rect segment = which == 0 ? Rect{origin.x, origin.y + f32(row) * c, f32(columns) * c, c} : Rect{origin.x + f32(column) * c, origin.y, c, f32(rows) * c};
                canvas_.rect(segment, {.stroke = {role(RoleKind::Text), line::kTile}, .radius = c > 10 ? radius::kControl : 1.0f});
                cursorBox(canvas_, tileRect(*operand.tile, origin, factor->place).inset(c > 24 ? 4 : 0));
                lightGlobal(operand, which == 1, factor->place);
            } else {
                const Point origin = which == 0 ? layout_.m : layout_.n;
                const CellIndex cell{s64(factor->place / operand.matrix.columns), s64(factor->place % operand.matrix.columns)};
                if (layout_.cell >= 2) cursorBox(canvas_, clampBox(layout_.cellAt(origin, cell).inset(1)));
            }
        }
    }

    // The row of M's tile, the column of N's tile, in the matrices themselves.
    void lightGlobal(const Operand& operand, bool isN, u64 place) {
        if (!facts_.textbook || layout_.cell < 1) return;
        const u64 columns = std::max<u64>(1, operand.tile->columns());
        const Point origin = isN ? layout_.n : layout_.m;
        for (const Transfer& t : operand.transfers) {
            if (t.round != facts_.round || !t.asked) continue;
            const bool inSegment = isN ? t.place % columns == place % columns : t.place / columns == place / columns;
            if (!inSegment) continue;
            const Rect cell = layout_.cellAt(origin, *t.asked);
            const bool now = t.place == place;
            if (operand.matrix.contains(*t.asked)) canvas_.rect(cell, {.fill = role(RoleKind::Raised)});
            canvas_.rect(cell.inset(layout_.cell > 8 ? 1 : 0), {.fill = warpColour(operand.matrix.contains(*t.asked) ? (now ? 0.55f : 0.28f) : 0.0f), .stroke = {now ? role(RoleKind::Cursor) : warpColour(), layout_.cell > 8 ? 1.5f : 0.5f}, .radius = layout_.cell > 10 ? radius::kCell : 0.0f});
            if (layout_.cell >= 16 && operand.matrix.contains(*t.asked)) drawCellValue(cell, t.value, false, true);
        }
    }

    // Without tiles: each cell that this warp reads at the cursor's step, in the colour of its lowest lane.
    void lightAllReads(const Operand& operand, Point origin) {
        if (!here_.access || here_.access->space != trace::Space::Global || here_.access->kind != trace::AccessKind::Load) return;
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
            canvas_.rect(cell.inset(layout_.cell > 8 ? 1 : 0), {.fill = laneColour(in_.cursor.warp, lanes.lowest(), layout_.cell > 12 ? 0.6f : 1.0f), .radius = layout_.cell > 10 ? radius::kCell : 0.0f});
            if (layout_.cell > 12) drawCellValue(cell, cellText(operand.matrix, element), true);
            canvas_.hit(cell, {.hover = say(in_.language, kCellReadByLanes, cellName(operand.matrix, index), lanesText(lanes), in_.cursor.warp.value, lanes.count()), .go = at(in_.cursor.warp, lanes.lowest(), in_.cursor.step)});
        }
    }

    // The block's elements of P, magnified: below N's tile and right of M's, so that row and column meet.
    void drawSums(Point origin) {
        const f32 c = layout_.tileCell;
        const bool numbers = c >= 24;
        const u32 rows = facts_.swapped ? facts_.threads.x : facts_.threads.y;
        canvas_.text({origin.x - 10, origin.y + f32(rows) * c - 10}, facts_.p.name, {.size = type::kTitle, .bold = true, .align = Align::Right});
        std::optional<Rect> cursorAt;
        for (u32 w = 0; w < here_.block->warps.size(); ++w)
            for (u32 l = 0; l < lanesOf(*here_.block, Warp{w}); ++l) {
                const Dim3 thread = threadOf(launch_, Warp{w}, Lane{l});
                const CellIndex index = facts_.elementOf(in_.cursor.block, thread);
                const u32 row = facts_.swapped ? thread.x : thread.y, column = facts_.swapped ? thread.y : thread.x;
                const Rect cell{origin.x + f32(column) * c, origin.y + f32(row) * c, c, c};
                if (!facts_.p.contains(index)) {
                    ghostCell(canvas_, cell, false);
                } else {
                    std::optional<Accumulator> sum;
                    if (numbers || isCursor(Warp{w}, Lane{l})) sum = accumulatorOf(in_.run, facts_, *here_.block, Warp{w}, Lane{l});
                    valueCell(canvas_, cell, sum && sum->stored ? laneColour(Warp{w}, Lane{l}) : role(RoleKind::Raised), sum && numbers ? numberText(sum->stored.value_or(sum->sum), true, 4) : std::string());
                }
                const bool exists = facts_.p.contains(index);
                canvas_.hit(cell, {.hover = say(in_.language, exists ? kThreadOwns : kThreadOwnsNothing, coordinates(thread, launch_.block), cellName(facts_.p, index)), .go = at(Warp{w}, Lane{l}, w == in_.cursor.warp.value ? in_.cursor.step : momentOf(Warp{w}))});
                if (isCursor(Warp{w}, Lane{l})) cursorAt = cell.inset(c > 8 ? 1 : 0);
            }
        if (cursorAt) cursorBox(canvas_, *cursorAt, 3);
    }

    // The step of another warp at the moment that the cursor shows.
    u32 momentOf(Warp warp) const {
        const auto other = otherWarp(in_.run, in_.cursor, int(warp.value) - int(in_.cursor.warp.value));
        return other ? other->step : 0;
    }

    // ---- Values on their way

    // A lane's register, drawn below the place that its value will go to.
    Rect slotRect(const Operand& operand, Point tileOrigin, const Transfer& t) const {
        const Rect place = tileRect(*operand.tile, tileOrigin, t.place);
        const u64 columns = std::max<u64>(1, operand.tile->columns());
        const u32 firstRow = u32((u64{t.warp.value} * kWarpSize) / columns), row = std::min(u32(t.place / columns) - std::min(firstRow, u32(t.place / columns)), layout_.slotRows - 1);
        const f32 wide = std::min(std::clamp(layout_.tileCell * 0.7f, 46.0f, 60.0f), layout_.tileCell - (layout_.tileCell > 8 ? 2 : 0.5f)), tall = std::min(std::max(30.0f, wide * 0.65f), layout_.slotHeight - 4);
        const f32 slotTop = &operand == &facts_.n ? layout_.nSlotTop : layout_.mSlotTop;
        return {place.centre().x - wide / 2, slotTop + f32(row) * layout_.slotHeight + (layout_.slotHeight - tall) / 2, wide, tall};
    }

    void drawTransfers(const Operand& operand, Point matrix, Point tileOrigin) {
        if (!facts_.tiled() || layout_.tileCell < 4 || facts_.activity == Activity::SetUp || facts_.activity == Activity::Multiply || facts_.activity == Activity::Result) return;
        const bool isN = &operand == &facts_.n;
        std::vector<const Transfer*> mine;
        for (const Transfer& t : operand.transfers)
            if (t.round == facts_.round && t.warp == in_.cursor.warp) mine.push_back(&t);
        for (const Transfer* t : mine) drawWay(operand, matrix, tileOrigin, *t, isN);
        if (!mine.empty() && std::ranges::all_of(mine, [&](const Transfer* t) { return progressOf(*t) == Progress::Ahead; })) drawNextLoad(operand, matrix, tileOrigin, isN);
        std::ranges::stable_partition(mine, [](const Transfer* t) { return !t->loadStep; });  // what travels passes in front
        const Transfer* atCursor = nullptr;
        // Numbers in all tokens or in none, as in the tiles.
        const TextStyle least{.size = 9, .bold = true, .mono = true};
        const bool numbers = std::ranges::all_of(mine, [&](const Transfer* t) { return canvas_.width(shortened(t->value), least) <= slotRect(operand, tileOrigin, *t).width - 4; });
        for (const Transfer* t : mine) {
            drawToken(operand, matrix, tileOrigin, *t, isN, numbers);
            if (isCursor(t->warp, t->lane) && progressOf(*t) != Progress::Ahead) atCursor = t;
        }
        if (!atCursor) return;
        const std::optional<CellIndex> cell = atCursor->asked ? atCursor->asked : atCursor->read;
        if (cell && layout_.cell >= 3 && (&operand == &current())) cursorBox(canvas_, layout_.cellAt(matrix, *cell).inset(1));
    }

    // Just inside the cell's left edge, or its right one: a way passes the cells above it without crossing their values.
    static f32 besideDigits(const Rect& cell, bool right) {
        const f32 inset = std::min(1.75f, cell.width * 0.3f);
        return right ? cell.right() - inset : cell.x + inset;
    }

    // From the cell along the edge of its column (row of N) out of the matrix, then to the register.
    Way wayOf(const Operand& operand, Point matrix, Point tileOrigin, const Transfer& t, bool isN) const {
        const std::optional<CellIndex> source = t.read && !t.outside ? t.read : t.asked;
        const Rect slot = slotRect(operand, tileOrigin, t);
        const f32 c = layout_.cell;
        const Rect cell = layout_.cellAt(matrix, source.value_or(CellIndex{}));
        const bool lower = source && source->row % 2 != 0;
        Way way{.from = {}, .curve = {}, .role = laneColour(t.warp, t.lane), .read = t.loadStep.has_value()};
        if (layout_.magnified) {  // from the map to the register above the tile
            way.from = cell.centre();
            const Point end{slot.centre().x, slot.y};
            way.curve = {way.from, isN ? Point{way.from.x + 60, way.from.y} : Point{way.from.x, way.from.y + 30}, {end.x, end.y - (isN ? 8.0f : 24.0f)}, end};
            return way;
        }
        if (layout_.alone) {  // below the matrix to the register, which has its tile above it
            const f32 x = besideDigits(cell, lower), bottom = matrix.y + f32(isN ? layout_.inner : layout_.rowsM) * c + 2;
            way.from = {x, cell.centre().y};
            const Point end{slot.x, slot.centre().y};
            way.curve = {Point{x, bottom}, {x, std::max(bottom + 20, end.y + 24)}, {end.x - 70, end.y}, end};
        } else if (isN) {
            const f32 x = besideDigits(cell, lower), bottom = matrix.y + f32(layout_.inner) * c + 2;
            way.from = {x, cell.centre().y};
            const Point end{slot.right(), slot.centre().y};
            // Below the matrix until it is left of its indices, and above the names under it.
            way.curve = {Point{x, bottom}, {x, bottom + 22}, {std::min(end.x + 70, matrix.x - 30), std::max(end.y, bottom + 14)}, end};
        } else {
            const f32 x = besideDigits(cell, lower), top = matrix.y - 4;
            way.from = {x, cell.centre().y};
            const Point end{slot.centre().x, slot.bottom()};
            way.curve = {Point{x, top}, {x, top - 40}, {end.x, end.y + 46}, end};
        }
        return way;
    }

    void drawWay(const Operand& operand, Point matrix, Point tileOrigin, const Transfer& t, bool isN) {
        const Progress p = progressOf(t);
        if (p == Progress::Kept || p == Progress::Ahead) return;
        Way way = wayOf(operand, matrix, tileOrigin, t, isN);
        const bool placed = (t.asked || (t.read && !t.outside)) && !(t.outside && !t.asked);
        const Rect slot = slotRect(operand, tileOrigin, t), place = tileRect(*operand.tile, tileOrigin, t.place);
        if (placed) {
            if (t.outside) way.role = role(RoleKind::Finding);  // read, but from no cell
            way.travelled = p == Progress::Fetching ? ease(in_.motion) : 1;
            if (layout_.magnified && !isCursor(t.warp, t.lane)) {  // thin, as there are many
                way.role.alpha = 0.45f;
                canvas_.curve(part(way.curve, 0, std::max(0.02f, way.travelled)), {way.role, 1, way.read ? Dash::Solid : Dash::Dashed});
            } else {
                draw(canvas_, way);
            }
        }
        const f32 gone = p == Progress::Keeping ? ease(in_.motion) : 0;
        const bool down = layout_.magnified;
        if (down && layout_.tileCell < 30 && !isCursor(t.warp, t.lane)) return;  // thirty-two arrows over numbers would hide them
        const u64 columns = std::max<u64>(1, operand.tile->columns());
        const bool passesOthers = !down && layout_.tileCell > 24 && t.place / columns + 1 < operand.tile->elements() / columns;
        if (passesOthers) {  // between two columns, past the places below its own
            const f32 x = place.x;
            const Point from{x, slot.y + slot.height / 2}, to{x, place.centre().y};
            canvas_.line({slot.x, from.y}, from, {laneColour(t.warp, t.lane), line::kUnread});
            if (gone > 0) canvas_.line(from, between(from, to, gone), {laneColour(t.warp, t.lane), t.loadStep ? line::kRead : line::kUnread, t.loadStep ? Dash::Solid : Dash::Dashed});
            if (gone < 1) canvas_.line(between(from, to, gone), to, {laneColour(t.warp, t.lane), 1.2f, Dash::Dotted}, 6);
            return;
        }
        const bool passesValues = down && t.place >= columns;  // of rows above its own: between two columns
        const Point from{passesValues ? place.x - 0.5f : slot.centre().x, down ? slot.bottom() : slot.y}, to{passesValues ? from.x : place.centre().x, down ? place.y + 2 : place.bottom() - (layout_.tileCell > 24 ? 8.0f : 2.0f)};
        if (gone > 0) canvas_.line(from, between(from, {to.x, down ? place.y : place.bottom() + 2}, gone), {laneColour(t.warp, t.lane), t.loadStep ? line::kRead : line::kUnread, t.loadStep ? Dash::Solid : Dash::Dashed});
        if (gone < 1) canvas_.line(between(from, to, gone), to, {laneColour(t.warp, t.lane), 1.2f, Dash::Dotted}, layout_.tileCell > 20 ? 6.0f : 4.0f);
    }

    // One way from tile to tile: it leaves the matrix between its cells, so that it crosses none of them.
    void drawNextLoad(const Operand& operand, Point matrix, Point tileOrigin, bool isN) {
        if (layout_.magnified || layout_.alone || layout_.cell < 20 || isN != (facts_.activity != Activity::Load || !facts_.onN)) return;
        const std::optional<Rect> source = outlineOf(operand, matrix);
        if (!source) return;
        const Stroke stroke{role(RoleKind::TextThird), 1.2f, Dash::Sparse};
        const SharedArray& tile = *operand.tile;
        const Rect target{tileOrigin.x, tileOrigin.y, f32(tile.columns()) * layout_.tileCell, f32(tile.elements() / std::max<u64>(1, tile.columns())) * layout_.tileCell};
        constexpr f32 kIndices = 26, kArrow = 6, kTitle = 34;
        if (!isN) {  // upwards between two columns of M, to the tile above it
            const f32 x = target.centre().x < source->centre().x ? source->x : source->right(), top = matrix.y - kIndices;
            canvas_.line({x, source->y}, {x, top}, stroke);
            const Point end{target.centre().x, target.bottom() + 4};
            canvas_.curve({Point{x, top}, {x, (top + end.y) / 2}, {end.x, (top + end.y) / 2}, end}, stroke, kArrow);
            return;
        }
        // Leftwards between two rows of N, to the tile beside it, or to the one below where the tiles are left of M.
        const bool below = target.y > layout_.m.y;
        const f32 y = std::abs(target.centre().y - source->y) < std::abs(target.centre().y - source->bottom()) ? source->y : source->bottom(), left = matrix.x - kIndices;
        canvas_.line({source->x, y}, {left, y}, stroke);
        if (below) {
            const Point end{target.centre().x, target.y - kTitle};
            canvas_.curve({Point{left, y}, {end.x, y}, {end.x, y}, end}, stroke, kArrow);
        } else {
            const Point end{target.right() + 4, target.centre().y};
            canvas_.curve({Point{left, y}, {(left + end.x) / 2, y}, {(left + end.x) / 2, end.y}, end}, stroke, kArrow);
        }
    }

    void drawToken(const Operand& operand, Point matrix, Point tileOrigin, const Transfer& t, bool isN, bool numbers) {
        const Progress p = progressOf(t);
        if (p == Progress::Ahead || p == Progress::Kept) return;
        const Rect slot = slotRect(operand, tileOrigin, t);
        if (p == Progress::Keeping && in_.motion >= 1) {  // empty again
            if (layout_.magnified || layout_.tileCell <= 24) return;
            canvas_.rect(slot, {.fill = role(RoleKind::Ground), .stroke = {laneColour(t.warp, t.lane)}, .radius = radius::kToken});
            canvas_.text(slot.centre(), std::to_string(t.lane.value), {.size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)});
            return;
        }
        Token token{.centre = slot.centre(), .width = slot.width, .height = slot.height, .lane = std::to_string(t.lane.value), .value = !numbers ? std::string() : slot.width < 30 || t.value.size() > 5 ? shortened(t.value) : t.value, .fill = laneColour(t.warp, t.lane), .hollow = !t.loadStep.has_value()};
        if (p == Progress::Fetching && t.read && !t.outside) {
            const Way way = wayOf(operand, matrix, tileOrigin, t, isN);
            const Point along = pointAt(way.curve, ease(in_.motion));
            token.centre = in_.motion >= 1 ? slot.centre() : Point{along.x, along.y - (isN || layout_.magnified ? 0 : slot.height / 2)};
        }
        if (p == Progress::Keeping) token.centre = between(slot.centre(), tileRect(*operand.tile, tileOrigin, t.place).centre(), ease(in_.motion));
        draw(canvas_, token);
        const Rect box = bounds(token);
        if (isWrong(t)) canvas_.rect(box.inset(-1), {.stroke = {role(RoleKind::Finding), 2}, .radius = radius::kToken});
        canvas_.hit(box, {.hover = transferSentence(in_, operand, t), .go = at(t.warp, t.lane, in_.cursor.step)});
        if (isCursor(t.warp, t.lane)) cursorBox(canvas_, box, 7);
    }

    // ---- Memory, row after row: where a cell that does not exist leads

    void drawStrip(const Rect& area) {
        const Operand& operand = current();
        const Matrix& m = operand.matrix;
        const u64 count = m.rows * m.columns;
        const auto elementOf = [&](const Transfer& t) { return t.read->row * s64(m.columns) + t.read->column; };
        std::map<s64, const Transfer*> readers;
        for (const Transfer& t : operand.transfers)
            if (t.round == facts_.round && t.read && t.warp == in_.cursor.warp && progressOf(t) != Progress::Ahead) readers[elementOf(t)] = &t;
        // As far as something is read, where that is not far beyond the end; around what is spoken of where all has no room.
        constexpr s64 kBeyond = 16;
        const s64 last = readers.empty() ? 0 : std::min(readers.rbegin()->first, s64(count) + kBeyond);
        const u64 cells = std::max<u64>(count + 2, u64(std::max<s64>(0, last)) + 1);
        const Transfer* wrong = wrongSpokenOf();
        const f32 label = canvas_.width(cellName(m, {s64(m.rows) - 1, s64(m.columns) - 1}), {.size = type::kAxis, .bold = true, .mono = true}) + 8;
        const f32 pitch = std::max(label, std::clamp(area.width / f32(cells), 46.0f, 64.0f));
        const u64 shown = std::max<u64>(1, u64(area.width / pitch));
        const s64 low = wrong ? elementOf(*wrong) : readers.empty() ? 0 : readers.begin()->first;
        const s64 first = cells <= shown ? 0 : std::max<s64>(0, low - s64(shown) / 2);
        const Buffer& buffer = in_.run.recording.initial[m.buffer];
        const f32 y = area.y + 24, tall = 30;
        const auto cellOf = [&](s64 element) { return Rect{area.x + f32(element - first) * pitch, y, pitch, tall}; };
        if (wrong && wrong->asked && elementOf(*wrong) >= first && elementOf(*wrong) < first + s64(shown)) drawAstray(*wrong, cellOf(elementOf(*wrong)), area);
        const std::string title = canvas_.cut(say(in_.language, kMemoryRows, m.name), area.width, {.size = type::kBody, .bold = true});
        textOnGround(canvas_, {area.x + canvas_.width(title, {.size = type::kBody, .bold = true}) / 2, area.y + 10}, title, {.size = type::kBody, .bold = true});
        for (u64 i = 0; i < shown; ++i) {
            const s64 element = first + s64(i);
            const Rect cell = cellOf(element);
            const CellIndex index{element / s64(m.columns), element % s64(m.columns)};
            const bool inside = u64(element) < count;
            if (!inside && u64(element) >= cells) break;
            const auto reader = readers.find(element);
            const bool isRead = reader != readers.end();
            const Role fill = !isRead ? role(RoleKind::Raised) : laneColour(reader->second->warp, reader->second->lane);
            const TextStyle value{.size = type::kBody, .bold = true, .mono = true, .align = Align::Centre, .role = isRead ? inkOn(fill) : role(RoleKind::TextSecond)};
            if (inside || isRead) canvas_.rect(cell.inset(1), {.fill = fill, .radius = radius::kCell});
            else ghostCell(canvas_, cell, false);
            const std::string text = inside ? numberText(buffer.valueAt(u64(element)), true, 6) : isRead ? reader->second->value : std::string();
            const f32 numbered = isRead && pitch >= 58 ? 12 : 0;
            if (!text.empty()) canvas_.text({cell.centre().x + numbered / 2, cell.centre().y}, text, value);
            if (numbered > 0) canvas_.text({cell.x + 10, cell.y + 9}, std::to_string(reader->second->lane.value), {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(fill)});
            if (index.column == 0 && i) canvas_.line({cell.x, y - 6}, {cell.x, y + tall + 16}, {role(RoleKind::Edge), 2});
            const std::string name = inside ? cellName(m, index) : say(in_.language, kPastEnd);
            canvas_.textWithin({cell.centre().x, y + tall + 11}, pitch - 2, name, {.size = type::kAxis, .bold = isRead, .mono = inside, .align = Align::Centre, .role = role(isRead ? RoleKind::Text : RoleKind::TextThird)});
            if (!isRead) {
                if (inside) canvas_.hit(cell, leadingToElement(m, u64(element), say(in_.language, kCellIs, name, text)));
                continue;
            }
            const Transfer& t = *reader->second;
            if (isWrong(t)) canvas_.rect(cell.inset(2), {.stroke = {role(RoleKind::Finding), 2}, .radius = radius::kCell});
            canvas_.hit(cell, {.hover = transferSentence(in_, operand, t), .go = at(t.warp, t.lane, in_.cursor.step)});
            if (isCursor(t.warp, t.lane)) cursorBox(canvas_, cell.inset(1));
        }
    }

    // From the cell that was asked for to the one in memory that is read: out of the matrix, around it, and down, across no number.
    void drawAstray(const Transfer& t, const Rect& cell, const Rect& strip) {
        const Matrix& m = current().matrix;
        const Point origin = facts_.onN ? layout_.n : layout_.m, to{cell.centre().x, cell.y - 2};
        const Rect ghost = layout_.cellAt(origin, *t.asked);
        const Stroke stroke{role(RoleKind::Finding), line::kRead};
        constexpr f32 kArrow = 9, kBeside = 12;
        if (layout_.magnified || layout_.alone) {  // from the map, or past the cells below
            const Point from = layout_.alone ? Point{ghost.right(), ghost.bottom() - 8} : ghost.centre(), out = layout_.alone ? Point{from.x + 44, from.y} : Point{from.x, from.y + 40};
            canvas_.curve({from, out, Point{to.x, to.y - 60}, to}, stroke, kArrow);
            return;
        }
        const f32 right = origin.x + f32(facts_.onN ? layout_.columnsN : layout_.inner) * layout_.cell + kBeside, low = strip.y - 2;
        std::vector<Point> way;
        if (t.asked->column >= s64(m.columns)) way = {{ghost.right(), ghost.centre().y}, {right, ghost.centre().y}, {right, low}};
        else if (facts_.onN) way = {{ghost.centre().x, ghost.bottom()}, {ghost.centre().x, ghost.bottom() + 8}, {right, ghost.bottom() + 8}, {right, low}};
        else way = {{ghost.centre().x, ghost.bottom()}, {ghost.centre().x, low}};
        way.push_back({to.x, low});
        way.push_back(to);
        for (std::size_t i = 0; i + 1 < way.size(); ++i) canvas_.line(way[i], way[i + 1], stroke, i + 2 == way.size() ? kArrow : 0);
    }

    void drawMarksKey(const Rect& area) {
        if (area.height < 60) return;
        canvas_.textWithin({area.x, area.y + 10}, area.width, kMarks.in(in_.language), {.bold = true});
        keyColumn(canvas_, {area.x, area.y + 22}, area.width, area.height - 22, marks(false));
    }

    // In brief: in few words, and those alone that are drawn in this round.
    std::vector<KeyRow> marks(bool inBrief) const {
        const auto words = [&](const Words& whole, const Words& brief) { return say(in_.language, inBrief ? brief : whole); };
        const Role colour = warpColour();
        std::vector<KeyRow> rows;
        rows.push_back({[colour](Canvas& c, Point p) {
                            c.rect({p.x - 12, p.y - 8, 24, 16}, {.fill = colour, .radius = radius::kCell});
                            c.text(p, "0", {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(colour)});
                        }, words(kKeyValue, kValueInBrief)});
        const bool hasOutside = layout_.rowsM > facts_.m.matrix.rows || layout_.inner > facts_.m.matrix.columns || layout_.columnsN > facts_.n.matrix.columns;
        if (!inBrief || hasOutside) rows.push_back({[](Canvas& c, Point p) { ghostCell(c, {p.x - 12, p.y - 8, 24, 16}, true); }, words(kKeyOutside, kOutsideInBrief)});
        const std::vector<Transfer>& all = current().transfers;
        const auto pastEnd = std::ranges::find_if(all, [&](const Transfer& t) { return t.round == facts_.round && t.outside; });
        if (layout_.strip) {  // first, lest there be no room left
            if (!layout_.magnified) rows.push_back({[](Canvas& c, Point p) {
                                const Rect box{p.x - 12, p.y - 8, 24, 16};
                                ghostCell(c, box, true);
                                c.rect(box, {.stroke = {role(RoleKind::Finding), line::kTile}, .radius = radius::kCell});
                                textOnGround(c, p, "?", {.size = type::kAxis, .bold = true, .mono = true});
                            }, say(in_.language, kKeyAsked)});
            rows.push_back({[](Canvas& c, Point p) { c.line({p.x - 12, p.y}, {p.x + 12, p.y}, {role(RoleKind::Finding), 2}, 8); }, say(in_.language, kKeyAstray)});
            rows.push_back({[](Canvas& c, Point p) { c.rect({p.x - 12, p.y - 8, 24, 16}, {.stroke = {role(RoleKind::Finding), line::kTile}, .radius = radius::kCell}); }, say(in_.language, kKeyWrong)});
            if (pastEnd != all.end()) rows.push_back({[text = pastEnd->value.substr(0, 3)](Canvas& c, Point p) { c.text(p, text, {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre}); }, say(in_.language, kKeyPastEnd)});
        }
        if (facts_.tiled()) {
            rows.push_back({[colour](Canvas& c, Point p) { c.line({p.x - 12, p.y}, {p.x + 12, p.y}, {colour, line::kRead}); }, words(kKeyRead, kReadInBrief)});
            const bool hasUnread = std::ranges::any_of(all, [&](const Transfer& t) { return t.round == facts_.round && !t.loadStep; });
            if (!inBrief || hasUnread) rows.push_back({[colour](Canvas& c, Point p) { c.line({p.x - 12, p.y}, {p.x + 12, p.y}, {colour, line::kUnread, Dash::Dashed}); }, say(in_.language, kKeyUnread)});
            rows.push_back({[](Canvas& c, Point p) { c.line({p.x - 12, p.y}, {p.x + 12, p.y}, {role(RoleKind::TextThird), 1, Dash::Sparse}); }, say(in_.language, kKeyNext)});
            rows.push_back({[colour](Canvas& c, Point p) { c.rect({p.x - 12, p.y - 8, 24, 16}, {.stroke = {colour, line::kTile}, .radius = radius::kCell}); }, words(kKeyTile, kTileInBrief)});
            if (const Activity a = facts_.activity; a == Activity::Load || a == Activity::Keep || a == Activity::SetUp)
                rows.push_back({[colour](Canvas& c, Point p) { c.rect({p.x - 12, p.y - 8, 24, 16}, {.stroke = {colour, line::kUnread, Dash::Dashed}, .radius = radius::kCell}); }, words(kKeyTileNext, kTileNextInBrief)});
        }
        if (facts_.tiled() && anyStale())
            rows.push_back({[](Canvas& c, Point p) {
                                const Rect box{p.x - 12, p.y - 8, 24, 16};
                                c.rect(box, {.fill = role(RoleKind::Inactive), .radius = radius::kCell});
                                cutCorner(c, box, RoleKind::Ground);
                            }, say(in_.language, kKeyStale)});
        rows.push_back({[](Canvas& c, Point p) { cursorBox(c, {p.x - 9, p.y - 6, 18, 12}, 3); }, say(in_.language, kKeyCursor)});
        return rows;
    }

    const ViewInput& in_;
    const MatmulFacts& facts_;
    const Here& here_;
    Canvas canvas_;
    const Launch& launch_;
    std::shared_ptr<const BlockAccesses> accesses_;
    std::optional<SecondThread> second_;
    std::optional<Rect> secondAt_;  // where it is drawn once all else is
    bool secondIsFirst_ = false;    // of its tile's row
    MatmulLayout layout_;
    std::map<std::pair<u32, u32>, Accumulator> accumulators_;
    std::map<std::size_t, bool> brief_;  // by buffer: values without ".0"
};

}  // namespace

Scene buildMatmulStage(const ViewInput& in, const MatmulFacts& facts) {
    const Here here = lookUp(in.run, in.cursor);
    return MatmulStage(in, facts, here).build();
}

}  // namespace lockstep::viz
