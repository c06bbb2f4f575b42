#include "explain/cursor/same_place.h"

#include "base/text/lines.h"
#include "explain/cursor/lookup.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using trace::WarpTrace;

bool isBefore(SourceLine a, SourceLine b) { return a.file != b.file ? a.file < b.file : a.line < b.line; }

// Of all instructions, each once, in their order; `lines`: by pc.
std::vector<SourceLine> distinct(std::vector<SourceLine> lines) {
    std::ranges::sort(lines, isBefore);
    lines.erase(std::ranges::unique(lines).begin(), lines.end());
    return lines;
}

std::vector<SourceLine> linesOf(const ptx::Module& module) {
    std::vector<SourceLine> lines(module.instructions.size());
    for (u32 pc = 0; pc < lines.size(); ++pc)
        lines[pc] = lineOf(module, Pc{pc});
    return lines;
}

// Those that read as `text` does, of a module's lines.
std::vector<SourceLine> reading(const ptx::Module& module, const std::vector<SourceLine>& lines,
                                std::string_view text) {
    std::vector<std::vector<std::string_view>> texts(module.sources.size());  // by file, then line
    for (std::size_t file = 0; file < texts.size(); ++file) {
        const std::string_view source = module.sources[file];
        for (std::size_t begin = 0; begin < source.size();) {
            const std::size_t end = std::min(source.find('\n', begin), source.size());
            const std::size_t first = std::min(source.find_first_not_of(" \t", begin), end);
            texts[file].push_back(source.substr(first, end - first));
            begin = end + 1;
        }
    }
    std::vector<SourceLine> found;
    for (const SourceLine line : distinct(lines))
        if (line.file < texts.size() && line.line > 0 && line.line <= texts[line.file].size() &&
            texts[line.file][line.line - 1] == text)
            found.push_back(line);
    return found;
}

// The line of another module that reads as this one does; of several the one at the same place among them.
std::optional<SourceLine> sameLine(const ptx::Module& from, const std::vector<SourceLine>& lines,
                                   SourceLine line, const ptx::Module& to,
                                   const std::vector<SourceLine>& others) {
    const std::string_view text = textOfLine(from, line);
    if (text.empty()) return line;
    const std::vector<SourceLine> before = reading(from, lines, text), now = reading(to, others, text);
    const auto number = std::size_t(std::ranges::find(before, line) - before.begin());
    return number < now.size() ? std::optional(now[number]) : std::nullopt;
}

// The line that took the place of one that is gone from an edited file, between what begins and what ends
// both texts alike. None: another file, or nothing was edited there.
std::optional<SourceLine> editedLine(const ptx::Module& from, SourceLine line, const ptx::Module& to) {
    const auto isKnown = [](const ptx::Module& module, u32 file) {
        return file < module.files.size() && file < module.sources.size() && !module.sources[file].empty();
    };
    const auto same = std::ranges::find(to.files, isKnown(from, line.file) ? from.files[line.file] : "");
    const u32 file = u32(same - to.files.begin());
    if (!isKnown(from, line.file) || !isKnown(to, file) || line.line == 0) return std::nullopt;
    const std::vector<std::string_view> before = lockstep::linesOf(from.sources[line.file]),
                                        now = lockstep::linesOf(to.sources[file]);
    const std::size_t most = std::min(before.size(), now.size());
    const auto begin = std::size_t(
        std::mismatch(before.begin(), before.begin() + s64(most), now.begin()).first - before.begin());
    std::size_t end = 0;
    while (end < most - begin && before[before.size() - 1 - end] == now[now.size() - 1 - end])
        ++end;
    const u32 first = u32(begin) + 1, last = u32(now.size() - end);
    if (line.line < first || line.line > before.size() - end) return std::nullopt;
    return SourceLine{file, std::clamp(line.line, first, std::max(first, last))};
}

bool doesTheSame(const Recorded& a, const WarpTrace& warpA, u32 stepA, const Recorded& b,
                 const WarpTrace& warpB, u32 stepB) {
    const trace::StoredAccess *accessA = accessOf(warpA, stepA), *accessB = accessOf(warpB, stepB);
    if (accessA || accessB)
        return accessA && accessB && accessA->space == accessB->space && accessA->kind == accessB->kind;
    return a.module->at(warpA.steps[stepA].pc).opcode == b.module->at(warpB.steps[stepB].pc).opcode;
}

// The lane that takes part in the step, if the one at the cursor did and does no longer.
Lane laneAt(const CursorContext& before, Lane lane, const CursorContext& now) {
    const auto taking = [](const CursorContext& at) {
        return at.access ? at.access->active : at.step->active;
    };
    const LaneMask active = taking(now);
    return !active.empty() && taking(before).has(lane) && !active.has(lane) ? active.lowest() : lane;
}

}  // namespace

std::optional<Cursor> samePlace(const Recorded& from, const Cursor& cursor, const Recorded& to) {
    const CursorContext before = lookUp(from, cursor);
    const trace::FocusBlock* block = to.recording.trace.find(cursor.launch, cursor.block);
    if (!before.step || !from.module || !to.module || !block || cursor.warp.value >= block->warps.size())
        return std::nullopt;
    if (before.step->pc.value >= from.module->instructions.size()) return std::nullopt;
    const std::vector<SourceLine> lines = linesOf(*from.module), others = linesOf(*to.module);
    const SourceLine line = lines[before.step->pc.value];
    std::optional<SourceLine> same = sameLine(*from.module, lines, line, *to.module, others);
    const bool isEdited = !same;
    if (isEdited) same = editedLine(*from.module, line, *to.module);
    if (!same) return std::nullopt;
    // Without source, an instruction is a line.
    const auto isThere = [&](const std::vector<SourceLine>& of, SourceLine wanted, const trace::Step& step) {
        return step.pc.value < of.size() && of[step.pc.value] == wanted &&
               (wanted.line != 0 || step.pc == before.step->pc);
    };

    u32 time = 0;
    for (u32 s = 0; s <= cursor.step; ++s)
        if (isThere(lines, line, before.warp->steps[s]) &&
            doesTheSame(from, *before.warp, s, from, *before.warp, cursor.step))
            ++time;
    const WarpTrace& warp = block->warps[cursor.warp.value];
    const auto placeAt = [&](u32 step) {
        Cursor there = cursor;
        there.step = step;
        there.lane = Lane{std::min(cursor.lane.value, std::max(1u, lanesOf(*block, cursor.warp)) - 1)};
        there.lane = laneAt(before, there.lane, lookUp(to, there));
        return there;
    };
    for (u32 s = 0; s < warp.steps.size(); ++s) {
        if (!isThere(others, *same, warp.steps[s]) ||
            !doesTheSame(from, *before.warp, cursor.step, to, warp, s) || --time > 0)
            continue;
        return placeAt(s);
    }
    if (!isEdited) return std::nullopt;
    // It does something else there now, or this warp does not come there: the first step at it or behind it.
    for (u32 s = 0; s < warp.steps.size(); ++s)
        if (const u32 pc = warp.steps[s].pc.value;
            pc < others.size() && others[pc].file == same->file && others[pc].line >= same->line)
            return placeAt(s);
    return std::nullopt;
}

}  // namespace lockstep::explain
