#include "model/branches/branches.h"

#include "model/branches/arriving_lanes.h"
#include "model/source_line.h"
#include "ptx/analysis/control_flow.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <cmath>

namespace lockstep::model {
namespace {

using ptx::BasicBlock;
using ptx::Function;
using ptx::Instruction;
using ptx::Module;
using ptx::OpcodeClass;

std::string_view opcodeOf(const Instruction& instruction) {
    return ptx::opcodeTable()[instruction.opcode].name;
}

bool isConditionalBranch(const Instruction& instruction) {
    return instruction.guard.present && opcodeOf(instruction) == "bra";
}

bool leaves(const Instruction& instruction) {
    return opcodeOf(instruction) == "ret" || opcodeOf(instruction) == "exit";
}

// Calls, barriers and atomics keep the jump; full-precision division and square root have branches of their
// own.
bool canBePredicated(const Instruction& instruction) {
    const OpcodeClass opcodeClass = ptx::opcodeTable()[instruction.opcode].opcodeClass;
    const std::string_view opcode = opcodeOf(instruction);
    return opcodeClass != OpcodeClass::Barrier && opcodeClass != OpcodeClass::Atomic && opcode != "call" &&
           opcode != "div" && opcode != "rem" && opcode != "sqrt";
}

// Target of a block that only jumps on: `@%p bra A; bra.uni B; A: ...` is equivalent to `@!%p bra B; ...`.
u32 beyondJumps(const Module& module, const Function& function, u32 block) {
    for (std::size_t jumps = 0; jumps < function.blocks.size() && block < function.blocks.size(); ++jumps) {
        const BasicBlock& b = function.blocks[block];
        const bool onlyJumps = b.end.value == b.first.value + 1 && opcodeOf(module.at(b.first)) == "bra" &&
                               !module.at(b.first).guard.present;
        if (!onlyJumps || b.successors.size() != 1) break;
        block = b.successors[0];
    }
    return block;
}

// One side of a branch: a block that only the branch leads to, and that leads only to the reconvergence
// point.
bool isSide(const Module& module, const Function& function, u32 side, u32 meeting) {
    if (side >= function.blocks.size() || ptx::waysTo(function, side) != 1) return false;
    const std::vector<u32>& successors = function.blocks[side].successors;
    return successors.size() == 1 && beyondJumps(module, function, successors[0]) == meeting;
}

// Nothing is left to do there but exit.
bool onlyLeaves(const Module& module, const Function& function, u32 block) {
    if (block >= function.blocks.size()) return false;
    const BasicBlock& b = function.blocks[block];
    return b.end.value == b.first.value + 1 && leaves(module.at(b.first));
}

// Number of instructions of the side, without its jump to the reconvergence point. Measured in machine code
// (ptxas 13.0 for cc 9.0): of sides of up to 10 all but 1.5 % are predicated, of 8 to 10 instructions 30 of
// 33; of 11 and 12 two in three, of longer ones few.
constexpr u32 kLongestPredicatedSide = 10;

bool isShort(const Module& module, const BasicBlock& side) {
    u32 length = 0;
    for (u32 pc = side.first.value; pc < side.end.value; ++pc) {
        const Instruction& instruction = module.at(Pc{pc});
        if (opcodeOf(instruction) == "bra") continue;
        if (!canBePredicated(instruction) || leaves(instruction)) return false;
        ++length;
    }
    return length <= kLongestPredicatedSide;
}

// By block of the function: reached from the branch before reconvergence.
std::vector<bool> blocksBetween(const Function& function, const BasicBlock& branch) {
    std::vector<bool> between(function.blocks.size());
    std::vector<u32> open(branch.successors.begin(), branch.successors.end());
    while (!open.empty()) {
        const u32 block = open.back();
        open.pop_back();
        if (block >= between.size() || block == branch.immediatePostDominator || between[block]) continue;
        between[block] = true;
        open.insert(open.end(), function.blocks[block].successors.begin(),
                    function.blocks[block].successors.end());
    }
    return between;
}

u64 lanesLost(const Function& function, const BasicBlock& branch, Pc at,
              const std::vector<trace::PcCounts>& perPc, const std::vector<u64>& came) {
    const std::vector<bool> between = blocksBetween(function, branch);
    const f64 lanes = f64(came[at.value]) / f64(perPc[at.value].executions);
    f64 lost = 0;
    for (std::size_t block = 0; block < between.size(); ++block)
        for (u32 pc = function.blocks[block].first.value;
             between[block] && pc < function.blocks[block].end.value; ++pc)
            lost += std::max(0.0, lanes * f64(perPc[pc].executions) - f64(came[pc]));
    return u64(std::llround(lost));
}

}  // namespace

std::string_view nameOf(BranchForm form) {
    switch (form) {
        case BranchForm::Branch: return "branch";
        case BranchForm::Predication: return "predication";
        case BranchForm::Exit: return "exit";
    }
    return "branch";
}

BranchForm branchForm(const Module& module, Pc pc) {
    const Function& function = module.functions[module.functionOf(pc).value];
    const BasicBlock& block = function.blocks[function.blockOf(pc)];
    if (block.successors.size() != 2) return BranchForm::Branch;
    const u32 taken = beyondJumps(module, function, block.successors[0]),
              next = beyondJumps(module, function, block.successors[1]);
    if (std::min(taken, next) <= function.blockOf(pc))
        return BranchForm::Branch;  // back to the start of a loop
    for (const auto& [side, meeting] : {std::pair(next, taken), std::pair(taken, next)}) {
        if (!isSide(module, function, side, meeting)) continue;
        if (function.isEntry && onlyLeaves(module, function, meeting)) return BranchForm::Exit;
        if (isShort(module, function.blocks[side])) return BranchForm::Predication;
    }
    return function.isEntry && onlyLeaves(module, function, taken) ? BranchForm::Exit : BranchForm::Branch;
}

std::vector<BranchReport> branchesOf(const Module& module, const trace::Recording& recording) {
    std::vector<BranchReport> reports;
    for (u32 launch = 0; launch < recording.counts.size(); ++launch) {
        const std::vector<trace::PcCounts>& perPc = recording.counts[launch].perPc;
        if (perPc.size() < module.instructions.size()) continue;
        const std::vector<u64> came = arrivingLanes(module, perPc);
        for (u32 pc = 0; pc < module.instructions.size(); ++pc) {
            const trace::PcCounts& at = perPc[pc];
            if (at.executions == 0 || !isConditionalBranch(module.instructions[pc])) continue;
            const Function& function = module.functions[module.functionOf(Pc{pc}).value];
            const BasicBlock& block = function.blocks[function.blockOf(Pc{pc})];
            const SourceLine source = sourceLineOf(Pc{pc}, module);
            reports.push_back(
                {.launch = LaunchId{launch},
                 .pc = Pc{pc},
                 .text = std::string(module.textOf(Pc{pc})),
                 .file = source.line ? module.files[source.file] : std::string(),
                 .line = source.line,
                 .executions = at.executions,
                 .activeLanes = came[pc],
                 .divergent = at.divergent,
                 .lanesLost = at.divergent ? lanesLost(function, block, Pc{pc}, perPc, came) : 0,
                 .form = branchForm(module, Pc{pc})});
        }
    }
    return reports;
}

}  // namespace lockstep::model
