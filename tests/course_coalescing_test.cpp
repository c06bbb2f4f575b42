// The classic pictures of coalescing, each under the rules of every device: what one warp of the real kernel
// did, replayed under the profiles. The figures are the course's, or counted by hand from the rules of the
// programming guides.
#include "base/device_addresses.h"
#include "model/access/global_sectors.h"
#include "support/run_shipped.h"

#include <map>
#include <optional>
#include <set>

namespace lockstep {
namespace {

// The first load from the first buffer by this warp of block (0,0).
std::optional<trace::WarpAccess> firstLoad(const run::Run& run, u32 warp) {
    const trace::FocusBlock* block = run.recording.trace.find(LaunchId{0}, Dim3{0, 0, 0});
    if (!block) return {};
    const u64 begin = deviceAddressOf(0), end = begin + run.recording.initial[0].bytes.size();
    for (const trace::StoredAccess& access : block->warps[warp].accesses) {
        const u64 address = block->warps[warp].address(access, access.active.lowest());
        if (access.space == trace::Space::Global && access.kind == trace::AccessKind::Load &&
            address >= begin && address < end)
            return block->warps[warp].unpack(access);
    }
    return {};
}

struct Picture {
    const char* variant;
    Settings settings;
    u32 warp;
    // Transactions on 1.0 and 1.1, on 1.2 and 1.3; lines on 2.0; sectors on 3.5, and on 5.2 and later.
    u32 on10, on12, on20, on35, since52;
};

u32 wantedOn(const Picture& picture, const std::string& profile) {
    const std::map<std::string, u32> older{
        {"cc10", picture.on10}, {"cc11", picture.on10}, {"cc12", picture.on12},      {"cc13", picture.on12},
        {"cc20", picture.on20}, {"cc35", picture.on35}, {"cc35-8byte", picture.on35}};
    const auto found = older.find(profile);
    return found == older.end() ? picture.since52 : found->second;
}

TEST(CourseCoalescing, EveryPictureHasItsFiguresUnderEveryRule) {
    const Picture pictures[] = {
        {"sequential", {}, 0, 2, 2, 1, 4, 4},
        {"inactive-lanes", {}, 0, 2, 2, 1, 4, 4},
        {"swapped-lanes", {}, 0, 32, 2, 1, 4, 4},
        {"offset", {{"offset", "32"}}, 0, 2, 2, 1, 4, 4},  // begins at byte 128
        // At byte 132. On 1.2 the first half-warp takes 128 bytes, the second the 64 up to byte 255 and 32
        // after it.
        {"offset", {{"offset", "33"}}, 0, 32, 3, 2, 5, 5},
        {"offset", {{"offset", "16"}}, 0, 2, 2, 2, 4, 4},  // half a line late: two lines, but the same
                                                           // sectors
        {"stride", {{"stride", "2"}}, 0, 32, 2, 2, 8, 8},
        {"stride", {{"stride", "3"}}, 0, 32, 4, 3, 12, 12},
        {"stride", {{"stride", "32"}}, 0, 32, 32, 32, 32, 32},
        // 12 bytes a structure: bytes 0 to 375 of it.
        {"array-of-structures", {}, 0, 32, 4, 3, 12, 12},
        {"structure-of-arrays", {}, 0, 2, 2, 1, 4, 4},
        {"words", {{"word", "float"}}, 0, 2, 2, 1, 4, 4},
        {"words", {{"word", "float2"}}, 0, 2, 2, 2, 8, 8},
        {"words", {{"word", "float4"}}, 0, 4, 4, 4, 16, 16},
        // Never coalesced on 1.0; on 1.2 a segment of 32 bytes, or of 64 of which the other half is idle.
        {"narrow-words", {{"narrow", "u8"}}, 0, 32, 2, 1, 1, 1},
        {"narrow-words", {{"narrow", "u16"}}, 0, 32, 2, 1, 2, 2},
        // Row 1 of 50 elements begins at byte 200. On 1.2: 192..255 and 256..287, then 256..383.
        {"rows", {{"width", "50"}}, 1, 32, 3, 2, 5, 5},
        {"rows-pitched", {{"width", "50"}}, 1, 2, 2, 1, 4, 4},
        // 224 bytes from row to row: in whole sectors, but not in whole segments of 64 bytes.
        {"rows-pitched", {{"alignment", "32"}}, 1, 32, 3, 2, 4, 4},
    };
    for (const Picture& picture : pictures) {
        const Expected<run::Run> run =
            runShipped(std::string("coalescing/") + picture.variant, picture.settings);
        ASSERT_TRUE(run) << describe(run.error());
        EXPECT_EQ(run->correct(), true) << picture.variant;
        const std::optional<trace::WarpAccess> load = firstLoad(*run, picture.warp);
        ASSERT_TRUE(load) << picture.variant;
        for (const model::Profile& profile : model::profiles())
            EXPECT_EQ(model::globalItems(*load, profile), wantedOn(picture, profile.name))
                << picture.variant << " " << (picture.settings.empty() ? "" : picture.settings[0].second)
                << " on " << profile.name;
    }
}

TEST(CourseCoalescing, TwoSwappedLanesCostAHalfWarpSixteenTransactionsOrOne) {
    const Expected<run::Run> run = runShipped("coalescing/swapped-lanes", {});
    ASSERT_TRUE(run) << describe(run.error());
    const trace::WarpAccess load = *firstLoad(*run, 0);
    const auto ofFirstHalf = [&](const char* profile) {
        u32 transactions = 0;
        for (const model::MemoryItem& item : model::globalCost(load, *model::findProfile(profile)).items)
            transactions += item.lanes.lowest().value < 16;
        return transactions;
    };
    EXPECT_EQ(ofFirstHalf("cc10"), 16u);
    EXPECT_EQ(ofFirstHalf("cc12"), 1u);
}

TEST(CourseCoalescing, ScatteredWordsCostASectorForEachThatTheyTouch) {
    const Expected<run::Run> run = runShipped("coalescing/scattered", {});
    ASSERT_TRUE(run) << describe(run.error());
    const std::span<const s32> index = run->recording.initial[1].as<s32>();
    std::set<s32> sectors, lines;
    for (u32 lane = 0; lane < 32; ++lane) {
        sectors.insert(index[lane] / 8);
        lines.insert(index[lane] / 32);
    }
    const trace::WarpAccess load = *firstLoad(*run, 0);
    EXPECT_EQ(model::globalItems(load, *model::findProfile("cc10")), 32u);
    EXPECT_EQ(model::globalItems(load, *model::findProfile("cc20")), lines.size());
    EXPECT_EQ(model::globalItems(load, *model::findProfile("cc90")), sectors.size());
}

}  // namespace
}  // namespace lockstep
