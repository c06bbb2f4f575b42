#include "model/occupancy.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

TEST(Occupancy, NamesTheScarcestResource) {
    struct Case {
        const char* what;
        const char* profile;
        u64 threads, sharedBytes;
        std::optional<u32> registers;
        u64 gridBlocks;
        u32 blocks;
        const char* limitedBy;
    };
    // Expected figures by hand from the limits; those with registers as cuda_occupancy.h gives them.
    const Case cases[] = {
        {"a small block", "cc90", 32, 0, {}, 10000, 32, "blocks"},
        {"256 threads", "cc90", 256, 2048, {}, 10000, 8, "warps"},
        {"1024 threads", "cc90", 1024, 8192, {}, 10000, 2, "warps"},
        {"1024 threads on 48 warps", "cc86", 1024, 8192, {}, 10000, 1, "warps"},
        {"a third of a warp counts whole", "cc90", 65, 0, {}, 10000, 21, "warps"},
        {"48 KB and the reserved kilobyte: 228 / 49", "cc90", 128, 48 * 1024, {}, 10000, 4, "shared memory"},
        {"all a block can have", "cc90", 128, 227 * 1024, {}, 10000, 1, "shared memory"},
        {"more than a block can have", "cc90", 128, 227 * 1024 + 1, {}, 10000, 0, "shared memory"},
        {"33 registers are 1280 a warp: 12 warps in each of 4 parts", "cc90", 256, 0, 33, 10000, 6,
         "registers"},
        {"32 registers", "cc90", 256, 0, 32, 10000, 8, "warps"},
        {"255 registers", "cc90", 256, 0, 255, 10000, 1, "registers"},
        {"too many for 1024 threads", "cc90", 1024, 0, 65, 10000, 0, "registers"},
        {"4 blocks in all", "cc90", 4, 32, {}, 4, 4, "grid"},
        {"G80: tiles of 16, 768 threads", "cc10", 256, 2048 + 32, {}, 10000, 3, "warps"},
        {"G80: 11 registers cost the third block", "cc10", 256, 2048, 11, 10000, 2, "registers"},
        {"G80: 10 registers do not", "cc10", 256, 2048, 10, 10000, 3, "warps"},
        {"G80: shared memory of 16 KB", "cc10", 64, 5000, {}, 10000, 3, "shared memory"},
        {"no more threads than a block may have", "cc10", 1024, 0, {}, 10000, 0, "warps"},
    };
    for (const Case& c : cases) {
        const Occupancy found = occupancy({.threads = c.threads,
                                           .sharedBytes = c.sharedBytes,
                                           .registersPerThread = c.registers,
                                           .gridBlocks = c.gridBlocks},
                                          *findProfile(c.profile));
        EXPECT_EQ(found.blocksPerSm, c.blocks) << c.what;
        EXPECT_EQ(found.limitedBy, c.limitedBy) << c.what;
        EXPECT_EQ(found.warpsPerSm, c.blocks * ((c.threads + 31) / 32)) << c.what;
    }
}

}  // namespace
}  // namespace lockstep::model
