#include "cuda/driver_library.h"

#include "cuda/driver_error.h"

#include <cstdlib>
#include <memory>
#include <mutex>

namespace lockstep::cuda {
namespace {

// Kept for good: the driver does not survive being closed while its own threads run.
struct Opened {
    explicit Opened(DynamicLibrary l) : library(std::move(l)), functions(library) {}
    DynamicLibrary library;
    DriverLibrary functions;
};

std::string libraryName() {
    const char* chosen = std::getenv("LOCKSTEP_LIBCUDA");
    return chosen && *chosen ? chosen : "libcuda.so.1";
}

Expected<std::unique_ptr<Opened>> openAndInitialise() {
    const std::string name = libraryName();
    std::optional<DynamicLibrary> library = DynamicLibrary::open(name);
    if (!library)
        return Unexpected{
            gpuFault("there is no NVIDIA driver (" + name +
                         "); kernels run on the emulator, and times and hardware counters need a GPU",
                     "没有 NVIDIA 驱动（" + name + "）；核函数在模拟器上运行，计时和硬件计数器需要 GPU")};
    auto opened = std::make_unique<Opened>(std::move(*library));
    // The youngest of ours, cuDevicePrimaryCtxRelease_v2, came with CUDA 11.0, that is driver 450: CUDA
    // release notes.
    if (const char* missing = opened->functions.missingFunction())
        return Unexpected{
            gpuFault("this NVIDIA driver is too old, it has no " + std::string(missing) +
                         "; install driver 450 or later, until then kernels run on the emulator",
                     "NVIDIA 驱动太旧，没有 " + std::string(missing) +
                         "；请安装 450 或更新的驱动，在此之前核函数在模拟器上运行")};
    if (const DriverResult result = opened->functions.init(0))
        return Unexpected{driverFault(opened->functions, result, "starting it")};
    return opened;
}

}  // namespace

bool isDriverInstalled() { return DynamicLibrary::open(libraryName()).has_value(); }

Expected<const DriverLibrary*> driverLibrary() {
    static std::mutex mutex;
    static std::unique_ptr<Opened> kept;
    const std::lock_guard lock(mutex);
    if (!kept) {
        Expected<std::unique_ptr<Opened>> opened = openAndInitialise();
        if (!opened) return Unexpected{opened.error()};
        kept = std::move(*opened);
    }
    return &kept->functions;
}

}  // namespace lockstep::cuda
