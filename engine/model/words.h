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

// "5" in one dimension, "(1,0)" in two: row and column, as matrices are counted and the course writes threads,
// so (y,x) of what CUDA counts x first.
std::string coordinates(Dim3 at, Dim3 extents);

// The same where it has to be told which number is which: "5", "(y 1, x 0)".
std::string namedCoordinates(Dim3 at, Dim3 extents);

// "thread 5 of block 2", "线程块 2 的线程 5"; "thread (y 1, x 0) of block (y 0, x 3)".
Text threadOfBlock(Dim3 thread, Dim3 blockExtents, Dim3 block, Dim3 gridExtents);

// "lane 3", "lanes 0-7 and 16", in Chinese "lane 0-7、16"
Text laneList(LaneMask lanes);

// "reads", "读取"
Text verb(trace::AccessKind kind);

std::string capitalised(std::string text);

// Chinese typesetting: a space between a Chinese character and a Latin letter, digit or bracket that touch.
std::string spaced(std::string_view chinese);

// A place as address_names.h names it, in both languages: "Mds + 12 bytes", "Mds + 12 字节".
Text placeText(const std::string& name);

}  // namespace lockstep::model
