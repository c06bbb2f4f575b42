#include "exercises/quantities.h"

#include "base/text/counted.h"
#include "explain/findings/finding_at.h"
#include "explain/sentences/address_names.h"
#include "explain/sentences/finding_groups.h"
#include "explain/sentences/words.h"
#include "model/source_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace lockstep::exercises {
namespace {

using model::SiteReport;
using run::Run;
using trace::FindingKind;
using trace::Space;

constexpr u64 kSectorBytes = 32;

// What one line has of a quantity.
struct LineAmount {
    u64 amount = 0, weight = 0;  // weight: by which the line to speak of is chosen
    u64 requests = 0, leastSectors = 0;
    bool operator<(const LineAmount& other) const { return weight < other.weight; }
};
// By file and line; loads of a line apart from its stores.
using Lines = std::map<std::tuple<std::string, u32, trace::AccessKind>, LineAmount>;

Measured heaviest(const Lines& lines, const std::function<Message(const LineAmount&)>& there) {
    Measured measured;
    u64 all = 0;
    for (const auto& [place, line] : lines)
        all += line.amount;
    measured.value = f64(all);
    const auto most =
        std::ranges::max_element(lines, [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == lines.end() || most->second.amount == 0) return measured;
    measured.file = std::get<0>(most->first);
    measured.line = std::get<1>(most->first);
    measured.there = there(most->second);
    measured.isAllThere = most->second.amount == all;
    return measured;
}

void placeAt(Measured& measured, const Run& run, Pc pc) {
    if (pc == kNoPc) return;
    const model::SourceLine at = model::sourceLineOf(pc, *run.module);
    measured.file = run.module->files[at.file];
    measured.line = at.line;
}

// Sites that `takes` accepts, by line.
Lines linesOf(const Run& run, bool (*takes)(const SiteReport&), u64 (*amountOf)(const SiteReport&)) {
    Lines lines;
    for (const SiteReport& site : run.report.sites) {
        if (!takes(site)) continue;
        LineAmount& line = lines[{site.file, site.line, site.kind}];
        const u64 amount = amountOf(site);
        line.amount += amount;
        line.weight += amount;
        line.requests += site.requests ? site.requests : site.executions;
        // A request takes a sector, however few its bytes are.
        line.leastSectors +=
            std::max(site.requests, (site.activeLanes * site.widthBytes + kSectorBytes - 1) / kSectorBytes);
    }
    return lines;
}

bool isGlobal(const SiteReport& site) { return site.space == Space::Global; }
// Of a SiteReport or a trace::StoredAccess.
template <class Access> bool isGlobalLoad(const Access& access) {
    return access.space == Space::Global &&
           (access.kind == trace::AccessKind::Load || access.kind == trace::AccessKind::AsyncCopy);
}
bool isGlobalStore(const SiteReport& site) { return isGlobal(site) && site.kind == trace::AccessKind::Store; }
bool isShared(const SiteReport& site) { return site.space == Space::Shared; }
bool isLocal(const SiteReport& site) { return site.space == Space::Local; }
bool isGlobalAtomic(const SiteReport& site) { return isGlobal(site) && trace::isAtomic(site.kind); }
bool isSharedAtomic(const SiteReport& site) { return isShared(site) && trace::isAtomic(site.kind); }

std::string perRequest(u64 amount, u64 requests) { return numberText(f64(amount) / f64(requests)); }

// A line's loads and stores together. How many ways is said only where all of its accesses have as many.
Measured conflicts(const Run& run) {
    Lines lines;
    std::map<std::pair<std::string, u32>, std::set<u64>> ways;  // 0: they differ
    for (const SiteReport& site : run.report.sites) {
        if (!isShared(site) || !site.executions) continue;
        LineAmount& line = lines[{site.file, site.line, {}}];
        const u64 extra = site.wavefronts - std::min(site.wavefronts, site.idealWavefronts);
        line.amount += extra, line.weight += extra;
        if (extra > 0)
            ways[{site.file, site.line}].insert(extra % site.executions == 0 &&
                                                        site.executions == site.idealWavefronts
                                                    ? 1 + extra / site.executions
                                                    : 0);
    }
    Measured measured = heaviest(lines, [](const LineAmount& line) {
        return Message(english("bank conflicts, {0} extra {0:wavefront|wavefronts}"), line.amount);
    });
    if (const auto of = ways.find({measured.file, measured.line});
        of != ways.end() && of->second.size() == 1 && *of->second.begin() > 1)
        measured.there = Message(english("{0}-way bank conflict, {1} extra {1:wavefront|wavefronts}"),
                                 *of->second.begin(), lines.at({measured.file, measured.line, {}}).amount);
    return measured;
}

// The line whose requests need the most sectors beyond those that its bytes fill.
Measured sectorsOf(const Run& run, bool (*takes)(const SiteReport&)) {
    Lines lines = linesOf(run, takes, [](const SiteReport& site) { return site.sectors; });
    for (auto& [place, line] : lines)
        line.weight = line.amount - std::min(line.amount, line.leastSectors);
    const bool isAnyWasteful =
        std::ranges::any_of(lines, [](const auto& row) { return row.second.weight > 0; });
    if (!isAnyWasteful)
        for (auto& [place, line] : lines)
            line.weight = line.amount;
    return heaviest(lines, [](const LineAmount& line) {
        if (line.amount <= line.leastSectors)
            return Message(english("{0} {0:sector|sectors} in {1} {1:request|requests}"), line.amount,
                           line.requests);
        return Message(english("{0} {0:sector|sectors}, {1} per request where {2} would hold its bytes"),
                       line.amount, perRequest(line.amount, line.requests),
                       perRequest(line.leastSectors, line.requests));
    });
}

u64 bytesOfBuffers(const Run& run, bool areOutputs) {
    u64 sectors = 0;
    const std::vector<catalog::BufferTemplate>& forms = run.catalog->variant->buffers;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        if (forms[i].output != areOutputs) continue;
        u64 bytes = info(run.recording.initial[i].type).bytes;
        for (const u64 extent : run.recording.initial[i].shape)
            bytes *= extent;
        sectors += (bytes + kSectorBytes - 1) / kSectorBytes;
    }
    return sectors;
}
f64 leastLoads(const Run& run) { return f64(bytesOfBuffers(run, false)); }
f64 leastStores(const Run& run) { return f64(bytesOfBuffers(run, true)); }

template <bool (*takes)(const SiteReport&)> Measured requests(const Run& run) {
    return heaviest(
        linesOf(run, takes, [](const SiteReport& site) { return site.requests; }),
        [](const LineAmount& line) { return Message(english("{0} {0:request|requests}"), line.amount); });
}

// Accesses by threads: each lane of each execution.
template <bool (*takes)(const SiteReport&)> Measured lanes(const Run& run, const Words& words) {
    return heaviest(linesOf(run, takes, [](const SiteReport& site) { return site.activeLanes; }),
                    [&](const LineAmount& line) { return Message(words, line.amount); });
}

// Findings of one kind as a reader counts them: the same mistake of many threads once.
template <FindingKind kind> Measured findings(const Run& run) {
    Measured measured;
    for (const explain::FindingGroup& group : explain::groupFindings(run.recording.findings, *run.module)) {
        if (group.first().kind != kind) continue;
        if (measured.value++ > 0) continue;
        measured.there = explain::textOf(run, group.first());
        placeAt(measured, run, group.first().who.pc);
    }
    measured.isAllThere = measured.value < 2;
    return measured;
}

bool isAsBefore(const trace::Recording& recording, const catalog::Comparison::First& element) {
    for (std::size_t b = 0; b < recording.initial.size() && b < recording.final.size(); ++b) {
        const Buffer &before = recording.initial[b], &after = recording.final[b];
        if (after.name == element.buffer && element.index < std::min(before.count(), after.count()))
            return before.valueAt(element.index) == after.valueAt(element.index);
    }
    return false;
}

// The first mistake that spoils a result, or may; races have a rule of their own.
Measured correct(const Run& run) {
    for (const FindingKind kind :
         {FindingKind::OutOfBounds, FindingKind::Misaligned, FindingKind::InvalidAddress,
          FindingKind::DivisionByZero, FindingKind::DivergentBarrier, FindingKind::UninitializedRead}) {
        const auto& found = run.recording.findings;
        const auto first = std::ranges::find(found, kind, &trace::Finding::kind);
        if (first == found.end()) continue;
        Measured measured{.there = explain::textOf(run, *first)};
        placeAt(measured, run, first->who.pc);
        return measured;
    }
    if (!run.comparison) return {.there = english("the result was not compared")};
    if (run.comparison->correct) return {.value = 1};
    const auto& wrong = run.comparison->first;
    if (!wrong) return {.there = english("the result is wrong")};
    Measured measured{
        .there = Message(english("{0} {0:element is|elements are} wrong, first {1} = {2} instead of {3}"),
                         run.comparison->wrongCount,
                         explain::nameOfElement(run.recording.final, wrong->buffer, wrong->index),
                         numberText(wrong->got), numberText(wrong->want))};
    if (isAsBefore(run.recording, *wrong))
        measured.there = Message(english("{0}: no thread has stored another value there"), measured.there);
    // What may be why.
    const auto& found = run.recording.findings;
    const auto inactive = std::ranges::find(found, FindingKind::InactiveLane, &trace::Finding::kind);
    if (inactive != found.end()) {
        measured.there = Message(english("{0}. {1}"), measured.there, explain::occurrenceOf(run, *inactive));
        placeAt(measured, run, inactive->who.pc);
    }
    return measured;
}

u64 threadsOf(const Launch& launch) { return launch.grid.count() * launch.block.count(); }

// Of the warp that loads most often: whether the work is shared out.
Measured loadsOfBusiestWarp(const Run& run) {
    Measured measured;
    Pc first = kNoPc;
    for (const trace::FocusBlock& block : run.recording.trace.blocks)
        for (u64 w = 0; w < block.warps.size(); ++w) {
            const std::vector<trace::StoredAccess>& accesses = block.warps[w].accesses;
            const u64 loads = u64(std::ranges::count_if(accesses, isGlobalLoad<trace::StoredAccess>));
            if (f64(loads) <= measured.value) continue;
            measured.value = f64(loads);
            measured.there = Message(
                english("warp {0} of block {1} makes {2} {2:request|requests}"), w,
                explain::coordinates(block.block, run.recording.launches[block.launch.value].grid), loads);
            first = std::ranges::find_if(accesses, isGlobalLoad<trace::StoredAccess>)->pc;
        }
    placeAt(measured, run, first);
    return measured;
}

// Executions by warps of the instructions that `takes` accepts, by line, of one launch or of all; or by
// threads.
template <class Takes>
Lines executions(const Run& run, Takes takes, std::optional<std::size_t> launch = {},
                 u64 trace::PcCounts::*counted = &trace::PcCounts::executions) {
    Lines lines;
    for (std::size_t l = 0; l < run.recording.counts.size(); ++l) {
        if (launch && *launch != l) continue;
        const auto& perPc = run.recording.counts[l].perPc;
        for (u32 pc = 0; pc < perPc.size(); ++pc) {
            if (perPc[pc].executions == 0 || !takes(run.module->at(Pc{pc}).form)) continue;
            const model::SourceLine at = model::sourceLineOf(Pc{pc}, *run.module);
            LineAmount& line = lines[{run.module->files[at.file], at.line, {}}];
            line.amount += perPc[pc].*counted;
            line.weight += perPc[pc].*counted;
        }
    }
    return lines;
}

bool isBarrier(std::string_view form) { return form.starts_with("bar.") && !form.starts_with("bar.warp"); }

Measured barriers(const Run& run) {
    Measured most;
    for (std::size_t l = 0; l < run.recording.launches.size(); ++l) {
        const u64 threads = threadsOf(run.recording.launches[l]);
        const Lines lines = executions(run, isBarrier, l, &trace::PcCounts::activeLanes);
        Measured measured = heaviest(lines, [&](const LineAmount& line) {
            return Message(line.amount % threads == 0
                               ? english("each thread comes to this barrier {0} {0:time|times}")
                               : english("a thread comes to this barrier {0} {0:time|times} on average"),
                           numberText(f64(line.amount) / f64(threads)));
        });
        measured.value /= f64(threads);
        if (measured.value >= most.value) most = std::move(measured);
    }
    return most;
}

Measured shuffles(const Run& run) {
    const auto exchanges = [](std::string_view form) {
        return form.starts_with("shfl.") || form.starts_with("redux.");
    };
    return heaviest(executions(run, exchanges), [](const LineAmount& line) {
        return Message(english("{0} {0:shuffle|shuffles} by warps"), line.amount);
    });
}

Measured warpInstructions(const Run& run) {
    return heaviest(executions(run, [](std::string_view) { return true; }), [](const LineAmount& line) {
        return Message(english("{0} warp {0:instruction|instructions}"), line.amount);
    });
}

Measured divergence(const Run& run) {
    Lines lines;
    for (const model::BranchReport& branch : run.report.branches) {
        LineAmount& line = lines[{branch.file, branch.line, {}}];
        line.amount += branch.divergent;
        line.weight += branch.divergent;
    }
    return heaviest(lines, [](const LineAmount& line) {
        return Message(english("warps diverge {0} {0:time|times}"), line.amount);
    });
}

// The line with the most idle lanes.
Measured activeLanes(const Run& run) {
    Lines idle;
    u64 warps = 0, threads = 0;
    for (const trace::GridCounts& counts : run.recording.counts)
        warps += counts.warpInstructions, threads += counts.threadInstructions;
    for (const model::LineReport& line : run.report.lines) {
        LineAmount& amount = idle[{line.file, line.line, {}}];
        amount.amount = amount.weight = kWarpSize * line.executions - line.activeLanes;
    }
    Measured measured = heaviest(idle, [](const LineAmount& line) {
        return Message(english("{0} {0:lane is|lanes are} inactive, added up over its warp instructions"),
                       line.amount);
    });
    measured.value = warps ? 100 * f64(threads) / f64(kWarpSize * warps) : 100;
    measured.isAllThere = false;
    return measured;
}

Measured sharedBytes(const Run& run) {
    u64 most = 0;
    for (const Launch& launch : run.recording.launches)
        most = std::max(most, run::sharedBytes(*run.module, launch));
    Measured measured{.value = f64(most)};
    const auto declares = [](const std::string& text) { return text.find("__shared__") != text.npos; };
    if (most == 0 && std::ranges::any_of(run.module->sources, declares))
        measured.there = english(
            "nothing reads the shared memory that the file declares, so the compiler "
            "leaves it out");
    return measured;
}

Measured occupancy(const Run& run) {
    const model::Occupancy& is = run.report.occupancy;
    Measured measured{.value = 100.0 * is.possibleWarpsPerSm / std::max(1u, run.profile.warpsPerSm)};
    measured.there =
        Message(english("{0} {0:block|blocks} of {1} {1:byte|bytes} of shared memory fit on an SM"),
                is.possibleBlocksPerSm, u64(sharedBytes(run).value));
    return measured;
}

constexpr Words kAtomics = english("{0} {0:atomic operation|atomic operations} by threads");
constexpr Words kLocal = english("{0} {0:access|accesses} by threads to local memory");
constexpr Words kSectors = english("{0} {0:sector|sectors}"), kRequests = english("{0} {0:request|requests}");

}  // namespace

std::span<const Quantity> quantities() {
    static const std::array kTable{
        Quantity{.name = "correct",
                 .what = english("The result is that of the CPU reference, in other orders of the threads, "
                                 "too, without an access or a barrier that is a mistake"),
                 .measure = correct},
        Quantity{.name = "races",
                 .what = english("Data races, also within a warp (the same one in many threads counts once)"),
                 .amount = english("{0} data {0:race|races}"),
                 .measure =
                     [](const Run& run) {
                         Measured races = findings<FindingKind::Race>(run);
                         Measured hidden = findings<FindingKind::WarpSynchronous>(run);
                         if (races.value == 0) return hidden;
                         races.value += hidden.value;
                         races.isAllThere = races.isAllThere && hidden.value == 0;
                         return races;
                     }},
        Quantity{
            .name = "warp_synchronous",
            .what = english("Places that assume warp-synchronous execution"),
            .amount = english("{0} {0:place that assumes|places that assume} warp-synchronous execution"),
            .measure = findings<FindingKind::WarpSynchronous>},
        Quantity{.name = "bank_conflicts",
                 .what = english("Wavefronts of shared memory beyond those that the accesses need"),
                 .amount = english("{0} extra {0:wavefront|wavefronts}"),
                 .measure = conflicts},
        Quantity{.name = "sectors",
                 .what = english("Sectors of global memory, of all accesses"),
                 .amount = kSectors,
                 .measure = [](const Run& run) { return sectorsOf(run, isGlobal); },
                 .least = [](const Run& run) { return leastLoads(run) + leastStores(run); }},
        Quantity{.name = "load_sectors",
                 .what = english("Sectors of loads from global memory"),
                 .amount = kSectors,
                 .measure = [](const Run& run) { return sectorsOf(run, isGlobalLoad<SiteReport>); },
                 .least = leastLoads},
        Quantity{.name = "store_sectors",
                 .what = english("Sectors of stores to global memory"),
                 .amount = kSectors,
                 .measure = [](const Run& run) { return sectorsOf(run, isGlobalStore); },
                 .least = leastStores},
        Quantity{.name = "load_requests",
                 .what = english("Requests of warps to load from global memory"),
                 .amount = kRequests,
                 .measure = requests<isGlobalLoad<SiteReport>>},
        Quantity{.name = "busiest_warp_loads",
                 .what = english("Requests to load from global memory, of the warp that makes most of them"),
                 .amount = kRequests,
                 .measure = loadsOfBusiestWarp,
                 .isOfEachWarp = true},
        Quantity{.name = "store_requests",
                 .what = english("Requests of warps to store to global memory"),
                 .amount = kRequests,
                 .measure = requests<isGlobalStore>},
        Quantity{.name = "shared_requests",
                 .what = english("Accesses of warps to shared memory"),
                 .amount = english("{0} {0:access|accesses} of warps to shared memory"),
                 .measure =
                     [](const Run& run) {
                         return heaviest(
                             linesOf(run, isShared, [](const SiteReport& site) { return site.executions; }),
                             [](const LineAmount& line) {
                                 return Message(english("{0} {0:access|accesses} of warps to shared memory"),
                                                line.amount);
                             });
                     }},
        Quantity{.name = "global_atomics",
                 .what = english("Atomic operations by threads in global memory"),
                 .amount = kAtomics,
                 .measure = [](const Run& run) { return lanes<isGlobalAtomic>(run, kAtomics); }},
        Quantity{.name = "shared_atomics",
                 .what = english("Atomic operations by threads in shared memory"),
                 .amount = kAtomics,
                 .measure = [](const Run& run) { return lanes<isSharedAtomic>(run, kAtomics); }},
        Quantity{.name = "local_memory",
                 .what = english("Accesses by threads to local memory"),
                 .amount = kLocal,
                 .measure = [](const Run& run) { return lanes<isLocal>(run, kLocal); }},
        Quantity{.name = "barriers_per_thread",
                 .what = english("How often a thread comes to a barrier of its block, on average; of several "
                                 "launches in the one with the most"),
                 .amount = english("{0} {0:barrier|barriers} per thread"),
                 .measure = barriers},
        Quantity{.name = "divergent_branches",
                 .what = english("How often a warp diverges"),
                 .amount = english("{0} divergent {0:branch|branches}"),
                 .measure = divergence},
        Quantity{.name = "active_lanes",
                 .what = english("Active lanes, in percent of those that the warp instructions have"),
                 .amount = english("{0}% of lanes active"),
                 .measure = activeLanes},
        Quantity{.name = "shuffles",
                 .what = english("Shuffles by warps; __reduce_add_sync() and its like are one each"),
                 .amount = english("{0} {0:shuffle|shuffles} by warps"),
                 .measure = shuffles},
        Quantity{.name = "warp_instructions",
                 .what = english("Instructions that warps execute"),
                 .amount = english("{0} warp {0:instruction|instructions}"),
                 .measure = warpInstructions},
        Quantity{.name = "shared_bytes",
                 .what = english("Shared memory of a block, in bytes"),
                 .amount = english("{0} {0:byte|bytes} of shared memory in a block"),
                 .measure = sharedBytes},
        Quantity{.name = "occupancy",
                 .what = english("Warps that can be resident on an SM, in percent of the most; registers are "
                                 "not known and do not limit it"),
                 .amount = english("an occupancy of {0}%"),
                 .measure = occupancy},
    };
    return kTable;
}

const Quantity* findQuantity(std::string_view name) {
    const auto found = std::ranges::find(quantities(), name, &Quantity::name);
    return found == quantities().end() ? nullptr : &*found;
}

std::string numberText(f64 value) {
    if (std::floor(value) == value && std::abs(value) < 1e15)
        return value < 0 ? "-" + grouped(u64(-value)) : grouped(u64(value));
    if (value >= 1000 && value < 1e15) return grouped(u64(value));  // what is counted is whole
    return fmt::format("{:.4g}", value);
}

}  // namespace lockstep::exercises
