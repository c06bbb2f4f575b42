// Something a kernel did that it should not: kept as facts, put into words by the model.
#pragma once

#include "base/dim3.h"
#include "trace/access.h"

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::trace {

enum class FindingKind : u8 {
    OutOfBounds,
    Misaligned,
    UninitializedRead,
    Race,
    DivergentBarrier,
    WarpSynchronous,
    InvalidAddress,
    DivisionByZero,
    Limit,      // the run was stopped: time, or nothing could move any more
    Truncated,  // the list was cut off; `count` says how many more there were
};
std::string_view nameOf(FindingKind kind);  // as in the JSON: "out_of_bounds"

// One thread at one instruction.
struct Culprit {
    Pc pc = kNoPc;
    Dim3 block{0, 0, 0}, thread{0, 0, 0};
    AccessKind kind = AccessKind::Load;
    bool operator==(const Culprit&) const = default;
};

struct Finding {
    FindingKind kind = FindingKind::OutOfBounds;
    LaunchId launch;
    Culprit who;
    std::optional<Culprit> other;  // race, warp_synchronous: the thread it collides with
    Space space = Space::Global;
    u64 address = 0;  // as in WarpAccess
    u8 widthBytes = 0;
    // The buffer (index into the experiment's buffers; -1: none near, or a module variable) and the byte
    // offset within it; for shared memory the offset within the block's shared memory; of an access that
    // strayed, within the array that `detail` names.
    s32 buffer = -1;
    s64 offsetBytes = 0;
    u64 sizeBytes = 0;  // of that buffer or of the shared memory
    LaneMask lanes;     // divergent_barrier: the lanes that are missing or waiting, as the message says
    u64 count = 1;  // how often this site, kind and thread met it; truncated: how many findings were left out
    std::string detail;  // for the message: a variable's name, the limit in words

    // Out of a shared array into other shared memory, which was read or changed.
    bool strayed() const {
        return kind == FindingKind::OutOfBounds && space == Space::Shared && !detail.empty();
    }
};

// Remarks leave the exit status alone; everything else makes the kernel wrong. (Where a list was cut off, a
// fault of every kind is left in it.)
constexpr bool isRemark(FindingKind kind) {
    return kind == FindingKind::WarpSynchronous || kind == FindingKind::Truncated;
}

}  // namespace lockstep::trace
