// Does what a block does depend on its position so simply that a few blocks of a box show what all of them
// do?
//
// The proof. Within a box, each thread's values are followed as linear functions of the block's position, mod
// 2^64 or 2^32: c0 + cx * ctaid.x + cy * ctaid.y + cz * ctaid.z, where c0, cx, ... may depend on the thread,
// the launch and how often a loop was run, but on no block. Every branch and guard has to be one of
//   - the same in all blocks of the box for each thread: made of such values only, or decided by their
//   ranges;
//   - a comparison of linear values, none of which overflows between the corners: true in a half-space. If it
//   is
//     the same in all corners of the box, it is the same in the whole box, for both the half-space and its
//     complement are convex. Several combined have to depend on different axes.
// Every address has to be linear. Then, instruction after instruction: if all corners of the box executed the
// same steps with the same active lanes, so did every block of it; and if the lanes' distances are the same
// in all corners, and the lowest address modulo 256 in one corner and its neighbors, they are the same in the
// whole box. That is compared by trace/block_digest.h. Where the coefficients of an address are known, the
// lowest address may also be shifted, by the same number of bytes from each block to the next
// (SampleBox::shifts). Loaded values may be in neither.
#pragma once

#include "base/buffer.h"
#include "ptx/module.h"
#include "trace/sample.h"

#include <array>
#include <vector>

namespace lockstep::run {

struct Likeness {
    trace::Unproved unproved = trace::Unproved::Nothing;
    Pc at = kNoPc;                            // the branch or access that is to blame
    std::vector<std::array<u8, 3>> shifts{};  // SampleBox::shifts
};

// Of the blocks of one box of the launch. Buffers: those of the experiment.
Likeness likenessOf(const ptx::Module& module, const Launch& launch, const trace::SampleBox& box,
                    std::span<const Buffer> buffers);

}  // namespace lockstep::run
