// An error of a kernel, stored as facts; the model puts it into words.
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
    Limit,           // the run was stopped: time limit, or deadlock
    Truncated,       // the list was truncated; `count` more were found
    InvalidTexture,  // or surface: no such object, or an access outside a surface (ImageFault)
    InvalidFree,     // of a kernel (HeapFault)
    HeapRemark,      // what became of memory from malloc() in kernels (HeapFault)
    InactiveLane,    // a shuffle reads a lane that takes no part in it (InactiveSource)
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
    std::optional<Culprit> other;  // race, warp_synchronous: the conflicting thread
    Space space = Space::Global;
    u64 address = 0;  // as in WarpAccess
    u8 widthBytes = 0;
    // The buffer (index into the experiment's buffers; -1: none near, or a module variable) and the byte
    // offset within it; for shared memory the offset within the block's shared memory; for an access outside
    // its array, the offset within the array that `detail` names.
    s32 buffer = -1;
    s64 offsetBytes = 0;
    u64 sizeBytes = 0;  // of that buffer or of the shared memory
    LaneMask
        lanes;  // divergent_barrier: the lanes that are missing or waiting, see the message; inactive_lane
    u64 count = 1;       // occurrences at this site, kind and thread; truncated: findings not listed
    std::string detail;  // for the message: a variable's name, the limit in words

    // Access outside a shared array to other shared memory, which was read or changed.
    bool strayed() const {
        return kind == FindingKind::OutOfBounds && space == Space::Shared && !detail.empty();
    }
};

// Why a run was stopped: a finding of kind Limit. `detail` says which, as recordings keep it.
enum class StopReason : u8 {
    TimeLimit,  // or a deadlock
    Cancelled,
    Trap,
    Recursion,       // the stack is full
    NotCooperative,  // a barrier of the whole grid, in a launch that is not cooperative
    Assertion,
    Other,  // as `detail` has it
};
StopReason stopReasonOf(const Finding& finding);
// For `detail`; condition: of an assertion.
std::string detailOf(StopReason reason, std::string_view condition = {});
// Of an assertion that does not hold.
std::string_view conditionOf(const Finding& finding);

// What is wrong with an access to a texture or surface: a finding of kind InvalidTexture. `detail` says
// which, as recordings keep it.
enum class ImageFault : u8 {
    NoObject,     // `address` is the handle
    Destroyed,    // the object
    Freed,        // its memory; `address` is where it was
    NotATexture,  // but a surface object
    NotASurface,  // but a texture object
    Outside,      // of a surface: an access that traps
    Misaligned,   // of a surface
};
ImageFault imageFaultOf(const Finding& finding);
// Of an access outside: its coordinates, and the surface's size.
std::string detailOf(ImageFault fault, std::string_view where = {});
std::string_view whereOutside(const Finding& finding);

// Of memory from malloc() in kernels: findings of the kinds InvalidFree, HeapRemark, OutOfBounds and
// InvalidAddress. `detail` says which, as recordings keep it; None: it is not of such memory.
enum class HeapFault : u8 {
    None,
    FreedTwice,
    NotOfMalloc,
    Within,        // free() of an address within it
    OutOfBounds,   // offsetBytes and sizeBytes: in the memory that the pointer is nearest to
    UseAfterFree,  //
    NoRoom,        // malloc() returned NULL; offsetBytes: asked for, sizeBytes: of the heap
    NotFreed,      // count: how often, sizeBytes: of all together
};
struct HeapFacts {
    HeapFault fault = HeapFault::None;
    u32 allocatedIn = 0, freedIn = 0;  // lines; 0: not known
};
HeapFacts heapFactsOf(const Finding& finding);
std::string detailOf(const HeapFacts& facts);

// Why a lane that a shuffle reads takes no part in it: a finding of kind InactiveLane. `lanes` are those that
// read such lanes, the first of them is `who`, and `detail` says what that one reads.
struct InactiveSource {
    u32 lane = 0;
    bool hasExited = false;  // otherwise it is not in the member mask
};
InactiveSource inactiveSourceOf(const Finding& finding);
std::string detailOf(InactiveSource source);

// Remarks do not affect the exit status; everything else makes the kernel wrong. (A truncated list still has
// a fault of each kind.)
constexpr bool isRemark(FindingKind kind) {
    return kind == FindingKind::WarpSynchronous || kind == FindingKind::Truncated ||
           kind == FindingKind::HeapRemark || kind == FindingKind::InactiveLane;
}

}  // namespace lockstep::trace
