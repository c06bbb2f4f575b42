// The time of a block of a run, with the machine code that it takes.
#pragma once

#include "run/machine/issue_run.h"
#include "run/machine/read_machine_code.h"

namespace lockstep::run {

Expected<IssueRun> readIssues(const Resources& resources, cuda::Disassembler& disassembler, const Run& run,
                              LaunchId launch, Dim3 block, Progress* progress = nullptr);

}  // namespace lockstep::run
