// What a text may say of the cursor's lines, its block and the grid.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::Space;

// Facts of the cursor's line, its block and the grid.
const Facts& Reader::whole() {
    if (wholeKnown_) return whole_;
    whole_ = run_.grid();
    whole_.count("word", run_.capability().wordsOfLine());  // of the picture of shared memory
    whole_.add(block_.whole());
    const auto addSums = [&](const PcSums& sums) {
        whole_.count("execution", f64(sums.executions)), whole_.count("wavefront", f64(sums.wavefronts)),
            whole_.count("wavefront", f64(sums.least)), whole_.count("sector", f64(sums.sectors));
        whole_.count("transaction", f64(sums.sectors)), whole_.count("request", f64(sums.requests)),
            whole_.count("instruction", f64(sums.executions)), whole_.count("byte", f64(sums.bytes));
        if (sums.wavefronts > 0) whole_.count("request", f64(sums.executions));  // of shared memory
    };
    const std::set<u32> near = run_.linesNear(traceOf(cursor_.warp.value).steps[cursor_.step].pc);
    std::set<u32> lines = near;
    for (u32 s : nearestAccesses())
        lines.insert(run_.lineOf(traceOf(cursor_.warp.value).steps[s].pc));
    for (u32 line : lines) {
        if (const auto found = run_.ofLine().find(line); found != run_.ofLine().end()) addSums(found->second);
        // In this block; accesses apart from everything else, and shared ones apart from global ones.
        for (const auto& [space, count] : block_.executionsOf(line))
            whole_.count("execution", f64(count)), whole_.count("request", f64(count));
    }
    std::map<std::pair<u32, int>, PcSums> bySpace;
    for (const auto& [pc, sums] : run_.ofPc()) {
        const u32 line = run_.lineOf(Pc{pc});
        if (!lines.contains(line)) continue;
        addSums(sums);
        if (sums.wavefronts + sums.sectors == 0) continue;
        PcSums& into = bySpace[{line, sums.wavefronts > 0}];
        into.executions += sums.executions, into.wavefronts += sums.wavefronts, into.least += sums.least,
            into.sectors += sums.sectors, into.requests += sums.requests, into.bytes += sums.bytes;
    }
    for (const auto& [key, sums] : bySpace)
        addSums(sums);
    // The same of the cursor's launch alone.
    std::map<std::pair<u32, int>, PcSums> ofLaunch;
    for (const trace::SiteCounts& site : run_.run().recording.counts[cursor_.launch.value].sites) {
        if (!lines.contains(run_.lineOf(site.pc))) continue;
        PcSums& into = ofLaunch[{run_.lineOf(site.pc), int(site.space)}];
        for (const trace::Pattern& pattern : site.patterns) {
            const trace::WarpAccess access = accessOf(site, pattern);
            into.executions += pattern.times;
            if (site.space == Space::Shared) {
                const SharedCost cost =
                    sharedCost(access, run_.capability(), run_.run().module->textOf(site.pc));
                into.wavefronts += cost.wavefronts * pattern.times, into.least += cost.least * pattern.times;
            } else if (site.space == Space::Global) {
                const GlobalCost cost = globalCost(access, run_.capability());
                into.sectors += cost.items * pattern.times, into.requests += cost.requests * pattern.times,
                    into.bytes += cost.bytes * pattern.times;
            }
        }
    }
    for (const auto& [key, sums] : ofLaunch)
        addSums(sums);
    for (u32 w = 0; w < block_.block().warps.size(); ++w) {
        const BlockFacts::Sums& sums = block_.sums(w);
        whole_.count("instruction", f64(sums.steps));
        if (w != cursor_.warp.value) continue;
        const f64 steps = f64(std::max<u64>(1, sums.steps));
        for (u64 sum : {sums.lanes, sums.came, sums.laneSlotsOfBranches}) {
            whole_.count("lane", f64(sum)), whole_.count("lane", f64(sum) / steps);
            for (u32 of : {32u, block_.lanesOf(w)})
                whole_.shares.emplace_back("lanes", f64(sum) / steps / of);
        }
    }
    for (const u32 half : {0u, 1u})
        whole_.id("half-warp", half);
    wholeKnown_ = true;
    return whole_;
}

}  // namespace lockstep::witness
