#include "trace/shadow/global_shadow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <thread>

namespace lockstep::trace {
namespace {

using Mode = GlobalShadow::Mode;
constexpr u64 kBase = 0x10000;
constexpr u32 kBytes = 4096;
constexpr u32 kBlocks = 8;
constexpr Strength kVolatile{Ordering::Volatile, Scope::Device}, kRelease{Ordering::Release, Scope::Device},
    kAcquire{Ordering::Acquire, Scope::Device};

using Keeps = GlobalShadow::Keeps;

std::vector<GlobalShadow::BufferSpec> twoBuffers(Keeps keeps, u32 elementBytes) {
    return {{kBase, kBytes, elementBytes, 0, keeps}, {2 * kBase, kBytes, elementBytes, 1, keeps}};
}

// A launch of 8 blocks of 64 threads (16 x 4) on two buffers; all blocks are resident.
struct Bench {
    explicit Bench(Mode mode = Mode::Sequential, Keeps keeps = Keeps::All, u32 elementBytes = 4)
        : shadow(LaunchId{0}, {4, 2, 1}, {16, 4, 1}, 100, twoBuffers(keeps, elementBytes), mode) {
        start();
    }
    void start() {
        for (auto& buffer : memory)
            buffer.assign(kBytes, std::byte{0});
        findings.clear();
        blocks.clear();
        for (u32 b = 0; b < kBlocks; ++b)
            blocks.emplace_back(shadow, findings).beginBlock(Block{b});
    }
    void access(u32 block, u32 warp, u32 pc, u32 mask, AccessKind kind, u32 buffer,
                const std::function<u64(u32)>& offset, Strength strength = {}, u8 width = 4,
                const std::function<u32(u32)>& value = {}) {
        WarpAccess a{Pc{pc}, LaneMask{mask}, Space::Global, kind, width, {}};
        std::vector<std::byte> values(std::size_t{32} * width);
        for (Lane lane : a.active) {
            a.addresses[lane.value] = kBase * (1 + buffer) + offset(lane.value);
            const u32 v = value ? value(lane.value) : pc;
            for (u32 i = 0; i < width; i += 4)
                std::memcpy(&values[lane.value * width + i], &v, std::min<u32>(width, 4));
        }
        if (kind == AccessKind::Load && strength.ordering == Ordering::Weak &&
            blocks[block].skipsLoad(buffer))
            return;
        blocks[block].access(Warp{warp}, buffer, a, strength, values.data(), memory[buffer].data());
        if (kind == AccessKind::Store)
            for (Lane lane : a.active)
                std::memcpy(&memory[buffer][offset(lane.value)], &values[lane.value * width], width);
    }
    void store(u32 block, u32 warp, u32 pc, u32 mask, const std::function<u64(u32)>& offset,
               Strength strength = {}) {
        access(block, warp, pc, mask, AccessKind::Store, 0, offset, strength);
    }
    void load(u32 block, u32 warp, u32 pc, u32 mask, const std::function<u64(u32)>& offset,
              Strength strength = {}) {
        access(block, warp, pc, mask, AccessKind::Load, 0, offset, strength);
    }
    void atomic(u32 block, u32 warp, u32 pc, u32 mask, const std::function<u64(u32)>& offset,
                AccessKind kind = AccessKind::Atomic, Strength strength = {}) {
        access(block, warp, pc, mask, kind, 0, offset, strength);
    }
    void fence(u32 block, u32 warp, Scope scope = Scope::Device) { blocks[block].fence(Warp{warp}, scope); }
    void barrier(u32 block) { blocks[block].blockBarrier(); }
    std::vector<Finding> found() const {
        const FindingCollector* all[] = {&findings};
        return FindingCollector::merge(all, 1000);
    }

    std::array<std::vector<std::byte>, 2> memory;
    GlobalShadow shadow;
    FindingCollector findings;
    std::vector<GlobalBlockShadow> blocks;
};

std::function<u64(u32)> word(u32 n) {
    return [n](u32) { return u64{4} * n; };
}
// Word `first` + lane.
std::function<u64(u32)> row(u32 first) {
    return [first](u32 lane) { return u64{4} * (first + lane); };
}

// "race 5@1.33 with 1@0.2 x3": kind, pc@block.thread of both; the first of the list, and how many there are.
std::string summary(const std::vector<Finding>& findings) {
    if (findings.empty()) return "nothing";
    const Finding& f = findings.front();
    const auto name = [](const Culprit& c) {
        return std::to_string(c.pc.value) + "@" + std::to_string(c.block.x + 4 * c.block.y) + "." +
               std::to_string(c.thread.x + 16 * c.thread.y);
    };
    return std::string(nameOf(f.kind)) + " " + name(f.who) + (f.other ? " with " + name(*f.other) : "") +
           " x" + std::to_string(findings.size());
}

constexpr u32 kFlag = 900, kTicket = 901;  // words apart from the data

TEST(GlobalShadow, FindsWhatIsWrongAndIsSilentWhereNothingIs) {
    using B = Bench;
    struct Case {
        const char* what;
        std::function<void(Bench&)> run;
        const char* expected;
    };
    // Thread 0 stores its block's sum, fences, takes a ticket; the last block reads all sums.
    const auto lastBlockSums = [](bool fenced, Strength strength) {
        return [=](B& b) {
            for (u32 block = 0; block < 4; ++block) {
                b.store(block, 0, 1, 1, word(block), strength);
                if (fenced) b.fence(block, 0);
                b.atomic(block, 0, 2, 1, word(kTicket));
                b.barrier(block);
            }
            b.fence(3, 0), b.fence(3, 1);
            b.load(3, 0, 3, 0xf, row(0), strength);
        };
    };
    // All threads store, then there is a barrier or not, then thread 0 raises the flag for block 1.
    const auto handOver = [](bool allFence, bool barrier, bool oneFences, bool readerFences) {
        return [=](B& b) {
            for (u32 w : {0, 1})
                b.store(0, w, 1, ~0u, row(32 * w));
            if (allFence) b.fence(0, 0), b.fence(0, 1);
            if (barrier) b.barrier(0);
            if (oneFences) b.fence(0, 0);
            b.store(0, 0, 2, 1, word(kFlag), kVolatile);
            b.load(1, 0, 3, 1, word(kFlag), kVolatile);
            if (readerFences) b.fence(1, 0);
            b.load(1, 0, 4, 2, row(40));
        };
    };
    const Case cases[] = {
        {"own words",
         [](B& b) {
             b.store(0, 0, 1, ~0u, row(0)), b.load(0, 0, 2, ~0u, row(0)), b.store(1, 0, 1, ~0u, row(32));
         },
         "nothing"},
        {"two blocks write one word",
         [](B& b) { b.store(0, 0, 1, 1, word(5)), b.store(2, 1, 2, 4, word(5)); },
         "race 2@2.34 with 1@0.0 x1"},
        {"two blocks write the same value",
         [](B& b) { b.store(0, 0, 1, 1, word(5)), b.store(2, 1, 1, 4, word(5)); }, "nothing"},
        {"a block reads what another wrote",
         [](B& b) { b.store(0, 0, 1, 1, word(5)), b.load(1, 0, 2, 1, word(5)); }, "race 2@1.0 with 1@0.0 x1"},
        {"a block overwrites what another read",
         [](B& b) { b.load(0, 1, 1, 1, word(5)), b.store(1, 0, 2, 1, word(5)); },
         "race 2@1.0 with 1@0.32 x1"},
        {"and what the writer read, too",
         [](B& b) { b.load(0, 1, 1, 1, word(5)), b.load(1, 0, 2, 1, word(5)), b.store(1, 0, 3, 1, word(5)); },
         "race 3@1.0 with 1@0.32 x1"},
        {"smooth_in_place",
         [](B& b) {
             for (u32 block : {0, 1}) {
                 for (u32 d : {0, 1, 2})
                     b.load(block, 0, 1 + d, ~0u, row(32 * block + d));
                 b.store(block, 0, 4, ~0u, row(32 * block + 1));
             }
         },
         "race 1@1.0 with 4@0.31 x2"},
        {"in a block, with its barrier",
         [](B& b) { b.store(0, 0, 1, ~0u, row(0)), b.barrier(0), b.load(0, 1, 2, ~0u, row(0)); }, "nothing"},
        {"in a block, without", [](B& b) { b.store(0, 0, 1, ~0u, row(0)), b.load(0, 1, 2, 8, word(7)); },
         "race 2@0.35 with 1@0.7 x1"},
        {"a block's write after its other warp's read",
         [](B& b) { b.load(0, 1, 1, 1, word(5)), b.store(0, 0, 2, 1, word(5)); },
         "race 2@0.0 with 1@0.32 x1"},
        {"in a warp, store then load by another lane",
         [](B& b) { b.store(0, 0, 1, ~0u, row(0)), b.load(0, 0, 2, 1, word(7)); },
         "warp_synchronous 2@0.0 with 1@0.7 x1"},
        {"the same after bar.warp.sync",
         [](B& b) {
             b.store(0, 0, 1, ~0u, row(0)), b.blocks[0].warpSync(Warp{0}, LaneMask::all()),
                 b.load(0, 0, 2, 1, word(7));
         },
         "nothing"},
        {"in a warp, load then store by another lane",
         [](B& b) { b.load(0, 0, 1, 1, word(7)), b.store(0, 0, 2, 2, word(7)); }, "nothing"},
        {"lanes of one store, different values",
         [](B& b) {
             b.access(0, 0, 1, 3, AccessKind::Store, 0, word(5), {}, 4, [](u32 lane) { return lane; });
         },
         "race 1@0.1 with 1@0.0 x1"},
        {"lanes of one store, the same value", [](B& b) { b.store(0, 0, 1, ~0u, word(5)); }, "nothing"},
        {"a vector store over another lane's word",
         [](B& b) {
             b.access(
                 0, 0, 1, 3, AccessKind::Store, 0, [](u32 l) { return 8 * l; }, {}, 8,
                 [](u32 l) { return l; });
         },
         "nothing"},

        {"atomics of two blocks",
         [](B& b) { b.atomic(0, 0, 1, ~0u, word(5)), b.atomic(1, 0, 1, ~0u, word(5)); }, "nothing"},
        {"a plain store against another block's atomic",
         [](B& b) { b.store(0, 0, 1, 1, word(5)), b.atomic(1, 0, 2, 1, word(5)); },
         "race 2@1.0 with 1@0.0 x1"},
        {"a plain load against an earlier block's atomic, after one of one's own",
         [](B& b) {
             b.atomic(0, 0, 1, 1, word(5)), b.atomic(1, 0, 1, 1, word(5)), b.load(1, 0, 2, 1, word(5));
         },
         "nothing"},
        {"the same for the thread beside it",
         [](B& b) {
             b.atomic(0, 0, 1, 1, word(5)), b.atomic(1, 0, 1, 1, word(5)), b.load(1, 0, 2, 2, word(5));
         },
         "race 2@1.1 with 1@0.0 x1"},
        {"the last block resets the ticket, by the thread that took it",
         [](B& b) {
             for (u32 block = 0; block < kBlocks; ++block)
                 b.atomic(block, 0, 1, 1, word(kTicket)), b.barrier(block);
             b.store(kBlocks - 1, 0, 2, 1, word(kTicket));
         },
         "nothing"},
        {"the last block resets the ticket, by another thread behind a barrier",
         [](B& b) {
             for (u32 block = 0; block < kBlocks; ++block)
                 b.atomic(block, 0, 1, 1, word(kTicket)), b.barrier(block);
             b.store(kBlocks - 1, 1, 2, 1, word(kTicket));
         },
         "nothing"},
        {"the last block resets the ticket, by another thread at once",
         [](B& b) {
             for (u32 block = 0; block < kBlocks; ++block)
                 b.atomic(block, 0, 1, 1, word(kTicket));
             b.store(kBlocks - 1, 1, 2, 1, word(kTicket));
         },
         "race 2@7.32 with 1@0.0 x1"},
        {"a block that is not the last resets the ticket",
         [](B& b) {
             b.atomic(0, 0, 1, 1, word(kTicket)), b.atomic(1, 0, 1, 1, word(kTicket));
             b.store(0, 0, 2, 1, word(kTicket));
         },
         "race 2@0.0 with 1@1.0 x1"},
        {"the ticket is taken after its reset",
         [](B& b) {
             b.atomic(0, 0, 1, 1, word(kTicket)), b.store(0, 0, 2, 1, word(kTicket));
             b.atomic(1, 0, 1, 1, word(kTicket));
         },
         "race 1@1.0 with 2@0.0 x1"},
        {"a plain store after one's own reduction, which has read nothing",
         [](B& b) {
             b.atomic(0, 0, 1, 1, word(5), AccessKind::Reduction);
             b.atomic(1, 0, 1, 1, word(5), AccessKind::Reduction), b.store(1, 0, 2, 1, word(5));
         },
         "race 2@1.0 with 1@0.0 x1"},
        {"a flag that was waited for is cleared",
         [](B& b) {
             b.store(0, 0, 1, 1, word(kFlag), kVolatile), b.load(1, 0, 2, 1, word(kFlag), kVolatile);
             b.store(1, 0, 3, 1, word(kFlag));
         },
         "nothing"},
        {"of a flag that was waited for, the word beside it",
         [](B& b) {
             b.store(0, 0, 1, 1, word(kFlag), kVolatile), b.store(0, 0, 1, 1, word(kFlag + 1), kVolatile);
             b.load(1, 0, 2, 1, word(kFlag), kVolatile), b.store(1, 0, 3, 1, word(kFlag + 1));
         },
         "race 3@1.0 with 1@0.0 x1"},
        {"volatile on both sides",
         [](B& b) { b.store(0, 0, 1, 1, word(5), kVolatile), b.load(1, 0, 2, 1, word(5), kVolatile); },
         "nothing"},
        {"volatile on one side",
         [](B& b) { b.store(0, 0, 1, 1, word(5), kVolatile), b.load(1, 0, 2, 1, word(5)); },
         "race 2@1.0 with 1@0.0 x1"},

        {"reduce_single_pass", lastBlockSums(true, kVolatile), "nothing"},
        {"the same with plain sums", lastBlockSums(true, {}), "nothing"},
        {"the same without a fence", lastBlockSums(false, {}), "race 3@3.0 with 1@0.0 x3"},
        {"all store, barrier, thread 0 fences and raises a flag", handOver(false, true, true, true),
         "nothing"},
        {"all store, all fence, barrier, thread 0 raises a flag", handOver(true, true, false, true),
         "nothing"},
        {"no barrier before the fence", handOver(false, false, true, true), "race 4@1.1 with 1@0.41 x1"},
        {"no fence", handOver(false, true, false, true), "race 4@1.1 with 1@0.41 x1"},
        {"no fence of the reader", handOver(false, true, true, false), "race 4@1.1 with 1@0.41 x1"},
        {"a fence of the block only",
         [](B& b) {
             b.store(0, 0, 1, 1, word(0)), b.fence(0, 0, Scope::Block), b.atomic(0, 0, 2, 1, word(kFlag));
             b.atomic(1, 0, 3, 1, word(kFlag)), b.fence(1, 0), b.load(1, 0, 4, 1, word(0));
         },
         "race 4@1.0 with 1@0.0 x1"},
        {"stored after the fence",
         [](B& b) {
             b.fence(0, 0), b.store(0, 0, 1, 1, word(0)), b.atomic(0, 0, 2, 1, word(kFlag));
             b.atomic(1, 0, 3, 1, word(kFlag)), b.fence(1, 0), b.load(1, 0, 4, 1, word(0));
         },
         "race 4@1.0 with 1@0.0 x1"},
        {"release and acquire",
         [](B& b) {
             b.store(0, 0, 1, 1, word(0)), b.store(0, 0, 2, 1, word(kFlag), kRelease);
             b.load(1, 0, 3, 1, word(kFlag), kAcquire), b.load(1, 0, 4, 1, word(0));
         },
         "nothing"},
        {"stored after the release",
         [](B& b) {
             b.store(0, 0, 2, 1, word(kFlag), kRelease), b.store(0, 0, 1, 1, word(0));
             b.load(1, 0, 3, 1, word(kFlag), kAcquire), b.load(1, 0, 4, 1, word(0));
         },
         "race 4@1.0 with 1@0.0 x1"},
        {"another flag was read",
         [](B& b) {
             b.store(0, 0, 1, 1, word(0)), b.store(0, 0, 2, 1, word(kFlag), kRelease),
                 b.store(2, 0, 2, 1, word(kTicket), kRelease);
             b.load(1, 0, 3, 1, word(kTicket), kAcquire), b.load(1, 0, 4, 1, word(0));
         },
         "race 4@1.0 with 1@0.0 x1"},
        {"decoupled look-back: each block waits for the one before",
         [](B& b) {
             for (u32 block = 0; block < kBlocks; ++block) {
                 if (block) {
                     b.load(block, 0, 1, 1, word(kFlag + block - 1), kVolatile), b.fence(block, 0);
                     b.load(block, 0, 2, 1, word(block - 1)), b.load(block, 0, 3, 1, word(0));
                 }
                 b.store(block, 0, 4, 1, word(block)), b.fence(block, 0);
                 b.store(block, 0, 5, 1, word(kFlag + block), kVolatile);
             }
         },
         "nothing"},
        {"a barrier of the grid, twice",
         [](B& b) {
             for (u32 round = 0; round < 2; ++round) {
                 for (u32 block = 0; block < kBlocks; ++block) {
                     for (u32 w : {0, 1})
                         b.store(block, w, 1, ~0u, row(64 * block + 32 * w));
                     b.barrier(block), b.fence(block, 0), b.atomic(block, 0, 2, 1, word(kTicket + round));
                 }
                 for (u32 block = 0; block < kBlocks; ++block) {
                     b.load(block, 0, 3, 1, word(kTicket + round), kVolatile), b.fence(block, 0),
                         b.barrier(block);
                     for (u32 w : {0, 1})
                         b.load(block, w, 4, ~0u, row(64 * (kBlocks - 1 - block) + 32 * w));
                     b.barrier(block), b.fence(block, 0),
                         b.atomic(block, 0, 5, 1, word(kTicket + 10 + round));
                 }
                 for (u32 block = 0; block < kBlocks; ++block)
                     b.load(block, 0, 6, 1, word(kTicket + 10 + round), kVolatile), b.fence(block, 0),
                         b.barrier(block);
             }
         },
         "nothing"},
        {"the same with one round trip less",
         [](B& b) {
             for (u32 round = 0; round < 2; ++round) {
                 for (u32 block = 0; block < 2; ++block) {
                     b.store(block, 0, 1 + 10 * round, 1, word(block));
                     b.barrier(block), b.fence(block, 0), b.atomic(block, 0, 2, 1, word(kTicket + round));
                 }
                 for (u32 block = 0; block < 2; ++block) {
                     b.load(block, 0, 3, 1, word(kTicket + round), kVolatile), b.fence(block, 0),
                         b.barrier(block);
                     b.load(block, 1, 4, 1, word(1 - block));
                 }
             }
         },
         "race 11@0.0 with 4@1.32 x2"},
        {"a lock, taken by lane after lane, block after block",
         [](B& b) {
             for (u32 block : {0, 1})
                 for (u32 w : {0, 1})
                     for (u32 lane : {0, 1}) {
                         b.atomic(block, w, 5, 1u << lane, word(kFlag)), b.fence(block, w);
                         b.load(block, w, 6, 1u << lane, word(9)), b.store(block, w, 7, 1u << lane, word(9));
                         b.fence(block, w), b.atomic(block, w, 8, 1u << lane, word(kFlag));
                     }
         },
         "nothing"},
    };
    for (const Case& c : cases) {
        Bench bench;
        c.run(bench);
        bench.shadow.finish();
        EXPECT_EQ(summary(bench.found()), c.expected) << c.what;
        EXPECT_TRUE(bench.shadow.needsRestart().empty()) << c.what;
        EXPECT_FALSE(bench.shadow.conflict()) << c.what;
    }
}

TEST(GlobalShadow, KeepsBytesApart) {
    for (u32 elementBytes : {1, 2}) {
        Bench bench(Mode::Sequential, Keeps::All, elementBytes);
        const auto at = [=](u32 n) { return [=](u32) { return u64{n} * elementBytes; }; };
        bench.access(0, 0, 1, 1, AccessKind::Store, 0, at(1), {}, u8(elementBytes));
        bench.access(1, 0, 2, 1, AccessKind::Store, 0, at(0), {}, u8(elementBytes));
        bench.access(2, 0, 3, 1, AccessKind::Load, 0, at(2), {}, u8(elementBytes));
        EXPECT_EQ(summary(bench.found()), "nothing");
        bench.access(2, 0, 3, 1, AccessKind::Load, 0, at(1), {}, u8(elementBytes));
        EXPECT_EQ(summary(bench.found()), "race 3@2.0 with 1@0.0 x1");
    }
}

TEST(GlobalShadow, AsksForAnotherRunWhereItKnewTooLittle) {
    struct Case {
        const char* what;
        std::function<void(Bench&)> run;
        std::vector<u32> restart;
        const char* expected;
    };
    const Case cases[] = {
        {"one buffer read, the other written",
         [](Bench& b) { b.load(0, 0, 1, 1, word(0)), b.access(0, 0, 2, 1, AccessKind::Store, 1, word(0)); },
         {},
         "nothing"},
        {"read before it was written",
         [](Bench& b) { b.load(0, 0, 1, 1, word(0)), b.store(0, 1, 2, 1, word(0)); },
         {0},
         "race 2@0.32 with 1@0.0 x1"},
        {"written before it was read",
         [](Bench& b) { b.store(0, 1, 2, 1, word(0)), b.load(0, 0, 1, 1, word(0)); },
         {0},
         "race 1@0.0 with 2@0.32 x1"},
        {"in place, by one thread",
         [](Bench& b) { b.load(0, 0, 1, ~0u, row(0)), b.store(0, 0, 2, ~0u, row(0)); },
         {0},
         "nothing"},
        {"reductions only",
         [](Bench& b) { b.atomic(0, 0, 1, 1, word(0)), b.atomic(0, 1, 1, 1, word(0)); },
         {},
         "nothing"},
        {"cleared plainly, then counted",
         [](Bench& b) { b.store(0, 0, 1, 1, word(0)), b.atomic(0, 1, 2, 1, word(0)); },
         {0},
         "race 2@0.32 with 1@0.0 x1"},
        {"one word cleared plainly, another one counted",
         [](Bench& b) {
             b.store(0, 0, 1, 1, word(0));
             b.atomic(0, 1, 2, 1, word(1), AccessKind::Reduction);
         },
         {0},
         "nothing"},
        {"counted, and the same word taken by its old value",
         [](Bench& b) {
             b.atomic(0, 0, 1, 1, word(0), AccessKind::Reduction);
             b.atomic(0, 1, 2, 1, word(0));
         },
         {0},
         "nothing"},
        {"counted, then cleared",
         [](Bench& b) {
             b.atomic(0, 1, 1, 1, word(0), AccessKind::Reduction);
             b.store(0, 0, 2, 1, word(0));
         },
         {0},
         "race 2@0.0 with 1@0.32 x1"},
        {"each word stored once",
         [](Bench& b) {
             b.store(0, 0, 1, ~0u, row(0)), b.store(0, 1, 1, ~0u, row(32)), b.store(1, 0, 1, ~0u, row(64));
         },
         {},
         "nothing"},
        {"a word stored twice by one thread",
         [](Bench& b) { b.store(0, 0, 1, ~0u, row(0)), b.store(0, 0, 2, 1u << 9, row(0)); },
         {0},
         "nothing"},
        {"a word stored twice by two threads",
         [](Bench& b) { b.store(0, 0, 1, ~0u, row(0)), b.store(0, 1, 2, 1u << 9, row(0)); },
         {0},
         "race 2@0.41 with 1@0.9 x1"},
        {"a word stored by all lanes of an instruction",
         [](Bench& b) {
             b.access(0, 0, 1, 3, AccessKind::Store, 0, word(5), {}, 4, [](u32 lane) { return lane; });
         },
         {0},
         "race 1@0.1 with 1@0.0 x1"},
        {"half words",
         [](Bench& b) {
             b.access(0, 0, 1, 1, AccessKind::Store, 0, word(0), {}, 2),
                 b.access(
                     0, 1, 2, 1, AccessKind::Store, 0, [](u32) { return 2; }, {}, 2);
         },
         {0},
         "nothing"},
    };
    for (Mode mode : {Mode::Sequential, Mode::Parallel})
        for (const Case& c : cases) {
            Bench bench(mode, Keeps::Bits);
            c.run(bench);
            bench.shadow.finish();
            EXPECT_EQ(bench.shadow.needsRestart(), c.restart) << c.what;
            EXPECT_EQ(bench.shadow.isDoomed(), !c.restart.empty()) << c.what;
            // The next guess may be wrong, too: that each word has an owner.
            for (int run = 0; run < 2 && (run == 0 || !bench.shadow.needsRestart().empty()); ++run) {
                bench.shadow.restart(mode);
                bench.start();
                c.run(bench);
                bench.shadow.finish();
            }
            EXPECT_TRUE(bench.shadow.needsRestart().empty()) << c.what;
            EXPECT_EQ(summary(bench.found()), c.expected) << c.what;
        }
}

TEST(GlobalShadow, InParallelModeSaysWhenTheOrderOfBlocksMatters) {
    struct Case {
        const char* what;
        std::function<void(Bench&)> run;
        bool conflict;
    };
    constexpr AccessKind kReduction = AccessKind::Reduction;
    const Case cases[] = {
        {"reads of one word", [](Bench& b) { b.load(0, 0, 1, 1, word(0)), b.load(1, 0, 1, 1, word(0)); },
         false},
        {"reductions on one word",
         [](Bench& b) {
             b.atomic(0, 0, 1, 1, word(0), kReduction), b.atomic(1, 0, 1, 1, word(0), kReduction);
         },
         false},
        {"atomics whose result is used",
         [](Bench& b) { b.atomic(0, 0, 1, 1, word(0)), b.atomic(1, 0, 1, 1, word(0)); }, true},
        {"equal stores", [](Bench& b) { b.store(0, 0, 1, 1, word(0)), b.store(1, 0, 1, 1, word(0)); }, true},
        {"store, then load", [](Bench& b) { b.store(0, 0, 1, 1, word(0)), b.load(1, 0, 1, 1, word(0)); },
         true},
        {"load, then store", [](Bench& b) { b.load(0, 0, 1, 1, word(0)), b.store(1, 0, 1, 1, word(0)); },
         true},
        {"volatile store, then load",
         [](Bench& b) { b.store(0, 0, 1, 1, word(0), kVolatile), b.load(1, 0, 1, 1, word(0), kVolatile); },
         true},
        {"reduction, then load",
         [](Bench& b) { b.atomic(0, 0, 1, 1, word(0), kReduction), b.load(1, 0, 1, 1, word(0)); }, true},
        {"own words", [](Bench& b) { b.store(0, 0, 1, ~0u, row(0)), b.store(1, 0, 1, ~0u, row(32)); }, false},
    };
    for (const Case& c : cases) {
        Bench bench(Mode::Parallel);
        c.run(bench);
        bench.shadow.finish();
        EXPECT_EQ(bench.shadow.conflict(), c.conflict) << c.what;
        EXPECT_TRUE(bench.found().empty()) << c.what;
    }
}

TEST(GlobalShadow, KnowsWhichBlocksDependOnOthers) {
    Bench bench;
    bench.store(0, 0, 1, ~0u, row(0));
    bench.load(1, 0, 2, ~0u, row(32));
    bench.load(2, 0, 2, 1, word(3));
    bench.store(3, 0, 3, 1, word(4));
    bench.store(4, 0, 3, 1, word(40));  // overwrites what block 1 only read
    for (u32 block = 0; block < kBlocks; ++block)
        EXPECT_EQ(bench.shadow.dependsOnOthers(Block{block}), block == 2 || block == 3) << block;
}

TEST(GlobalShadow, SaysWhereItHappened) {
    Bench bench;
    bench.store(5, 1, 1, 1u << 3, word(9));
    bench.access(6, 0, 2, 1u << 17, AccessKind::Load, 0, word(8), {}, 8);
    const std::vector<Finding> found = bench.found();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].who, (Culprit{Pc{2}, {2, 1, 0}, {1, 1, 0}, AccessKind::Load}));
    EXPECT_EQ(found[0].other, (Culprit{Pc{1}, {1, 1, 0}, {3, 2, 0}, AccessKind::Store}));
    EXPECT_EQ(found[0].address, kBase + 32);
    EXPECT_EQ(found[0].buffer, 0);
    EXPECT_EQ(found[0].offsetBytes, 32);
    EXPECT_EQ(found[0].sizeBytes, kBytes);
    EXPECT_EQ(found[0].widthBytes, 8);
}

// And hardly any where whole lines are written, or each word once.
TEST(GlobalShadow, TakesFourBytesPerWordWrittenTwice) {
    constexpr u64 size = 64u << 20, written = size / 4;
    for (const auto& [inLines, keepsTags] : {std::pair{true, true}, {false, true}, {false, false}}) {
        const GlobalShadow::BufferSpec spec{kBase, size, 4, 0, keepsTags ? Keeps::Stores : Keeps::Bits};
        GlobalShadow shadow(LaunchId{0}, {1, 1, 1}, {32, 1, 1}, 10, {&spec, 1}, Mode::Parallel);
        FindingCollector findings;
        GlobalBlockShadow block(shadow, findings);
        block.beginBlock(Block{0});
        EXPECT_LT(shadow.bytes(), size / 500);
        WarpAccess a{Pc{1}, LaneMask::all(), Space::Global, AccessKind::Store, 4, {}};
        for (u64 at = 0; at < written; at += 128) {
            for (u32 lane = 0; lane < 32; ++lane)
                a.addresses[lane] = kBase + at + 4 * (inLines ? lane : 31 - lane);
            block.access(Warp{0}, 0, a);
        }
        EXPECT_LT(shadow.bytes(), keepsTags ? f64(written) * (inLines ? 0.08 : 1.1) : f64(size) / 30);
        shadow.finish();
        EXPECT_TRUE(shadow.needsRestart().empty());
        EXPECT_FALSE(shadow.conflict());
    }
}

// In any widths and orders: another run is asked for if, and only if, a granule was stored to twice. Blocks
// of different threads find out at the end.
TEST(GlobalShadow, KeepsABitOfWhatIsStoredOnce) {
    std::mt19937 random(7);
    const auto below = [&](u32 n) { return u32(random() % n); };
    u32 restarts = 0;
    for (int launch = 0; launch < 600; ++launch) {
        const u32 elementBytes = 1u << below(3);
        Bench bench(launch % 2 ? Mode::Sequential : Mode::Parallel, Keeps::Bits, elementBytes);
        std::vector<bool> stored(kBytes);
        bool isTwice = false;
        for (u32 step = 1 + below(4); step; --step) {
            const u8 width = u8(std::max(elementBytes, 1u << below(5)));
            const u32 mask = below(2) ? ~0u : u32(random()), turn = below(2) ? 0 : below(32),
                      apart = 1 + below(2);
            if (!mask) continue;
            const u64 first = u64{width} * below(u32((kBytes - 32 * apart * width) / width + 1));
            const auto at = [&](u32 lane) { return first + u64{width} * apart * (lane ^ turn); };
            for (Lane lane : LaneMask{mask})
                for (u32 i = 0; i < width; ++i) {
                    isTwice = isTwice || stored[at(lane.value) + i];
                    stored[at(lane.value) + i] = true;
                }
            const u32 block = below(3);
            if (mask == ~0u && !turn && apart == 1) {
                WarpAccess run{Pc{1}, LaneMask::all(), Space::Global, AccessKind::Store, width, {}};
                run.addresses[0] = kBase + first;
                EXPECT_TRUE(bench.blocks[block].accessRun(Warp{0}, 0, run));
            } else {
                bench.access(block, 0, 1, mask, AccessKind::Store, 0, at, {}, width);
            }
        }
        bench.shadow.finish();
        EXPECT_EQ(!bench.shadow.needsRestart().empty(), isTwice) << launch;
        EXPECT_EQ(bench.shadow.isDoomed(), isTwice) << launch;
        EXPECT_TRUE(bench.findings.empty());
        restarts += isTwice;
    }
    EXPECT_GT(restarts, 100u);
    EXPECT_LT(restarts, 500u);
}

// Loads and stores in any widths and orders: another run is asked for if, and only if, two threads accessed a
// granule.
TEST(Footprint, MarksWhatItsGranulesWouldOneByOne) {
    std::mt19937 random(7);
    u32 repeated = 0;
    for (int round = 0; round < 500; ++round) {
        std::vector<u64> granules;
        for (u64 at = 100; at < 400; at += 1 + random() % 9)
            granules.push_back(at);
        const u32 shift = random() % 3;
        const Footprint footprint(granules, shift);
        std::vector<u64> words(16), expected(16);
        std::vector<bool> seen(64 * words.size());
        for (int block = 0; block < 4; ++block) {
            const s64 by = s64(random() % 600) - 100;
            bool isNew = true;
            for (u64 granule : granules) {
                const u64 at = granule + u64(by);
                isNew &= !seen[at];
                seen[at] = true;
                expected[at / 64] |= u64{1} << at % 64;
            }
            EXPECT_EQ(footprint.addTo(words.data(), u64(by) << shift), isNew);
            EXPECT_EQ(words, expected);
            repeated += !isNew;
        }
    }
    EXPECT_GT(repeated, 100u);
    EXPECT_LT(repeated, 1900u);
    const u64 twice[]{3, 4, 4};
    EXPECT_TRUE(Footprint(twice, 2).empty());
}

TEST(GlobalShadow, TakesTheStoresOfABlockAtOnce) {
    const u64 granules[]{0, 5, 70};
    const Footprint footprint(granules, 2);
    const auto one = [](u32) { return u64{4000}; };
    for (const u64 between :
         {8u, 20u}) {  // bytes between blocks; with 20, block 1's first is block 0's second
        Bench b(Mode::Parallel, Keeps::Bits);
        EXPECT_FALSE(b.blocks[0].storeAll(0, footprint, 0)) << "not announced as stored to";
        b.store(0, 0, 1, 1, one);
        EXPECT_TRUE(b.blocks[0].storeAll(0, footprint, 0));
        EXPECT_TRUE(b.blocks[1].storeAll(0, footprint, between));
        EXPECT_FALSE(b.blocks[1].storeAll(1, footprint, 0)) << "of the other buffer nothing is known";
        b.shadow.finish();
        EXPECT_EQ(b.shadow.needsRestart().size(), between == 20 ? 1u : 0u);
    }
    for (const Keeps keeps : {Keeps::Owners, Keeps::Stores, Keeps::All}) {
        Bench b(Mode::Parallel, keeps);
        b.store(0, 0, 1, 1, one);
        EXPECT_FALSE(b.blocks[0].storeAll(0, footprint, 0));
    }
    Bench narrow(Mode::Parallel, Keeps::Bits, 1);
    narrow.store(0, 0, 1, 1, one);
    EXPECT_FALSE(narrow.blocks[0].storeAll(0, footprint, 0)) << "granules of another size";
}

TEST(GlobalShadow, KeepsTheOwnerOfWhatIsReadAndWritten) {
    std::mt19937 random(11);
    const auto below = [&](u32 n) { return u32(random() % n); };
    u32 restarts = 0;
    for (int launch = 0; launch < 600; ++launch) {
        const u32 elementBytes = 1u << below(3);
        const Mode mode = launch % 2 ? Mode::Sequential : Mode::Parallel;
        Bench bench(mode, Keeps::Bits, elementBytes);
        bench.load(0, 0, 1, 1, word(0)), bench.store(0, 0, 2, 1, word(0));
        bench.shadow.finish();
        ASSERT_EQ(bench.shadow.needsRestart(), std::vector<u32>{0});
        bench.shadow.restart(mode);
        bench.start();

        constexpr u32 kNobody = ~0u;
        std::vector<u32> owners(kBytes, kNobody);
        bool isShared = false;
        struct Step {
            u32 block, warp, mask, turn, apart;
            u8 width;
            u64 first;
        };
        std::vector<Step> steps;
        for (u32 count = 2 + below(5); count; --count) {
            const bool isAgain = !steps.empty() && below(2) == 0;
            const u8 width = u8(std::max(elementBytes, 1u << below(5)));
            const u32 apart = below(3) ? 1 : 2;
            const u64 first = u64{width} * below(u32((kBytes - 32 * apart * width) / width + 1));
            Step step{below(3),
                      below(2),
                      below(2) ? ~0u : u32(random()),
                      below(2) ? 0 : below(32),
                      apart,
                      width,
                      below(2) ? first / (32 * width) * (32 * width) : first};
            if (isAgain) step = steps[below(u32(steps.size()))], step.mask &= random();
            if (!step.mask) continue;
            steps.push_back(step);
            const auto at = [&](u32 lane) {
                return step.first + u64{step.width} * step.apart * (lane ^ step.turn);
            };
            for (Lane lane : LaneMask{step.mask})
                for (u32 i = 0; i < step.width; ++i) {
                    const u32 thread = 64 * step.block + 32 * step.warp + lane.value;
                    u32& owner = owners[at(lane.value) + i];
                    isShared = isShared || (owner != kNobody && owner != thread);
                    owner = thread;
                }
            bench.access(step.block, step.warp, 1, step.mask, below(2) ? AccessKind::Load : AccessKind::Store,
                         0, at, {}, step.width);
        }
        bench.shadow.finish();
        EXPECT_EQ(!bench.shadow.needsRestart().empty(), isShared) << launch;
        EXPECT_EQ(bench.shadow.isDoomed(), isShared) << launch;
        EXPECT_TRUE(bench.findings.empty());
        EXPECT_FALSE(bench.shadow.conflict());
        restarts += isShared;
    }
    EXPECT_GT(restarts, 100u);
    EXPECT_LT(restarts, 500u);
}

// Two threads that claim one word at the same moment: the lost claim is found in the end.
TEST(GlobalShadow, FindsOwnersThatWereLost) {
    for (int round = 0; round < 20; ++round) {
        constexpr u32 kWords = 1 << 16;
        GlobalShadow::BufferSpec spec{kBase, kWords * 4, 4, 0, Keeps::Owners};
        GlobalShadow shadow(LaunchId{0}, {2, 1, 1}, {32, 1, 1}, 10, {&spec, 1}, Mode::Parallel);
        std::atomic<u32> ready{0};
        const bool isShared = round % 2;
        const auto work = [&](u32 block) {
            FindingCollector findings;
            GlobalBlockShadow view(shadow, findings);
            view.beginBlock(Block{block});
            for (++ready; ready < 2;) {}
            for (u32 first = 0; first < kWords; first += 64) {
                WarpAccess a{Pc{1}, LaneMask::all(), Space::Global, AccessKind::Store, 4, {}};
                for (u32 lane = 0; lane < 32; ++lane)
                    a.addresses[lane] = kBase + 4 * (first + 2 * lane + (isShared ? 0 : block));
                view.access(Warp{0}, 0, a);
            }
        };
        { std::jthread one(work, 0), two(work, 1); }
        shadow.finish();
        EXPECT_EQ(!shadow.needsRestart().empty(), isShared) << round;
    }
}

Finding readOfNothing(Dim3 block) {
    Finding finding;
    finding.kind = FindingKind::OutOfBounds;
    finding.who = {Pc{99}, block, {0, 0, 0}, AccessKind::Load};
    return finding;
}

TEST(GlobalShadow, CallsPoisonNoValueThatTwoBlocksShare) {
    for (const bool hasReadPoison : {false, true})
        for (const u32 value : {1u, 0x7fffffffu, ~0u}) {
            Bench bench;
            bench.findings.add(readOfNothing(hasReadPoison ? Dim3{1, 1, 0} : Dim3{2, 1, 0}));
            for (u32 block : {3, 5})
                bench.access(block, 1, 7, 1, AccessKind::Store, 0, word(9), {}, 4,
                             [&](u32) { return value; });
            const bool races = std::ranges::any_of(
                bench.found(), [](const Finding& f) { return f.kind == FindingKind::Race; });
            EXPECT_EQ(races, hasReadPoison && value != 1) << value;
        }
}

// What the shadow should find: every access to every byte, a full vector clock per thread.
class Reference {
public:
    enum Verdict { Nothing, LockStep, Race };
    static constexpr u32 kThreads = 3 * 64;
    using Clock = std::array<u32, kThreads>;
    struct Access {
        u32 thread, call;
        AccessKind kind;
        bool strong;
    };
    struct Event {
        Access access;
        u32 time;
        u32 value;
    };

    u32 now = 1;
    u32 different = 0x100;
    // A value that equals no other.
    u32 poisoned() { return different++; }
    std::array<Clock, kThreads> clocks{}, atFence{}, readByFlag{};
    std::array<bool, kThreads> hasFenced{};
    std::map<u32, Clock> flags;
    std::array<std::vector<Event>, 64> events;
    std::array<bool, 64> hadFinding{};

    static bool isAtomic(AccessKind kind) {
        return kind == AccessKind::Atomic || kind == AccessKind::Reduction;
    }
    bool isBefore(const Event& e, const Access& a) const {
        return e.access.thread == a.thread || e.time <= clocks[a.thread][e.access.thread];
    }
    Verdict check(const Access& a, u32 byte, bool silent) const {
        Verdict worst = Nothing;
        for (const Event& e : events[byte]) {
            const Access& b = e.access;
            const bool isStore = a.kind == AccessKind::Store, wasStore = b.kind == AccessKind::Store;
            if ((!writes(a.kind) && !writes(b.kind)) || (a.strong && b.strong) || isBefore(e, a)) continue;
            if (silent && isStore && wasStore) continue;
            if (a.thread / 32 != b.thread / 32)
                worst = Race;
            else if (wasStore && a.kind == AccessKind::Load)
                worst = std::max(worst, LockStep);
        }
        return worst;
    }
    Verdict remember(const Access& a, u32 byte, u32 value, bool silent) {
        const bool isStore = a.kind == AccessKind::Store;
        const Event* before = events[byte].empty() ? nullptr : &events[byte].back();
        const Verdict verdict =
            before && before->access.call == a.call && isStore && !a.strong && before->value != value
                ? Race
                : Nothing;
        // A store replaces its warp's earlier ones, and one that changes nothing replaces all.
        if (isStore)
            std::erase_if(events[byte], [&](const Event& e) {
                const bool sameWarp = e.access.thread / 32 == a.thread / 32;
                return e.access.kind == AccessKind::Store && (silent || sameWarp);
            });
        events[byte].push_back({a, now, value});
        return verdict;
    }
    void meet(u32 first, u32 count) {
        Clock joined{};
        for (u32 t = first; t < first + count; ++t)
            join(joined, clocks[t]), joined[t] = now;
        for (u32 t = first; t < first + count; ++t)
            clocks[t] = joined;
        ++now;
    }
    void fence(u32 thread) {
        join(clocks[thread], readByFlag[thread]);
        hasFenced[thread] = true;
        atFence[thread] = clocks[thread];
        atFence[thread][thread] = now;
    }
    void flag(const Access& a, u32 byte) {
        if (reads(a.kind)) join(readByFlag[a.thread], flags[byte]);
        if (writes(a.kind) && hasFenced[a.thread]) join(flags[byte], atFence[a.thread]);
    }
    static void join(Clock& a, const Clock& b) {
        for (u32 i = 0; i < kThreads; ++i)
            a[i] = std::max(a[i], b[i]);
    }
};

TEST(GlobalShadow, AgreesWithFullVectorClocksOnRandomLaunches) {
    struct Mix {
        const char* what;
        std::vector<u8> widths;
        bool strong, flags, complete;
        bool poison = false;  // some values are all ones; block 1 has read poison
    };
    const Mix mixes[] = {
        {"plain", {4}, false, false, true},        {"bytes and vectors", {1, 2, 8}, false, false, true},
        {"atomics", {4}, true, false, false},      {"flags", {4}, true, true, false},
        {"poison", {4}, false, false, true, true}, {"poison and bytes", {1, 2, 8}, false, false, true, true}};
    std::mt19937 random(54321);
    const auto below = [&](u32 n) { return u32(random() % n); };
    for (const Mix& mix : mixes) {
        u64 verdicts[3] = {0, 0, 0}, missed = 0;
        for (int launch = 0; launch < 1500; ++launch) {
            Bench bench(Mode::Sequential, Keeps::All, mix.widths[0]);
            Reference reference;
            for (int step = 0; step < 40; ++step) {
                const u32 what = below(20), block = below(3), warp = below(2);
                if (what == 0) {
                    bench.barrier(block);
                    reference.meet(64 * block, 64);
                    continue;
                }
                if (what == 1) {
                    bench.blocks[block].warpSync(Warp{warp}, LaneMask::all());
                    reference.meet(64 * block + 32 * warp, 32);
                    continue;
                }
                if (what <= 6 && mix.flags) {
                    bench.fence(block, warp);
                    for (u32 t = 0; t < 32; ++t)
                        reference.fence(64 * block + 32 * warp + t);
                    ++reference.now;
                    continue;
                }
                WarpAccess a{
                    Pc{10 + below(4)}, LaneMask{1 + below(7)}, Space::Global, AccessKind::Load, 4, {}};
                a.widthBytes = mix.widths[below(u32(mix.widths.size()))];
                const u32 kind = below(8);
                a.kind = kind < 4                  ? AccessKind::Load
                         : kind < 7 || !mix.strong ? AccessKind::Store
                                                   : AccessKind::Atomic;
                const bool strong = Reference::isAtomic(a.kind) || (mix.flags && below(2));
                a.pc = Pc{a.pc.value + 10 * u32(a.kind) + 40 * strong};
                std::vector<std::byte> values(std::size_t{32} * a.widthBytes);
                for (std::byte& v : values)
                    v = std::byte(below(4) ? 7 : 8);
                for (Lane lane : a.active)
                    a.addresses[lane.value] = kBase + u64{below(u32(32 / a.widthBytes))} * a.widthBytes;
                if (mix.poison)
                    for (Lane lane : a.active)
                        if (below(2))
                            std::fill_n(&values[lane.value * a.widthBytes], a.widthBytes, std::byte{0xff});
                const bool hasReadPoison = mix.poison && block == 1;
                bench.findings.clear();
                if (mix.poison) bench.findings.add(readOfNothing({1, 0, 0}));
                bench.blocks[block].access(Warp{warp}, 0, a, strong ? kVolatile : Strength{}, values.data(),
                                           bench.memory[0].data());

                std::array<Reference::Verdict, 32> expected{}, got{};
                std::array<bool, 32> poisoned{};
                for (const Finding& f : bench.found()) {
                    if (f.kind == FindingKind::OutOfBounds) continue;
                    ASSERT_TRUE(f.other);
                    got[f.who.thread.x] =
                        std::max(got[f.who.thread.x],
                                 f.kind == FindingKind::Race ? Reference::Race : Reference::LockStep);
                }
                const auto forEachByte = [&](auto visit) {
                    for (Lane lane : a.active)
                        for (u32 i = 0; i < a.widthBytes; ++i) {
                            const u32 byte = u32(a.addresses[lane.value] - kBase) + i,
                                      from = i / mix.widths[0] * mix.widths[0];
                            const std::byte* value = &values[lane.value * a.widthBytes];
                            const bool isPoisoned = hasReadPoison && value[i] == std::byte{0xff};
                            const bool silent = !isPoisoned && std::memcmp(&bench.memory[0][byte - i + from],
                                                                           value + from, mix.widths[0]) == 0;
                            visit(lane.value,
                                  Reference::Access{64 * block + 32 * warp + lane.value, reference.now,
                                                    a.kind, strong},
                                  byte, isPoisoned ? reference.poisoned() : u32(value[i]), silent);
                        }
                };
                forEachByte([&](u32 lane, const Reference::Access& access, u32 byte, u32, bool silent) {
                    const Reference::Verdict verdict = reference.check(access, byte, silent);
                    expected[lane] = std::max(expected[lane], verdict);
                    poisoned[lane] = poisoned[lane] || reference.hadFinding[byte];
                    if (verdict != Reference::Nothing) reference.hadFinding[byte] = true;
                });
                forEachByte([&](u32 lane, const Reference::Access& access, u32 byte, u32 value, bool silent) {
                    expected[lane] =
                        std::max(expected[lane], reference.remember(access, byte, value, silent));
                    if (strong) reference.flag(access, byte);
                });
                for (Lane at : a.active) {
                    const u32 lane = at.value;
                    ++verdicts[expected[lane]];
                    ASSERT_LE(got[lane], expected[lane])
                        << mix.what << ": launch " << launch << " step " << step << " makes one up";
                    if (got[lane] < expected[lane]) ++missed;
                    if (mix.complete && !poisoned[lane]) {
                        ASSERT_EQ(got[lane], expected[lane])
                            << mix.what << ": launch " << launch << " step " << step << " misses one";
                    }
                }
                forEachByte([&](u32 lane, const Reference::Access&, u32 byte, u32 value, bool) {
                    if (expected[lane] != Reference::Nothing) reference.hadFinding[byte] = true;
                    if (a.kind == AccessKind::Store)
                        bench.memory[0][byte] = std::byte(value > 0xff ? 0xff : value);
                });
                ++reference.now;
            }
        }
        EXPECT_GT(verdicts[Reference::LockStep], 500u) << mix.what;
        EXPECT_GT(verdicts[Reference::Race], 1000u) << mix.what;
        EXPECT_LT(missed, (verdicts[1] + verdicts[2]) / (mix.flags ? 2 : 4)) << mix.what;
    }
}

// Whole lines are kept as one tag each, but only where they begin at a multiple of 128 bytes: the same
// accesses 16 bytes further are watched granule by granule, and must give the same.
TEST(GlobalShadow, FindsTheSameInWholeLinesAndInPieces) {
    std::mt19937 random(2026);
    const auto below = [&](u32 n) { return u32(random() % n); };
    u64 findings = 0, conflicts = 0, quiet = 0;
    for (int launch = 0; launch < 600; ++launch) {
        const Mode mode = launch % 2 ? Mode::Sequential : Mode::Parallel;
        const bool tracksReads = launch % 4 < 2;
        const Keeps keeps = tracksReads ? Keeps::All : Keeps::Stores;
        Bench lines(mode, keeps), pieces(mode, keeps);
        const u32 blocks = 1 + below(3), places = 2 + below(4), steps = 5 + below(30);
        const bool sharesPlaces = below(3) == 0, hasParts = below(2) == 0;
        for (u32 step = 0; step < steps; ++step) {
            const u32 block = below(blocks), warp = below(2);
            if (below(6) == 0) {
                lines.barrier(block), pieces.barrier(block);
                continue;
            }
            // A line of each warp's own, or one that all may access.
            const u32 place = sharesPlaces ? below(places) : 2 * block + (below(4) ? warp : below(2));
            const u8 width = std::array<u8, 3>{4, 8, 16}[below(4) ? 0 : below(3)];
            const bool isPart = hasParts && below(3) == 0;
            const u32 mask = isPart ? random() : ~0u, kind = below(8);
            const AccessKind access = kind < 4                   ? AccessKind::Load
                                      : kind < 7 || !tracksReads ? AccessKind::Store
                                                                 : AccessKind::Reduction;
            const u32 pc = 10 + u32(access) * 10 + below(3), value = below(2), turn = below(4) == 0;
            for (Bench* bench : {&lines, &pieces})
                bench->access(
                    block, warp, pc, mask, access, 0,
                    [&](u32 lane) {
                        return 16 * u64(bench == &pieces) + 128 * place +
                               u64{width} * (lane ^ (isPart ? turn : 0));
                    },
                    {}, width, [&](u32) { return value; });
            ASSERT_EQ(summary(lines.found()), summary(pieces.found())) << launch << ", step " << step;
            ASSERT_EQ(lines.findings.distinct(), pieces.findings.distinct()) << launch << ", step " << step;
        }
        for (Bench* bench : {&lines, &pieces})
            bench->shadow.finish();
        ASSERT_EQ(lines.shadow.conflict(), pieces.shadow.conflict()) << launch;
        ASSERT_EQ(lines.shadow.needsRestart(), pieces.shadow.needsRestart()) << launch;
        for (u32 block = 0; block < blocks; ++block)
            ASSERT_EQ(lines.shadow.dependsOnOthers(Block{block}),
                      pieces.shadow.dependsOnOthers(Block{block}));
        findings += lines.findings.distinct();
        conflicts += lines.shadow.conflict();
        quiet += lines.findings.empty() && !lines.shadow.conflict();
    }
    EXPECT_GT(findings, 1000u);
    EXPECT_GT(conflicts, 50u);
    EXPECT_GT(quiet, 100u);
}

// Threads that access different words of a page while it is taken apart: no tag is lost, none is made up.
TEST(GlobalShadow, TakesPagesApartWhileOthersAccessThem) {
    constexpr u32 kPages = 64, kWordsOfAPage = 4096;
    for (int round = 0; round < 20; ++round) {
        const GlobalShadow::BufferSpec spec{kBase, u64{kPages} * kWordsOfAPage * 4, 4, 0, Keeps::All};
        GlobalShadow shadow(LaunchId{0}, {4, 1, 1}, {32, 1, 1}, 10, {&spec, 1}, Mode::Parallel);
        std::atomic<u32> ready{0};
        const auto work = [&](u32 block) {
            FindingCollector findings;
            GlobalBlockShadow view(shadow, findings);
            view.beginBlock(Block{block});
            ++ready;
            while (ready < 4) {}
            for (u32 page = 0; page < kPages; ++page)
                for (const AccessKind kind : {AccessKind::Load, AccessKind::Store})
                    for (u32 i = 0; i < 30; ++i) {
                        // Block 3: single words of the last line; others: lines of their own.
                        WarpAccess a{Pc{u32(kind)},
                                     block == 3 ? LaneMask{1} : LaneMask::all(),
                                     Space::Global,
                                     kind,
                                     4,
                                     {}};
                        const u64 first = u64{page} * kWordsOfAPage +
                                          (block == 3 ? kWordsOfAPage - 32 + i : 32 * (3 * i + block));
                        for (u32 lane = 0; lane < 32; ++lane)
                            a.addresses[lane] = kBase + 4 * (first + lane);
                        view.access(Warp{0}, 0, a);
                    }
            EXPECT_TRUE(findings.empty());
        };
        {
            std::vector<std::jthread> threads;
            for (u32 block = 0; block < 4; ++block)
                threads.emplace_back(work, block);
        }
        shadow.finish();
        ASSERT_FALSE(shadow.conflict()) << round;
    }
}

// Blocks with random programs on several threads: whether they conflict must not depend on timing.
TEST(GlobalShadow, InParallelModeMissesNoConflict) {
    std::mt19937 random(777);
    int conflicts = 0;
    constexpr u32 kManyBlocks = 64, kWords = 1u << 14;
    for (int launch = 0; launch < 150; ++launch) {
        struct Op {
            AccessKind kind;
            u32 first;
        };
        std::vector<std::vector<Op>> programs(kManyBlocks);
        for (u32 block = 0; block < kManyBlocks; ++block)  // each its own words
            for (AccessKind kind : {AccessKind::Load, AccessKind::Store})
                programs[block].push_back({kind, 64 * block});
        if (launch % 2)  // some word in common
            programs[random() % kManyBlocks].push_back(
                {launch % 4 == 1 ? AccessKind::Load : AccessKind::Store, u32(random() % (64 * kManyBlocks))});
        std::vector<u32> owner(kWords, 0xffffffff);
        bool expected = false;
        for (u32 block = 0; block < kManyBlocks; ++block)
            for (const Op& op : programs[block])
                if (op.kind == AccessKind::Store)
                    for (u32 i = 0; i < 32; ++i)
                        expected = expected || std::exchange(owner[op.first + i], block) < block;
        for (u32 block = 0; block < kManyBlocks; ++block)
            for (const Op& op : programs[block])
                for (u32 i = 0; i < 32; ++i)
                    expected =
                        expected || (owner[op.first + i] != 0xffffffff && owner[op.first + i] != block);

        const GlobalShadow::BufferSpec spec{kBase, kWords * 4, 4, 0, Keeps::All};
        GlobalShadow shadow(LaunchId{0}, {kManyBlocks, 1, 1}, {32, 1, 1}, 10, {&spec, 1}, Mode::Parallel);
        std::atomic<u32> next{0};
        const auto work = [&] {
            FindingCollector findings;
            GlobalBlockShadow view(shadow, findings);
            for (u32 block; (block = next.fetch_add(1)) < kManyBlocks;) {
                view.beginBlock(Block{block});
                for (const Op& op : programs[block]) {
                    WarpAccess a{Pc{u32(op.kind)}, LaneMask::all(), Space::Global, op.kind, 4, {}};
                    for (u32 lane = 0; lane < 32; ++lane)
                        a.addresses[lane] = kBase + 4 * (op.first + lane);
                    view.access(Warp{0}, 0, a);
                }
            }
            EXPECT_TRUE(findings.empty());
        };
        { std::jthread one(work), two(work); }
        shadow.finish();
        EXPECT_EQ(shadow.conflict(), expected) << launch;
        conflicts += expected;
    }
    EXPECT_GT(conflicts, 20);
    EXPECT_LT(conflicts, 130);
}

}  // namespace
}  // namespace lockstep::trace
