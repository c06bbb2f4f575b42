// Driver errors in words for the user: one sentence each, including the driver's own name of the error.
#pragma once

#include "base/expected.h"
#include "cuda/driver_library.h"

#include <string>
#include <string_view>

namespace lockstep::cuda {

// CUresult values that callers tell apart; CUDA Driver API, "Data types used by CUDA driver".
enum DriverError : DriverResult {
    kOutOfMemory = 2,
    kNoDevice = 100,
    kInvalidPtx = 218,
    kUnsupportedPtxVersion = 222,
    kIllegalAddress = 700,
    kLaunchOutOfResources = 701,
    kLaunchTimeout = 702,
    kMisalignedAddress = 716,
    kLaunchFailed = 719,
};

// Whether the hardware aborted a kernel: 700 to 719, "exceptions on the device".
constexpr bool isKernelsFault(DriverResult result) {
    return result >= kIllegalAddress && result <= kLaunchFailed;
}

// A Fault about the GPU with our own sentence.
Fault gpuFault(Message message);

// `doing` completes "while ...": "asking for its free memory". Never called with kDriverSuccess.
Fault driverFault(const DriverLibrary& driver, DriverResult result, const Message& doing);

// The value of a call, or its Fault.
Expected<void> check(const DriverLibrary& driver, DriverResult result, const Message& doing);

}  // namespace lockstep::cuda
