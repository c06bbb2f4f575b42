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
};

// Of the instructions that at least two lanes execute, more than once some and less often others. What a
// single lane does for the rest, or all lanes alike, is no such loop.
std::optional<LoopOfLanes> unevenLoop(std::span<const Work> lanes) {
    std::map<u32, LoopOfLanes> times;  // by pc: of the lanes that execute it
    for (const Work& lane : lanes)
        for (const auto& [pc, count] : lane) {
            const auto [one, isNew] = times.try_emplace(pc, LoopOfLanes{count, count});
            if (!isNew) one->second = {std::min(one->second.least, count), std::max(one->second.most, count)};
        }
    std::optional<LoopOfLanes> found;
    for (const auto& [pc, loop] : times)
        if (loop.least < loop.most && (!found || loop.most - loop.least > found->most - found->least))
            found = loop;
    return found;
}

LaneMask lanesThatStore(const trace::WarpTrace& warp) {
    LaneMask lanes;
    for (const trace::StoredAccess& access : warp.accesses)
        if (trace::writes(access.kind)) lanes = lanes | access.active;
    return lanes;
}

BlockWork workOf(const trace::FocusBlock& block) {
    BlockWork work;
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
        LaneMask part = lanesThatStore(warp);
        for (u32 lane = 0; lane < lanes; ++lane)
            if (std::ranges::any_of(ofWarp[lane], [](const auto& entry) { return entry.second > 1; }))
                part = part | LaneMask::of(Lane{lane});
        for (const trace::Step& step : warp.steps)
            work.taking += u32(part.count()), work.waiting += u32((part & ~step.active).count());
        const auto loop = unevenLoop(ofWarp);
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
    const BlockWork work = workOf(values.graph.block());
    const std::vector<Way> ways = waysOf(work);
    const auto other = std::ranges::find_if(ways, [&](const Way& way) {
        return 5 * way.threads.size() >= work.threads.size() && havePartedWays(way, ways.front());
    });
    const bool waits =
        work.loop && 100 * work.waiting >= kLeastIdlePercent * work.taking && threadsThatStore(values) > 1;
    if (other == ways.end() && !waits) return std::nullopt;
    ProvedShape proved{.shape = Shape::Divergence, .evidence = {}, .buffers = {}};
    if (other != ways.end())
        proved.evidence.push_back(Message(
            english("{0} {0:thread|threads} execute instructions that {1} others do not, and vice versa."),
            other->threads.size(), ways.front().threads.size()));
    else
        proved.evidence.push_back(
            Message(english("Lanes of a warp run the same loop between {0} and {1} {1:time|times}."),
                    work.loop->least, work.loop->most));
    proved.evidence.push_back(
        Message(english("On average, {0}% of the lanes are idle."), percentOf(work.idle, work.slots)));
    return proved;
}

}  // namespace lockstep::explain
