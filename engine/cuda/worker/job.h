// A job for the GPU and its results: the values exchanged between the program and its worker process.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "cuda/driver.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cuda {

// Contents of L2 when a timed execution begins.
enum class CacheState : u8 {
    Cold,  // none of the experiment's data: a buffer larger than the cache was just read
    Warm,  // what the previous execution left
};

// Every buffer is between guard zones of poison of this size, unless the job says otherwise.
inline constexpr u64 kGuardBytes = u64{1} << 20;

// Device memory beside the experiment's buffers, zero-initialized.
struct Scratch {
    u64 bytes = 0;
    bool wanted = true;  // its contents after the first execution are part of the outcome
};

// 8 bytes of a module's variable, set before the first launch: an address, or a number.
struct VariableSetting {
    std::string variable;
    u64 offsetBytes = 0;
    bool isAddress = false;
    u64 value = 0;  // an address: of the buffer of that number; scratch memories follow the buffers
};

// A variable of the module that the kernels may write: its initial contents are restored before each timed
// execution.
struct ChangingVariable {
    std::string name;     // in the PTX
    bool steers = false;  // as in Job::steering
};

struct Job {
    u32 device = 0;
    std::string ptx;
    std::vector<Launch> launches;  // in order; entries by their PTX names
    std::vector<Buffer> buffers;   // initial contents
    std::vector<u64> guardBytes;   // one per buffer; missing ones: kGuardBytes
    std::vector<Scratch> scratch;
    std::vector<VariableSetting> settings;

    // Buffers whose contents may affect control flow and addresses: if an execution changes one, the next
    // needs the initial contents again. Executions share a batch only if none does.
    std::vector<u32> dataDependence;
    std::vector<ChangingVariable> variables;

    u32 timedExecutions = 0;  // of all launches in order, after a warm-up; 0: no timing
    f64 timingSeconds = 10;   // if the executions would take longer, there are fewer, but at least three
    CacheState cache = CacheState::Warm;

    std::vector<std::string> metrics;  // ncu's names, including ".sum"; empty: no counting
    u32 readings = 1;                  // how often all of them are read, each time from the beginning
};

// One launch's kernel as the driver compiled it.
struct CompiledLaunch {
    u32 registers = 0;  // per thread
    u32 staticSharedBytes = 0, localBytes = 0;
    u32 blocksPerSm = 0;  // resident on one SM
};

// Overwritten bytes of a guard zone: offset from the buffer's first byte.
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
    std::vector<u64> addresses;                   // addresses of the buffers
    std::vector<std::vector<std::byte>> scratch;  // of those requested; empty for the others
    u64 pitchBytes = 0;           // pitch from cuMemAllocPitch for a row of 4 bytes; 0: not known
    f64 contextMilliseconds = 0;  // time to open the device's context; 0: it was already open
};

struct Copy {
    u64 bytes = 0;
    f64 milliseconds = 0;  // median
};

// All launches by the host's clock, from the first call until the device is done: the time for a program that
// waits for its kernels.
struct HostClock {
    f64 firstMs = 0;  // the very first execution, which pays for loading the code
    f64 warmMs = 0;   // one after the warm-up
};

struct Timing {
    std::vector<f64> milliseconds;  // of one execution of all launches; one entry per measurement, in order
    u32 batch = 1;  // executions between the two events of a measurement; the entry is their mean
    CacheState cache = CacheState::Warm;
    f64 smMegahertz = 0;  // SM clock, measured just after; 0: not known
    HostClock host;
    Copy toDevice, toHost;  // all buffers, to the device and back, from and to pageable memory
};

// One entry per launch: ncu's name, including ".sum" -> value.
using Counters = std::vector<std::map<std::string, f64>>;

}  // namespace lockstep::cuda
