// The model's result for a run: a Report is a pure function of the counts, the module and a device profile.
#pragma once

#include "model/branches/branches.h"
#include "model/occupancy/occupancy.h"
#include "model/profiles/profile.h"
#include "model/source_line.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::model {

// Cost of one instruction, as written, over the whole grid of one launch. Fields that do not apply to the
// space are 0: wavefronts for global memory, requests and sectors for shared.
struct SiteReport {
    LaunchId launch;
    Pc pc;
    std::string opcode, text, file;  // "ld.global.f32", the instruction as written, the .cu file
    u32 line = 0;
    trace::Space space;
    trace::AccessKind kind;
    u8 widthBytes = 4;
    // sectors: transactions where `countsSectors` is false (cc 1.x; loads that L1 caches on cc 2.x and 3.x).
    bool countsSectors = true;
    u64 executions = 0, activeLanes = 0, requests = 0, sectors = 0, wavefronts = 0, idealWavefronts = 0;
    // Shared loads and stores that the compiler merges with their neighbors (shared_merging.h).
    struct Merged {
        Pc first;                                 // the merged access is counted at this one of them
        u8 widthBytes = 8;                        // of the merged access
        std::vector<Pc> members;                  // all members, ascending address
        u64 wavefronts = 0, idealWavefronts = 0;  // of the merged access; 0 at the other members
    };
    std::optional<Merged> merged;
    // Shared memory: whether machine code says what became of it, merged or not; else the model predicts it.
    bool fromMachineCode = false;
    bool removed = false;  // machine code has neither it nor a merged one: it costs nothing

    // As the machine runs it; a merged access is counted in full at its first member.
    u64 machineExecutions() const { return removed || (merged && merged->first != pc) ? 0 : executions; }
    u64 machineWavefronts() const { return removed ? 0 : merged ? merged->wavefronts : wavefronts; }
    u64 machineIdealWavefronts() const {
        return removed ? 0 : merged ? merged->idealWavefronts : idealWavefronts;
    }
};

struct LineReport {  // per source line, all launches together
    std::string file;
    u32 line = 0;
    u64 executions = 0, divergent = 0;  // warp instructions, and how many of them split their warp
    u64 activeLanes = 0;  // thread instructions; of a branch all lanes that arrive (arriving_lanes.h)
    u64 sectors = 0, wavefronts = 0, idealWavefronts = 0;
};

struct Report {
    std::string profile;
    // ncu metric names without .sum, and our own ptx__ names. Of the whole grids: of a sample extrapolated,
    // or none.
    std::map<std::string, u64> counters;
    std::vector<SiteReport> sites;       // memory instructions, ascending launch, pc
    std::vector<LineReport> lines;       // ascending file, line; lines that issued something
    std::vector<BranchReport> branches;  // conditional branches that were reached, ascending launch, pc
    Occupancy occupancy;                 // of the first launch
};

// Launches and counts of the whole grids, if the recording is of a sample and they are known.
std::optional<trace::Recording> wholeGrids(const trace::Recording& recording);

// registersPerThread: of the compiled kernel, if known.
Report makeReport(const ptx::Module& module, const trace::Recording& recording, const Profile& profile,
                  std::optional<u32> registersPerThread = {});

}  // namespace lockstep::model
