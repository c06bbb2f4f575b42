#include "model/occupancy/occupancy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

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
        {"G80: 3 warps take 4 of 24", "cc10", 96, 0, {}, 10000, 6, "warps"},
        {"GT200: one warp takes two of 32, yet there are 8 blocks at most",
         "cc13",
         32,
         0,
         {},
         10000,
         8,
         "blocks"},
        {"GT200: 5 warps take 6 of 32", "cc13", 160, 0, {}, 10000, 5, "warps"},
        {"Fermi: 20 registers are 640 a warp: 25 warps in each of 2 parts", "cc20", 256, 0, 20, 10000, 6,
         "warps"},
        {"Fermi: 21 registers are 768 a warp: 21 warps in each of 2 parts", "cc20", 256, 0, 21, 10000, 5,
         "registers"},
        {"Fermi: 23 registers are 768 too", "cc20", 256, 0, 23, 10000, 5, "registers"},
        {"Fermi: 46 registers are 1536 a warp: 10 warps in each of 2 parts", "cc20", 320, 0, 46, 10000, 2,
         "registers"},
        {"Fermi: 7 warps of 63 registers are checked as 8", "cc20", 224, 0, 63, 10000, 2, "registers"},
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

std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');)
        cells.push_back(cell);
    return cells;
}

// Compares with a table of tests/data/occupancy that holds so many answers.
void expectAll(const std::string& table, std::size_t answers) {
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/tests/data/occupancy/" + table);
    std::string line;
    ASSERT_TRUE(std::getline(file, line));
    const std::vector<std::string> columns = cellsOf(line);
    constexpr std::size_t kFirstColumn = 3;
    std::size_t checked = 0, wrong = 0;
    while (std::getline(file, line)) {
        const std::vector<std::string> cells = cellsOf(line);
        ASSERT_EQ(cells.size(), columns.size());
        const Profile* profile = findProfile(cells[0]);
        ASSERT_NE(profile, nullptr) << cells[0];
        for (std::size_t column = kFirstColumn; column < columns.size(); ++column, ++checked) {
            const u32 registers = u32(std::stoul(columns[column].substr(1)));
            const Occupancy found = occupancy({.threads = std::stoull(cells[1]),
                                               .sharedBytes = std::stoull(cells[2]),
                                               .registersPerThread = registers,
                                               .gridBlocks = 1u << 30},
                                              *profile);
            if (found.blocksPerSm == std::stoul(cells[column])) continue;
            if (++wrong <= 20)
                ADD_FAILURE() << line.substr(0, line.find(',', 6)) << " with " << cells[2] << " bytes and "
                              << registers << " registers: " << found.blocksPerSm << ", not "
                              << cells[column];
        }
    }
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(checked, answers);
}

TEST(Occupancy, IsThatOfTheToolkitsOwnHeaderOverASweep) { expectAll("occupancy.csv", 12u * 16 * 16 * 22); }

TEST(Occupancy, OfDevicesOfItsTimeIsThatOfTheHeaderOfThatTime) {
    expectAll("early_devices.csv", 5u * 18 * 11 * 27);
}

TEST(Occupancy, CountsTheWavesOfAGridAndWhatTheLastOneHolds) {
    struct Case {
        u64 gridBlocks, waves, blocksInLastWave;
    };
    // cc90: 8 blocks of 256 threads on each of 132 SMs, 1056 at once.
    for (const Case& c :
         {Case{1, 1, 1}, Case{1056, 1, 1056}, Case{1057, 2, 1}, Case{3000, 3, 888}, Case{0, 0, 0}}) {
        const Occupancy found = occupancy(
            {.threads = 256, .sharedBytes = 0, .registersPerThread = 32, .gridBlocks = c.gridBlocks},
            *findProfile("cc90"));
        EXPECT_EQ(found.blocksPerWave, 1056u) << c.gridBlocks;
        EXPECT_EQ(found.possibleBlocksPerSm, 8u) << c.gridBlocks;
        EXPECT_EQ(found.possibleWarpsPerSm, 64u) << c.gridBlocks;
        EXPECT_EQ(found.possibleLimit, "warps") << c.gridBlocks;
        EXPECT_EQ(found.waves, c.waves) << c.gridBlocks;
        EXPECT_EQ(found.blocksInLastWave, c.blocksInLastWave) << c.gridBlocks;
    }
}

}  // namespace
}  // namespace lockstep::model
