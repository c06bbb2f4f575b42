#include "model/access/shared_wavefronts.h"

#include "model/access/test_access.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::Space;
using trace::WarpAccess;

const Profile& profile(std::string_view name) {
    const Profile* found = findProfile(name);
    EXPECT_NE(found, nullptr) << name;
    return found ? *found : defaultProfile();
}

WarpAccess shared(AccessKind kind, u32 width, const std::function<std::optional<u64>(u64)>& addressOf) {
    return accessAt(Space::Shared, kind, width, addressOf);
}
WarpAccess strided(u64 strideBytes, u32 width = 4, AccessKind kind = AccessKind::Load) {
    return shared(kind, width, [=](u64 lane) { return lane * strideBytes; });
}

struct Measured {
    std::string id;
    WarpAccess access;
    u32 wavefronts, conflicts;
};

std::vector<Measured> measuredOnH200() {
    std::vector<Measured> rows;
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/tests/truth/banks_h200.csv");
    std::string line;
    std::getline(file, line);  // names of the columns
    while (std::getline(file, line)) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream in(line);
        std::string id, operation;
        u32 width = 0, wavefronts = 0, conflicts = 0;
        in >> id >> width >> operation >> wavefronts >> conflicts;
        std::vector<s64> offsets;
        for (s64 offset; in >> offset;)
            offsets.push_back(offset);
        EXPECT_EQ(offsets.size(), kWarpSize) << line;
        const AccessKind kind = operation == "ld" ? AccessKind::Load : AccessKind::Store;
        const auto addressOf = [&](u64 lane) {
            return offsets[lane] < 0 ? std::nullopt : std::optional<u64>(offsets[lane]);
        };
        rows.push_back({line, shared(kind, width, addressOf), wavefronts, conflicts});
    }
    return rows;
}

TEST(SharedWavefronts, AreWhatTheH200CountsInEveryMeasuredPattern) {
    const std::vector<Measured> rows = measuredOnH200();
    EXPECT_EQ(rows.size(), 322u);
    for (const Measured& row : rows) {
        const u32 wavefronts = sharedWavefronts(row.access, profile("cc90"));
        EXPECT_EQ(wavefronts, row.wavefronts) << row.id;
        EXPECT_EQ(wavefronts - idealWavefronts(row.access, profile("cc90")), row.conflicts) << row.id;
    }
}

TEST(SharedWavefronts, OfAColumnDependOnThePitch) {
    struct Case {
        const char* pattern;
        u32 strideBytes, wavefronts;
    };
    constexpr Case cases[] = {{"one word for all", 0, 1},   {"row", 4, 1},
                              {"every second word", 8, 2},  {"column, pitch 32", 128, 32},
                              {"column, pitch 33", 132, 1}, {"column, pitch 16", 64, 16}};
    for (const Case& c : cases)
        EXPECT_EQ(sharedWavefronts(strided(c.strideBytes), defaultProfile()), c.wavefronts) << c.pattern;
}

TEST(SharedWavefronts, OfWideAccessesAddUpOverTheirGroups) {
    for (AccessKind kind : {AccessKind::Load, AccessKind::Store}) {
        EXPECT_EQ(sharedWavefronts(strided(8, 8, kind), defaultProfile()), 2u);
        EXPECT_EQ(sharedWavefronts(strided(16, 16, kind), defaultProfile()), 4u);
    }
    // Lanes 2n and 2n+1 at one address: a load serves twice the lanes at once, a store does not.
    const auto pairs = [](u64 lane) { return lane / 2 * 8; };
    EXPECT_EQ(sharedWavefronts(shared(AccessKind::Load, 8, pairs), defaultProfile()), 1u);
    EXPECT_EQ(sharedWavefronts(shared(AccessKind::Store, 8, pairs), defaultProfile()), 2u);
    // The same for a load in which the neighbor is inactive.
    const auto everyFifth = [](u64 lane) { return lane % 5 ? std::nullopt : std::optional<u64>(lane * 8); };
    EXPECT_EQ(sharedGroups(shared(AccessKind::Load, 8, everyFifth), defaultProfile()).size(), 1u);
    EXPECT_EQ(sharedGroups(shared(AccessKind::Store, 8, everyFifth), defaultProfile()).size(), 2u);
}

TEST(SharedWavefronts, AreNoneWithoutAnActiveLane) {
    const auto nobody = [](u64) { return std::optional<u64>(); };
    for (const Profile& p : profiles())
        for (u32 width : {1, 2, 4, 8, 16}) {
            EXPECT_EQ(sharedWavefronts(shared(AccessKind::Load, width, nobody), p), 0u);
            EXPECT_EQ(idealWavefronts(shared(AccessKind::Load, width, nobody), p), 0u);
            EXPECT_TRUE(passes(shared(AccessKind::Load, width, nobody), p).empty());
        }
}

// Measured on an H200: docs, "Shared atomics".
TEST(SharedWavefronts, OfAtomicsCountLanesOfABankWhateverTheirWords) {
    struct Case {
        const char* pattern;
        std::function<std::optional<u64>(u64)> addressOf;
        u32 wavefronts;
    };
    const Case cases[] = {
        {"all on one word", [](u64) { return 12; }, 32},
        {"stride of 32 words", [](u64 lane) { return lane * 128; }, 32},
        {"stride 2", [](u64 lane) { return lane * 8; }, 2},
        {"all banks different", [](u64 lane) { return lane * 4; }, 1},
        {"4 lanes a bank on 2 words", [](u64 lane) { return lane % 8 * 4 + lane / 16 * 128; }, 4}};
    for (const Case& c : cases)
        for (AccessKind kind : {AccessKind::Atomic, AccessKind::Reduction})
            EXPECT_EQ(sharedWavefronts(shared(kind, 4, c.addressOf), defaultProfile()), c.wavefronts)
                << c.pattern;
}

// The strided reduction (V1), block 128: the highest conflict degree of any lane group in each step.
TEST(SharedWavefronts, OfTheStridedReductionGrowAndShrinkByStep) {
    const auto degrees = [](const Profile& p, u32 block) {
        std::vector<u32> found;
        for (u64 step = 1; step < block; step *= 2) {
            const auto index = [&](u64 lane) {
                return 2 * step * lane < block ? std::optional<u64>(8 * step * lane) : std::nullopt;
            };
            WarpAccess access = shared(AccessKind::Load, 4, index);
            if (p.sharedRule == SharedRule::BroadcastWord)
                access.active = access.active & LaneMask::firstLanes(16);
            found.push_back(sharedWavefronts(access, p));
        }
        return found;
    };
    EXPECT_EQ(degrees(profile("cc90"), 128), (std::vector<u32>{2, 4, 4, 4, 4, 2, 1}));
    EXPECT_EQ(degrees(profile("cc10"), 128), (std::vector<u32>{2, 4, 8, 8, 4, 2, 1}));
    EXPECT_EQ(degrees(profile("cc90"), 256), (std::vector<u32>{2, 4, 8, 8, 8, 4, 2, 1}));
    EXPECT_EQ(degrees(profile("cc90"), 1024)[4], 32u);
}

TEST(SharedWavefronts, OfOlderDevicesFollowTheirGuides) {
    struct Case {
        const char *what, *profile;
        u32 width, wavefronts;
        std::function<std::optional<u64>(u64)> addressOf;
    };
    const auto stride = [](u64 bytes) { return [=](u64 lane) { return std::optional<u64>(lane * bytes); }; };
    const Case cases[] = {
        {"a row on 16 banks: one pass a half-warp", "cc10", 4, 2, stride(4)},
        {"a column of pitch 16", "cc10", 4, 32, stride(64)},
        {"one word for all", "cc10", 4, 2, stride(0)},
        // Each half-warp has two words in every bank pair: the first is broadcast, and one lane of the others
        // is served with it.
        {"pairs of lanes on one word", "cc13", 4, 4, [](u64 lane) { return lane / 2 * 4; }},
        {"8 bytes are two requests of stride 2", "cc13", 8, 8, stride(8)},
        {"16 bytes are four requests of stride 4", "cc13", 16, 32, stride(16)},
        {"bytes of one word wait for each other", "cc10", 1, 8, stride(1)},
        {"no lane merging on Fermi", "cc20", 8, 2, [](u64 lane) { return lane / 2 * 8; }},
        {"Fermi, a row", "cc20", 4, 1, stride(4)},
        {"Fermi, stride 2", "cc20", 4, 2, stride(8)},
        {"Kepler, stride 2: words i and i+32 do not conflict", "cc35", 4, 1, stride(8)},
        {"Kepler, stride 4", "cc35", 4, 2, stride(16)},
        {"Kepler, words i and i+32 of two segments conflict", "cc35", 4, 2,
         [](u64 lane) { return lane == 0   ? 32 * 4
                               : lane == 1 ? 64 * 4
                                           : lane * 4; }},
        {"Kepler, doubles in a row", "cc35", 8, 1, stride(8)},
        {"Kepler's 8-byte banks, words in a row: two lanes a bank", "cc35-8byte", 4, 1, stride(4)},
        {"Kepler's 8-byte banks, doubles in a row", "cc35-8byte", 8, 1, stride(8)},
        {"Kepler's 8-byte banks, every second double", "cc35-8byte", 8, 2, stride(16)},
        {"Kepler's 8-byte banks, 16 bytes in a row: two half-warps", "cc35-8byte", 16, 2, stride(16)},
        {"Kepler's 8-byte banks, words i and i+64", "cc35-8byte", 4, 2,
         [](u64 lane) { return lane == 1 ? 64 * 4 : lane * 4; }},
        {"Kepler's 8-byte banks, a column of doubles", "cc35-8byte", 8, 32, stride(256)},
        {"Maxwell as Hopper", "cc52", 8, 1, [](u64 lane) { return lane / 2 * 8; }},
    };
    for (const Case& c : cases)
        EXPECT_EQ(sharedWavefronts(shared(AccessKind::Load, c.width, c.addressOf), profile(c.profile)),
                  c.wavefronts)
            << c.what;
}

// Random and structured accesses of every width and kind, some with inactive lanes.
std::vector<WarpAccess> manyAccesses() {
    std::vector<WarpAccess> accesses;
    std::mt19937 random(7);
    for (u32 width : {1, 2, 4, 8, 16})
        for (AccessKind kind : {AccessKind::Load, AccessKind::Store, AccessKind::Atomic})
            for (u32 words : {8, 64, 1024})
                for (int n = 0; n < 20; ++n) {
                    const u32 off = random() % 3;
                    accesses.push_back(shared(kind, width, [&](u64) {
                        return off && random() % (off + 1) == 0
                                   ? std::nullopt
                                   : std::optional<u64>(random() % words * width);
                    }));
                }
    return accesses;
}

// The reduction's strided round on a G80: each half-warp has its own conflicts; their sum alone would not
// give the conflict degree.
TEST(SharedWavefronts, OfHalfWarpsAreToldApartOnTheFirstDevices) {
    const Profile& g80 = *findProfile("cc10");
    const auto load = [](u32 lanes, u32 strideBytes, u32 width = 4) {
        return accessAt(trace::Space::Shared, trace::AccessKind::Load, width, [=](u64 lane) {
            return lane < lanes ? std::optional(lane * strideBytes) : std::nullopt;
        });
    };
    EXPECT_EQ(halfWarpsText(load(32, 16), g80).english(),
              "half-warp 0: 4-way, half-warp 1: 4-way, 8 wavefronts in all");
    EXPECT_EQ(halfWarpsText(load(32, 16), g80).in(Language::Chinese),
              "半线程束 0：4 路冲突，半线程束 1：4 路冲突，共 8 个波前");
    EXPECT_EQ(halfWarpsText(load(16, 32), g80).english(), "half-warp 0: 8-way, 8 wavefronts");
    EXPECT_EQ(halfWarpsText(load(32, 4), g80).english(),
              "half-warp 0: no conflict, half-warp 1: no conflict, 2 wavefronts in all");
    EXPECT_EQ(halfWarpsText(load(32, 8, 8), g80).english(),
              "half-warp 0: 4 wavefronts instead of 2, half-warp 1: 4 wavefronts instead of 2, 8 wavefronts "
              "in all");
    EXPECT_TRUE(halfWarpsText(load(32, 16), *findProfile("cc20")).empty());
}

TEST(Passes, ServeEveryLaneAndWordOnceAndAreAsManyAsWavefronts) {
    for (const Profile& p : profiles())
        for (const WarpAccess& access : manyAccesses()) {
            const std::vector<Pass> served = passes(access, p);
            EXPECT_EQ(served.size(), sharedWavefronts(access, p));
            EXPECT_GE(served.size(), idealWavefronts(access, p));
            std::multiset<std::pair<u32, u64>> wanted, given;
            for (Lane lane : access.active)
                for (u64 n = 0; n < std::max<u64>(access.widthBytes / 4, 1); ++n)
                    wanted.emplace(lane.value, access.addresses[lane.value] / 4 + n);
            for (const Pass& pass : served) {
                EXPECT_FALSE(pass.uses.empty());
                for (const Pass::Use& use : pass.uses)
                    given.emplace(use.lane.value, use.word);
            }
            EXPECT_EQ(given, wanted);
        }
}

TEST(SharedWavefronts, OfWordsFarApartAreNotTakenForOne) {
    for (const u64 distance : {u64{1} << 20, u64{1} << 34, u64{1} << 40}) {
        const WarpAccess access = accessAt(trace::Space::Shared, AccessKind::Load, 4,
                                           [&](u64 lane) { return lane % 2 * distance; });
        EXPECT_EQ(sharedWavefronts(access, defaultProfile()), 2u) << distance;
        EXPECT_EQ(passes(access, defaultProfile()).size(), 2u) << distance;
    }
}

TEST(Passes, GiveOneWordABank) {
    for (const Profile& p : profiles())
        for (const WarpAccess& access : manyAccesses())
            for (const Pass& pass : passes(access, p)) {
                std::map<u32, u64> wordOfBank;
                for (const Pass::Use& use : pass.uses) {
                    EXPECT_EQ(use.bank, use.word / wordsOfABank(p) % p.banks);
                    const u64 unit = p.sharedRule == SharedRule::WordPairs     ? use.word / 64
                                     : p.sharedRule == SharedRule::DoubleWords ? use.word / 2
                                                                               : use.word;
                    EXPECT_EQ(wordOfBank.try_emplace(use.bank, unit).first->second, unit) << p.name;
                }
            }
}

TEST(Passes, OfAnAtomicServeOneLaneABank) {
    for (const WarpAccess& access : manyAccesses()) {
        if (access.kind != AccessKind::Atomic) continue;
        for (const Pass& pass : passes(access, defaultProfile())) {
            u32 banks = 0;
            for (const Pass::Use& use : pass.uses) {
                EXPECT_FALSE(banks >> use.bank & 1);
                banks |= 1u << use.bank;
            }
        }
    }
}

TEST(SharedWavefronts, DependOnLaneOrderOnlyWhereGroupsDo) {
    std::mt19937 random(3);
    for (WarpAccess access : manyAccesses()) {
        if (access.widthBytes > 4 || access.active != LaneMask::all()) continue;
        const u32 before = sharedWavefronts(access, defaultProfile());
        std::shuffle(access.addresses.begin(), access.addresses.end(), random);
        EXPECT_EQ(sharedWavefronts(access, defaultProfile()), before);
    }
}

}  // namespace
}  // namespace lockstep::model
