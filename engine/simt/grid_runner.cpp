#include "simt/grid_runner.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <thread>

namespace lockstep::simt {
namespace {

// Memory for blocks that wait while others run, and a limit on their number: more than can be resident on an
// H200 (132 * 32).
constexpr u64 kResidentBytes = 48u << 20;
constexpr u64 kMostResident = 4224;
// How often a block may have to wait before the launch restarts with blocks in order.
constexpr u32 kPatience = 64;

// Memory for all recorded blocks of a launch together. Split evenly, so that their order does not matter.
constexpr u64 kRecordedBytes = u64{1} << 30;

using trace::GlobalShadow;

std::vector<GlobalShadow::BufferSpec> bufferSpecs(const LaunchPlan& plan) {
    std::vector<GlobalShadow::BufferSpec> specs;
    for (const Allocation& allocation : plan.device.allocations()) {
        if (const LastingMemory* const lasting = plan.options.memory) {
            const trace::BufferHabit habit =
                specs.size() < lasting->habits.size() ? lasting->habits[specs.size()] : trace::BufferHabit();
            specs.push_back({.base = allocation.base,
                             .sizeBytes = allocation.bytes,
                             .elementBytes = habit.elementBytes,
                             .index = allocation.buffer,
                             .keeps = habit.keeps});
            continue;
        }
        const u32 elementBytes =
            allocation.isWorkspace ? 4u
            : allocation.isHeap    ? 1u
            : allocation.buffer >= 0
                ? info(plan.buffers[u32(allocation.buffer)].type).bytes
                : std::max(1u, ptx::bytesOf(plan.program.module->variables[allocation.variable].type));
        specs.push_back({.base = allocation.base,
                         .sizeBytes = allocation.bytes,
                         .elementBytes = std::min(elementBytes, 4u),
                         .index = allocation.buffer});
    }
    return specs;
}

// Do they probably read what other blocks wrote? Then there are fences, or accesses that are strong.
bool blocksSynchronize(const Program& program) {
    return std::ranges::any_of(program.ops, [&](const Op& op) {
        const bool isAccess =
            op.kind == OpKind::Load || op.kind == OpKind::Store || op.kind == OpKind::Atomic;
        return op.kind == OpKind::Fence ||
               (isAccess && program.memory[op.aux].strength.ordering != trace::Ordering::Weak);
    });
}

// One host thread's state besides its resident blocks.
struct Worker {
    Tally tally;
    trace::PatternCounter counter;
    trace::FindingCollector findings;
    std::vector<std::pair<u64, trace::FocusBlock>> focus;
    std::vector<trace::BlockDigest> digests;  // of a sample
    KernelOutput output;

    Worker(const LaunchPlan& plan, trace::PatternTable& patterns)
        : tally(plan.program), counter(patterns), findings(plan.options.mostFindings, plan.shape.block) {}
};

std::vector<trace::RequestSite> requestSites(const Program& program) {
    std::vector<trace::RequestSite> sites;
    for (const Site& site : program.sites)
        for (bool local : {false, true})
            sites.push_back(
                {.pc = Pc{site.pc}, .kind = site.kind, .widthBytes = site.widthBytes, .local = local});
    return sites;
}

void write(const PrintedText& output, std::string* to) {
    if (to) {
        *to += output.text;
        return;
    }
    std::fwrite(output.text.data(), 1, output.text.size(), stderr);
    if (output.dropped)
        std::fprintf(stderr, "\n[%llu more bytes were printed; a launch keeps the first %zu]\n",
                     (unsigned long long)(output.dropped), PrintedText::kMostBytes);
}

bool isRecorded(const LaunchPlan& plan, u64 block) {
    return plan.options.events && (plan.focusAll || std::ranges::binary_search(plan.focus, block));
}

// The blocks to run, in ascending order.
struct BlockList {
    const trace::SampleBox* box = nullptr;  // null: all
    u64 begin = 0, end = 0;                 // of the box's, or of all

    u64 size() const { return end - begin; }
    u64 operator[](u64 index) const { return box ? box->blocks[begin + index] : index; }
};

u64 blocksOf(const LaunchPlan& plan) {
    if (plan.sample.empty()) return plan.shape.grid.count();
    u64 blocks = 0;
    for (const trace::SampleBox& box : plan.sample)
        blocks += box.blocks.size();
    return blocks;
}

u64 bytesPerRecord(const LaunchPlan& plan) {
    const u64 records = plan.focusAll ? blocksOf(plan) : plan.focus.size();
    return std::min<u64>(trace::BlockRecorder::kMostBytes, kRecordedBytes / std::max<u64>(records, 1));
}

// A running block.
class Resident {
public:
    // sink: of requests; may be null. box, shared: see BlockDigester; without a box blocks are not digested.
    Resident(const LaunchPlan& plan, Worker& worker, GlobalShadow& shadow, trace::RequestSink* sink,
             Snapshot* snapshot, bool concurrent, const trace::SampleBox* box,
             std::span<const trace::AddressRange> shared)
        : plan_(plan),
          worker_(worker),
          sink_(sink),
          box_(box),
          shared_(shared),
          snapshot_(snapshot),
          runner_(plan.program, plan.device, plan.shape, worker.tally, plan.stop, concurrent),
          sharedShadow_(LaunchId{plan.shape.launch}, plan.shape.block),
          globalShadow_(shadow, worker.findings) {}

    void begin(u64 linear) {
        linear_ = linear;
        const bool races = plan_.options.races;
        Observers observers{.counter = plan_.options.counts ? &worker_.counter : nullptr,
                            .sharedShadow = races && plan_.program.sharedBytes ? &sharedShadow_ : nullptr,
                            .globalShadow = races ? &globalShadow_ : nullptr,
                            .recorder = nullptr,
                            .findings = &worker_.findings,
                            .snapshot = snapshot_,
                            .requests = nullptr,
                            .listener = nullptr,
                            .progress = plan_.options.progress};
        if (sink_ && !sink_->isFull()) {
            if (!requests_)
                requests_.emplace(*sink_, 2 * plan_.program.sites.size(),
                                  (plan_.shape.block.count() + kWarpSize - 1) / kWarpSize);
            requests_->beginBlock();
            observers.requests = &*requests_;
        } else {
            requests_.reset();
        }
        recorder_.reset();
        const bool isDigested = box_ != nullptr;
        isKept_ = isRecorded(plan_, linear);
        if (isKept_ || isDigested) {
            recorder_.emplace(LaunchId{plan_.shape.launch}, coordinatesOf(linear, plan_.shape.grid),
                              u32(plan_.shape.block.count()),
                              isKept_ ? bytesPerRecord(plan_) : trace::BlockRecorder::kMostBytes,
                              isKept_ ? room_ : trace::RecorderRoom{.steps = 0, .accesses = 0});
            observers.recorder = &*recorder_;
        }
        if (isDigested) {
            digester_.beginBlock(u32((plan_.shape.block.count() + kWarpSize - 1) / kWarpSize), shared_, *box_,
                                 coordinatesOf(linear, plan_.shape.grid));
            recorder_->digest(digester_, isKept_);
        }
        if (observers.progress) observers.progress->begun.fetch_add(1, std::memory_order_relaxed);
        runner_.begin(Block{u32(linear)}, observers, plan_.watch);
    }

    BlockRunner::Outcome run() {
        worker_.counter.beginBlock(Block{u32(linear_)});
        const BlockRunner::Outcome outcome = runner_.run();
        if (outcome == BlockRunner::Outcome::Done && box_)
            worker_.digests.push_back(digester_.finish(recorder_->full()));
        if (outcome != BlockRunner::Outcome::Waits) finish();
        // A block that ends before it is asked.
        if (outcome == BlockRunner::Outcome::Done && plan_.watch && plan_.watch->ends(runner_.issued()))
            return BlockRunner::Outcome::Stopped;
        if (outcome == BlockRunner::Outcome::Done && requests_)
            sink_->blockDone(linear_, requests_->finishBlock());
        return outcome;
    }
    u64 bytes() const { return runner_.bytes(); }
    u64 steps() const { return runner_.issued(); }

    // Reserves for the record of a block like the last one. Unused pages are never touched.
    trace::RecorderRoom roomLikeLast() const {
        constexpr u64 kMostSteps = 1 << 16, kValueBytes = 64;  // of a typical access
        const u64 warps = (plan_.shape.block.count() + kWarpSize - 1) / kWarpSize,
                  steps = std::min(runner_.issued() / warps, kMostSteps);
        return {.steps = steps, .accesses = steps, .valueBytes = steps * kValueBytes};
    }
    void giveRoom(const trace::RecorderRoom& room) { room_ = room; }

private:
    void finish() {
        if (recorder_ && isKept_) {
            worker_.focus.emplace_back(linear_, std::move(*recorder_).finish());
            room_ = {};
            for (const trace::WarpTrace& warp : worker_.focus.back().second.warps)
                room_ = {std::max(room_.steps, warp.steps.size()),
                         std::max(room_.accesses, warp.accesses.size()),
                         std::max(room_.valueBytes, warp.valuePool.size())};
        }
        recorder_.reset();
        runner_.moveOutputTo(worker_.output);
    }

    const LaunchPlan& plan_;
    Worker& worker_;
    trace::RequestSink* sink_;
    const trace::SampleBox* box_;
    std::span<const trace::AddressRange> shared_;
    Snapshot* snapshot_;
    BlockRunner runner_;
    trace::SharedShadow sharedShadow_;
    trace::GlobalBlockShadow globalShadow_;
    std::optional<trace::BlockRecorder> recorder_;
    bool isKept_ = false;  // what it records
    trace::BlockDigester digester_;
    trace::RecorderRoom room_;
    std::optional<trace::RequestRecorder> requests_;
    u64 linear_ = 0;
};

void blockDone(const LaunchPlan& plan, u64 steps) {
    Progress* const progress = plan.options.progress;
    if (!progress) return;
    progress->stepsOfDone.fetch_add(steps, std::memory_order_relaxed);
    progress->done.fetch_add(1, std::memory_order_relaxed);
}

// Blocks that are counted together, and who runs them.
struct Pass {
    BlockList blocks;
    bool isFirst = false;  // of a box, its first block alone
    trace::PatternTable patterns;
    std::vector<Worker> workers;  // in order one, else those of the recorded blocks behind the others
    std::unique_ptr<trace::RequestSink> sink;
    std::vector<trace::AddressRange> shared;  // see BlockDigester

    Pass(const LaunchPlan& plan, const BlockList& list, u32 workerCount)
        : blocks(list),
          patterns(
              u32(plan.program.sites.size()),
              plan.options.overflowCost ? plan.options.overflowCost
                                        : [](const trace::WarpAccess&) { return trace::AccessCost{}; }) {
        workers.reserve(workerCount);
        for (u32 i = 0; i < workerCount; ++i)
            workers.emplace_back(plan, patterns);
    }
};

// In ascending order; when a block waits, the next one starts.
void runInOrder(const LaunchPlan& plan, Pass& pass, GlobalShadow& shadow, Snapshot& snapshot) {
    const u64 blocks = pass.blocks.size();
    std::vector<std::unique_ptr<Resident>> resident, idle;
    u64 next = 0, mostResident = 1;
    const auto start = [&] {
        if (idle.empty()) {
            idle.push_back(std::make_unique<Resident>(plan, pass.workers[0], shadow, pass.sink.get(),
                                                      &snapshot, false, pass.blocks.box, pass.shared));
            mostResident = plan.options.cooperative
                               ? blocks
                               : std::clamp<u64>(kResidentBytes / std::max<u64>(idle.back()->bytes(), 1), 2,
                                                 kMostResident);
        }
        resident.push_back(std::move(idle.back()));
        idle.pop_back();
        resident.back()->begin(pass.blocks[next++]);
    };
    const bool meet = plan.options.cooperative && plan.program.usesWorkspace;  // all wait for all
    while ((next < blocks || !resident.empty()) && !shadow.isDoomed()) {
        bool anyDone = false;
        while (next < blocks && (resident.empty() || meet))
            start();
        for (std::size_t i = 0; i < resident.size();) {
            switch (resident[i]->run()) {
                case BlockRunner::Outcome::Stopped: return;
                case BlockRunner::Outcome::Waits: ++i; break;
                case BlockRunner::Outcome::Done:
                    anyDone = true;
                    blockDone(plan, resident[i]->steps());
                    idle.push_back(std::move(resident[i]));
                    resident.erase(resident.begin() + std::ptrdiff_t(i));
            }
        }
        if (!anyDone && next < blocks && resident.size() < mostResident) start();
    }
}

// Each free worker takes the next block. The few recorded blocks run early, because they take longer and
// should not finish last: after the worker's first block, which shows how much they will do. They are counted
// by a worker of their own, so that each worker sees its blocks in ascending order. False: the blocks depend
// on each other.
bool runAtOnce(const LaunchPlan& plan, Pass& pass, GlobalShadow& shadow, Snapshot& snapshot) {
    const std::span<Worker> workers = std::span(pass.workers).first(pass.workers.size() / 2),
                            recordingWorkers = std::span(pass.workers).last(workers.size());
    trace::RequestSink* const sink = pass.sink.get();
    const u64 blocks = pass.blocks.size();
    // Of a sample all blocks are watched closely, so that the recorded ones hardly take longer.
    const bool recordedFirst = plan.options.events && !plan.focusAll && plan.sample.empty();
    std::atomic<u64> nextRecorded{0}, next{0};
    std::atomic<bool> dependent{false};
    const auto runBlock = [&](Resident& resident, u64 block) {  // false: no more blocks
        if (dependent.load(std::memory_order_relaxed) || shadow.isDoomed())
            return false;  // this run has to restart
        resident.begin(block);
        BlockRunner::Outcome outcome = resident.run();
        for (u32 tries = 0; outcome == BlockRunner::Outcome::Waits; ++tries) {
            if (tries == kPatience || shadow.conflict()) {
                dependent = true;
                return false;
            }
            outcome = resident.run();
        }
        if (outcome == BlockRunner::Outcome::Stopped) return false;
        blockDone(plan, resident.steps());
        if (shadow.conflict()) dependent = true;
        return true;
    };
    const auto work = [&](Worker& worker, Worker& recordingWorker) {
        const bool concurrent = workers.size() > 1;
        const auto record = [&](const trace::RecorderRoom& room) {  // false: no more blocks
            std::optional<Resident> resident;
            for (u64 i; (i = nextRecorded.fetch_add(1, std::memory_order_relaxed)) < plan.focus.size();) {
                if (!resident)
                    resident
                        .emplace(plan, recordingWorker, shadow, sink, &snapshot, concurrent, nullptr,
                                 std::span<const trace::AddressRange>())
                        .giveRoom(room);
                if (!runBlock(*resident, plan.focus[i])) return false;
            }
            return true;
        };
        Resident resident(plan, worker, shadow, sink, &snapshot, concurrent, pass.blocks.box, pass.shared);
        bool hasRecorded = !recordedFirst;
        for (u64 i; (i = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
            const u64 block = pass.blocks[i];
            if (recordedFirst && isRecorded(plan, block)) continue;
            if (!runBlock(resident, block)) return;
            if (!hasRecorded && !record(resident.roomLikeLast())) return;
            hasRecorded = true;
        }
        if (!hasRecorded) record({});
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < workers.size(); ++i)
        threads.emplace_back(work, std::ref(workers[i]), std::ref(recordingWorkers[i]));
    work(workers[0], recordingWorkers[0]);
    for (std::thread& thread : threads)
        thread.join();
    return !dependent;
}

// The buffers that the launch both reads and writes, as far as an earlier attempt has shown.
std::vector<trace::AddressRange> sharedRanges(const LaunchPlan& plan, const GlobalShadow& shadow) {
    std::vector<trace::AddressRange> ranges;
    const std::span<const Allocation> allocations = plan.device.allocations();
    for (u32 i = 0; i < allocations.size(); ++i)
        if (shadow.isReadAndWritten(i))
            ranges.push_back({allocations[i].base, allocations[i].base + allocations[i].bytes});
    return ranges;
}

// What is still to be gathered of all passes.
struct Gathered {
    LaunchOutcome outcome;
    std::vector<std::pair<u64, trace::FocusBlock>> focus;
};

trace::GridCounts gather(const LaunchPlan& plan, Pass& pass, Gathered& into) {
    std::vector<trace::PatternCounter*> counters;
    for (Worker& worker : pass.workers) {
        if (&worker != &pass.workers[0]) pass.workers[0].tally.add(worker.tally);
        counters.push_back(&worker.counter);
        std::ranges::move(worker.focus, std::back_inserter(into.focus));
        into.outcome.findings.push_back(std::move(worker.findings));
    }
    const KernelOutput& output = pass.workers[0].output;  // kernels that print run in order
    write(output.printed, plan.options.printed);
    write(output.assertions, plan.options.assertions ? plan.options.assertions : plan.options.printed);
    trace::GridCounts counts;
    pass.workers[0].tally.fill(plan.program, counts);
    into.outcome.followed += pass.workers[0].tally.followed;
    if (plan.options.counts) counts.sites = trace::mergePatterns(pass.patterns, counters);
    return counts;
}

// Adds what the pass has run of its box.
void addTo(SampledBox& box, const Pass& pass, trace::GridCounts counts, bool& communicates) {
    trace::addCounts(box.counts, counts);
    if (pass.isFirst) box.ofFirst = std::move(counts);
    for (const Worker& worker : pass.workers)
        for (const trace::BlockDigest& digest : worker.digests) {
            if (box.ran++ == 0) box.digest = digest.value;
            box.tooLong |= digest.tooLong;
            communicates |= digest.readsOthers;
            box.alike &= digest.value == box.digest;
        }
}

class LaunchRun {
public:
    explicit LaunchRun(const LaunchPlan& plan)
        : plan_(plan),
          inOrder_(plan.options.sequential || plan.program.mustRunInOrder),
          shadow_(LaunchId{plan.shape.launch}, plan.shape.grid, plan.shape.block,
                  u32(plan.program.module->instructions.size()), bufferSpecs(plan),
                  inOrder_ ? GlobalShadow::Mode::Sequential : GlobalShadow::Mode::Parallel,
                  !blocksSynchronize(plan.program)),
          snapshot_(plan.device, plan.initial),
          sites_(requestSites(plan.program)),
          progressBefore_(plan.options.progress ? plan.options.progress->done.load() : 0) {
        if (KernelHeap* const heap = plan.device.heap()) {
            heap->beginLaunch();
            heapBefore_.emplace(*heap);
        }
    }

    LaunchOutcome run() {
        while (!attempt())
            restart();
        return outcome();
    }

private:
    // False: the launch has to be restarted.
    bool attempt() {
        passes_.clear();
        independent_ = true;
        if (plan_.sample.empty()) addPass({.box = nullptr, .begin = 0, .end = plan_.shape.grid.count()});
        for (const trace::SampleBox& box : plan_.sample) {
            if (box.blocks.empty()) continue;
            // What the first did is asked for in a proof alone, which needs shifts.
            const bool hasFirst =
                !box.shifts.empty() && box.blocks[0] == linearOf(box.first, plan_.shape.grid);
            if (hasFirst) addPass({.box = &box, .begin = 0, .end = 1}).isFirst = true;
            if (box.blocks.size() > hasFirst)
                addPass({.box = &box, .begin = hasFirst, .end = box.blocks.size()});
        }
        for (const std::unique_ptr<Pass>& pass : passes_) {
            if (plan_.stop.stopped() || !independent_ || shadow_.isDoomed()) break;
            if (inOrder_)
                runInOrder(plan_, *pass, shadow_, snapshot_);
            else
                independent_ = runAtOnce(plan_, *pass, shadow_, snapshot_);
        }
        shadow_.finish();
        if (plan_.stop.stopped()) return true;
        if (!plan_.sample.empty() && (!independent_ || shadow_.conflict())) return true;
        return independent_ && (inOrder_ || !shadow_.conflict()) && shadow_.needsRestart().empty();
    }

    void restart() {
        snapshot_.restore();
        if (heapBefore_) *plan_.device.heap() = *heapBefore_;
        inOrder_ |= !independent_ || shadow_.conflict();
        shadow_.restart(inOrder_ ? GlobalShadow::Mode::Sequential : GlobalShadow::Mode::Parallel);
        if (plan_.options.progress) plan_.options.progress->restartAt(progressBefore_);
    }

    u32 threadsFor(u64 blocks) const {
        const u32 wanted = plan_.options.threads, cores = std::max(1u, std::thread::hardware_concurrency());
        return inOrder_ ? 1 : u32(std::clamp<u64>(blocks, 1, wanted ? wanted : cores));
    }

    Pass& addPass(const BlockList& blocks) {
        const u32 threads = threadsFor(blocks.size());
        auto pass = std::make_unique<Pass>(plan_, blocks, inOrder_ ? 1 : 2 * threads);
        if (plan_.options.requestSink)
            pass->sink = plan_.options.requestSink(LaunchId{plan_.shape.launch}, sites_);
        if (pass->sink) pass->sink->isRunStopped = [&stop = plan_.stop] { return stop.requested(); };
        if (!plan_.sample.empty()) pass->shared = sharedRanges(plan_, shadow_);
        return *passes_.emplace_back(std::move(pass));
    }

    LaunchOutcome outcome() {
        Gathered gathered;
        LaunchOutcome& outcome = gathered.outcome;
        for (u32 i = 0; plan_.options.memory && i < plan_.device.allocations().size(); ++i)
            outcome.habits.push_back(shadow_.habitOf(i));
        if (plan_.options.memory && plan_.options.memory->written)
            *plan_.options.memory->written = snapshot_.written();
        if (plan_.options.memory && plan_.options.memory->changed)
            for (u32 i = 0; i < plan_.options.memory->allocations.size(); ++i)
                if (snapshot_.isChanged(i)) plan_.options.memory->changed->push_back(i);
        outcome.sequential = inOrder_;
        outcome.complete = !plan_.stop.stopped();
        outcome.sample.resize(plan_.sample.size());
        outcome.communicates = !plan_.sample.empty() && (!independent_ || shadow_.conflict());
        for (const std::unique_ptr<Pass>& pass : passes_) {
            if (pass->sink && outcome.complete) pass->sink->launchDone();
            outcome.threads = std::max(outcome.threads, threadsFor(pass->blocks.size()));
            trace::GridCounts counts = gather(plan_, *pass, gathered);
            if (plan_.sample.empty()) {
                outcome.counts = std::move(counts);
                continue;
            }
            trace::addCounts(outcome.counts, counts);
            addTo(outcome.sample[std::size_t(pass->blocks.box - plan_.sample.data())], *pass,
                  std::move(counts), outcome.communicates);
            for (u64 i = 0; inOrder_ && i < pass->blocks.size(); ++i)
                outcome.communicates |= shadow_.dependsOnOthers(Block{u32(pass->blocks[i])});
        }
        std::ranges::sort(gathered.focus, {}, &std::pair<u64, trace::FocusBlock>::first);
        for (auto& [linear, block] : gathered.focus)
            outcome.focus.push_back(std::move(block));
        return std::move(outcome);
    }

    const LaunchPlan& plan_;
    bool inOrder_, independent_ = true;
    GlobalShadow shadow_;
    Snapshot snapshot_;
    std::optional<KernelHeap> heapBefore_;
    const std::vector<trace::RequestSite> sites_;
    const u64 progressBefore_;
    std::vector<std::unique_ptr<Pass>> passes_;
};

}  // namespace

LaunchOutcome runLaunch(const LaunchPlan& plan) { return LaunchRun(plan).run(); }

}  // namespace lockstep::simt
