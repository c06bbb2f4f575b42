// What one SM does in a launch, cycle by cycle: when each of its warps issues which instruction, what it
// waits for in between, and what its requests to memory take.
#pragma once

#include "base/integers.h"
#include "time/model/stall.h"

#include <vector>

namespace lockstep::time {

inline constexpr u32 kNotRecorded = ~u32{0};

// The level that the last of a request's bytes came from, or that took them.
enum class MemoryLevel : u8 { Shared, L1, L2, Dram };

// A request of a warp to memory, from its issue until its values are there; of a store, until it is taken.
struct RequestRecord {
    u64 begin = 0, end = 0;
    u32 warp = 0, issue = 0;  // index of the warp, and of its issue
    MemoryLevel level = MemoryLevel::Shared;
    bool isStore = false;
    u32 sectors = 0;               // of global and local memory
    u32 l1 = 0, l2 = 0, dram = 0;  // of a load's sectors, by where they came from
    u32 wavefronts = 0;
};

struct IssueRecord {
    u64 cycle = 0;
    u64 busyUntil = 0;           // it occupies its pipe until then, or leaves the queue of its sub-core
    u32 instruction = 0;         // index in the program
    u32 lanes = 0;               // that its guard let execute
    u32 request = kNotRecorded;  // index of a request
    u64 address = 0;             // of its lowest active lane, where it accesses memory
};

// A warp does not issue from `begin` up to `end`.
struct WaitRecord {
    u64 begin = 0, end = 0;
    u32 instruction = 0;  // that it waits before; while it drains, the last one
    Stall reason = Stall::Wait;
    u32 issue = kNotRecorded;  // of a scoreboard: the warp's issue whose result it waits for
    u32 warp = kNotRecorded;   // at a barrier: which came last
};

// Its waits and issues lie one behind the other, from `begin` up to `end`.
struct WarpRecord {
    u64 block = 0;  // linear, of the launch
    u32 warpOfBlock = 0;
    u8 subcore = 0;
    u64 begin = 0, end = 0;
    std::vector<IssueRecord> issues;
    std::vector<WaitRecord> waits;
};

struct SmRecord {
    std::vector<WarpRecord> warps;  // in the order in which they came
    std::vector<RequestRecord> requests;
};

}  // namespace lockstep::time
