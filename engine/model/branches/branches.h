// Conditional branches: how often they split a warp, what it cost, and what the machine makes of them.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace lockstep::model {

// What ptxas makes of a branch that was written. Lanes are masked off all the same; what changes is whether
// the warp jumps, and whether a profiler counts a branch (its divergent-branch counter is 0 for every classic
// reduction kernel).
enum class BranchForm : u8 {
    Branch,       // a jump
    Predication,  // a short side without a jump: its instructions carry the condition
    Exit,         // lanes that have nothing left to do leave, with a condition on the exit alone
};
std::string_view nameOf(BranchForm form);  // "branch", "predication", "exit"

// `pc` is a conditional bra. A rule of thumb, not a rule of the hardware: it agrees with the machine code of
// ptxas 13.0 for cc 9.0 on 98 % of 5,396 branches (357 files of PTX: the catalog in all its instances, and
// those of tests/; accuracy_bench compiler).
BranchForm branchForm(const ptx::Module& module, Pc pc);

struct BranchReport {
    LaunchId launch;
    Pc pc;
    std::string text, file;  // the instruction as written, the .cu file
    u32 line = 0;
    u64 executions = 0, activeLanes = 0,
        divergent = 0;  // warps that came here, lanes, how often they went two ways
    // Thread instructions that lanes sat out between here and where the paths meet: of the lanes that came
    // here on average, less those that ran. 0 where it never split.
    u64 lanesLost = 0;
    BranchForm form = BranchForm::Branch;
    bool fromMachineCode = false;  // the form; else the model expects it
};
// Those that were reached, ascending launch, pc.
std::vector<BranchReport> branchesOf(const ptx::Module& module, const trace::Recording& recording);

}  // namespace lockstep::model
