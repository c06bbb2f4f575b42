#include "cuda/driver_library.h"

#include "cuda/driver_error.h"

#include <cstdlib>
#include <memory>
#include <mutex>

namespace lockstep::cuda {
namespace {

// Never closed: the driver does not survive being closed while its own threads run.
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
            gpuFault(Message(english("there is no NVIDIA driver ({0}); kernels run on the emulator, "
                                     "and times and hardware counters need a GPU"),
                             name))};
    auto opened = std::make_unique<Opened>(std::move(*library));
    // The newest function we use, cuDevicePrimaryCtxRelease_v2, came with CUDA 11.0, that is driver 450: CUDA
    // release notes.
    if (const char* missing = opened->functions.missingFunction())
        return Unexpected{
            gpuFault(Message(english("this NVIDIA driver is too old, it has no {0}; install driver "
                                     "450 or later, until then kernels run on the emulator"),
                             missing))};
    if (const DriverResult result = opened->functions.init(0))
        return Unexpected{driverFault(opened->functions, result, english("starting it"))};
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
