#include "cuda/cupti_library.h"

#include "cuda/driver_error.h"

#include <cstdlib>
#include <mutex>
#include <optional>
#include <vector>

namespace lockstep::cuda {
namespace {

std::vector<std::string> candidates() {
    if (const char* chosen = std::getenv("LOCKSTEP_CUPTI"); chosen && *chosen)
        return {chosen};  // a path given by the user is the only one tried
    std::vector<std::string> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* toolkit = std::getenv(variable); toolkit && *toolkit) folders.emplace_back(toolkit);
    folders.emplace_back("/usr/local/cuda");
    folders.emplace_back("/opt/cuda");
    std::vector<std::string> paths;
    for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
        for (const std::string& folder : folders)
            for (const char* below : {"/extras/CUPTI/lib64/", "/lib64/"})
                paths.push_back(folder + below + name);
        paths.emplace_back(name);
    }
    return paths;
}

bool findAll(CuptiLibrary& l) {
    const DynamicLibrary& from = l.library;
    return from.find("cuptiGetResultString", l.getResultString) &&
           from.find("cuptiProfilerInitialize", l.initialize) &&
           from.find("cuptiDeviceGetChipName", l.getChipName) &&
           from.find("cuptiProfilerGetCounterAvailability", l.counterAvailability) &&
           from.find("cuptiProfilerHostInitialize", l.hostInitialize) &&
           from.find("cuptiProfilerHostDeinitialize", l.hostDeinitialize) &&
           from.find("cuptiProfilerHostConfigAddMetrics", l.addMetrics) &&
           from.find("cuptiProfilerHostGetConfigImageSize", l.configImageSize) &&
           from.find("cuptiProfilerHostGetConfigImage", l.configImage) &&
           from.find("cuptiProfilerHostEvaluateToGpuValues", l.evaluate) &&
           from.find("cuptiRangeProfilerEnable", l.enable) &&
           from.find("cuptiRangeProfilerDisable", l.disable) &&
           from.find("cuptiRangeProfilerGetCounterDataSize", l.dataSize) &&
           from.find("cuptiRangeProfilerCounterDataImageInitialize", l.dataInitialize) &&
           from.find("cuptiRangeProfilerSetConfig", l.setConfig) &&
           from.find("cuptiRangeProfilerStart", l.start) && from.find("cuptiRangeProfilerStop", l.stop) &&
           from.find("cuptiRangeProfilerPushRange", l.pushRange) &&
           from.find("cuptiRangeProfilerPopRange", l.popRange) &&
           from.find("cuptiRangeProfilerDecodeData", l.decode);
}

}  // namespace

Expected<const CuptiLibrary*> cuptiLibrary() {
    static std::mutex mutex;
    static std::optional<CuptiLibrary> kept;
    const std::lock_guard lock(mutex);
    if (kept) return &*kept;
    bool isTooOld = false;
    for (const std::string& path : candidates()) {
        std::optional<DynamicLibrary> opened = DynamicLibrary::open(path);
        if (!opened) continue;
        CuptiLibrary library(std::move(*opened));
        if (!findAll(library)) {
            isTooOld = true;
            continue;
        }
        library.path = library.library.path("cuptiProfilerInitialize");
        kept = std::move(library);
        return &*kept;
    }
    if (isTooOld)
        return Unexpected{
            gpuFault(english("the CUPTI found here has no range profiler; install that of CUDA 12.6 "
                             "or later for hardware counters"))};
    return Unexpected{
        gpuFault(english("CUPTI is not found, so hardware counters cannot be read; it comes with the "
                         "CUDA toolkit (package cuda-cupti), or name the library in "
                         "LOCKSTEP_CUPTI"))};
}

}  // namespace lockstep::cuda
