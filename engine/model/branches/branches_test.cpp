#include "model/branches/branches.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

ptx::Module kernelOf(std::string_view body) {
    Expected<ptx::Module> module = ptx::parse(fmt::format(R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{{
    .reg .pred %p<3>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [k_param_0];
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 8;
{}
}}
)",
                                                          body),
                                              "k.ptx");
    if (!module) {
        ADD_FAILURE() << describe(module.error());
        return {};
    }
    return std::move(*module);
}

Pc firstBranch(const ptx::Module& module) {
    for (u32 pc = 0; pc < module.instructions.size(); ++pc)
        if (module.instructions[pc].name == "bra" && module.instructions[pc].guard.present) return Pc{pc};
    ADD_FAILURE() << "no branch";
    return Pc{0};
}

// A side of so many additions; after reconvergence there is more to do than exit.
std::string side(int additions, std::string_view more = "") {
    std::string text = "@%p1 bra MEET;\n";
    for (int n = 0; n < additions; ++n)
        text += fmt::format("add.u32 %r{}, %r1, {};\n", 2 + n, n);
    return text + std::string(more) + "\nMEET:\nst.global.u32 [%rd1], %r1;\nret;";
}

TEST(Branches, AreWrittenOneWayAndRunAnother) {
    struct Case {
        const char* what;
        std::string body;
        BranchForm form;
    };
    const Case cases[] = {
        {"a short side", side(3), BranchForm::Predication},
        {"the longest that is nearly always predicated", side(10), BranchForm::Predication},
        {"a long side", side(11), BranchForm::Branch},
        {"a barrier in it", side(1, "bar.sync 0;"), BranchForm::Branch},
        {"an atomic in it", side(1, "red.global.add.u32 [%rd1], 1;"), BranchForm::Branch},
        {"nothing behind it: a guard", "@%p1 bra END;\nst.global.u32 [%rd1], %r1;\nEND:\nret;",
         BranchForm::Exit},
        {"a jump around the side",
         "@%p1 bra A;\nbra.uni MEET;\nA:\nst.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], "
         "%r1;\nMEET:\nst.global.u32 [%rd1+8], %r1;\nret;",
         BranchForm::Predication},
        {"a jump around a barrier",
         "@%p1 bra A;\nbra.uni MEET;\nA:\nbar.sync 0;\nMEET:\nst.global.u32 [%rd1+8], %r1;\nret;",
         BranchForm::Branch},
        {"a loop that is left in the middle",
         "LOOP:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@!%p1 bra DONE;\nbra.uni "
         "LOOP;\nDONE:\nst.global.u32 [%rd1], %r1;\nret;",
         BranchForm::Branch},
        {"a loop", "LOOP:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra LOOP;\nret;",
         BranchForm::Branch},
        {"two sides",
         "@%p1 bra A;\nadd.u32 %r2, %r1, 1;\nbra MEET;\nA:\nadd.u32 %r2, %r1, 2;\nMEET:\nst.global.u32 "
         "[%rd1], %r2;\nret;",
         BranchForm::Branch},
    };
    for (const Case& c : cases) {
        const ptx::Module module = kernelOf(c.body);
        ASSERT_FALSE(module.functions.empty()) << c.what;
        EXPECT_EQ(branchForm(module, firstBranch(module)), c.form) << c.what;
    }
}

TEST(Branches, LoseTheLanesThatSitOutUntilThePathsMeet) {
    const ptx::Module module = kernelOf(side(3));
    trace::Recording recording;
    trace::GridCounts counts;
    counts.perPc.resize(module.instructions.size());
    const Pc branch = firstBranch(module);
    // 10 warps of 32 lanes; in each, 8 lanes take the branch and 24 execute the three additions.
    for (u32 pc = 0; pc < counts.perPc.size(); ++pc) {
        const bool inSide = pc > branch.value && pc <= branch.value + 3;
        counts.perPc[pc] = {.executions = 10, .activeLanes = inSide ? 240u : 320u, .divergent = 0};
    }
    counts.perPc[branch.value].divergent = 10;
    recording.counts.push_back(counts);
    std::vector<BranchReport> branches = branchesOf(module, recording);
    ASSERT_EQ(branches.size(), 1u);
    EXPECT_EQ(branches[0].pc, branch);
    EXPECT_EQ(branches[0].executions, 10u);
    EXPECT_EQ(branches[0].divergent, 10u);
    EXPECT_EQ(branches[0].lanesLost, 3u * 80);
    EXPECT_EQ(branches[0].form, BranchForm::Predication);

    recording.counts[0].perPc[branch.value].divergent = 0;  // then lanes were already inactive
    branches = branchesOf(module, recording);
    EXPECT_EQ(branches.at(0).lanesLost, 0u);
}

}  // namespace
}  // namespace lockstep::model
