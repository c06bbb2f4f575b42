// One piece of work for the GPU, and what came of it: the values that travel between the program and its
// worker process.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "cuda/driver.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cuda {

// What the second-level cache holds when a timed execution begins.
enum class CacheState : u8 {
    Cold,  // none of the experiment's data: a buffer larger than the cache was read just before
    Warm,  // whatever the execution before left there
};

// Every buffer stands between guard zones of poison this wide, unless the job says otherwise.
inline constexpr u64 kGuardBytes = u64{1} << 20;

// Device memory beside the experiment's buffers: zeros at first.
struct Scratch {
    u64 bytes = 0;
    bool wanted = true;  // its contents after the first execution are part of the outcome
};

// 8 bytes of a module's variable, set before the first launch: an address, or a number.
struct VariableSetting {
    std::string variable;
    u64 offsetBytes = 0;
    bool isAddress = false;
    u64 value = 0;  // an address: of the buffer of that number; behind the buffers come the scratch memories
};

// A variable of the module that the kernels may write: it gets its initial contents back before each timed
// execution.
struct ChangingVariable {
    std::string name;     // in the PTX
    bool steers = false;  // as of Job::steering
};

struct Job {
    u32 device = 0;
    std::string ptx;
    std::vector<Launch> launches;  // in order; entries by their PTX names
    std::vector<Buffer> buffers;   // initial contents
    std::vector<u64> guardBytes;   // one a buffer; of those missing: kGuardBytes
    std::vector<Scratch> scratch;
    std::vector<VariableSetting> settings;

    // Buffers whose contents may decide which way the kernels go and what they access: once an execution has
    // changed one, the next needs the initial contents again. Executions share a batch only where that is not
    // so.
    std::vector<u32> dataDependence;
    std::vector<ChangingVariable> variables;

    u32 timedExecutions = 0;  // of all launches in order, after a warm-up; 0: nothing is timed
    f64 timingSeconds = 10;   // where the executions would take longer, there are fewer, but three
    CacheState cache = CacheState::Warm;

    std::vector<std::string> metrics;  // ncu's names, ".sum" included; empty: nothing is counted
    u32 readings = 1;                  // how often all of them are read, each time from the beginning
};

// What the driver's compiler made of one launch's kernel.
struct CompiledLaunch {
    u32 registers = 0;  // a thread
    u32 staticSharedBytes = 0, localBytes = 0;
    u32 blocksPerSm = 0;  // that fit one multiprocessor at once
};

// Bytes of a guard zone that something overwrote: offset from the buffer's first byte.
struct StrayBytes {
    u32 buffer = 0;
    s64 offset = 0;
    u64 bytes = 0;
};

// After the first execution: compiled, run once, checked.
struct Outcome {
    Device device;
    std::string driver, driverRelease;  // as in DriverInfo
    std::vector<CompiledLaunch> launches;
    std::vector<Buffer> buffers;  // the results
    std::vector<StrayBytes> strays;
    std::vector<u64> addresses;                   // where the buffers lay
    std::vector<std::vector<std::byte>> scratch;  // of those that are wanted; empty for the others
    u64 pitchBytes = 0;           // what cuMemAllocPitch makes of a row of 4 bytes; 0: not known
    f64 contextMilliseconds = 0;  // that opening the device's context took; 0: it was open already
};

struct Copy {
    u64 bytes = 0;
    f64 milliseconds = 0;  // median
};

// All launches by the host's clock, from the first call until the device is done: what a program sees that
// waits for its kernels.
struct HostClock {
    f64 firstMs = 0;  // the very first execution, which pays for loading the code
    f64 warmMs = 0;   // one after the warm-up
};

struct Timing {
    std::vector<f64> milliseconds;  // of one execution of all launches; one entry a measurement, in order
    u32 batch = 1;  // executions between the two events of a measurement; their mean is its entry
    CacheState cache = CacheState::Warm;
    f64 smMegahertz = 0;  // the multiprocessors' clock, measured just after; 0: not known
    HostClock host;
    Copy toDevice, toHost;  // all buffers one way and back, from and to ordinary (pageable) memory
};

// One entry a launch: ncu's name, ".sum" included -> value.
using Counters = std::vector<std::map<std::string, f64>>;

}  // namespace lockstep::cuda
