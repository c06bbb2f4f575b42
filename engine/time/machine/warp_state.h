// The state of one warp that executes machine code: registers, predicates, and the paths of its lanes.
#pragma once

#include "base/lane_mask.h"
#include "time/machine/program.h"

#include <array>
#include <vector>

namespace lockstep::time {

struct alignas(64) Lanes {
    std::array<u32, kWarpSize> at;
    constexpr u32& operator[](std::size_t lane) { return at[lane]; }
    constexpr u32 operator[](std::size_t lane) const { return at[lane]; }
};

struct BlockState;

// Lanes that stand at one instruction, and what they wait for there.
struct Path {
    enum class Waits : u8 { No, ForLanes, ForWarp, ForBlock };
    u32 mask = 0;
    u32 at = 0;  // index of an instruction
    Waits waits = Waits::No;
    u32 awaited = 0;   // ForLanes: the barrier; ForWarp: the lanes
    u32 backward = 0;  // backward branches since it was chosen
};

// What the last memory instruction accessed.
struct MemoryAccess {
    MemorySpace space = MemorySpace::None;
    MemoryAction action = MemoryAction::Load;
    u8 widthBytes = 4;
    u32 lanes = 0;
    std::array<u64, kWarpSize> addresses{};  // of local memory: bytes within the thread's own
};

struct WarpState {
    static constexpr u32 kBarriers = 16;

    const Program* program = nullptr;
    BlockState* block = nullptr;
    u32 number = 0;   // in its block
    u32 threads = 0;  // lanes that exist
    u32 exited = 0;

    std::vector<Lanes> registers;
    std::array<u32, 64> uniform{};  // the last reads as 0
    // A mask of lanes each; of a uniform one all or none. The last are always true.
    std::array<u32, 8> predicates{}, uniformPredicates{};
    std::vector<Path> paths;
    u32 current = 0;                                               // index of the path that runs
    std::array<std::array<u32, kWarpSize>, kBarriers> barriers{};  // by lane: with whom it reconverges
    std::vector<std::byte> local;                                  // word by word, lanes side by side
    MemoryAccess access;
    u64 clock = 0;  // what CS2R SR_CLOCKLO reads

    bool isDone() const { return paths.empty(); }
    u32 live() const { return threads & ~exited; }
    Path& path() { return paths[current]; }
    const Path& path() const { return paths[current]; }
};

// Gives a warp its first state.
void startWarp(WarpState& warp, const Program& program, BlockState& block, u32 number);

}  // namespace lockstep::time
