// The embedded GPU: runs the launches of an experiment on the host, a warp at a time, and records what they
// did.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "base/progress.h"
#include "ptx/module.h"
#include "trace/pattern_counter.h"
#include "trace/request_sink.h"
#include "trace/trace.h"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::simt {

// Limits of the device that is played: a launch beyond them is refused before it starts.
struct DeviceLimits {
    u32 threadsPerBlock = 1024, sharedBytesPerBlock = 48 * 1024, sharedBytesOptIn = 227 * 1024;
    Dim3 block{1024, 1024, 64}, grid{2147483647, 65535, 65535};
};

enum class Engine : u8 {
    Plain,  // the oracle: every instruction, lane by lane, no analysis
    Fast,   // whatever is fastest and proven equal to Plain
};

struct Options {
    Engine engine = Engine::Fast;
    u32 threads = 0;                                // host threads; 0 = all cores
    bool sequential = false;                        // blocks in ascending order on one thread
    std::optional<std::chrono::nanoseconds> limit;  // of all launches together
    std::optional<std::vector<Dim3>> focus;  // none: the default choice (first, an inner one, one at the
                                             // edge, last); per launch the ones that exist
    bool focusAll = false;
    bool counts = true;  // whole-grid counts
    bool events = true;  // steps and accesses of the focus blocks
    u32 mostFindings = 1000;
    DeviceLimits limits;
    // What the buffers hold before the run, where the caller keeps it: saves a copy, should a launch have to
    // start again.
    std::span<const Buffer> initial;
    // What one access costs on the profile of the run: used only where a site has more patterns than are
    // kept. None: costs nothing.
    trace::CostFunction overflowCost;
    // Who wants to know what was asked of global and local memory. None: nobody does.
    trace::RequestSinkMaker requestSink;
    Progress* progress = nullptr;  // in blocks
};

struct Statistics {
    f64 seconds = 0;  // analysis of the kernel and the run; not the parsing
    u64 warpInstructions = 0, threadInstructions = 0;
    u32 threads = 1;
    u64 peakBytes = 0;  // of the process
    bool sequential = false, complete = true;
};

struct Result {
    std::vector<trace::GridCounts> counts;  // one a launch
    trace::Trace trace;
    std::vector<trace::Finding>
        findings;  // ordered by launch, block, thread, pc; one per site, kind and thread
    Statistics statistics;
};

// Refuses, with the source line, the first instruction reachable from `entry` that has no row in the
// emulator's table.
Expected<void> checkSupported(const ptx::Module& module, std::string_view entry);

// Runs all launches in order on `buffers`, which hold the initial contents before and the results after. What
// a kernel does wrong is a finding in the Result; a Fault is a launch that cannot start (unknown entry, wrong
// arguments, limits). The result is that of running blocks in ascending order, whatever the number of
// threads.
Expected<Result> run(const ptx::Module& module, std::span<const Launch> launches, std::span<Buffer> buffers,
                     const Options& options);

// The default focus of a grid: first, an inner one, one at the edge, last; without repeats, ascending.
std::vector<Dim3> defaultFocus(Dim3 grid);

}  // namespace lockstep::simt
