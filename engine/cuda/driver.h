// What the CUDA driver says of itself and its devices. libcuda is opened at run time, never linked.
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
    u32 clockKhz = 0, memoryClockKhz = 0;  // the highest the driver states; 0: it does not say
    u32 sharedBytesOptIn = 0;              // most shared memory of a block
};

struct DriverInfo {
    std::string version;  // of CUDA that the driver knows: "13.0"
    std::string release;  // the driver's own version: "580.95.05"; empty: the system does not say
    // In the driver's order: CUDA_VISIBLE_DEVICES hides and reorders them as for every CUDA program.
    std::vector<Device> devices;
};

// The driver's version in what /proc/driver/nvidia/version says; empty: there is none.
std::string driverReleaseIn(std::string_view text);

// A Fault where there is no driver, or it refuses, says so and that the emulator runs all the same.
Expected<DriverInfo> findDriver();

}  // namespace lockstep::cuda
