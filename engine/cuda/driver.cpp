#include "cuda/driver.h"

#include "cuda/dynamic_library.h"

namespace lockstep::cuda {
namespace {

// The few functions of the driver API that are asked; CUDA Driver API, "Initialization", "Device Management".
struct DriverFunctions {
    int (*init)(unsigned flags) = nullptr;
    int (*driverGetVersion)(int* version) = nullptr;
    int (*deviceGetCount)(int* count) = nullptr;
    int (*deviceGet)(int* device, int ordinal) = nullptr;
    int (*deviceGetName)(char* name, int length, int device) = nullptr;
    int (*deviceGetAttribute)(int* value, int attribute, int device) = nullptr;
    int (*deviceTotalMem)(std::size_t* bytes, int device) = nullptr;
    int (*getErrorString)(int error, const char** text) = nullptr;

    bool find(const DynamicLibrary& library) {
        return library.find("cuInit", init) && library.find("cuDriverGetVersion", driverGetVersion) &&
               library.find("cuDeviceGetCount", deviceGetCount) && library.find("cuDeviceGet", deviceGet) &&
               library.find("cuDeviceGetName", deviceGetName) &&
               library.find("cuDeviceGetAttribute", deviceGetAttribute) &&
               library.find("cuDeviceTotalMem_v2", deviceTotalMem) &&
               library.find("cuGetErrorString", getErrorString);
    }
};

constexpr int kCapabilityMajor = 75,
              kCapabilityMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR

Unexpected refused(const DriverFunctions& driver, int error) {
    const char* text = nullptr;
    driver.getErrorString(error, &text);
    return fail(FaultKind::Gpu, std::string("the NVIDIA driver refuses (") +
                                    (text ? text : "error " + std::to_string(error)) +
                                    "); kernels run on the emulator");
}

}  // namespace

Expected<DriverInfo> findDriver() {
    std::optional<DynamicLibrary> library = DynamicLibrary::open("libcuda.so.1");
    DriverFunctions driver;
    if (!library || !driver.find(*library))
        return fail(FaultKind::Gpu,
                    "there is no NVIDIA driver; kernels run on the emulator, and times and hardware counters "
                    "need a GPU");
    if (const int error = driver.init(0)) return refused(driver, error);

    DriverInfo info;
    int version = 0, count = 0;
    if (const int error = driver.driverGetVersion(&version)) return refused(driver, error);
    if (const int error = driver.deviceGetCount(&count)) return refused(driver, error);
    info.version = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        int handle = 0;
        char name[256] = {};
        Device device;
        std::size_t bytes = 0;
        if (driver.deviceGet(&handle, ordinal) || driver.deviceGetName(name, sizeof name - 1, handle) ||
            driver.deviceGetAttribute(&device.major, kCapabilityMajor, handle) ||
            driver.deviceGetAttribute(&device.minor, kCapabilityMinor, handle) ||
            driver.deviceTotalMem(&bytes, handle))
            continue;
        device.name = name;
        device.memoryBytes = bytes;
        info.devices.push_back(std::move(device));
    }
    // The driver stays loaded: it does not survive being closed while its own threads run.
    static std::optional<DynamicLibrary> keptOpen;
    keptOpen = std::move(library);
    return info;
}

}  // namespace lockstep::cuda
