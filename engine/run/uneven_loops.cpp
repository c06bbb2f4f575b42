#include "run/uneven_loops.h"

#include "model/source_line.h"
#include "ptx/opcodes.h"
#include "run/machine_run.h"

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

// Machine instructions that access global memory, by the pc that they came from.
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
    std::string places;
    for (u32 line : lines)
        places += fmt::format("{}{}", places.empty() ? "" : ", ", line);
    Fault note;
    note.kind = FaultKind::Gpu;
    note.message = fmt::format(
        "{}machine code has {} accesses to global memory for {} of the PTX, in a loop that lanes leave at "
        "different turns: ptxas has unrolled it, each copy is a request "
        "of its own, and a profiler counts more requests than are given here",
        places.empty() ? "" : fmt::format("{} {}: ", lines.size() == 1 ? "line" : "lines", places), made,
        written);
    note.chinese = fmt::format(
        "{}PTX 的 {} 条全局内存读写在机器码里有 {} 条，且位于各通道循环次数不同的循环中：ptxas "
        "展开了这个循环，每个副本各是一次请求，因此性能分析器计得的请求数多于此处给出的数",
        places.empty() ? "" : fmt::format("第 {} 行：", places), written, made);
    return note;
}

}  // namespace lockstep::run
