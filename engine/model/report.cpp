#include "model/report.h"

#include "model/access/access_cost.h"
#include "model/access/counted_access.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_merging.h"
#include "model/access/shared_wavefronts.h"
#include "model/branches/arriving_lanes.h"
#include "model/machine_accesses.h"
#include "model/machine_report.h"
#include "model/occupancy/launch_occupancy.h"
#include "ptx/opcodes.h"

#include <algorithm>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::Space;

// Machine cost of one site over the whole grid. Sites describe the written code; the counters are sums over
// these.
struct MachineCost : trace::AccessCost {
    Space space = Space::Global;
    AccessKind kind = AccessKind::Load;
};

MachineCost costOf(const trace::SiteCounts& site, const AccessCosting& costing) {
    MachineCost sum{site.overflow, site.space, site.kind};
    for (const trace::Pattern& pattern : site.patterns)
        sum.add(costing.cost(accessOf(site, pattern)), pattern.times);
    return sum;
}

// The merged access that replaces its members, with the patterns of the first of them.
std::pair<u64, u64> mergedWavefronts(const MergedAccess& merged, const trace::SiteCounts& first,
                                     const Profile& profile) {
    u64 wavefronts = 0, ideal = 0;
    for (const trace::Pattern& pattern : first.patterns) {
        trace::WarpAccess access = accessOf(first, pattern);
        access.widthBytes = merged.widthBytes;
        for (Lane lane : access.active)
            access.addresses[lane.value] += u64(s64(merged.offsetBytes));
        wavefronts += pattern.times * sharedWavefronts(access, profile);
        ideal += pattern.times * idealWavefronts(access, profile);
    }
    return {wavefronts, ideal};
}

// Older compilers were not studied: cc 1.x to 3.x are shown as written.
bool compilerMerges(const Profile& profile) { return profile.sharedRule == SharedRule::MergingWords; }

// How the shared accesses of a launch's entry are compiled.
struct SharedAccesses {
    std::vector<MergedAccess> merged;
    std::vector<Pc> removed;
    bool fromMachineCode = false;
    std::vector<Pc> unclear;  // sites that the machine code does not account for
};

bool holdsAnyOf(const MergedAccess& merged, const std::vector<Pc>& pcs) {
    return std::ranges::any_of(merged.members,
                               [&](Pc pc) { return std::ranges::find(pcs, pc) != pcs.end(); });
}

// By pc, what became of it: "16 bytes" if merged, "none" if removed.
std::map<Pc, std::string> fates(const SharedAccesses& accesses) {
    std::map<Pc, std::string> fates;
    for (const MergedAccess& merged : accesses.merged)
        for (Pc pc : merged.members)
            fates[pc] = std::to_string(merged.widthBytes) + " bytes";
    for (Pc pc : accesses.removed)
        fates[pc] = "none";
    return fates;
}

using Differences = std::vector<MachineReport::Difference>;

void addDifferences(const SharedAccesses& modelled, const SharedAccesses& machine, LaunchId launch,
                    std::span<const SiteReport> sites, Differences& differences) {
    const std::map<Pc, std::string> expected = fates(modelled), found = fates(machine);
    for (const SiteReport& site : sites) {
        const auto textOf = [&](const std::map<Pc, std::string>& fates) {
            const auto fate = fates.find(site.pc);
            return fate != fates.end() ? fate->second : std::to_string(site.widthBytes) + " bytes";
        };
        const std::string before = textOf(expected), after = textOf(found);
        if (site.space == Space::Shared && before != after)
            differences.push_back({.at = {launch, site.pc}, .modelled = before, .machine = after});
    }
}

// From the machine code if it has the entry, else predicted by the model.
SharedAccesses sharedAccesses(const ptx::Module& module, const ptx::Function& entry, const Launch& launch,
                              LaunchId number, const sass::MachineCode* code,
                              std::span<const SiteReport> sites, MachineReport& into) {
    SharedAccesses modelled{.merged = mergedSharedAccesses(module, entry, launch.dynamicSharedBytes),
                            .removed = {},
                            .unclear = {}};
    std::optional<MachineAccesses> read;
    if (code) read = machineAccesses(module, entry, launch.dynamicSharedBytes, *code);
    if (!read) return modelled;
    SharedAccesses machine{.merged = std::move(read->merged),
                           .removed = std::move(read->removed),
                           .fromMachineCode = true,
                           .unclear = read->unclear};
    for (const MergedAccess& merged : modelled.merged)
        if (holdsAnyOf(merged, read->unclear)) {
            machine.merged.push_back(merged);
            machine.unclear.insert(machine.unclear.end(), merged.members.begin(), merged.members.end());
            std::erase_if(machine.removed, [&](Pc pc) { return holdsAnyOf(merged, {pc}); });
        }
    addDifferences(modelled, machine, number, sites, into.differences);
    for (Pc pc : read->unclear)
        into.differences.push_back(
            {.at = {number, pc},
             .modelled = "one width",
             .machine = "several widths, or several turns of a loop as one: as modeled"});
    for (Pc pc : machine.removed)
        if (std::ranges::find(sites, pc, &SiteReport::pc) != sites.end())
            into.removed.push_back({number, pc});
    return machine;
}

// Applies the compiler's merging of shared accesses to one launch: `sites` record it, `costs` become the
// machine's.
void applyToSites(const SharedAccesses& accesses, std::span<const trace::SiteCounts> counts,
                  const Profile& profile, std::span<SiteReport> sites, std::span<MachineCost> costs) {
    const auto indexOf = [&](Pc pc) {
        for (std::size_t at = 0; at < counts.size(); ++at)
            if (counts[at].pc == pc && counts[at].space == Space::Shared) return at;
        return counts.size();
    };
    for (const MergedAccess& merged : accesses.merged) {
        const std::size_t first = indexOf(merged.first);
        // Not executed; or too many patterns to keep: then the figures stay those of the written code.
        if (first == counts.size() || counts[first].patterns.empty()) continue;
        const auto [wavefronts, ideal] = mergedWavefronts(merged, counts[first], profile);
        for (Pc pc : merged.members) {
            const std::size_t at = indexOf(pc);
            if (at == counts.size()) continue;
            const bool isFirst = at == first;
            costs[at].wavefronts = isFirst ? wavefronts : 0;
            costs[at].idealWavefronts = isFirst ? ideal : 0;
            sites[at].merged = SiteReport::Merged{.first = merged.first,
                                                  .widthBytes = merged.widthBytes,
                                                  .members = merged.members,
                                                  .wavefronts = costs[at].wavefronts,
                                                  .idealWavefronts = costs[at].idealWavefronts};
        }
    }
    for (Pc pc : accesses.removed)
        if (const std::size_t at = indexOf(pc); at < counts.size()) {
            costs[at].wavefronts = costs[at].idealWavefronts = 0;
            sites[at].removed = true;
        }
    if (!accesses.fromMachineCode) return;
    for (SiteReport& site : sites)
        site.fromMachineCode = site.space == Space::Shared &&
                               (site.kind == AccessKind::Load || site.kind == AccessKind::Store) &&
                               std::ranges::find(accesses.unclear, site.pc) == accesses.unclear.end();
}

// Branch forms are taken from machine code where it shows them.
void readBranches(const ptx::Module& module, const sass::MachineCode& code,
                  std::vector<BranchReport>& branches, Differences& differences) {
    for (BranchReport& branch : branches) {
        const std::optional<BranchForm> form = machineBranchForm(module, branch.pc, code);
        branch.fromMachineCode = form.has_value();
        if (!form || *form == branch.form) continue;
        differences.push_back({.at = {branch.launch, branch.pc},
                               .modelled = std::string(nameOf(branch.form)),
                               .machine = std::string(nameOf(*form))});
        branch.form = *form;
    }
}

SiteReport reportOf(const trace::SiteCounts& site, const MachineCost& cost, LaunchId launch,
                    const ptx::Module& module, const Profile& profile) {
    const SourceLine source = sourceLineOf(site.pc, module);
    SiteReport report{.launch = launch,
                      .pc = site.pc,
                      .opcode = {},
                      .text = {},
                      .file = {},
                      .space = site.space,
                      .kind = site.kind,
                      .merged = {}};
    if (site.pc.value < module.instructions.size()) {
        report.opcode = module.at(site.pc).name;
        report.text = module.textOf(site.pc);
    }
    if (source.line) report.file = module.files[source.file];
    report.line = source.line;
    report.widthBytes = site.widthBytes;
    report.executions = site.overflowExecutions;
    report.activeLanes = site.overflowActiveLanes;
    for (const trace::Pattern& pattern : site.patterns) {
        report.executions += pattern.times;
        report.activeLanes += pattern.times * u64(pattern.active.count());
    }
    report.requests = cost.requests;
    report.sectors = cost.sectors;
    report.countsSectors = site.space != Space::Global || countsSectors(site.kind, profile);
    report.wavefronts = cost.wavefronts;
    report.idealWavefronts = cost.idealWavefronts;
    return report;
}

// The part of ncu's metric name for a kind of access.
std::string_view operationOf(AccessKind kind) {
    switch (kind) {
        case AccessKind::Load:
        case AccessKind::AsyncCopy: return "ld";
        case AccessKind::Store: return "st";
        case AccessKind::Atomic: return "atom";
        case AccessKind::Reduction: return "red";
    }
    return "ld";
}

AccessKind kindOf(std::string_view operation) {
    return operation == "ld"     ? AccessKind::Load
           : operation == "st"   ? AccessKind::Store
           : operation == "atom" ? AccessKind::Atomic
                                 : AccessKind::Reduction;
}

using Counters = std::map<std::string, u64>;

void addMemoryCounters(const std::vector<MachineCost>& costs, const Profile& profile, Counters& counters) {
    const auto add = [&](std::string_view prefix, std::string_view operation, u64 value) {
        counters[std::string(prefix) + std::string(operation)] += value;
    };
    constexpr std::string_view kRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_";
    constexpr std::string_view kSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_";
    constexpr std::string_view kTransactions =
        "model__transactions_global_op_";  // our own: ncu supports no device that counts them
    constexpr std::string_view kWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
    constexpr std::string_view kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_";
    for (std::string_view operation : {"ld", "st", "atom", "red"}) {
        add(kRequests, operation, 0);
        add(countsSectors(kindOf(operation), profile) ? kSectors : kTransactions, operation, 0);
    }
    for (std::string_view operation : {"ld", "st", "atom"})
        add(kWavefronts, operation, 0), add(kConflicts, operation, 0);

    for (const MachineCost& cost : costs) {
        const std::string_view operation = operationOf(cost.kind);
        if (cost.space == Space::Global) {
            add(kRequests, operation, cost.requests);
            add(countsSectors(cost.kind, profile) ? kSectors : kTransactions, operation, cost.sectors);
        } else if (cost.space == Space::Shared) {
            const std::string_view shared = isAtomic(cost.kind) ? "atom" : operation;
            add(kWavefronts, shared, cost.wavefronts);
            add(kConflicts, shared, cost.wavefronts - cost.idealWavefronts);
            add(kWavefronts, "ld", cost.loopLoads);
            add(kConflicts, "ld", cost.loopLoads - cost.idealLoopLoads);
        }
    }
}

void addInstructionCounters(const trace::Recording& recording, Counters& counters) {
    u64 &warps = counters["ptx__inst_executed"], &threads = counters["ptx__thread_inst_executed"],
        &splits = counters["ptx__branches_divergent"];
    for (const trace::GridCounts& counts : recording.counts) {
        warps += counts.warpInstructions;
        threads += counts.threadInstructions;
        for (const trace::PcCounts& pc : counts.perPc)
            splits += pc.divergent;
    }
}

// Only where there are any: what they request is not known.
void addImageCounters(const ptx::Module& module, const trace::Recording& recording, Counters& counters) {
    const auto add = [&](const char* counter, u64 executions) {
        if (executions) counters[counter] += executions;
    };
    for (const trace::GridCounts& counts : recording.counts)
        for (u32 pc = 0; pc < counts.perPc.size(); ++pc) {
            const std::string_view name = ptx::opcodeTable()[module.instructions[pc].opcode].name;
            if (name == "tex" || name == "tld4")
                add("ptx__inst_executed_op_texture", counts.perPc[pc].executions);
            else if (name == "suld" || name == "sust" || name == "sured")
                add("ptx__inst_executed_op_surface", counts.perPc[pc].executions);
        }
}

std::vector<LineReport> linesOf(const ptx::Module& module, const trace::Recording& recording,
                                const std::vector<SiteReport>& sites) {
    std::map<SourceLine, LineReport> lines;
    for (const trace::GridCounts& counts : recording.counts) {
        const std::vector<u64> came = arrivingLanes(module, counts.perPc);
        for (u32 pc = 0; pc < counts.perPc.size(); ++pc) {
            const trace::PcCounts& at = counts.perPc[pc];
            const SourceLine source = sourceLineOf(Pc{pc}, module);
            if (at.executions == 0 || source.line == 0) continue;
            LineReport& line = lines[source];
            line.executions += at.executions;
            line.activeLanes += lanesAtWork(module, counts.perPc, came, Pc{pc});
            line.divergent += at.divergent;
        }
    }
    for (const SiteReport& site : sites) {
        const SourceLine source = sourceLineOf(site.pc, module);
        if (source.line == 0) continue;
        LineReport& line = lines[source];
        line.sectors += site.sectors;
        line.wavefronts += site.wavefronts;
        line.idealWavefronts += site.idealWavefronts;
    }
    std::vector<LineReport> sorted;
    for (auto& [source, line] : lines) {
        line.file = module.files[source.file];
        line.line = source.line;
        sorted.push_back(std::move(line));
    }
    std::ranges::stable_sort(
        sorted, {}, [](const LineReport& line) { return std::pair(std::string_view(line.file), line.line); });
    return sorted;
}

// Of the recorded blocks. machineCode: null if the compiler is modeled.
MachineReport buildRecorded(const ptx::Module& module, const trace::Recording& recording,
                            const Profile& profile, std::optional<u32> registersPerThread,
                            const sass::MachineCode* machineCode) {
    MachineReport built;
    Report& report = built.report;
    report.profile = profile.name;
    const AccessCosting costing(module, profile);
    std::vector<MachineCost> costs;
    for (u32 launch = 0; launch < recording.counts.size(); ++launch) {
        const std::vector<trace::SiteCounts>& counts = recording.counts[launch].sites;
        const std::size_t before = costs.size();
        for (const trace::SiteCounts& site : counts) {
            costs.push_back(costOf(site, costing));
            report.sites.push_back(reportOf(site, costs.back(), LaunchId{launch}, module, profile));
        }
        const ptx::Function* entry =
            launch < recording.launches.size() ? module.findEntry(recording.launches[launch].entry) : nullptr;
        if (!entry || !compilerMerges(profile)) continue;
        const std::span<SiteReport> sites = std::span(report.sites).subspan(before);
        const SharedAccesses accesses = sharedAccesses(module, *entry, recording.launches[launch],
                                                       LaunchId{launch}, machineCode, sites, built);
        applyToSites(accesses, counts, profile, sites, std::span(costs).subspan(before));
    }
    addMemoryCounters(costs, profile, report.counters);
    addInstructionCounters(recording, report.counters);
    addImageCounters(module, recording, report.counters);
    report.lines = linesOf(module, recording, report.sites);
    report.branches = branchesOf(module, recording);
    if (machineCode) readBranches(module, *machineCode, report.branches, built.differences);
    std::ranges::sort(built.differences, {}, &MachineReport::Difference::at);
    if (!recording.launches.empty()) {
        const sass::Function* entry =
            machineCode ? machineCode->find(recording.launches.front().entry) : nullptr;
        if (!registersPerThread && entry) registersPerThread = entry->registers;
        report.occupancy = occupancyOf(module, recording.launches.front(), profile, registersPerThread);
    }
    return built;
}

// The counters are the grid's: of a sample they are extrapolated, or there are none.
MachineReport build(const ptx::Module& module, const trace::Recording& recording, const Profile& profile,
                    std::optional<u32> registersPerThread, const sass::MachineCode* machineCode) {
    MachineReport built = buildRecorded(module, recording, profile, registersPerThread, machineCode);
    if (!recording.sample) return built;
    built.report.counters.clear();
    if (const std::optional<trace::Recording> grid = wholeGrids(recording))
        built.report.counters =
            buildRecorded(module, *grid, profile, registersPerThread, machineCode).report.counters;
    return built;
}

}  // namespace

std::optional<trace::Recording> wholeGrids(const trace::Recording& recording) {
    if (!recording.sample || !recording.sample->isExtrapolated()) return std::nullopt;
    trace::Recording grid;
    grid.launches = recording.launches;
    grid.counts = recording.sample->grid;
    return grid;
}

Report makeReport(const ptx::Module& module, const trace::Recording& recording, const Profile& profile,
                  std::optional<u32> registersPerThread) {
    return build(module, recording, profile, registersPerThread, nullptr).report;
}

MachineReport machineReport(const ptx::Module& module, const trace::Recording& recording,
                            const Profile& profile, const sass::MachineCode& machineCode,
                            std::optional<u32> registersPerThread) {
    return build(module, recording, profile, registersPerThread, &machineCode);
}

}  // namespace lockstep::model
