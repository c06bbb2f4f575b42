// One call from the outside: run(experiment, options) -> Run. What the command line and the window both stand
// on.
#pragma once

#include "base/expected.h"
#include "base/progress.h"
#include "catalog/catalog.h"
#include "model/caches/cache_counts.h"
#include "model/profiles/profile.h"
#include "model/report.h"
#include "ptx/module.h"
#include "run/gpu/measured.h"
#include "run/resources.h"
#include "run/variant_accesses.h"
#include "simt/emulator.h"
#include "trace/trace.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cuda {
class Worker;
}

namespace lockstep::run {

struct MachineRun;    // machine_run.h
struct OwnReference;  // own_reference.h

// What to run: PTX with its sources, the launches (entries by PTX name), buffers with their initial contents.
struct Experiment {
    std::shared_ptr<const ptx::Module> module;
    std::vector<Launch> launches;
    std::vector<Buffer> buffers;
    // From the catalog, else empty: family, variant and values; its own buffers have moved to `buffers`.
    std::optional<catalog::Experiment> catalog;
    std::string entry;   // as written in C++
    std::string source;  // path of the .cu or .ptx
    u64 seed = 1;        // of the random contents
    std::shared_ptr<const OwnReference> reference =
        {};  // of a kernel of the user's own; null: nothing to compare with
};

// A kernel of the user's own, as the command line describes it.
struct FileRequest {
    std::filesystem::path file;  // .cu or .ptx
    std::string entry;           // "mm_tiled<16>"; empty where the file has one kernel
    Dim3 grid, block;
    u32 dynamicSharedBytes = 0;
    std::vector<std::string> defines;    // NAME=VALUE
    std::vector<std::string> arguments;  // "f32[4096]=random", in parameter order
    std::vector<std::filesystem::path> includeFolders;
    bool asWritten = false;
    u64 seed = 1;
    std::vector<std::string> references = {};  // what its results are compared with, as --reference takes it
};

// The catalog's variant with its source, and the PTX that was built from it; where the source has been edited
// since, NVRTC compiles it anew.
Expected<Experiment> open(const Resources& resources, const catalog::Family& family,
                          const catalog::Variant& variant, const catalog::Values& values, u64 seed = 1);
Expected<Experiment> open(const FileRequest& request);

// The rules of a device: a profile of the program's ("cc90"; empty: that), or a file of the user's own
// ("mine.toml").
Expected<model::Profile> profileNamed(const std::string& nameOrFile);

// Whether L1, L2 and device memory are simulated, on a device whose caches are known.
enum class Caches : u8 {
    Auto,  // up to model::CacheSimulations::kMostRequests requests
    On,
    Off,
};

// How the GPU is used, where the backend is one or may be.
struct GpuOptions {
    cuda::Worker* worker = nullptr;  // none: auto means the emulator
    u32 device = 0;
    u32 timedExecutions = 20;  // 0: not timed
    bool coldCache = false;    // of the times; counters are always read from a cold second-level cache
    bool count = true;
    u32 readings = 3;     // of the counters: model::Stands says which is kept
    bool emulate = true;  // for the trace, the findings and the model's figures
};

struct Options {
    std::string backend = "auto";
    std::string profile =
        {};  // as profileNamed() takes it; empty: the GPU's own on a GPU, cc90 on the emulator
    simt::Options emulator;
    Caches caches = Caches::Auto;
    GpuOptions gpu;
    u32 repeat = 1;  // executions on fresh buffers; the record is the last one's, the time the median
};

struct Run {
    std::shared_ptr<const ptx::Module> module;
    trace::Recording recording;
    model::Report report;
    std::optional<model::CacheCounts> caches;  // none: not simulated
    std::shared_ptr<const MachineRun>
        machine;             // its machine code, which `report` follows; null: nobody has asked for it
    model::Profile profile;  // whose rules the report follows
    std::optional<catalog::Comparison> comparison;  // none: nothing to compare with
    std::optional<catalog::Experiment> catalog;  // family, variant and values it came from; without buffers
    std::string source;
    simt::Statistics statistics;
    std::vector<VariantAccess> variants;  // of the whole family, where it is told by them and somebody has
                                          // asked (variant_accesses.h)
    std::vector<f64> repeatSeconds;       // one an execution, if there were several

    std::optional<Measured> measured;  // on a GPU, now or in a recording
    std::string traceSource =
        "emulator";  // who made the trace: "emulator", "gpu", or "recording": a file has it
    bool emulated =
        true;  // false: the emulator did not run to its end, and the model's figures are not the whole grid's
    std::optional<Fault> gpuFault;  // the kernel did not get to its end on the GPU
    std::vector<Fault> notes;       // what the user should know of how it was run, a sentence each

    // False where the result is wrong or a fault may have spoiled it; none where there is nothing to compare
    // with.
    std::optional<bool> correct() const;
    // Something other than a remark was found.
    bool hasFaults() const;
};

Expected<Run> run(Experiment experiment, const Options& options);
// Shared memory of one block of the launch, in bytes: of the variables that the kernel uses, and the dynamic
// part.
u64 sharedBytes(const ptx::Module& module, const Launch& launch);

// A stored recording as a Run: module parsed, report computed, nothing executed. A recording that is not of
// its own PTX is a Fault. With a catalog that still has its variant, the same launches and buffers, it is of
// the catalog again.
Expected<Run> reopen(trace::Recording recording, const std::string& profile,
                     const catalog::Catalog* catalog = nullptr);

}  // namespace lockstep::run
