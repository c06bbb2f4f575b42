// What is said of a branch that the machine takes as one: of two sides, or of a loop.
#include "viz/facts/branch_note.h"

#include "looked_at.h"
#include "viz/scene/fonts.h"
#include "viz/scene/scene_text.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <vector>

namespace lockstep {
namespace {

// Of all branches in which warps diverged, as if the machine code had said that each is one.
std::vector<std::string> notesOf(const std::string& variant) {
    Expected<run::Run> run = runShipped(variant, {});
    EXPECT_TRUE(run) << describe(run.error());
    std::vector<std::string> notes;
    if (!run) return notes;
    for (model::BranchReport& branch : run->report.branches) {
        branch.form = model::BranchForm::Branch, branch.fromMachineCode = true;
        if (branch.divergent == 0) continue;
        const auto note = viz::branchNote(*run, branch.launch, branch.pc, Language::English);
        notes.push_back(note.value_or(""));
    }
    EXPECT_FALSE(notes.empty()) << variant;
    return notes;
}

TEST(BranchNoteTest, TwoSidesAreToldFromALoop) {
    for (const char* variant :
         {"divergence/parity", "divergence/divergent-barrier", "divergence/switch-by-lane"})
        for (const std::string& note : notesOf(variant))
            EXPECT_NE(note.find("one side, then the other"), std::string::npos) << variant << ": " << note;
    for (const std::string& note : notesOf("divergence/trip-counts"))
        EXPECT_NE(note.find("around a loop"), std::string::npos) << note;
}

TEST(BranchNoteTest, ABarrierThatOnlySomeReachedIsCalledPassedWithAWord) {
    const Expected<viz::Fonts> fonts = viz::Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    for (const auto& [variant, isHalf] :
         {std::pair("divergence/divergent-barrier", true), {"matmul/tiled", false}}) {
        const Expected<run::Run> run = runShipped(variant, {});
        ASSERT_TRUE(run) << describe(run.error());
        const viz::Scene scene = viz::findView("timeline")
                                     ->build({.run = *run,
                                              .cursor = viz::initialCursor(*run),
                                              .profile = run->profile,
                                              .size = {1280, 300},
                                              .metrics = *fonts});
        EXPECT_EQ(viz::tableText(scene).find("not all threads reached") != std::string::npos, isHalf)
            << variant;
    }
}

}  // namespace
}  // namespace lockstep
