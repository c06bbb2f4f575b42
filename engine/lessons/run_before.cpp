#include "lessons/run_before.h"

#include "explain/source/source_line.h"

#include <algorithm>

namespace lockstep::lessons {
namespace {

using trace::FocusBlock, trace::Step, trace::WarpTrace;

u32 firstStepAt(const WarpTrace& warp, Pc pc) {
    return u32(std::ranges::find(warp.steps, pc, &Step::pc) - warp.steps.begin());
}

void cut(WarpTrace& warp, u32 steps) {
    warp.steps.resize(std::min<std::size_t>(warp.steps.size(), steps));
    std::size_t accesses = 0;
    for (const Step& step : warp.steps)
        if (step.access != Step::kNone) accesses = std::max<std::size_t>(accesses, step.access + 1);
    warp.accesses.resize(std::min(warp.accesses.size(), accesses));
    std::erase_if(warp.barrierSteps, [&](u32 step) { return step >= warp.steps.size(); });
}

void cut(trace::Trace& all, const Cursor& place) {
    const FocusBlock* own = all.find(place.launch, place.block);
    const WarpTrace* warp =
        own && place.warp.value < own->warps.size() ? &own->warps[place.warp.value] : nullptr;
    if (!warp || place.step >= warp->steps.size()) return all.blocks.clear();
    const Pc pc = warp->steps[place.step].pc;
    const bool isFirstTime = firstStepAt(*warp, pc) == place.step;
    std::erase_if(all.blocks, [&](const FocusBlock& block) { return block.launch > place.launch; });
    for (FocusBlock& block : all.blocks) {
        if (block.launch != place.launch) continue;
        for (WarpTrace& each : block.warps)
            cut(each, std::max(1u, isFirstTime ? std::min(place.step, firstStepAt(each, pc)) : place.step));
    }
}

// Counts of no instruction, one a launch, as of a run that has not begun.
void clear(std::vector<trace::GridCounts>& counts) {
    for (trace::GridCounts& launch : counts) {
        std::ranges::fill(launch.perPc, trace::PcCounts{});
        launch.sites.clear();
        launch.warpInstructions = launch.threadInstructions = 0;
    }
}

}  // namespace

std::string withoutComments(std::string_view code) {
    constexpr std::string_view kHidden = " …";
    std::string out;
    while (!code.empty()) {
        const std::size_t end = std::min(code.find('\n'), code.size());
        const std::string_view line = code.substr(0, end);
        std::size_t at = line.find("//");
        if (at != std::string_view::npos && std::ranges::count(line.substr(0, at), '"') % 2 != 0)
            at = std::string_view::npos;
        out += line.substr(0, at);
        if (at != std::string_view::npos) out.append("//").append(kHidden);
        if (end < code.size()) out += '\n';
        code.remove_prefix(std::min(code.size(), end + 1));
    }
    return out;
}

Cursor whereLanesPart(const run::Run& run, const Cursor& place) {
    const FocusBlock* block = run.recording.trace.find(place.launch, place.block);
    if (!block || place.warp.value >= block->warps.size()) return place;
    const WarpTrace& warp = block->warps[place.warp.value];
    if (place.step >= warp.steps.size()) return place;
    LaneMask left;  // lanes that still do something
    for (std::size_t step = place.step; step < warp.steps.size(); ++step)
        left = left | warp.steps[step].active;
    const ptx::Module& module = *run.module;
    const auto lineAt = [&](u32 step) { return explain::lineOf(module, warp.steps[step].pc); };
    u32 step = place.step;
    for (; step > 0 && warp.steps[step].active != left; --step)
        left = left | warp.steps[step - 1].active;
    if (step == place.step || warp.steps[step].active != left) return place;
    Cursor parting = place;
    // That step has them all; what comes behind it, and the line that decides about it, has not.
    parting.step = step + 1;
    while (parting.step > 0 && lineAt(parting.step - 1) == lineAt(parting.step))
        --parting.step;
    return parting;
}

std::shared_ptr<const run::Run> runBefore(const run::Run& run, const Cursor& place) {
    const auto before = std::make_shared<run::Run>();
    const auto module = std::make_shared<ptx::Module>(*run.module);
    for (std::string& source : module->sources)
        source = withoutComments(source);
    before->module = module;
    before->profile = run.profile;
    before->catalog = run.catalog;
    before->source = run.source;
    before->traceSource = run.traceSource;
    before->recording = run.recording;
    trace::Recording& recording = before->recording;
    cut(recording.trace, place);
    clear(recording.counts);
    recording.findings.clear();
    recording.final = recording.initial;
    recording.check.reset();
    recording.complete = false;
    before->report = model::makeReport(*before->module, recording, before->profile);
    return before;
}

}  // namespace lockstep::lessons
