// Performance hints: their figures are counted once more, from patterns and recorded accesses, and a hint
// must have those of one line or one launch of the run.
#include "base/device_addresses.h"
#include "explain/hints/hint.h"
#include "witness/readers/reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace lockstep::witness {

using trace::AccessKind, trace::Space;

namespace {

// What a hint may say: words that tell the rule, in English and Chinese, and its figures.
struct Claim {
    std::string_view en, zh;
    std::vector<f64> figures;
};

struct Part {
    u64 all = 0, least = 0;
};

void claim(std::vector<Claim>& claims, std::string_view en, std::string_view zh, std::vector<f64> figures,
           f64 part, f64 all) {
    if (all > 0) figures.push_back(100 * part / all);
    claims.push_back({en, zh, std::move(figures)});
}

// Without what is left over.
f64 whole(u64 part, u64 of) {
    const u64 times = part / of;
    return f64(times);
}

u64 distinct(const trace::WarpAccess& access) {
    std::set<u64> addresses;
    for (const Lane lane : access.active)
        addresses.insert(access.addresses[lane.value]);
    return addresses.size();
}

// Bytes apart, where three of four neighbors are: of lanes between which others are inactive, for each lane.
std::optional<f64> apart(const trace::WarpAccess& access) {
    std::map<f64, u32> gaps;
    u32 all = 0;
    std::optional<Lane> before;
    for (const Lane lane : access.active) {
        if (before) {
            const f64 bytes = f64(s64(access.addresses[lane.value] - access.addresses[before->value])),
                      lanes = f64(lane.value - before->value);
            const f64 each = bytes / lanes;
            ++gaps[each == f64(s64(each)) ? each : bytes], ++all;
        }
        before = lane;
    }
    for (const auto& [bytes, times] : gaps)
        if (4 * times >= 3 * all) return bytes;
    return std::nullopt;
}

u64 bytesInOrder(const trace::WarpAccess& access) { return distinct(access) * access.widthBytes; }

// Shared memory: as written, and what the compiler makes of merged accesses, which the report models.
void conflictClaims(const RunFacts& run, std::vector<Claim>& claims) {
    std::map<u32, Part> lines, atomics;
    u64 all = 0;
    for (const model::SiteReport& site : run.run().report.sites) {
        if (site.space != Space::Shared) continue;
        const auto found = run.ofPc().find(site.pc.value);
        if (found == run.ofPc().end()) continue;
        const bool isChanged = site.merged || site.removed;
        const u64 wavefronts = isChanged ? site.machineWavefronts() : found->second.wavefronts,
                  least = isChanged ? site.machineIdealWavefronts() : found->second.least;
        Part& part = (trace::isAtomic(site.kind) ? atomics : lines)[run.lineOf(site.pc)];
        part.all += wavefronts, part.least += least, all += wavefronts;
    }
    for (const auto& [line, part] : lines)
        if (part.least)
            claim(claims, "-way bank conflicts", "路存储体冲突",
                  {f64(part.all) / f64(part.least), f64(part.all), f64(part.least)},
                  f64(part.all - part.least), f64(all));
    for (const auto& [line, part] : atomics)
        claim(claims, "update the same words or banks", "对相同的字或存储体作原子更新",
              {f64(part.all), f64(part.least)}, f64(part.all - part.least), f64(all));
}

void sectorClaims(const RunFacts& run, std::vector<Claim>& claims) {
    struct Line {
        u64 all = 0, excess = 0, inOrder = 0;
        std::set<f64> distances;
    };
    std::map<std::pair<u32, bool>, Line> lines;
    u64 all = 0, stored = 0;
    for (const trace::GridCounts& counts : run.run().recording.counts)
        for (const trace::SiteCounts& site : counts.sites) {
            if (site.space != Space::Global) continue;
            Line& line = lines[{run.lineOf(site.pc), site.kind == AccessKind::Store}];
            for (const trace::Pattern& pattern : site.patterns) {
                const trace::WarpAccess access = accessOf(site, pattern);
                const u64 items = globalCost(access, run.capability()).items,
                          least = (bytesInOrder(access) + 31) / 32;
                const std::optional<f64> bytes = apart(access);
                all += items * pattern.times;
                if (site.kind == AccessKind::Store) stored += items * pattern.times;
                if (trace::isAtomic(site.kind)) continue;
                line.all += items * pattern.times, line.inOrder += least * pattern.times;
                if (items < 2 * least || 2 * distinct(access) < u64(access.active.count()) ||
                    access.active.count() < 8 || (bytes && std::abs(*bytes) <= site.widthBytes))
                    continue;
                line.excess += (items - least) * pattern.times;
                if (bytes) line.distances.insert(std::abs(*bytes));
            }
        }
    for (const auto& [key, line] : lines) {
        std::vector<f64> figures{f64(line.all), f64(line.all - line.excess)};
        if (line.distances.size() == 1) figures.push_back(*line.distances.begin());
        claim(claims, "Neighboring lanes ", "相邻通道", figures, f64(line.excess), f64(all));
        if (!key.second) continue;
        claim(claims, "Stores fill ", "写入只填满", {100 * f64(line.inOrder) / f64(line.all), f64(line.all)},
              f64(line.all - line.inOrder), f64(stored));
    }
    for (const trace::GridCounts& counts : run.run().recording.counts)
        for (const trace::SiteCounts& site : counts.sites) {
            if (site.space != Space::Global || site.patterns.empty()) continue;
            Part part;
            for (const trace::Pattern& pattern : site.patterns) {
                const trace::WarpAccess access = accessOf(site, pattern);
                part.all += pattern.times * globalCost(access, run.capability()).items;
                part.least += pattern.times * ((bytesInOrder(access) + 31) / 32);
            }
            claim(claims, " of a warp begins ", "之后开始",
                  {f64(site.patterns.front().baseMod256 % 32), f64(part.all), f64(part.least)},
                  f64(part.all - part.least), f64(all));
        }
}

// Lanes that wait between a branch and where its paths meet again.
u64 lanesWaiting(const RunFacts& run, const trace::GridCounts& counts, Pc branch) {
    const ptx::Module& module = *run.run().module;
    const ptx::Function& function = module.functions[module.functionOf(branch).value];
    const ptx::BasicBlock& from = function.blocks[function.blockOf(branch)];
    std::set<u32> between;
    std::vector<u32> open(from.successors);
    while (!open.empty()) {
        const u32 block = open.back();
        open.pop_back();
        if (block >= function.blocks.size() || block == from.immediatePostDominator ||
            !between.insert(block).second)
            continue;
        open.insert(open.end(), function.blocks[block].successors.begin(),
                    function.blocks[block].successors.end());
    }
    const f64 came = f64(run.lanesComingTo(branch)) / f64(counts.perPc[branch.value].executions);
    f64 waiting = 0;
    for (const u32 block : between)
        for (u32 pc = function.blocks[block].first.value; pc < function.blocks[block].end.value; ++pc) {
            const bool isBranch = module.textOf(Pc{pc}).find("bra") != std::string_view::npos;
            const f64 lanes = f64(isBranch ? run.lanesComingTo(Pc{pc}) : counts.perPc[pc].activeLanes);
            waiting += std::max(0.0, came * f64(counts.perPc[pc].executions) - lanes);
        }
    return u64(std::llround(waiting));
}

void workClaims(const RunFacts& run, std::vector<Claim>& claims) {
    const trace::Recording& recording = run.run().recording;
    u64 slots = 0;
    for (const trace::GridCounts& counts : recording.counts)
        slots += counts.warpInstructions;
    for (u32 launch = 0; launch < recording.counts.size(); ++launch) {
        const trace::GridCounts& counts = recording.counts[launch];
        const Launch& of = recording.launches[launch];
        const u64 threads = of.block.count(), lanes = (threads + 31) / 32 * 32, blocks = of.grid.count();
        struct Losses {
            u64 lanes = 0, divergent = 0, executions = 0;
        };
        std::map<u32, std::vector<Losses>> lines;
        for (u32 pc = 0; pc < counts.perPc.size(); ++pc) {
            const trace::PcCounts& at = counts.perPc[pc];
            if (at.divergent == 0) {
                if (at.executions && at.activeLanes < threads * blocks)
                    claim(claims, "have nothing to do", "无事可做",
                          {f64(at.activeLanes), f64(threads * blocks)}, f64(at.activeLanes),
                          f64(threads * blocks));
                continue;
            }
            lines[run.lineOf(Pc{pc})].push_back(
                {lanesWaiting(run, counts, Pc{pc}), at.divergent, at.executions});
        }
        // A line's branches, but for those within another one's paths.
        constexpr std::size_t kMost = 10;
        for (auto& [line, branches] : lines) {
            branches.resize(std::min(branches.size(), kMost));
            for (u32 some = 1; some < 1u << branches.size(); ++some) {
                Losses sum;
                for (std::size_t i = 0; i < branches.size(); ++i)
                    if (some >> i & 1)
                        sum.lanes += branches[i].lanes, sum.divergent += branches[i].divergent,
                            sum.executions += branches[i].executions;
                claim(claims, "Warps diverge in ", "次分化",
                      {f64(sum.divergent), f64(sum.executions), whole(sum.lanes, 32)}, whole(sum.lanes, 32),
                      f64(slots));
            }
        }
        claim(claims, "the others are never active", "永远不会活动",
              {f64(threads), whole(lanes, 32), f64(lanes)}, f64(lanes - threads), f64(lanes));
        const u64 multiprocessors = run.run().profile.multiprocessors;
        claim(claims, "The grid has ", "网格只有",
              {f64(blocks), f64(multiprocessors), whole(counts.warpInstructions, blocks * lanes / 32)},
              f64(multiprocessors) - f64(blocks), f64(multiprocessors));
    }
    std::map<u32, u64> local;
    for (const trace::GridCounts& counts : recording.counts)
        for (const trace::SiteCounts& site : counts.sites)
            if (site.space == Space::Local)
                for (const trace::Pattern& pattern : site.patterns)
                    local[run.lineOf(site.pc)] += pattern.times;
    for (const auto& [line, executions] : local)
        claim(claims, "lies in local memory", "在本地内存里", {f64(executions)}, f64(executions), f64(slots));
}

// From single accesses of the recorded blocks.
void recordedClaims(const RunFacts& run, std::vector<Claim>& claims) {
    using Key = std::tuple<u32, u32, u32>;  // launch, buffer, line
    struct Sum {
        u64 lanes = 0, words = 0, sectors = 0, distinct = 0;
    };
    std::map<Key, Sum> loads, stores, atomics;
    u64 all = 0, steps = 0;
    std::map<u32, u64> barriers;
    for (const trace::FocusBlock& block : run.run().recording.trace.blocks) {
        std::map<std::tuple<int, u32, u32>, std::pair<std::set<u64>, std::set<u64>>> seen;
        for (const trace::WarpTrace& warp : block.warps) {
            steps += warp.steps.size();
            for (const u32 step : warp.barrierSteps)
                ++barriers[run.lineOf(warp.steps[step].pc)];
            for (const trace::StoredAccess& stored : warp.accesses) {
                if (stored.space != Space::Global || stored.active.empty()) continue;
                const trace::WarpAccess access = warp.unpack(stored);
                const u64 items = globalCost(access, run.capability()).items,
                          least = (bytesInOrder(access) + 31) / 32;
                all += items;
                const u32 buffer =
                    bufferOfAddress(access.addresses[access.active.lowest().value]).value_or(0);
                const bool isAtomic = trace::isAtomic(access.kind),
                           isStore = access.kind == AccessKind::Store;
                const u32 line = isAtomic || isStore ? run.lineOf(access.pc) : 0;
                Sum& sum = (isAtomic  ? atomics
                            : isStore ? stores
                                      : loads)[{block.launch.value, buffer, line}];
                auto& [words, sectors] = seen[{isAtomic ? 2 : isStore, buffer, line}];
                const bool isScattered = items >= 2 * least && access.active.count() >= 8 &&
                                         2 * distinct(access) >= u64(access.active.count());
                sum.sectors += !isAtomic && !isStore && isScattered ? least : items;
                for (const Lane lane : access.active)
                    for (u32 byte = 0; byte < access.widthBytes; byte += 4) {
                        ++sum.lanes;
                        sum.words += words.insert((access.addresses[lane.value] + byte) / 4).second;
                        sum.distinct += sectors.insert((access.addresses[lane.value] + byte) / 32).second;
                    }
            }
        }
    }
    for (const auto& [key, sum] : loads) {
        u64 excess = 0;  // of all buffers of the launch that are loaded over and over
        for (const auto& [other, its] : loads)
            if (std::get<0>(other) == std::get<0>(key) && its.lanes >= 8 * its.words &&
                its.sectors >= 4 * its.distinct)
                excess += its.sectors - its.distinct;
        claim(claims, "Threads of a block load the same", "从全局内存读取", {f64(sum.lanes) / f64(sum.words)},
              f64(excess), f64(all));
    }
    for (const auto& [key, sum] : stores)
        claim(claims, "are stored by the same threads", "反复写入", {f64(sum.lanes) / f64(sum.words)},
              f64(sum.sectors) - whole(sum.sectors * sum.words, sum.lanes), f64(all));
    for (const auto& [key, sum] : atomics)
        claim(claims, "update the same elements of global", "全局内存的同样的元素作原子更新",
              {f64(sum.lanes) / f64(sum.words)}, f64(sum.sectors - std::min(sum.words, sum.sectors)),
              f64(all));
    for (const auto& [line, executions] : barriers)
        for (const auto& [en, zh] : {std::pair<std::string_view, std::string_view>{
                                         "the barrier orders nothing", "这个屏障不规定任何先后"},
                                     {"orders nothing more", "不再规定任何先后"}})
            claim(claims, en, zh, {f64(executions)}, f64(executions), f64(steps));
}

std::vector<Claim> claimsOf(const RunFacts& run) {
    std::vector<Claim> claims;
    conflictClaims(run, claims);
    sectorClaims(run, claims);
    workClaims(run, claims);
    recordedClaims(run, claims);
    return claims;
}

}  // namespace

void Reader::hintText(const Said& said) {
    if (!run_.run().hints) return;
    // Constants of cures: the warp's size, good sizes of a block, of a vector and of a sector.
    std::vector<f64> ofCures{0.5, 8, 16, 32, 64, 128, 256};
    // "A warp has 2 rows of 16 threads".
    for (const auto& launch : run_.run().recording.launches)
        if (launch.block.x < kWarpSize) {
            const u32 rows = kWarpSize / launch.block.x;
            ofCures.push_back(rows);
        }
    for (const Claim& claim : claimsOf(run_)) {
        if (!says(said.text, {english() ? claim.en : claim.zh})) continue;
        std::vector<bool> done = done_;
        const bool holds = std::ranges::all_of(claim.figures, [&](f64 figure) {
            for (std::size_t i = 0; i < tokens_->size(); ++i)
                if (!done[i] && rounds((*tokens_)[i], figure)) return done[i] = true, true;
            return false;
        });
        if (!holds) continue;
        for (std::size_t i = 0; i < tokens_->size(); ++i)
            if (!done[i] && std::ranges::find(ofCures, (*tokens_)[i].value) != ofCures.end()) done[i] = true;
        done_ = done;
        return;
    }
    if (is("*# performance hint*", "*# 条性能建议*"))
        for (std::size_t i = 0; i < tokens_->size(); ++i)
            if (!done_[i] && (*tokens_)[i].value == f64(run_.run().hints->all.size())) done_[i] = true;
    if (is("line #", "第 # 行"))
        for (const explain::Hint& hint : run_.run().hints->all)
            for (const u32 line : run_.linesNear(hint.pc))
                if (f64(line) == tokens_->front().value) done_[0] = true;
}

}  // namespace lockstep::witness
