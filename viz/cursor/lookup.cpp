// Looks things up in a run.
#include "viz/cursor/lookup.h"

#include "model/sentences/words.h"
#include "model/source_line.h"
#include "viz/scene/punctuation.h"

#include <algorithm>

namespace lockstep::viz {

CursorContext lookUp(const run::Run& run, const Cursor& cursor) {
    CursorContext here;
    here.block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!here.block || cursor.warp.value >= here.block->warps.size()) return here;
    here.warp = &here.block->warps[cursor.warp.value];
    if (cursor.step >= here.warp->steps.size()) return here;
    here.step = &here.warp->steps[cursor.step];
    if (here.step->access != trace::Step::kNone) here.access = &here.warp->accesses[here.step->access];
    return here;
}

const trace::StoredAccess* accessOf(const trace::WarpTrace& warp, u32 step) {
    const u32 at = warp.steps[step].access;
    return at == trace::Step::kNone ? nullptr : &warp.accesses[at];
}

const trace::StoredAccess* copiedTo(const trace::WarpTrace& warp, u32 step) {
    const trace::StoredAccess* from = accessOf(warp, step);
    if (!from || from->kind != trace::AccessKind::AsyncCopy || from->space != trace::Space::Global)
        return nullptr;
    const std::size_t next = std::size_t{warp.steps[step].access} + 1;  // it follows the first
    return next < warp.accesses.size() && warp.accesses[next].pc == from->pc &&
                   warp.accesses[next].space == trace::Space::Shared
               ? &warp.accesses[next]
               : nullptr;
}

u32 stepsOfWarp(const run::Run& run, const Cursor& cursor) {
    const CursorContext here = lookUp(run, cursor);
    return here.warp ? u32(here.warp->steps.size()) : 0;
}

const Launch& launchOf(const run::Run& run, LaunchId launch) {
    static const Launch kNone{};
    return launch.value < run.recording.launches.size() ? run.recording.launches[launch.value] : kNone;
}

u32 lanesOf(const trace::FocusBlock& block, Warp warp) {
    const u32 first = warp.value * kWarpSize;
    return block.threads > first ? std::min(kWarpSize, block.threads - first) : 0;
}

Dim3 threadOf(const Launch& launch, Warp warp, Lane lane) {
    return coordinatesOf(u64{warp.value} * kWarpSize + lane.value, launch.block);
}

namespace {

// What the line table says of this very instruction, in the innermost file whose text is known.
SourceLine ownLineOf(const ptx::Module& module, Pc pc) {
    const auto known = [&](const ptx::Location& l) {
        return l.file < module.sources.size() && !module.sources[l.file].empty();
    };
    const ptx::Location& innermost = module.locationOf(pc);
    const ptx::Location* location = &innermost;
    while (!known(*location) && location->inlinedAt != 0)
        location = &module.locations[location->inlinedAt];
    if (!known(*location)) location = &innermost;
    return {location->file, location->line};
}

}  // namespace

SourceLine lineOf(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return {};
    const SourceLine own = ownLineOf(module, pc);
    if (own.line != 0) return own;
    return ownLineOf(module, model::nearestInstructionWithLine(
                                 pc, module, [&](Pc at) { return ownLineOf(module, at).line != 0; }));
}

std::string lineOrSide(std::string_view line, bool writes, bool fits) {
    constexpr std::string_view kAssigns = " = ";
    std::size_t at = fits ? std::string_view::npos : line.find(kAssigns);
    std::size_t size = kAssigns.size();
    for (const std::string_view compound : {" += ", " -= ", " *= "})
        if (const std::size_t found = fits ? std::string_view::npos : line.find(compound); found < at)
            at = found, size = compound.size();
    if (at == std::string_view::npos) return std::string(line);
    return writes ? std::string(line.substr(0, at + size)) + "…" : "…" + std::string(line.substr(at));
}

std::string_view textOfLine(const ptx::Module& module, SourceLine line) {
    if (line.line == 0 || line.file >= module.sources.size()) return {};
    std::string_view text = module.sources[line.file];
    for (u32 n = 1; n < line.line; ++n) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::string_view fileName(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

std::string coordinates(Dim3 at, Dim3 extents) { return model::coordinates(at, extents); }

std::string shortCoordinates(Dim3 at, Dim3 extents) { return model::shortCoordinates(at, extents); }

std::vector<AccessAt> accessesOfLine(const run::Run& run, const trace::FocusBlock& block, SourceLine line,
                                     trace::Space space) {
    std::vector<AccessAt> found;
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const trace::WarpTrace& warp = block.warps[w];
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            if (warp.steps[s].access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
            if (access.space == space && lineOf(*run.module, access.pc) == line)
                found.push_back({Warp{w}, s, &access});
        }
    }
    return found;
}

std::string lanesText(LaneMask lanes, Language language) {
    const std::string comma = listComma(language);
    std::string text;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        if (!lanes.has(Lane{lane})) continue;
        u32 last = lane;
        while (last + 1 < kWarpSize && lanes.has(Lane{last + 1}))
            ++last;
        text += (text.empty() ? "" : comma) + std::to_string(lane) +
                (last > lane ? (last > lane + 1 ? "–" : comma) + std::to_string(last) : "");
        lane = last;
    }
    return text;
}

ptx::Type elementType(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return ptx::Type::None;
    return module.at(pc).types[0];
}

}  // namespace lockstep::viz
