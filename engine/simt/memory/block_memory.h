// The memory that one resident block sees: loads, stores and atomics of a warp, checked lane by lane and
// reported to the observers. Each address is computed once and used for both.
#pragma once

#include "base/progress.h"
#include "simt/decode/program.h"
#include "simt/memory/device_memory.h"
#include "simt/memory/lane_addresses.h"
#include "simt/memory/shape_patterns.h"
#include "simt/phase_log.h"
#include "trace/block_recorder.h"
#include "trace/pattern_counter.h"
#include "trace/request_stream.h"
#include "trace/shadow/finding_collector.h"
#include "trace/shadow/global_shadow.h"
#include "trace/shadow/shared_shadow.h"

#include <vector>

namespace lockstep::simt {

// Receives the accesses of a block to shared and global memory in the order in which they take place.
class AccessListener {
public:
    virtual ~AccessListener() = default;
    // values: as BlockRecorder::access() takes them.
    virtual void accessed(Dim3 block, Warp warp, const trace::WarpAccess& access,
                          const std::byte* values) = 0;
    // Threads of the block that waited go on: what they did before is ordered before what they do now.
    virtual void blockBarrier(Dim3 /*block*/) {}
};

// The observers of a block; each may be null.
struct Observers {
    trace::PatternCounter* counter = nullptr;
    trace::SharedShadow* sharedShadow = nullptr;
    trace::GlobalBlockShadow* globalShadow = nullptr;
    trace::BlockRecorder* recorder = nullptr;
    trace::FindingCollector* findings = nullptr;
    Snapshot* snapshot = nullptr;
    trace::RequestRecorder* requests = nullptr;
    AccessListener* listener = nullptr;  // of plain programs
    Progress* progress = nullptr;        // is told the steps
};

// The warp whose instruction accesses memory.
struct Accessor {
    u32 warp = 0;
    u32 pc = 0;
    std::byte* frame = nullptr;
    u32 depth = 0;  // of calls: bounds the thread's stack
};

class BlockMemory {
public:
    BlockMemory(const Program& program, const DeviceMemory& device, LaunchId launch, Dim3 blockExtents,
                bool concurrent);

    // After the shadows' own.
    void beginBlock(Dim3 block, const Observers& observers);
    // If the block does not follow a script, or reads what it never wrote.
    void clearShared();
    void endBlock();

    void load(const MemoryOperation& operation, const Accessor& accessor, u32 mask);
    void store(const MemoryOperation& operation, const Accessor& accessor, u32 mask);
    void atomic(const MemoryOperation& operation, const Accessor& accessor, u32 mask);
    void asyncCopy(const MemoryOperation& operation, const Accessor& accessor, u32 mask);
    void image(const ImageOperation& operation, const Accessor& accessor, u32 mask);  // block_images.cpp

    // An instruction's last access by a warp, and what follows from its shape.
    struct WarpSite {
        const AddressShape* shape = nullptr;  // null: use the slow path
        trace::PatternCounter::Shape* pattern = nullptr;
        u64 first = 0, span = 0;    // the lowest lane's address lies in [first, first + span]
        std::byte* host = nullptr;  // where first is
        u64 misaligned = 0;         // bits that must be 0 in it
        u64 last = 0;  // the lowest lane's previous address: threads mostly advance in equal steps
        u32 allocation = 0;
        u8 rows = 0;         // not 0: words as wide as their register, of all lanes
        bool isRun = false;  // of all lanes: each one's address follows the one before
        // Of some lanes, neighbors, the same, in words as wide as their register: their bytes. Else 0.
        u32 partBytes = 0;

        // With the lowest lane's address between these two, behind first.
        WrittenBytes written(u64 from, u64 to) const {
            return {from, to + u64(shape->most - shape->least) + misaligned + 1};
        }
    };

    // ---- Faster ways for accelerated programs (block_memory_fast.cpp). slots: of the warp, by
    // Program::slots. Checks and logs all accesses of a group; false: some need the slow path.
    bool enterGroup(const Program& program, u32 number, const Accessor& accessor, SlotStates& slots,
                    u32 mask) {
        if (slots.checked[number] != mask) [[unlikely]]
            if (!checkGroup(program, number, accessor, slots, mask)) return false;
        const SharedGroup& group = program.groups[number];
        phaseLog_.add(program, slots.notes.data() + group.noteAt, group.noteWords());
        return true;
    }
    void loadInGroup(const MemoryOperation& operation, const SlotState& slot, const Accessor& accessor,
                     u32 mask);
    // Of blocks that follow a script: checked and counted already.
    void storeInGroup(const MemoryOperation& operation, const SlotState& slot, const Accessor& accessor,
                      u32 mask);
    // For the recorder only; the values are where they were read.
    void recordLoadInGroup(const MemoryOperation& operation, const SlotState& slot, const Accessor& accessor);
    bool storeGroup(const Program& program, u32 group, const MemoryOperation& operation,
                    const Accessor& accessor, SlotStates& slots, u32 mask);
    // Fast if the lanes have the shape of this warp's last execution, else like load() and store().
    void accessGlobal(const MemoryOperation& operation, const Accessor& accessor, u32 mask);
    // In the site's shape and inside it: `at` behind its first. isCounted: by the counter. ahead: as far
    // behind, the next block will probably access memory; 0: it is not known.
    void accessKnown(const WarpSite& site, u64 at, bool isCounted, s64 ahead,
                     const MemoryOperation& operation, const Accessor& accessor);
    // A load or store that is not reported, from or to `memory`.
    static void fetchKnown(const WarpSite& site, std::byte* memory, const MemoryOperation& operation,
                           const Accessor& accessor);
    static void moveKnown(const WarpSite& site, std::byte* memory, const MemoryOperation& operation,
                          const Accessor& accessor);
    // What is known after accessGlobal(); without a shape: nothing.
    const WarpSite& lastOf(const MemoryOperation& operation, const Accessor& accessor) const {
        return warpSites_[accessor.warp][operation.site];
    }
    // From the index alone; false: compute the address and use the slow path.
    bool loadIndexed(const MemoryOperation& operation, const Accessor& accessor, u32 mask);

    // Flushes the log, then returns the shadow: call it before each direct report to the shadow. nullptr: not
    // observed.
    trace::SharedShadow* sharedShadow() {
        phaseLog_.tell();
        return observers_.sharedShadow;
    }
    // All threads have arrived at a barrier.
    void endPhase() { phaseLog_.endPhase(); }
    const std::vector<u32>* phases() const { return phaseLog_.phases(); }
    void repeatPhases(const std::vector<u32>& phases) { phaseLog_.repeat(phases); }
    bool addFindings(const std::vector<u32>& phases, trace::SharedFindings& to) const {
        return phaseLog_.addFindings(phases, to);
    }
    u32 firstPoisoned(const std::vector<u32>& phases) const { return phaseLog_.firstPoisoned(phases); }
    void syncWarp(u32 warp, u32 lanes) {
        if (observers_.sharedShadow) phaseLog_.addWarpSync(warp, lanes);
    }
    void fence(u32 warp) {
        if (observers_.sharedShadow) phaseLog_.addFence(warp);
    }

    std::byte* shared() { return shared_.data(); }
    // Bytes at a generic address as a thread sees them, for builtins such as printf; nullptr if out of
    // bounds. May be gathered in `room`, which has the same size.
    const std::byte* peek(u64 address, u64 bytes, u32 warp, u32 lane, std::byte* room) const;
    // The 8-byte shared word of an mbarrier; nullptr, and a finding, if there is none.
    std::array<std::byte*, kWarpSize> sharedWords(const ObjectBarrierOperation& operation,
                                                  const Accessor& accessor, u32 mask);
    void report(trace::FindingKind kind, const Accessor& accessor, u32 lane);
    // malloc() and free() of a kernel, by one lane. site: of the heap.
    u64 allocate(u64 bytes, u32 site, const Accessor& accessor, u32 lane);
    void free(u64 address, u32 site, const Accessor& accessor, u32 lane);
    u32 heapSiteOf(u32 pc) const;
    trace::Finding finding(trace::FindingKind kind, u32 pc, u32 warp, u32 lane) const;

private:
    struct Site;
    struct Place {  // the space of one access's addresses
        std::byte* host = nullptr;
        u64 base = 0, bytes = 0;
        s32 allocation = -1;  // of global memory; -1: none
    };
    enum class Action : u8 { Load, Store, Atomic };

    const Image* imageOf(u64 handle, const ImageOperation& operation, const Accessor& accessor, u32 lane);
    void imageLane(const Image& image, const ImageOperation& operation, const Accessor& accessor, u32 lane);
    void surfaceLane(const Image& image, const ImageOperation& operation, const Accessor& accessor, u32 lane);
    void reportImage(trace::ImageFault fault, const ImageOperation& operation, const Accessor& accessor,
                     u32 lane, u64 address, const std::string& where = {});

    void access(Action action, const MemoryOperation& operation, const Accessor& accessor, u32 mask);
    void accessRegion(Action action, const MemoryOperation& operation, const Accessor& accessor,
                      ptx::StateSpace space);
    void perform(Action action, const MemoryOperation& operation, const Accessor& accessor,
                 ptx::StateSpace space, const Place& place, u32 good);
    // Of lanes in bounds of a place, those that access memory in use: of the heap of malloc(), not all of it
    // is.
    u32 usable(u32 lanes, const Place& place, u32 width) const {
        return device_.isHeap(place.allocation) ? usableOfHeap(lanes, width) : lanes;
    }
    u32 usableOfHeap(u32 lanes, u32 width) const;
    void describeOfHeap(trace::Finding& finding) const;
    void refuse(Action action, const MemoryOperation& operation, const Accessor& accessor, const Place& place,
                u32 bad);
    void move(Action action, const MemoryOperation& operation, const Accessor& accessor, const Place& place,
              u32 good);
    void moveLocal(Action action, const MemoryOperation& operation, const Accessor& accessor, u32 good);
    void atomicLanes(const MemoryOperation& operation, const Accessor& accessor, std::byte* const* at,
                     u32 good, bool concurrent);
    bool comparesValues(ptx::StateSpace space, const Place& place) const;
    bool countsLater(const MemoryOperation& operation, u32 good, LaneMask active) const;
    void tellShadows(const MemoryOperation& operation, const Accessor& accessor, const Place& place, u32 good,
                     const std::byte* values);
    u32 goodLanes(const Place& place, u32 width) const;
    WrittenBytes writtenBy(u32 lanes, const Place& place, u32 width) const;
    void reportBad(const Accessor& accessor, const Place& place, u32 bad);
    void reportStrays(const MemoryOperation& operation, const Accessor& accessor, u32 lanes);
    void poison(const MemoryOperation& operation, const Accessor& accessor, u32 lanes);
    const std::byte* values(Action action, const MemoryOperation& operation, const Accessor& accessor);
    void record(Action action, const MemoryOperation& operation, const Accessor& accessor);
    void tellListener(const Accessor& accessor, const std::byte* values);
    void request(const MemoryOperation& operation, const Accessor& accessor, const Site& site,
                 u64 lowestAddress);
    void findShape(Site& site);
    // But for the addresses and their lanes.
    trace::WarpAccess& describe(const MemoryOperation& operation, const Accessor& accessor,
                                trace::Space space);
    Place placeOf(ptx::StateSpace space, const Accessor& accessor) const;

    const Program& program_;
    const DeviceMemory& device_;
    LaunchId launch_;
    Dim3 extents_, block_;
    bool concurrent_;
    Observers observers_;
    std::vector<std::byte> shared_;
    std::vector<std::vector<std::byte>> local_;  // by warp; 16 bytes of each lane side by side
    std::vector<std::byte> parameters_;
    // An instruction's last access.
    struct Site {
        const AddressShape* shape = nullptr;  // of the table, or `own`; null: there was none
        bool isNumbered = false;              // of the table
        trace::Space space = trace::Space::Global;
        u32 newShapes = 0;  // shapes that were new to the table
        trace::PatternCounter::Shape* pattern = nullptr;
        AddressShape own;
    };
    std::vector<Site> sites_;
    ShapePatterns patterns_;  // by MemoryOperation::site and space
    WarpSite warpSiteOf(const MemoryOperation& operation, const Accessor& accessor, const Site& last) const;
    std::vector<std::vector<WarpSite>> warpSites_;  // by warp, MemoryOperation::site
    bool checkGroup(const Program& program, u32 group, const Accessor& accessor, SlotStates& slots, u32 mask);
    void recordStoreInGroup(const MemoryOperation& operation, const SlotState& slot,
                            const Accessor& accessor);
    const trace::WarpAccess& accessInGroup(const MemoryOperation& operation, const SlotState& slot,
                                           const Accessor& accessor);
    bool accessAsLastTime(const MemoryOperation& operation, const Accessor& accessor, u32 mask);
    bool loadFrom(WarpSite& site, u64 address, const MemoryOperation& operation, const Accessor& accessor);
    bool storeTo(const WarpSite& site, u64 address, const MemoryOperation& operation,
                 const Accessor& accessor);
    static void fetch(const WarpSite& site, u64 at, s64 ahead);
    void loadKnown(const WarpSite& site, u64 at, const MemoryOperation& operation, const Accessor& accessor);
    void storeKnown(const WarpSite& site, u64 at, const MemoryOperation& operation, const Accessor& accessor);
    // Of lanes in the site's shape.
    void count(const WarpSite& site, u64 lowest, const MemoryOperation& operation, const Accessor& accessor);
    void request(const WarpSite& site, u64 lowest, const MemoryOperation& operation,
                 const Accessor& accessor);
    void watch(const WarpSite& site, u64 lowest, const MemoryOperation& operation, const Accessor& accessor);
    // Lane n's elements are at memory + offsets[n]; rows: wordRows() of these.
    static void loadElements(const MemoryOperation& operation, std::byte* frame, std::byte* memory,
                             const u64* offsets, u8 rows, u32 mask);
    static void storeElements(const MemoryOperation& operation, std::byte* frame, std::byte* memory,
                              const u64* offsets, u32 mask);
    ShapeTable shapes_;
    PhaseLog phaseLog_;
    LaneAddressSet set_;
    std::array<std::byte, 32 * kWarpSize> values_{};
};

}  // namespace lockstep::simt
