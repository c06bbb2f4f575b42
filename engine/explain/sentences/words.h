// The small words that sentences are built from: threads, lanes, counts.
#pragma once

#include "base/dim3.h"
#include "base/lane_mask.h"
#include "base/text/counted.h"
#include "base/text/message.h"
#include "trace/access.h"

#include <string>

namespace lockstep::explain {

// A block or a thread, counted as CUDA does: "5" in one dimension, "(x 1, y 0)" in two, its axes named.
// Matrices are counted row first, M[row][col]; a bare pair would leave open which of the two it is.
std::string coordinates(Dim3 at, Dim3 extents);

// The same for table cells and buttons: "x5", "x1 y0".
std::string shortCoordinates(Dim3 at, Dim3 extents);

// How many blocks or threads there are: "64", "4 × 2 (x, y)".
std::string extentsText(Dim3 extents);

// "thread 5 of block 2", "thread (x 0, y 1) of block (x 3, y 0)".
Message threadOfBlock(Dim3 thread, Dim3 blockExtents, Dim3 block, Dim3 gridExtents);

// "lane 3", "lanes 0–7 and 16"
Message laneList(LaneMask lanes);

// "reads"
Words verb(trace::AccessKind kind);

// A place as address_names.h names it: "Mds + 12 bytes".
Message placeText(const std::string& name);

// The elements of a wide access, which address_names.h calls "in[0..3]": "in[0] to in[3]". Other names as
// they are.
Message placesText(const std::string& name);
// Its first and its last element: "in[0]", "in[3]".
std::string firstElement(const std::string& name);
std::string lastElement(const std::string& name);

}  // namespace lockstep::explain
