#include "trace/shadow/shared_owners.h"

#include "trace/shadow/shared_shadow.h"

#include <gtest/gtest.h>

#include <random>

namespace lockstep::trace {
namespace {

constexpr u32 kSharedBytes = 1024, kWarps = 3;

// One phase after another, told to the owners and to the shadow.
struct Both {
    Both() { beginBlock(); }
    void beginBlock() {
        shadow.beginBlock({block++, 0, 0}, kSharedBytes, nullptr, findings);
        owners.beginBlock(kSharedBytes);
        isWhole = true;
    }
    // Did the owners see that there is nothing to find?
    bool phase(const std::vector<std::pair<u32, WarpAccess>>& accesses) {
        if (!isWhole)
            for (const SharedRun& run : shadow.written())
                owners.markWritten(run.offsetBytes, run.bytes);
        owners.beginPhase();
        isWhole = true;
        for (const auto& [warp, access] : accesses) {
            shadow.access(Warp{warp}, access);
            if (!isWhole) continue;
            const u32 width = access.widthBytes;
            std::array<u32, kWarpSize> addresses;
            bool isRow = access.active == LaneMask::all();
            for (u32 lane = 0; lane < kWarpSize; ++lane) {
                addresses[lane] = u32(access.addresses[lane]);
                isRow = isRow && addresses[lane] == addresses[0] + lane * width;
            }
            isWhole = owners.access({warp, access.kind, width, access.active, isRow}, addresses.data());
        }
        shadow.blockBarrier();
        return isWhole;
    }

    FindingCollector findings;
    SharedShadow shadow{LaunchId{0}, {kWarps * kWarpSize, 1, 1}};
    SharedOwners owners;
    u32 block = 0;
    bool isWhole = true;
};

WarpAccess rowOf(AccessKind kind, u64 first, u8 width = 4) {
    WarpAccess access{Pc{1}, LaneMask::all(), Space::Shared, kind, width, {}};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        access.addresses[lane] = first + lane * width;
    return access;
}

WarpAccess allAt(AccessKind kind, u64 address, LaneMask active = LaneMask::all()) {
    WarpAccess access{Pc{2}, active, Space::Shared, kind, 4, {}};
    access.addresses.fill(address);
    return access;
}

TEST(SharedOwners, SeeWhereNothingCanBeFound) {
    using enum AccessKind;
    Both both;
    EXPECT_TRUE(both.phase({{0, rowOf(Store, 0)}, {1, rowOf(Store, 128, 8)}, {0, rowOf(Load, 0)}}));
    EXPECT_TRUE(both.owners.hasWrittenAnew());
    EXPECT_TRUE(both.phase({{1, rowOf(Load, 0)}, {2, allAt(Load, 4)}, {0, allAt(Load, 4)}}));
    EXPECT_FALSE(both.owners.hasWrittenAnew());
    EXPECT_TRUE(both.phase({{0, allAt(Atomic, 8)}, {2, allAt(Reduction, 8)}}));
    EXPECT_TRUE(both.phase({{2, allAt(Load, 8, LaneMask{1})}, {2, allAt(Store, 8, LaneMask{1})}}));
    EXPECT_EQ(both.owners.written(), both.shadow.written());
    both.beginBlock();
    EXPECT_FALSE(both.phase({{0, rowOf(Load, 0)}})) << "of this block, nothing is written";
}

TEST(SharedOwners, LeaveWhatMayBeFoundToTheShadow) {
    using enum AccessKind;
    const std::vector<std::vector<std::pair<u32, WarpAccess>>> phases{
        {{0, rowOf(Store, 0)}, {1, rowOf(Load, 0)}},
        {{0, rowOf(Load, 0)}, {1, rowOf(Store, 0)}},
        {{0, rowOf(Store, 0)}, {0, rowOf(Load, 4)}},
        {{0, allAt(Store, 16)}},
        {{0, allAt(Atomic, 16)}, {1, allAt(Load, 16)}},
        {{0, allAt(Store, 16, LaneMask{1})}, {1, allAt(Atomic, 16)}},
        {{0, rowOf(Load, 0)}, {1, rowOf(Load, 0)}, {0, allAt(Atomic, 0, LaneMask{1})}},
        {{0, rowOf(Load, 512)}},
    };
    for (const auto& phase : phases) {
        Both both;
        both.owners.markWritten(0, 256);
        both.shadow.markWritten(0, 256);
        EXPECT_FALSE(both.phase(phase)) << &phase - phases.data();
    }
}

TEST(SharedOwners, GoOnInSmallerPieces) {
    using enum AccessKind;
    Both both;
    EXPECT_TRUE(both.phase({{0, rowOf(Store, 0)}}));
    EXPECT_FALSE(both.phase({{0, rowOf(Store, 512, 1)}})) << "the first";
    EXPECT_TRUE(both.phase({{0, rowOf(Store, 512, 1)}, {1, rowOf(Store, 544, 1)}, {2, rowOf(Load, 0)}}));
    EXPECT_EQ(both.owners.written(), both.shadow.written());
}

// What they call quiet has no findings; and they are not overcautious.
TEST(SharedOwners, AreNeverWrongOnRandomPhases) {
    std::mt19937 random(4711);
    const auto below = [&](u32 n) { return u32(random() % n); };
    u32 quiet = 0, silent = 0, phases = 0;
    for (const bool hasBytes : {false, true}) {
        Both both;
        for (u32 step = 0; step < 20000; ++step) {
            if (below(6) == 0) both.beginBlock();
            both.findings.clear();
            std::vector<std::pair<u32, WarpAccess>> accesses;
            for (u32 count = 1 + below(4); count > 0; --count) {
                const u32 warp = below(kWarps), kind = below(8);
                const u8 width = std::array<u8, 5>{4, 4, 8, 16, 1}[below(hasBytes ? 5 : 4)];
                WarpAccess access = rowOf(kind < 4   ? AccessKind::Load
                                          : kind < 7 ? AccessKind::Store
                                                     : AccessKind::Atomic,
                                          u64{below(2) ? warp * 128 : below(8) * 32}, width);
                if (isAtomic(access.kind) && width != 4) access = allAt(access.kind, 4 * below(16));
                access.pc = Pc{u32(access.kind) * 100 + width};
                if (below(2)) access.active = LaneMask{u32(random()) | 1u << below(32)};
                if (below(3) == 0)
                    for (u32 lane = 0; lane < kWarpSize; ++lane)
                        access.addresses[lane] =
                            u64{below(kSharedBytes / access.widthBytes)} * access.widthBytes;
                accesses.emplace_back(warp, access);
            }
            const bool isQuiet = both.phase(accesses);
            if (isQuiet) {
                ASSERT_TRUE(both.findings.empty()) << step;
                ASSERT_EQ(both.owners.written(), both.shadow.written()) << step;
            }
            quiet += isQuiet;
            silent += both.findings.empty();
            ++phases;
        }
    }
    EXPECT_LT(silent, phases * 9 / 10);
    EXPECT_GT(quiet, silent * 3 / 4);
}

}  // namespace
}  // namespace lockstep::trace
