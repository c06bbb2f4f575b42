#include "cuda/driver.h"

#include "cuda/driver_error.h"
#include "cuda/driver_library.h"

#include <algorithm>
#include <fstream>

namespace lockstep::cuda {
namespace {

// CUdevice_attribute; CUDA Driver API, "Data types used by CUDA driver".
enum Attribute {
    kClockRate = 13,
    kMultiprocessorCount = 16,
    kMemoryClockRate = 36,
    kL2CacheSize = 38,
    kCapabilityMajor = 75,
    kCapabilityMinor = 76,
    kSharedBytesOptIn = 97,
};

std::string driverRelease() {
    std::ifstream in("/proc/driver/nvidia/version");
    std::string line;
    std::getline(in, line);
    return driverReleaseIn(line);
}

}  // namespace

// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build": the word of digits and
// dots.
std::string driverReleaseIn(std::string_view text) {
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find_first_of(" \t\n"));
        const bool isVersion = word.find('.') != std::string_view::npos &&
                               word.find_first_not_of("0123456789.") == std::string_view::npos;
        if (isVersion) return std::string(word);
        text.remove_prefix(std::min(word.size() + 1, text.size()));
    }
    return {};
}

Expected<DriverInfo> findDriver() {
    const Expected<const DriverLibrary*> opened = driverLibrary();
    if (!opened) return Unexpected{opened.error()};
    const DriverLibrary& driver = **opened;

    DriverInfo info;
    int version = 0, count = 0;
    if (const auto known = check(driver, driver.driverGetVersion(&version), english("asking its version"));
        !known)
        return Unexpected{known.error()};
    if (const auto known = check(driver, driver.deviceGetCount(&count), english("counting the GPUs")); !known)
        return Unexpected{known.error()};
    if (count == 0) return Unexpected{driverFault(driver, kNoDevice, english("counting the GPUs"))};
    info.release = driverRelease();
    info.version = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        DeviceHandle handle = 0;
        char name[256] = {};
        std::size_t bytes = 0;
        DriverResult result = driver.deviceGet(&handle, ordinal);
        if (!result) result = driver.deviceGetName(name, sizeof name - 1, handle);
        if (!result) result = driver.deviceTotalMem(&bytes, handle);
        if (result)
            return Unexpected{
                driverFault(driver, result, Message(english("asking GPU {0} what it is"), ordinal))};
        const auto attribute = [&](Attribute number) {
            int value = 0;
            return driver.deviceGetAttribute(&value, number, handle) == kDriverSuccess ? value : 0;
        };
        info.devices.push_back({.name = name,
                                .major = attribute(kCapabilityMajor),
                                .minor = attribute(kCapabilityMinor),
                                .memoryBytes = bytes,
                                .multiprocessors = u32(attribute(kMultiprocessorCount)),
                                .l2Bytes = u64(attribute(kL2CacheSize)),
                                .clockKhz = u32(attribute(kClockRate)),
                                .memoryClockKhz = u32(attribute(kMemoryClockRate)),
                                .sharedBytesOptIn = u32(attribute(kSharedBytesOptIn))});
    }
    return info;
}

}  // namespace lockstep::cuda
