// Of a block that writes part of a matrix, as a stencil does: the cell that the cursor's lane writes, where
// the same cell stands in what the block reads and keeps, and how what the lane touches now lies to it.
#pragma once

#include "base/text/language.h"
#include "explain/arrays/block_part.h"
#include "explain/cursor/lookup.h"

#include <optional>
#include <string>

namespace lockstep::explain {

struct ThreadElement {
    u64 row = 0, column = 0;
};

// In the matrix that the block writes: where the lane stores next, else where it stored last. None: it stores
// nowhere there.
std::optional<ThreadElement> threadElement(const Recorded& run, const Cursor& cursor,
                                           const BlockParts& parts);

// The same cell where `part` stands: a buffer of that shape, or what shared memory keeps of it. none: it is
// not kept there.
std::optional<ThreadElement> threadElementIn(const BlockPart& part, const BlockParts& parts,
                                             ThreadElement own);

// "Lane 17 reads tile[2][1], left of its own cell tile[2][2]."; empty where that is not so simple.
std::string howItLies(Language language, Lane lane, bool writes, const std::string& array,
                      ThreadElement touched, ThreadElement own);

}  // namespace lockstep::explain
