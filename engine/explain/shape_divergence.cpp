// Divergence: the block's threads go different ways, and that is what there is to see: two large groups each
// have work of their own, or lanes wait for others that go on in a loop.
#include "base/text/percent.h"
#include "explain/shape_rules.h"

#include <algorithm>
#include <span>

namespace lockstep::explain {
namespace {

// How often a thread executed each instruction that it came to, by pc.
using Work = std::map<u32, u32>;

// Threads that executed the same instructions, if not equally often.
struct Way {
    std::set<u32> pcs;
    std::vector<const Work*> threads;
};

// A loop that lanes of a warp run a different number of times.
struct LoopOfLanes {
    u32 least = 0, most = 0;
};

struct BlockWork {
    std::vector<Work> threads;
    u64 idle = 0, slots = 0;  // of lanes in the warps' instructions
    // The same of the lanes that take part: those that loop or store anything. A thread that finds itself
    // beyond the data and leaves takes no part.
    u64 waiting = 0, taking = 0;
    std::optional<LoopOfLanes> loop;  // the most uneven one
    u64 leaving = 0;                  // threads that leave early though there is data for them
};

// Of the instructions that are repeated, those that some of the warp's lanes execute more often than others;
// or that others do not execute at all, unless something is stored there: then a lane works for the rest.
std::optional<LoopOfLanes> unevenLoop(std::span<const Work> lanes, LaneMask part,
                                      const std::set<u32>& stores) {
    struct Times {
        LoopOfLanes loop;
        u32 lanes = 0;
    };
    std::map<u32, Times> times;  // by pc: of the lanes that execute it
    for (const Work& lane : lanes)
        for (const auto& [pc, count] : lane) {
            const auto [one, isNew] = times.try_emplace(pc, Times{{count, count}, 0});
            LoopOfLanes& loop = one->second.loop;
            loop = {std::min(loop.least, count), std::max(loop.most, count)};
            ++one->second.lanes;
        }
    const bool worksForOthers = std::ranges::any_of(
        times, [&](const auto& entry) { return entry.second.loop.most > 1 && stores.contains(entry.first); });
    std::optional<LoopOfLanes> found;
    for (const auto& [pc, one] : times) {
        LoopOfLanes loop = one.loop;
        if (!worksForOthers && loop.most > 1 && one.lanes < u32(part.count())) loop.least = 0;
        if (loop.most > 1 && loop.least < loop.most &&
            (!found || loop.most - loop.least > found->most - found->least))
            found = loop;
    }
    return found;
}

LaneMask lanesThatStore(const trace::WarpTrace& warp) {
    LaneMask lanes;
    for (const trace::StoredAccess& access : warp.accesses)
        if (trace::writes(access.kind)) lanes = lanes | access.active;
    return lanes;
}

std::set<u32> pcsOfStores(const trace::WarpTrace& warp) {
    std::set<u32> pcs;
    for (const trace::StoredAccess& access : warp.accesses)
        if (trace::writes(access.kind)) pcs.insert(access.pc.value);
    return pcs;
}

// Of the lanes of a warp that neither loop nor store anything, those for which there would be an element
// where the others, in turn, store theirs: no bounds check sends them away.
LaneMask leavingEarly(const BlockValues& values, Warp warp, LaneMask part, u32 lanes) {
    std::vector<const Output*> stored;  // by one instruction
    for (const Output& output : values.outputs)
        if (output.at.warp == warp && (stored.empty() || output.at.step == stored.front()->at.step))
            stored.push_back(&output);
    if (stored.size() < 2) return {};
    std::ranges::sort(stored, {}, [](const Output* output) { return output->at.lane.value; });
    const auto elementOf = [](const Output* output) { return s64(output->cell.element); };
    const auto laneOf = [](const Output* output) { return s64(output->at.lane.value); };
    const s64 apart = laneOf(stored[1]) - laneOf(stored[0]);
    if (apart <= 0) return {};
    const s64 step = (elementOf(stored[1]) - elementOf(stored[0])) / apart;
    const auto at = [&](s64 lane) { return elementOf(stored[0]) + step * (lane - laneOf(stored[0])); };
    if (step == 0 || std::ranges::any_of(stored, [&](const Output* output) {
            return elementOf(output) != at(laneOf(output));
        }))
        return {};
    const u32 buffer = stored.front()->cell.buffer;
    u64 count = 1;
    for (const u64 extent : values.graph.buffers()[buffer].shape)
        count *= extent;
    const s64 columns = s64(values.columnsOf(buffer).value_or(count));
    LaneMask leaving;
    for (u32 lane = 0; lane < lanes; ++lane)
        if (const s64 element = at(lane); !part.has(Lane{lane}) && element >= 0 && u64(element) < count &&
                                          element / columns == at(laneOf(stored[0])) / columns)
            leaving = leaving | LaneMask::of(Lane{lane});
    return leaving;
}

BlockWork workOf(const BlockValues& values) {
    const trace::FocusBlock& block = values.graph.block();
    BlockWork work;
    u32 number = 0;
    u32 left = block.threads;
    for (const trace::WarpTrace& warp : block.warps) {
        const u32 lanes = std::min(left, kWarpSize);
        left -= lanes;
        const std::size_t first = work.threads.size();
        work.threads.resize(first + lanes);
        for (const trace::Step& step : warp.steps) {
            work.slots += lanes;
            work.idle += lanes - std::min(lanes, u32(step.active.count()));
            for (const Lane lane : step.active)
                if (lane.value < lanes) ++work.threads[first + lane.value][step.pc.value];
        }
        const auto ofWarp = std::span(work.threads).subspan(first, lanes);
        LaneMask part = lanesThatStore(warp), looping;
        for (u32 lane = 0; lane < lanes; ++lane)
            if (std::ranges::any_of(ofWarp[lane], [](const auto& entry) { return entry.second > 1; }))
                looping = looping | LaneMask::of(Lane{lane});
        part = part | looping;
        // Others have to go on in a loop for it to be worth a picture.
        const Warp id{number++};
        const LaneMask leaving = looping.empty() ? LaneMask{} : leavingEarly(values, id, part, lanes);
        work.leaving += u64(leaving.count());
        part = part | leaving;
        for (const trace::Step& step : warp.steps)
            work.taking += u32(part.count()), work.waiting += u32((part & ~step.active).count());
        const auto loop = unevenLoop(ofWarp, part & ~leaving, pcsOfStores(warp));
        if (loop && (!work.loop || loop->most - loop->least > work.loop->most - work.loop->least))
            work.loop = loop;
    }
    return work;
}

std::vector<Way> waysOf(const BlockWork& work) {
    std::map<std::set<u32>, Way> ways;
    for (const Work& thread : work.threads) {
        std::set<u32> pcs;
        for (const auto& [pc, times] : thread)
            pcs.insert(pc);
        Way& way = ways[pcs];
        way.pcs = pcs;
        way.threads.push_back(&thread);
    }
    std::vector<Way> all;
    for (auto& [pcs, way] : ways)
        all.push_back(std::move(way));
    std::ranges::sort(all, std::greater{}, [](const Way& way) { return way.threads.size(); });
    return all;
}

// How much of what its threads execute those of the other do not, in percent.
u64 ownWork(const Way& way, const Way& other) {
    u64 own = 0, all = 0;
    for (const Work* thread : way.threads)
        for (const auto& [pc, times] : *thread)
            all += times, own += other.pcs.contains(pc) ? 0 : times;
    return all > 0 ? 100 * own / all : 0;
}

// Both have work of their own, and no mere handful of instructions for a border or a bound.
bool havePartedWays(const Way& a, const Way& b) {
    constexpr u64 kLeastPercent = 12, kLeastTogether = 60;
    const u64 own = ownWork(a, b), other = ownWork(b, a);
    return own >= kLeastPercent && other >= kLeastPercent && own + other >= kLeastTogether;
}

std::size_t threadsThatStore(const BlockValues& values) {
    std::set<std::pair<u32, u32>> threads;
    for (const Output& output : values.outputs)
        threads.insert({output.at.warp.value, output.at.lane.value});
    return threads.size();
}

}  // namespace

std::optional<ProvedShape> provedDivergence(const BlockValues& values) {
    constexpr u64 kLeastIdlePercent = 35;
    const BlockWork work = workOf(values);
    const std::vector<Way> ways = waysOf(work);
    const auto other = std::ranges::find_if(ways, [&](const Way& way) {
        return 5 * way.threads.size() >= work.threads.size() && havePartedWays(way, ways.front());
    });
    const bool waits = (work.loop || work.leaving > 0) &&
                       100 * work.waiting >= kLeastIdlePercent * work.taking && threadsThatStore(values) > 1;
    if (other == ways.end() && !waits) return std::nullopt;
    ProvedShape proved{.shape = Shape::Divergence, .evidence = {}, .buffers = {}};
    if (other != ways.end())
        proved.evidence.push_back(Message(
            english("{0} {0:thread|threads} execute instructions that {1} others do not, and vice versa."),
            other->threads.size(), ways.front().threads.size()));
    else if (work.leaving > 0)
        proved.evidence.push_back(Message(
            english("{0} {0:thread leaves|threads leave} early, and the rest of their warps goes on."),
            work.leaving));
    else
        proved.evidence.push_back(
            Message(english("Lanes of a warp run the same loop between {0} and {1} {1:time|times}."),
                    work.loop->least, work.loop->most));
    proved.evidence.push_back(
        Message(english("On average, {0}% of the lanes are idle."), percentOf(work.idle, work.slots)));
    return proved;
}

}  // namespace lockstep::explain
