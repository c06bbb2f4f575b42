// One SM in time: four sub-cores that issue, their pipes and queues, the units that they share, and the
// blocks that are resident. A warp is asked again only when it can issue: what it waits for of its own past
// is known the moment it issues (a stall count, counters, a line of instructions), so it sleeps until then.
#pragma once

#include "model/caches/l1_cache.h"
#include "time/machine/step.h"
#include "time/model/access_shape.h"
#include "time/model/change.h"
#include "time/model/issue_cycles.h"
#include "time/model/memory_system.h"
#include "time/model/sm_record.h"
#include "time/model/stall.h"
#include "time/model/timed_program.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::time {

struct SmCounts {
    u64 warpInstructions = 0, threadInstructions = 0;
    u64 globalLoadSectors = 0, globalStoreSectors = 0;
    u64 sharedWavefronts = 0;
    u64 l1LoadHits = 0;
    u64 activeCycles = 0;  // in which a block was resident
    u64 lastActive = 0;    // the cycle at which its last block ended
};

struct SmSettings {
    const Program* program = nullptr;
    const std::vector<TimedOp>* ops = nullptr;
    const TimeProfile* times = nullptr;
    u32 number = 0;  // of the SM
    u64 l1Bytes = 0;
    bool isRepeated = false;  // the same launch has run just before
    u32 blocksAtOnce = 1;     // resident
    Change change = Change::None;
    f64 bandwidth = 1;               // times the device's
    AccessShapes* shapes = nullptr;  // of the launch
};

// Stalls of each instruction.
using StallTable = std::vector<StallCycles>;

class Sm {
public:
    // stalls, exposed: of the launch, to be added to.
    Sm(const SmSettings& settings, LaunchState& launch, MemorySystem& memory, StallTable& stalls,
       StallTable& exposed);
    Sm(const Sm&) = delete;
    Sm& operator=(const Sm&) = delete;

    // Runs its events up to a cycle.
    void runUntil(u64 cycle);
    u64 nextEvent() const { return next_; }

    bool hasRoom() const { return resident_ < settings_.blocksAtOnce; }
    u32 resident() const { return resident_; }
    u64 lastStart() const { return lastStart_; }
    // A block begins at a cycle that is not past.
    void start(u64 block, Dim3 at, u64 cycle);
    // Asked when a block has ended, at that cycle; may start another.
    std::function<void(u64 cycle)> whenBlockEnds;
    SmRecord* record = nullptr;  // filled in from the next block on; may be none

    const SmCounts& counts() const { return counts_; }
    // Some warp waits for what cannot happen.
    bool isStuck() const { return next_ == kNever && resident_ > 0; }

    static constexpr u64 kNever = ~u64{0} >> 1;

private:
    static constexpr u32 kSubcores = 4, kWarpsOfSubcore = 16;

    struct ResidentBlock {
        BlockState state;
        u64 number = 0;
        u32 warpsLeft = 0, arrived = 0;
        u64 barrierOpens = 0;
        bool isFree = true;
    };
    struct ResidentWarp {
        WarpState* state = nullptr;
        ResidentBlock* block = nullptr;
        u64 order = 0;  // in which they came
        u64 since = 0;  // the time that is not told yet begins here
        Stall reason = Stall::NoInstruction;
        u64 issuedAt = 0;
        u32 instruction = 0;  // that it issues next
        std::array<u64, 6> counterAt{};
        std::array<Stall, 6> counterKind{};
        std::array<u32, 6> counterIssue{};  // which of its issues raised it
        u64 storesEnd = 0, asyncEnd = 0;
        // Groups of asynchronous copies, which end in their order: of the last ones when, and the issue that
        // closed it.
        static constexpr u32 kGroupsKept = 8;
        struct CopyGroup {
            u64 end = 0;
            u32 issue = 0;
        };
        std::array<CopyGroup, kGroupsKept> copyGroups{};
        u32 copyGroupCount = 0;  // so far
        u64 barrierSince = 0;
        // It has arrived at a barrier and goes on: until it is blocked there.
        bool isBehindBarrier = false;
        u64 blocksAt = 0, barrierOpens = 0;  // kNever: not known yet
        u64 readyAt = 0;                     // but for the barrier
        const ResidentWarp* cameLast = nullptr;
        u32 codeLine = ~u32{0};
        u8 subcore = 0, slot = 0;
        bool isAtBarrier = false, isEnding = false, isUsed = false;
        u32 issues = 0;  // so far
        // Waits whose cycles are not past.
        struct Ahead {
            u64 begin = 0, end = 0;
            u32 instruction = 0;
            Stall reason = Stall::Wait;
        };
        static constexpr std::size_t kMostAhead = 16;
        std::array<Ahead, kMostAhead> ahead;
        u32 aheadCount = 0;
    };
    // Memory instructions that wait to leave a sub-core: when each leaves.
    class Queue {
    public:
        bool isFull(u64 now, u32 entries) {
            while (!leaves_.empty() && leaves_.front() <= now)
                leaves_.pop_front();
            return leaves_.size() >= entries;
        }
        u64 firstLeaves() const { return leaves_.front(); }
        void add(u64 leaves) { leaves_.push_back(leaves); }

    private:
        std::deque<u64> leaves_;
    };
    struct Subcore {
        std::array<ResidentWarp, kWarpsOfSubcore> warps;
        // Until then a warp need not be asked; of a place that is not used never.
        alignas(64) std::array<u64, kWarpsOfSubcore> wakeAt;
        u32 used = 0;  // bits
        u64 next = kNever;
        s32 last = -1;  // that issued last
        s32 turn = -1;  // Change::OneWarpAtATime: that issues alone
        u64 heavyFree = 0, liteFree = 0, aluFree = 0, xuFree = 0, doubleFree = 0, tensorFree = 0,
            uniformFree = 0;
        std::array<u64, 2> bankFree{};  // of registers
        u64 blockedUntil = 0;           // by a conflict of register banks
        u64 portFree = 0;               // way out of the queues
        Queue mio, lg;
        IssueCycles issued;
        // What the operand cache holds, by operand and bank: a register of a warp (its place).
        struct Reused {
            s32 warp = -1;
            u8 number = sass::kZeroRegister;
        };
        std::array<std::array<Reused, 2>, 3> reused{};
    };
    struct Free {
        u64 at = 0;
        Stall reason = Stall::Selected;
    };

    u64 runSubcore(u32 which, u64 now);
    // Change::OneWarpAtATime: of the warps that are awake (bits) the one whose turn it is.
    static u32 whoseTurn(Subcore& core, u32 awake);
    static bool goesFirst(const Subcore& core, const ResidentWarp& warp, const ResidentWarp& other);
    Free pipeFree(Subcore& core, const TimedOp& op, u64 now) const;
    void issue(u32 which, u32 slot, u64 now);
    void occupy(Subcore& core, ResidentWarp& warp, s32 slot, const TimedOp& op, const Step& step, u64 now);
    void throughUnused(Subcore& core, ResidentWarp& warp, const TimedOp& op, u64 now);
    void throughLsu(Subcore& core, ResidentWarp& warp, const TimedOp& op, const Step& step, u64 now);
    void throughAdu(Subcore& core, ResidentWarp& warp, const TimedOp& op, const Step& step, u64 now);
    void throughGlobal(Subcore& core, ResidentWarp& warp, const TimedOp& op, const Step& step, u64 now);
    u64 roomForAtomic(u64 now);
    void load(ResidentWarp& warp, const TimedOp& op, const FoundShape& found, u64 tag, u64 data);
    void raise(ResidentWarp& warp, u8 counter, u64 until, Stall kind) const;
    // Until when an instruction waits for a counter, and which issue raised it; 0: it does not.
    struct Awaited {
        u64 until = 0;
        u32 issue = 0;
    };
    static Awaited awaited(const ResidentWarp& warp, const TimedOp& op, u32 counter);
    void prepare(ResidentWarp& warp, const TimedOp& issued, const Step& step, u64 now);
    void arrive(ResidentWarp& warp, u64 now);
    bool goesAhead(const ResidentWarp& warp, u32 instruction, u64 ready) const;
    bool waitsAtBarrier(ResidentWarp& warp, u64& ready);
    u64 leavesBarrier(ResidentWarp& warp);
    void openBarrier(ResidentBlock& block, u64 at, const ResidentWarp& last);
    void finish(ResidentWarp& warp, u64 now);
    u64 fetched(u32 line, u64 now);
    u64 constantAt(s32 line, u64 now);
    // The warp has waited for a reason up to a cycle. issue: whose result; last: who came last to the
    // barrier.
    void tell(ResidentWarp& warp, Stall reason, u64 until, u32 issue = kNotRecorded,
              const ResidentWarp* last = nullptr);
    // Of its waits that are past, what no issue of its sub-core hid.
    void tellExposed(ResidentWarp& warp);
    // Of the instruction that issues, where a record is kept.
    void noteBusy(const ResidentWarp& warp, u64 until) const;
    void noteRequest(const ResidentWarp& warp, RequestRecord request) const;
    void wake(const ResidentWarp& warp, u64 at);
    u64& wakeAt(const ResidentWarp& warp) { return cores_[warp.subcore].wakeAt[warp.slot]; }

    SmSettings settings_;
    LaunchState& launch_;
    MemorySystem& memory_;
    StallTable &stalls_, &exposed_;
    u64 now_ = 0;
    model::L1Cache l1_;
    std::array<Subcore, kSubcores> cores_;
    std::deque<ResidentBlock> blocks_;
    u64 next_ = kNever;
    u32 resident_ = 0;
    u64 lastStart_ = 0, warpsSoFar_ = 0;
    bool hasStarted_ = false;
    u64 activeSince_ = 0;
    u64 aduFree_ = 0, tagReads_ = 0, tagFree_ = 0, dataFree_ = 0, barrierFree_ = 0;
    f64 l2PortFree_ = 0, storePortFree_ = 0;
    struct AtomicOnTheWay {
        u64 done = 0;     // in L2
        u32 packets = 0;  // a sector with one value for each of its words at most
    };
    std::deque<AtomicOnTheWay> atomicsOnTheWay_;
    u32 atomicPackets_ = 0;                       // of these
    std::deque<u64> throughAt_;                   // when the last accesses to global memory got through
    std::vector<u64> codeLines_, constantLines_;  // when each line is here; 0: not asked for
    u32 lastCodeLine_ = ~u32{0} - 1;
    u64 lastCodeAt_ = 0;
    // Lines on their way to L1.
    struct OnTheWay {
        u64 line = ~u64{0};
        std::array<u64, 4> at{};
        MemoryLevel from = MemoryLevel::L2;
    };
    std::vector<OnTheWay> onTheWay_;
    SmCounts counts_;
};

}  // namespace lockstep::time
