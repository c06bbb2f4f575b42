#include "ptx/module.h"

#include "base/check.h"

#include <algorithm>

namespace lockstep::ptx {

u32 Function::blockOf(Pc pc) const {
    CHECK(first <= pc && pc < end, "a pc of this function");
    return u32(std::ranges::upper_bound(blocks, pc, {}, &BasicBlock::first) - blocks.begin()) - 1;
}

const Function* Module::findEntry(std::string_view entry) const {
    const auto found =
        std::ranges::find_if(functions, [&](const Function& f) { return f.isEntry && f.name == entry; });
    return found == functions.end() ? nullptr : &*found;
}

FunctionId Module::functionOf(Pc pc) const {
    CHECK_LT(pc.value, instructions.size(), "a pc of this module");
    const auto after =
        std::ranges::upper_bound(bodies_, pc, {}, [&](FunctionId id) { return functions[id.value].first; });
    return *(after - 1);
}

Pc Module::reconvergence(Pc pc) const {
    const Function& function = functions[functionOf(pc).value];
    const u32 block = function.blocks[function.blockOf(pc)].immediatePostDominator;
    return block == BasicBlock::kExit ? kNoPc : function.blocks[block].first;
}

std::string_view Module::textOf(Pc pc) const {
    const Span span = spans_[pc.value];
    if (span.begin == span.end) return at(pc).name;
    std::string_view whole = text().substr(span.begin, span.end - span.begin);
    while (!whole.empty() && static_cast<unsigned char>(whole.back()) <= ' ')
        whole.remove_suffix(1);
    return whole;
}

}  // namespace lockstep::ptx
