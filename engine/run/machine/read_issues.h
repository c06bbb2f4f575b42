// What the cycle model says of a run, with the machine code that it takes.
#pragma once

#include "run/machine/issue_run.h"
#include "run/machine/read_machine_code.h"
#include "run/machine/waits_of_run.h"

namespace lockstep::run {

// The time of a block.
Expected<IssueRun> readIssues(const Resources& resources, cuda::Disassembler& disassembler, const Run& run,
                              LaunchId launch, Dim3 block, Progress* progress = nullptr);
// How long the run takes.
Expected<TimedRun> readTime(const Resources& resources, cuda::Disassembler& disassembler, const Run& run,
                            Progress* progress = nullptr);
// Where the time of the run goes.
Expected<WaitsOfRun> readWaits(const Resources& resources, cuda::Disassembler& disassembler, const Run& run,
                               Progress* progress = nullptr);

}  // namespace lockstep::run
