// One experiment on the emulator and on a GPU: do the emulator's trace and the GPU's say the same, does the
// model foresee what the hardware counts, are the results equal?
#pragma once

#include "model/tolerances.h"
#include "run/gpu/compare_traces.h"
#include "run/gpu/gpu_record.h"
#include "run/run.h"

namespace lockstep::cuda {
class Disassembler;  // disassemble.h
}

namespace lockstep::run {

enum class Verdict : u8 {
    Agrees,
    Explained,  // what differs is not defined, or cannot be had on this machine; explanations say what and
                // why
    Differs,
};

struct CounterCheck {
    const model::Tolerance* tolerance = nullptr;
    f64 model = 0, measured = 0;
    // As counted. One that varies by nature and differed at first was counted again: `measured` is then what
    // stands for all of them (model::Stands). An exact one is counted once.
    std::vector<f64> readings;
    bool agrees = true;

    bool isRepeated() const { return readings.size() > 1; }
    Words standing() const;  // which of its readings `measured` is: "median"
};

struct Validation {
    std::string name;
    std::optional<TraceComparison>
        trace;                  // none: not recorded, for a reason among the explanations or differences
    u64 differingElements = 0;  // of all buffers, emulator and GPU, bit for bit
    f64 largestDifference = 0;  // NaN where one of them is
    std::vector<CounterCheck> counters;  // of metrics that have a tolerance and are not 0 on both sides
    bool counted = false;
    // Sentences. There is a difference for all that is neither equal nor explained.
    std::vector<Message> explanations, differences;

    Verdict verdict() const {
        return !differences.empty()   ? Verdict::Differs
               : explanations.empty() ? Verdict::Agrees
                                      : Verdict::Explained;
    }
};

// options: profile, focus blocks, limits and threads of the emulator, and which GPU; the rest is validate's
// own. A Fault where the emulator cannot run it, and where the GPU is lost: no kernel is to blame for that.
// disassembler: how long machine code is, which launches read; without one it is as long as the PTX lets
// expect.
Expected<Validation> validate(const std::string& name, Experiment experiment, Options options,
                              const RunJob& runJob, cuda::Disassembler* disassembler = nullptr);

}  // namespace lockstep::run
