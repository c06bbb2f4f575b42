#include "explain/source/source_line.h"

#include "base/text/words.h"
#include "explain/branches.h"
#include "model/branches/branch_lines.h"
#include "model/source_line.h"

namespace lockstep::explain {
namespace {

constexpr Words kOfLine = english("line {0}"), kOfInstruction = english("instruction {0}");

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

std::string lineInWords(const ptx::Module& module, Pc pc, Language language) {
    const SourceLine line = lineOf(module, pc);
    return line.line ? say(language, kOfLine, std::to_string(line.line))
                     : say(language, kOfInstruction, pc.value);
}

u32 reconvergenceLine(const ptx::Module& module, Pc branch) {
    const std::optional<Pc> target = targetOf(module, branch);
    const std::optional<u32> line =
        target ? model::branchLines(branch, *target, module).meeting : std::nullopt;
    return line ? *line : lineOf(module, module.reconvergence(branch)).line;
}

std::string reconvergenceInWords(const ptx::Module& module, Pc branch, Language language) {
    const u32 line = reconvergenceLine(module, branch);
    return line ? say(language, kOfLine, std::to_string(line))
                : lineInWords(module, module.reconvergence(branch), language);
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

std::string_view fileName(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

}  // namespace lockstep::explain
