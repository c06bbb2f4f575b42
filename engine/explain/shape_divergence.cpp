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

struct BlockWork {
    std::vector<Work> threads;
    u64 idle = 0, slots = 0;  // of lanes in the warps' instructions
    bool waitsForLoops = false;
};

// Whether some of a warp's lanes execute an instruction again that others execute less often or not at all.
bool waitsForLoops(std::span<const Work> lanes) {
    struct Times {
        u32 least = ~0u, most = 0;
        std::size_t lanes = 0;
    };
    std::map<u32, Times> times;  // by pc
    for (const Work& lane : lanes)
        for (const auto& [pc, count] : lane) {
            Times& one = times[pc];
            one.least = std::min(one.least, count), one.most = std::max(one.most, count), ++one.lanes;
        }
    return std::ranges::any_of(times, [&](const auto& one) {
        const Times& t = one.second;
        return t.most > 1 && (t.least < t.most || t.lanes < lanes.size());
    });
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
        work.waitsForLoops =
            work.waitsForLoops || waitsForLoops(std::span(work.threads).subspan(first, lanes));
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
    const bool waits = work.waitsForLoops && 100 * work.idle >= kLeastIdlePercent * work.slots &&
                       threadsThatStore(values) > 1;
    if (other == ways.end() && !waits) return std::nullopt;
    ProvedShape proved{.shape = Shape::Divergence, .evidence = {}, .buffers = {}};
    if (other != ways.end())
        proved.evidence.push_back(Message(
            english("{0} {0:thread|threads} execute instructions that {1} others do not, and vice versa."),
            other->threads.size(), ways.front().threads.size()));
    proved.evidence.push_back(
        Message(english("On average, {0}% of the lanes are idle."), percentOf(work.idle, work.slots)));
    return proved;
}

}  // namespace lockstep::explain
