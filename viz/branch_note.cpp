#include "viz/branch_note.h"

#include "viz/messages.h"

namespace lockstep::viz {

using namespace message;

std::optional<std::string> branchNote(const run::Run& run, LaunchId launch, Pc pc, Language language) {
    for (const model::BranchReport& branch : run.report.branches) {
        if (branch.launch != launch || branch.pc != pc) continue;
        const std::string_view source = (branch.fromMachineCode ? kFromMachineCode : kModelled).in(language);
        if (branch.form == model::BranchForm::Predication) return say(language, kPredicatedNote, source);
        if (branch.form == model::BranchForm::Exit) return say(language, kLeavesNote, source);
        if (branch.fromMachineCode) return say(language, kJumpsNote, source);
    }
    return std::nullopt;
}

}  // namespace lockstep::viz
