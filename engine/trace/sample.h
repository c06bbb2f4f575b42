// A sample: some whole blocks of a grid, run in place of all of them because the grid is too large.
#pragma once

#include "base/dim3.h"
#include "base/indices.h"
#include "trace/grid_counts.h"

#include <array>
#include <vector>

namespace lockstep::trace {

// Positions of one kind - a corner of the grid, an edge without its corners, its inside - and those of their
// blocks that are run. All positions of a launch together are its grid.
struct SampleBox {
    Dim3 first{0, 0, 0}, last{0, 0, 0};  // both belong to it
    std::vector<u64> blocks;             // linear within the grid, ascending
    // By pc of an access to global memory: how many bytes, modulo 256, its addresses move from one block to
    // the next along each axis. Empty: none do.
    std::vector<std::array<u8, 3>> shifts{};

    // Of the addresses in this block, from those in the first.
    u8 shiftOf(u32 pc, Dim3 block) const;

    u64 count() const { return u64{last.x - first.x + 1} * (last.y - first.y + 1) * (last.z - first.z + 1); }
};

// Why the blocks that were not run are not known to do the same as those that were.
enum class Unproved : u8 {
    Nothing,         // they are known to
    Stopped,         // the run was stopped before its end
    Findings,        // a block has a fault, so what it does proves nothing
    TooFewBlocks,    // a box has more corners than blocks were run
    TooLong,         // a block did too much to be compared
    BlocksDiffer,    // two blocks of one box did different things
    DependsOnData,   // a branch or an address may depend on loaded data
    NotLinear,       // a branch or an address depends on the block's position, and not linearly
    CallsFunctions,  // the kernel calls functions, which are not followed
    UnderWay,        // they are being run: these are shown meanwhile
};

// What is kept of a run of a sample.
struct Sample {
    u64 blocks = 0, of = 0;  // of all launches: those that ran, and those of the grids
    // Counts of the whole grids, one per launch: each box's first block for all of its blocks.
    // Empty unless `unproved` is Nothing.
    std::vector<GridCounts> grid;
    Unproved unproved = Unproved::Nothing;
    u64 neededBlocks = 0;  // TooFewBlocks: in all launches
    Pc at = kNoPc;         // DependsOnData, NotLinear: the branch or access

    bool isExtrapolated() const { return !grid.empty(); }
};

// Adds the counts: patterns that are equal become one.
void addCounts(GridCounts& into, const GridCounts& counts);
// Adds those of all blocks of the box, which do what its first block did, but for the shifts. False: a site
// has no patterns any more, or too many, and what it costs depends on where its addresses are.
bool addBox(GridCounts& into, const SampleBox& box, const GridCounts& ofFirst);

}  // namespace lockstep::trace
