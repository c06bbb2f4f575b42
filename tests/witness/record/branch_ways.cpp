// Where the lanes go that come to a branch, in lines of the source. The compiler moves what both ways need in
// front of either: a way is known by the first line that it alone has.
#include "witness/record/facts.h"

#include <algorithm>

namespace lockstep::witness {
namespace {

// Of all instructions from here on that are met before `until`.
std::set<Pc> reachedFrom(const ptx::Module& module, Pc from, Pc until) {
    const ptx::Function& function = module.functions[module.functionOf(from).value];
    std::set<Pc> reached;
    std::vector<Pc> open{from};
    while (!open.empty()) {
        const Pc begin = open.back();
        open.pop_back();
        if (begin == until || reached.contains(begin) || begin < function.first || begin >= function.end)
            continue;
        const ptx::BasicBlock& block = function.blocks[function.blockOf(begin)];
        bool isOver = false;
        for (Pc pc = begin; pc < block.end && !isOver; ++pc.value) {
            isOver = pc == until || !reached.insert(pc).second;
        }
        for (u32 next : block.successors)
            if (!isOver && next < function.blocks.size()) open.push_back(function.blocks[next].first);
    }
    return reached;
}

}  // namespace

std::array<std::optional<u32>, 3> RunFacts::waysOf(Pc branch) const {
    const ptx::Module& module = *run_.module;
    std::array<std::optional<u32>, 3> ways;
    std::optional<Pc> target;
    for (const ptx::Operand& operand : module.operandsOf(module.at(branch)))
        if (const auto* label = std::get_if<ptx::LabelOperand>(&operand)) target = label->target;
    const u32 at = lineOf(branch);
    if (!target || *target <= branch || !at) return ways;
    const Pc meet = module.reconvergence(branch);
    std::set<u32> lines[2];
    for (int way : {0, 1})
        for (Pc pc : reachedFrom(module, way ? Pc{branch.value + 1} : *target, meet))
            if (ownLines_[pc.value]) lines[way].insert(ownLines_[pc.value]);
    u32 last = at;
    for (int way : {0, 1})
        for (u32 line : lines[way]) {
            last = std::max(last, line);
            if (line > at && !lines[1 - way].contains(line) && !ways[std::size_t(way)])
                ways[std::size_t(way)] = line;
        }
    if (meet == kNoPc) return ways;
    const ptx::Function& function = module.functions[module.functionOf(meet).value];
    for (Pc pc = meet; pc < function.blocks[function.blockOf(meet)].end && !ways[2]; ++pc.value)
        if (ownLines_[pc.value] > last) ways[2] = ownLines_[pc.value];
    if (*target == meet) ways[0] = ways[2];
    return ways;
}

}  // namespace lockstep::witness
