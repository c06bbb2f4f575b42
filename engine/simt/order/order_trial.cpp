#include "simt/order/order_trial.h"

#include "simt/accelerate.h"
#include "simt/decode/decode.h"
#include "simt/grid_runner.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace lockstep::simt {
namespace {

// An order that takes this many times the steps of the recorded one is taken for one that never ends.
constexpr u64 kMostTimesLonger = 256, kLeastMostSteps = 100'000;

u64 hashOf(std::span<const std::byte> bytes, u64 seed) {
    u64 hash = seed;
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        u64 word;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 29;
    }
    for (; at < bytes.size(); ++at)
        hash = (hash ^ u64(bytes[at])) * 0x9e3779b97f4a7c15ull;
    return mixed(hash, bytes.size());
}

}  // namespace

OrderTrial::OrderTrial(const ptx::Module& module, std::span<const Launch> launches,
                       std::span<const Buffer> initial, const OrderPlan& plan, Stop& stop)
    : module_(module),
      launches_(launches),
      plan_(plan),
      stop_(stop),
      buffers_(initial.begin(), initial.end()),
      memory_(module, buffers_, plan.cooperative) {}

Expected<std::unique_ptr<OrderTrial>> OrderTrial::make(const ptx::Module& module,
                                                       std::span<const Launch> launches,
                                                       std::span<const Buffer> initial, const OrderPlan& plan,
                                                       Stop& stop) {
    std::unique_ptr<OrderTrial> trial(new OrderTrial(module, launches, initial, plan, stop));
    for (u32 launch = 0; launch < launches.size(); ++launch)
        if (const Expected<void> ready = trial->prepare(launch); !ready) return Unexpected{ready.error()};
    const auto isOrdered = [](const OrderPlan::Part& part) { return part.isOrdered; };
    const auto first = std::ranges::find_if(plan.launches, isOrdered);
    trial->firstOrdered_ = u32(first - plan.launches.begin());
    trial->endOrdered_ = trial->firstOrdered_;
    for (u32 launch = trial->firstOrdered_; launch < launches.size(); ++launch)
        if (plan.launches[launch].isOrdered) trial->endOrdered_ = launch + 1;
    for (u32 launch = 0; launch < trial->firstOrdered_; ++launch)
        trial->runWhole(launch);
    trial->before_ = std::make_unique<Snapshot>(trial->memory_, std::span<const Buffer>());
    if (const KernelHeap* const heap = trial->memory_.heap()) trial->heapBefore_ = *heap;
    trial->measureRecorded();
    return trial;
}

// How long other orders may take, and where their changes are drawn.
void OrderTrial::measureRecorded() {
    for (bool atEvery : {true, false}) {
        restore();
        for (u32 launch = firstOrdered_; launch < endOrdered_; ++launch) {
            Prepared& prepared = *prepared_[launch];
            const OrderRunner::Outcome outcome = prepared.runner->run({.atEvery = atEvery}, of(launch));
            (atEvery ? prepared.stepsAtEvery : prepared.steps) = outcome.steps;
        }
    }
}

OrderedBlocks OrderTrial::of(u32 launch) const {
    const Prepared& prepared = *prepared_[launch];
    return {.blocks = prepared.blocks,
            .racing = prepared.racing,
            .every = prepared.every,
            .lanesPart = plan_.lanesPart,
            .snapshot = before_.get()};
}

Expected<void> OrderTrial::prepare(u32 number) {
    const Launch& launch = launches_[number];
    const ptx::Function* const entry = module_.findEntry(launch.entry);
    if (!entry)
        return fail(FaultKind::NotFound, Message(english("there is no kernel \"{0}\"; {1}"), launch.entry,
                                                 Message(english("the file has none"))));
    auto parameters = parameterBlock(module_, *entry, launch, buffers_.size());
    if (!parameters) return Unexpected{parameters.error()};
    auto prepared = std::make_unique<Prepared>();
    prepared->parameters = std::move(*parameters);
    auto program = decode(
        module_, *entry,
        {launch.grid, launch.block, launch.dynamicSharedBytes, prepared->parameters, plan_.cooperative},
        memory_);
    if (!program) return Unexpected{program.error()};
    prepared->program = std::move(*program);
    prepared->shape = {.grid = launch.grid,
                       .block = launch.block,
                       .dynamicSharedBytes = launch.dynamicSharedBytes,
                       .totalSharedBytes = prepared->program.ownSharedBytes,
                       .launch = number,
                       .workspace = memory_.workspace(),
                       .reservedSharedAt = prepared->program.reservedSharedAt};
    const OrderPlan::Part& part = plan_.launches[number];
    prepared->every = prepared->racing = allStops(prepared->program);
    if (!part.racing.empty()) {
        std::ranges::fill(prepared->racing, u8{0});
        for (Pc pc : part.racing)
            if (pc.value < prepared->racing.size()) prepared->racing[pc.value] = prepared->every[pc.value];
    }
    prepared->blocks = part.blocks;
    if (part.blocks.empty()) {
        prepared->blocks.resize(launch.grid.count());
        std::iota(prepared->blocks.begin(), prepared->blocks.end(), u64{0});
    }
    prepared->runner = std::make_unique<OrderRunner>(prepared->program, memory_, prepared->shape, stop_);
    prepared_.push_back(std::move(prepared));
    return {};
}

// In ascending order, as a run does it whose blocks depend on each other.
void OrderTrial::runWhole(u32 launch) {
    Options options;
    options.threads = 1;
    options.sequential = true;
    options.counts = options.events = options.races = false;
    options.cooperative = plan_.cooperative;
    std::string printed;
    options.printed = &printed;
    Prepared& prepared = *prepared_[launch];
    if (!prepared.fast) prepared.fast = accelerate(prepared.program);
    runLaunch({.program = *prepared.fast,
               .device = memory_,
               .buffers = buffers_,
               .shape = prepared.shape,
               .focus = {},
               .focusAll = false,
               .initial = {},
               .sample = {},
               .options = options,
               .watch = nullptr,
               .stop = stop_});
}

void OrderTrial::restore() {
    before_->restore();
    if (heapBefore_) *memory_.heap() = *heapBefore_;
}

// Where malloc() puts what may differ from order to order.
u64 OrderTrial::stateNumber() const {
    u64 state = 0;
    const std::span<const Allocation> allocations = memory_.allocations();
    before_->visitSaved([&](u32 allocation, u64 first, std::span<const std::byte> before) {
        if (allocations[allocation].isHeap) return;
        const std::span<const std::byte> now{allocations[allocation].host + first, before.size()};
        if (!std::ranges::equal(before, now)) state += mixed(mixed(allocation, first), hashOf(now, 0));
    });
    return state;
}

OrderTrial::Outcome OrderTrial::run(const Order& order, AccessLog* log) {
    restore();
    Outcome outcome;
    for (u32 launch = firstOrdered_; launch < endOrdered_; ++launch) {
        Prepared& prepared = *prepared_[launch];
        const bool isOrdered = plan_.launches[launch].isOrdered;
        OrderedBlocks blocks = of(launch);
        blocks.expectedSteps = order.atEvery ? prepared.stepsAtEvery : prepared.steps;
        blocks.mostSteps = std::max(kLeastMostSteps, kMostTimesLonger * prepared.stepsAtEvery);
        blocks.listener = log;
        if (log) log->beginLaunch(launch);
        const OrderRunner::Outcome one = prepared.runner->run(isOrdered ? order : Order{}, blocks);
        outcome.steps += one.steps;
        outcome.end = one.end;
        if (one.end != OrderRunner::End::Done) return outcome;
    }
    outcome.state = stateNumber();
    return outcome;
}

OrderTrial::Contents OrderTrial::contents() const {
    Contents all;
    for (const Allocation& allocation : memory_.allocations())
        all.emplace_back(allocation.host, allocation.host + allocation.bytes);
    return all;
}

void OrderTrial::put(const Contents& contents) {
    for (std::size_t i = 0; i < contents.size(); ++i)
        std::ranges::copy(contents[i], memory_.allocations()[i].host);
}

// Only some blocks have run in this order: what they have changed, over the memory of all in the recorded
// one.
void OrderTrial::putTogether(const Contents& now) {
    if (whole_.empty()) {
        restore();
        for (u32 launch = firstOrdered_; launch < endOrdered_; ++launch)
            prepared_[launch]->runner->run({}, of(launch));
        some_ = contents();
        restore();
        const Contents first = contents();
        for (u32 launch = firstOrdered_; launch < endOrdered_; ++launch)
            runWhole(launch);
        whole_ = contents();
        put(first);
    }
    const std::span<const Allocation> allocations = memory_.allocations();
    for (std::size_t i = 0; i < allocations.size(); ++i)
        for (std::size_t byte = 0; byte < allocations[i].bytes; ++byte)
            allocations[i].host[byte] = now[i][byte] == some_[i][byte] ? whole_[i][byte] : now[i][byte];
}

std::span<const Buffer> OrderTrial::finish() {
    const bool isPartial =
        std::ranges::any_of(plan_.launches, [](const OrderPlan::Part& part) { return !part.blocks.empty(); });
    if (!isPartial && endOrdered_ == launches_.size()) return buffers_;
    const Contents now = contents();
    if (isPartial) putTogether(now);
    for (u32 launch = endOrdered_; launch < launches_.size(); ++launch)
        runWhole(launch);
    finished_ = buffers_;
    put(now);
    return finished_;
}

}  // namespace lockstep::simt
