#include "run/machine/known_differences.h"

#include "model/access/shared_atomics.h"
#include "ptx/analysis/register_uses.h"
#include "run/data_dependence.h"
#include "run/machine/uneven_loops.h"
#include "trace/sector_size.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace lockstep::run {
namespace {

constexpr std::array kGlobalLoads{"l1tex__t_requests_pipe_lsu_mem_global_op_ld",
                                  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                                  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit"};
constexpr std::array kGlobalLoadsAndStores{
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit", "l1tex__t_requests_pipe_lsu_mem_global_op_st",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st"};
using Direction = KnownDifference::Direction;

constexpr std::array kGlobalSectors{
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom", "l1tex__t_sectors_pipe_lsu_mem_global_op_red"};
constexpr std::array kLoopsOfAtomics{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
                                     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom"};
constexpr std::array kGlobalOfLanes{
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld", "l1tex__t_requests_pipe_lsu_mem_global_op_st",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "l1tex__t_sectors_pipe_lsu_mem_global_op_st"};
constexpr std::array kHits{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit"};
constexpr std::array kL2Writes{"lts__t_sectors_srcunit_tex_op_write"};

std::string_view opcodeAt(const ptx::Module& module, Pc pc) {
    return ptx::opcodeTable()[module.at(pc).opcode].name;
}
std::string_view nameOfKind(trace::AccessKind kind) {
    switch (kind) {
        case trace::AccessKind::Load: return "ld";
        case trace::AccessKind::Store: return "st";
        case trace::AccessKind::Atomic: return "atom";
        case trace::AccessKind::Reduction: return "red";
        default: return "none";
    }
}
bool isGlobalLoad(const ptx::Module& module, Pc pc) {
    return opcodeAt(module, pc) == "ld" && module.at(pc).modifiers.space == ptx::StateSpace::Global;
}

bool isGlobalStore(const ptx::Module& module, Pc pc) {
    return opcodeAt(module, pc) == "st" && module.at(pc).modifiers.space == ptx::StateSpace::Global;
}

// A loop that lanes of one warp left at different iterations, with a global load, or store, in it.
bool hasUnevenLoop(const Run& run, std::string_view metric, f64, f64) {
    const auto isCounted = metric.ends_with("_op_st") ? &isGlobalStore : &isGlobalLoad;
    const std::vector<bool> within = inUnevenLoops(run);
    for (u32 pc = 0; pc < within.size(); ++pc)
        if (within[pc] && isCounted(*run.module, Pc{pc})) return true;
    return false;
}

bool writesRegister(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id) {
    bool writes = false;
    ptx::forEachWritten(module, instruction, [&](ptx::RegisterId written) { writes |= written == id; });
    return writes;
}

// Two loads of one thread from one address, without a store by that thread in between.
bool readsTwice(const Run& run, std::string_view, f64, f64) {
    const ptx::Module& module = *run.module;
    const u32 count = u32(module.instructions.size());
    for (u32 first = 0; first < count; ++first) {
        if (!isGlobalLoad(module, Pc{first})) continue;
        const auto* address = std::get_if<ptx::AddressOperand>(&module.operandsOf(module.at(Pc{first}))[1]);
        const auto* base = address ? std::get_if<ptx::RegisterId>(&address->base) : nullptr;
        if (!base) continue;
        for (u32 pc = first; pc < count && module.functionOf(Pc{pc}) == module.functionOf(Pc{first}); ++pc) {
            const ptx::Instruction& instruction = module.at(Pc{pc});
            if (pc > first && isGlobalLoad(module, Pc{pc})) {
                const auto* again = std::get_if<ptx::AddressOperand>(&module.operandsOf(instruction)[1]);
                const auto* same = again ? std::get_if<ptx::RegisterId>(&again->base) : nullptr;
                if (same && *same == *base && again->offsetBytes == address->offsetBytes &&
                    instruction.form == module.at(Pc{first}).form)
                    return true;
            }
            const std::string_view opcode = opcodeAt(module, Pc{pc});
            const bool stores = (opcode == "st" || opcode == "atom" || opcode == "red") &&
                                instruction.modifiers.space != ptx::StateSpace::Shared;
            if (stores || writesRegister(module, instruction, *base)) break;
        }
    }
    return false;
}

// This many hits of the loads may depend on timing.
constexpr f64 kHitsByChance = 0.05;

bool isFewOfTheLoads(const Run& run, std::string_view, f64 model, f64 measured) {
    return run.caches && std::abs(model - measured) <= kHitsByChance * f64(run.caches->loads);
}

bool isAsLargeAsL1(const Run& run, std::string_view, f64, f64) {
    u64 largest = 0;
    for (const Buffer& buffer : run.recording.initial)
        largest = std::max<u64>(largest, buffer.bytes.size());
    return run.caches && f64(largest) > 0.75 * f64(run.caches->l1Bytes) &&
           f64(largest) < 1.25 * f64(run.caches->l1Bytes);
}

// At least the sectors whose bytes have changed, at most every sector of every store.
bool isBetweenChangedAndStored(const Run& run, std::string_view, f64, f64 measured) {
    u64 changed = 0;
    for (std::size_t i = 0; i < run.recording.initial.size(); ++i) {
        const std::vector<std::byte>&before = run.recording.initial[i].bytes,
              &after = run.recording.final[i].bytes;
        for (u64 at = 0; at < before.size(); at += trace::kSectorBytes)
            changed += std::memcmp(before.data() + at, after.data() + at,
                                   std::min<u64>(trace::kSectorBytes, before.size() - at)) != 0;
    }
    return run.caches && measured >= f64(changed) && measured <= f64(run.caches->l2WritesMost);
}

// For accesses whose addresses depend on the results of atomics: at least one sector per warp's access, at
// most one per lane; all others cost what the model says.
bool isAddressedByOrder(const Run& run, std::string_view metric, f64 model, f64 measured) {
    const std::vector<u32> ordered =
        dataDependenceOf(*run.module, run.recording.launches, run.recording.initial.size()).orderedAddresses;
    f64 least = model, most = model;
    for (const model::SiteReport& site : run.report.sites) {
        if (site.space != trace::Space::Global ||
            !metric.ends_with("op_" + std::string(nameOfKind(site.kind))) ||
            !std::ranges::binary_search(ordered, site.pc.value))
            continue;
        least += f64(site.executions) - f64(site.sectors);
        most += f64(site.activeLanes) - f64(site.sectors);
    }
    return measured >= least && measured <= most;
}

// A loop of load, compute, compare and swap on a word of shared memory that another warp of the block
// changes, too: a swap fails whenever another warp was first, and the warp retries. Each iteration of a warp
// can make every other warp lose one.
bool hasLoopsOfSeveralWarps(const Run& run, std::string_view, f64 model, f64 measured) {
    const ptx::Module& module = *run.module;
    u64 warps = 0;
    for (const trace::FocusBlock& block : run.recording.trace.blocks) {
        std::map<std::tuple<u32, u32, u64>, std::size_t>
            warpOf;  // phase, pc, address -> the warp that accessed it
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
            const trace::WarpTrace& trace = block.warps[warp];
            for (u32 step = 0; step < trace.steps.size(); ++step) {
                const u32 at = trace.steps[step].access;
                if (at == trace::Step::kNone) continue;
                const trace::StoredAccess& access = trace.accesses[at];
                const bool isAtomic =
                    access.kind == trace::AccessKind::Atomic || access.kind == trace::AccessKind::Reduction;
                if (access.space != trace::Space::Shared || !isAtomic) continue;
                const ptx::Instruction& instruction = module.at(access.pc);
                if (model::sharedAtomicForm(instruction, module.operandsOf(instruction), access.kind) !=
                    model::SharedAtomicForm::Loop)
                    continue;
                for (const Lane lane : access.active) {
                    const auto [found, isFirst] = warpOf.try_emplace(
                        {trace.phaseOf(step), access.pc.value, trace.address(access, lane)}, warp);
                    if (!isFirst && found->second != warp) warps = std::max<u64>(warps, block.warps.size());
                }
            }
        }
    }
    return measured <= f64(warps) * model;
}

// Lanes that diverged in a function return from it one group after the other, and need not reconverge there.
bool comesBackInGroups(const Run& run, std::string_view metric, f64 model, f64 measured) {
    const ptx::Module& module = *run.module;
    bool partsInAFunction = false;
    for (const trace::GridCounts& counts : run.recording.counts)
        for (u32 pc = 0; pc < counts.perPc.size(); ++pc)
            partsInAFunction |=
                counts.perPc[pc].divergent > 0 && !module.functions[module.functionOf(Pc{pc}).value].isEntry;
    f64 most = model;
    for (const model::SiteReport& site : run.report.sites)
        if (site.space == trace::Space::Global &&
            metric.ends_with("op_" + std::string(nameOfKind(site.kind))))
            most += f64(site.activeLanes) -
                    f64(metric.starts_with("l1tex__t_sectors") ? site.sectors : site.requests);
    return partsInAFunction && measured <= most;
}

// Callee-saved registers and return addresses are spilled to the thread's stack in local memory.
bool callsFunctions(const Run& run, std::string_view, f64, f64) {
    for (const trace::GridCounts& counts : run.recording.counts)
        for (u32 pc = 0; pc < counts.perPc.size(); ++pc)
            if (counts.perPc[pc].executions && opcodeAt(*run.module, Pc{pc}) == "call") return true;
    return false;
}

}  // namespace

std::span<const KnownDifference> knownDifferences() {
    static const std::array table{
        KnownDifference{"uneven_loop", kGlobalLoadsAndStores, Direction::More, &hasUnevenLoop,
                        english("ptxas unrolls the loop once more than the PTX does: lanes that stay in it "
                                "for different times go through different copies of one load or store, and "
                                "each copy is a request of its own")},
        KnownDifference{"read_twice", kGlobalLoads, Direction::Less, &readsTwice,
                        english("ptxas reads once what the PTX reads twice from one address without a store "
                                "of the thread's own in between")},
        KnownDifference{"shared_by_chance", kHits, Direction::Either, &isFewOfTheLoads,
                        english("which blocks share an SM, and so find what another has loaded, "
                                "changes from launch to launch: a few per cent of the loads")},
        KnownDifference{"as_large_as_l1", kHits, Direction::Either, &isAsLargeAsL1,
                        english("a buffer about as large as L1: which lines stay is not documented, and two "
                                "measurements of the same differ by half")},
        KnownDifference{"addressed_by_order", kGlobalSectors, Direction::Either, &isAddressedByOrder,
                        english("the results of atomic operations decide where the kernel stores or loads: "
                                "which lanes meet in a sector depends on who comes first")},
        KnownDifference{
            "contended_loop", kLoopsOfAtomics, Direction::More, &hasLoopsOfSeveralWarps,
            english("an atomic operation that shared memory has no adder for is a loop of load, compare and "
                    "swap: several warps change the same words, and the later ones repeat the loop")},
        KnownDifference{"groups_of_calls", kGlobalOfLanes, Direction::More, &comesBackInGroups,
                        english("lanes that diverged in a function return from its call group by group, "
                                "where the emulator has them wait for each other")},
        KnownDifference{"stack", kL2Writes, Direction::More, &callsFunctions,
                        english("functions that are called keep registers and return addresses on the "
                                "thread's stack, in local memory, which the model does not have")},
        KnownDifference{"waiting_stores", kL2Writes, Direction::Either, &isBetweenChangedAndStored,
                        english("how many stores go on to L2 together depends on when they come: at least "
                                "every sector that changed, at most every store")},
    };
    return table;
}

const KnownDifference* explain(const Run& run, std::string_view metric, f64 model, f64 measured) {
    for (const KnownDifference& difference : knownDifferences())
        if (std::ranges::find(difference.metrics, metric) != difference.metrics.end() &&
            difference.hardwareCounts != (measured > model ? Direction::Less : Direction::More) &&
            difference.isAtWork(run, metric, model, measured))
            return &difference;
    return nullptr;
}

}  // namespace lockstep::run
