#include "trace/shadow/shared_shadow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <random>

namespace lockstep::trace {
namespace {

constexpr u32 kBytes = 1024;

// One block of 96 threads, with memory that its stores change.
struct Bench {
    explicit Bench(Dim3 extents = {96, 1, 1}, u32 firstEpoch = 1) : shadow(LaunchId{0}, extents, firstEpoch) {
        begin();
    }

    void begin(Dim3 block = {2, 1, 0}) {
        memory.assign(kBytes, std::byte{0});
        shadow.beginBlock(block, kBytes, memory.data(), findings);
    }

    // Addresses of the lanes by a function; values default to the pc.
    void access(u32 warp, u32 pc, u32 mask, AccessKind kind, const std::function<u64(u32)>& address,
                u8 width = 4, Strength strength = {}, const std::function<u32(u32)>& value = {}) {
        WarpAccess a{Pc{pc}, LaneMask{mask}, Space::Shared, kind, width, {}};
        std::vector<std::byte> values(std::size_t{32} * width);
        for (Lane lane : a.active) {
            a.addresses[lane.value] = address(lane.value);
            const u32 v = value ? value(lane.value) : pc;
            for (u32 i = 0; i < width; i += 4)
                std::memcpy(&values[lane.value * width + i], &v, std::min<u32>(width, 4));
        }
        shadow.access(Warp{warp}, a, strength, values.data());
        if (writes(kind))
            for (Lane lane : a.active)
                std::memcpy(&memory[a.addresses[lane.value]], &values[lane.value * width], width);
    }
    void store(u32 warp, u32 pc, u32 mask, const std::function<u64(u32)>& address, u8 width = 4) {
        access(warp, pc, mask, AccessKind::Store, address, width);
    }
    void load(u32 warp, u32 pc, u32 mask, const std::function<u64(u32)>& address, u8 width = 4) {
        access(warp, pc, mask, AccessKind::Load, address, width);
    }
    void atomic(u32 warp, u32 pc, u32 mask, const std::function<u64(u32)>& address) {
        access(warp, pc, mask, AccessKind::Atomic, address);
    }
    // Every word written by its own thread.
    void fill() {
        for (u32 w = 0; w < 3; ++w)
            store(w, 1, ~0u, ownWord(w));
        for (u32 w = 0; w < 3; ++w)
            store(w, 2, ~0u, [w](u32 l) { return 384 + 4 * (32 * w + l); });
        shadow.blockBarrier();
    }
    static std::function<u64(u32)> ownWord(u32 warp) {
        return [warp](u32 lane) { return u64{4} * (32 * warp + lane); };
    }
    std::vector<Finding> found() const {
        const FindingCollector* all[] = {&findings};
        return FindingCollector::merge(all, 1000);
    }

    std::vector<std::byte> memory;
    FindingCollector findings;
    SharedShadow shadow;
};

std::function<u64(u32)> word(u32 n) {
    return [n](u32) { return u64{4} * n; };
}

// "race 5@33 with 1@0": kind, pc@thread of both; the first of the list, and how many there are.
std::string summary(const std::vector<Finding>& findings) {
    if (findings.empty()) return "nothing";
    const Finding& f = findings.front();
    std::string text = std::string(nameOf(f.kind)) + " " + std::to_string(f.who.pc.value) + "@" +
                       std::to_string(f.who.thread.x);
    if (f.other)
        text += " with " + std::to_string(f.other->pc.value) + "@" + std::to_string(f.other->thread.x);
    return text + " x" + std::to_string(findings.size());
}

constexpr Strength kVolatile{Ordering::Volatile, Scope::Block};

TEST(SharedShadow, FindsWhatIsWrongAndIsSilentWhereNothingIs) {
    using B = Bench;
    struct Case {
        const char* what;
        std::function<void(Bench&)> run;
        const char* expected;
    };
    const Case cases[] = {
        {"own words, written and read",
         [](B& b) { b.store(0, 1, ~0u, b.ownWord(0)), b.load(0, 2, ~0u, b.ownWord(0)); }, "nothing"},
        {"nobody wrote it", [](B& b) { b.load(0, 2, 1, word(3)); }, "uninitialized_read 2@0 x1"},
        {"the other half was written",
         [](B& b) {
             b.store(
                 0, 1, 1, [](u32) { return 8; }, 2),
                 b.load(0, 2, 1, word(2));
         },
         "uninitialized_read 2@0 x1"},
        {"a vector with one unwritten word",
         [](B& b) { b.store(0, 1, 7, b.ownWord(0)), b.shadow.blockBarrier(), b.load(0, 2, 1, word(0), 16); },
         "uninitialized_read 2@0 x1"},
        {"marked as written", [](B& b) { b.shadow.markWritten(8, 8), b.load(0, 2, 1, word(2), 8); },
         "nothing"},
        {"atomic on unwritten", [](B& b) { b.atomic(0, 2, 1, word(3)), b.atomic(1, 2, 1, word(3)); },
         "uninitialized_read 2@0 x1"},

        {"read across warps after a barrier", [](B& b) { b.fill(), b.load(1, 5, ~0u, b.ownWord(0)); },
         "nothing"},
        {"read across warps without one",
         [](B& b) { b.store(0, 1, ~0u, b.ownWord(0)), b.load(1, 5, 2, word(7)); }, "race 5@33 with 1@7 x1"},
        {"write after another warp's read",
         [](B& b) { b.fill(), b.load(1, 5, ~0u, b.ownWord(0)), b.store(0, 6, 1, b.ownWord(0)); },
         "race 6@0 with 5@32 x1"},
        {"write after two warps' reads, one of them one's own",
         [](B& b) {
             b.fill(), b.load(1, 5, 1, word(0)), b.load(0, 5, 1, word(0)), b.store(0, 6, 1, word(0));
         },
         "race 6@0 with 5@32 x1"},
        {"write after three warps' reads of one word",
         [](B& b) {
             b.fill();
             for (u32 w : {0, 1, 2})
                 b.load(w, 5, ~0u, word(0));
             b.store(2, 6, 1, word(0));
         },
         "race 6@64 with 5@0 x1"},
        {"two warps write different values",
         [](B& b) { b.store(0, 1, 1, word(0)), b.store(1, 2, 1, word(0)); }, "race 2@32 with 1@0 x1"},
        {"two warps write the same value", [](B& b) { b.store(0, 1, 1, word(0)), b.store(1, 1, 1, word(0)); },
         "nothing"},
        {"lanes of one store, different values",
         [](B& b) { b.access(0, 1, 3, AccessKind::Store, word(0), 4, {}, [](u32 lane) { return lane; }); },
         "race 1@1 with 1@0 x1"},
        {"lanes of one store, same value", [](B& b) { b.store(0, 1, ~0u, word(0)); }, "nothing"},
        {"neighboring bytes",
         [](B& b) {
             b.store(0, 1, 1, word(0), 1), b.store(
                                               1, 2, 1, [](u32) { return 1; }, 1);
         },
         "nothing"},
        {"neighboring bytes of one store",
         [](B& b) {
             b.store(
                 0, 1, ~0u, [](u32 l) { return l; }, 1);
         },
         "nothing"},
        {"the same byte",
         [](B& b) {
             b.store(
                 0, 1, 1, [](u32) { return 1; }, 1),
                 b.store(
                     1, 2, 1, [](u32) { return 1; }, 1);
         },
         "race 2@32 with 1@0 x1"},
        {"a word over another's byte",
         [](B& b) {
             b.store(0, 1, 1, word(0)), b.store(
                                            1, 2, 1, [](u32) { return 2; }, 1);
         },
         "race 2@32 with 1@0 x1"},

        {"atomic and atomic",
         [](B& b) { b.fill(), b.atomic(0, 5, ~0u, word(0)), b.atomic(1, 5, ~0u, word(0)); }, "nothing"},
        {"store by the first warp, counted by all (no barrier)",
         [](B& b) { b.store(0, 1, 1, word(0)), b.atomic(1, 5, 1, word(0)); }, "race 5@32 with 1@0 x1"},
        {"load against another warp's atomic",
         [](B& b) {
             b.fill(), b.atomic(1, 5, 1, word(0)), b.atomic(0, 5, 1, word(0)), b.load(0, 6, 1, word(0));
         },
         "race 6@0 with 5@32 x1"},
        {"atomic against another warp's load",
         [](B& b) { b.fill(), b.load(0, 5, 1, word(0)), b.atomic(1, 6, 1, word(0)); },
         "race 6@32 with 5@0 x1"},

        {"lock step: written by a lane, read by another",
         [](B& b) { b.store(0, 1, ~0u, b.ownWord(0)), b.load(0, 2, 1, word(9)); },
         "warp_synchronous 2@0 with 1@9 x1"},
        {"the same with a bar.warp.sync",
         [](B& b) {
             b.store(0, 1, ~0u, b.ownWord(0)), b.shadow.warpSync(Warp{0}, LaneMask::all()),
                 b.load(0, 2, 1, word(9));
         },
         "nothing"},
        {"a bar.warp.sync of the two lanes",
         [](B& b) {
             b.store(0, 1, ~0u, b.ownWord(0)), b.shadow.warpSync(Warp{0}, LaneMask{0x201}),
                 b.load(0, 2, 1, word(9));
         },
         "nothing"},
        {"a bar.warp.sync of other lanes",
         [](B& b) {
             b.store(0, 1, ~0u, b.ownWord(0)), b.shadow.warpSync(Warp{0}, LaneMask{0x101}),
                 b.load(0, 2, 1, word(9));
         },
         "warp_synchronous 2@0 with 1@9 x1"},
        {"bar.warp.sync orders one warp only",
         [](B& b) {
             b.store(0, 1, 1, word(0)), b.shadow.warpSync(Warp{0}, LaneMask::all()), b.load(1, 2, 1, word(0));
         },
         "race 2@32 with 1@0 x1"},
        {"the last warp of a reduction, unrolled, volatile",
         [](B& b) {
             b.fill();
             for (u32 s = 32; s > 0; s /= 2) {
                 b.access(
                     0, 10 + 3 * s, ~0u, AccessKind::Load, [s](u32 l) { return 4 * (l + s); }, 4, kVolatile);
                 b.access(0, 11 + 3 * s, ~0u, AccessKind::Load, b.ownWord(0), 4, kVolatile);
                 b.access(0, 12 + 3 * s, ~0u, AccessKind::Store, b.ownWord(0), 4, kVolatile);
             }
         },
         "warp_synchronous 13@0 with 18@1 x258"},
        {"two warps, volatile instead of a barrier",
         [](B& b) {
             b.access(0, 1, 1, AccessKind::Store, word(0), 4, kVolatile);
             b.access(1, 2, 1, AccessKind::Load, word(0), 4, kVolatile);
         },
         "race 2@32 with 1@0 x1"},

        {"divergent_exchange",
         [](B& b) {
             b.store(0, 1, 0xffff, b.ownWord(0)),
                 b.load(0, 2, 0xffff0000, [](u32 l) { return 4 * (31 - l); });
         },
         "warp_synchronous 2@16 with 1@15 x16"},
        {"histogram_clear_no_barrier",
         [](B& b) { b.store(0, 1, 0x3ffffff, b.ownWord(0)), b.atomic(1, 2, 0xf, b.ownWord(0)); },
         "race 2@32 with 1@0 x4"},
        {"scan_in_place, step 1",
         [](B& b) {
             b.fill();
             for (u32 w = 0; w < 2; ++w) {
                 const u32 mask = w ? ~0u : ~1u;
                 b.load(w, 10, mask, b.ownWord(w)),
                     b.load(w, 11, mask, [w](u32 l) { return 4 * (32 * w + l - 1); });
                 b.store(w, 12, mask, b.ownWord(w));
             }
         },
         "warp_synchronous 12@1 with 11@2 x62"},
        {"matmul: reads of a tile, then the next tile without a barrier",
         [](B& b) {
             b.fill(), b.load(1, 5, ~0u, word(1)), b.load(2, 5, ~0u, word(1)),
                 b.store(0, 6, ~0u, b.ownWord(0));
         },
         "race 6@1 with 5@32 x1"},

        {"producer and consumer with named barriers, three rounds",
         [](B& b) {
             for (u32 round = 0; round < 3; ++round) {
                 if (round) b.shadow.arrive(Warp{0}, 2), b.shadow.complete(2), b.shadow.pass(Warp{0}, 2);
                 b.store(0, 5, ~0u, b.ownWord(0));
                 b.shadow.arrive(Warp{0}, 1), b.shadow.arrive(Warp{1}, 1), b.shadow.complete(1),
                     b.shadow.pass(Warp{1}, 1);
                 b.load(1, 6, ~0u, [](u32 l) { return 4 * (31 - l); });
                 b.shadow.arrive(Warp{1}, 2);
             }
         },
         "nothing"},
        {"the same, but the producer does not wait for the consumer",
         [](B& b) {
             for (u32 round = 0; round < 2; ++round) {
                 b.store(0, 5 + round, ~0u, b.ownWord(0));
                 b.shadow.arrive(Warp{0}, 1), b.shadow.arrive(Warp{1}, 1), b.shadow.complete(1),
                     b.shadow.pass(Warp{1}, 1);
                 b.load(1, 8, ~0u, [](u32 l) { return 4 * (31 - l); });
             }
         },
         "race 6@0 with 8@63 x32"},
        {"a third warp was not at the barrier",
         [](B& b) {
             b.store(0, 5, 1, word(0));
             b.shadow.arrive(Warp{0}, 1), b.shadow.arrive(Warp{1}, 1), b.shadow.complete(1),
                 b.shadow.pass(Warp{1}, 1);
             b.load(2, 6, 1, word(0));
         },
         "race 6@64 with 5@0 x1"},
        {"what comes after bar.arrive is not covered",
         [](B& b) {
             b.shadow.arrive(Warp{0}, 1), b.store(0, 5, 1, word(0));
             b.shadow.arrive(Warp{1}, 1), b.shadow.complete(1), b.shadow.pass(Warp{1}, 1);
             b.load(1, 6, 1, word(0));
         },
         "race 6@32 with 5@0 x1"},

        {"a flag with fences on both sides",
         [](B& b) {
             b.fill();
             b.store(0, 5, 1, word(9)), b.shadow.fence(Warp{0}),
                 b.access(0, 6, 1, AccessKind::Store, word(0), 4, kVolatile);
             b.access(1, 7, 1, AccessKind::Load, word(0), 4, kVolatile), b.shadow.fence(Warp{1}),
                 b.load(1, 8, 1, word(9));
         },
         "nothing"},
        {"a flag without the writer's fence",
         [](B& b) {
             b.fill();
             b.store(0, 5, 1, word(9)), b.atomic(0, 6, 1, word(0));
             b.atomic(1, 7, 1, word(0)), b.shadow.fence(Warp{1}), b.load(1, 8, 1, word(9));
         },
         "race 8@32 with 5@0 x1"},
        {"release and acquire",
         [](B& b) {
             b.fill();
             b.store(0, 5, 1, word(9)),
                 b.access(0, 6, 1, AccessKind::Store, word(0), 4, {Ordering::Release, Scope::Block});
             b.access(1, 7, 1, AccessKind::Load, word(0), 4, {Ordering::Acquire, Scope::Block}),
                 b.load(1, 8, 1, word(9));
         },
         "nothing"},
        {"a lock taken by lane after lane, warp after warp",
         [](B& b) {
             b.fill();
             for (u32 w : {0, 1})
                 for (u32 lane : {0, 1}) {
                     b.atomic(w, 5, 1u << lane, word(0)), b.shadow.fence(Warp{w});
                     b.load(w, 6, 1u << lane, word(9)), b.store(w, 7, 1u << lane, word(9));
                     b.shadow.fence(Warp{w}), b.atomic(w, 8, 1u << lane, word(0));
                 }
         },
         "nothing"},
    };
    for (const Case& c : cases) {
        Bench bench;
        c.run(bench);
        EXPECT_EQ(summary(bench.found()), c.expected) << c.what;

        Bench late({96, 1, 1}, 0xfffeff80);  // the same while epochs run out now and then
        for (int i = 0; i < 20; ++i)
            late.shadow.blockBarrier();
        late.begin();
        c.run(late);
        EXPECT_EQ(summary(late.found()), c.expected) << c.what << ", late";
    }
}

TEST(SharedShadow, ForgetsTheBlockBefore) {
    Bench bench;
    bench.fill();
    bench.store(0, 3, 1, word(200));
    bench.begin({3, 0, 0});
    bench.store(1, 4, 1, word(200));
    EXPECT_TRUE(bench.found().empty());
    bench.load(0, 5, 1, word(0));
    EXPECT_EQ(summary(bench.found()), "uninitialized_read 5@0 x1");
}

TEST(SharedShadow, SaysWhereItHappened) {
    Bench bench({16, 6, 1});
    bench.store(0, 1, 1u << 17, word(5));
    bench.load(2, 2, 1u << 3, word(4), 8);
    const std::vector<Finding> found = bench.found();
    ASSERT_EQ(found.size(), 2u);
    const Finding& race = found[0].kind == FindingKind::Race ? found[0] : found[1];
    EXPECT_EQ(race.who, (Culprit{Pc{2}, {2, 1, 0}, {3, 4, 0}, AccessKind::Load}));
    EXPECT_EQ(race.other, (Culprit{Pc{1}, {2, 1, 0}, {1, 1, 0}, AccessKind::Store}));
    EXPECT_EQ(race.address, 16u);
    EXPECT_EQ(race.widthBytes, 8u);
    EXPECT_EQ(race.sizeBytes, kBytes);
    EXPECT_EQ(race.space, Space::Shared);
}

TEST(SharedShadow, SkipsWhatLiesOutside) {
    Bench bench;
    WarpAccess a{Pc{1}, LaneMask{7}, Space::Shared, AccessKind::Load, 8, {}};
    a.addresses[0] = kBytes - 4;
    a.addresses[1] = ~u64{0} - 3;
    a.addresses[2] = kBytes;
    bench.shadow.access(Warp{0}, a);
    EXPECT_TRUE(bench.found().empty());
}

Finding readOfNothing(Dim3 block) {
    Finding finding;
    finding.kind = FindingKind::OutOfBounds;
    finding.who = {Pc{99}, block, {0, 0, 0}, AccessKind::Load};
    return finding;
}

constexpr u32 kNan = 0x7fffffff;

TEST(SharedShadow, CallsPoisonNoValueThatTwoThreadsShare) {
    struct Case {
        const char* what;
        u32 value;
        bool hasReadPoison;
        const char* expected;
    };
    const Case cases[] = {{"a flag", 1, true, "nothing"},
                          {"the largest number, in a correct kernel", kNan, false, "nothing"},
                          {"minus one, in a correct kernel", ~0u, false, "nothing"},
                          {"infinity", 0x7f800000, true, "nothing"},
                          {"NaN, computed from poison", kNan, true, "race 2@32 with 1@0 x1"},
                          {"poison itself", ~0u, true, "race 2@32 with 1@0 x1"},
                          {"the upper half of a NaN of double", 0xfff80000, true, "race 2@32 with 1@0 x1"}};
    for (const Case& c : cases) {
        const auto withoutPoison = [](const std::vector<Finding>& found) {
            std::vector<Finding> races;
            for (const Finding& f : found)
                if (f.kind == FindingKind::Race) races.push_back(f);
            return races;
        };
        const auto value = [&](u32) { return c.value; };
        Bench bench;
        bench.findings.add(readOfNothing(c.hasReadPoison ? Dim3{2, 1, 0} : Dim3{1, 1, 0}));
        bench.access(0, 1, 1, AccessKind::Store, word(0), 4, {}, value);
        bench.access(1, 2, 1, AccessKind::Store, word(0), 4, {}, value);
        EXPECT_EQ(summary(withoutPoison(bench.found())), c.expected) << c.what;

        Bench lanes;
        lanes.findings.add(readOfNothing(c.hasReadPoison ? Dim3{2, 1, 0} : Dim3{1, 1, 0}));
        lanes.access(0, 1, 3, AccessKind::Store, word(0), 4, {}, value);
        EXPECT_EQ(withoutPoison(lanes.found()).empty(), std::string(c.expected) == "nothing")
            << c.what << ", lanes";
    }
}

// What the shadow should find, by remembering every access to every byte and a full vector clock per thread.
class Reference {
public:
    static constexpr u32 kThreads = 96;
    enum Verdict { Nothing, LockStep, Race };
    using Clock = std::array<u32, kThreads>;

    struct Access {
        u32 thread, call;
        bool writes, isStore, strong;
    };
    struct Event {
        Access access;
        u32 time;
        u32 value;
    };

    u32 now = 1;
    u32 different = 0x100;
    std::array<Clock, kThreads> clocks{};
    std::array<std::vector<Event>, kBytes> events;
    // A value that equals no other.
    u32 poisoned() { return different++; }
    std::array<bool, kBytes> hadFinding{};
    std::map<u32, std::pair<Clock, Clock>> barriers;

    // Against earlier instructions. silent: the store leaves the whole granule unchanged.
    Verdict check(const Access& a, u32 byte, bool silent) const {
        Verdict worst = Nothing;
        for (const Event& e : events[byte]) {
            const Access& b = e.access;
            if ((!b.writes && !a.writes) || (b.strong && a.strong) || isBefore(e, a)) continue;
            if (silent && a.isStore && b.isStore) continue;
            worst = std::max(worst, b.thread / 32 == a.thread / 32 ? LockStep : Race);
        }
        return worst;
    }
    // Against lanes of the same instruction; then it is added to those that later lanes are checked against.
    Verdict remember(const Access& a, u32 byte, u32 value, bool silent) {
        // Of several lanes at one address, each is compared with the previous one.
        const Event* before = events[byte].empty() ? nullptr : &events[byte].back();
        const Verdict verdict =
            before && before->access.call == a.call && a.isStore && before->value != value ? Race : Nothing;
        // A store replaces the loads before it, and one that changes nothing also the stores.
        if (a.isStore)
            std::erase_if(events[byte], [&](const Event& e) {
                return e.access.call != a.call && (e.access.isStore ? silent : isBefore(e, a));
            });
        events[byte].push_back({a, now, value});
        return verdict;
    }
    bool isBefore(const Event& e, const Access& a) const {
        return e.access.thread == a.thread || e.time <= clocks[a.thread][e.access.thread];
    }
    void meet(const std::vector<u32>& threads) {
        Clock joined{};
        for (u32 t : threads)
            join(joined, clocks[t]);
        for (u32 t : threads)
            joined[t] = now;
        for (u32 t : threads)
            clocks[t] = joined;
        ++now;
    }
    void arrive(u32 warp, u32 barrier) {
        Clock& gathering = barriers[barrier].first;
        for (u32 t = 32 * warp; t < 32 * warp + 32; ++t)
            join(gathering, clocks[t]);
        for (u32 t = 32 * warp; t < 32 * warp + 32; ++t)
            gathering[t] = now;
        ++now;
    }
    void complete(u32 barrier) {
        join(barriers[barrier].second, barriers[barrier].first);
        barriers[barrier].first = {};
    }
    void pass(u32 warp, u32 barrier) {
        for (u32 t = 32 * warp; t < 32 * warp + 32; ++t)
            join(clocks[t], barriers[barrier].second);
    }

private:
    static void join(Clock& a, const Clock& b) {
        for (u32 i = 0; i < kThreads; ++i)
            a[i] = std::max(a[i], b[i]);
    }
};

struct Mix {
    const char* what;
    std::vector<u8> widths;
    bool partialSyncs, namedBarriers, complete;
    bool poison = false;  // some values are all ones, in blocks of which every other has read poison
};

TEST(SharedShadow, AgreesWithFullVectorClocksOnRandomBlocks) {
    const Mix mixes[] = {{"words", {4}, false, false, true},
                         {"words and vectors", {4, 8, 16}, false, false, true},
                         {"bytes too", {1, 2, 4, 8}, false, false, true},
                         {"partial bar.warp.sync", {4}, true, false, false},
                         {"named barriers", {4}, false, true, false},
                         {"everything", {1, 2, 4, 8, 16}, true, true, false},
                         {"poison", {4, 8}, false, false, true, true},
                         {"poison and bytes", {1, 2, 4}, false, false, true, true}};
    std::mt19937 random(12345);
    const auto below = [&](u32 n) { return u32(random() % n); };
    for (const Mix& mix : mixes) {
        u64 verdicts[3] = {0, 0, 0}, missed = 0;
        Bench bench;
        for (int block = 0; block < 2000; ++block) {
            Reference reference;
            bench.begin({u32(block), 0, 0});
            bench.shadow.markWritten(0, kBytes);
            std::vector<u32> everyone(Reference::kThreads);
            for (u32 t = 0; t < everyone.size(); ++t)
                everyone[t] = t;
            for (int step = 0; step < 40; ++step) {
                const u32 what = below(20), warp = below(3), barrier = 1 + below(2);
                if (what == 0) {
                    bench.shadow.blockBarrier();
                    reference.meet(everyone);
                    reference.hadFinding = {};
                } else if (what <= 2) {
                    const u32 mask = mix.partialSyncs && below(2) ? 1 + below(7) : ~0u;
                    std::vector<u32> threads;
                    for (Lane lane : LaneMask{mask})
                        threads.push_back(32 * warp + lane.value);
                    bench.shadow.warpSync(Warp{warp}, LaneMask{mask});
                    reference.meet(threads);
                } else if (what <= 6 && mix.namedBarriers) {
                    if (what <= 4) bench.shadow.arrive(Warp{warp}, barrier), reference.arrive(warp, barrier);
                    if (what == 5) bench.shadow.complete(barrier), reference.complete(barrier);
                    if (what == 6) bench.shadow.pass(Warp{warp}, barrier), reference.pass(warp, barrier);
                } else {
                    WarpAccess a{
                        Pc{10 + below(4)}, LaneMask{1 + below(7)}, Space::Shared, AccessKind::Load, 4, {}};
                    a.widthBytes = mix.widths[below(u32(mix.widths.size()))];
                    const u32 kind = below(8);
                    a.kind = kind < 4 ? AccessKind::Load : kind < 7 ? AccessKind::Store : AccessKind::Atomic;
                    if (a.kind == AccessKind::Atomic) a.widthBytes = 4;
                    std::vector<std::byte> values(std::size_t{32} * a.widthBytes);
                    for (std::byte& v : values)
                        v = std::byte(below(4) ? 7 : 8);
                    for (Lane lane : a.active)
                        a.addresses[lane.value] = u64{below(u32(32 / a.widthBytes))} * a.widthBytes;

                    if (mix.poison)
                        for (Lane lane : a.active)
                            if (below(2))
                                std::fill_n(&values[lane.value * a.widthBytes], a.widthBytes,
                                            std::byte{0xff});
                    const bool hasReadPoison = mix.poison && block % 2;

                    bench.findings.clear();
                    if (hasReadPoison) bench.findings.add(readOfNothing({u32(block), 0, 0}));
                    bench.shadow.access(Warp{warp}, a, {}, values.data());
                    const std::vector<Finding> found = bench.found();

                    const u32 granule = mix.widths[0];
                    std::array<Reference::Verdict, 32> expected{}, got{};
                    std::array<bool, 32> poisoned{};
                    for (const Finding& f : found) {
                        if (f.kind == FindingKind::OutOfBounds) continue;
                        Reference::Verdict& verdict = got[f.who.thread.x % 32];
                        verdict = std::max(
                            verdict, f.kind == FindingKind::Race ? Reference::Race : Reference::LockStep);
                        ASSERT_TRUE(f.other);
                    }
                    const auto forEachByte = [&](auto visit) {
                        for (Lane lane : a.active)
                            for (u32 i = 0; i < a.widthBytes; ++i) {
                                const Reference::Access access{32 * warp + lane.value, reference.now,
                                                               writes(a.kind), a.kind == AccessKind::Store,
                                                               a.kind == AccessKind::Atomic};
                                const u32 byte = u32(a.addresses[lane.value]) + i,
                                          from = i / granule * granule;
                                const std::byte* value = &values[lane.value * a.widthBytes];
                                const bool isPoisoned = hasReadPoison && value[i] == std::byte{0xff};
                                const bool silent = !isPoisoned && std::memcmp(&bench.memory[byte - i + from],
                                                                               value + from, granule) == 0;
                                visit(lane.value, access, byte,
                                      isPoisoned ? reference.poisoned() : u32(value[i]), silent);
                            }
                    };
                    forEachByte([&](u32 lane, const Reference::Access& access, u32 byte, u32, bool silent) {
                        const Reference::Verdict verdict = reference.check(access, byte, silent);
                        expected[lane] = std::max(expected[lane], verdict);
                        poisoned[lane] = poisoned[lane] || reference.hadFinding[byte];
                        if (verdict != Reference::Nothing) reference.hadFinding[byte] = true;
                    });
                    forEachByte(
                        [&](u32 lane, const Reference::Access& access, u32 byte, u32 value, bool silent) {
                            expected[lane] =
                                std::max(expected[lane], reference.remember(access, byte, value, silent));
                        });
                    forEachByte([&](u32 lane, const Reference::Access&, u32 byte, u32, bool) {
                        if (expected[lane] != Reference::Nothing) reference.hadFinding[byte] = true;
                    });
                    for (Lane at : a.active) {
                        const u32 lane = at.value;
                        ++verdicts[expected[lane]];
                        ASSERT_LE(got[lane], expected[lane])
                            << mix.what << ": block " << block << " step " << step << " makes one up";
                        if (got[lane] < expected[lane]) ++missed;
                        if (!poisoned[lane] && mix.complete) {
                            ASSERT_EQ(got[lane], expected[lane])
                                << mix.what << ": block " << block << " step " << step << " misses one";
                        }
                    }
                    if (a.kind == AccessKind::Store)
                        for (Lane lane : a.active)
                            std::memcpy(&bench.memory[a.addresses[lane.value]],
                                        &values[lane.value * a.widthBytes], a.widthBytes);
                    ++reference.now;
                }
            }
        }
        EXPECT_GT(verdicts[Reference::LockStep], 1000u) << mix.what;
        EXPECT_GT(verdicts[Reference::Race], 1000u) << mix.what;
        // After the first finding at an address some later ones may be missing.
        EXPECT_LT(missed, (verdicts[1] + verdicts[2]) / 5) << mix.what;
    }
}

}  // namespace
}  // namespace lockstep::trace
