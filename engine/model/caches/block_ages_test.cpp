#include "model/caches/block_ages.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace lockstep::model {
namespace {

TEST(BlockAges, BlocksHaveAsManyTurnsAsMeasured) {
    std::ifstream table(LOCKSTEP_SOURCE_DIR "/tests/data/caches/ages.csv");
    std::string line;
    std::getline(table, line);
    ASSERT_EQ(line, "width,tile,warps_of_a_block,older_blocks,sms,done");
    u32 rows = 0;
    while (std::getline(table, line)) {
        SCOPED_TRACE(line);
        std::istringstream cells(line);
        std::vector<f64> values;
        for (std::string cell; std::getline(cells, cell, ',');)
            values.push_back(std::stod(cell));
        ASSERT_EQ(values.size(), 6u);
        // The model approximates a curve by a straight line; two blocks of 32 warps take turns as a whole.
        EXPECT_NEAR(f64(turnsOfBlock(u64(values[3]), u64(values[2]))) / f64(kAllTurns), values[5], 0.12);
        ++rows;
    }
    EXPECT_EQ(rows, 51u);
}

TEST(BlockAges, TheOldestMissesNoTurnAndNobodyAll) {
    for (u64 warps = 1; warps <= 32; ++warps) {
        EXPECT_EQ(turnsOfBlock(0, warps), kAllTurns) << warps;
        for (u64 older = 0; older * warps < 64; ++older) {
            EXPECT_GT(turnsOfBlock(older, warps), 0u) << older << ' ' << warps;
            EXPECT_LE(turnsOfBlock(older + 1, warps), turnsOfBlock(older, warps)) << older << ' ' << warps;
        }
    }
}

}  // namespace
}  // namespace lockstep::model
