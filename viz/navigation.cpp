// Finds steps in a run.
#include "viz/navigation.h"

#include "model/access_kind.h"
#include "model/finding_groups.h"
#include "model/global_sectors.h"
#include "viz/branches.h"
#include "viz/finding_places.h"
#include "viz/lookup.h"
#include "viz/shared_cost.h"
#include "viz/stage/matmul_facts.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

namespace lockstep::viz {
namespace {

using trace::AccessKind, trace::Space, trace::StoredAccess, trace::WarpTrace;

const StoredAccess* accessAt(const WarpTrace& warp, u32 step) {
    const u32 at = warp.steps[step].access;
    return at == trace::Step::kNone ? nullptr : &warp.accesses[at];
}

bool isConflict(const run::Run& run, const WarpTrace& warp, u32 step, const model::Profile& profile) {
    const StoredAccess* access = accessAt(warp, step);
    if (!access || access->space != Space::Shared || access->active.empty()) return false;
    const SharedCost cost = sharedCost(warp.unpack(*access), *run.module, profile);
    return cost.wavefronts > cost.ideal;
}

// Whether a stride that looks for something stops at a step.
std::function<bool(u32)> stopsAt(const run::Run& run, const model::Profile& profile, const WarpTrace& warp,
                                 u32 from, Stride stride) {
    const SourceLine line = lineOf(*run.module, warp.steps[from].pc);
    switch (stride) {
        case Stride::Line:
            return [&run, &warp, line](u32 s) {
                const SourceLine at = lineOf(*run.module, warp.steps[s].pc);
                return at.line != 0 && at != line;
            };
        case Stride::SameLine:
            return [&run, &warp, line](u32 s) {
                return accessAt(warp, s) && lineOf(*run.module, warp.steps[s].pc) == line;
            };
        case Stride::Divergence:
            return [&run, &warp](u32 s) { return divergenceAt(*run.module, warp, s).has_value(); };
        case Stride::Event:
            return [&run, &warp](u32 s) {
                return accessAt(warp, s) || std::ranges::binary_search(warp.barrierSteps, s) ||
                       divergenceAt(*run.module, warp, s).has_value();
            };
        case Stride::Conflict:
            return [&run, &profile, &warp](u32 s) { return isConflict(run, warp, s, profile); };
        default: return [](u32) { return true; };
    }
}

Cursor atStep(Cursor cursor, u32 step) {
    cursor.step = step;
    return cursor;
}

// Where findings lead, in their order, each place once.
std::vector<Cursor> placesOfFindings(const run::Run& run) {
    std::vector<Cursor> places;
    FindingPlaces finder(run);
    for (const trace::Finding& finding : run.recording.findings)
        if (const auto place = finder.of(finding); place && std::ranges::find(places, *place) == places.end())
            places.push_back(*place);
    return places;
}

std::optional<Cursor> otherFinding(const run::Run& run, const Cursor& cursor, int by) {
    const std::vector<Cursor> places = placesOfFindings(run);
    const auto here = std::ranges::find(places, cursor);
    if (places.empty()) return std::nullopt;
    if (here == places.end()) return by > 0 ? places.front() : places.back();
    const auto at = here - places.begin() + by;
    return at < 0 || at >= std::ptrdiff_t(places.size()) ? std::nullopt
                                                         : std::optional(places[std::size_t(at)]);
}

// The step of `to` at the moment that `from` shows.
u32 sameMoment(const WarpTrace& from, u32 step, const WarpTrace& to) {
    if (to.steps.empty() || step >= from.steps.size()) return 0;
    const u32 phase = from.phaseOf(step);
    const Pc pc = from.steps[step].pc;
    // The same instruction in the same phase, met equally often.
    u32 before = 0;
    for (u32 s = 0; s < step; ++s)
        before += from.steps[s].pc == pc && from.phaseOf(s) == phase;
    std::optional<u32> last;
    for (u32 s = 0; s < to.steps.size(); ++s)
        if (to.steps[s].pc == pc && to.phaseOf(s) == phase) {
            last = s;
            if (before-- == 0) return s;
        }
    if (last) return *last;
    return std::min(step, u32(to.steps.size()) - 1);
}

}  // namespace

LaneMask pathAt(const ptx::Module& module, const WarpTrace& warp, u32 step) {
    const auto isGuarded = [&](u32 s) {
        const Pc pc = warp.steps[s].pc;
        return pc.value >= module.instructions.size() || module.at(pc).guard.present;
    };
    LaneMask path;
    for (u32 s = step; s < warp.steps.size(); ++s) {
        path = path | warp.steps[s].active;
        if (!isGuarded(s)) return path;
        if (s + 1 < warp.steps.size() && warp.steps[s + 1].pc.value != warp.steps[s].pc.value + 1) break;
    }
    // Those that went on are not next: all have jumped, or a GPU issued the other side first.
    for (u32 s = step; s > 0 && warp.steps[s - 1].pc.value + 1 == warp.steps[s].pc.value; --s)
        if (!isGuarded(s - 1)) return path | warp.steps[s - 1].active;
    return path;
}

std::optional<Divergence> divergenceAt(const ptx::Module& module, const WarpTrace& warp, u32 step) {
    const Pc pc = warp.steps[step].pc;
    if (!isConditionalBranch(module, pc)) return std::nullopt;
    const LaneMask taken = warp.steps[step].active, path = pathAt(module, warp, step);
    if (taken.empty() || (taken & path) == path) return std::nullopt;
    return Divergence{taken, path};
}

std::optional<Cursor> forward(const run::Run& run, const model::Profile& profile, const Cursor& cursor,
                              Stride stride) {
    if (stride == Stride::Finding) return otherFinding(run, cursor, 1);
    const Here here = lookUp(run, cursor);
    if (!here.step) return std::nullopt;
    if (stride == Stride::Phase) {
        const u32 phase = here.warp->phaseOf(cursor.step);
        if (phase >= here.warp->barrierSteps.size() ||
            here.warp->barrierSteps[phase] + 1 >= here.warp->steps.size())
            return std::nullopt;
        return atStep(cursor, here.warp->barrierSteps[phase] + 1);
    }
    const auto stops = stopsAt(run, profile, *here.warp, cursor.step, stride);
    for (u32 s = cursor.step + 1; s < here.warp->steps.size(); ++s)
        if (stops(s)) return atStep(cursor, s);
    return std::nullopt;
}

std::optional<Cursor> back(const run::Run& run, const model::Profile& profile, const Cursor& cursor,
                           Stride stride) {
    if (stride == Stride::Finding) return otherFinding(run, cursor, -1);
    const Here here = lookUp(run, cursor);
    if (!here.step || cursor.step == 0) return std::nullopt;
    if (stride == Stride::Phase) {
        const u32 phase = here.warp->phaseOf(cursor.step - 1);
        return atStep(cursor, phase == 0 ? 0 : here.warp->barrierSteps[phase - 1] + 1);
    }
    const auto stops = stopsAt(run, profile, *here.warp, cursor.step, stride);
    for (u32 s = cursor.step; s-- > 0;) {
        if (!stops(s)) continue;
        if (stride == Stride::Line) {
            const SourceLine line = lineOf(*run.module, here.warp->steps[s].pc);
            while (s > 0 && lineOf(*run.module, here.warp->steps[s - 1].pc) == line)
                --s;
        }
        return atStep(cursor, s);
    }
    return std::nullopt;
}

Cursor toStart(const run::Run&, Cursor cursor) { return atStep(cursor, 0); }

Cursor toEnd(const run::Run& run, Cursor cursor) {
    const Here here = lookUp(run, cursor);
    return here.warp && !here.warp->steps.empty() ? atStep(cursor, u32(here.warp->steps.size()) - 1) : cursor;
}

std::optional<Cursor> otherWarp(const run::Run& run, const Cursor& cursor, int by) {
    const Here here = lookUp(run, cursor);
    const s64 warp = s64(cursor.warp.value) + by;
    if (!here.block || !here.warp || warp < 0 || warp >= s64(here.block->warps.size())) return std::nullopt;
    Cursor there = cursor;
    there.warp = Warp{u32(warp)};
    there.step = sameMoment(*here.warp, cursor.step, here.block->warps[std::size_t(warp)]);
    return clamped(run, there);
}

std::optional<Cursor> otherBlock(const run::Run& run, const Cursor& cursor, int by) {
    const auto& blocks = run.recording.trace.blocks;
    const Here here = lookUp(run, cursor);
    if (!here.block) return std::nullopt;
    const s64 at = here.block - blocks.data() + by;
    if (at < 0 || at >= s64(blocks.size())) return std::nullopt;
    const trace::FocusBlock& block = blocks[std::size_t(at)];
    Cursor there = cursor;
    there.launch = block.launch;
    there.block = block.block;
    there.warp = Warp{std::min(cursor.warp.value, block.warps.empty() ? 0 : u32(block.warps.size()) - 1)};
    if (here.warp && !block.warps.empty() && block.launch == cursor.launch)
        there.step = sameMoment(*here.warp, cursor.step, block.warps[there.warp.value]);
    return clamped(run, there);
}

Cursor clamped(const run::Run& run, Cursor cursor) {
    const auto& blocks = run.recording.trace.blocks;
    if (blocks.empty()) return {};
    const trace::FocusBlock* block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!block) {
        block = &blocks.front();
        cursor = {.launch = block->launch, .block = block->block, .warp = {}, .lane = {}, .step = 0};
    }
    if (block->warps.empty()) return cursor;
    cursor.warp = Warp{std::min(cursor.warp.value, u32(block->warps.size()) - 1)};
    cursor.lane = Lane{std::min(cursor.lane.value, std::max(1u, lanesOf(*block, cursor.warp)) - 1)};
    const std::size_t steps = block->warps[cursor.warp.value].steps.size();
    cursor.step = steps == 0 ? 0 : std::min(cursor.step, u32(steps) - 1);
    return cursor;
}

namespace {

bool hasStage(const run::Run& run, std::string_view stage) {
    return run.catalog && run.catalog->family && run.catalog->family->stage == stage;
}

// The block's steps that touch shared memory, in the order in which they happened.
std::vector<std::pair<Warp, u32>> sharedSteps(const trace::FocusBlock& block) {
    std::vector<std::pair<Warp, u32>> steps;
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 s = 0; s < block.warps[w].steps.size(); ++s)
            if (const StoredAccess* access = accessAt(block.warps[w], s);
                access && access->space == Space::Shared)
                steps.emplace_back(Warp{w}, s);
    std::ranges::sort(steps, {},
                      [&](const auto& at) { return block.warps[at.first.value].steps[at.second].order; });
    return steps;
}

// The first word that a thread takes from another: what is put there before shows nothing yet.
std::optional<Cursor> firstExchange(const trace::FocusBlock& block) {
    constexpr std::size_t kMost = 4096;  // steps: where there is none in so many, the kernel is not about it
    std::unordered_map<u64, u32> writers;  // by address: the thread that wrote it last
    std::vector<std::pair<Warp, u32>> steps = sharedSteps(block);
    steps.resize(std::min(steps.size(), kMost));
    for (const auto& [w, s] : steps) {
        const WarpTrace& warp = block.warps[w.value];
        const StoredAccess& access = *accessAt(warp, s);
        for (const Lane lane : access.active) {
            const u64 address = warp.address(access, lane);
            const u32 thread = w.value * kWarpSize + lane.value;
            const auto writer = writers.find(address);
            if (access.kind == AccessKind::Load && warp.phaseOf(s) > 0 && writer != writers.end() &&
                writer->second != thread)
                return Cursor{
                    .launch = block.launch, .block = block.block, .warp = w, .lane = lane, .step = s};
            if (trace::writes(access.kind)) writers[address] = thread;
        }
    }
    return std::nullopt;
}
std::optional<Cursor> firstExchange(const run::Run& run) {
    for (const trace::FocusBlock& block : run.recording.trace.blocks)
        if (const auto found = firstExchange(block)) return found;
    return std::nullopt;
}

// In the first warp that is recorded, where it loses something.
std::optional<Cursor> firstConflict(const run::Run& run) {
    const Cursor worst = worstBankConflict(run, clamped(run, {}));
    const Here there = lookUp(run, worst);
    if (!there.access || !isConflict(run, *there.warp, worst.step, run.profile)) return std::nullopt;
    Cursor cursor = worst;
    if (!there.access->active.has(cursor.lane)) cursor.lane = there.access->active.lowest();
    return cursor;
}

// The same step, on the lowest lane that takes part in it where its own does not.
Cursor onActiveLane(const run::Run& run, Cursor cursor) {
    const Here here = lookUp(run, cursor);
    if (here.access && !here.access->active.empty() && !here.access->active.has(cursor.lane))
        cursor.lane = here.access->active.lowest();
    return cursor;
}

// Where the first warp that is recorded first updates shared memory with atomics.
std::optional<Cursor> firstSharedAtomic(const run::Run& run) {
    const Cursor begin = clamped(run, {});
    const Here here = lookUp(run, begin);
    for (u32 s = 0; here.warp && s < here.warp->steps.size(); ++s)
        if (const StoredAccess* access = accessAt(*here.warp, s); access && access->space == Space::Shared &&
                                                                  model::isAtomic(access->kind) &&
                                                                  !access->active.empty())
            return atStep(begin, s);
    return std::nullopt;
}

// Of the first warp's accesses to shared memory behind a barrier, where what other threads left may be read,
// the first that most lanes make.
std::optional<Cursor> firstSharedBehindBarrier(const run::Run& run) {
    const Cursor begin = clamped(run, {});
    const Here here = lookUp(run, begin);
    std::optional<Cursor> found;
    int most = 0;
    for (u32 s = 0; here.warp && s < here.warp->steps.size(); ++s) {
        const StoredAccess* access = accessAt(*here.warp, s);
        if (access && access->space == Space::Shared && here.warp->phaseOf(s) > 0 &&
            access->active.count() > most)
            most = access->active.count(), found = atStep(begin, s);
    }
    return found;
}

// The access of the first block to global memory that moves most sectors, or makes most transactions, beyond
// those that its bytes fill; the first of them.
std::optional<Cursor> worstRequest(const run::Run& run) {
    constexpr u32 kMost = 4096;  // accesses looked at
    const auto& blocks = run.recording.trace.blocks;
    std::optional<Cursor> found;
    s64 most = -1;
    u32 seen = 0;
    for (u32 w = 0; !blocks.empty() && w < blocks.front().warps.size(); ++w) {
        const WarpTrace& warp = blocks.front().warps[w];
        for (u32 s = 0; s < warp.steps.size() && seen < kMost; ++s) {
            const StoredAccess* stored = accessAt(warp, s);
            if (!stored || stored->space != Space::Global || stored->active.empty()) continue;
            ++seen;
            const trace::WarpAccess access = warp.unpack(*stored);
            std::set<u64> bytes;  // an address is used once, however many lanes ask for it
            for (const Lane lane : access.active)
                bytes.insert(access.addresses[lane.value]);
            const model::GlobalCost cost = model::globalCost(access, run.profile);
            const s64 items = cost.countsSectors ? cost.sectors : cost.transactions,
                      needed = s64((bytes.size() * access.widthBytes + model::kSectorBytes - 1) /
                                   model::kSectorBytes);
            if (const s64 lost = std::max<s64>(0, items - needed); lost > most)
                most = lost, found = Cursor{.launch = blocks.front().launch,
                                            .block = blocks.front().block,
                                            .warp = Warp{w},
                                            .lane = {},
                                            .step = s};
        }
    }
    return found;
}

// Whether the stage draws a thread that loads nothing, with the cell which it would load and the zero that it
// stores instead.
bool drawsGhosts(const run::Run& run, const Cursor& cursor) {
    if (!hasStage(run, "matmul")) return false;
    const std::optional<MatmulBlock> block = matmulBlock(run, cursor);
    const std::optional<MatmulFacts> facts = block ? matmulFacts(run, cursor, *block) : std::nullopt;
    return facts && facts->textbook && facts->tiled();
}

// The first load from global memory that leaves lanes out, in the last block that has one: the corner of the
// grid, where both coordinates reach past the edge. Else the first load.
std::optional<Cursor> firstLoad(const run::Run& run) {
    std::optional<Cursor> first, partial;
    Lane without;
    for (const trace::FocusBlock& block : run.recording.trace.blocks)
        for (u32 w = 0; w < block.warps.size(); ++w) {
            const WarpTrace& warp = block.warps[w];
            const LaneMask exist = LaneMask::firstLanes(lanesOf(block, Warp{w}));
            for (u32 s = 0; s < warp.steps.size(); ++s) {
                const StoredAccess* access = accessAt(warp, s);
                if (!access || access->space != Space::Global || access->kind != AccessKind::Load) continue;
                Cursor here{
                    .launch = block.launch, .block = block.block, .warp = Warp{w}, .lane = {}, .step = s};
                if (!first) first = here;
                const LaneMask off = exist & ~access->active;
                if (off.empty() || access->active.empty() || (partial && partial->block == block.block))
                    continue;
                partial = here;
                without = off.lowest();
            }
        }
    if (partial && drawsGhosts(run, *partial))
        partial->lane = without;  // a tile's ghosts are what its stage is about
    else if (partial)
        *partial = onActiveLane(run, *partial);
    return partial ? partial : first;
}

std::optional<Cursor> firstMistake(const run::Run& run) {
    FindingPlaces places(run);
    for (const trace::Finding& finding : run.recording.findings)
        if (const auto place =
                trace::isRemark(finding.kind) || model::isStop(finding) ? std::nullopt : places.of(finding))
            return place;
    return std::nullopt;
}

}  // namespace

Cursor initialCursor(const run::Run& run) {
    if (const auto mistake = firstMistake(run)) return *mistake;
    const std::optional<Cursor> load = firstLoad(run);
    if (load && drawsGhosts(run, *load)) return *load;
    // A kernel without a stage of its own, a scan, or a matrix product that is no textbook's, is not about
    // its loads where shared memory costs it more than it must, or passes words on.
    const bool isGeneric = hasStage(run, "generic") || hasStage(run, "scan"),
               isProduct = hasStage(run, "matmul");
    const std::optional<Cursor> exchange =
        isGeneric || hasStage(run, "reduction") || hasStage(run, "divergence") ? firstExchange(run)
                                                                               : std::nullopt;
    const std::optional<Cursor> conflict = isGeneric || isProduct ? firstConflict(run) : std::nullopt;
    const std::optional<Cursor> atomic = isGeneric ? firstSharedAtomic(run) : std::nullopt;
    std::optional<Cursor> chosen;
    if (conflict && (!exchange || phaseOf(run, *conflict) > 0))
        chosen = conflict;  // before the first barrier there is less to see
    else if (atomic)
        chosen = atomic;
    else if (exchange)
        chosen = exchange;
    else if (isGeneric)
        chosen = firstSharedBehindBarrier(run);
    if (!chosen && (isProduct || hasStage(run, "coalescing"))) chosen = worstRequest(run);
    return onActiveLane(run, chosen ? *chosen : load.value_or(clamped(run, {})));
}

Cursor worstBankConflict(const run::Run& run, Cursor cursor) {
    const Here here = lookUp(run, cursor);
    if (!here.warp) return cursor;
    std::optional<u32> most;
    for (u32 s = 0; s < here.warp->steps.size(); ++s) {
        const StoredAccess* stored = accessAt(*here.warp, s);
        if (!stored || stored->space != Space::Shared || stored->active.empty()) continue;
        const SharedCost cost = sharedCost(here.warp->unpack(*stored), *run.module, run.profile);
        const u32 lost = cost.wavefronts - cost.ideal;
        if (!most || lost > *most) most = lost, cursor.step = s;
    }
    return cursor;
}

u32 phaseOf(const run::Run& run, const Cursor& cursor) {
    const Here here = lookUp(run, cursor);
    return here.warp ? here.warp->phaseOf(cursor.step) : 0;
}

Cursor startOfPhase(const run::Run& run, Cursor cursor, u32 phase) {
    const Here here = lookUp(run, cursor);
    if (!here.warp) return cursor;
    const auto& barriers = here.warp->barrierSteps;
    const u32 last = u32(std::min<std::size_t>(phase, barriers.size()));
    cursor.step = last == 0 ? 0 : barriers[last - 1] + 1;
    return clamped(run, cursor);
}

}  // namespace lockstep::viz
