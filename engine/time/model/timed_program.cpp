#include "time/model/timed_program.h"

#include <algorithm>

namespace lockstep::time {

using sass::OperandKind;

namespace {

bool readsThreadIndex(const sass::DecodedInstruction& instruction) {
    return std::ranges::any_of(instruction.operands(), [](const sass::Operand& operand) {
        return operand.kind == OperandKind::SpecialRegister &&
               (operand.special == sass::SpecialRegisterName::TidX ||
                operand.special == sass::SpecialRegisterName::TidY ||
                operand.special == sass::SpecialRegisterName::TidZ);
    });
}

}  // namespace

u32 firstConstantLine(const Program& program, u32 bank) {
    u32 line = 0;
    for (u32 before = 0; before < bank; ++before)
        if (const std::vector<std::byte>* const bytes = program.bank(before))
            line += u32(bytes->size() / kConstantLineBytes) + 1;
    return line;
}

std::vector<TimedOp> timedOps(const Program& program, const TimeProfile& times) {
    std::vector<TimedOp> all;
    all.reserve(program.code.size());
    for (const sass::DecodedInstruction& instruction : program.code) {
        const sass::ClassRow& row = sass::info(instruction.row->timing);
        TimedOp op{.timing = row.of, .pipe = row.pipe, .control = instruction.control};
        // The thread's place in its block comes by way of the memory pipe (ncu counts it there).
        if (instruction.row->opcode == sass::Opcode::S2r && readsThreadIndex(instruction))
            op.pipe = sass::Pipe::Lsu;
        op.latencyCycles = times.of(row.of).latencyCycles;
        op.intervalCycles = times.of(row.of).intervalCycles;
        op.codeLine = instruction.offsetBytes / kCodeLineBytes;
        op.usesBanks =
            row.pipe == sass::Pipe::Fma || row.pipe == sass::Pipe::FmaHeavy || row.pipe == sass::Pipe::Alu;
        const bool isLoad = row.of == sass::InstructionClass::Constant;
        std::size_t slot = 0;
        bool isFirst = true;  // the destination
        for (const sass::Operand& operand : instruction.operands()) {
            if (operand.kind == OperandKind::Constant && operand.base == sass::kZeroRegister &&
                operand.uniformBase == sass::kZeroUniformRegister) {
                op.constantLine =
                    s32(firstConstantLine(program, operand.number) + operand.value / kConstantLineBytes);
                op.isConstantOperand = !isLoad;
            }
            const bool isRegister = operand.kind == OperandKind::Register;
            if (isRegister && isFirst) {
                isFirst = false;
                continue;
            }
            const bool isSource = isRegister || operand.kind == OperandKind::UniformRegister ||
                                  operand.kind == OperandKind::Immediate ||
                                  operand.kind == OperandKind::Constant;
            if (!isSource || slot >= op.reads.size()) continue;
            if (isRegister) op.reads[slot] = operand.number;
            ++slot;
        }
        if (instruction.row->opcode == sass::Opcode::DepBar && instruction.operandCount &&
            instruction.operands()[0].kind == OperandKind::Counter) {
            op.control.waitMask |= u8(1u << instruction.operands()[0].number);
            if (instruction.operandCount > 1 && instruction.operands()[1].kind == OperandKind::Immediate)
                op.groupsLeft = u8(std::min<u64>(instruction.operands()[1].value, 255));
        }
        all.push_back(op);
    }
    return all;
}

}  // namespace lockstep::time
