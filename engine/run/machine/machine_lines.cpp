#include "run/machine/machine_lines.h"

#include "sass/memory_opcode.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace lockstep::run {
namespace {

void append(std::vector<MachineLine>& lines, const sass::Function& function) {
    lines.push_back({.instruction = nullptr, .text = function.name + ":"});
    for (const sass::Instruction& instruction : function.instructions) {
        std::string text = "  ";
        if (!instruction.guard.empty()) text += instruction.guard + " ";
        text += instruction.opcode;
        if (!instruction.operands.empty()) text += " " + instruction.operands;
        lines.push_back({.instruction = &instruction, .text = std::move(text)});
    }
}

bool reaches(sass::Memory memory, trace::Space space) {
    return memory == sass::Memory::Generic ||
           (memory == sass::Memory::Shared && space == trace::Space::Shared) ||
           (memory == sass::Memory::Global && space == trace::Space::Global);
}

// What an access costs stands where the machine makes it, if that is one place.
void addCosts(std::vector<MachineLine>& lines, const Run& run, LaunchId launch) {
    std::multimap<Pc, MachineLine*> accesses;
    for (MachineLine& line : lines)
        if (line.instruction && line.instruction->pc != kNoPc && sass::memoryOpcode(line.instruction->opcode))
            accesses.emplace(line.instruction->pc, &line);
    for (const model::SiteReport& site : run.report.sites) {
        if (site.launch != launch || site.machineExecutions() == 0) continue;
        std::vector<MachineLine*> made;
        const auto look = [&](Pc pc) {
            for (auto [at, end] = accesses.equal_range(pc); at != end; ++at)
                if (reaches(sass::memoryOpcode(at->second->instruction->opcode)->memory, site.space))
                    made.push_back(at->second);
        };
        if (site.merged)
            std::ranges::for_each(site.merged->members, look);
        else
            look(site.pc);
        if (made.size() == 1)
            made.front()->sectors += site.sectors, made.front()->wavefronts += site.machineWavefronts();
    }
}

}  // namespace

std::vector<MachineLine> machineLines(const Run& run, LaunchId launch) {
    if (!hasMachineCode(run) || launch.value >= run.recording.launches.size()) return {};
    const sass::MachineCode& code = *run.machine->code;
    const std::string& entry = run.recording.launches[launch.value].entry;
    const sass::Function* kernel = code.find(entry);
    if (!kernel) return {};
    std::vector<MachineLine> lines;
    append(lines, *kernel);
    for (const sass::Function& function : code.functions)
        if (!run.module->findEntry(function.name)) append(lines, function);
    addCosts(lines, run, launch);
    return lines;
}

}  // namespace lockstep::run
