// Information from the CUDA driver about itself and its devices. libcuda is loaded at run time, never linked.
#pragma once

#include "base/expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cuda {

struct Device {
    std::string name;          // "NVIDIA H200"
    int major = 0, minor = 0;  // compute capability
    u64 memoryBytes = 0;
    u32 multiprocessors = 0;
    u64 l2Bytes = 0;
    u32 clockKhz = 0, memoryClockKhz = 0;  // the peak that the driver reports; 0: not reported
    u32 sharedBytesOptIn = 0;              // maximum shared memory of a block
};

struct DriverInfo {
    std::string version;  // of CUDA that the driver knows: "13.0"
    std::string release;  // the driver's own version: "580.95.05"; empty: unknown
    // In the driver's order: CUDA_VISIBLE_DEVICES hides and reorders them as for every CUDA program.
    std::vector<Device> devices;
};

// The driver's version from the text of /proc/driver/nvidia/version; empty: not found.
std::string driverReleaseIn(std::string_view text);

// Fault: no driver, or it fails; the message adds that the emulator works without it.
Expected<DriverInfo> findDriver();

}  // namespace lockstep::cuda
