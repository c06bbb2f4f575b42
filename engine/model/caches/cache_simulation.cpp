#include "model/caches/cache_simulation.h"

#include "base/check.h"
#include "model/access/sector_count.h"
#include "model/branches/branches.h"
#include "model/caches/block_distribution.h"
#include "model/caches/code_sectors.h"
#include "model/caches/l2_cache.h"
#include "model/caches/request_merging.h"
#include "model/caches/sm_simulation.h"
#include "model/caches/turn_crew.h"
#include "model/occupancy/occupancy.h"
#include "ptx/analysis/register_pressure.h"
#include "ptx/analysis/shared_layout.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

namespace lockstep::model {
namespace {

using trace::AccessKind;

// How long SMs run independently before the others catch up, in L1 lookups.
constexpr u64 kTurn = 256;
// Once no block is left to assign, SMs need not wait: the longer one runs, the more of its warps stay in the
// host's caches. So turns double as long as they leave fewer L2 requests than this (40 bytes each), and get
// shorter if they leave twice as many. Divided by the threads: the more there are, the sooner some should
// work on L2.
constexpr u64 kLongestTurn = 8192, kFewWaiting = 1 << 17;  // if everything missed at once: a million requests
// Limit of words in blocks that wait to be simulated, and a block's overhead.
constexpr u64 kMostWords = 4u << 20, kWordsPerBlock = 16;
constexpr u64 kLocalLines = u64{1} << 46;

// Figures of a launch on a device.
struct Machine {
    const CacheFigures* figures = nullptr;
    u32 sms = 1, blocksPerSm = 1;
    u64 l1Bytes = 0, codeSectors = 0;
};

Machine machineOf(const ptx::Module& module, const Launch& launch, const Profile& profile,
                  std::optional<u32> registers) {
    Machine machine{.figures = &*profile.caches, .sms = profile.multiprocessors};
    const ptx::Function* entry = module.findEntry(launch.entry);
    CHECK(entry, "the launch has started");
    const u64 shared = ptx::sharedLayout(module, *entry, launch.dynamicSharedBytes).totalBytes;
    // If the compiled kernel is not known: a lower bound, so that blocks with many live values do not crowd
    // an SM.
    const u32 registersPerThread = registers ? *registers
                                             : std::min(ptx::registersLiveAtOnce(module, *entry),
                                                        profile.registersPerThread);  // more are spilled
    BlockNeeds needs{.threads = launch.block.count(),
                     .sharedBytes = shared,
                     .registersPerThread = registersPerThread,
                     .gridBlocks = ~u64{0}};
    machine.blocksPerSm = std::max(occupancy(needs, profile).blocksPerSm, 1u);
    needs.sharedBytes = 0;
    BlockNeeds withoutShared = needs;
    const u64 unit = profile.sharedAllocationUnit;
    const u64 allocated = (shared + profile.sharedReservedPerBlock + unit - 1) / unit * unit;
    const u32 warpsAllow = std::min(occupancy(withoutShared, profile).blocksPerSm, profile.blocksPerSm);
    const u64 split = sharedSplit(allocated, shared > 0, u32(launch.block.count()), warpsAllow,
                                  machine.blocksPerSm, profile.blocksPerSm, *machine.figures);
    machine.l1Bytes = machine.figures->unifiedBytes -
                      std::min(split + machine.figures->unusedBytes, machine.figures->unifiedBytes);
    machine.codeSectors = codeSectors(module, *entry);
    return machine;
}

// Branch targets and fall-throughs. A branch that the compiler predicates has neither.
void markJumpTargets(const ptx::Module& module, const ptx::Function& function, std::vector<bool>& begins) {
    if (!function.blocks.empty()) begins[function.blocks[0].first.value] = true;
    std::vector<bool> isPredicated(function.blocks.size());
    for (std::size_t at = 0; at < function.blocks.size(); ++at) {
        const ptx::BasicBlock& block = function.blocks[at];
        const Pc last(block.end.value - 1);
        const bool branches = module.at(last).guard.present && module.at(last).name.starts_with("bra");
        const bool jumps = branches && branchForm(module, last) == BranchForm::Branch;
        // Of the two sides between such a branch and its reconvergence point, one falls through without a
        // jump.
        if (branches && !jumps)
            for (u32 side : block.successors)
                if (side < isPredicated.size()) isPredicated[side] = true;
        for (u32 next : block.successors) {
            if (next >= function.blocks.size()) continue;
            const bool isBack = next <= at;
            const bool fallsThrough = next == at + 1 && !branches;
            if (isBack || jumps || !(branches || fallsThrough || isPredicated[at]))
                begins[function.blocks[next].first.value] = true;
        }
    }
}

// A new stretch begins at each branch target and after anything slow: a barrier, a call, a division, a load
// from memory, an atomic.
std::vector<u32> stretchesOf(const ptx::Module& module) {
    std::vector<u32> stretches(module.instructions.size());
    std::vector<bool> begins(stretches.size() + 1);
    for (const ptx::Function& function : module.functions)
        markJumpTargets(module, function, begins);
    for (u32 pc = 0, stretch = 0; pc < stretches.size(); ++pc) {
        stretch += begins[pc];
        stretches[pc] = stretch;
        const std::string_view name = module.instructions[pc].name;
        for (std::string_view slow : {"bar", "call", "div", "rem", "sqrt", "ld.global", "ld.local",
                                      "ld.volatile", "atom", "membar", "fence"})
            if (name.starts_with(slow) && name.find(".approx") == std::string_view::npos)
                begins[pc + 1] = true;
    }
    return stretches;
}

// Measured on an H200 (tests/data/caches/README.md): volatile, .cg and stronger loads are not answered by L1.
bool goesPastL1(const ptx::Module& module, const trace::RequestSite& site) {
    if (site.pc.value >= module.instructions.size()) return false;
    if (site.kind == AccessKind::AsyncCopy && site.widthBytes == 16)
        return true;  // PTX ISA: cp.async.cg, the form of 16 bytes
    const std::string_view name = module.at(site.pc).name;
    for (std::string_view strong : {".cg", ".cv", ".volatile", ".relaxed", ".acquire", ".mmio"})
        if (name.find(strong) != std::string_view::npos) return true;
    return false;
}

// The shared levels below the L1s. Threads may use different parts (PassedOn) concurrently.
class SharedLevels {
public:
    explicit SharedLevels(const CacheFigures& figures)
        : merging_(clusters(figures), figures.mergedRequests), l2_(figures) {}

    void expectMany() { l2_.expectMany(); }
    // In order of arrival, all for this part.
    void take(std::span<const L2Request> requests, u32 part) {
        Reads& reads = reads_[part];
        std::array<L2Cache::Place, kAhead> ahead;
        for (std::size_t i = 0; i < std::min(kAhead, requests.size()); ++i)
            ahead[i] = l2_.placeOf(requests[i].line);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const L2Request& request = requests[i];
            const L2Cache::Place place = ahead[i % kAhead];
            if (i + kAhead < requests.size()) ahead[i % kAhead] = l2_.placeOf(requests[i + kAhead].line);
            switch (request.kind) {
                case L2Request::Kind::Read: read(request, place, reads); break;
                case L2Request::Kind::LineStore:
                    l2_.store(place, request.sectors, request.words, true);
                    break;
                case L2Request::Kind::WarpStore: store(request); break;
                case L2Request::Kind::Atomic: l2_.atomic(place, request.sectors); break;
            }
        }
    }
    CacheCounts counts() const {
        CacheCounts counts;
        for (const Reads& reads : reads_) {
            counts.l2Reads += reads.sent;
            counts.l2ReadsMost += reads.asked;
        }
        const L2Cache::Counts l2 = l2_.counts();
        counts.l2ReadsLeast = l2.distinctReads;
        counts.l2ReadHits = l2.readHits;
        counts.l2ReadMisses = l2.readMisses;
        counts.dramReads = l2.dramReads;
        counts.dramWrites = l2.dramWrites;
        counts.fillReads = l2.fillReads;
        counts.atomicReads = l2.atomicReads;
        return counts;
    }

private:
    struct alignas(64) Reads {  // sectors, of a part
        u64 asked = 0, sent = 0;
    };

    static u32 clusters(const CacheFigures& figures) {
        u32 most = 0;
        for (const SmGroup& group : figures.groups)
            most = std::max(most, group.cluster);
        return most + 1;
    }

    void read(const L2Request& request, const L2Cache::Place& place, Reads& reads) {
        const u32 sectors = sectorCount(request.sectors);
        reads.asked += sectors;
        RequestMerging::Sent sent =
            merging_.send(request.cluster, request.line, request.sectors, request.clock);
        if (!sent) return;
        reads.sent += sectors;
        if (l2_.read(place, request.sectors) > 0) underWay_.begin(request.line, request.clock);
        sent.answered(underWay_.comesIn(request.line, request.clock));
    }

    void store(const L2Request& request) {
        std::array<L2Cache::Place, kWarpSize> places;
        const bool isAlone = std::has_single_bit(request.words);
        for (u32 left = request.words; left; left &= left - 1) {
            const u32 i = u32(std::countr_zero(left));
            places[i] = l2_.placeOf(request.line + request.lines[i].line);
        }
        for (u32 left = request.words; left; left &= left - 1) {
            const u32 i = u32(std::countr_zero(left));
            l2_.store(places[i], request.lines[i].sectors, request.lines[i].words, isAlone);
        }
    }

    // In requests: enough time for the host to prefetch from its memory.
    static constexpr std::size_t kAhead = 16;

    RequestMerging merging_;
    LinesUnderWay underWay_;
    L2Cache l2_;
    std::array<Reads, kL2Slices> reads_;
};

// The GPU during one launch. In each turn host threads share the SMs; the result does not depend on their
// number.
class Simulation {
public:
    Simulation(const Machine& machine, u64 blocks, u32 warpsPerBlock, std::vector<SiteRule> rules)
        : machine_(machine),
          blocks_(blocks),
          rules_(std::move(rules)),
          warpsPerBlock_(warpsPerBlock),
          shared_(*machine.figures) {
        first_ = dealBlocks(blocks, machine.sms, machine.blocksPerSm, machine.figures->groups);
        std::vector<u32> clusters(machine.sms);
        for (const SmGroup& group : machine.figures->groups)
            for (u32 sm : group.sms)
                clusters[sm] = group.cluster;
        for (u32 sm = 0; sm < machine.sms; ++sm)
            sms_.emplace_back(sm, clusters[sm], machine.blocksPerSm);
    }

    void expect(u64 requests) {
        if (requests >= L2Cache::kManyRequests) shared_.expectMany();
    }
    // Runs as far as the recorded blocks allow, or until isUnwanted(). come: the blocks below this number
    // have been recorded.
    template <class Take, class IsUnwanted>
    void run(u64 come, u32 threads, Take take, IsUnwanted isUnwanted) {
        threads_ = threads;
        // With two threads, one at L2 is enough.
        parts_ = threads <= 2 ? 1 : std::min(std::bit_floor(threads), kL2Slices);
        if (scratch_.size() < threads) scratch_.resize(threads);
        TurnCrew crew(threads, [this](u32 thread) { runSms(scratch_[thread]); });
        runSoFar(come, crew, take, isUnwanted);
        running_.clear();
        turn(crew);  // for what the last turn left
    }

    CacheCounts counts() const {
        CacheCounts counts = shared_.counts();
        for (const SmScratch& scratch : scratch_)
            counts.add(scratch.counts);
        counts.codeReads = machine_.codeSectors;
        counts.launchReads = machine_.figures->launchSectors;
        counts.dramReads += counts.launchReads + counts.codeReads;
        counts.l1Bytes = machine_.l1Bytes;
        counts.l2DirtyBytes = machine_.figures->l2DirtyBytes;
        return counts;
    }

private:
    struct Slot {
        u32 sm = 0, slot = 0;
    };
    template <class Take, class IsUnwanted>
    void runSoFar(u64 come, TurnCrew& crew, Take take, IsUnwanted isUnwanted) {
        if (next_ == 0) {
            if (come < first_.size()) return;
            std::vector<u32> slots(sms_.size());
            for (u32 sm : first_)
                start(sm, slots[sm]++, take());
        }
        for (;;) {
            for (; !free_.empty() && next_ < blocks_; free_.pop_front()) {
                if (next_ >= come) return;
                start(free_.front().sm, free_.front().slot, take());
            }
            if (next_ == blocks_) turn_ = lastTurn();
            now_ += turn_;
            running_.clear();
            for (u32 sm = 0; sm < sms_.size(); ++sm)
                if (sms_[sm].isReady()) running_.push_back(sm);
            if (running_.empty() || isUnwanted()) return;
            turn(crew);
            queueEnded();
        }
    }
    // Length of the next turn, once all blocks have been assigned.
    u64 lastTurn() {
        u64 waiting = 0;
        for (const PassedOn& ofSm : passedOn_)
            waiting += ofSm.requests();
        const u64 few = kFewWaiting / threads_;
        if (waiting < few) return std::min(2 * turn_, kLongestTurn);
        return waiting < 2 * few ? turn_ : std::max(turn_ / 2, kTurn);
    }
    void turn(TurnCrew& crew) {
        passedOn_.swap(passedBefore_);
        if (passedOn_.size() < running_.size()) passedOn_.resize(running_.size());
        for (PassedOn& ofSm : passedOn_)
            ofSm.divide(parts_);
        nextRun_ = 0;
        nextPart_ = 0;
        crew.turn();
    }

    // The slot that ended first gets the next block; among those of one turn, one per SM before the second of
    // any SM. A choice: strictly by their clocks, an SM whose blocks all end at once gets neighbors, which
    // find each other's sectors (stencil/tiled 4096 x 4096 195,700 hits where 5,478 were measured).
    void queueEnded() {
        struct Ended {
            u32 round, sm, slot;
            auto operator<=>(const Ended&) const = default;
        };
        std::vector<Ended> ended;
        for (u32 sm : running_) {
            u32 round = 0;
            for (u32 slot : sms_[sm].takeEnded())
                ended.push_back({round++, sm, slot});
        }
        std::ranges::sort(ended);
        for (const Ended& block : ended)
            free_.push_back({block.sm, block.slot});
    }

    void start(u32 sm, u32 slot, trace::BlockRequests requests) {
        const u64 warpsBefore = (u64{sm} * machine_.blocksPerSm + slot) * warpsPerBlock_;
        sms_[sm].start({.linear = next_++,
                        .slot = slot,
                        .localLine = kLocalLines + warpsBefore * SmSimulation::kLocalLinesPerWarp,
                        .requests = std::move(requests)},
                       now_, machine_.l1Bytes, rules_.size());
    }

    // Runs on each thread of a turn: the first threads pass on what the previous turn left; then each takes
    // one SM after another.
    void runSms(SmScratch& scratch) {
        for (u32 part; (part = nextPart_.fetch_add(1, std::memory_order_relaxed)) < parts_;)
            passOn(part);
        for (std::size_t mine; (mine = nextRun_.fetch_add(1, std::memory_order_relaxed)) < running_.size();)
            sms_[running_[mine]].run(now_, rules_, scratch, passedOn_[mine]);
    }
    // What the SMs left in a turn for a part of L2, ordered by clock, then by SM.
    void passOn(u32 part) {
        u64 least = ~u64{0}, most = 0;
        std::size_t requests = 0;
        for (PassedOn& ofSm : passedBefore_) {
            const std::vector<L2Request>& left = ofSm.ofPart(part);
            if (left.empty()) continue;
            least = std::min(least, left.front().clock);
            most = std::max(most, left.back().clock);
            requests += left.size();
        }
        if (requests == 0) return;
        auto& [coming, places] = comings_[part];
        places.assign(most - least + 2, 0);
        for (PassedOn& ofSm : passedBefore_)
            for (const L2Request& request : ofSm.ofPart(part))
                ++places[request.clock - least + 1];
        std::partial_sum(places.begin(), places.end(), places.begin());
        coming.resize(requests);
        for (PassedOn& ofSm : passedBefore_) {
            for (const L2Request& request : ofSm.ofPart(part))
                coming[places[request.clock - least]++] = request;
            ofSm.ofPart(part).clear();
        }
        shared_.take(coming, part);
    }

    // For a part of L2 while it processes requests: by clock.
    struct alignas(64) Coming {
        std::vector<L2Request> requests;
        std::vector<u32> places;  // first of a clock, later the next
    };

    Machine machine_;
    u64 blocks_, next_ = 0, now_ = 0;
    u64 turn_ = kTurn;
    std::vector<SiteRule> rules_;
    u32 warpsPerBlock_;
    std::vector<u32> first_;  // SMs of the first blocks
    std::vector<SmSimulation> sms_;
    std::deque<Slot> free_;          // waiting for a block, in the order in which they became free
    std::deque<SmScratch> scratch_;  // one per thread; never moved, because requests point at their lines
    // Of the current turn.
    std::vector<u32> running_;  // SMs
    std::atomic<std::size_t> nextRun_{0};
    std::atomic<u32> nextPart_{0};
    u32 threads_ = 1;
    u32 parts_ = 1;                       // of L2, that they share
    std::vector<PassedOn> passedOn_;      // by the running SMs
    std::vector<PassedOn> passedBefore_;  // in the turn before
    std::array<Coming, kL2Slices> comings_;
    SharedLevels shared_;
};

// The requests of a launch and their simulation: during the run only when many wait, else when the counts are
// read.
class LaunchSimulation {
public:
    LaunchSimulation(const Machine& machine, const Launch& launch, std::vector<SiteRule> rules)
        : blocks_(launch.grid.count()),
          simulation_(machine, blocks_, u32((launch.block.count() + kWarpSize - 1) / kWarpSize),
                      std::move(rules)) {}

    // Blocks arrive from several threads in any order; the thread that exceeds the limit simulates as far as
    // possible, unless another thread already does.
    template <class IsUnwanted> void add(u64 linear, trace::BlockRequests&& requests, IsUnwanted isUnwanted) {
        std::unique_lock lock(mutex_);
        waitingWords_ += roomOf(requests);
        waitingRequests_ += requests.requests;
        waiting_.emplace(linear, std::move(requests));
        for (auto next = waiting_.begin(); next != waiting_.end() && next->first == come_;
             next = waiting_.erase(next), ++come_)
            ready_.push_back(std::move(next->second));
        if (waitingWords_ <= kMostWords) return;
        ended_.wait(lock, [&] { return !running_; });
        if (!isUnwanted()) advance(lock, 1, isUnwanted);  // the other threads have blocks to run
    }
    // Call when all blocks have arrived. None: canceled; isUnwanted(blocks begun) is polled.
    template <class IsUnwanted> std::optional<CacheCounts> finish(u32 threads, IsUnwanted isUnwanted) {
        std::unique_lock lock(mutex_);
        bool unwanted = false;
        advance(lock, waitingRequests_ < kFewRequests ? 1 : threads,
                [&] { return unwanted = isUnwanted(taken_); });
        if (unwanted) return std::nullopt;
        CHECK_EQ(taken_, blocks_, "every block has come");
        return simulation_.counts();
    }
    u64 blocks() const { return blocks_; }

private:
    // Fewer finish before threads could start.
    static constexpr u64 kFewRequests = 4096;

    static u64 roomOf(const trace::BlockRequests& requests) { return requests.words.size() + kWordsPerBlock; }
    // Call with the lock held; released while it runs.
    template <class IsUnwanted>
    void advance(std::unique_lock<std::mutex>& lock, u32 threads, IsUnwanted isUnwanted) {
        running_ = true;
        const u64 come = come_;
        if (taken_ == 0) simulation_.expect(waitingRequests_);
        lock.unlock();
        simulation_.run(
            come, threads,
            [&] {
                const std::scoped_lock inner(mutex_);
                trace::BlockRequests next = std::move(ready_.front());
                ready_.pop_front();
                ++taken_;
                waitingWords_ -= roomOf(next);
                return next;
            },
            isUnwanted);
        lock.lock();
        running_ = false;
        ended_.notify_all();
    }

    u64 blocks_;
    Simulation simulation_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::map<u64, trace::BlockRequests> waiting_;  // that arrived before one of lower number
    std::deque<trace::BlockRequests> ready_;       // in order, from taken_ up to come_
    u64 come_ = 0, taken_ = 0, waitingWords_ = 0;
    u64 waitingRequests_ = 0;
    bool running_ = false;
};

std::vector<SiteRule> rulesOf(const ptx::Module& module, std::span<const trace::RequestSite> sites) {
    std::vector<SiteRule> rules;
    const std::vector<u32> stretches = stretchesOf(module);
    for (const trace::RequestSite& site : sites)
        rules.push_back({site, goesPastL1(module, site), stretches[site.pc.value]});
    return rules;
}

}  // namespace

struct CacheSimulations::State {
    const ptx::Module& module;
    std::span<const Launch> launches;
    Profile profile;
    std::optional<u32> registers;
    u64 mostRequests;
    u32 threads;
    struct OfLaunch {
        std::unique_ptr<LaunchSimulation> simulation;
        bool done = false;
    };
    std::vector<OfLaunch> ofLaunches = std::vector<OfLaunch>(launches.size());
    std::atomic<u64> requests{0};

    class Sink;
};

class CacheSimulations::State::Sink : public trace::RequestSink {
public:
    Sink(State& state, LaunchId launch, std::span<const trace::RequestSite> sites)
        : state_(state), ofLaunch_(state.ofLaunches[launch.value]) {
        const Launch& what = state.launches[launch.value];
        ofLaunch_.simulation =
            std::make_unique<LaunchSimulation>(machineOf(state.module, what, state.profile, state.registers),
                                               what, rulesOf(state.module, sites));
    }
    ~Sink() override {
        if (ofLaunch_.done) return;  // else the launch restarts with its own sink
        state_.requests -= requests_;
        ofLaunch_.simulation.reset();
    }

    void blockDone(u64 linear, trace::BlockRequests&& requests) override {
        requests_ += requests.requests;
        const u64 together = state_.requests += requests.requests;
        if (together <= state_.mostRequests)
            ofLaunch_.simulation->add(linear, std::move(requests),
                                      [&] { return isFull() || isRunStopped(); });
    }
    void launchDone() override { ofLaunch_.done = true; }
    bool isFull() const override {
        return state_.requests.load(std::memory_order_relaxed) > state_.mostRequests;
    }

private:
    State& state_;
    OfLaunch& ofLaunch_;
    std::atomic<u64> requests_{0};
};

CacheSimulations::CacheSimulations(const ptx::Module& module, std::span<const Launch> launches,
                                   const Profile& profile, u64 mostRequests,
                                   std::optional<u32> registersPerThread, u32 threads)
    : state_(std::make_unique<State>(module, launches, profile, registersPerThread, mostRequests,
                                     threads ? threads : std::max(1u, std::thread::hardware_concurrency()))) {
}
CacheSimulations::~CacheSimulations() = default;

trace::RequestSinkMaker CacheSimulations::sinkMaker() {
    if (!state_->profile.caches) return nullptr;
    return [this](LaunchId launch, std::span<const trace::RequestSite> sites) {
        return std::make_unique<State::Sink>(*state_, launch, sites);
    };
}

u64 CacheSimulations::requests() const {
    return state_->requests > state_->mostRequests ? 0 : state_->requests.load();
}

std::optional<CacheCounts> CacheSimulations::counts(const std::atomic<bool>* cancelled,
                                                    const std::function<void(u64 done, u64 total)>& told) {
    if (state_->requests > state_->mostRequests || state_->ofLaunches.empty()) return std::nullopt;
    const auto started = std::chrono::steady_clock::now();
    if (!std::ranges::all_of(state_->ofLaunches, &State::OfLaunch::done)) return std::nullopt;
    u64 total = 0, before = 0;
    for (const State::OfLaunch& launch : state_->ofLaunches)
        total += launch.simulation->blocks();
    const auto isUnwanted = [&](u64 begun) {
        if (told) told(before + begun, total);
        return cancelled && *cancelled;
    };
    CacheCounts sum;
    for (const State::OfLaunch& launch : state_->ofLaunches) {
        const std::optional<CacheCounts> counts = launch.simulation->finish(state_->threads, isUnwanted);
        if (!counts) return std::nullopt;
        sum.add(*counts);
        before += launch.simulation->blocks();
    }
    sum.seconds = std::chrono::duration<f64>(std::chrono::steady_clock::now() - started).count();
    return sum;
}

}  // namespace lockstep::model
