// Global accesses of a script at known addresses plus a number: many steps share a buffer, a shape and the
// number, so that bounds are checked and patterns are counted once a block for all of them.
#pragma once

#include "simt/memory/block_memory.h"

#include <array>
#include <span>
#include <vector>

namespace lockstep::simt {

struct ScriptStep;

class KnownAccesses {
public:
    static constexpr u32 kUnknown = ~0u;

    // How a step may read the buffer by itself, since nobody has to be told.
    enum class Direct : u8 {
        No,
        Row,   // neighboring words
        Same,  // all lanes one word
        Rows,  // loadRows()
    };
    struct Group {
        BlockMemory::WarpSite site;
        u32 scalar = 0, elementBytes = 0;
        Direct direct = Direct::No;  // if nobody has to be told
        // Places of its steps: how far behind site.first, in the block written down.
        u64 least = ~u64{0}, most = 0;
        // In the current block:
        bool isInside = false;  // else a step has to look by itself
        bool isCounted = true;  // by each step
        Direct now = Direct::No;
        u64 by = 0;
        std::byte* memory = nullptr;  // of place 0
        s64 ahead = 0;                // to the places in the next block, probably; 0: do not fetch them

    private:
        friend class KnownAccesses;
        // Blocks in which the number had these low bits, which are all that patterns depend on; the first of
        // them was counted by each step.
        struct Repeats {
            u8 by;
            u64 blocks;
        };
        std::vector<Repeats> repeats;
    };

    // scalars: of the block that begins.
    void begin(std::span<const u64> scalars, const Observers& observers);
    const Group& operator[](u32 group) const { return groups_[group]; }
    // The first blocks find out what a step accesses.
    bool isLearning() const { return learned_ < kLearningBlocks; }
    // The step accessed this site, at this place of the block written down.
    u32 learn(const BlockMemory::WarpSite& site, const MemoryOperation& operation, u32 scalar, u64 place);
    // Counts what was deferred.
    void settle(std::span<const ScriptStep> steps, trace::PatternCounter& counter);

private:
    static constexpr u32 kLearningBlocks = 2;
    static bool defers(Group& group);
    std::vector<Group> groups_;
    u32 learned_ = 0;
};

}  // namespace lockstep::simt
