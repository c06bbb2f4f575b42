// The small words that sentences are built from, in English and Chinese: threads, lanes, counts.
#pragma once

#include "base/counted.h"
#include "base/dim3.h"
#include "base/lane_mask.h"
#include "base/text.h"
#include "trace/access.h"

#include <string>
#include <string_view>

namespace lockstep::model {

// A block or a thread, its axes named and counted as CUDA does: "x 5" in one dimension, "(x 1, y 0)" in two.
// Matrices are counted row first, M[row][col]; a bare pair would leave open which of the two it is.
std::string coordinates(Dim3 at, Dim3 extents);

// The same for table cells and buttons: "x5", "x1 y0".
std::string shortCoordinates(Dim3 at, Dim3 extents);

// How many blocks or threads there are: "64", "4 × 2 (x, y)".
std::string extentsText(Dim3 extents);

// "thread x 5 of block x 2", "线程块 x 2 的线程 x 5"; "thread (x 0, y 1) of block (x 3, y 0)".
Text threadOfBlock(Dim3 thread, Dim3 blockExtents, Dim3 block, Dim3 gridExtents);

// "lane 3", "lanes 0–7 and 16", in Chinese "通道 0–7、16"
Text laneList(LaneMask lanes);

// "reads", "读取"
Text verb(trace::AccessKind kind);

std::string capitalised(std::string text);

// Chinese typesetting: a space between a Chinese character and a Latin letter, digit or bracket that touch.
std::string spaced(std::string_view chinese);

// A place as address_names.h names it, in both languages: "Mds + 12 bytes", "Mds + 12 字节".
Text placeText(const std::string& name);

// The elements of a wide access, which address_names.h calls "in[0..3]": "in[0] to in[3]", "in[0] 到 in[3]".
// Other names as they are.
Text placesText(const std::string& name);
// Its first and its last element: "in[0]", "in[3]".
std::string firstElement(const std::string& name);
std::string lastElement(const std::string& name);

}  // namespace lockstep::model
