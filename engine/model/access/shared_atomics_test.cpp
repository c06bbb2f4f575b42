#include "model/access/shared_atomics.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace lockstep::model {
namespace {

using trace::AccessKind;

// Patterns of tests/data/shared_atomics/measure.cu: the word each lane accesses.
u64 wordOf(int pattern, u32 lane) {
    switch (pattern) {
        case 0: return lane;  // all different banks
        case 1: return 0;     // all one word
        case 2: return lane / 2;
        case 3: return lane / 4;
        case 4: return lane * 32;      // one bank
        case 5: return lane % 2 * 32;  // one bank, two words
        case 6: return lane * 2;
        case 7: return lane % 8;
        case 8: return lane / 8 * 32 + lane % 8;  // eight banks, four words each
        default: return lane < 3 ? 0 : lane;
    }
}

ptx::Instruction instructionOf(const std::string& operation, const std::string& type) {
    static const std::map<std::string, ptx::AtomicOp> operations = {{"add", ptx::AtomicOp::Add},
                                                                    {"add_one", ptx::AtomicOp::Add},
                                                                    {"max", ptx::AtomicOp::Max},
                                                                    {"cas", ptx::AtomicOp::Cas},
                                                                    {"exch", ptx::AtomicOp::Exch}};
    ptx::Instruction instruction;
    instruction.modifiers.atomic = operations.at(operation);
    instruction.types[0] = ptx::findType(type);
    return instruction;
}

TEST(SharedAtomics, CostWhatTheH200Counts) {
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/tests/data/shared_atomics/h200.csv");
    std::string line;
    ASSERT_TRUE(std::getline(file, line));
    int rows = 0;
    for (; std::getline(file, line); ++rows) {
        std::istringstream in(line);
        std::vector<std::string> cells;
        for (std::string cell; std::getline(in, cell, ',');)
            cells.push_back(cell);
        ASSERT_EQ(cells.size(), 8u) << line;
        const ptx::Instruction instruction = instructionOf(cells[0], cells[1]);
        const AccessKind kind =
            cells[2] == "1" || cells[0] == "cas" ? AccessKind::Atomic : AccessKind::Reduction;
        trace::WarpAccess access{.pc = {},
                                 .active = LaneMask::all(),
                                 .space = trace::Space::Shared,
                                 .kind = kind,
                                 .widthBytes = u8(ptx::bytesOf(instruction.types[0]))};
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            access.addresses[lane] = access.widthBytes * wordOf(std::stoi(cells[3]), lane);

        const std::vector<ptx::Operand> operands{
            ptx::ImmediateOperand{.bits = cells[0] == "add_one" ? 1u : 3u, .type = instruction.types[0]}};
        const SharedAtomicCost cost =
            sharedAtomicCost(access, sharedAtomicForm(instruction, operands, kind), defaultProfile());
        EXPECT_EQ(cost.loadWavefronts, std::stoul(cells[4])) << line;
        EXPECT_EQ(cost.atomicWavefronts, std::stoul(cells[6])) << line;
        EXPECT_EQ(cost.atomicWavefronts - cost.idealAtomicWavefronts, std::stoul(cells[7])) << line;
        // A warp's only 64-bit load of the u64 kernels has one conflict of arbitration besides its own.
        const u32 noise = cells[1] == "u64" || cells[1] == "b64" ? 1 : 0;
        EXPECT_EQ(cost.loadWavefronts - cost.idealLoadWavefronts + noise, std::stoul(cells[5])) << line;
    }
    EXPECT_EQ(rows, 12 * 10);
}

}  // namespace
}  // namespace lockstep::model
