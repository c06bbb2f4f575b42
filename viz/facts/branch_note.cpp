#include "viz/facts/branch_note.h"

#include "viz/messages.h"

#include <algorithm>

namespace lockstep::viz {

using namespace message;

namespace {

std::optional<u32> targetOf(const ptx::Module& module, u32 pc) {
    for (const ptx::Operand& operand : module.operandsOf(module.at(Pc{pc})))
        if (const auto* label = std::get_if<ptx::LabelOperand>(&operand)) return label->target.value;
    return std::nullopt;
}

// Whether it is a loop's: it goes back, or around one that lanes leave at different times.
bool isOfLoop(const run::Run& run, const model::BranchReport& branch) {
    const std::optional<u32> to = targetOf(*run.module, branch.pc.value);
    if (!to) return false;
    if (*to <= branch.pc.value) return true;
    return std::ranges::any_of(run.report.branches, [&](const model::BranchReport& other) {
        const u32 at = other.pc.value;
        const std::optional<u32> back = targetOf(*run.module, at);
        return other.launch == branch.launch && other.divergent > 0 && at > branch.pc.value && at < *to &&
               back && *back > branch.pc.value && *back <= at;
    });
}

}  // namespace

std::optional<std::string> branchNote(const run::Run& run, LaunchId launch, Pc pc, Language language) {
    for (const model::BranchReport& branch : run.report.branches) {
        if (branch.launch != launch || branch.pc != pc) continue;
        const std::string_view source = (branch.fromMachineCode ? kFromMachineCode : kModelled).in(language);
        if (branch.form == model::BranchForm::Predication) return say(language, kPredicatedNote, source);
        if (branch.form == model::BranchForm::Exit) return say(language, kLeavesNote, source);
        if (branch.fromMachineCode)
            return say(language, isOfLoop(run, branch) ? kLoopsNote : kJumpsNote, source);
    }
    return std::nullopt;
}

}  // namespace lockstep::viz
