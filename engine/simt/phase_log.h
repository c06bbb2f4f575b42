// Logs the shared accesses between two barriers and reports them to the counter and the shadow later. A
// kernel's phases repeat: a phase with the same accesses as an earlier one is counted, and has its findings.
// Of the others, most have none, which their owners show (shared_owners.h); the shadow is told of the rest.
//
// Why that is equivalent: findings within a phase depend on its accesses and fences, on which bytes were
// written before it, and which warps have executed a fence. If no stored value mattered
// (SharedShadow::comparisons), all of these being the same, so are the findings. Bytes written are tracked as
// a state that each known phase leads to.
#pragma once

#include "simt/decode/program.h"
#include "simt/memory/lane_addresses.h"
#include "simt/memory/shape_patterns.h"
#include "trace/pattern_counter.h"
#include "trace/shadow/shared_owners.h"
#include "trace/shadow/shared_shadow.h"

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lockstep::simt {

// An AddressSlot of one warp as last checked.
struct SlotState {
    u32 mask = 0;                         // of the checked lanes; 0: invalid
    const AddressShape* shape = nullptr;  // null: not in the table
    u64 lowest = 0;                       // address of the lowest of them
    u32 misses = 0;                       // shapes in a row that were not in the table
};

// One warp's view of the program's slots, and which groups it has checked since they changed.
struct SlotStates {
    explicit SlotStates(const Program& program)
        : slots(program.slots.size()), checked(program.groups.size()), notes(program.noteWords) {}
    SlotState& operator[](u32 slot) { return slots[slot]; }
    void forget(const Program& program, u32 slot) {
        slots[slot].mask = 0;
        for (u32 group : program.slots[slot].groups)
            checked[group] = 0;
    }

    std::vector<SlotState> slots;  // by Program::slots
    std::vector<u32> checked;      // by Program::groups: the lanes it was checked for; 0: unchecked
    std::vector<u64> notes;        // of groups that are checked, at their noteAt: what PhaseLog::add() takes
};

class PhaseLog {
public:
    PhaseLog() = default;
    PhaseLog(const PhaseLog&) = delete;
    PhaseLog& operator=(const PhaseLog&) = delete;
    ~PhaseLog() { settle(); }

    struct Block {
        Dim3 at{0, 0, 0};
        u32 sharedBytes = 0;
        trace::SharedShadow* shadow = nullptr;  // null: none
        trace::PatternCounter* counter = nullptr;
        trace::FindingCollector* findings = nullptr;
        bool asksOwners = true;  // false: the shadow is told of each access but those of groups
    };
    // Call after the shadow has begun the block.
    void beginBlock(const Block& block);

    // A group's accesses, in bounds and aligned. Only groups of the Program, which are identified by number.
    // words: the warp and the group, then the shape and the lowest address of each slot it uses.
    void add(const Program& program, const u64* words, u32 count) {
        u64* to = room(count);
        for (u32 i = 0; i < count; ++i)
            to[i] = words[i];
        groups_ = &program;
    }
    // Any other access to shared memory, before it takes effect: by lanes in bounds and aligned, of an
    // operation of the Program. values: as the shadow takes them; memory: the block's. Only if there is a
    // shadow.
    struct Counting {
        bool isDone = false;
        trace::PatternCounter::Shape* pattern = nullptr;  // null: it has none
    };
    void access(u32 warp, const MemoryOperation& operation, const trace::WarpAccess& access,
                const Counting& counting, const std::byte* values, const std::byte* memory);
    // An access like this will be logged, and counted later.
    bool logs(const MemoryOperation& operation) const {
        return shadow_ && block_.asksOwners && !toldSome_ && ordersNothing(operation);
    }
    // bar.warp.sync of these lanes, and a fence: reported like accesses.
    void addWarpSync(u32 warp, u32 lanes) {
        u64* to = room(2);
        to[0] = firstWord(warp, kWarpSync);
        to[1] = lanes;
    }
    void addFence(u32 warp) {
        *room(1) = firstWord(warp, kFence);
        fencing_ |= u32{1} << warp;
    }
    static u64 firstWord(u32 warp, u32 group) { return u64{warp} << 32 | group; }
    // For a store, before add(): ensures room for its addValues(). Later the log could no longer be flushed.
    void makeRoomForValues(u32 widthBytes) {
        const std::size_t bytes = 2 * kWarpSize * widthBytes;
        if (usedValues_ + bytes > values_.size()) [[unlikely]]
            growValues(bytes);
    }
    // For a store, after add(): room for the new and the old values; lane n's at n * widthBytes.
    std::byte* addValues(u32 widthBytes) {
        std::byte* at = values_.data() + usedValues_;
        usedValues_ += 2 * kWarpSize * widthBytes;
        return at;
    }

    // Flushes the log, before a direct report to the shadow or the counter.
    void tell();
    // At a barrier of all threads, or the block's end.
    void endPhase();
    // The phases of the block so far; null: not all of them were known.
    const std::vector<u32>* phases() const { return isBlockKnown_ ? &blockPhases_ : nullptr; }
    // Counts another block of these phases, instead of a block that is logged; their findings are another
    // matter.
    void repeat(const std::vector<u32>& phases) {
        for (u32 phase : phases)
            ++phases_[phase].repeats;
    }
    // The number of the first of these in which a thread reads what was never written; ~0: none.
    u32 firstPoisoned(const std::vector<u32>& phases) const;
    // False: there are too many.
    bool addFindings(const std::vector<u32>& phases, trace::SharedFindings& to) const;
    // Adds the counts of repeated phases to the counter.
    void settle();

private:
    static constexpr u32 kUnknown = 0xffffffffu;
    // Instead of a group. kOther: followed by the operation, pc and mask, the pattern, and the addresses.
    static constexpr u32 kWarpSync = 0xffffffffu, kFence = 0xfffffffeu, kOther = 0xfffffffdu;
    static bool ordersNothing(const MemoryOperation& operation) {
        const trace::Ordering ordering = operation.strength.ordering;
        return ordering == trace::Ordering::Weak ||
               (trace::isAtomic(operation.kind) && ordering == trace::Ordering::Relaxed);
    }
    static constexpr std::size_t kOtherWords = 4 + kWarpSize / 2;
    static constexpr u64 kCounted = 0, kWithoutPattern = 1;  // instead of a pattern
    static constexpr std::size_t kMostPhases = 512, kMostStates = 64, kMostRemembered = 1 << 17,
                                 kMostWords = 1 << 19;
    static constexpr std::size_t kMostValueBytes =
        4u << 20;  // logged at once; a loop without a barrier may store forever
    struct Phase {
        std::vector<u64> words;
        u32 before = 0, after = 0;  // states
        u32 fenced = 0;             // warps that had executed a fence before
        trace::SharedFindings findings;
        u32 likelyNext = kUnknown;
        u64 repeats = 0;  // not yet added to the counter
    };
    struct Logged {
        const MemoryOperation& operation;
        u32 warp, pc, active;
        const AddressShape* shape;  // of kOther: none
        u64 lowest;                 // if there is a shape
        u64 pattern;                // else, as the log has it; and the addresses
        std::array<u32, kWarpSize> addresses;
        std::size_t valuesAt;

        bool isStore() const {
            return operation.kind == trace::AccessKind::Store ||
                   operation.kind == trace::AccessKind::AsyncCopy;
        }
        trace::WarpAccess unpacked() const;
    };

    void makeRoom(std::size_t words) {
        if (used_ + words > words_.size()) [[unlikely]]
            growWords(words);
    }
    u64* room(std::size_t words) {
        makeRoom(words);
        u64* at = words_.data() + used_;
        used_ += words;
        return at;
    }
    void growWords(std::size_t words);
    void growValues(std::size_t bytes);
    u32 findPhase();
    bool isPhase(u32 phase) const;
    bool isQuiet();
    void tellOwners();
    void tellShadow();
    std::vector<trace::SharedRun> written() const;
    bool hasRoomFor() const;
    void endQuietly();
    void remember();
    void keep(Phase phase, u64 hash);
    u32 stateOf(std::vector<trace::SharedRun> written);
    u64 hashOfWords(u32 state) const;
    void count(const Logged& logged, u64 times);
    void forgetPhases();
    void countAll(const u64* words, std::size_t count, u64 times);
    template <class Visit, class Order>
    void forEachAccess(const u64* words, std::size_t count, Visit visit, Order order) const;

    const Program* groups_ = nullptr;  // whose groups are logged
    Block block_;
    trace::SharedShadow* shadow_ = nullptr;
    trace::PatternCounter* counter_ = nullptr;

    std::vector<u64> words_;
    std::size_t used_ = 0;
    std::vector<std::byte> values_;
    std::size_t usedValues_ = 0;
    bool toldSome_ = false;   // of this phase, or the shadow got a direct report
    bool hasOthers_ = false;  // kOther is among the words
    // Phases that have others are kept as long as some of those that were kept have repeated.
    u32 hopes_ = kMostHopes;
    static constexpr u32 kMostHopes = 32;
    u32 fenced_ = 0, fencing_ = 0;  // warps that executed a fence in this block: before this phase, with it

    std::vector<std::vector<trace::SharedRun>> states_;  // bytes written
    u32 state_ = kUnknown;                               // now
    // Who knows what the block has written; if the state is unknown, one of them.
    bool ownersKnow_ = false, shadowKnows_ = false;
    trace::SharedOwners owners_;
    std::vector<Phase> phases_;
    std::unordered_multimap<u64, u32> byHash_;
    std::size_t rememberedWords_ = 0;
    u32 last_ = kUnknown, firstOfBlock_ = kUnknown;
    std::vector<u32> blockPhases_;
    bool isBlockKnown_ = false;
    ShapePatterns patterns_;  // by MemoryOperation::site
};

}  // namespace lockstep::simt
