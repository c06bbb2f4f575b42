#include "viz/access/line_registers.h"

#include "viz/view_options.h"

#include <algorithm>

namespace lockstep::viz {

CodePlace placeAtCursor(const run::Run& run, const CursorContext& here, SourceTab tab) {
    const ptx::Module& module = *run.module;
    const Pc pc = here.step->pc;
    const explain::SourceLine line = explain::lineOf(module, pc);
    const bool hasSource =
        line.line && line.file < module.sources.size() && !module.sources[line.file].empty();
    if (tab == SourceTab::Machine) return {.tab = tab, .machine = pc};
    if (tab == SourceTab::Cuda && hasSource) return {.tab = tab, .file = line.file, .line = line.line};
    return {.tab = SourceTab::Ptx, .line = module.at(pc).line};
}

std::vector<Pc> instructionsAt(const run::Run& run, const CodePlace& place) {
    const ptx::Module& module = *run.module;
    std::vector<Pc> instructions;
    for (u32 pc = 0; pc < module.instructions.size(); ++pc) {
        const bool isThere = place.tab == SourceTab::Machine ? Pc{pc} == place.machine
                             : place.tab == SourceTab::Cuda  ? explain::lineOf(module, Pc{pc}) ==
                                                                  explain::SourceLine{place.file, place.line}
                                                            : module.at(Pc{pc}).line == place.line;
        if (isThere) instructions.push_back(Pc{pc});
    }
    return instructions;
}

ptx::FunctionId functionOfLine(const run::Run& run, const Cursor& cursor, std::span<const Pc> instructions) {
    const CursorContext here = lookUp(run, cursor);
    const bool isAtCursor = here.step && std::ranges::find(instructions, here.step->pc) != instructions.end();
    return run.module->functionOf(isAtCursor ? here.step->pc : instructions.front());
}

namespace {

// A function has registers from its call to its return.
Unexpected notUnderWay(const run::Run& run, ptx::FunctionId function) {
    const std::string name = ptx::shortName(run.module->functions[function.value].name);
    return fail(FaultKind::NotFound,
                Message(english("after this step no lane of the warp is in the function {0}"), name));
}

}  // namespace

Expected<std::vector<explain::LaneRegister>> registersOfLine(const run::Run& run, const Cursor& cursor,
                                                             std::span<const Pc> instructions,
                                                             RegisterCache& cache) {
    const CursorContext here = lookUp(run, cursor);
    if (!here.step || instructions.empty()) return std::vector<explain::LaneRegister>{};
    if (!cache.of || !cache.of->isOf(run, cursor)) {
        Expected<std::unique_ptr<explain::WarpRegisters>> found = explain::WarpRegisters::of(run, cursor);
        if (!found) return Unexpected{found.error()};
        cache.of = std::move(*found);
    }
    const Pc pc = here.step->pc;
    const u32 done = cursor.step + 1;
    const bool isAtCursor = std::ranges::find(instructions, pc) != instructions.end();
    const ptx::FunctionId function = functionOfLine(run, cursor, instructions);
    if (!cache.of->isKernel(function) && cache.of->lanesIn(function, done).empty())
        return notUnderWay(run, function);
    std::vector<explain::LaneRegister> registers;
    if (isAtCursor) registers = cache.of->named(function, {&pc, 1}, done);
    for (explain::LaneRegister& r : cache.of->named(function, instructions, done))
        if (std::ranges::find(registers, r.name, &explain::LaneRegister::name) == registers.end())
            registers.push_back(std::move(r));
    return registers;
}

}  // namespace lockstep::viz
