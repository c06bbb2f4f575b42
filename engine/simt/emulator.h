// The GPU emulator: runs the launches of an experiment on the host, warp by warp, and records what they do.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "base/progress.h"
#include "ptx/module.h"
#include "trace/pattern_counter.h"
#include "trace/request_sink.h"
#include "trace/shadow/buffer_habit.h"
#include "trace/trace.h"

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::simt {

struct LastingMemory;  // memory/device_memory.h
class KernelHeap;      // memory/kernel_heap.h

// Limits of the emulated device: a launch that exceeds them is rejected before it starts.
struct DeviceLimits {
    u32 threadsPerBlock = 1024, sharedBytesPerBlock = 48 * 1024, sharedBytesOptIn = 227 * 1024;
    Dim3 block{1024, 1024, 64}, grid{2147483647, 65535, 65535};
};

// What a launch may need: minutes on a fast machine, half an hour on a slow one.
inline constexpr u64 kMostThreadInstructions = 1'000'000'000'000;

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
                                             // edge, last); per launch, those that exist
    bool focusAll = false;
    bool counts = true;  // whole-grid counts
    bool events = true;  // steps and accesses of the focus blocks
    bool races = true;   // look for races and uninitialized reads, and run blocks in order where they depend
                         // on each other; false: only to measure what that costs
    u32 mostFindings = 1000;
    DeviceLimits limits;
    // The buffers' contents before the run, if the caller keeps them: saves a copy in case a launch must
    // restart.
    std::span<const Buffer> initial;
    // Cost of one access on the run's profile: used only if a site has more patterns than are kept. None:
    // cost 0.
    trace::CostFunction overflowCost;
    // Launches are cooperative: all blocks are resident together, and can wait for each other in grid.sync().
    bool cooperative = false;
    // Receives the requests to global and local memory. May be none.
    trace::RequestSinkMaker requestSink;
    Progress* progress = nullptr;  // in blocks
    // What the launches work on in place of buffers and fresh variables of the module; the caller keeps it.
    const LastingMemory* memory = nullptr;
    // What malloc() in kernels has returned before, in one of the buffers: the launches go on with a copy.
    const KernelHeap* heap = nullptr;
    u32 heapBuffer = 0;
    std::string* printed = nullptr;     // receives what kernels print; null: standard error does
    u64 mostPrinted = 0;                // bytes by a block, at which all ends as by the limit; 0: any number
    std::string* assertions = nullptr;  // receives messages of failed assertions; null: as what is printed
    // Only these blocks are run, box by box: for each launch its boxes. Empty: all blocks.
    std::vector<std::vector<trace::SampleBox>> sample;
    // A launch that would need more is refused, if the caller keeps the buffers' initial contents
    // (launch_size.h). 0: none is.
    u64 mostThreadInstructions = kMostThreadInstructions;
};

struct Statistics {
    f64 seconds = 0;  // analysis of the kernel and the run; not the parsing
    u64 warpInstructions = 0, threadInstructions = 0;
    u64 followed = 0;  // blocks that followed the script of another (script/script.h)
    u32 threads = 1;
    u64 peakBytes = 0;  // of the process
    bool sequential = false, complete = true;
};

// The blocks of one box of a sample.
struct SampledBox {
    trace::GridCounts counts;   // of those that ran
    trace::GridCounts ofFirst;  // of the box's first block, if it ran
    u64 ran = 0;
    bool alike = true;     // each warp of each block executed the same steps with the same lane patterns
    bool tooLong = false;  // too much to tell
    std::array<u64, 2> digest{};  // of what they did
};

struct Result {
    std::vector<trace::GridCounts> counts;  // one per launch
    trace::Trace trace;
    std::vector<trace::Finding>
        findings;  // ordered by launch, block, thread, pc; one per site, kind and thread
    Statistics statistics;
    std::vector<trace::BufferHabit> habits;  // of the last launch, by allocation: of Options::memory only
    std::vector<std::vector<SampledBox>> sample;  // as in Options, if that is not empty
};

// Fault, with the source line: the first instruction reachable from `entry` that the emulator does not
// support.
Expected<void> checkSupported(const ptx::Module& module, std::string_view entry);

// Runs all launches in order on `buffers`: initial contents in, results out. A kernel's errors are findings
// in the Result; a Fault is a launch that cannot start (unknown entry, wrong arguments, limits). The result
// is that of running blocks in ascending order, whatever the number of threads. Of a sample, a Fault, too:
// blocks that communicate.
Expected<Result> run(const ptx::Module& module, std::span<const Launch> launches, std::span<Buffer> buffers,
                     const Options& options);

// The default focus blocks of a grid: first, an inner one, one at the edge, last; ascending, without repeats.
std::vector<Dim3> defaultFocus(Dim3 grid);

}  // namespace lockstep::simt
