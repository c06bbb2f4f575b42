#include "viz/branch_note.h"

#include "viz/messages.h"

namespace lockstep::viz {

using namespace message;

namespace {

std::optional<u32> targetOf(const ptx::Module& module, u32 pc) {
    for (const ptx::Operand& operand : module.operandsOf(module.at(Pc{pc})))
        if (const auto* label = std::get_if<ptx::LabelOperand>(&operand)) return label->target.value;
    return std::nullopt;
}

// Whether the branch goes back, or around instructions with one that does: not from one side to the other.
bool isAtLoop(const ptx::Module& module, u32 pc) {
    const std::optional<u32> to = targetOf(module, pc);
    if (!to) return false;
    if (*to <= pc) return true;
    for (u32 between = pc + 1; between < *to; ++between)
        if (const std::optional<u32> back = targetOf(module, between); back && *back > pc && *back <= between)
            return true;
    return false;
}

}  // namespace

std::optional<std::string> branchNote(const run::Run& run, LaunchId launch, Pc pc, Language language) {
    for (const model::BranchReport& branch : run.report.branches) {
        if (branch.launch != launch || branch.pc != pc) continue;
        const std::string_view source = (branch.fromMachineCode ? kFromMachineCode : kModelled).in(language);
        if (branch.form == model::BranchForm::Predication) return say(language, kPredicatedNote, source);
        if (branch.form == model::BranchForm::Exit) return say(language, kLeavesNote, source);
        if (branch.fromMachineCode)
            return say(language, isAtLoop(*run.module, pc.value) ? kLoopsNote : kJumpsNote, source);
    }
    return std::nullopt;
}

}  // namespace lockstep::viz
