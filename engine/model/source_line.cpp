#include "model/source_line.h"

#include <algorithm>

namespace lockstep::model {
namespace {

// What the line table says of this very instruction.
SourceLine ownLineOf(Pc pc, const ptx::Module& module) {
    const u32 innermost = module.at(pc).location;
    u32 outermost = innermost;
    for (std::size_t steps = 0; module.locations[outermost].inlinedAt && steps < module.locations.size();
         ++steps)
        outermost = module.locations[outermost].inlinedAt;
    const u32 ownFile = module.locations[outermost].file;
    u32 at = innermost;
    while (at != outermost && (module.locations[at].file != ownFile || module.locations[at].line == 0))
        at = module.locations[at].inlinedAt;
    return {module.locations[at].file, module.locations[at].line};
}

}  // namespace

SourceLine sourceLineOf(Pc pc, const ptx::Module& module) {
    if (pc.value >= module.instructions.size()) return {};
    for (u32 at = pc.value;; --at) {
        if (const SourceLine found = ownLineOf(Pc{at}, module); found.line != 0) return found;
        const bool isFirst =
            at == 0 || std::ranges::any_of(module.functions, [&](const ptx::Function& function) {
                return function.first.value == at && !function.isDeclaration;
            });
        if (isFirst) return ownLineOf(pc, module);
    }
}

}  // namespace lockstep::model
