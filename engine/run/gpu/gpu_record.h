// Records a GPU run: runs the experiment's launches with the recorder inserted, and decodes what it wrote to
// focus blocks. Timing of a recording run is meaningless: time and count the plain kernel.
#pragma once

#include "cuda/worker/job.h"
#include "cuda/worker/worker.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <functional>
#include <span>
#include <vector>

namespace lockstep::run {

struct GpuRecordOptions {
    u32 device = 0;
    std::vector<std::vector<Dim3>> focus;  // one list per launch; every block within its grid
    std::vector<u64> guardBytes;           // one per buffer; missing ones: cuda::kGuardBytes
    bool values = true;                    // else only addresses, in a fraction of the memory
    // Size of one launch's regions. If the first do not hold everything, it runs again with as much as it
    // needs, up to the maximum: the rest is truncated.
    u64 firstBytes = u64{64} << 20, mostBytes = u64{1} << 30;
};

struct GpuRecord {
    trace::Trace trace;
    std::vector<Buffer> final;  // the buffers after the recording run
    u64 regionBytes = 0;        // of the largest launch
    u32 repeated = 0;           // launches that ran a second time because their regions were full
};

// Executes a job: in the worker process, or in this one (tests, benchmarks).
using RunJob = std::function<cuda::JobReport(const cuda::Job&)>;

Expected<GpuRecord> recordOnGpu(const ptx::Module& module, std::span<const Launch> launches,
                                std::span<const Buffer> buffers, const GpuRecordOptions& options,
                                const RunJob& runJob);

// One recording launch as a job; buffers: the contents before it. The outcome's first scratch memory holds
// the regions, its second the symbols (record/recording_text.h).
cuda::Job recordingJob(const std::string& recordingPtx, const Launch& launch, std::span<const Buffer> buffers,
                       std::span<const Dim3> focus, u64 capacityWords, u64 regionBytes, u64 symbols,
                       std::span<const u64> guardBytes = {});

}  // namespace lockstep::run
