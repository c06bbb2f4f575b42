// The matrix stage while it is drawn: its parts are in files of their own (matrices, tiles, reads, ways,
// strip).
#pragma once

#include "explain/matrices/matmul_facts.h"
#include "explain/matrices/tile_reuse.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/marks/token.h"
#include "viz/marks/way.h"
#include "viz/parts/conflicting_thread.h"
#include "viz/parts/links_to_accesses.h"
#include "viz/stages/matmul/matmul_layout.h"
#include "viz/stages/matmul/product_words.h"
#include "viz/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockstep::viz {

using explain::Accumulator, explain::accumulatorOf, explain::Activity, explain::CellIndex, explain::Doing,
    explain::MatmulFacts, explain::Matrix, explain::Operand, explain::Transfer;

// How far a transfer is at the cursor.
enum class Progress : u8 { Ahead, Fetching, Held, Keeping, Stored };

// Around the row and the column that the cursor's thread multiplies.
inline constexpr Role kPasses = role(RoleKind::Text),
                      kFails = role(RoleKind::TextSecond);  // the test before the store
inline constexpr Stroke kSegmentLine{role(RoleKind::TextSecond), line::kTile};

class MatmulStage {
public:
    MatmulStage(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here)
        : in_(in),
          facts_(facts),
          here_(here),
          canvas_(in.size, in.metrics),
          launch_(launchOf(in.run, in.cursor.launch)),
          accesses_(accessesOfBlock(in)),
          second_(explain::conflictingThreadAt(in.run, in.cursor, in.language)) {}

    Scene build();

private:
    Role laneColor(Warp warp, Lane lane, f32 alpha = 1) const {
        return warpRole(warp, lane, explain::lanesOf(*here_.block, warp), alpha);
    }
    Role warpColor(f32 alpha = 1) const { return warpRole(in_.cursor.warp, Lane{0}, 0, alpha); }
    static bool isWrong(const Transfer& t) { return t.outside || t.isAlias(); }
    // Of the wrong reads of this round the one that the sentence is about: the cursor's, else the first that
    // stays within the matrix.
    const Transfer* wrongSpokenOf() const;
    bool isCursor(Warp warp, Lane lane) const { return warp == in_.cursor.warp && lane == in_.cursor.lane; }
    const Operand& current() const { return facts_.onN ? facts_.n : facts_.m; }

    Progress progressOf(const Transfer& t) const;
    // Whether the ghosts of this operand are to be shown: its load is the one at the cursor or just before
    // it.
    bool ghostsHeld(const Transfer& t) const;

    void gatherAccumulators();

    // For a hall: the operand that is loaded, its tile, and which thread is spoken of.
    void drawLoadAlone();

    // ---- Matrices

    // Where the row of M and the column of N meet.
    void drawBands();

    // First and last element of P that the block's threads stand for.
    std::pair<CellIndex, CellIndex> blockElements() const;

    Cursor at(Warp warp, Lane lane, u32 step) const;

    // Who of the block touches an element of a matrix or of a tile, and when.
    u64 addressOf(const Matrix& m, u64 element) const;
    Hit linkToElement(const Matrix& m, u64 element, std::string said) const;
    Hit linkToPlace(const explain::SharedArray& tile, u64 place, std::string said) const;

    // Cells that are wholly or partly where the stage is drawn.
    std::pair<u64, u64> rowsInView(Point origin, u32 rows) const {
        return cellsBetween(origin.y, layout_.cell, rows, layout_.zoom.area.y, layout_.zoom.area.bottom());
    }
    std::pair<u64, u64> columnsInView(Point origin, u32 columns) const {
        return cellsBetween(origin.x, layout_.cell, columns, layout_.zoom.area.x, layout_.zoom.area.right());
    }

    void drawMatrix(const Operand& operand, Point origin, bool isN);

    // Above the ways, on plates of the ground's color where ways pass.
    void drawAllIndices(bool all);

    static constexpr f32 kIndexCell = 15, kNumberOverValue = 40;
    bool withIndices() const { return layout_.cell >= kIndexCell && !layout_.low; }
    u32 cellCharacters() const {        // as many as have room, from 3 to 5
        constexpr f32 kAdvance = 0.6f;  // of a digit, in parts of its size
        return u32(std::clamp(roomForValue({0, 0, layout_.cell, layout_.cell}) / (kAdvance * leastDigits()),
                              3.0f, 5.0f));
    }
    f32 leastDigits() const { return layout_.alone ? type::kAxis : 9; }  // smaller ones are noise
    f32 roomForValue(const Rect& cell) const {
        return cell.width - (cell.width > 24 ? 8 : 4);
    }  // ways run along both edges

    void frameWrong(const Rect& cell) {
        canvas_.rect(cell.inset(2), {.stroke = {role(RoleKind::Finding), layout_.cell > 20 ? 2.0f : 1.0f},
                                     .radius = layout_.cell > 20 ? radius::kCell : 1.0f});
    }

    // A cell that a lane asked for, and that there is not.
    void drawNoFurtherStep(const Rect& cell, Lane lane);

    // Digits in all cells of a matrix or in none: "7" for "7.0" where cells are small.
    std::string cellText(const Matrix& m, u64 element);

    void drawLaneNumber(const Rect& cell, Lane lane);

    void drawCellValue(const Rect& cell, const std::string& value, bool lit, bool bright = false);
    // `characters`: of the longest value of its kind, whose size all of them have.
    void drawValueOf(std::size_t characters, const Rect& cell, const std::string& value, TextStyle style,
                     f32 down = 0);
    std::string sumText(const Accumulator& sum) const;
    std::size_t sumCharacters();

    // Too many elements to draw: the matrix as one sheet, with the grid of tiles where it can be seen.
    void drawMap(const Matrix& m, Point origin, u32 rows, u32 columns);

    // A tile of a map leads where the block touches it, one of P to the block whose it is; where tiles are
    // too small for the mouse, some of them together.
    void hitMap(const Matrix& m, Point origin);

    // The cells of this round's tile within its matrix.
    std::optional<Rect> outlineOf(const Operand& operand, Point origin) const;

    // The tile of this round: filled line while its load is at the cursor, dashed when it comes next.
    void drawTileOutline(const Operand& operand, Point origin);
    static Rect clampBox(Rect r);

    void drawIndices(Point origin, u32 rows, u32 columns, u32 realRows, u32 realColumns);

    void drawNames();

    void drawResult();

    // The same step in another block of the focus, whose element this is.
    std::optional<Cursor> blockOf(CellIndex index) const;

    bool isOfBlock(CellIndex index) const;
    void drawThreadResult(Warp warp, Lane lane, CellIndex index);
    // The cell stands for what its thread has summed or stored.
    void drawSumCell(const Rect& cell, CellIndex index, const Accumulator& sum);
    // Where the test before the store decides: whether the thread passes it.
    void markStoreTest(Warp warp, Lane lane, const Rect& cell);

    // ---- Shared memory

    Rect tileRect(const explain::SharedArray& tile, Point origin, u64 place) const;

    void drawTiles();

    // Of the tile of the cursor's round: how often its elements have been read.
    explain::TileReuse reuseOf(const Operand& operand) const;

    // Of a magnified tile: beside it, because ways come from above; over those of the other tile that pass.
    void drawNameBeside(const Operand& operand, Point origin);

    bool isMoving(const Operand& operand) const {
        return &operand == &current() &&
               (facts_.activity == Activity::Load || facts_.activity == Activity::Keep);
    }

    void drawTile(const Operand& operand, Point origin);

    // Whether a place holds a value of a tile that is over.
    bool anyStale() const;

    // The newest value at each place of the operand's tile.
    std::map<u64, const Transfer*> keptIn(const Operand& operand) const;

    // What happens to a tile; while its elements are loaded, to the matrix that they come from. Empty:
    // nothing.
    std::string stateOf(const Operand& operand, bool mine) const;

    std::string placeName(const explain::SharedArray& tile, u64 place) const {
        return fmt::format("{}[{}][{}]", tile.name, place / std::max<u64>(1, tile.columns()),
                           place % std::max<u64>(1, tile.columns()));
    }

    // Numbers in all cells or in none, and of one size: a few that happen to be short would look like
    // something special.
    struct TileText {
        std::size_t characters = 0;  // of the longest; 0: no numbers
        bool whole = true;           // "7.0" rather than "7"
    };
    TileText textOf(const std::map<u64, const Transfer*>& kept) const;

    void drawKept(const Rect& box, const Transfer& t, bool stale, const TileText& number);
    // A value of a phase that is over: its cell lacks a corner, whatever the colors.
    void cutCorner(const Rect& box, RoleKind behind);
    static void cutCorner(Canvas& canvas, const Rect& box, RoleKind behind);
    // In cells this large the lane's number stands in the corner, and the value makes room for it.
    static constexpr f32 kWithLane = 24, kKeptWithLane = 40,
                         kGhostWithValue = 14;  // empty, with a value, with a 0 in brief
    static Point laneCorner(const Rect& box) { return {box.x + 10, box.y + 9}; }
    Point valueCentre(const Rect& box) const {
        return {box.centre().x, box.centre().y + (layout_.tileCell >= kKeptWithLane ? 4.0f : 0.0f)};
    }
    // "7" of "7.0": room is short in small cells.
    static std::string shortened(const std::string& value) {
        return value.ends_with(".0") ? value.substr(0, value.size() - 2) : value;
    }

    // The places that lanes read at this step of the multiplication; the cursor's row and column as segments.
    void drawReads();

    // The row of M's tile, the column of N's tile, in the matrices themselves.
    void lightGlobal(const Operand& operand, bool isN, u64 place);

    // Without tiles: each cell that this warp reads at the cursor's step, in the color of its lowest lane.
    void lightAllReads(const Operand& operand, Point origin);

    // The block's elements of P, magnified: below N's tile and right of M's, so that row and column meet.
    void drawSums(Point origin);

    // The step of another warp at the moment that the cursor shows.
    u32 momentOf(Warp warp) const;

    // ---- Values on their way

    // A lane's register, drawn below the place that its value will go to.
    Rect slotRect(const Operand& operand, Point tileOrigin, const Transfer& t) const;

    void drawTransfers(const Operand& operand, Point matrix, Point tileOrigin);

    // Just inside the cell's left edge, or its right one: a way passes the cells above it without crossing
    // their values.
    static f32 besideDigits(const Rect& cell, bool right);

    // From the cell along the edge of its column (row of N) out of the matrix, then to the register.
    Way wayOf(const Operand& operand, Point matrix, Point tileOrigin, const Transfer& t, bool isN) const;

    void drawWay(const Operand& operand, Point matrix, Point tileOrigin, const Transfer& t, bool isN);

    // One way from tile to tile: it leaves the matrix between its cells, so that it crosses none of them.
    void drawNextLoad(const Operand& operand, Point matrix, Point tileOrigin, bool isN);

    void drawToken(const Operand& operand, Point matrix, Point tileOrigin, const Transfer& t, bool isN,
                   bool numbers);

    // ---- Memory, row after row: where a cell that does not exist leads

    void drawStrip(const Rect& area);

    // From the cell that was asked for to the one in memory that is read: out of the matrix, around it, and
    // down, across no number. `track`: how many arrows pass outside of this one.
    void drawAstray(const Transfer& t, const Rect& cell, const Rect& strip, u32 track, bool isSpokenOf);

    void drawMarksKey(const Rect& area);

    // In brief: in few words, and those alone that are drawn in this round.
    void drawKeys();
    // In the room below the map, where the tiles are magnified: the factors of the cursor's thread where they
    // have no numbers, or what stands in the matrix around the element that it loads.
    void drawLoupe(const Rect& body);
    std::vector<KeyRow> marks(bool inBrief) const;

    const ViewInput& in_;
    const MatmulFacts& facts_;
    const CursorContext& here_;
    Canvas canvas_;
    const Launch& launch_;
    std::shared_ptr<const explain::BlockAccesses> accesses_;
    std::optional<explain::ConflictingThread> second_;
    std::optional<Rect> secondAt_;  // where it is drawn once all else is
    MatmulLayout layout_;
    std::map<std::pair<u32, u32>, Accumulator> accumulators_;
    std::size_t sumCharacters_ = 0;    // 0: not asked for yet
    std::optional<LaneMask> passing_;  // of the cursor's warp, where the test before the store decides
    bool hasTicks_ = false, hasCrosses_ = false;
    std::map<std::size_t, bool> brief_;  // by buffer: values without ".0"
};

}  // namespace lockstep::viz
