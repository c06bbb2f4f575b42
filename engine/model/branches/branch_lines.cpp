#include "model/branches/branch_lines.h"

#include "model/source_line.h"

#include <algorithm>
#include <set>
#include <vector>

namespace lockstep::model {
namespace {

// Over everything that may run from `from` until `meet`.
std::set<u32> linesUntil(Pc meet, Pc from, u32 file, const ptx::Module& module) {
    std::set<u32> lines;
    const ptx::Function& function = module.functions[module.functionOf(from).value];
    std::vector<bool> seen(function.blocks.size());
    std::vector<u32> open{function.blockOf(from)};
    while (!open.empty()) {
        const u32 number = open.back();
        open.pop_back();
        if (number >= seen.size() || seen[number] || function.blocks[number].first == meet) continue;
        seen[number] = true;
        const ptx::BasicBlock& block = function.blocks[number];
        for (Pc pc = block.first; pc < block.end; ++pc.value)
            if (const SourceLine line = sourceLineOf(pc, module); line.file == file && line.line)
                lines.insert(line.line);
        open.insert(open.end(), block.successors.begin(), block.successors.end());
    }
    return lines;
}

}  // namespace

bool endsThread(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return false;
    const std::string_view form = module.at(pc).form;
    return form == "exit" || (form == "ret" && module.functions[module.functionOf(pc).value].isEntry);
}

bool endsEveryThread(const ptx::Module& module, Pc pc) {
    return endsThread(module, pc) && !module.at(pc).guard.present;
}

Pc reconvergenceBeforeTheEnd(const ptx::Module& module, Pc branch) {
    const Pc meet = module.reconvergence(branch);
    return meet != kNoPc && endsEveryThread(module, meet) ? kNoPc : meet;
}

BranchLines branchLines(Pc branch, Pc target, const ptx::Module& module) {
    BranchLines ways;
    const SourceLine at = sourceLineOf(branch, module);
    if (!at.line || target <= branch) return ways;
    const Pc meet = module.reconvergence(branch);
    const std::set<u32> taken = linesUntil(meet, target, at.file, module),
                        onwards = linesUntil(meet, Pc{branch.value + 1}, at.file, module);
    const auto own = [&](const std::set<u32>& lines, const std::set<u32>& others, std::optional<u32>& found) {
        for (auto line = lines.upper_bound(at.line); line != lines.end(); ++line)
            if (!others.contains(*line)) return void(found = *line);
    };
    own(taken, onwards, ways.taken);
    own(onwards, taken, ways.onwards);
    if (meet == kNoPc) return ways;
    const u32 last =
        std::max({at.line, taken.empty() ? 0 : *taken.rbegin(), onwards.empty() ? 0 : *onwards.rbegin()});
    const ptx::Function& function = module.functions[module.functionOf(meet).value];
    for (Pc pc = meet; pc < function.blocks[function.blockOf(meet)].end; ++pc.value)
        if (const SourceLine line = sourceLineOf(pc, module); line.file == at.file && line.line > last) {
            ways.meeting = line.line;
            break;
        }
    if (target == meet) ways.taken = ways.meeting;
    return ways;
}

}  // namespace lockstep::model
