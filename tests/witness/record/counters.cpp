#include "witness/record/counters.h"

#include <algorithm>

namespace lockstep::witness {
namespace {

using trace::AccessKind, trace::Space;

std::string operationOf(AccessKind kind) {
    return kind == AccessKind::Store       ? "st"
           : kind == AccessKind::Atomic    ? "atom"
           : kind == AccessKind::Reduction ? "red"
                                           : "ld";
}

// As many candidates as there were, each with one of these more.
void add(std::set<u64>& sums, const std::set<u64>& more) {
    std::set<u64> all;
    for (const u64 sum : sums)
        for (const u64 one : more)
            all.insert(sum + one);
    sums = std::move(all);
}

// Every lane that takes part has the same address, whatever the pattern.
bool isUniform(const trace::SiteCounts& site) {
    for (const trace::Pattern& pattern : site.patterns)
        for (const Lane lane : pattern.active)
            if (pattern.deltaBytes[lane.value] != pattern.deltaBytes[pattern.active.lowest().value])
                return false;
    return true;
}

// An atomic on shared memory that the machine makes of loads, and of comparing and swapping.
struct Atomic {
    u64 wavefronts = 0, least = 0, loads = 0, leastLoads = 0;
};
Atomic atomicCost(trace::WarpAccess access, Capability cc, std::string_view text) {
    const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    const SharedCost cost = sharedCost(access, cc, text);
    const bool exchanges = has(".exch") || has(".cas");
    if (exchanges || !(has(".f") || has("64"))) {
        const u64 each = has(".cas") ? 2 : 1;  // a profiler counts as conflicts the lanes that wait
        return {each * cost.wavefronts, each * cost.wavefronts - (cost.wavefronts - cost.least), 0, 0};
    }
    Atomic sum;
    const u64 unit = std::max<u64>(access.widthBytes, 4), banks = 128 / unit;
    while (!access.active.empty()) {
        access.kind = AccessKind::Load;
        const SharedCost load = sharedCost(access, cc, text);
        access.kind = AccessKind::Atomic;
        const std::vector<LaneMask> groups = sharedGroups(access, cc);
        sum.loads += load.wavefronts, sum.leastLoads += load.least, sum.wavefronts += 2 * groups.size();
        std::set<u64> changed;
        LaneMask done{};
        for (const LaneMask group : groups) {
            std::set<u64> busy, now;
            for (const Lane lane : group) {
                const u64 word = access.addresses[lane.value] / unit;
                if (!busy.insert(word % banks).second || changed.contains(word)) continue;
                now.insert(word), done = done | LaneMask::of(lane);
            }
            changed.merge(now);
        }
        access.active = access.active & ~done;
    }
    sum.least = sum.wavefronts;
    return sum;
}

// The report's sites say what the compiler made of the shared accesses; the cost is computed.
void addShared(const RunFacts& facts, Amounts& amounts) {
    const run::Run& run = facts.run();
    std::map<std::string, u64> sums;
    for (std::size_t launch = 0; launch < run.recording.counts.size(); ++launch)
        for (const trace::SiteCounts& site : run.recording.counts[launch].sites) {
            if (site.space != Space::Shared || site.kind == AccessKind::AsyncCopy) continue;
            const auto told = std::ranges::find_if(run.report.sites, [&](const model::SiteReport& one) {
                return one.launch.value == launch && one.pc == site.pc && one.space == Space::Shared;
            });
            const bool known = told != run.report.sites.end();
            if (known && (told->removed || (told->merged && told->merged->first != site.pc))) continue;
            const std::string_view text = run.module->textOf(site.pc);
            const std::string operation = operationOf(site.kind);
            // The lowest of the members begins where the merged access does.
            const trace::SiteCounts* begin = &site;
            if (known && told->merged)
                for (const trace::SiteCounts& member : run.recording.counts[launch].sites)
                    if (member.pc == told->merged->members.front() && member.space == Space::Shared)
                        begin = &member;
            for (const trace::Pattern& pattern : begin->patterns) {
                trace::WarpAccess access = accessOf(*begin, pattern);
                if (access.active.empty()) continue;
                if (known && told->merged) access.widthBytes = told->merged->widthBytes;
                if (operation == "ld" || operation == "st") {
                    const SharedCost cost = sharedCost(access, facts.capability(), text);
                    sums["wavefronts_" + operation] += pattern.times * cost.wavefronts;
                    sums["conflicts_" + operation] += pattern.times * (cost.wavefronts - cost.least);
                } else {
                    const Atomic cost = atomicCost(access, facts.capability(), text);
                    sums["wavefronts_atom"] += pattern.times * cost.wavefronts;
                    sums["conflicts_atom"] += pattern.times * (cost.wavefronts - cost.least);
                    sums["wavefronts_ld"] += pattern.times * cost.loads;
                    sums["conflicts_ld"] += pattern.times * (cost.loads - cost.leastLoads);
                }
            }
        }
    for (const char* operation : {"ld", "st", "atom"}) {
        amounts[std::string("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_") + operation] = {
            sums[std::string("wavefronts_") + operation]};
        amounts[std::string("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_") + operation] = {
            sums[std::string("conflicts_") + operation]};
    }
}

}  // namespace

Amounts amountsOf(const RunFacts& facts) {
    const run::Run& run = facts.run();
    const Capability device = facts.capability();
    Amounts amounts;
    const std::string requests = "l1tex__t_requests_pipe_lsu_mem_global_op_";
    const auto items = [&](AccessKind kind) {
        const bool isOld = device.major == 1 || (device.major == 2 && kind == AccessKind::Load);
        return (isOld ? "model__transactions_global_op_" : "l1tex__t_sectors_pipe_lsu_mem_global_op_") +
               operationOf(kind);
    };
    for (const AccessKind kind :
         {AccessKind::Load, AccessKind::Store, AccessKind::Atomic, AccessKind::Reduction})
        amounts[requests + operationOf(kind)] = {0}, amounts[items(kind)] = {0};
    for (const trace::GridCounts& counts : run.recording.counts)
        for (const trace::SiteCounts& site : counts.sites) {
            if (site.space != Space::Global) continue;
            const AccessKind kind = site.kind == AccessKind::AsyncCopy ? AccessKind::Load : site.kind;
            const bool isAtomic = kind == AccessKind::Atomic || kind == AccessKind::Reduction;
            u64 asked = 0, moved = 0, executed = 0;
            for (const trace::Pattern& pattern : site.patterns) {
                const GlobalCost cost = globalCost(accessOf(site, pattern), device);
                asked += cost.requests * pattern.times, moved += cost.items * pattern.times;
                executed += pattern.active.empty() ? 0 : pattern.times;
            }
            // One lane may go for all, where they certainly go to one place: the compiler knows.
            const bool mayBeOne = isAtomic && device.major >= 8 && isUniform(site);
            add(amounts[requests + operationOf(kind)], {asked});
            add(amounts[items(kind)], mayBeOne ? std::set{moved, executed} : std::set{moved});
        }
    addShared(facts, amounts);
    amounts["ptx__inst_executed"] = {facts.total().executions};
    amounts["ptx__thread_inst_executed"] = {facts.total().activeLanes};
    amounts["ptx__branches_divergent"] = {facts.total().divergent};
    if (const auto& caches = run.caches) {
        amounts["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit"] = {caches->loadHits};
        amounts["l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit"] = {caches->storeHits};
        amounts["lts__t_sectors_srcunit_tex_op_read"] = {caches->l2Reads};
        amounts["lts__t_sectors_srcunit_tex_op_read_lookup_hit"] = {caches->l2ReadHits};
        amounts["lts__t_sectors_srcunit_tex_op_read_lookup_miss"] = {caches->l2ReadMisses};
        amounts["lts__t_sectors_srcunit_tex_op_write"] = {caches->l2Writes};
        amounts["dram__sectors_read"] = {caches->dramReads};
        amounts["dram__sectors_write"] = {caches->dramWrites};
    }
    return amounts;
}

}  // namespace lockstep::witness
