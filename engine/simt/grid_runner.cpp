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
        const u32 elementBytes =
            allocation.buffer >= 0
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
    PrintedText output;

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

void write(const PrintedText& output) {
    std::fwrite(output.text.data(), 1, output.text.size(), stderr);
    if (output.dropped)
        std::fprintf(stderr, "\n[%llu more bytes were printed; a launch keeps the first %zu]\n",
                     (unsigned long long)(output.dropped), PrintedText::kMostBytes);
}

bool isRecorded(const LaunchPlan& plan, u64 block) {
    return plan.options.events && (plan.focusAll || std::ranges::binary_search(plan.focus, block));
}

u64 bytesPerRecord(const LaunchPlan& plan) {
    const u64 records = plan.focusAll ? plan.shape.grid.count() : plan.focus.size();
    return std::min<u64>(trace::BlockRecorder::kMostBytes, kRecordedBytes / std::max<u64>(records, 1));
}

// A running block.
class Resident {
public:
    // sink: of requests; may be null.
    Resident(const LaunchPlan& plan, Worker& worker, GlobalShadow& shadow, trace::RequestSink* sink,
             Snapshot* snapshot, bool concurrent)
        : plan_(plan),
          worker_(worker),
          sink_(sink),
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
                            .requests = nullptr};
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
        if (isRecorded(plan_, linear)) {
            recorder_.emplace(LaunchId{plan_.shape.launch}, coordinatesOf(linear, plan_.shape.grid),
                              u32(plan_.shape.block.count()), bytesPerRecord(plan_), room_);
            observers.recorder = &*recorder_;
        }
        runner_.begin(Block{u32(linear)}, observers);
    }

    BlockRunner::Outcome run() {
        worker_.counter.beginBlock(Block{u32(linear_)});
        const BlockRunner::Outcome outcome = runner_.run();
        if (outcome != BlockRunner::Outcome::Waits) finish();
        if (outcome == BlockRunner::Outcome::Done && requests_)
            sink_->blockDone(linear_, requests_->finishBlock());
        return outcome;
    }
    u64 bytes() const { return runner_.bytes(); }

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
        if (recorder_) {
            worker_.focus.emplace_back(linear_, std::move(*recorder_).finish());
            room_ = {};
            for (const trace::WarpTrace& warp : worker_.focus.back().second.warps)
                room_ = {std::max(room_.steps, warp.steps.size()),
                         std::max(room_.accesses, warp.accesses.size()),
                         std::max(room_.valueBytes, warp.valuePool.size())};
        }
        recorder_.reset();
        worker_.output.add(runner_.takeOutput());
    }

    const LaunchPlan& plan_;
    Worker& worker_;
    trace::RequestSink* sink_;
    Snapshot* snapshot_;
    BlockRunner runner_;
    trace::SharedShadow sharedShadow_;
    trace::GlobalBlockShadow globalShadow_;
    std::optional<trace::BlockRecorder> recorder_;
    trace::RecorderRoom room_;
    std::optional<trace::RequestRecorder> requests_;
    u64 linear_ = 0;
};

void blockDone(const LaunchPlan& plan) {
    if (plan.options.progress) plan.options.progress->done.fetch_add(1, std::memory_order_relaxed);
}

// In ascending order; when a block waits, the next one starts.
void runInOrder(const LaunchPlan& plan, Worker& worker, GlobalShadow& shadow, trace::RequestSink* sink,
                Snapshot& snapshot) {
    const u64 blocks = plan.shape.grid.count();
    std::vector<std::unique_ptr<Resident>> resident, idle;
    u64 next = 0, mostResident = 1;
    const auto start = [&] {
        if (idle.empty()) {
            idle.push_back(std::make_unique<Resident>(plan, worker, shadow, sink, &snapshot, false));
            mostResident =
                std::clamp<u64>(kResidentBytes / std::max<u64>(idle.back()->bytes(), 1), 2, kMostResident);
        }
        resident.push_back(std::move(idle.back()));
        idle.pop_back();
        resident.back()->begin(next++);
    };
    while ((next < blocks || !resident.empty()) && !shadow.isDoomed()) {
        bool anyDone = false;
        if (resident.empty()) start();
        for (std::size_t i = 0; i < resident.size();) {
            switch (resident[i]->run()) {
                case BlockRunner::Outcome::Stopped: return;
                case BlockRunner::Outcome::Waits: ++i; break;
                case BlockRunner::Outcome::Done:
                    anyDone = true;
                    blockDone(plan);
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
bool runAtOnce(const LaunchPlan& plan, std::span<Worker> workers, std::span<Worker> recordingWorkers,
               GlobalShadow& shadow, trace::RequestSink* sink, Snapshot& snapshot) {
    const u64 blocks = plan.shape.grid.count();
    const bool recordedFirst = plan.options.events && !plan.focusAll;
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
        blockDone(plan);
        if (shadow.conflict()) dependent = true;
        return true;
    };
    const auto work = [&](Worker& worker, Worker& recordingWorker) {
        const bool concurrent = workers.size() > 1;
        const auto record = [&](const trace::RecorderRoom& room) {  // false: no more blocks
            std::optional<Resident> resident;
            for (u64 i; (i = nextRecorded.fetch_add(1, std::memory_order_relaxed)) < plan.focus.size();) {
                if (!resident)
                    resident.emplace(plan, recordingWorker, shadow, sink, &snapshot, concurrent)
                        .giveRoom(room);
                if (!runBlock(*resident, plan.focus[i])) return false;
            }
            return true;
        };
        Resident resident(plan, worker, shadow, sink, &snapshot, concurrent);
        bool hasRecorded = !recordedFirst;
        for (u64 block; (block = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
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

}  // namespace

LaunchOutcome runLaunch(const LaunchPlan& plan) {
    const Options& options = plan.options;
    const u64 blocks = plan.shape.grid.count();
    const u32 cores = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    bool inOrder = options.sequential || plan.program.mustRunInOrder;
    GlobalShadow shadow(LaunchId{plan.shape.launch}, plan.shape.grid, plan.shape.block,
                        u32(plan.program.module->instructions.size()), bufferSpecs(plan),
                        inOrder ? GlobalShadow::Mode::Sequential : GlobalShadow::Mode::Parallel,
                        !blocksSynchronize(plan.program));
    Snapshot snapshot(plan.device, plan.initial);
    const std::vector<trace::RequestSite> sites = requestSites(plan.program);
    const u64 progressBefore = options.progress ? options.progress->done.load() : 0;

    for (;;) {
        const u32 threads = inOrder ? 1 : u32(std::min<u64>(cores, blocks));
        trace::PatternTable patterns(
            u32(plan.program.sites.size()),
            options.overflowCost ? options.overflowCost
                                 : [](const trace::WarpAccess&) { return trace::AccessCost{}; });
        std::vector<Worker> workers;
        const u32 workerCount = inOrder ? 1 : 2 * threads;
        workers.reserve(workerCount);
        for (u32 i = 0; i < workerCount; ++i)
            workers.emplace_back(plan, patterns);
        std::unique_ptr<trace::RequestSink> sink;
        if (options.requestSink) sink = options.requestSink(LaunchId{plan.shape.launch}, sites);
        if (sink) sink->isRunStopped = [&stop = plan.stop] { return stop.requested(); };
        bool independent = true;
        if (inOrder)
            runInOrder(plan, workers[0], shadow, sink.get(), snapshot);
        else
            independent = runAtOnce(plan, std::span(workers).first(threads), std::span(workers).last(threads),
                                    shadow, sink.get(), snapshot);
        shadow.finish();
        const bool stopped = plan.stop.stopped();
        if (!stopped && (!independent || (!inOrder && shadow.conflict()) || !shadow.needsRestart().empty())) {
            snapshot.restore();
            inOrder |= !independent || shadow.conflict();
            shadow.restart(inOrder ? GlobalShadow::Mode::Sequential : GlobalShadow::Mode::Parallel);
            if (options.progress) options.progress->done.store(progressBefore);
            continue;
        }

        if (sink && !stopped) sink->launchDone();
        LaunchOutcome outcome;
        outcome.sequential = inOrder;
        outcome.complete = !stopped;
        outcome.threads = threads;
        std::vector<std::pair<u64, trace::FocusBlock>> focus;
        std::vector<trace::PatternCounter*> counters;
        for (Worker& worker : workers) {
            if (&worker != &workers[0]) workers[0].tally.add(worker.tally);
            counters.push_back(&worker.counter);
            std::ranges::move(worker.focus, std::back_inserter(focus));
            outcome.findings.push_back(std::move(worker.findings));
        }
        write(workers[0].output);  // kernels that print run in order
        workers[0].tally.fill(plan.program, outcome.counts);
        if (options.counts) outcome.counts.sites = trace::mergePatterns(patterns, counters);
        std::ranges::sort(focus, {}, &std::pair<u64, trace::FocusBlock>::first);
        for (auto& [linear, block] : focus)
            outcome.focus.push_back(std::move(block));
        return outcome;
    }
}

}  // namespace lockstep::simt
