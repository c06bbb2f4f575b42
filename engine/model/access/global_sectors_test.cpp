#include "model/access/global_sectors.h"

#include "model/access/test_access.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <ranges>
#include <set>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::Space;
using trace::WarpAccess;
using Address = std::function<std::optional<u64>(u64 lane)>;

const Profile& profile(std::string_view name) {
    const Profile* found = findProfile(name);
    EXPECT_NE(found, nullptr) << name;
    return found ? *found : defaultProfile();
}

WarpAccess global(AccessKind kind, u32 width, const Address& addressOf) {
    return accessAt(Space::Global, kind, width, addressOf);
}
Address strided(u64 strideBytes, u64 firstByte = 0) {
    return [=](u64 lane) { return firstByte + lane * strideBytes; };
}

u32 itemsOf(const GlobalCost& cost) { return cost.countsSectors ? cost.sectors : cost.transactions; }

// The classic pictures of coalescing, each under every rule.
TEST(GlobalCost, OfTheClassicPicturesUnderEveryRule) {
    struct Case {
        const char* picture;
        u32 width;
        Address addressOf;
        u32 cc10, cc12, cc20, cc35, cc90;  // transactions, transactions, lines, sectors, sectors
    };
    const Case cases[] = {
        {"sequential and aligned", 4, strided(4), 2, 2, 1, 4, 4},
        {"some lanes inactive", 4,
         [](u64 lane) { return lane == 5 || lane == 25 ? std::nullopt : std::optional<u64>(4 * lane); }, 2, 2,
         1, 4, 4},
        {"lanes 3 and 4 of each half-warp change places", 4,
         [](u64 lane) {
             return 4 * (lane % 16 == 3 ? lane + 1 : lane % 16 == 4 ? lane - 1 : lane);
         },
         32, 2, 1, 4, 4},
        {"start off by one word", 4, strided(4, 132), 32, 3, 2, 5, 5},
        {"stride 2", 4, strided(8), 32, 2, 2, 8, 8},
        {"structures of 12 bytes", 4, strided(12), 32, 4, 3, 12, 12},
        {"scattered", 4, strided(256), 32, 32, 32, 32, 32},
        {"one word for all", 4, strided(0), 32, 2, 1, 1, 1},
        {"doubles", 8, strided(8), 2, 2, 2, 8, 8},
        {"float4", 16, strided(16), 4, 4, 4, 16, 16},
        {"bytes", 1, strided(1), 32, 2, 1, 1, 1},
        {"shorts", 2, strided(2), 32, 2, 1, 2, 2},
    };
    for (const Case& c : cases) {
        const WarpAccess access = global(AccessKind::Load, c.width, c.addressOf);
        EXPECT_EQ(globalCost(access, profile("cc10")).transactions, c.cc10) << c.picture;
        EXPECT_EQ(globalCost(access, profile("cc11")).transactions, c.cc10) << c.picture;
        EXPECT_EQ(globalCost(access, profile("cc12")).transactions, c.cc12) << c.picture;
        EXPECT_EQ(globalCost(access, profile("cc13")).transactions, c.cc12) << c.picture;
        EXPECT_EQ(globalCost(access, profile("cc20")).transactions, c.cc20) << c.picture;
        EXPECT_EQ(globalCost(access, profile("cc35")).sectors, c.cc35) << c.picture;
        for (const char* name : {"cc60", "cc75", "cc90", "cc120"})
            EXPECT_EQ(globalCost(access, profile(name)).sectors, c.cc90) << c.picture;
        EXPECT_EQ(globalSectors(access), c.cc90) << c.picture;
    }
}

TEST(GlobalCost, IsOneRequestAWarpSinceCc60AndOneALaneGroupBefore) {
    struct Case {
        const char* profile;
        u32 of4, of8, of16;
    };
    constexpr Case cases[] = {{"cc10", 2, 2, 2}, {"cc13", 2, 2, 2}, {"cc20", 1, 2, 4}, {"cc35", 1, 2, 4},
                              {"cc52", 1, 2, 4}, {"cc60", 1, 1, 1}, {"cc90", 1, 1, 1}};
    for (const Case& c : cases) {
        EXPECT_EQ(globalCost(global(AccessKind::Load, 4, strided(4)), profile(c.profile)).requests, c.of4)
            << c.profile;
        EXPECT_EQ(globalCost(global(AccessKind::Load, 8, strided(8)), profile(c.profile)).requests, c.of8)
            << c.profile;
        EXPECT_EQ(globalCost(global(AccessKind::Load, 16, strided(16)), profile(c.profile)).requests, c.of16)
            << c.profile;
    }
}

TEST(GlobalCost, CountsASectorOfTwoRequestsTwiceBeforeCc60) {
    const WarpAccess access = global(AccessKind::Load, 8, strided(0));
    EXPECT_EQ(globalCost(access, profile("cc20")).transactions, 2u);
    EXPECT_EQ(globalCost(access, profile("cc52")).sectors, 2u);
    EXPECT_EQ(globalCost(access, profile("cc90")).sectors, 1u);
}

TEST(GlobalCost, OfFermiAndKeplerCountsLinesOnlyForLoadsThatL1Caches) {
    const Address scattered = strided(32);
    Profile kepler = profile("cc35");
    EXPECT_EQ(globalCost(global(AccessKind::Load, 4, scattered), kepler).sectors, 32u);
    kepler.l1CachesGlobalLoads = true;
    EXPECT_EQ(globalCost(global(AccessKind::Load, 4, scattered), kepler).transactions, 8u);
    EXPECT_EQ(globalCost(global(AccessKind::Load, 4, scattered), kepler).items[1].bytes, 128u);
    EXPECT_EQ(globalCost(global(AccessKind::Store, 4, scattered), profile("cc20")).sectors, 32u);
}

TEST(GlobalCost, NamesTheLanesOfEachTransaction) {
    // 12-byte structures on cc 1.2: two half-warps, each with a 128-byte and a halved segment.
    const GlobalCost cost = globalCost(global(AccessKind::Load, 4, strided(12)), profile("cc12"));
    struct Case {
        u64 start;
        u32 bytes, lanes;
    };
    constexpr Case cases[] = {
        {0, 128, 0x000007ff}, {128, 64, 0x0000f800}, {192, 64, 0x003f0000}, {256, 128, 0xffc00000}};
    ASSERT_EQ(cost.items.size(), std::size(cases));
    for (std::size_t at = 0; at < std::size(cases); ++at) {
        EXPECT_EQ(cost.items[at].startByte, cases[at].start);
        EXPECT_EQ(cost.items[at].bytes, cases[at].bytes);
        EXPECT_EQ(cost.items[at].lanes.bits, cases[at].lanes);
    }
    // 16-byte words in order on cc 1.0: the first eight lanes' 128 bytes, then the other eight's.
    const GlobalCost wide = globalCost(global(AccessKind::Load, 16, strided(16)), profile("cc10"));
    ASSERT_EQ(wide.items.size(), 4u);
    EXPECT_EQ(wide.items[1].startByte, 128u);
    EXPECT_EQ(wide.items[1].lanes.bits, 0xff00u);
}

TEST(GlobalCost, OfUnalignedWarpsFollowsTheSectors) {  // measured on an H200
    struct Case {
        const char* what;
        u32 width;
        u64 firstByte;
        u32 sectors;
    };
    constexpr Case cases[] = {{"bytes", 1, 0, 1},
                              {"bytes from byte 13", 1, 13, 2},
                              {"shorts from element 9", 2, 18, 3},
                              {"float4, one element on", 16, 16, 17}};
    for (const Case& c : cases)
        EXPECT_EQ(globalSectors(global(AccessKind::Load, c.width, strided(c.width, c.firstByte))), c.sectors)
            << c.what;
}

TEST(GlobalCost, OfAtomicsSumsTheMostLanesOnOneWordOfEachSector) {  // measured on an H200
    struct Case {
        const char* what;
        Address addressOf;
        u32 sectors;
    };
    const Case cases[] = {{"one address", strided(0), 32},
                          {"32 neighboring words", strided(4), 4},
                          {"two lanes on each of 16 words", [](u64 lane) { return lane / 2 * 4; }, 4},
                          {"three lanes on one word, the others each on their own of the same sectors",
                           [](u64 lane) { return lane < 3 ? 0 : lane * 4; }, 6}};
    for (const Case& c : cases)
        for (AccessKind kind : {AccessKind::Atomic, AccessKind::Reduction}) {
            EXPECT_EQ(globalSectors(global(kind, 4, c.addressOf)), c.sectors) << c.what;
            EXPECT_EQ(globalCost(global(kind, 4, c.addressOf), defaultProfile()).sectors, c.sectors)
                << c.what;
            EXPECT_EQ(globalCost(global(kind, 4, c.addressOf), defaultProfile()).requests, 1u) << c.what;
        }
}

// 1024 x 512 floats, block 32 x 8, rows read and columns written: as ncu counts it on an H200.
TEST(GlobalCost, OfTheNaiveTransposeIsWhatTheH200Counts) {
    u64 loads = 0, stores = 0, requests = 0;
    for (u64 row = 0; row < 1024; ++row)
        for (u64 column = 0; column < 512; column += 32) {
            const WarpAccess load = global(AccessKind::Load, 4, strided(4, (row * 512 + column) * 4));
            const WarpAccess store = global(AccessKind::Store, 4, strided(4096, (column * 1024 + row) * 4));
            loads += globalSectors(load);
            stores += globalSectors(store);
            requests += globalCost(load, defaultProfile()).requests;
        }
    EXPECT_EQ(requests, 16384u);
    EXPECT_EQ(loads, 65536u);
    EXPECT_EQ(stores, 524288u);
}

std::vector<WarpAccess> manyAccesses() {
    std::vector<WarpAccess> accesses;
    std::mt19937_64 random(11);
    for (u32 width : {1, 2, 4, 8, 16})
        for (u64 words : {32, 500, 100000})
            for (int n = 0; n < 30; ++n)
                accesses.push_back(global(n % 2 ? AccessKind::Load : AccessKind::Store, width, [&](u64) {
                    return n > 15 && random() % 3 == 0 ? std::nullopt
                                                       : std::optional<u64>(random() % words * width);
                }));
    return accesses;
}

TEST(GlobalCost, CoversEveryByteAndWastesNoItem) {
    for (const Profile& p : profiles())
        for (const WarpAccess& access : manyAccesses()) {
            const GlobalCost cost = globalCost(access, p);
            EXPECT_EQ(itemsOf(cost), cost.items.size());
            EXPECT_EQ(globalItems(access, p), cost.items.size());
            EXPECT_EQ(globalRequests(access, p), cost.requests);
            LaneMask served;
            u64 bytes = 0;
            std::set<u64> wanted;
            for (const MemoryItem& item : cost.items) {
                EXPECT_FALSE(item.lanes.empty());
                EXPECT_EQ(item.startByte % item.bytes, 0u);
                served = served | item.lanes;
                bytes += item.bytes;
                for (Lane lane : item.lanes) {
                    EXPECT_GE(access.addresses[lane.value], item.startByte);
                    EXPECT_LE(access.addresses[lane.value] + access.widthBytes, item.startByte + item.bytes);
                }
            }
            for (Lane lane : access.active)
                for (u64 n = 0; n < access.widthBytes; ++n)
                    wanted.insert(access.addresses[lane.value] + n);
            EXPECT_EQ(served, access.active);
            EXPECT_GE(bytes, wanted.size());
        }
}

TEST(GlobalCost, OfScatteredLanesIsWhatSetsCount) {
    std::mt19937_64 random(7);
    for (u32 round = 0; round < 20'000; ++round) {
        const u64 width = u64{1} << random() % 5;
        const u64 range = std::array<u64, 5>{256, 2048, 2080, 1 << 20, u64{1} << 45}[random() % 5];
        const bool isAtomic = width >= 4 && random() % 2;
        WarpAccess access = global(isAtomic ? AccessKind::Atomic : AccessKind::Load, u32(width), [&](u64) {
            return std::optional((u64{1} << 46) + random() % (range / width) * width);
        });
        if (random() % 2) access.active = LaneMask{u32(random()) | 1u << random() % 32};
        std::map<u64, std::map<u64, u32>> wordsOf;  // by sector: lanes of each word
        for (Lane lane : access.active) {
            const u64 at = access.addresses[lane.value];
            ++wordsOf[at / kSectorBytes][at / width];
        }
        u32 expected = u32(wordsOf.size());
        if (isAtomic) {
            expected = 0;
            for (const auto& [sector, words] : wordsOf)
                expected += std::ranges::max(words | std::views::values);
        }
        ASSERT_EQ(globalSectors(access), expected) << width << " bytes within " << range;
    }
}

TEST(GlobalCost, DoesNotDependOnTheOrderOfLanesSinceCc60) {
    std::mt19937 random(5);
    for (WarpAccess access : manyAccesses()) {
        if (access.active != LaneMask::all()) continue;
        const u32 before = globalSectors(access);
        std::ranges::shuffle(access.addresses, random);
        EXPECT_EQ(globalSectors(access), before);
        EXPECT_EQ(globalCost(access, defaultProfile()).sectors, before);
    }
}

TEST(GlobalCost, IsNothingWithoutAnActiveLane) {
    for (const Profile& p : profiles()) {
        const GlobalCost cost =
            globalCost(global(AccessKind::Load, 4, [](u64) { return std::optional<u64>(); }), p);
        EXPECT_EQ(cost.requests + cost.sectors + cost.transactions + cost.items.size(), 0u) << p.name;
    }
    EXPECT_EQ(globalSectors(global(AccessKind::Atomic, 4, [](u64) { return std::optional<u64>(); })), 0u);
}

TEST(GlobalCost, SurvivesAddressesAtTheEndsOfTheAddressSpace) {
    for (const Profile& p : profiles())
        for (u32 width : {1, 4, 16}) {
            const WarpAccess access =
                global(AccessKind::Load, width, [](u64 lane) { return lane % 2 ? ~u64{0} - lane : lane; });
            EXPECT_GT(itemsOf(globalCost(access, p)), 0u);
            EXPECT_GT(globalSectors(access), 0u);
        }
}

TEST(LeastGlobalItems, CountsTheDataOnceAsIfItLaySideBySideAndAligned) {
    const auto least = [](AccessKind kind, u32 width, const std::function<std::optional<u64>(u64)>& at,
                          std::string_view profile = "cc90") {
        return leastGlobalItems(global(kind, width, at), *findProfile(profile));
    };
    const auto near = [](u64 lane) { return std::optional(4 * lane); };
    EXPECT_EQ(least(AccessKind::Load, 4, near), 4u);
    EXPECT_EQ(least(AccessKind::Load, 16, [](u64 lane) { return std::optional(16 * lane); }), 16u);
    EXPECT_EQ(least(AccessKind::Store, 4, [](u64 lane) { return std::optional(4096 * lane + 12); }), 4u);
    EXPECT_EQ(least(AccessKind::Load, 4, [](u64) { return std::optional(u64{8}); }), 1u);
    EXPECT_EQ(least(AccessKind::Atomic, 4, [](u64 lane) { return std::optional(4 * (lane % 9)); }), 2u);
    EXPECT_EQ(least(AccessKind::Load, 4, [](u64) { return std::optional<u64>(); }), 0u);
    // Each half-warp is a request of its own, of transactions of 128 bytes at most.
    EXPECT_EQ(least(AccessKind::Load, 4, near, "cc10"), 2u);
    EXPECT_EQ(least(
                  AccessKind::Load, 16, [](u64 lane) { return std::optional(16 * lane); }, "cc13"),
              4u);
}

TEST(LeastGlobalItems, IsNeverMoreThanTheAccessCosts) {
    for (const WarpAccess& access : manyAccesses())
        for (const Profile& p : profiles())
            EXPECT_LE(leastGlobalItems(access, p), globalItems(access, p)) << p.name;
}

}  // namespace
}  // namespace lockstep::model
