#include "witness/readers/claim_figures.h"

#include "witness/record/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

namespace lockstep::witness {
namespace {

using trace::AccessKind, trace::Space;

// What stands in a figure's brackets.
struct Where {
    const catalog::Family* family = nullptr;
    const catalog::Variant* variant = nullptr;
    Settings settings;
    std::string profile;
    u32 line = 0, round = 1, warp = 0;
};

Where whereOf(const World& world, const Authored& of, std::string_view bracket) {
    Where where{of.family, of.variant, {}, {}};
    while (!bracket.empty()) {
        const std::size_t blank = std::min(bracket.find(' '), bracket.size());
        const std::string word(bracket.substr(0, blank));
        bracket.remove_prefix(std::min(blank + 1, bracket.size()));
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos && word.starts_with("cc"))
            where.profile = word;
        else if (equals == std::string::npos) {
            const std::size_t slash = word.find('/');
            if (slash != std::string::npos)
                for (const catalog::Family& family : world.catalog.families())
                    if (family.name == word.substr(0, slash)) where.family = &family;
            where.variant = where.family->find(slash == std::string::npos ? word : word.substr(slash + 1));
        } else if (const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
                   name == "line")
            where.line = u32(std::stoul(value));
        else if (name == "round")
            where.round = u32(std::stoul(value));
        else if (name == "warp")
            where.warp = u32(std::stoul(value));
        else
            where.settings.emplace_back(name, value);
    }
    return where;
}

// Runs are made once: many claims are of one.
struct Made {
    run::Run run;
    std::unique_ptr<RunFacts> facts;
};
const Made* madeOf(const World& world, const Where& where) {
    static std::map<std::string, std::unique_ptr<Made>> known;
    const Trial trial{where.family, where.variant, where.settings, "claim", where.profile};
    const auto [found, isNew] = known.try_emplace(trial.name());
    if (isNew)
        if (Expected<run::Run> run = ran(world, trial)) {
            found->second = std::make_unique<Made>(Made{std::move(*run), nullptr});
            const model::Profile& profile = found->second->run.profile;
            found->second->facts =
                std::make_unique<RunFacts>(found->second->run, Capability{profile.major, profile.minor});
        }
    return found->second.get();
}

const run::RecordedRun* recordedAt(const World& world, const Where& where,
                                   const run::HardwareRecording** machine) {
    const Expected<catalog::Values> values = catalog::resolve(*where.family, *where.variant, where.settings);
    if (!values) return nullptr;
    for (const run::RecordedMachine& one : world.machines)
        for (const run::RecordedRun& run : one.recording.runs) {
            const bool isSame = std::ranges::all_of(run.parameters, [&](const auto& pair) {
                const catalog::Parameter* parameter = where.family->findParameter(pair.first);
                const auto value = values->find(pair.first);
                if (!parameter || value == values->end()) return false;
                return pair.second == (parameter->isChoice() ? parameter->choices[std::size_t(value->second)]
                                                             : std::to_string(value->second));
            });
            if (isSame && run.kernel == where.family->name + "/" + where.variant->name) {
                *machine = &one.recording;
                return &run;
            }
        }
    return nullptr;
}

// The first figure of a row of docs/internals/benchmarks.md: "bench[cuBLAS]", milliseconds.
f64 benchmark(std::string_view row) {
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/docs/internals/benchmarks.md");
    for (std::string line; std::getline(file, line);)
        for (const std::string& begins : {fmt::format("| {} | ", row), fmt::format("| `{}` | ", row)})
            if (line.starts_with(begins)) return std::atof(line.c_str() + begins.size());
    return NAN;
}

struct Extremes {
    f64 least = NAN, most = NAN;
    void see(f64 value) {
        least = std::isnan(least) ? value : std::min(least, value);
        most = std::isnan(most) ? value : std::max(most, value);
    }
};

// Of single requests of full warps (of the fullest that there are): what one costs.
f64 extreme(const Made& made, std::string_view name) {
    const bool isMost = name.starts_with("most_");
    name.remove_prefix(name.find('_') + 1);
    const bool isShared = name.starts_with("shared_");
    if (isShared) name.remove_prefix(7);
    const std::size_t middle = name.find('_');
    const std::string_view kind = name.substr(0, middle), what = name.substr(middle + 1);
    int fullest = 0;
    Extremes found;
    for (const trace::GridCounts& counts : made.run.recording.counts)
        for (const trace::SiteCounts& site : counts.sites) {
            const bool isKind =
                kind == "load"    ? site.kind == AccessKind::Load || site.kind == AccessKind::AsyncCopy
                : kind == "store" ? site.kind == AccessKind::Store
                                  : site.kind == AccessKind::Atomic || site.kind == AccessKind::Reduction;
            if (!isKind || site.space != (isShared ? Space::Shared : Space::Global)) continue;
            for (const trace::Pattern& pattern : site.patterns) {
                const trace::WarpAccess access = accessOf(site, pattern);
                const int lanes = int(pattern.active.count());
                if (lanes < fullest) continue;
                if (lanes > fullest) fullest = lanes, found = {};
                const Capability capability = made.facts->capability();
                if (what == "sectors" || what == "transactions")
                    found.see(globalCost(access, capability).items);
                else if (what == "moved")
                    found.see(f64(globalCost(access, capability).bytes));
                else if (what == "half")
                    found.see(globalCost(access, capability).perHalf.empty()
                                  ? NAN
                                  : globalCost(access, capability).perHalf[0]);
                else if (what == "bytes")
                    found.see(f64(access.widthBytes) * lanes);
                else if (what == "width")
                    found.see(access.widthBytes);
                else if (what == "wavefronts")
                    found.see(sharedCost(access, capability, made.run.module->textOf(site.pc)).wavefronts);
                else if (what == "lanes")
                    found.see(lanes);
            }
        }
    return isMost ? found.most : found.least;
}

// A step of a warp of the first recorded block: the round-th one of the line.
f64 atLine(const Made& made, std::string_view name, const Where& where) {
    const trace::FocusBlock& block = made.run.recording.trace.blocks.front();
    if (where.warp >= block.warps.size()) return NAN;
    const trace::WarpTrace& warp = block.warps[where.warp];
    u32 round = 0, lanes = 0, issued = 0;
    std::array<u32, kWarpSize> loads{};  // by lane
    for (const trace::Step& step : warp.steps) {
        if (made.facts->lineOf(step.pc) != where.line) continue;
        const bool isAccess = step.access != trace::Step::kNone;
        if (name == "lanes_at" ? (!isAccess || ++round != where.round) : !isAccess) continue;
        if (name == "lanes_at") return step.active.count();
        const trace::WarpAccess access = warp.unpack(warp.accesses[step.access]);
        issued += access.kind == AccessKind::Load;
        if (access.kind == AccessKind::Load)
            for (const Lane lane : access.active)
                ++loads[lane.value], ++lanes;
        if (access.space != Space::Shared || access.kind != AccessKind::Load || ++round != where.round)
            continue;
        const SharedCost cost =
            sharedCost(access, made.facts->capability(), made.run.module->textOf(step.pc));
        if (name == "in_one_bank_at")
            return cost.perGroup.size() < 2 ? cost.mostInOneBank : *std::ranges::max_element(cost.perGroup);
        if (name == "wavefronts_at") return cost.wavefronts;
    }
    if (name == "loads_at") return issued;
    return name == "lane_loads_at" ? *std::ranges::max_element(loads) : name == "lanes_sum_at" ? lanes : NAN;
}

}  // namespace

f64 claimFigure(const World& world, const Authored& of, std::string_view name, std::string_view bracket) {
    if (name == "bench") return benchmark(bracket);
    const Where where = whereOf(world, of, bracket);
    if (!where.variant) return NAN;
    const run::HardwareRecording* machine =
        world.machines.empty() ? nullptr : &world.machines.front().recording;
    if (name == "multiprocessors") return machine ? machine->multiprocessors : NAN;
    if (name == "pitch_bytes") return machine ? f64(machine->pitchBytes) : NAN;
    if (name == "ms" || name == "recorded_blocks_per_sm" || name.find("__") != std::string_view::npos) {
        const run::RecordedRun* recorded = recordedAt(world, where, &machine);
        if (!recorded) return NAN;
        if (name == "recorded_blocks_per_sm") return recorded->measured.blocksPerSm;
        if (name == "ms") return recorded->measured.timing ? recorded->measured.timing->kernel.median : NAN;
        const auto counter = recorded->measured.counters.find(std::string(name));
        return counter == recorded->measured.counters.end() ? NAN : counter->second;
    }
    const Made* made = madeOf(world, where);
    if (!made) return NAN;
    const run::Run& run = made->run;
    const RunFacts& facts = *made->facts;
    if (const auto value = run.catalog->values.find(name); value != run.catalog->values.end())
        return f64(value->second);
    if (name.starts_with("most_") || name.starts_with("least_")) return extreme(*made, name);
    if (name.ends_with("_at")) return atLine(*made, name, where);
    if (name.starts_with("const_")) return f64(facts.constant(std::string(name.substr(6))).value_or(-1));
    const Launch& launch = run.recording.launches.front();
    const auto sums = [&](Space space, std::initializer_list<AccessKind> kinds) {
        PcSums all;
        for (const AccessKind kind : kinds) {
            const PcSums& one = facts.of(space, kind);
            all.requests += space == Space::Global ? one.requests : one.executions,
                all.sectors += one.sectors;
            all.bytes += one.bytes, all.wavefronts += one.wavefronts, all.least += one.least;
            all.activeLanes += one.activeLanes;
        }
        return all;
    };
    const PcSums load = sums(Space::Global, {AccessKind::Load, AccessKind::AsyncCopy}),
                 store = sums(Space::Global, {AccessKind::Store}),
                 sharedLoad = sums(Space::Shared, {AccessKind::Load}),
                 sharedStore = sums(Space::Shared, {AccessKind::Store}),
                 atomics = sums(Space::Shared, {AccessKind::Atomic, AccessKind::Reduction});
    const trace::FocusBlock& block = run.recording.trace.blocks.front();
    u64 fma = 0, ofLanes = 0;
    for (const auto& [pc, one] : facts.ofPc()) {
        const std::string_view form = run.module->at(Pc{pc}).form;
        if (form.starts_with("fma")) fma += one.executions;
        ofLanes += 32 * one.executions;
    }
    const std::initializer_list<std::pair<std::string_view, f64>> figures{
        {"load_requests", f64(load.requests)},
        {"load_sectors", f64(load.sectors)},
        {"store_requests", f64(store.requests)},
        {"store_sectors", f64(store.sectors)},
        {"loaded_elements", f64(load.activeLanes)},
        {"shared_load_requests", f64(sharedLoad.requests)},
        {"shared_load_wavefronts", f64(sharedLoad.wavefronts)},
        {"shared_load_least", f64(sharedLoad.least)},
        {"shared_store_requests", f64(sharedStore.requests)},
        {"shared_store_wavefronts", f64(sharedStore.wavefronts)},
        {"shared_store_least", f64(sharedStore.least)},
        {"shared_atomic_requests", f64(atomics.requests)},
        {"shared_atomic_wavefronts", f64(atomics.wavefronts)},
        {"multiply_adds", f64(fma)},
        {"active_share", f64(facts.total().activeLanes) / f64(ofLanes)},
        {"divergent", f64(facts.total().divergent)},
        {"grid_blocks", f64(launch.grid.count())},
        {"block_threads", f64(launch.block.count())},
        {"launches", f64(run.recording.launches.size())},
        {"barriers", f64(block.warps.front().barrierSteps.size())},
        {"shared_bytes", f64(run::sharedBytes(*run.module, launch))},
        {"threads_limit", f64(run.profile.threadsPerBlock)},
        {"shared_limit", f64(std::max(run.profile.sharedBytesPerBlock, run.profile.sharedBytesOptIn))},
        {"banks", run.profile.major == 1 ? 16.0 : 32.0}};
    for (const auto& [figure, value] : figures)
        if (figure == name) return value;
    return NAN;
}

}  // namespace lockstep::witness
