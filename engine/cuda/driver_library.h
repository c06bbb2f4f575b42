// The functions of libcuda that we call, one row each. libcuda is loaded at run time and never linked.
#pragma once

#include "base/expected.h"
#include "cuda/dynamic_library.h"

#include <cstddef>
#include <string>

namespace lockstep::cuda {

// Types as in cuda.h of the CUDA toolkit, which we neither have nor need: "CUDA Driver API" documentation.
using DriverResult = int;  // CUresult: 0 = CUDA_SUCCESS
inline constexpr DriverResult kDriverSuccess = 0;
using DevicePointer = unsigned long long;  // CUdeviceptr
using DeviceHandle = int;                  // CUdevice
using ContextHandle = struct DriverContext*;
using ModuleHandle = struct DriverModule*;
using FunctionHandle = struct DriverFunctionOpaque*;
using EventHandle = struct DriverEvent*;
using StreamHandle = struct DriverStream*;  // nullptr: the default stream, the only one we use

// Looks up the functions of a library; remembers the first missing one.
struct SymbolSource {
    const DynamicLibrary& library;
    const char* missing = nullptr;
};

template <class... Arguments> class DriverFunction {
public:
    DriverFunction(SymbolSource& source, const char* name) {
        if (!source.library.find(name, function_) && !source.missing) source.missing = name;
    }
    DriverResult operator()(Arguments... arguments) const { return function_(arguments...); }

private:
    DriverResult (*function_)(Arguments...) = nullptr;
};

// clang-format off: a table is read by its columns
struct DriverTable {
    explicit DriverTable(SymbolSource& s) : source(s) {}
    SymbolSource& source;

    DriverFunction<unsigned> init{source, "cuInit"};
    DriverFunction<int*> driverGetVersion{source, "cuDriverGetVersion"};
    DriverFunction<DriverResult, const char**> getErrorName{source, "cuGetErrorName"};
    DriverFunction<DriverResult, const char**> getErrorString{source, "cuGetErrorString"};

    DriverFunction<int*> deviceGetCount{source, "cuDeviceGetCount"};
    DriverFunction<DeviceHandle*, int> deviceGet{source, "cuDeviceGet"};
    DriverFunction<char*, int, DeviceHandle> deviceGetName{source, "cuDeviceGetName"};
    DriverFunction<int*, int, DeviceHandle> deviceGetAttribute{source, "cuDeviceGetAttribute"};
    DriverFunction<std::size_t*, DeviceHandle> deviceTotalMem{source, "cuDeviceTotalMem_v2"};

    DriverFunction<ContextHandle*, DeviceHandle> primaryContextRetain{source, "cuDevicePrimaryCtxRetain"};
    DriverFunction<DeviceHandle> primaryContextRelease{source, "cuDevicePrimaryCtxRelease_v2"};
    DriverFunction<ContextHandle> contextSetCurrent{source, "cuCtxSetCurrent"};
    DriverFunction<> contextSynchronize{source, "cuCtxSynchronize"};

    DriverFunction<ModuleHandle*, const void*, unsigned, int*, void**> moduleLoadDataEx{source,
                                                                                        "cuModuleLoadDataEx"};
    DriverFunction<ModuleHandle> moduleUnload{source, "cuModuleUnload"};
    DriverFunction<FunctionHandle*, ModuleHandle, const char*> moduleGetFunction{source,
                                                                                 "cuModuleGetFunction"};
    DriverFunction<DevicePointer*, std::size_t*, ModuleHandle, const char*> moduleGetGlobal{
        source, "cuModuleGetGlobal_v2"};
    DriverFunction<int*, int, FunctionHandle> functionGetAttribute{source, "cuFuncGetAttribute"};
    DriverFunction<FunctionHandle, int, int> functionSetAttribute{source, "cuFuncSetAttribute"};
    DriverFunction<int*, FunctionHandle, int, std::size_t> occupancyBlocksPerSm{
        source, "cuOccupancyMaxActiveBlocksPerMultiprocessor"};

    DriverFunction<DevicePointer*, std::size_t> memoryAllocate{source, "cuMemAlloc_v2"};
    DriverFunction<DevicePointer*, std::size_t*, std::size_t, std::size_t, unsigned> memoryAllocatePitch{
        source, "cuMemAllocPitch_v2"};
    DriverFunction<DevicePointer> memoryFree{source, "cuMemFree_v2"};
    DriverFunction<void**, std::size_t, unsigned> hostAllocate{source, "cuMemHostAlloc"};
    DriverFunction<void*> hostFree{source, "cuMemFreeHost"};
    DriverFunction<DevicePointer, const void*, std::size_t> copyToDevice{source, "cuMemcpyHtoD_v2"};
    DriverFunction<void*, DevicePointer, std::size_t> copyToHost{source, "cuMemcpyDtoH_v2"};
    DriverFunction<DevicePointer, const void*, std::size_t, StreamHandle> copyToDeviceAsync{
        source, "cuMemcpyHtoDAsync_v2"};
    DriverFunction<void*, DevicePointer, std::size_t, StreamHandle> copyToHostAsync{source,
                                                                                    "cuMemcpyDtoHAsync_v2"};
    DriverFunction<DevicePointer, DevicePointer, std::size_t, StreamHandle> copyOnDeviceAsync{
        source, "cuMemcpyDtoDAsync_v2"};
    DriverFunction<DevicePointer, unsigned char, std::size_t, StreamHandle> memorySetAsync{source,
                                                                                           "cuMemsetD8Async"};

    DriverFunction<FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   StreamHandle, void**, void**>
        launchKernel{source, "cuLaunchKernel"};

    DriverFunction<EventHandle*, unsigned> eventCreate{source, "cuEventCreate"};
    DriverFunction<EventHandle> eventDestroy{source, "cuEventDestroy_v2"};
    DriverFunction<EventHandle, StreamHandle> eventRecord{source, "cuEventRecord"};
    DriverFunction<EventHandle> eventSynchronize{source, "cuEventSynchronize"};
    DriverFunction<float*, EventHandle, EventHandle> eventElapsedTime{source, "cuEventElapsedTime"};
};
// clang-format on

class DriverLibrary : private SymbolSource, public DriverTable {
public:
    explicit DriverLibrary(const DynamicLibrary& opened)
        : SymbolSource{opened}, DriverTable(static_cast<SymbolSource&>(*this)) {}
    DriverLibrary(const DriverLibrary&) = delete;
    DriverLibrary& operator=(const DriverLibrary&) = delete;

    // The first function that this driver lacks; nullptr: none.
    const char* missingFunction() const { return missing; }
};

// Opened, initialized (cuInit) and kept for good. $LOCKSTEP_LIBCUDA names another library than the system's
// (tests use a fake one). Fault: no driver, too old, or an error.
Expected<const DriverLibrary*> driverLibrary();

// Whether there is a driver to load, without initializing it: takes microseconds.
bool isDriverInstalled();

}  // namespace lockstep::cuda
