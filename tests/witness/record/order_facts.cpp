#include "witness/record/order_facts.h"

#include <algorithm>

namespace lockstep::witness {

using simt::AccessLog;
using simt::LoggedAccess;
using trace::AccessKind;

namespace {

bool isWrite(AccessKind kind) { return kind != AccessKind::Load; }

bool isThread(const LaneTouch& a, const LaneTouch& b) { return a.block == b.block && a.thread == b.thread; }

bool isOfBlocks(const LoggedAccess& access, const AccessLog& log,
                const std::vector<explain::LaneAccess>& racing) {
    return std::ranges::any_of(racing, [&](const explain::LaneAccess& one) {
        const LoggedAccess& at = log.all()[one.at];
        return at.launch == access.launch && at.block == access.block;
    });
}

}  // namespace

OrderFacts::OrderFacts(const run::BadOrder& bad, const RunFacts& run)
    : run_(run),
      launch_(run.run().recording.launches[bad.changed->all()[bad.parting->changed.at].launch]),
      parting_(bad.changed->all()[bad.parting->changed.at]) {
    address_ = bad.changed->address(parting_, bad.parting->changed.index);
    for (const Array& one : run_.arrays())
        if (one.has(parting_.space, address_) || (one.bytes == 0 && one.space == parting_.space))
            array_ = &one;
    const explain::RacingAccesses racing = explain::racingAccesses(*bad.parting, *bad.recorded, *bad.changed);
    sides_[0].log = bad.recorded.get(), sides_[1].log = bad.changed.get();
    gather(sides_[0], racing.recorded);
    gather(sides_[1], racing.changed);
}

void OrderFacts::gather(Side& side, const std::vector<explain::LaneAccess>& racing) {
    const AccessLog& log = *side.log;
    const std::size_t last = racing.empty() ? 0 : racing.back().at;
    for (std::size_t at = 0; at < log.all().size(); ++at) {
        const LoggedAccess& access = log.all()[at];
        if (access.launch != parting_.launch) continue;
        u32 index = 0;
        const bool isThere = access.space == parting_.space &&
                             (access.space == trace::Space::Global || access.block == parting_.block);
        for (const Lane lane : access.lanes) {
            const u32 own = index++;
            if (!isThere || log.address(access, own) != address_) continue;
            LaneTouch touch{
                .at = at,
                .block = access.block,
                .thread = coordinatesOf(u64{access.warp.value} * kWarpSize + lane.value, launch_.block),
                .pc = access.pc,
                .line = run_.lineOf(access.pc),
                .kind = access.kind,
                .values = {}};
            const u32 bytes =
                array_ ? std::min<u32>(array_->componentBytes(), access.widthBytes) : access.widthBytes;
            for (u32 from = 0; from + bytes <= access.widthBytes; from += bytes)
                touch.values.push_back(readNumber(array_ ? array_->type : 'u', bytes,
                                                  log.value(access, own).subspan(from).data()));
            side.touches.push_back(std::move(touch));
        }
        if (at > last || !isOfBlocks(access, log, racing)) continue;
        const bool isRacing = std::ranges::find(racing, at, &explain::LaneAccess::at) != racing.end();
        const u32 line = run_.lineOf(access.pc);
        LoggedTurn* turn = side.turns.empty() ? nullptr : &side.turns.back();
        if (!turn || isRacing || turn->isRacing || turn->warp != access.warp.value ||
            turn->block != access.block) {
            side.turns.push_back({access.block, access.warp.value, at, 0, line, line, isRacing});
            turn = &side.turns.back();
        }
        ++turn->accesses;
        turn->firstLine = std::min(turn->firstLine, line), turn->lastLine = std::max(turn->lastLine, line);
    }
}

// Shown are 64 turns, or all from the first racing one on and the one in front of it.
std::size_t OrderFacts::warps() const {
    constexpr std::ptrdiff_t kShown = 64;
    std::set<std::pair<u64, u32>> warps;
    for (const Side& side : sides_) {
        const auto racing = std::ranges::find(side.turns, true, &LoggedTurn::isRacing);
        const std::ptrdiff_t needed = side.turns.end() - racing + (racing != side.turns.begin()),
                             shown = std::min(std::max(kShown, needed), std::ptrdiff_t(side.turns.size()));
        for (auto turn = side.turns.end() - shown; turn != side.turns.end(); ++turn)
            warps.insert({linearOf(turn->block, launch_.grid), turn->warp});
    }
    return warps.size();
}

bool OrderFacts::isElement(std::string_view name, const std::vector<s64>& indices) const {
    const Array* const named = run_.array(name, LaunchId{parting_.launch});
    const std::optional<u64> at = named ? run_.addressOf(*named, indices) : std::nullopt;
    return at && named->space == parting_.space && *at <= address_ && address_ < *at + named->elementBytes;
}

std::vector<f64> OrderFacts::coordinates(Dim3 at, Dim3 extents) const {
    std::vector<f64> numbers{f64(at.x)};
    if (extents.y > 1 || extents.z > 1) numbers.push_back(at.y);
    if (extents.z > 1) numbers.push_back(at.z);
    return numbers;
}

OrderNumbers OrderFacts::numbersOf(const LaneTouch& touch, bool withBlock) const {
    OrderNumbers numbers{coordinates(touch.thread, launch_.block), {}};
    if (withBlock)
        for (const f64 one : coordinates(touch.block, launch_.grid))
            numbers.names.push_back(one);
    return numbers;
}

// The same access of the same thread in the other run: the same instruction, as often as there.
const LaneTouch* OrderFacts::counterpart(const LaneTouch& touch, bool ofChanged) const {
    const auto isIt = [&](const LaneTouch& other) { return isThread(touch, other) && touch.pc == other.pc; };
    std::ptrdiff_t left = 0;
    for (const LaneTouch& other : side(ofChanged).touches)
        left += other.at <= touch.at && isIt(other);
    for (const LaneTouch& other : side(!ofChanged).touches)
        if (isIt(other) && --left == 0) return &other;
    return nullptr;
}

OrderNumbers OrderFacts::parted(const LaneTouch& now, const LaneTouch& before) const {
    OrderNumbers numbers = numbersOf(now, true);
    numbers.names.push_back(now.line);
    numbers.values = now.values;
    numbers.values.insert(numbers.values.end(), before.values.begin(), before.values.end());
    return numbers;
}

void OrderFacts::addOther(OrderNumbers& to, const LaneTouch& other, const LaneTouch& seenFrom) const {
    const OrderNumbers own = numbersOf(other, other.block != seenFrom.block);
    to.names.insert(to.names.end(), own.names.begin(), own.names.end());
    to.names.push_back(other.line);
}

std::vector<OrderNumbers> OrderFacts::partings(Said said) const {
    std::vector<OrderNumbers> all;
    const std::vector<LaneTouch>&recorded = side(false).touches, &changed = side(true).touches;
    // The last store in front of a place of the log.
    const auto storeBefore = [](const std::vector<LaneTouch>& touches, std::size_t at) {
        const LaneTouch* last = nullptr;
        for (const LaneTouch& touch : touches)
            if (touch.at < at && isWrite(touch.kind)) last = &touch;
        return last;
    };
    if (said == Said::LastStore) {
        const LaneTouch *const now = storeBefore(changed, ~std::size_t{0}), *const before = storeBefore(
                                                                                recorded, ~std::size_t{0});
        if (!now || !before) return all;
        all.push_back(parted(*now, *before));
        addOther(all.back(), *before, *now);
        return all;
    }
    for (const LaneTouch& now : changed) {
        const LaneTouch* const before = counterpart(now, true);
        if (!before || now.values == before->values) continue;
        if (said == Said::Plain) all.push_back(parted(now, *before));
        if (said == Said::OtherWins) {
            const LaneTouch *const wins = storeBefore(changed, now.at), *const had =
                                                                            storeBefore(recorded, before->at);
            if (!wins || !had) continue;
            all.push_back(parted(now, *before));
            addOther(all.back(), *wins, now), addOther(all.back(), *had, now);
        }
        if (said != Said::Before && said != Said::After) continue;
        const bool isBefore = said == Said::Before;
        for (const LaneTouch& other : isBefore ? recorded : changed) {
            if (!isWrite(other.kind) || isThread(other, now)) continue;
            // Where it stands in the other run: behind, or nowhere.
            const LaneTouch* const there = counterpart(other, !isBefore);
            const std::size_t here = isBefore ? before->at : now.at, thereAt = isBefore ? now.at : before->at;
            if (other.at > here || (there && there->at < thereAt)) continue;
            all.push_back(parted(now, *before));
            addOther(all.back(), other, now);
        }
    }
    return all;
}

std::vector<OrderNumbers> OrderFacts::accesses(bool isChanged, AccessKind kind) const {
    std::vector<OrderNumbers> all;
    for (const LaneTouch& touch : side(isChanged).touches) {
        if (touch.kind != kind) continue;
        all.push_back(numbersOf(touch, false));
        all.back().values = touch.values;
    }
    return all;
}

}  // namespace lockstep::witness
