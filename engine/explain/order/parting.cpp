#include "explain/order/parting.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace lockstep::explain {
namespace {

using simt::AccessLog;
using simt::LoggedAccess;

struct Thread {
    u32 launch;
    Dim3 block;
    u32 warp, lane;
    auto key() const { return std::tuple(launch, block.z, block.y, block.x, warp, lane); }
    bool operator<(const Thread& other) const { return key() < other.key(); }
};

// Copies of asynchronous instructions write shared memory, which trace::writes() leaves out.
bool stores(const LoggedAccess& access) {
    return trace::writes(access.kind) ||
           (access.kind == trace::AccessKind::AsyncCopy && access.space == trace::Space::Shared);
}
// Something becomes of what it reads.
bool loads(const LoggedAccess& access) {
    return access.kind == trace::AccessKind::Load || access.kind == trace::AccessKind::Atomic ||
           (access.kind == trace::AccessKind::AsyncCopy && access.space == trace::Space::Global);
}

template <class Visit> void eachLane(const LoggedAccess& access, const Visit& visit) {
    u32 index = 0;
    for (Lane lane : access.lanes)
        visit(Thread{access.launch, access.block, access.warp.value, lane.value}, index++);
}

// How a thread's loads of one place in a row count, with nothing else between them: in a loop that waits for
// a value only the last one matters, and how many there are depends on the order.
enum class Repeats : u8 { Each, LastOnly };

// The accesses of each thread of a log, in its order.
class Threads {
public:
    Threads(const AccessLog& log, Repeats repeats) : log_(log) {
        for (std::size_t at = 0; at < log.all().size(); ++at)
            eachLane(log.all()[at], [&](const Thread& thread, u32 index) {
                std::vector<LaneAccess>& all = accesses_[thread];
                if (repeats == Repeats::LastOnly && !all.empty() && isRepeated(all.back(), {at, index}))
                    all.pop_back();
                all.push_back({at, index});
            });
    }
    const LaneAccess* find(const Thread& thread, std::size_t number) const {
        const auto found = accesses_.find(thread);
        return found == accesses_.end() || number >= found->second.size() ? nullptr : &found->second[number];
    }
    // The number of one of them; its thread's accesses are many, but only few are asked for.
    std::size_t numberOf(const Thread& thread, LaneAccess access) const {
        const std::vector<LaneAccess>& all = accesses_.at(thread);
        return std::size_t(std::ranges::find(all, access) - all.begin());
    }
    const std::map<Thread, std::vector<LaneAccess>>& all() const { return accesses_; }
    const AccessLog& log() const { return log_; }

private:
    bool isRepeated(LaneAccess before, LaneAccess now) const {
        const LoggedAccess &a = log_.all()[before.at], &b = log_.all()[now.at];
        return a.kind == trace::AccessKind::Load && a.pc == b.pc && a.space == b.space &&
               log_.address(a, before.index) == log_.address(b, now.index);
    }

    const AccessLog& log_;
    std::map<Thread, std::vector<LaneAccess>> accesses_;
};

Thread threadOf(const AccessLog& log, LaneAccess lane) {
    Thread found{};
    eachLane(log.all()[lane.at], [&](const Thread& thread, u32 index) {
        if (index == lane.index) found = thread;
    });
    return found;
}

class Comparison {
public:
    Comparison(const AccessLog& recorded, const AccessLog& changed, Repeats repeats)
        : recorded_(recorded, repeats), changed_(changed, repeats) {}

    struct Found {
        std::optional<OrderParting> racing, plain, any;
    };
    // The first reads that differ: of accesses known to race, of others, and of all.
    Found find(std::span<const Pc> racing) const {
        Found found;
        std::map<Thread, std::size_t> numbers;
        std::map<Thread, bool> hasParted;  // it does something else since
        const AccessLog &now = changed_.log(), &before = recorded_.log();
        for (std::size_t at = 0; at < now.all().size(); ++at) {
            const LoggedAccess& access = now.all()[at];
            eachLane(access, [&](const Thread& thread, u32 index) {
                if (hasParted.contains(thread) || found.racing) return;
                std::size_t& number = numbers[thread];
                if (const LaneAccess* const own = changed_.find(thread, number);
                    !own || !(*own == LaneAccess{at, index}))
                    return;  // repeated
                const LaneAccess* const same = recorded_.find(thread, number++);
                if (!same || !isSamePlace(*same, {at, index})) {
                    hasParted[thread] = true;
                    return;
                }
                if (!loads(access) || std::ranges::equal(before.value(before.all()[same->at], same->index),
                                                         now.value(access, index)))
                    return;
                const OrderParting here{.recorded = *same, .changed = {at, index}};
                const bool isPlain = !trace::isAtomic(access.kind);
                if (isPlain && std::ranges::find(racing, access.pc) != racing.end()) found.racing = here;
                if (isPlain && !found.plain) found.plain = here;
                if (!found.any) found.any = here;
            });
            if (found.racing) break;
        }
        return found;
    }

    // Says whose order is exchanged with that of the read.
    OrderParting told(OrderParting parting) const {
        const std::optional<LaneAccess> had = storeBefore(recorded_.log(), parting.recorded),
                                        has = storeBefore(changed_.log(), parting.changed);
        if (had) {
            const std::optional<LaneAccess> now = sameIn(changed_, recorded_, *had);
            if (!now || now->at >= parting.changed.at) {
                parting.kind = OrderParting::Kind::ReadsBefore;
                parting.other = *had;
                return parting;
            }
        }
        if (!has) return parting;
        const std::optional<LaneAccess> then = sameIn(recorded_, changed_, *has);
        parting.other = *has;
        parting.otherIsChanged = true;
        if (!then || then->at >= parting.recorded.at) {
            parting.kind = OrderParting::Kind::ReadsAfter;
        } else if (had && !(*then == *had)) {
            parting.kind = OrderParting::Kind::OtherWins;
            parting.instead = *had;
        } else {
            parting.other.reset();
        }
        return parting;
    }

    // Nothing is read that differs: of two stores to global memory the other one is the last.
    std::optional<OrderParting> lastStore() const {
        const std::map<Place, LaneAccess> had = lastStores(recorded_.log()), has = lastStores(changed_.log());
        std::optional<OrderParting> first;
        for (const auto& [place, store] : has) {
            const auto before = had.find(place);
            if (before == had.end()) continue;
            const std::optional<LaneAccess> then = sameIn(recorded_, changed_, store);
            const LoggedAccess &a = recorded_.log().all()[before->second.at],
                               &b = changed_.log().all()[store.at];
            if (then && *then == before->second) continue;
            if (std::ranges::equal(recorded_.log().value(a, before->second.index),
                                   changed_.log().value(b, store.index)))
                continue;
            if (first && first->changed.at <= store.at) continue;
            first = OrderParting{
                .kind = OrderParting::Kind::LastStore, .recorded = before->second, .changed = store};
        }
        return first;
    }

private:
    bool isSamePlace(LaneAccess recorded, LaneAccess changed) const {
        const LoggedAccess &a = recorded_.log().all()[recorded.at], &b = changed_.log().all()[changed.at];
        return a.pc == b.pc && a.space == b.space && a.widthBytes == b.widthBytes &&
               recorded_.log().address(a, recorded.index) == changed_.log().address(b, changed.index);
    }

    // The last store to its bytes before it.
    static std::optional<LaneAccess> storeBefore(const AccessLog& log, LaneAccess reader) {
        const LoggedAccess& read = log.all()[reader.at];
        const u64 first = log.address(read, reader.index), end = first + read.widthBytes;
        for (std::size_t at = reader.at; at-- > 0;) {
            const LoggedAccess& access = log.all()[at];
            const bool isThere =
                access.space == read.space && (read.space == trace::Space::Global ||
                                               (access.launch == read.launch && access.block == read.block));
            if (!isThere || !stores(access)) continue;
            for (u32 index = access.lanes.count(); index-- > 0;) {
                const u64 address = log.address(access, index);
                if (address < end && address + access.widthBytes > first) return LaneAccess{at, index};
            }
        }
        return std::nullopt;
    }

    // Where the access of one log stands in the other; none: it is not there.
    static std::optional<LaneAccess> sameIn(const Threads& to, const Threads& from, LaneAccess access) {
        const Thread thread = threadOf(from.log(), access);
        const LaneAccess* const found = to.find(thread, from.numberOf(thread, access));
        return found ? std::optional(*found) : std::nullopt;
    }

    struct Place {
        trace::Space space;
        u64 address;
        auto operator<=>(const Place&) const = default;
    };
    // Of the stores to global memory, each word's last one.
    static std::map<Place, LaneAccess> lastStores(const AccessLog& log) {
        std::map<Place, LaneAccess> last;
        for (std::size_t at = 0; at < log.all().size(); ++at) {
            const LoggedAccess& access = log.all()[at];
            if (access.space != trace::Space::Global || !stores(access)) continue;
            for (u32 index = 0; index < u32(access.lanes.count()); ++index)
                last[{access.space, log.address(access, index)}] = {at, index};
        }
        return last;
    }

    Threads recorded_, changed_;
};

}  // namespace

std::optional<OrderParting> partingOf(const AccessLog& recorded, const AccessLog& changed,
                                      std::span<const Pc> racing) {
    const Comparison withoutRepeats(recorded, changed, Repeats::LastOnly);
    const Comparison::Found found = withoutRepeats.find(racing);
    if (found.racing) return withoutRepeats.told(*found.racing);
    if (found.plain) return withoutRepeats.told(*found.plain);
    const Comparison all(recorded, changed, Repeats::Each);
    const Comparison::Found each = all.find(racing);
    if (each.racing) return all.told(*each.racing);
    if (each.plain) return all.told(*each.plain);
    if (std::optional<OrderParting> store = all.lastStore()) return store;
    return each.any ? std::optional(all.told(*each.any)) : std::nullopt;
}

}  // namespace lockstep::explain
