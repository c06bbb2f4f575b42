// One thing about a launch that the cycle model changes, all else unchanged: what it would save if it cost
// nothing. A row each; the command line, JSON and the view are derived from the rows.
#pragma once

#include "base/text/words.h"

#include <array>
#include <string_view>

namespace lockstep::time {

enum class Change : u8 {
    None,
    NoBankConflicts,
    Coalesced,
    AllHits,
    NoBarriers,
    TwiceTheBandwidth,
    MoreWarps,
    OneBlock,
    OneWarpAtATime,  // of the issue timeline alone: no row below
};

struct ChangeRow {
    Change change;
    std::string_view name;  // in JSON
    Words title;
    Words meaning;
    bool isOfOccupancy = false;  // it changes how many blocks are resident, and nothing else
};

inline constexpr std::array kChanges = {
    ChangeRow{Change::NoBankConflicts, "no_bank_conflicts", english("no bank conflicts"),
              english("Every access to shared memory takes as few wavefronts as its bytes need.")},
    ChangeRow{Change::Coalesced, "coalesced", english("perfectly coalesced"),
              english("Every access to global memory takes as few sectors as its bytes need.")},
    ChangeRow{Change::AllHits, "all_hits", english("every load hits L1"),
              english("No load of global memory waits for L2 or device memory.")},
    ChangeRow{Change::NoBarriers, "no_barriers", english("no barriers"),
              english("No warp waits for others at __syncthreads(). The results would be wrong.")},
    ChangeRow{Change::TwiceTheBandwidth, "twice_the_bandwidth", english("twice the bandwidth"),
              english("L2 and device memory deliver and take twice as many sectors per cycle.")},
    ChangeRow{Change::MoreWarps, "more_warps", english("as many warps as an SM can hold"),
              english("Neither registers nor shared memory limit how many blocks are resident."), true},
    ChangeRow{Change::OneBlock, "one_block", english("one block per SM at a time"),
              english("No other block's warps hide latency."), true},
};

}  // namespace lockstep::time
