// Gathers the lines of each tab and their costs.
#include "viz/views/source_page.h"

#include "model/branches/arriving_lanes.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

void note(SourcePage& page, u32 line, Pc pc) {
    if (line >= 1 && line <= page.firstPc.size() && !page.firstPc[line - 1]) page.firstPc[line - 1] = pc;
}

// The instruction at the cursor, and those that the machine makes together with it.
std::vector<Pc> madeTogether(const ViewInput& in, const CursorContext& here) {
    if (!here.step) return {};
    for (const model::SiteReport& site : in.run.report.sites)
        if (site.launch == in.cursor.launch && site.pc == here.step->pc && site.merged)
            return site.merged->members;
    return {here.step->pc};
}

}  // namespace

SourcePage cudaPage(const ViewInput& in, u32 file, const explain::SourceLine& current) {
    const ptx::Module& module = *in.run.module;
    SourcePage page;
    page.lines =
        linesOf(file < module.sources.size() ? std::string_view(module.sources[file]) : std::string_view());
    page.costs.resize(page.lines.size());
    page.firstPc.resize(page.lines.size());
    for (const model::LineReport& line : in.run.report.lines)
        if (line.line >= 1 && line.line <= page.lines.size() && file < module.files.size() &&
            line.file == module.files[file])
            page.costs[line.line - 1] = {line.executions, line.activeLanes, line.sectors, line.wavefronts,
                                         line.divergent};
    for (u32 pc = 0; pc < module.instructions.size(); ++pc)
        if (const explain::SourceLine at = explain::lineOf(module, Pc{pc}); at.file == file)
            note(page, at.line, Pc{pc});
    page.current = current.file == file ? current.line : 0;
    return page;
}

SourcePage ptxPage(const ViewInput& in, const CursorContext& here) {
    const ptx::Module& module = *in.run.module;
    SourcePage page;
    page.lines = linesOf(module.text());
    page.costs.resize(page.lines.size());
    page.firstPc.resize(page.lines.size());
    const auto costOf = [&](u32 line) -> LineCost* {
        return line >= 1 && line <= page.costs.size() ? &page.costs[line - 1] : nullptr;
    };
    for (const trace::GridCounts& counts : in.run.recording.counts) {
        const std::vector<u64> came = model::arrivingLanes(module, counts.perPc);
        for (u32 pc = 0; pc < counts.perPc.size() && pc < module.instructions.size(); ++pc)
            if (LineCost* cost = costOf(module.instructions[pc].line)) {
                cost->executions += counts.perPc[pc].executions;
                cost->lanes += model::lanesAtWork(module, counts.perPc, came, Pc{pc});
                cost->divergent += counts.perPc[pc].divergent;
            }
    }
    for (const model::SiteReport& site : in.run.report.sites)
        if (site.pc.value < module.instructions.size())
            if (LineCost* cost = costOf(module.at(site.pc).line))
                cost->sectors += site.sectors, cost->wavefronts += site.wavefronts;
    for (u32 pc = 0; pc < module.instructions.size(); ++pc)
        note(page, module.instructions[pc].line, Pc{pc});
    if (here.step) page.current = module.at(here.step->pc).line;
    return page;
}

SourcePage machinePage(const ViewInput& in, const CursorContext& here, const explain::SourceLine& current) {
    const ptx::Module& module = *in.run.module;
    const std::vector<Pc> atCursor = madeTogether(in, here);
    SourcePage page;
    page.machine = machineLines(in.run, in.cursor.launch);
    for (const run::MachineLine& line : page.machine) {
        const Pc pc = line.instruction ? line.instruction->pc : kNoPc;
        const bool known = pc.value < module.instructions.size();
        page.lines.push_back(line.text);
        page.costs.push_back({.sectors = line.sectors, .wavefronts = line.wavefronts});
        page.firstPc.push_back(known ? std::optional(pc) : std::nullopt);
        page.lit.push_back(known && current.line && explain::lineOf(module, pc) == current);
        if (page.current == 0 && known && std::ranges::find(atCursor, pc) != atCursor.end())
            page.current = u32(page.lines.size());
    }
    if (const auto first = std::ranges::find(page.lit, true); first != page.lit.end())
        page.centre = u32(first - page.lit.begin()) + 1;
    return page;
}

}  // namespace lockstep::viz
