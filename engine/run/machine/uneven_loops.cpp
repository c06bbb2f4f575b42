#include "run/machine/uneven_loops.h"

#include "model/source_line.h"
#include "ptx/opcodes.h"
#include "run/machine/machine_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::run {
namespace {

std::string_view opcodeAt(const ptx::Module& module, Pc pc) {
    return ptx::opcodeTable()[module.at(pc).opcode].name;
}

bool isGlobalAccess(const ptx::Module& module, Pc pc) {
    const std::string_view opcode = opcodeAt(module, pc);
    return (opcode == "ld" || opcode == "st") && module.at(pc).modifiers.space == ptx::StateSpace::Global;
}

// Machine instructions that access global memory, by the PTX pc they came from.
std::vector<u32> machineAccesses(const sass::MachineCode& code, std::size_t pcs) {
    std::vector<u32> accesses(pcs);
    for (const sass::Function& function : code.functions)
        for (const sass::Instruction& instruction : function.instructions)
            if (instruction.pc.value < pcs &&
                (instruction.opcode.starts_with("LDG") || instruction.opcode.starts_with("STG")))
                ++accesses[instruction.pc.value];
    return accesses;
}

}  // namespace

std::vector<bool> inUnevenLoops(const Run& run) {
    const ptx::Module& module = *run.module;
    std::vector<bool> within(module.instructions.size());
    for (const trace::GridCounts& counts : run.recording.counts)
        for (u32 pc = 0; pc < counts.perPc.size() && pc < within.size(); ++pc) {
            if (counts.perPc[pc].divergent == 0 || opcodeAt(module, Pc{pc}) != "bra") continue;
            const auto* label = std::get_if<ptx::LabelOperand>(&module.operandsOf(module.at(Pc{pc}))[0]);
            if (!label || label->target.value > pc) continue;
            std::fill(within.begin() + label->target.value, within.begin() + pc, true);
        }
    return within;
}

std::optional<Fault> noteOnUnevenLoops(const Run& run) {
    if (!hasMachineCode(run) || !run.module) return std::nullopt;
    const ptx::Module& module = *run.module;
    const std::vector<bool> within = inUnevenLoops(run);
    const std::vector<u32> accesses = machineAccesses(*run.machine->code, within.size());
    std::set<u32> lines;
    u32 written = 0, made = 0;
    for (u32 pc = 0; pc < within.size(); ++pc) {
        if (!within[pc] || !isGlobalAccess(module, Pc{pc}) || accesses[pc] < 2) continue;
        ++written, made += accesses[pc];
        if (const u32 line = model::sourceLineOf(Pc{pc}, module).line) lines.insert(line);
    }
    if (written == 0) return std::nullopt;
    std::vector<std::string> numbers;
    for (const u32 line : lines)
        numbers.push_back(std::to_string(line));
    const Message what(english("machine code has {0} accesses to global memory for {1} of the PTX, in a loop "
                               "that lanes leave at "
                               "different turns: ptxas has unrolled it, each copy is a request of its own, "
                               "and a profiler counts "
                               "more requests than are given here"),
                       made, written);
    const std::string places = fmt::format("{}", fmt::join(numbers, ", "));
    return fail(FaultKind::Gpu, lines.empty()       ? what
                                : lines.size() == 1 ? Message(english("line {0}: {1}"), places, what)
                                                    : Message(english("lines {0}: {1}"), places, what))
        .value();
}

}  // namespace lockstep::run
