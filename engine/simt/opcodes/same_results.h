// For tests: two runs of the same experiment compared record by record.
#pragma once

#include "simt/emulator.h"

#include <string>

namespace lockstep::simt {

struct ResultComparison {
    std::string difference;  // the first one; empty: none

    void same(bool equal, const std::string& what) {
        if (!equal && difference.empty()) difference = what;
    }
};

inline void compareCounts(ResultComparison& c, const trace::GridCounts& a, const trace::GridCounts& b) {
    c.same(a.warpInstructions == b.warpInstructions,
           "warp instructions: " + std::to_string(a.warpInstructions) + " and " +
               std::to_string(b.warpInstructions));
    c.same(a.threadInstructions == b.threadInstructions, "thread instructions");
    c.same(a.perPc.size() == b.perPc.size() && a.sites.size() == b.sites.size(), "number of sites");
    if (!c.difference.empty()) return;
    for (std::size_t pc = 0; pc < a.perPc.size(); ++pc) {
        const auto &x = a.perPc[pc], &y = b.perPc[pc];
        c.same(x.executions == y.executions && x.activeLanes == y.activeLanes && x.divergent == y.divergent,
               "counts of pc " + std::to_string(pc));
    }
    for (std::size_t i = 0; i < a.sites.size(); ++i) {
        const auto &x = a.sites[i], &y = b.sites[i];
        const std::string site = "site of pc " + std::to_string(x.pc.value) + ": ";
        c.same(x.pc == y.pc && x.space == y.space && x.kind == y.kind && x.widthBytes == y.widthBytes,
               site + "what it is");
        c.same(x.patterns.size() == y.patterns.size(), site + std::to_string(x.patterns.size()) + " and " +
                                                           std::to_string(y.patterns.size()) + " patterns");
        c.same(x.overflowExecutions == y.overflowExecutions &&
                   x.overflowActiveLanes == y.overflowActiveLanes && x.overflow == y.overflow,
               site + "overflow");
        if (!c.difference.empty()) return;
        for (std::size_t p = 0; p < x.patterns.size(); ++p) {
            const trace::Pattern &s = x.patterns[p], &t = y.patterns[p];
            c.same(s.active == t.active && s.baseMod256 == t.baseMod256 && s.deltaBytes == t.deltaBytes &&
                       s.times == t.times,
                   site + "pattern " + std::to_string(p) + ", " + std::to_string(s.times) + " and " +
                       std::to_string(t.times) + " times");
        }
    }
}

inline void compareWarps(ResultComparison& c, const trace::WarpTrace& a, const trace::WarpTrace& b,
                         const std::string& where) {
    c.same(a.steps.size() == b.steps.size() && a.accesses.size() == b.accesses.size(),
           where + "number of steps");
    if (!c.difference.empty()) return;
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
        const trace::Step &x = a.steps[i], &y = b.steps[i];
        c.same(x.pc == y.pc && x.active == y.active && x.access == y.access && x.order == y.order,
               where + "step " + std::to_string(i));
    }
    for (std::size_t i = 0; i < a.accesses.size(); ++i) {
        const trace::StoredAccess &x = a.accesses[i], &y = b.accesses[i];
        const std::string access =
            where + "access " + std::to_string(i) + " at pc " + std::to_string(x.pc.value) + ": ";
        c.same(x.pc == y.pc && x.active == y.active && x.space == y.space && x.kind == y.kind &&
                   x.widthBytes == y.widthBytes,
               access + "what it is");
        for (Lane lane : x.active) {
            c.same(a.address(x, lane) == b.address(y, lane),
                   access + "address of lane " + std::to_string(lane.value));
            c.same(std::ranges::equal(a.value(x, lane), b.value(y, lane)),
                   access + "value of lane " + std::to_string(lane.value));
        }
    }
    c.same(a.barrierSteps == b.barrierSteps, where + "barriers");
}

// The first difference between two results and their buffers; empty: none.
inline std::string firstDifference(const Result& a, std::span<const Buffer> buffersA, const Result& b,
                                   std::span<const Buffer> buffersB) {
    ResultComparison c;
    c.same(a.statistics.complete == b.statistics.complete, "whether they came to an end");
    for (std::size_t i = 0; i < buffersA.size(); ++i)
        c.same(buffersA[i].bytes == buffersB[i].bytes, "buffer " + std::to_string(i));
    c.same(a.findings.size() == b.findings.size(),
           std::to_string(a.findings.size()) + " and " + std::to_string(b.findings.size()) + " findings");
    if (!c.difference.empty()) return c.difference;
    for (std::size_t i = 0; i < a.findings.size(); ++i) {
        const trace::Finding &x = a.findings[i], &y = b.findings[i];
        c.same(x.kind == y.kind && x.who == y.who && x.other == y.other && x.address == y.address &&
                   x.space == y.space && x.count == y.count && x.buffer == y.buffer &&
                   x.offsetBytes == y.offsetBytes && x.lanes == y.lanes && x.detail == y.detail,
               "finding " + std::to_string(i) + ", " + std::string(nameOf(x.kind)) + " and " +
                   std::string(nameOf(y.kind)) + " at pc " + std::to_string(x.who.pc.value));
    }
    for (std::size_t i = 0; i < a.counts.size(); ++i)
        compareCounts(c, a.counts[i], b.counts[i]);
    c.same(a.trace.blocks.size() == b.trace.blocks.size(), "number of focus blocks");
    if (!c.difference.empty()) return c.difference;
    for (std::size_t i = 0; i < a.trace.blocks.size(); ++i)
        for (std::size_t w = 0; w < a.trace.blocks[i].warps.size(); ++w)
            compareWarps(c, a.trace.blocks[i].warps[w], b.trace.blocks[i].warps[w],
                         "focus block " + std::to_string(i) + ", warp " + std::to_string(w) + ", ");
    return c.difference;
}

}  // namespace lockstep::simt
