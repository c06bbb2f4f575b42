#include "explain/order/parting.h"

#include <algorithm>
#include <map>
#include <set>
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
    bool operator==(const Thread& other) const { return key() == other.key(); }
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

// How a thread's loads of the same places in turn count, with nothing else between them: in a loop that waits
// for a value only the last ones matter, and how many there are depends on the order.
enum class Repeats : u8 { Each, LastOnly };

// Whether nothing orders them: blocks run side by side, and threads of a block between two barriers.
bool areUnordered(const LoggedAccess& a, const LoggedAccess& b) {
    return a.launch == b.launch && (a.block != b.block || a.phase == b.phase);
}

// Some blocks of the grid, or all.
class Blocks {
public:
    void add(const LoggedAccess& of) {
        if (!contains(of)) some_.push_back({of.launch, of.block});
    }
    bool areAll() const { return some_.empty(); }
    bool contain(const LoggedAccess& access) const { return areAll() || contains(access); }

private:
    bool contains(const LoggedAccess& access) const {
        return std::ranges::any_of(
            some_, [&](const auto& one) { return one.first == access.launch && one.second == access.block; });
    }
    std::vector<std::pair<u32, Dim3>> some_;
};

// The accesses of each thread of a log, in its order.
class Threads {
public:
    Threads(const AccessLog& log, Repeats repeats) : log_(log) {
        for (std::size_t at = 0; at < log.all().size(); ++at)
            eachLane(log.all()[at], [&](const Thread& thread, u32 index) {
                std::vector<LaneAccess>& all = accesses_[thread];
                all.push_back({at, index});
                if (repeats == Repeats::LastOnly) dropRepeated(all);
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
    bool waitsAt(Pc pc) const { return waiting_.contains(pc.value); }

private:
    // A loop that waits reads one place again and again, or a few in turn.
    void dropRepeated(std::vector<LaneAccess>& all) {
        constexpr std::size_t kMostPlaces = 4;
        const std::size_t size = all.size();
        for (std::size_t places = 1; places <= kMostPlaces && 2 * places <= size; ++places) {
            std::size_t same = 0;
            while (same < places && isRepeated(all[size - 1 - places - same], all[size - 1 - same]))
                ++same;
            if (same < places) continue;
            for (std::size_t i = 0; i < places; ++i)
                waiting_.insert(log_.all()[all[size - 1 - i].at].pc.value);
            all.erase(all.end() - std::ptrdiff_t(2 * places), all.end() - std::ptrdiff_t(places));
            return;
        }
    }
    bool isRepeated(LaneAccess before, LaneAccess now) const {
        const LoggedAccess &a = log_.all()[before.at], &b = log_.all()[now.at];
        return a.kind == trace::AccessKind::Load && a.pc == b.pc && a.space == b.space &&
               log_.address(a, before.index) == log_.address(b, now.index);
    }

    const AccessLog& log_;
    std::map<Thread, std::vector<LaneAccess>> accesses_;
    std::set<u32> waiting_;  // instructions of loads that were dropped
};

const RacingInstruction* findIn(std::span<const RacingInstruction> racing, Pc pc) {
    const auto found = std::ranges::find(racing, pc, &RacingInstruction::pc);
    return found == racing.end() ? nullptr : &*found;
}

// How far two meetings of instructions have to be alike.
enum class Alike : u8 { Instructions, WarpsToo, BlocksToo };

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

    // Reads that differ, the first ones of each kind.
    struct Found {
        std::vector<OrderParting> racing, plain;  // of accesses known to race; of others, atomics left out
        std::vector<OrderParting> atomic;
    };
    // Of threads of these blocks.
    Found find(std::span<const RacingInstruction> racing, const Blocks& blocks) const {
        constexpr std::size_t kMost = 64;
        Found found;
        std::map<Thread, std::size_t> numbers;
        std::set<Thread> hasParted;  // it does something else since
        const AccessLog &now = changed_.log(), &before = recorded_.log();
        for (std::size_t at = 0; at < now.all().size(); ++at) {
            const LoggedAccess& access = now.all()[at];
            if (!blocks.contain(access)) continue;
            eachLane(access, [&](const Thread& thread, u32 index) {
                if (hasParted.contains(thread)) return;
                std::size_t& number = numbers[thread];
                if (const LaneAccess* const own = changed_.find(thread, number);
                    !own || !(*own == LaneAccess{at, index}))
                    return;  // repeated
                const LaneAccess* const same = recorded_.find(thread, number++);
                if (!same || !isSamePlace(*same, {at, index})) {
                    hasParted.insert(thread);
                    return;
                }
                if (!loads(access) || std::ranges::equal(before.value(before.all()[same->at], same->index),
                                                         now.value(access, index)))
                    return;
                const bool isRacing = findIn(racing, access.pc) != nullptr;
                std::vector<OrderParting>& to = trace::isAtomic(access.kind) ? found.atomic
                                                : isRacing                   ? found.racing
                                                                             : found.plain;
                if (to.size() < kMost) to.push_back({.recorded = *same, .changed = {at, index}});
            });
            if (found.racing.size() >= kMost) break;
        }
        return found;
    }

    bool isWaitedFor(const OrderParting& parting) const {
        const Pc pc = changed_.log().all()[parting.changed.at].pc;
        return recorded_.waitsAt(pc) || changed_.waitsAt(pc);
    }

    // From the first word that differs back to where it comes from: of the thread that stored it, the last
    // load before the store that read another value; if that came from the same store in both runs, on from
    // there. None: the threads do other things, or a step on the way tells nothing.
    std::optional<OrderParting> cause(std::span<const u64> differing) const {
        constexpr u32 kMostSteps = 16;
        for (const u64 address : differing) {
            const std::vector<LaneAccess> had = updatesOf(recorded_.log(), address),
                                          has = updatesOf(changed_.log(), address);
            if (had.empty() || has.empty()) continue;
            LaneAccess before = had.back(), now = has.back();
            for (u32 step = 0; step < kMostSteps; ++step) {
                const std::optional<OrderParting> read = lastReadThatDiffers(before, now);
                if (!read) break;
                if (auto parting = firstUnordered({*read})) return parting;
                const std::optional<LaneAccess> from = storeBefore(recorded_.log(), read->recorded),
                                                came = storeBefore(changed_.log(), read->changed);
                if (!from || !came) break;
                before = *from, now = *came;
            }
            break;
        }
        return std::nullopt;
    }

    // The first of them whose exchange no barrier forbids.
    std::optional<OrderParting> firstUnordered(const std::vector<OrderParting>& all) const {
        for (const OrderParting& one : all) {
            OrderParting parting = told(one);
            if (!parting.other) continue;
            const AccessLog& log = parting.otherIsChanged ? changed_.log() : recorded_.log();
            const LaneAccess read = parting.otherIsChanged ? parting.changed : parting.recorded;
            if (areUnordered(log.all()[read.at], log.all()[parting.other->at])) return parting;
        }
        return std::nullopt;
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
        if (auto exchange = amongUpdates(parting)) return *exchange;
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

    // Atomic operations make the value that is read: which of them came before the read, or before the store
    // that they all start from, differs; their own order does not matter.
    std::optional<OrderParting> amongUpdates(OrderParting parting) const {
        for (const bool inChanged : {true, false}) {
            const Threads &here = inChanged ? changed_ : recorded_, &there = inChanged ? recorded_ : changed_;
            const LaneAccess read = inChanged ? parting.changed : parting.recorded,
                             readThere = inChanged ? parting.recorded : parting.changed;
            std::optional<LaneAccess> start;  // the last plain store
            for (const LaneAccess update : updatesBefore(here.log(), read)) {
                const bool isAtomic = trace::isAtomic(here.log().all()[update.at].kind);
                if (!isAtomic && !start) start = update;
                if (!isAtomic || !areOfTwo(here.log(), start.value_or(read), update)) continue;
                const std::optional<LaneAccess> same = sameIn(there, here, update);
                if (!start && (!same || same->at >= readThere.at)) {
                    parting.kind =
                        inChanged ? OrderParting::Kind::ReadsAfter : OrderParting::Kind::ReadsBefore;
                    parting.other = update;
                    parting.otherIsChanged = inChanged;
                    return parting;
                }
                if (!start || !same) continue;
                const std::optional<LaneAccess> startThere = sameIn(there, here, *start);
                if (!startThere || startThere->at >= same->at || same->at >= readThere.at) continue;
                // There the store comes before the operation.
                return OrderParting{
                    .kind = inChanged ? OrderParting::Kind::ReadsAfter : OrderParting::Kind::ReadsBefore,
                    .recorded = inChanged ? *startThere : *start,
                    .changed = inChanged ? *start : *startThere,
                    .comparesValues = false,
                    .other = inChanged ? update : *same,
                    .otherIsChanged = true};
            }
        }
        return std::nullopt;
    }

    // Nothing is read that differs: of two stores to global memory the other one is the last.
    std::optional<OrderParting> lastStore() const {
        const std::map<Place, LaneAccess> had = lastStores(recorded_.log()), has = lastStores(changed_.log());
        std::optional<OrderParting> first;
        for (const auto& [place, store] : has) {
            const auto before = had.find(place);
            if (before == had.end() ||
                threadOf(recorded_.log(), before->second) == threadOf(changed_.log(), store))
                continue;
            const std::optional<LaneAccess> then = sameIn(recorded_, changed_, store),
                                            now = sameIn(changed_, recorded_, before->second);
            if (!then || !now || !isSamePlace(*then, store) || !isSamePlace(before->second, *now)) continue;
            const LoggedAccess &a = recorded_.log().all()[before->second.at],
                               &b = changed_.log().all()[store.at];
            if (std::ranges::equal(recorded_.log().value(a, before->second.index),
                                   changed_.log().value(b, store.index)))
                continue;
            if (first && first->changed.at <= store.at) continue;
            first = OrderParting{
                .kind = OrderParting::Kind::LastStore, .recorded = before->second, .changed = store};
        }
        return first;
    }

    // The same threads update one of these words in another order.
    std::optional<OrderParting> firstUpdate(std::span<const u64> differing) const {
        for (const u64 address : differing) {
            const std::vector<LaneAccess> had = updatesOf(recorded_.log(), address),
                                          has = updatesOf(changed_.log(), address);
            for (std::size_t i = 0; i < std::min(had.size(), has.size()); ++i) {
                const Thread before = threadOf(recorded_.log(), had[i]),
                             now = threadOf(changed_.log(), has[i]);
                if (before == now) continue;
                const auto isOf = [](const AccessLog& log, const Thread& thread) {
                    return [&](LaneAccess access) { return threadOf(log, access) == thread; };
                };
                if (std::ranges::none_of(had, isOf(recorded_.log(), now)) ||
                    std::ranges::none_of(has, isOf(changed_.log(), before)))
                    break;
                return OrderParting{
                    .kind = OrderParting::Kind::UpdatesFirst, .recorded = had[i], .changed = has[i]};
            }
        }
        return std::nullopt;
    }

    // Threads do other things in the changed run, so that their accesses cannot be held against those of the
    // recorded one: two instructions that race meet in an order in which they never do there.
    std::optional<OrderParting> newOrder(std::span<const RacingInstruction> racing, const Blocks& blocks,
                                         Alike alike) const {
        const std::vector<Meeting> had = meetings(recorded_.log(), racing, alike);
        for (const Meeting& meeting : meetings(changed_.log(), racing, alike)) {
            const AccessLog& log = changed_.log();
            if (!blocks.contain(log.all()[meeting.read.at]) ||
                std::ranges::any_of(had, [&](const Meeting& one) { return one.isAlike(meeting, alike); }))
                continue;
            const LoggedAccess& read = log.all()[meeting.read.at];
            const std::span<const LoggedAccess> before = recorded_.log().all();
            const auto same = std::ranges::find(before.rbegin(), before.rend(), read.pc, &LoggedAccess::pc);
            if (same == before.rend()) continue;
            return OrderParting{
                .kind = meeting.isAfter ? OrderParting::Kind::ReadsAfter : OrderParting::Kind::ReadsBefore,
                .recorded = {std::size_t(before.rend() - same) - 1, 0},
                .changed = meeting.read,
                .comparesValues = false,
                .other = meeting.store,
                .otherIsChanged = true};
        }
        return std::nullopt;
    }

    // Those whose threads last wrote the first of these words that is written at all; of none: all blocks.
    Blocks blocksBehind(std::span<const u64> differing) const {
        Blocks blocks;
        for (const u64 address : differing) {
            for (const AccessLog* log : {&recorded_.log(), &changed_.log()})
                if (const std::vector<LaneAccess> all = updatesOf(*log, address); !all.empty())
                    blocks.add(log->all()[all.back().at]);
            if (!blocks.areAll()) break;
        }
        return blocks;
    }

private:
    // Of one thread's stores in both runs; atomics are left out. None: they are of two threads, or places.
    std::optional<OrderParting> lastReadThatDiffers(LaneAccess recorded, LaneAccess changed) const {
        const AccessLog &before = recorded_.log(), &now = changed_.log();
        const Thread thread = threadOf(now, changed);
        if (!(threadOf(before, recorded) == thread) || !isSamePlace(recorded, changed)) return std::nullopt;
        const std::size_t number = changed_.numberOf(thread, changed);
        if (number != recorded_.numberOf(thread, recorded)) return std::nullopt;
        for (std::size_t i = number; i-- > 0;) {
            const LaneAccess a = *recorded_.find(thread, i), b = *changed_.find(thread, i);
            if (!isSamePlace(a, b)) return std::nullopt;
            const LoggedAccess &was = before.all()[a.at], &is = now.all()[b.at];
            if (is.kind == trace::AccessKind::Load &&
                !std::ranges::equal(before.value(was, a.index), now.value(is, b.index)))
                return OrderParting{.recorded = a, .changed = b};
        }
        return std::nullopt;
    }
    // A read and a store of one place by two threads, with nothing that orders them.
    struct Meeting {
        LaneAccess read, store;
        u32 readGroup = 0, storeGroup = 0;
        bool isAfter = false;  // the store comes first
        bool isOfOneBlock = false;
        u32 readWarp = 0, storeWarp = 0;
        Dim3 block{};  // of the read
        bool isOfOneWarp() const { return isOfOneBlock && readWarp == storeWarp; }
        bool isAlike(const Meeting& o, Alike alike) const {
            return readGroup == o.readGroup && storeGroup == o.storeGroup && isAfter == o.isAfter &&
                   (alike != Alike::BlocksToo || block == o.block) &&
                   (alike == Alike::Instructions ? isOfOneWarp() == o.isOfOneWarp()
                                                 : isOfOneBlock == o.isOfOneBlock && readWarp == o.readWarp &&
                                                       storeWarp == o.storeWarp);
        }
    };
    // The first one of each pair of instructions in either order. An atomic operation is met as a store by a
    // load, and as a read by a plain store.
    static std::vector<Meeting> meetings(const AccessLog& log, std::span<const RacingInstruction> racing,
                                         Alike alike) {
        constexpr std::size_t kMostReads = 64, kMostMeetings = 1024;
        struct Word {
            std::optional<LaneAccess> store, plain;  // the last one; that is no atomic operation
            std::vector<LaneAccess> reads;           // since then; atomic operations since the plain one
        };
        const auto isAtomic = [&](LaneAccess one) { return trace::isAtomic(log.all()[one.at].kind); };
        std::map<std::tuple<trace::Space, u32, u32, u32, u32, u64>, Word> words;
        std::vector<Meeting> found;
        const auto add = [&](LaneAccess read, LaneAccess store, bool isAfter) {
            const LoggedAccess &a = log.all()[read.at], &b = log.all()[store.at];
            const Meeting meeting{read,
                                  store,
                                  findIn(racing, a.pc)->group,
                                  findIn(racing, b.pc)->group,
                                  isAfter,
                                  a.block == b.block,
                                  a.warp.value,
                                  b.warp.value,
                                  a.block};
            if (threadOf(log, read) == threadOf(log, store) || !areUnordered(a, b)) return;
            if (found.size() < kMostMeetings &&
                std::ranges::none_of(found, [&](const Meeting& one) { return one.isAlike(meeting, alike); }))
                found.push_back(meeting);
        };
        for (std::size_t at = 0; at < log.all().size(); ++at) {
            const LoggedAccess& access = log.all()[at];
            if (!findIn(racing, access.pc)) continue;
            const bool isShared = access.space == trace::Space::Shared;
            for (u32 index = 0; index < u32(access.lanes.count()); ++index) {
                const Dim3 block = isShared ? access.block : Dim3{0, 0, 0};
                Word& word = words[{access.space, isShared ? access.launch : 0, block.z, block.y, block.x,
                                    log.address(access, index)}];
                const LaneAccess here{at, index};
                if (trace::isAtomic(access.kind)) {
                    for (const LaneAccess& read : word.reads)
                        if (!isAtomic(read)) add(read, here, false);
                    if (word.plain) add(here, *word.plain, true);
                    std::erase_if(word.reads, [&](LaneAccess read) { return !isAtomic(read); });
                    if (word.reads.size() < kMostReads) word.reads.push_back(here);
                    word.store = here;
                } else if (stores(access)) {
                    for (const LaneAccess& read : word.reads)
                        add(read, here, false);
                    word = {here, here, {}};
                } else {
                    if (word.store) add(here, *word.store, true);
                    if (word.reads.size() < kMostReads) word.reads.push_back(here);
                }
            }
        }
        return found;
    }

    // What changes a word of global memory, in order.
    static std::vector<LaneAccess> updatesOf(const AccessLog& log, u64 address) {
        std::vector<LaneAccess> all;
        for (std::size_t at = 0; at < log.all().size(); ++at) {
            const LoggedAccess& access = log.all()[at];
            if (access.space != trace::Space::Global || !stores(access)) continue;
            for (u32 index = 0; index < u32(access.lanes.count()); ++index)
                if (log.address(access, index) <= address &&
                    address < log.address(access, index) + access.widthBytes)
                    all.push_back({at, index});
        }
        return all;
    }

    bool isSamePlace(LaneAccess recorded, LaneAccess changed) const {
        const LoggedAccess &a = recorded_.log().all()[recorded.at], &b = changed_.log().all()[changed.at];
        return a.pc == b.pc && a.space == b.space && a.widthBytes == b.widthBytes &&
               recorded_.log().address(a, recorded.index) == changed_.log().address(b, changed.index);
    }

    // Of two threads, with nothing that orders them.
    static bool areOfTwo(const AccessLog& log, LaneAccess a, LaneAccess b) {
        return areUnordered(log.all()[a.at], log.all()[b.at]) && !(threadOf(log, a) == threadOf(log, b));
    }
    // Stores and atomic operations on its bytes before it, the last one first, until `visit` says that it is
    // enough.
    template <class Visit>
    static void eachStoreBefore(const AccessLog& log, LaneAccess reader, const Visit& visit) {
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
                if (address < end && address + access.widthBytes > first && visit(LaneAccess{at, index}))
                    return;
            }
        }
    }
    static std::vector<LaneAccess> updatesBefore(const AccessLog& log, LaneAccess reader) {
        constexpr std::size_t kMost = 4096;
        std::vector<LaneAccess> all;
        eachStoreBefore(log, reader, [&](LaneAccess store) {
            all.push_back(store);
            return all.size() == kMost;
        });
        return all;
    }

    // The last store to its bytes before it.
    static std::optional<LaneAccess> storeBefore(const AccessLog& log, LaneAccess reader) {
        std::optional<LaneAccess> last;
        eachStoreBefore(log, reader, [&](LaneAccess store) {
            last = store;
            return true;
        });
        return last;
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
            // What atomic operations leave is not what they store.
            if (access.space != trace::Space::Global || !stores(access) || trace::isAtomic(access.kind))
                continue;
            for (u32 index = 0; index < u32(access.lanes.count()); ++index)
                last[{access.space, log.address(access, index)}] = {at, index};
        }
        return last;
    }

    Threads recorded_, changed_;
};

}  // namespace

std::optional<OrderParting> partingOf(const AccessLog& recorded, const AccessLog& changed,
                                      std::span<const RacingInstruction> racing,
                                      std::span<const u64> differing) {
    const Comparison withoutRepeats(recorded, changed, Repeats::LastOnly);
    const Blocks own = withoutRepeats.blocksBehind(differing), any;
    // An exchange that nothing forbids, in the blocks that made the other result.
    const Comparison::Found last = withoutRepeats.find(racing, own);
    if (auto parting = withoutRepeats.firstUnordered(last.racing)) {
        // What a thread waits for may come sooner or later; what it then reads is what goes wrong.
        auto cause = withoutRepeats.isWaitedFor(*parting) ? withoutRepeats.cause(differing) : std::nullopt;
        return cause ? cause : parting;
    }
    if (auto parting = withoutRepeats.firstUnordered(last.plain)) return parting;
    if (auto parting = withoutRepeats.newOrder(racing, own, Alike::Instructions)) return parting;
    const Comparison::Found elsewhere = own.areAll() ? last : withoutRepeats.find(racing, any);
    if (auto parting = withoutRepeats.firstUnordered(elsewhere.racing)) return parting;
    if (auto parting = withoutRepeats.firstUnordered(elsewhere.plain)) return parting;
    if (auto parting = withoutRepeats.newOrder(racing, any, Alike::Instructions)) return parting;
    const Comparison all(recorded, changed, Repeats::Each);
    const Comparison::Found each = all.find(racing, own);
    if (auto parting = all.firstUnordered(each.racing)) return parting;
    if (auto parting = all.firstUnordered(each.plain)) return parting;
    if (auto parting = all.lastStore()) return parting;
    // Atomic operations may come in any order in a right kernel, too: a race is what to speak of.
    if (auto parting = withoutRepeats.newOrder(racing, own, Alike::WarpsToo)) return parting;
    if (auto parting = withoutRepeats.newOrder(racing, any, Alike::WarpsToo)) return parting;
    if (auto parting = withoutRepeats.newOrder(racing, any, Alike::BlocksToo)) return parting;
    if (auto parting = all.firstUnordered(each.atomic)) return parting;
    if (auto parting = all.firstUpdate(differing)) return parting;
    std::optional<OrderParting> parting;
    for (const std::vector<OrderParting>* reads : {&last.racing, &last.plain})
        if (!parting && !reads->empty()) parting = withoutRepeats.told(reads->front());
    if (!parting && !each.atomic.empty()) parting = all.told(each.atomic.front());
    if (parting) parting->isConsequence = true;
    return parting;
}

}  // namespace lockstep::explain
