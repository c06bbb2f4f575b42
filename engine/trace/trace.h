// Everything the chosen blocks (the focus) did, step by step, so that a step back is a lookup.
#pragma once

#include "base/buffer.h"
#include "trace/access.h"
#include "trace/finding.h"
#include "trace/grid_counts.h"
#include "trace/sample.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::trace {

// One issued warp instruction of one warp.
struct Step {
    Pc pc;
    LaneMask active;     // lanes that executed it (guard true)
    u32 access = kNone;  // into WarpTrace's accesses
    u32 order = 0;       // number within the block: the order of steps across its warps
    static constexpr u32 kNone = 0xffffffffu;
};

// The distances between an access's lanes, and which lanes share a value because they share an address. Most
// instructions have the same layout each time.
struct LaneLayout {
    LaneAddresses distances{};           // from the address of the lowest active lane; of inactive lanes 0
    std::array<u8, kWarpSize> values{};  // lane -> index of its value among the distinct addresses
    bool operator==(const LaneLayout&) const = default;
};
// Fills in values; returns the number of distinct ones.
u32 numberValues(LaneLayout& layout);

struct StoredAccess {
    Pc pc;
    LaneMask active;
    Space space;
    AccessKind kind;
    u8 widthBytes;
    u8 values;     // stored, widthBytes each: 32 are lane by lane, fewer are LaneLayout::values
    u32 layout;    // into WarpTrace's layouts
    u64 base;      // address of the lowest active lane
    u64 valuesAt;  // in WarpTrace::valuePool: loaded or to be stored; of an atomic the old value, of a
                   // reduction the operand
};

struct WarpTrace {
    std::vector<Step> steps;
    std::vector<StoredAccess> accesses;
    std::vector<LaneLayout> layouts;
    std::vector<std::byte> valuePool;
    // steps[barrierSteps[n]] is the n-th block-wide barrier of this warp: phase n ends with it.
    std::vector<u32> barrierSteps;

    u64 address(const StoredAccess& a, Lane lane) const {
        return a.base + layouts[a.layout].distances[lane.value];
    }
    LaneAddresses addresses(const StoredAccess& a) const;
    std::span<const std::byte> value(const StoredAccess& a, Lane lane) const {
        const std::size_t number = a.values == kWarpSize ? lane.value : layouts[a.layout].values[lane.value];
        return {valuePool.data() + a.valuesAt + number * a.widthBytes, a.widthBytes};
    }
    WarpAccess unpack(const StoredAccess& a) const;
    u32 phaseOf(u32 step) const;  // barriers passed before this step
};

struct FocusBlock {
    LaunchId launch;
    Dim3 block{0, 0, 0};
    std::vector<WarpTrace> warps;
    u32 threads = 0;         // of the block; the last warp may be partial
    bool truncated = false;  // truncated at the size limit: this is its beginning
    u32 phases() const;      // barriers of the block + 1
};

struct Trace {
    std::vector<FocusBlock> blocks;  // ascending launch, then linear block
    const FocusBlock* find(LaunchId launch, Dim3 block) const;
};

// Results compared with the reference, if one was given for a user's own kernel.
struct ResultCheck {
    std::string reference;  // "matmul:M=0,N=1,P=2,width=3", as --reference takes it
    bool correct = true;
    f64 maxError = 0;
    u64 wrongCount = 0;
    struct First {
        std::string buffer;
        u64 index = 0;
        f64 got = 0, want = 0;
    };
    std::optional<First> first;  // wrong element
};

// Everything recorded of a run, on either backend: the input of the model and the views, and the contents of
// a .lks file.
struct Recording {
    // What ran, as named in the catalog or on the command line.
    std::string family, variant;                                  // empty for a user's own file
    std::string entry;                                            // as written in C++
    std::string backend;                                          // "emulator" | "gpu"
    std::string device;                                           // name, empty on the emulator
    std::string profile;                                          // "cc90"
    std::vector<std::pair<std::string, std::string>> parameters;  // name, value, in the family's order

    std::string ptx;  // the PTX that pcs index
    std::vector<std::pair<std::string, std::string>>
        sources;  // file name as in the module's file table, text
    std::vector<Launch> launches;
    std::vector<Buffer> initial,
        final;  // contents before and after; of very large buffers only the shape (bytes empty)

    std::vector<GridCounts> counts;  // one per launch
    std::vector<Finding> findings;
    Trace trace;
    bool sequential = false;  // blocks ran in order because the result could depend on it
    bool complete = true;     // false: stopped by limit or cancel
    std::optional<ResultCheck> check = {};
    // Counts, findings and trace are of these blocks only. None: of the whole grids.
    std::optional<Sample> sample = {};
};

}  // namespace lockstep::trace
