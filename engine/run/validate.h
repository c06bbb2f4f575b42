// Validates one experiment on the emulator against a GPU: are the traces the same, does the model predict the
// hardware counters, are the results equal?
#pragma once

#include "model/tolerances.h"
#include "run/gpu/compare_traces.h"
#include "run/gpu/gpu_record.h"
#include "run/machine/timed_run.h"
#include "run/run.h"

#include <functional>

namespace lockstep::cuda {
class Disassembler;  // disassemble.h
}

namespace lockstep::run {

enum class Verdict : u8 {
    Agrees,
    Explained,  // differences are undefined behavior, or not available on this machine; explanations say
                // why
    Differs,
};

struct CounterCheck {
    const model::Tolerance* tolerance = nullptr;
    f64 model = 0, measured = 0;
    // Counter readings. A varying counter that differed at first is read again: `measured` then represents
    // all readings (model::Stands). An exact one is read once.
    std::vector<f64> readings;
    bool agrees = true;

    bool isRepeated() const { return readings.size() > 1; }
    Words standing() const;  // which of its readings `measured` is: "median"
};

// What the launches take from a cold L2, one after the other: the longest that an SM had work in each, ncu's
// sm__cycles_active.max (a range that is counted elapses from before the launch to long after it). No
// verdict: a time is modeled with an error.
struct CyclesCheck {
    std::optional<f64> measured;                     // none: not counted
    std::optional<Expected<TimedRun>> modeled = {};  // none: nobody asked the model; its fault: why no time
};

struct Validation {
    std::string name;
    std::optional<TraceComparison> trace;  // none: not recorded; the explanations or differences say why
    u64 differingElements = 0;             // of all buffers, emulator and GPU, bit for bit
    f64 largestDifference = 0;             // NaN where one of them is
    std::vector<CounterCheck> counters;    // of metrics that have a tolerance and are not 0 on both sides
    bool counted = false;
    CyclesCheck cycles;
    // Sentences. One difference for everything neither equal nor explained.
    std::vector<Message> explanations, differences;

    Verdict verdict() const {
        return !differences.empty()   ? Verdict::Differs
               : explanations.empty() ? Verdict::Agrees
                                      : Verdict::Explained;
    }
};

// options: profile, focus blocks, limits and threads of the emulator, and which GPU; validate sets the rest.
// Fault: the emulator cannot run it, or the GPU is lost, which is not the kernel's fault. disassembler: gives
// the length of machine code, which launches read; without one it is estimated from the PTX. timeOf: asks the
// cycle model.
using TimeOf = std::function<Expected<TimedRun>(const Run&)>;
Expected<Validation> validate(const std::string& name, const Experiment& experiment, Options options,
                              const RunJob& runJob, cuda::Disassembler* disassembler = nullptr,
                              const TimeOf& timeOf = {});

}  // namespace lockstep::run
