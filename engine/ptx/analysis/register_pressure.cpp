#include "ptx/analysis/register_pressure.h"

#include "ptx/analysis/register_uses.h"
#include "ptx/analysis/shared_layout.h"

#include <algorithm>
#include <vector>

namespace lockstep::ptx {
namespace {

class Liveness {
public:
    Liveness(const Module& module, const Function& function)
        : module_(module),
          function_(function),
          cost_(function.registers.size()),
          writes_(function.registers.size()) {
        for (std::size_t id = 0; id < cost_.size(); ++id) {
            const Type type = function.registers[id].type;
            cost_[id] = type == Type::Pred ? 0 : std::max(1u, bytesOf(type) / 4);
        }
        for (u32 pc = function.first.value; pc < function.end.value; ++pc)
            forEachWritten(module, module.instructions[pc], [&](RegisterId id) { ++writes_[id.value]; });
        for (u32 pc = function.first.value; pc < function.end.value; ++pc)
            forgetWhatIsMadeAgain(pc);
    }

    u32 most() {
        std::vector<std::vector<bool>> liveIn(function_.blocks.size(), std::vector<bool>(cost_.size()));
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t number = liveIn.size(); number-- > 0;) {
                std::vector<bool> live = walk(function_.blocks[number], liveIn);
                changed |= live != liveIn[number];
                liveIn[number] = std::move(live);
            }
        }
        return most_;
    }

private:
    std::span<const Operand> operandsAt(u32 pc) const { return module_.operandsOf(module_.instructions[pc]); }

    void forgetWhatIsMadeAgain(u32 pc) {
        const Instruction& instruction = module_.instructions[pc];
        const std::string_view name = opcodeTable()[instruction.opcode].name;
        const auto operands = operandsAt(pc);
        if (operands.size() < 2) return;
        const bool isConstant = std::holds_alternative<ImmediateOperand>(operands[1]) ||
                                std::holds_alternative<VariableOperand>(operands[1]) ||
                                std::holds_alternative<SpecialOperand>(operands[1]);
        const bool isParameter = name == "ld" && instruction.modifiers.space == StateSpace::Param;
        bool isCopy = false;
        if (name == "cvta" || name == "mov")
            forEachRegister(operands[1], [&](RegisterId id) { isCopy = cost_[id.value] == 0; });
        if ((name == "mov" && isConstant) || isParameter || isCopy)
            forEachRegister(operands[0], [&](RegisterId id) {
                if (writes_[id.value] == 1) cost_[id.value] = 0;
            });
    }

    std::vector<bool> walk(const BasicBlock& block, const std::vector<std::vector<bool>>& liveIn) {
        std::vector<bool> live(cost_.size());
        u32 now = 0;
        const auto set = [&](RegisterId id, bool alive) {
            if (live[id.value] == alive) return;
            live[id.value] = alive;
            now += alive ? cost_[id.value] : 0 - cost_[id.value];
        };
        for (const u32 successor : block.successors)
            for (u32 id = 0; successor < liveIn.size() && id < cost_.size(); ++id)
                if (liveIn[successor][id]) set(RegisterId{id}, true);
        most_ = std::max(most_, now);
        for (u32 pc = block.end.value; pc-- > block.first.value;) {
            const Instruction& instruction = module_.instructions[pc];
            if (instruction.guard.present)
                set(instruction.guard.predicate, true);
            else
                forEachWritten(module_, instruction, [&](RegisterId id) { set(id, false); });
            forEachRead(module_, instruction, [&](RegisterId id) { set(id, true); });
            most_ = std::max(most_, now);
        }
        return live;
    }

    const Module& module_;
    const Function& function_;
    std::vector<u32> cost_,
        writes_;  // by register: 32-bit registers that it takes; instructions that write it
    u32 most_ = 0;
};

}  // namespace

u32 registersLiveAtOnce(const Module& module, const Function& entry) {
    u32 own = 0, called = 0;
    for (const FunctionId id : reachableFunctions(module, entry)) {
        const Function& function = module.functions[id.value];
        const u32 most = Liveness(module, function).most();
        if (&function == &entry)
            own = most;
        else
            called = std::max(called, most);
    }
    return own + called;
}

}  // namespace lockstep::ptx
