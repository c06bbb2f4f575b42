// Conditional branches: how often warps diverge, what it costs, and what ptxas compiles them to.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace lockstep::model {

// What ptxas compiles a written branch to. Lanes are masked off in every form; the form decides whether the
// warp jumps, and whether a profiler counts a branch (its divergent-branch counter is 0 for every classic
// reduction kernel).
enum class BranchForm : u8 {
    Branch,       // a jump
    Predication,  // a short side without a jump: its instructions are predicated
    Exit,         // lanes that have nothing left to do exit: only the exit is predicated
};
std::string_view nameOf(BranchForm form);  // "branch", "predication", "exit"

// `pc` is a conditional bra. A rule of thumb, not a rule of the hardware: it agrees with the machine code of
// ptxas 13.0 for cc 9.0 on 97 % of 3,196 branches (216 files of PTX: those of assets/ptx and of tests/;
// accuracy_bench compiler).
BranchForm branchForm(const ptx::Module& module, Pc pc);

struct BranchReport {
    LaunchId launch;
    Pc pc;
    std::string text, file;  // the instruction as written, the .cu file
    u32 line = 0;
    u64 executions = 0, activeLanes = 0,
        divergent = 0;  // executions by warps, by lanes, and how often a warp diverged
    // Thread instructions lost to inactive lanes between here and reconvergence: average arriving lanes less
    // those that ran. 0 if no warp diverged.
    u64 lanesLost = 0;
    BranchForm form = BranchForm::Branch;
    bool fromMachineCode = false;  // the form; else the model predicts it
};
// The branches that were reached, ascending launch, pc.
std::vector<BranchReport> branchesOf(const ptx::Module& module, const trace::Recording& recording);

}  // namespace lockstep::model
