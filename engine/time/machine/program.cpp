#include "time/machine/program.h"

#include "base/check.h"
#include "time/machine/block_state.h"
#include "time/machine/op_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockstep::time {
namespace {

// Bank 0 of constants as ptxas 13.0 for sm_90 reads it: extents of block and grid, the stack pointer, the
// descriptor of global memory (which says nothing about addresses), and the parameters.
constexpr u32 kBlockAt = 0x0, kGridAt = 0xc, kStackAt = 0x28, kParametersAt = 0x210;

std::vector<std::byte> constantsOf(const LaunchGeometry& geometry, std::span<const std::byte> parameters) {
    std::vector<std::byte> bank(kParametersAt + parameters.size() + 8);
    const auto put = [&](u32 at, u32 value) { std::memcpy(bank.data() + at, &value, sizeof value); };
    put(kBlockAt, geometry.block.x), put(kBlockAt + 4, geometry.block.y), put(kBlockAt + 8, geometry.block.z);
    put(kGridAt, geometry.grid.x), put(kGridAt + 4, geometry.grid.y), put(kGridAt + 8, geometry.grid.z);
    put(kStackAt, kLocalBytes);
    if (!parameters.empty()) std::memcpy(bank.data() + kParametersAt, parameters.data(), parameters.size());
    return bank;
}

const ExecuteRow* rowOf(sass::Opcode opcode) {
    for (const auto rows :
         {integerRows(), floatRows(), halfRows(), conversionRows(), warpRows(), memoryRows(), flowRows()})
        if (const auto found = std::ranges::find(rows, opcode, &ExecuteRow::opcode); found != rows.end())
            return &*found;
    return nullptr;
}

// The registers that an instruction names, of pairs and wider the last.
u32 highestRegister(const sass::DecodedInstruction& instruction) {
    u32 highest = 0;
    constexpr u32 kWidest = 3;  // of four registers
    for (const sass::Operand& operand : instruction.operands()) {
        if (operand.kind == sass::OperandKind::Register && operand.number != sass::kZeroRegister)
            highest = std::max(highest, operand.number + kWidest);
        if (operand.base != sass::kZeroRegister) highest = std::max(highest, operand.base + 1u);
    }
    return highest;
}

}  // namespace

Expected<Program> makeProgram(const sass::DecodedFunction& function, const LaunchGeometry& geometry,
                              std::span<const std::byte> parameters, ModuleConstants constants) {
    Program program;
    program.name = function.name;
    program.code = function.instructions;
    program.geometry = geometry;
    program.constants = constantsOf(geometry, parameters);
    program.userConstants = std::move(constants.user);
    program.variableAddresses = std::move(constants.variableAddresses);
    program.ops.resize(program.code.size());
    for (std::size_t i = 0; i < program.code.size(); ++i) {
        const sass::DecodedInstruction& instruction = program.code[i];
        Op& op = program.ops[i];
        op.instruction = &instruction;
        op.guard = instruction.guard;
        OpBuilder builder(instruction, program, op);
        const ExecuteRow* const row = rowOf(instruction.row->opcode);
        if (!row || !row->build(builder))
            return fail(
                FaultKind::Unsupported,
                Message(english("the machine instruction {0} at 0x{1} is not executed"),
                        std::string(instruction.row->name), fmt::format("{:x}", instruction.offsetBytes)));
        program.registers = std::max(program.registers, highestRegister(instruction) + 1);
        program.usesLocal |= op.space == MemorySpace::Local;
    }
    if (program.ops.empty() || program.ops.back().flow == Flow::Next)
        return fail(FaultKind::Damaged,
                    Message(english("the machine code of {0} has no end"), function.name));
    return program;
}

const std::vector<std::byte>* Program::bank(u32 number) const {
    switch (number) {
        case 0: return &constants;
        case 3: return &userConstants;
        case 4: return &variableAddresses;
        default: return nullptr;
    }
}

std::vector<std::string_view> opcodesNotExecuted() {
    std::vector<std::string_view> names;
    for (const sass::OpcodeRow& row : sass::opcodes())
        if (!rowOf(row.opcode)) names.push_back(row.name);
    return names;
}

void startWarp(WarpState& warp, const Program& program, BlockState& block, u32 number) {
    warp = {};
    warp.program = &program;
    warp.block = &block;
    warp.number = number;
    const u64 threads = program.geometry.block.count();
    warp.threads =
        LaneMask::firstLanes(u32(std::min<u64>(threads - u64{number} * kWarpSize, kWarpSize))).bits;
    warp.registers.assign(program.registers, Lanes{});
    warp.predicates[sass::kTruePredicate] = ~0u;
    warp.uniformPredicates[sass::kTruePredicate] = ~0u;
    warp.paths.push_back({.mask = warp.threads});
    if (program.usesLocal) warp.local.assign(std::size_t{kLocalBytes} * kWarpSize, std::byte{});
}

void startBlock(BlockState& block, LaunchState& launch, const Program& program, Dim3 at) {
    block.launch = &launch;
    block.at = at;
    block.shared.assign(kSharedBase + program.geometry.sharedBytes, std::byte{});
    block.warps.resize((program.geometry.block.count() + kWarpSize - 1) / kWarpSize);
    for (u32 i = 0; i < block.warps.size(); ++i)
        startWarp(block.warps[i], program, block, i);
}

}  // namespace lockstep::time
