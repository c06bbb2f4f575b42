// The engine's entry point: run(experiment, options) -> Run. Used by both the command line and the window.
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
#include <utility>
#include <vector>

namespace lockstep::cuda {
class Worker;
}
namespace lockstep::explain {
struct Hints;  // explain/hints/hint.h
}

namespace lockstep::run {

struct MachineRun;    // machine_run.h
struct OwnReference;  // own_reference.h

// What to run: PTX with its sources, the launches (entries by PTX name), buffers with their initial contents.
struct Experiment {
    std::shared_ptr<const ptx::Module> module;
    std::vector<Launch> launches;
    std::vector<Buffer> buffers;
    // From the catalog, else empty: family, variant and values; its buffers have moved to `buffers`.
    std::optional<catalog::Experiment> catalog;
    std::string entry;   // as written in C++
    std::string source;  // path of the .cu or .ptx
    u64 seed = 1;        // of the random contents
    std::shared_ptr<const OwnReference> reference =
        {};                            // of a user's own kernel; null: nothing to compare with
    std::vector<Fault> warnings = {};  // of the compiler, about a user's own file
};

// A launch behind the first one; an argument may be a buffer of those before it (own/further_launch.h).
struct FurtherLaunch {
    std::string entry;  // as FileRequest::entry
    Dim3 grid, block;
    u32 dynamicSharedBytes = 0;
    std::vector<std::string> arguments = {};
};

// A user's own kernel, as given on the command line.
struct FileRequest {
    std::filesystem::path file;  // .cu or .ptx
    std::string entry;           // "mm_tiled<16>"; empty if the file has one kernel
    Dim3 grid, block;
    u32 dynamicSharedBytes = 0;
    std::vector<std::string> defines;    // NAME=VALUE
    std::vector<std::string> arguments;  // "f32[4096]=random", in parameter order
    std::vector<std::filesystem::path> includeFolders;
    bool asWritten = false;
    u64 seed = 1;
    std::vector<std::string> references = {};  // what its results are compared with, as --reference takes it
    std::vector<FurtherLaunch> further = {};   // in order
    bool takesOnlyKernel = false;              // of a file with one kernel, that one, whatever its name
};

// The catalog's variant with its source and the PTX built from it; if the source has been edited since, NVRTC
// recompiles it.
Expected<Experiment> open(const Resources& resources, const catalog::Family& family,
                          const catalog::Variant& variant, const catalog::Values& values, u64 seed = 1);
Expected<Experiment> open(const FileRequest& request);

// A user's file whose kernels take the place of a variant's: launched as the variant's are, on its buffers,
// and compared with its reference.
struct CompiledFile {
    std::shared_ptr<const ptx::Module> module;
    std::vector<std::pair<std::string, std::string>> entries;  // as launched in C++, and in PTX
    std::string file;
    std::vector<Fault> warnings;  // of the compiler
};
// `entries`: the kernels that will be launched, as written in C++.
Expected<CompiledFile> compileFile(const std::filesystem::path& file,
                                   const std::vector<std::string>& entries);
// Fault: a kernel of the file has other parameters than the launch has arguments.
Expected<Experiment> open(const CompiledFile& file, const catalog::Family& family,
                          const catalog::Variant& variant, const catalog::Values& values, u64 seed = 1);

// A device's rules: a built-in profile ("cc90", the default), or a user's own file ("mine.toml").
Expected<model::Profile> profileNamed(const std::string& nameOrFile);

// Whether L1, L2 and device memory are simulated, on a device whose caches are known.
enum class Caches : u8 {
    Auto,  // up to model::CacheSimulations::kMostRequests requests
    On,
    Off,
};

// How the GPU is used, if the backend is or may be one.
struct GpuOptions {
    cuda::Worker* worker = nullptr;  // none: auto means the emulator
    u32 device = 0;
    u32 timedExecutions = 20;  // 0: not timed
    bool coldCache = false;    // of the timed runs; counters are always read with a cold L2
    bool count = true;
    u32 readings = 3;     // readings of the counters: model::Stands says which is kept
    bool emulate = true;  // for the trace, the findings and the model's figures
};

struct Options {
    std::string backend = "auto";
    std::string profile =
        {};  // as profileNamed() takes it; empty: the GPU's own on a GPU, cc90 on the emulator
    simt::Options emulator;
    Caches caches = Caches::Auto;
    GpuOptions gpu;
    // About how many blocks are run in place of all, by position (sample/sample_choice.h); of a smaller grid
    // all. 0: all. On the emulator only.
    u64 sampleBlocks = 0;
    u32 repeat = 1;          // executions on fresh buffers; the record is the last one's, the time the median
    bool wantsHints = true;  // Run::hints
};

struct Run {
    std::shared_ptr<const ptx::Module> module;
    trace::Recording recording;
    model::Report report;
    std::optional<model::CacheCounts> caches;       // none: not simulated
    std::shared_ptr<const MachineRun> machine;      // its machine code, used by `report`; null: not requested
    model::Profile profile;                         // the report's rules
    std::optional<catalog::Comparison> comparison;  // none: nothing to compare with
    std::optional<catalog::Experiment> catalog;  // family, variant and values it came from; without buffers
    std::shared_ptr<const OwnReference> reference =
        {};  // as of Experiment; null of a run that was opened from a file
    std::string source;
    simt::Statistics statistics;
    std::vector<VariantAccess> variants;          // of the whole family, if its view uses them and on
                                                  // request (variant_accesses.h)
    std::shared_ptr<const explain::Hints> hints;  // what costs most of what it need not cost (find_hints.h);
                                                  // null: not wanted, or the run is not at its end
    std::vector<f64> repeatSeconds;               // one per execution, if there were several

    std::optional<Measured> measured;      // on a GPU, now or in a recording
    std::string traceSource = "emulator";  // source of the trace: "emulator", "gpu", or "recording" (a file)
    bool emulated =
        true;  // false: the emulator did not complete; the model's figures are not of the whole grid
    std::optional<Fault> gpuFault;  // the kernel did not complete on the GPU
    std::vector<Fault> notes;       // notes on how it was run, one sentence each
    std::vector<Fault> warnings;    // as of Experiment; none of a run that was opened from a file

    // False if the result is wrong or a fault may have affected it; none if there is nothing to compare with.
    std::optional<bool> correct() const;
    // There is a finding other than a remark.
    bool hasFaults() const;
};

Expected<Run> run(Experiment experiment, const Options& options);
// Shared memory of one block of the launch, in bytes: of the variables that the kernel uses, and the dynamic
// part.
u64 sharedBytes(const ptx::Module& module, const Launch& launch);

// A stored recording as a Run: module parsed, report computed, nothing executed. Fault: a recording that does
// not match its own PTX. If the catalog still has its variant with the same launches and buffers, the Run is
// of the catalog again.
Expected<Run> reopen(trace::Recording recording, const std::string& profile,
                     const catalog::Catalog* catalog = nullptr);

}  // namespace lockstep::run
