// One call from the outside: run(experiment, backend) -> Run. What the command line and the window both stand on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "base/progress.h"
#include "catalog/catalog.h"
#include "model/report.h"
#include "ptx/module.h"
#include "simt/emulator.h"
#include "trace/trace.h"

namespace lockstep::run {

// What to run: PTX with its sources, the launches (entries by PTX name), buffers with their initial contents.
struct Experiment {
    std::shared_ptr<const ptx::Module> module;
    std::vector<Launch> launches;
    std::vector<Buffer> buffers;
    // From the catalogue, else empty: what it is checked against and what it is known to do wrong.
    std::optional<catalog::Experiment> catalog;
    std::string entry;    // as written in C++
    std::string source;   // path of the .cu or .ptx
};

struct Options {
    std::string backend = "auto", profile = "cc90";
    simt::Options emulator;
    u32 repeat = 1;
    bool keepBuffers = true;   // in the recording: initial and final contents
};

struct Run {
    std::shared_ptr<const ptx::Module> module;
    trace::Recording recording;
    model::Report report;
    std::optional<catalog::Comparison> comparison;  // none: no reference
    std::optional<catalog::Experiment> catalog;     // family, variant and values it came from
    simt::Statistics statistics;
    std::vector<f64> repeatSeconds;                 // --repeat: one an execution
    // correct of the JSON: a fault that changes or may change results makes it false; none = nothing to compare with and no fault.
    std::optional<bool> correct() const;
};

// The catalogue's variant with its prebuilt PTX and source.
Expected<Experiment> open(const catalog::Family& family, const catalog::Variant& variant, const catalog::Values& values, u64 seed = 1);
Expected<Run> run(Experiment experiment, const Options& options);
// A stored recording as a Run: module parsed, report computed, nothing executed.
Expected<Run> reopen(trace::Recording recording, const std::string& profile);

}  // namespace lockstep::run
