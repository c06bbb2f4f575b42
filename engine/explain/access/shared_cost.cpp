// Asks the model, with what the instruction is.
#include "explain/access/shared_cost.h"

namespace lockstep::explain {

using model::SharedAtomicForm;

model::SharedAtomicForm atomicFormOf(const trace::WarpAccess& access, const ptx::Module& module) {
    if (!trace::isAtomic(access.kind) || access.pc.value >= module.instructions.size())
        return SharedAtomicForm::Native;
    const ptx::Instruction& instruction = module.at(access.pc);
    return model::sharedAtomicForm(instruction, module.operandsOf(instruction), access.kind);
}

SharedCost sharedCost(const trace::WarpAccess& access, const ptx::Module& module,
                      const model::Profile& profile) {
    if (!trace::isAtomic(access.kind))
        return {model::sharedWavefronts(access, profile), model::idealWavefronts(access, profile)};
    const model::SharedAtomicCost cost =
        model::sharedAtomicCost(access, atomicFormOf(access, module), profile);
    return {cost.atomicWavefronts, cost.idealAtomicWavefronts};
}

trace::WarpAccess asServed(trace::WarpAccess access, const ptx::Module& module) {
    if (trace::isAtomic(access.kind) && atomicFormOf(access, module) == SharedAtomicForm::CountsLanes)
        access.kind = trace::AccessKind::Load;
    return access;
}

}  // namespace lockstep::explain
