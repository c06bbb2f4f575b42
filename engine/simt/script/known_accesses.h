// Global accesses of a script at known addresses plus a number: many steps share a buffer, a shape and the
// number, so that bounds are checked, patterns counted and the shadow told once a block for all of them.
#pragma once

#include "simt/memory/block_memory.h"

#include <span>
#include <vector>

namespace lockstep::simt {

struct ScriptStep;

class KnownAccesses {
public:
    static constexpr u32 kUnknown = ~0u;

    // How a step accesses the buffer where its access is not reported by itself.
    enum class Direct : u8 {
        No,
        LoadRow,   // neighboring words
        LoadSame,  // all lanes one word
        LoadRows,  // loadRows()
        Load,
        StoreRow,
        Store,
        StoreStaged,  // scattered words: in order, when the block ends
    };
    // Of a group of steps, in the current block.
    struct Now {
        Direct direct = Direct::No;
        bool isInside = false;  // else a step has to look by itself
        bool isCounted = true;  // by each step
        u8 rows = 0;
        u32 elementBytes = 0;
        std::byte* memory = nullptr;  // of place 0
        s64 fetched = 0;              // loads of the next block are probably so far ahead; 0: not known
        const u64* distances = nullptr;
        u64 by = 0;
    };

    // scalars: of the block that begins.
    void begin(std::span<ScriptStep> steps, std::span<const u64> scalars, const Observers& observers);
    const Now& now(u32 group) const { return now_[group]; }
    const BlockMemory::WarpSite& site(u32 group) const { return groups_[group].site; }
    // Words of a step, of StoreStaged, to be kept `at` this one.
    void stage(u32 group, u32 at, const MemoryOperation& operation, const std::byte* frame);
    // Stores what was staged.
    void end();

    // The first block finds out what a step accesses.
    bool isLearning() const { return blocks_ == 1; }
    // The step accessed this site, at this place of the block written down.
    u32 learn(const BlockMemory::WarpSite& site, const MemoryOperation& operation, u32 scalar, u64 place);
    // Counts what was deferred.
    void settle(std::span<const ScriptStep> steps, trace::PatternCounter& counter);

private:
    struct Group {
        BlockMemory::WarpSite site;
        u32 scalar = 0;
        Direct direct = Direct::No;  // where accesses are not reported
        // Places of its steps: how far behind site.first, in the block written down.
        u64 least = ~u64{0}, most = 0;
        s64 ahead = 0;  // by how much places change from block to block, if it stays inside
        // Blocks in which the number had these low bits, which are all that patterns depend on; the first of
        // them was counted by each step.
        struct Repeats {
            u8 by;
            u64 blocks;
        };
        std::vector<Repeats> repeats;
        u32 latest = 0;              // of these, in the block before
        trace::Footprint footprint;  // of stores
        // StoreStaged: the words of all steps; their numbers in the order of places, and runs of neighbors.
        struct Run {
            u64 place = 0;
            u32 count = 0;
        };
        std::vector<u32> staged, order;
        std::vector<Run> runs;

        bool isStore() const { return direct >= Direct::StoreRow; }
    };
    static bool defers(Group& group, u64 by);
    static bool isWatched(const Group& group, const Observers& observers);
    static bool isQuiet(const Group& group, u64 by, const Observers& observers);
    static void findRuns(Group& group, std::span<const u64> places);
    void findFootprints(std::span<ScriptStep> steps, const trace::GlobalBlockShadow& shadow);

    std::vector<Group> groups_;
    std::vector<Now> now_;  // by group
    u64 blocks_ = 0;        // that have begun
    bool isStaging_ = false;
};

}  // namespace lockstep::simt
