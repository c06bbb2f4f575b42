// The same place in another run of a kernel: another size, another variant, or its edited file.
#pragma once

#include "base/cursor.h"
#include "explain/cursor/recorded.h"

#include <optional>

namespace lockstep::explain {

// The same block and warp, where it does the same for the same time on the same line of source: the n-th load
// from shared memory of that line stays the n-th. Lines are the same that read the same; where several do, in
// their order. Of a line that was edited: the line in its place. None: the other run does not come there.
std::optional<Cursor> samePlace(const Recorded& from, const Cursor& cursor, const Recorded& to);

}  // namespace lockstep::explain
