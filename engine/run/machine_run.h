// Machine code of a run's kernels, where the toolkit is installed, in place of what the model expects of the compiler.
#pragma once

#include "cuda/disassemble.h"
#include "model/machine_report.h"
#include "run/run.h"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::run {

struct MachineRun {
    std::shared_ptr<const sass::MachineCode> code;  // null: modelled, and `why`
    std::optional<Fault> why;
    std::vector<model::MachineReport::Place> removed;
    std::vector<model::MachineReport::Difference> differences;
};

// Of the device whose profile the run follows; run.report then says what that code does. The toolkit's programs take 60 ms for a
// small kernel, a second for a large one.
MachineRun readMachineCode(cuda::Disassembler& disassembler, Run& run, const std::atomic<bool>* cancelled = nullptr);

}  // namespace lockstep::run
