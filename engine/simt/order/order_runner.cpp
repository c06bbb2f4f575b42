#include "simt/order/order_runner.h"

#include <algorithm>
#include <bit>

namespace lockstep::simt {
namespace {

// Priorities: those given first lie above kFirst; those lowered count down from it.
constexpr u64 kFirst = u64{1} << 62, kDrawnBits = kFirst - 1;
// Of blocks that are interleaved at a time: who goes next is looked for among all their threads.
constexpr u64 kResidentBytes = u64{64} << 20, kResidentThreads = 2048;
// All paths have spun this often in a row, some 64 times round a loop each: what they wait for never comes.
constexpr u64 kMostSpinsInARow = 512;
constexpr u64 kStepsPerCheck = 1024;

}  // namespace

Stops allStops(const Program& program) {
    Stops stops(program.module->instructions.size());
    for (const Op& op : program.ops) {
        const bool isAccess = op.kind == OpKind::Load || op.kind == OpKind::Store ||
                              op.kind == OpKind::Atomic || op.kind == OpKind::AsyncCopy;
        if (op.kind == OpKind::ObjectBarrier) stops[op.pc] = 1;
        if (!isAccess) continue;
        const ptx::StateSpace space = program.memory[op.aux].space;
        stops[op.pc] = space == ptx::StateSpace::Shared || space == ptx::StateSpace::Global ||
                       space == ptx::StateSpace::Generic;
    }
    return stops;
}

OrderRunner::OrderRunner(const Program& program, const DeviceMemory& device, const GridShape& shape,
                         Stop& stop)
    : program_(program), device_(device), shape_(shape), stop_(stop), tally_(program) {}

u64 OrderRunner::firstPriority(u64 block, u32 warp, u32 lane) const {
    if (order_.turns == Order::Turns::Drawn || order_.turns == Order::Turns::Priorities) {
        // Where lanes never take turns the whole warp has one.
        const u64 thread = (u64{warp} << 8) + (of_.lanesPart ? lane : 0);
        return kFirst + (mixed(order_.seed ^ mixed(block, 1), thread) & kDrawnBits);
    }
    const u64 warps = (shape_.block.count() + kWarpSize - 1) / kWarpSize;
    const u64 place = (block * warps + warp) * kWarpSize + (order_.parts == Order::Parts::Whole ? 0 : lane);
    return order_.highestFirst ? 2 * kFirst + place : 2 * kFirst - place;
}

void OrderRunner::begin(Resident& resident, u64 block) {
    resident.block = block;
    const u32 warps = u32(resident.runner->warps().size());
    resident.priorities.resize(std::size_t{warps} * kWarpSize);
    for (u32 warp = 0; warp < warps; ++warp)
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            resident.priorities[warp * kWarpSize + lane] = firstPriority(block, warp, lane);
    Observers observers;
    observers.snapshot = of_.snapshot;
    observers.listener = of_.listener;
    resident.runner->begin(Block{u32(block)}, observers);
}

bool OrderRunner::beginNext() {
    if (begun_ == blocks_.size()) return false;
    if (idle_.empty()) {
        idle_.push_back(std::make_unique<Resident>());
        idle_.back()->runner = std::make_unique<BlockRunner>(program_, device_, shape_, tally_, stop_, false);
    }
    resident_.push_back(std::move(idle_.back()));
    idle_.pop_back();
    begin(*resident_.back(), blocks_[begun_++]);
    return true;
}

bool OrderRunner::isDelayed(const Path& path) const {
    return order_.delayed != kNoPc && program_.ops[path.op].pc == order_.delayed.value &&
           stops_[order_.delayed.value];
}

void OrderRunner::lower(Resident& resident, u32 warp, u32 mask) {
    --low_;
    for (Lane lane : LaneMask{mask})
        resident.priorities[warp * kWarpSize + lane.value] = low_;
}

void OrderRunner::partLanes(Resident& resident, u32 warp, std::size_t path) {
    WarpPaths& paths = resident.runner->warps()[warp].paths;
    for (;;) {
        const u32 mask = paths.others()[path].mask;
        const u32 with = lanesWith(order_, u32(std::countr_zero(mask)), resident.block, warp);
        if (!(mask & ~with)) return;
        // What is parted may be divided again when its turn to be considered comes.
        paths.part(path, mask & ~with);
    }
}

void OrderRunner::consider(Resident& resident, u32 warp, std::size_t index, Choice& best) {
    const Path& path = resident.runner->warps()[warp].paths.others()[index];
    u64& priority = resident.priorities[warp * kWarpSize + u32(std::countr_zero(path.mask))];
    if (isDelayed(path) && priority >= kFirst) lower(resident, warp, path.mask);
    ++ready_;
    if (!best.resident || priority >= best.priority) best = {&resident, warp, index, priority};
}

// Of a warp's paths with one priority the last one, as without an order (paths.h).
OrderRunner::Choice OrderRunner::choose() {
    Choice best;
    ready_ = 0;
    for (const std::unique_ptr<Resident>& resident : resident_) {
        const std::span<WarpState> warps = resident->runner->warps();
        for (u32 warp = 0; warp < warps.size(); ++warp) {
            const std::vector<Path>& others = warps[warp].paths.others();
            if (!of_.lanesPart) {
                for (std::size_t i = others.size(); i-- > 0;)
                    if (others[i].state == Path::State::Ready) {
                        consider(*resident, warp, i, best);
                        break;
                    }
                continue;
            }
            for (std::size_t i = 0; i < others.size(); ++i) {
                if (others[i].state != Path::State::Ready) continue;
                if (order_.parts != Order::Parts::Whole) partLanes(*resident, warp, i);
                consider(*resident, warp, i, best);
            }
        }
    }
    return best;
}

// After an access.
void OrderRunner::takeTurns(Resident& resident, u32 warp, u32 mask) {
    if (order_.turns == Order::Turns::AfterEachAccess) lower(resident, warp, mask);
    if (order_.turns == Order::Turns::Drawn) {
        const u64 drawn = kFirst + (mixed(order_.seed, ++drawn_) & kDrawnBits);
        for (Lane lane : LaneMask{mask})
            resident.priorities[warp * kWarpSize + lane.value] = drawn;
    }
    if (order_.turns == Order::Turns::Priorities && std::ranges::binary_search(changesAt_, steps_))
        lower(resident, warp, mask);
}

void OrderRunner::drawChanges() {
    changesAt_.clear();
    for (u32 i = 0; i < order_.changes; ++i)
        changesAt_.push_back(1 + mixed(order_.seed, ~u64{i}) % std::max<u64>(of_.expectedSteps, 1));
    std::ranges::sort(changesAt_);
}

// The path that has just paused is the last one of its warp; nothing has been decided since.
bool OrderRunner::goesOn(const Choice& choice, u32 mask) const {
    if (order_.delayed != kNoPc || order_.turns == Order::Turns::AfterEachAccess ||
        order_.turns == Order::Turns::Drawn)
        return false;
    const std::vector<Path>& others = choice.resident->runner->warps()[choice.warp].paths.others();
    return !others.empty() && others.back().state == Path::State::Ready && others.back().mask == mask &&
           choice.resident->priorities[choice.warp * kWarpSize + u32(std::countr_zero(mask))] ==
               choice.priority;
}

OrderRunner::Outcome OrderRunner::run(const Order& order, const OrderedBlocks& of) {
    order_ = order;
    of_ = of;
    stops_ = order.atEvery ? of.every : of.racing;
    low_ = kFirst;
    drawn_ = steps_ = begun_ = 0;
    blocks_.assign(of.blocks.begin(), of.blocks.end());
    if (order.highestFirst) std::ranges::reverse(blocks_);
    if (order.turns == Order::Turns::Drawn || order.turns == Order::Turns::Priorities)
        std::ranges::sort(blocks_, {}, [&](u64 block) { return mixed(order.seed, block); });
    drawChanges();
    for (std::unique_ptr<Resident>& resident : resident_)  // of a run that was stopped
        idle_.push_back(std::move(resident));
    resident_.clear();

    if (!beginNext()) return {};
    const u64 most =
        std::max<u64>(1, std::min(kResidentBytes / std::max<u64>(resident_[0]->runner->bytes(), 1),
                                  kResidentThreads / shape_.block.count()));
    while (resident_.size() < most && beginNext()) {}

    u64 spinsInARow = 0;
    Choice choice = choose();
    while (choice.resident) {
        Resident& resident = *choice.resident;
        const Path path = resident.runner->warps()[choice.warp].paths.others()[choice.path];
        const BlockRunner::StepOutcome outcome = resident.runner->step(choice.warp, choice.path, stops_);
        if (outcome == BlockRunner::StepOutcome::Stopped) return {End::Stopped, steps_};
        ++steps_;
        if (steps_ >= of.mostSteps) return {End::Hangs, steps_};
        if (steps_ % kStepsPerCheck == 0 && stop_.requested()) return {End::Stopped, steps_};
        if (outcome == BlockRunner::StepOutcome::Spins) {
            lower(resident, choice.warp, path.mask);
            if (++spinsInARow > kMostSpinsInARow * ready_ && !beginNext()) return {End::Hangs, steps_};
        } else {
            spinsInARow = 0;
        }
        if (isDelayed(path))  // it has had its turn
            for (Lane lane : LaneMask{path.mask})
                resident.priorities[choice.warp * kWarpSize + lane.value] =
                    firstPriority(resident.block, choice.warp, lane.value);
        if (outcome == BlockRunner::StepOutcome::Pauses) {
            takeTurns(resident, choice.warp, path.mask);
            if (goesOn(choice, path.mask)) {
                choice.path = resident.runner->warps()[choice.warp].paths.others().size() - 1;
                continue;
            }
        }
        if (!resident.runner->settle()) {
            const auto at = std::ranges::find(resident_, &resident, &std::unique_ptr<Resident>::get);
            idle_.push_back(std::move(*at));
            resident_.erase(at);
            beginNext();
        }
        choice = choose();
    }
    return {End::Done, steps_};
}

}  // namespace lockstep::simt
