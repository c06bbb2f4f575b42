// Which blocks of a grid stand for it in a sample: those at its corners and edges and inside, and others at
// random. The same for the same grid, number, seed and focus.
#pragma once

#include "trace/sample.h"

#include <span>
#include <vector>

namespace lockstep::run {

// What the command line and the window take where no number is given.
inline constexpr u64 kSampleBlocks = 64;
inline constexpr u64 kMostSampleBlocks = 65536;

// The boxes of a grid, whatever is run of them: along each axis the first position, those between, and the
// last.
std::vector<trace::SampleBox> boxesOf(Dim3 grid);

// The blocks of a box that show what all of them do, if what a block does depends on its position linearly
// (block_likeness.h): the corners, and the neighbors of one corner.
std::vector<u64> tellingBlocks(const trace::SampleBox& box, Dim3 grid);

// Boxes with their blocks, about `blocks` in all: `focus` in any case, then tellingBlocks() of the boxes from
// the corners of the grid inwards as far as they go, the rest at random. All blocks of a grid that has no
// more.
std::vector<trace::SampleBox> chooseSample(Dim3 grid, u64 blocks, u64 seed, std::span<const Dim3> focus);

// How many blocks all tellingBlocks() are, without counting any twice.
u64 neededBlocks(Dim3 grid);

}  // namespace lockstep::run
