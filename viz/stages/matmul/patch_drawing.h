// The stage of patches while it is drawn: its parts are in files of their own (tiles and product, map,
// registers).
#pragma once

#include "viz/marks/frame.h"
#include "viz/parts/cell_blocks.h"
#include "viz/parts/links_to_accesses.h"
#include "viz/parts/loupe.h"
#include "viz/stages/matmul/patch_layout.h"
#include "viz/stages/matmul/patch_stage.h"
#include "viz/stages/matmul/patch_text.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

class PatchStage {
public:
    PatchStage(const ViewInput& in, const explain::PatchFacts& facts, const CursorContext& here);
    Scene build();

private:
    using CellIndex = explain::CellIndex;
    using Matrix = explain::Matrix;
    using PatchOperand = explain::PatchOperand;
    using Transfer = explain::Transfer;
    using ThreadSums = explain::ThreadSums;

    Role laneColor(Warp warp, Lane lane, f32 alpha = 1) const {
        return warpRole(warp, lane, explain::lanesOf(*here_.block, warp), alpha);
    }
    Role warpColor(f32 alpha = 1) const { return warpRole(in_.cursor.warp, Lane{0}, 0, alpha); }
    bool isCursor(Warp warp, Lane lane) const { return warp == in_.cursor.warp && lane == in_.cursor.lane; }
    bool isNow(const Transfer& t) const {  // moved by what the picture shows
        if (t.warp != in_.cursor.warp) return false;
        return facts_.activity == explain::Activity::Load   ? t.loadStep == facts_.actStep
               : facts_.activity == explain::Activity::Keep ? t.storeStep == facts_.actStep
                                                            : false;
    }
    Cursor at(Warp warp, Lane lane, u32 step) const {
        Cursor cursor = in_.cursor;
        cursor.warp = warp, cursor.lane = lane, cursor.step = step;
        return cursor;
    }
    Rect areaOf(const CellBlock& block) const;  // in the product that is drawn large
    u64 addressOf(const Matrix& m, u64 element) const;
    Hit linkToElement(const Matrix& m, u64 element, std::string said) const;
    Hit linkToPlace(const PatchOperand& operand, u64 place, std::string said) const;

    // ---- The tiles and the block's part of P, or the matrices (patch_cross.cpp)
    void drawBands();
    void drawProduct();
    // The cell stands for that sum of the cursor's thread.
    void drawSumCell(const Rect& cell, std::size_t sum);
    RectStyle madeUpStyle(Role edge) const;  // of a zero that the kernel fills in
    void drawTile(const PatchOperand& operand);
    Rect spotArea(const PatchOperand& operand, explain::TileSpots::Spot spot) const;
    void drawOperand(const PatchOperand& operand);
    void drawLines(const PatchOperand& operand);
    void drawFactors();
    void drawNames();
    std::map<u64, const Transfer*> keptIn(bool isN) const;
    std::optional<Rect> factorArea(bool isN, const ThreadSums::Factor& factor) const;
    Rect cellArea(const MatrixCross& cross, const Matrix& m, CellIndex cell) const;
    void drawReads();

    // ---- The whole matrices, small (patch_map.cpp)
    void drawMap();
    void drawMapOf(const Matrix& m, Point origin);
    std::optional<Cursor> blockAt(s64 row, s64 column) const;
    std::optional<Rect> tileInMap(const PatchOperand& operand, u32 round) const;
    void drawMoves();
    bool crossesName(const Curve& curve) const;

    // ---- What stands around the element at the cursor (patch_loupe.cpp)
    void drawLoupe();
    std::optional<Loupe> loupeAtCursor() const;
    Loupe matrixLoupe(const Matrix& m, CellIndex cell) const;
    Loupe tileLoupe(const PatchOperand& operand, u64 place) const;
    // The element of the cursor's lane: the place of a tile that it reads or writes.
    std::optional<u64> placeAtCursor(const PatchOperand& operand) const;
    // Beside the map, or below the registers: whichever is larger.
    Rect roomForLoupe() const;

    // ---- The registers of the cursor's thread (patch_registers.cpp)
    void drawRegisters();
    RectStyle sumToCome() const;  // of a sum whose product for this k is not added yet

    std::vector<KeyRow> marks(bool inBrief) const;
    // Of what tiles hold: a color for each of the warps that put values there.
    std::optional<KeyRow> markOfValues(bool inBrief) const;

    const ViewInput& in_;
    const explain::PatchFacts& facts_;
    const CursorContext& here_;
    Canvas canvas_;
    const Launch& launch_;
    std::shared_ptr<const explain::BlockAccesses> accesses_;
    PatchLayout layout_;
    static constexpr f32 kLeastValueCell = PatchLayout::kLeastValueCell;
    static constexpr f32 kTallestRegister = 30, kAboveRegisters = 48;
    f32 leftOfNames_ = 1e6f;         // of M and its tile
    std::vector<CellIndex> patch_;   // of the cursor's thread
    explain::PatchExtents extents_;  // of it
};

}  // namespace lockstep::viz
