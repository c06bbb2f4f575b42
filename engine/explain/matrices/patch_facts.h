// What the focus block of a matrix product did whose threads compute a patch of P each (register tiling),
// read from its record alone: where the block's elements of M and N stand in shared memory, which elements of
// P its threads sum up and store, and how far the cursor's thread is. Neither names nor coordinates count,
// and one sum a thread is a patch, too.
#pragma once

#include "explain/arrays/shared_arrays.h"
#include "explain/matrices/matmul_facts.h"
#include "explain/matrices/thread_sums.h"
#include "explain/matrices/tile_spots.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::explain {

struct PatchOperand {
    Matrix matrix;
    bool isN = false;
    std::optional<SharedArray> tile{};  // none: threads read the matrix itself
    u64 firstPlace = 0, endPlace = 0;   // of the array, where both tiles lie in one
    TileSpots spots{};
    std::vector<std::vector<MatmulBlock::Moved>> rounds{};
    // Fillings that anything was loaded for: behind its last tile a pipeline may store zeros that it made.
    u32 tiles() const {
        const auto isLoaded = [](const std::vector<MatmulBlock::Moved>& round) {
            return std::ranges::any_of(
                round, [](const auto& moved) { return moved.loadStep != MatmulBlock::Moved::kMadeUp; });
        };
        u32 count = u32(rounds.size());
        while (count > 0 && !isLoaded(rounds[count - 1]))
            --count;
        return count;
    }
    bool holds(u64 address) const {
        return tile && tile->contains(address) && placeOf(address) >= firstPlace &&
               placeOf(address) < endPlace;
    }
    u64 placeOf(u64 address) const { return (address - tile->base) / tile->elementBytes; }
    // Of the matrix: which element a place stands for in that round.
    CellIndex cellOf(TileSpots::Spot spot, u32 round) const {
        const s64 line = spots.firstLine[round] + spot.line,
                  k = spots.firstK[round] + spot.k % std::max(1u, spots.depth);
        return isN ? CellIndex{k, line} : CellIndex{line, k};
    }
};

struct PatchBlock {
    PatchOperand m, n;
    Matrix p;
    s64 firstRow = 0, firstColumn = 0;  // the block's part of P, what lies outside of P included
    u32 rows = 0, columns = 0;
    struct Stored {
        CellIndex cell;
        u32 step = 0, order = 0;
        f64 value = 0;
    };
    std::map<std::pair<u32, u32>, std::vector<Stored>>
        stored{};  // by warp and lane: the last of each element
    bool isTiled() const { return m.tile || n.tile; }
    const ThreadSums& sumsOf(Warp warp, Lane lane) const;
    // Of M or N what a thread has loaded; where it loaded a place of a tile, what was put there, if that is
    // known.
    std::optional<CellIndex> sourceOf(const PatchOperand& operand, Warp warp,
                                      const ThreadSums::Factor& factor) const;

    Recorded run;
    const trace::FocusBlock* block = nullptr;
    std::shared_ptr<const LazyFlow> flow;
    mutable std::map<std::pair<u32, u32>, ThreadSums> sums{};  // those that have been asked for
};

// None where the block was not recorded or cannot be followed, or no sums of products are found in it.
std::shared_ptr<const PatchBlock> patchBlock(const Recorded& run, const Cursor& cursor,
                                             const MatmulRoles& roles,
                                             const std::shared_ptr<const LazyFlow>& flow);

// At the cursor.
struct PatchFacts {
    std::shared_ptr<const PatchBlock> block;
    u32 order = 0;                   // of the cursor's step
    u32 roundOfM = 0, roundOfN = 0;  // the tiles that the cursor's step, or the last one before it, works on
    Activity activity = Activity::SetUp;
    bool onN = false;
    bool between = true;  // the cursor's step itself does nothing of it
    u32 actStep = 0;      // the step that does
    u32 accessStep = 0;   // the last one of these that accesses memory
    std::optional<Doing> next{};
    std::vector<Transfer> m{}, n{};                // of this round and its neighbors
    const ThreadSums* sums = nullptr;              // of the cursor's thread
    std::vector<ThreadSums::Now> now{};            // of each of its sums
    const ThreadSums::Product* product = nullptr;  // that the cursor's step adds

    const PatchOperand& operand(bool isN) const { return isN ? block->n : block->m; }
    u32 round(bool isN) const { return isN ? roundOfN : roundOfM; }
    // Of whichever operand has more tiles: which one of how many.
    u32 round() const { return round(block->n.rounds.size() > block->m.rounds.size()); }
    u32 tiles() const { return std::max(block->m.tiles(), block->n.tiles()); }
    const std::vector<Transfer>& transfers(bool isN) const { return isN ? n : m; }
};
std::optional<PatchFacts> patchFacts(const Recorded& run, const Cursor& cursor,
                                     const std::shared_ptr<const PatchBlock>& block);

// Rows and columns of P that sums take: 8 and 8 of a patch of 64.
struct PatchExtents {
    std::vector<s64> rows, columns;
    bool isWhole = false;  // every row with every column
};
PatchExtents extentsOf(std::span<const CellIndex> cells);

}  // namespace lockstep::explain
