// The model's answer for a run: a Report is a pure function of what was counted, the module and a device profile.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/profile.h"
#include "ptx/module.h"
#include "trace/trace.h"

namespace lockstep::model {

// Cost of one instruction over the whole grid of one launch.
struct SiteReport {
    LaunchId launch;
    Pc pc;
    std::string opcode, text, file;  // "ld.global.f32", the instruction as written, the .cu file
    u32 line = 0;
    trace::Space space;
    trace::AccessKind kind;
    u8 widthBytes = 4;
    u64 executions = 0, activeLanes = 0, requests = 0, sectors = 0, wavefronts = 0, idealWavefronts = 0;
};

struct LineReport {  // per source line, all launches together
    std::string file;
    u32 line = 0;
    u64 executions = 0, activeLanes = 0, divergent = 0;   // warp instructions, thread instructions, splits
    u64 sectors = 0, wavefronts = 0, idealWavefronts = 0;
};

struct Occupancy { u32 blocksPerSm = 0, warpsPerSm = 0; std::string limitedBy; };

struct Report {
    std::string profile;
    std::map<std::string, u64> counters;  // ncu metric names without .sum, and ptx__ names of our own
    std::vector<SiteReport> sites;        // memory instructions, ascending launch, pc
    std::vector<LineReport> lines;        // ascending file, line; lines that issued something
    Occupancy occupancy;
};

Report makeReport(const ptx::Module& module, const trace::Recording& recording, const Profile& profile);

// A finding in words: what happened, where, what to do about it. Both languages.
Text describe(const trace::Finding& finding, const ptx::Module& module, const trace::Recording& recording);

// "M[1][0]" / "M + 12 bytes" / "Mds[3][1]": an address in the words of the source. Buffers by their shapes, shared variables by
// the module's symbols; empty if nothing is known.
std::string nameOfAddress(const trace::WarpAccess& access, Lane lane, const ptx::Module& module, const trace::Recording& recording);

}  // namespace lockstep::model
