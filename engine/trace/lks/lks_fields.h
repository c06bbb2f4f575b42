// Which fields of each type a .lks file holds, in which order: one list, for writing and for reading.
#pragma once

#include "trace/lks/archive.h"
#include "trace/trace.h"

namespace lockstep::trace {

void fields(auto& a, Like<Dim3> auto& d) { a(d.x, d.y, d.z); }
void fields(auto& a, Like<LaneMask> auto& m) { a(m.bits); }
template <class T>
    requires requires(T t) { []<class Tag>(const Index<Tag>&) {}(t); }
void fields(auto& a, T& index) {
    a(index.value);
}

void fields(auto& a, Like<Buffer> auto& b) { a(b.name, b.type, b.shape, b.bytes); }
void fields(auto& a, Like<BufferArgument> auto& b) { a(b.buffer); }
void fields(auto& a, Like<ScalarArgument> auto& s) { a(s.bytes); }
void fields(auto& a, Like<Launch> auto& l) { a(l.entry, l.grid, l.block, l.dynamicSharedBytes, l.arguments); }

void fields(auto& a, Like<Step> auto& s) { a(s.pc, s.active, s.access, s.order); }
void fields(auto& a, Like<StoredAccess> auto& s) {
    a(s.pc, s.active, s.space, s.kind, s.widthBytes, s.values, s.layout, s.base, s.valuesAt);
}
void fields(auto& a, Like<LaneLayout> auto& l) { a(l.distances, l.values); }
void fields(auto& a, Like<WarpTrace> auto& w) {
    a(w.steps, w.accesses, w.layouts, w.valuePool, w.barrierSteps);
}
void fields(auto& a, Like<FocusBlock> auto& b) { a(b.launch, b.block, b.warps, b.threads, b.truncated); }
void fields(auto& a, Like<Trace> auto& t) { a(t.blocks); }

void fields(auto& a, Like<Pattern> auto& p) { a(p.active, p.baseMod256, p.deltaBytes, p.times); }
void fields(auto& a, Like<SiteCounts> auto& s) {
    a(s.pc, s.space, s.kind, s.widthBytes, s.patterns, s.overflowExecutions, s.overflowActiveLanes,
      s.overflow.sectors, s.overflow.wavefronts, s.overflow.idealWavefronts);
}
void fields(auto& a, Like<PcCounts> auto& p) { a(p.executions, p.activeLanes, p.divergent); }
void fields(auto& a, Like<GridCounts> auto& g) {
    a(g.perPc, g.sites, g.warpInstructions, g.threadInstructions);
}

void fields(auto& a, Like<Culprit> auto& c) { a(c.pc, c.block, c.thread, c.kind); }
void fields(auto& a, Like<Finding> auto& f) {
    a(f.kind, f.launch, f.who, f.other, f.space, f.address, f.widthBytes, f.buffer, f.offsetBytes,
      f.sizeBytes, f.lanes, f.count, f.detail);
}

void fields(auto& a, Like<ResultCheck::First> auto& f) { a(f.buffer, f.index, f.got, f.want); }
void fields(auto& a, Like<ResultCheck> auto& c) {
    a(c.reference, c.correct, c.maxError, c.wrongCount, c.first);
}

void fields(auto& a, Like<Sample> auto& s) { a(s.blocks, s.of, s.grid, s.unproved, s.neededBlocks, s.at); }

// A Recording's sections. Check, Sums and Sample were added later: they are present only if not empty, and a
// reader that does not know them skips them. Sums: of sites without patterns, what Counts does not say, in
// the order of their sites.
enum class Part : u32 {
    About = 1,
    Ptx,
    Sources,
    Launches,
    Initial,
    Final,
    Counts,
    Findings,
    Trace,
    Check,
    Sums,
    Sample
};
inline constexpr Part kParts[] = {Part::About, Part::Ptx,    Part::Sources,  Part::Launches, Part::Initial,
                                  Part::Final, Part::Counts, Part::Findings, Part::Trace};

void sums(auto& a, auto& launches) {
    for (auto& counts : launches)
        for (auto& site : counts.sites)
            if (site.overflowExecutions)
                a(site.overflow.requests, site.overflow.loopLoads, site.overflow.idealLoopLoads);
}

void part(Part which, auto& a, Like<Recording> auto& r) {
    switch (which) {
        case Part::About:
            return a(r.family, r.variant, r.entry, r.backend, r.device, r.profile, r.parameters, r.sequential,
                     r.complete);
        case Part::Ptx: return a(r.ptx);
        case Part::Sources: return a(r.sources);
        case Part::Launches: return a(r.launches);
        case Part::Initial: return a(r.initial);
        case Part::Final: return a(r.final);
        case Part::Counts: return a(r.counts);
        case Part::Findings: return a(r.findings);
        case Part::Trace: return a(r.trace);
        case Part::Check: return a(r.check);
        case Part::Sums: return sums(a, r.counts);
        case Part::Sample:
            a(r.sample);
            if (r.sample) sums(a, r.sample->grid);
            return;
    }
}

}  // namespace lockstep::trace
