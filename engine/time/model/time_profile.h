// A device's times: what the cycle model counts with. Section [time] of a device profile (assets/profiles),
// where each figure's source stands. Cycles are those of the SM.
#pragma once

#include "base/expected.h"
#include "model/profiles/profile.h"
#include "sass/opcodes.h"
#include "time/model/stall.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::time {

struct ClassTime {
    u32 latencyCycles = 0;   // issue to the dependent issue; of memory without conflicts
    u32 intervalCycles = 1;  // that an instruction of a warp occupies its pipe of the sub-core
};

// Kinds of launches whose modeled times are held against measured ones separately.
enum class LaunchKind : u8 {
    Short,   // up to kShortCycles elapsed, where starting the launch is most of it; SM-active cycles are
             // compared
    Memory,  // longer, and its warps wait for global memory above all
    Other,
};
inline constexpr std::size_t kLaunchKinds = 3;
inline constexpr u64 kShortCycles = 6000;
LaunchKind kindOf(u64 elapsedCycles, const StallCycles& stalls);

// How far modeled cycles were off, on launches that the model had not been fitted to.
struct KnownError {
    u32 launches = 0;
    f64 meanPercent = 0;
};

struct TimeProfile {
    std::string device;  // "NVIDIA H200"
    std::array<ClassTime, std::size_t(sass::InstructionClass::Nothing) + 1> classes{};
    const ClassTime& of(sass::InstructionClass c) const { return classes[std::size_t(c)]; }

    u32 branchTakenCycles = 0;         // beyond the stall count, target in the instruction cache
    u32 switchPathCycles = 0;          // from a path that waits for its lanes to another of the warp
    u32 shuffleByRegisterCycles = 0;   // more where the lane comes from a register
    u32 constantPerAddressCycles = 0;  // of a constant load, a further address
    u32 matchPerValueCycles = 0;       // of MATCH.ANY, a further value
    u32 barrierCycles = 0, barrierPerWarpCycles = 0;
    u32 barrierBlocksCycles = 0;  // from BAR until its warp can issue nothing more

    u32 queueEntries = 0;            // memory instructions of a sub-core that may wait
    u32 perWavefrontCycles = 0;      // more latency of a further wavefront
    u32 subcoreWavefrontCycles = 0;  // between two wavefronts of one sub-core
    u32 aduCycles = 0;               // between two instructions of the SM's ADU
    u32 aduConstantCycles = 0;       // behind a constant load of one place
    u32 unusedAccessCycles = 0;      // latency of a memory instruction that no lane executes
    u32 globalWidestLoadCycles = 0;  // the same of global loads of 16 bytes
    u32 sharedSwapCycles = 0;  // latency of a compare-and-swap on shared memory, whose passes count twice
    u32 asyncCopyCycles = 0;   // of LDGSTS, beyond the load
    u32 wideLoadCycles = 0, widestLoadCycles = 0;  // more latency of 8 and 16 bytes a lane, beside wavefronts
    u32 linesPerCycle = 0;                         // that the tag stage looks up
    u32 wideStoreCycles = 0, widestStoreCycles = 0;  // more occupation of the queue's way out
    u32 globalWideStoreCycles = 0, globalWidestStoreCycles = 0;

    f64 storeRequestCycles = 0;                                 // of an SM, a request, beside its sectors
    f64 storeWholeSectorCycles = 0, storePartSectorCycles = 0;  // of an SM, a sector
    u32 storeDrainCycles = 0;                   // from the last sector's way out to the end of the store
    u32 l2NearCycles = 0, l2FarCycles = 0;      // load to use, a hit in the near and the far half
    u32 dramNearCycles = 0, dramFarCycles = 0;  // load to use
    f64 atomicSectorCycles =
        0;  // that a sector of a line takes, accessed by two SMs' atomics one after the other
    u32 dramLateOneIn = 0, dramLateCycles = 0;  // one line in so many (0: none) takes so much longer
    u32 atomicCycles = 0;                       // of an atomic on global memory with a result
    f64 smSectorsPerCycle = 0;                  // from L2 to one SM
    f64 l2SectorsPerCycle = 0;                  // from L2 to all
    f64 dramSectorsPerCycle = 0;
    f64 l2FillCost = 0;  // that a sector from device memory takes of L2, beside one that is read
    f64 l2WholeStoresPerCycle = 0, l2PartStoresPerCycle = 0, l2ScatteredStoresPerCycle = 0;
    f64 reductionPace = 1;            // time of an atomic without a result, of one with
    f64 l2AtomicSectorsPerCycle = 0;  // of one sector, which are served one after the other

    u32 firstLineCycles = 0,
        nextLineCycles = 0;  // instructions: a line that is not there; the next of a stream
    u32 linesAhead = 0;      // that come along with it
    f64 codeLinePace = 0, constantLinePace = 0;                   // between two SMs that fetch the same line
    f64 l2LinesPerCycle = 0;                                      // that all SMs' loads reach in L2, at most
    f64 sectorPace = 0;                                           // between two accesses to one sector of L2
    u32 repeatedFirstLineCycles = 0, repeatedNextLineCycles = 0;  // the same where the launch before had them
    u32 constantLineCycles = 0;                                   // first touch of 64 bytes by an SM

    u32 launchCycles = 0;                           // elapsed beside those in which an SM is active
    u32 firstBlockCycles = 0, nextBlockCycles = 0;  // from a block's start to its first instruction
    u32 blockReturnCycles = 0;                      // from a block's end to the start of another in its place
    u32 blockGapCycles = 0;                         // between two blocks of one SM
    u32 blocksAtOnce = 0;                           // of an SM, that come at that rate
    f64 cyclesPerBlock = 0, cyclesPerLargeBlock = 0;  // of the whole device, beyond these
    u32 warpGapCycles = 0;                            // between two warps of a block
    u32 globalEntries = 0;            // of an SM's queue for global memory, behind those of its sub-cores
    f64 atomicWholeSectorCycles = 0;  // likewise, where all words of it are accessed
    // That an atomic of one sector of a line holds that, of integers and of floats; of floats each lane at
    // one word.
    f64 atomicLoneSectorCycles = 0, atomicLoneFloatCycles = 0;
    u32 atomicPacketsOnTheWay = 0;  // of an SM, to L2; what comes behind one more waits
    u32 exitCycles = 0;             // until the place of a warp that ends is free
    u32 exitBranchCycles = 0;       // of these, the warp counts as waiting for its last branch

    std::array<KnownError, kLaunchKinds> errors{};  // by LaunchKind
};

// Fault: the file's first error, with its line. No section [time]: none.
Expected<std::optional<TimeProfile>> parseTimeProfile(std::string_view text, const std::string& file);
// Of a built-in profile; nullptr: its device has no times.
const TimeProfile* timeProfileOf(const model::Profile& profile);

}  // namespace lockstep::time
