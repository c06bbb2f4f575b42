#include "model/cache_simulation.h"

#include "base/check.h"
#include "model/block_dealing.h"
#include "model/l2_cache.h"
#include "model/occupancy.h"
#include "model/request_lines.h"
#include "model/request_merging.h"
#include "model/sm_simulation.h"
#include "ptx/shared_layout.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace lockstep::model {
namespace {

using trace::AccessKind;

// How long multiprocessors run for themselves before the others catch up, in lookups of L1.
constexpr u64 kTurn = 256;
// Words of blocks that may wait to be simulated, and what a warp takes besides.
constexpr u64 kMostWords = 4u << 20, kWordsPerWarp = 6;
constexpr u64 kLocalLines = u64{1} << 46, kLocalLinesPerWarp = 1u << 18;
// Of machine code, for an instruction of PTX: CUDA Binary Utilities, "Instruction Set Reference" (128 bits since cc 7.0), and about one
// for each of PTX.
constexpr u64 kInstructionBytes = 16;
constexpr u64 kSectorBytes = 32;

// Of the four of a line.
u32 count(u32 sectors) {
    constexpr std::array<u8, 16> kCounts{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return kCounts[sectors];
}

// Figures of a launch on a device.
struct Machine {
    const CacheFigures* figures = nullptr;
    u32 sms = 1, blocksPerSm = 1;
    u64 l1Bytes = 0, codeSectors = 0;
};

Machine machineOf(const ptx::Module& module, const Launch& launch, const Profile& profile, std::optional<u32> registers) {
    Machine machine{.figures = &*profile.caches, .sms = profile.multiprocessors};
    const ptx::Function* entry = module.findEntry(launch.entry);
    CHECK(entry, "the launch has started");
    const u64 shared = ptx::sharedLayout(module, *entry, launch.dynamicSharedBytes).totalBytes;
    BlockNeeds needs{.threads = launch.block.count(), .sharedBytes = shared, .registersPerThread = registers, .gridBlocks = ~u64{0}};
    machine.blocksPerSm = std::max(occupancy(needs, profile).blocksPerSm, 1u);
    needs.sharedBytes = 0;
    BlockNeeds withoutShared = needs;
    const u64 unit = profile.sharedAllocationUnit;
    const u64 allocated = (shared + profile.sharedReservedPerBlock + unit - 1) / unit * unit;
    const u32 warpsAllow = std::min(occupancy(withoutShared, profile).blocksPerSm, profile.blocksPerSm);
    const u64 split = sharedSplit(allocated, shared > 0, u32(launch.block.count()), warpsAllow, machine.blocksPerSm, profile.blocksPerSm, *machine.figures);
    machine.l1Bytes = machine.figures->unifiedBytes - std::min(split + machine.figures->unusedBytes, machine.figures->unifiedBytes);
    u64 instructions = 0;
    for (const ptx::Function& function : module.functions)
        if (&function == entry || !function.isEntry) instructions += function.end.value - function.first.value;
    machine.codeSectors = instructions * kInstructionBytes / kSectorBytes;
    return machine;
}

// What a site's requests do in L1.
struct SiteRule {
    trace::RequestSite site;
    bool pastL1 = false;  // loads that L1 neither answers nor keeps
    u32 stretch = 0;      // of the code (Storer)
};

// A new stretch begins at each branch target and behind whatever takes long: a barrier, a call, a division, a load from memory, an atomic.
std::vector<u32> stretchesOf(const ptx::Module& module) {
    std::vector<u32> stretches(module.instructions.size());
    std::vector<bool> begins(stretches.size() + 1);
    for (const ptx::Function& function : module.functions)
        for (const ptx::BasicBlock& block : function.blocks)
            if (block.first.value < begins.size()) begins[block.first.value] = true;
    for (u32 pc = 0, stretch = 0; pc < stretches.size(); ++pc) {
        stretch += begins[pc];
        stretches[pc] = stretch;
        const std::string_view name = module.instructions[pc].name;
        for (std::string_view slow : {"bar", "call", "div", "rem", "sqrt", "ld.global", "ld.local", "ld.volatile", "atom", "membar", "fence"})
            if (name.starts_with(slow) && name.find(".approx") == std::string_view::npos) begins[pc + 1] = true;
    }
    return stretches;
}

// Measured on an H200 (tests/data/caches/README.md): volatile, .cg and stronger loads are not answered by L1.
bool goesPastL1(const ptx::Module& module, const trace::RequestSite& site) {
    if (site.pc.value >= module.instructions.size()) return false;
    if (site.kind == AccessKind::AsyncCopy && site.widthBytes == 16) return true;  // PTX ISA: cp.async.cg, the form of 16 bytes
    const std::string_view name = module.at(site.pc).name;
    for (std::string_view strong : {".cg", ".cv", ".volatile", ".relaxed", ".acquire", ".mmio"})
        if (name.find(strong) != std::string_view::npos) return true;
    return false;
}

// The machine at one launch. Requests of an SM come in an order of our own: of the warps that may go on, one after another in a fixed
// disorder, the same on every SM.
class Simulation {
public:
    Simulation(const Machine& machine, u64 blocks, u32 warpsPerBlock, std::vector<SiteRule> rules)
        : machine_(machine), blocks_(blocks), rules_(std::move(rules)), l2_(*machine.figures),
          merging_(clusters(*machine.figures), machine.figures->mergedRequests), warpsPerBlock_(warpsPerBlock) {
        first_ = dealBlocks(blocks, machine.sms, machine.blocksPerSm, machine.figures->groups);
        sms_.assign(machine.sms, SmSimulation(machine.blocksPerSm));
        for (const SmGroup& group : machine.figures->groups)
            for (u32 sm : group.sms) sms_[sm].cluster = group.cluster;
        counts_.l1Bytes = machine.l1Bytes;
        counts_.dramReads = machine.figures->launchSectors + machine.codeSectors;
    }

    // Runs as far as the blocks that have come allow. come: the blocks from 0 up to here have.
    template <class Take> void run(u64 come, Take take) {
        if (next_ == 0) {
            if (come < first_.size()) return;
            std::vector<u32> slots(sms_.size());
            for (u32 sm : first_) start(sms_[sm], slots[sm]++, take(next_));
        }
        for (;;) {
            while (!free_.empty() && next_ < blocks_) {
                if (next_ >= come) return;
                const auto [sm, slot] = free_.front();
                free_.erase(free_.begin());
                start(sms_[sm], slot, take(next_));
            }
            bool anyone = false;
            now_ += kTurn;
            for (u32 sm = 0; sm < sms_.size(); ++sm) {
                if (sms_[sm].ready.empty()) continue;
                anyone = true;
                runSm(sm);
            }
            if (!anyone) return;
        }
    }

    CacheCounts counts() const {
        CacheCounts counts = counts_;
        const L2Cache::Counts& l2 = l2_.counts();
        counts.l2ReadsLeast = l2.distinctReads;
        counts.l2ReadHits = l2.readHits;
        counts.l2ReadMisses = l2.readMisses;
        counts.dramReads += l2.dramReads;
        counts.dramWrites += l2.dramWrites;
        return counts;
    }

private:
    static u32 clusters(const CacheFigures& figures) {
        u32 most = 0;
        for (const SmGroup& group : figures.groups) most = std::max(most, group.cluster);
        return most + 1;
    }

    void start(SmSimulation& sm, u32 slot, trace::BlockRequests requests) {
        if (!sm.l1) sm.l1.emplace(machine_.l1Bytes);
        ResidentBlock& block = sm.blocks[slot];
        block.linear = next_++;
        block.shapes = std::move(requests.shapes);
        block.warps.resize(warpsPerBlock_);
        block.running = u32(requests.warps.size());
        block.waiting = 0;
        for (u32 warp = 0; warp < requests.warps.size(); ++warp) {
            ResidentWarp& at = block.warps[warp];
            at.reader.begin(std::move(requests.warps[warp]), rules_.size());
            at.slot = slot;
            at.number = warp;
            at.waits = false;
            at.localLine = kLocalLines + (u64(&sm - sms_.data()) * machine_.blocksPerSm * warpsPerBlock_ + u64{slot} * warpsPerBlock_ + warp) * kLocalLinesPerWarp;
            sm.ready.push_back(&at);
        }
        sm.clock = std::max(sm.clock, now_);
    }

    void runSm(u32 number) {
        SmSimulation& sm = sms_[number];
        while (sm.clock < now_ && !sm.ready.empty()) {
            sm.random = sm.random * 6364136223846793005u + 1442695040888963407u;  // Knuth, MMIX
            const std::size_t pick = (sm.random >> 32) * sm.ready.size() >> 32;
            ResidentWarp& warp = *sm.ready[pick];
            const trace::RequestReader::Item item = warp.reader.next();
            using enum trace::RequestReader::Kind;
            switch (item.kind) {
                case Request: {
                    const SiteRule& rule = rules_[item.site];
                    const u64 first = rule.site.local ? warp.localLine + item.address / 4 : item.address / 128;
                    const std::span<const trace::LineSectors> lines = lines_.of(*item.shape, item.address, rule.site);
                    for (const trace::LineSectors& line : lines) look(sm, rule, item.site, warp, first + line.line, line);
                    sm.clock += lines.size();
                    ++counts_.requests;
                    break;
                }
                case Lines: {
                    const SiteRule& rule = rules_[item.site];
                    for (std::size_t i = 0; i < item.lines.size() / 2; ++i) {
                        const trace::LineSectors line = trace::RequestReader::unpackLine(item.lines, i);
                        look(sm, rule, item.site, warp, (rule.site.local ? warp.localLine : 0) + line.line, line);
                    }
                    sm.clock += item.lines.size() / 2;
                    ++counts_.requests;
                    break;
                }
                case Fence: sm.l1->clear(); break;
                case Barrier:
                    warp.waits = true;
                    leave(sm, pick);
                    ++sm.blocks[warp.slot].waiting;
                    meet(sm, sm.blocks[warp.slot]);
                    break;
                case End:
                    leave(sm, pick);
                    if (ResidentBlock& block = sm.blocks[warp.slot]; --block.running == 0) free_.emplace_back(number, warp.slot);
                    else meet(sm, block);
                    break;
            }
        }
    }

    static void leave(SmSimulation& sm, std::size_t pick) {
        sm.ready[pick] = sm.ready.back();
        sm.ready.pop_back();
    }
    static void meet(SmSimulation& sm, ResidentBlock& block) {
        if (block.waiting < block.running) return;
        block.waiting = 0;
        for (ResidentWarp& warp : block.warps)
            if (std::exchange(warp.waits, false)) sm.ready.push_back(&warp);
    }

    void look(SmSimulation& sm, const SiteRule& rule, u32 site, const ResidentWarp& warp, u64 line, const trace::LineSectors& part) {
        const u32 sectors = part.sectors;
        switch (rule.site.kind) {
            case AccessKind::Load:
            case AccessKind::AsyncCopy: {
                const u32 hits = rule.pastL1 ? 0 : sm.l1->load(line, sectors);
                (rule.site.local ? counts_.localLoads : counts_.loads) += count(sectors);
                (rule.site.local ? counts_.localLoadHits : counts_.loadHits) += count(hits);
                if (hits != sectors) readL2(sm, line, sectors & ~hits);
                break;
            }
            case AccessKind::Store: {
                const u32 hits = sm.l1->store(line, sectors, rule.site.local ? sectors : part.whole());  // others' bytes of local memory are of no use
                (rule.site.local ? counts_.localStores : counts_.stores) += count(sectors);
                if (!rule.site.local) counts_.storeHits += count(hits);
                const Storer who{.block = sm.blocks[warp.slot].linear, .warp = warp.number, .site = site, .stretch = rule.stretch};
                counts_.l2Writes += count(rule.site.local ? sectors : sm.stores.add(line, sectors, who, sm.clock));
                counts_.l2WritesMost += count(sectors);
                l2_.store(line, sectors, part.words);
                break;
            }
            case AccessKind::Atomic:
            case AccessKind::Reduction:
                (rule.site.kind == AccessKind::Atomic ? counts_.atomics : counts_.reductions) += count(sectors);
                sm.l1->drop(line, sectors);
                l2_.atomic(line, sectors);
                break;
        }
    }

    void readL2(SmSimulation& sm, u64 line, u32 sectors) {
        counts_.l2ReadsMost += count(sectors);
        if (merging_.joins(sm.cluster, line, sectors, sm.clock)) return;
        counts_.l2Reads += count(sectors);
        l2_.read(line, sectors);
    }

    Machine machine_;
    u64 blocks_, next_ = 0, now_ = 0;
    std::vector<SiteRule> rules_;
    std::vector<u32> first_;                           // SMs of the first blocks
    std::vector<SmSimulation> sms_;
    std::vector<std::pair<u32, u32>> free_;            // slots of SMs that wait for a block, in the order in which they became free
    RequestLines lines_;
    L2Cache l2_;
    RequestMerging merging_;
    u32 warpsPerBlock_;
    CacheCounts counts_;
};

// The requests of a launch, and what is simulated of them: only when many wait, else when the counts are wanted.
class LaunchSimulation {
public:
    LaunchSimulation(const Machine& machine, const Launch& launch, std::vector<SiteRule> rules)
        : blocks_(launch.grid.count()),
          simulation_(machine, blocks_, u32((launch.block.count() + kWarpSize - 1) / kWarpSize), std::move(rules)) {}

    // Blocks come from several threads in any order; whoever brings one too many simulates what has become possible, if nobody does already.
    void add(u64 linear, trace::BlockRequests&& requests) {
        u64 words = 0;
        for (const std::vector<u64>& warp : requests.warps) words += warp.size() + kWordsPerWarp;
        std::unique_lock lock(mutex_);
        waitingWords_ += words;
        waiting_.emplace(linear, std::move(requests));
        for (auto next = waiting_.begin(); next != waiting_.end() && next->first == come_; next = waiting_.erase(next), ++come_)
            ready_.push_back(std::move(next->second));
        if (waitingWords_ <= kMostWords) return;
        ended_.wait(lock, [&] { return !running_; });
        advance(lock);
    }
    // All blocks have come.
    CacheCounts finish() {
        std::unique_lock lock(mutex_);
        advance(lock);
        CHECK(taken_ == blocks_, "every block has come");
        return simulation_.counts();
    }

private:
    // With the lock held, which it gives up meanwhile.
    void advance(std::unique_lock<std::mutex>& lock) {
        running_ = true;
        const u64 come = come_;
        lock.unlock();
        simulation_.run(come, [&](u64) {
            const std::scoped_lock inner(mutex_);
            trace::BlockRequests next = std::move(ready_.front());
            ready_.pop_front();
            ++taken_;
            for (const std::vector<u64>& warp : next.warps) waitingWords_ -= warp.size() + kWordsPerWarp;
            return next;
        });
        lock.lock();
        running_ = false;
        ended_.notify_all();
    }

    u64 blocks_;
    Simulation simulation_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::map<u64, trace::BlockRequests> waiting_;   // that came before one of lower number
    std::deque<trace::BlockRequests> ready_;        // in order, from taken_ up to come_
    u64 come_ = 0, taken_ = 0, waitingWords_ = 0;
    bool running_ = false;
};

std::vector<SiteRule> rulesOf(const ptx::Module& module, std::span<const trace::RequestSite> sites) {
    std::vector<SiteRule> rules;
    const std::vector<u32> stretches = stretchesOf(module);
    for (const trace::RequestSite& site : sites) rules.push_back({site, goesPastL1(module, site), stretches[site.pc.value]});
    return rules;
}

}  // namespace

struct CacheSimulations::State {
    const ptx::Module& module;
    std::span<const Launch> launches;
    Profile profile;
    std::optional<u32> registers;
    u64 mostRequests;
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
    Sink(State& state, LaunchId launch, std::span<const trace::RequestSite> sites) : state_(state), ofLaunch_(state.ofLaunches[launch.value]) {
        const Launch& what = state.launches[launch.value];
        ofLaunch_.simulation = std::make_unique<LaunchSimulation>(machineOf(state.module, what, state.profile, state.registers), what, rulesOf(state.module, sites));
    }
    ~Sink() override {
        if (ofLaunch_.done) return;  // else the launch begins anew, with a sink of its own
        state_.requests -= requests_;
        ofLaunch_.simulation.reset();
    }

    void blockDone(u64 linear, trace::BlockRequests&& requests) override {
        requests_ += requests.requests;
        if ((state_.requests += requests.requests) <= state_.mostRequests) ofLaunch_.simulation->add(linear, std::move(requests));
    }
    void launchDone() override { ofLaunch_.done = true; }
    bool isFull() const override { return state_.requests.load(std::memory_order_relaxed) > state_.mostRequests; }

private:
    State& state_;
    OfLaunch& ofLaunch_;
    std::atomic<u64> requests_{0};
};

CacheSimulations::CacheSimulations(const ptx::Module& module, std::span<const Launch> launches, const Profile& profile, u64 mostRequests,
                                   std::optional<u32> registersPerThread)
    : state_(std::make_unique<State>(module, launches, profile, registersPerThread, mostRequests)) {}
CacheSimulations::~CacheSimulations() = default;

trace::RequestSinkMaker CacheSimulations::sinkMaker() {
    if (!state_->profile.caches) return nullptr;
    return [this](LaunchId launch, std::span<const trace::RequestSite> sites) {
        return std::make_unique<State::Sink>(*state_, launch, sites);
    };
}

std::optional<CacheCounts> CacheSimulations::counts() {
    if (state_->requests > state_->mostRequests || state_->ofLaunches.empty()) return std::nullopt;
    const auto started = std::chrono::steady_clock::now();
    CacheCounts sum;
    for (State::OfLaunch& launch : state_->ofLaunches) {
        if (!launch.done) return std::nullopt;
        sum.add(launch.simulation->finish());
    }
    sum.seconds = std::chrono::duration<f64>(std::chrono::steady_clock::now() - started).count();
    return sum;
}

}  // namespace lockstep::model
