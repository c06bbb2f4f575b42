// What the CUDA driver says of itself and its devices. libcuda is opened at run time, never linked.
#pragma once

#include "base/expected.h"

#include <string>
#include <vector>

namespace lockstep::cuda {

struct Device {
    std::string name;          // "NVIDIA H200"
    int major = 0, minor = 0;  // compute capability
    u64 memoryBytes = 0;
};

struct DriverInfo {
    std::string version;  // of CUDA that the driver knows: "13.0"
    std::vector<Device> devices;
};

// A Fault where there is no driver, or it refuses, says so and that the emulator runs all the same.
Expected<DriverInfo> findDriver();

}  // namespace lockstep::cuda
