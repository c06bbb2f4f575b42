// The device, streams, events and errors.
#include "cudart/call.h"
#include "cudart/graph.h"
#include "cudart/pools.h"
#include "cudart/streams.h"
#include "cudart/unwaited.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <set>

using namespace lockstep::cudart;

struct CUevent_st {
    std::uint64_t number = 0;
    bool isRecorded = false, isTimed = true;
    std::uint64_t work = 0;     // that was asked for before
    std::uint64_t capture = 0;  // in which it was recorded; 0: in none
    std::chrono::steady_clock::time_point at{};
};

namespace {

// A stream may wait for others: by events, or the default stream, which all of them wait for.
bool areStreamsTied = false;

constexpr int kGreatestPriority = -5;

std::map<const void*, std::uint64_t> streamNumbers;
std::uint64_t lastStream = kPerThreadStream, lastEvent = 0;

cudaError_t madeStream(Call& call, cudaStream_t* stream, int priority, unsigned int flags) {
    if (!stream) return call.done(cudaErrorInvalidValue);
    *stream = new CUstream_st{priority, !(flags & cudaStreamNonBlocking)};
    streamNumbers[*stream] = ++lastStream;
    call.tell({.kind = OperationKind::MakeStream, .stream = lastStream});
    return cudaSuccess;
}
cudaError_t madeEvent(Call& call, cudaEvent_t* event, unsigned int flags) {
    if (!event) return call.done(cudaErrorInvalidValue);
    *event = new CUevent_st{.number = ++lastEvent, .isTimed = !(flags & cudaEventDisableTiming)};
    call.tell({.kind = OperationKind::MakeEvent, .event = lastEvent});
    return cudaSuccess;
}

// A call that does what it should by doing nothing: work is done when it is asked for.
cudaError_t nothing(Call& call, bool isValid = true) {
    return call.done(isValid ? cudaSuccess : cudaErrorInvalidValue);
}

void describe(cudaDeviceProp& to, const Device& device) {
    to = {};
    std::memcpy(to.name, device.name, sizeof to.name);
    to.totalGlobalMem = device.memoryBytes;
    to.sharedMemPerBlock = device.sharedPerBlock;
    to.regsPerBlock = to.regsPerMultiprocessor = int(device.registersPerSm);
    to.warpSize = 32;
    to.memPitch = 2147483647;
    to.maxThreadsPerBlock = int(device.threadsPerBlock);
    std::copy_n(device.block, 3, to.maxThreadsDim);
    std::copy_n(device.grid, 3, to.maxGridSize);
    to.clockRate = int(device.clockKilohertz);
    to.totalConstMem = 65536;
    to.major = int(device.major);
    to.minor = int(device.minor);
    to.textureAlignment = 512;
    to.texturePitchAlignment = 32;
    // CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
    to.maxTexture1D = to.maxTexture2D[0] = 131'072;
    to.maxTexture2D[1] = 65'536;
    for (int& most : to.maxTexture3D)
        most = 16'384;
    to.maxTexture1DLayered[0] = to.maxTexture2DLayered[0] = to.maxTexture2DLayered[1] = 32'768;
    to.maxTexture1DLayered[1] = to.maxTexture2DLayered[2] = 2'048;
    to.surfaceAlignment = 512;
    to.deviceOverlap = to.concurrentKernels = to.canMapHostMemory = to.unifiedAddressing = to.managedMemory =
        1;
    to.concurrentManagedAccess = to.cooperativeLaunch = to.streamPrioritiesSupported =
        to.globalL1CacheSupported = 1;
    to.localL1CacheSupported = 1;
    to.multiProcessorCount = int(device.multiprocessors);
    to.asyncEngineCount = 2;
    to.l2CacheSize = int(device.l2Bytes);
    to.maxThreadsPerMultiProcessor = int(device.threadsPerSm);
    to.sharedMemPerMultiprocessor = device.sharedPerSm;
    to.sharedMemPerBlockOptin = device.sharedOptIn;
    to.reservedSharedMemPerBlock = device.sharedReserved;
    to.maxBlocksPerMultiProcessor = int(device.blocksPerSm);
    to.hostRegisterSupported = to.memoryPoolsSupported = to.canUseHostPointerForRegisteredMem = 1;
    to.computePreemptionSupported = 1;
    // The width is that of an H200; with the clock it makes the bandwidth of the card's data sheet, two
    // transfers a clock.
    to.memoryBusWidth = 6144;
    to.memoryClockRate =
        int(device.memoryMegabytesPerSecond * 1000 / 2 / std::uint64_t(to.memoryBusWidth / 8));
}

}  // namespace

namespace lockstep::cudart {

std::uint64_t numberOf(const void* stream) {
    if (isLegacy(cudaStream_t(const_cast<void*>(stream)))) return kDefaultStream;
    if (stream == cudaStreamPerThread) return kPerThreadStream;
    const auto found = streamNumbers.find(stream);
    return found == streamNumbers.end() ? kNone : found->second;
}

void waitedFor(cudaStream_t stream) {
    if (areStreamsTied || !isOfProgram(stream)) return unwaited::waited();
    unwaited::waitedForStream(stream);
    for (cudaStream_t common : {cudaStream_t(nullptr), cudaStreamLegacy, cudaStreamPerThread})
        unwaited::waitedForStream(common);
}

}  // namespace lockstep::cudart

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    LOCKSTEP_CALL("cudaGetDeviceCount");
    if (!count) return call.done(cudaErrorInvalidValue);
    *count = isConnected() ? 1 : 0;
    return call.done(isConnected() ? cudaSuccess : cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int* device) {
    LOCKSTEP_CALL("cudaGetDevice");
    if (device) *device = 0;
    return nothing(call, device);
}
cudaError_t cudaSetDevice(int device) {
    LOCKSTEP_CALL("cudaSetDevice");
    return call.done(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaSetDeviceFlags(unsigned int) {
    LOCKSTEP_CALL("cudaSetDeviceFlags");
    return nothing(call);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    LOCKSTEP_CALL("cudaGetDeviceProperties");
    if (device != 0) return call.done(cudaErrorInvalidDevice);
    if (!properties) return call.done(cudaErrorInvalidValue);
    describe(*properties, state().device);
    return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
    LOCKSTEP_CALL("cudaChooseDevice");
    if (device) *device = 0;
    return nothing(call, device);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    LOCKSTEP_CALL("cudaDeviceGetAttribute");
    if (device != 0) return call.done(cudaErrorInvalidDevice);
    if (!value) return call.done(cudaErrorInvalidValue);
    cudaDeviceProp p;
    describe(p, state().device);
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
        case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
        case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
        case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
        case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
        case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
        case cudaDevAttrTotalConstantMemory: *value = int(p.totalConstMem); break;
        case cudaDevAttrWarpSize: *value = p.warpSize; break;
        case cudaDevAttrMaxPitch: *value = int(p.memPitch); break;
        case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
        case cudaDevAttrClockRate: *value = p.clockRate; break;
        case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
        case cudaDevAttrComputeMode:
        case cudaDevAttrEccEnabled:
        case cudaDevAttrKernelExecTimeout:
        case cudaDevAttrIntegrated:
        case cudaDevAttrPciBusId:
        case cudaDevAttrPciDeviceId:
        case cudaDevAttrPciDomainId:
        case cudaDevAttrTccDriver:
        case cudaDevAttrIsMultiGpuBoard:
        case cudaDevAttrMultiGpuBoardGroupID:
        case cudaDevAttrHostNativeAtomicSupported:
        case cudaDevAttrCooperativeMultiDeviceLaunch:
        case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
        case cudaDevAttrDirectManagedMemAccessFromHost:
        case cudaDevAttrMaxPersistingL2CacheSize:
        case cudaDevAttrMaxAccessPolicyWindowSize:
        case cudaDevAttrClusterLaunch:
        case cudaDevAttrPageableMemoryAccess: *value = 0; break;
        case cudaDevAttrTextureAlignment: *value = int(p.textureAlignment); break;
        case cudaDevAttrTexturePitchAlignment: *value = int(p.texturePitchAlignment); break;
        case cudaDevAttrReservedSharedMemoryPerBlock: *value = int(p.reservedSharedMemPerBlock); break;
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrGlobalL1CacheSupported:
        case cudaDevAttrLocalL1CacheSupported:
        case cudaDevAttrComputePreemptionSupported:
        case cudaDevAttrCanUseHostPointerForRegisteredMem:
        case cudaDevAttrHostRegisterSupported:
        case cudaDevAttrMemoryPoolsSupported:
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrCooperativeLaunch: *value = 1; break;
        case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
        case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
        case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
        case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
        case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = int(p.sharedMemPerMultiprocessor); break;
        case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(p.sharedMemPerBlockOptin); break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
        default: return call.refuse();
    }
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) {
    LOCKSTEP_SYNCHRONIZING("cudaDeviceSynchronize");
    call.tell({.kind = OperationKind::Synchronize});
    return cudaSuccess;
}
cudaError_t cudaThreadSynchronize(void) {
    LOCKSTEP_SYNCHRONIZING("cudaThreadSynchronize");
    call.tell({.kind = OperationKind::Synchronize});
    return cudaSuccess;
}
cudaError_t cudaDeviceReset(void) {
    LOCKSTEP_CALL("cudaDeviceReset");
    call.synchronize();
    call.tell({.kind = OperationKind::Synchronize});
    State& s = state();
    std::set<std::uint64_t> managed;  // variables, which stay where they are
    for (auto& [shadow, variable] : s.variables) {
        const auto found = s.allocations.find(variable.address);
        variable.isKnown &= found != s.allocations.end() && found->second.memory == Memory::Registered;
        if (variable.isKnown) managed.insert(variable.address);
    }
    for (auto at = s.allocations.begin(); at != s.allocations.end();) {
        if (managed.contains(at->first)) {
            ++at;
            continue;
        }
        if (at->second.mappedBytes)
            munmap(at->second.here, at->second.mappedBytes);
        else
            takeFromDevice(at->first);
        givenBackToPool(at->first);
        at = s.allocations.erase(at);
    }
    s.lastError = s.sticky = s.pending = 0;
    s.isStickyTold = false;
    return call.done(call.ask(Ask::Reset));
}
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    LOCKSTEP_ORDINARY("cudaDeviceSetCacheConfig");
    return nothing(call);
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    LOCKSTEP_ORDINARY("cudaDeviceGetCacheConfig");
    if (config) *config = cudaFuncCachePreferNone;
    return nothing(call, config);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    LOCKSTEP_ORDINARY("cudaDeviceSetSharedMemConfig");
    return nothing(call);
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    LOCKSTEP_ORDINARY("cudaDeviceGetSharedMemConfig");
    if (config) *config = cudaSharedMemBankSizeFourByte;
    return nothing(call, config);
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    LOCKSTEP_ORDINARY("cudaDeviceSetLimit");
    if (limit != cudaLimitMallocHeapSize) return nothing(call);
    return call.done(call.ask(Ask::KernelHeap, {value ? value : 1}).answer.error);
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    LOCKSTEP_ORDINARY("cudaDeviceGetLimit");
    if (value)
        *value = limit == cudaLimitStackSize        ? 1024
                 : limit == cudaLimitPrintfFifoSize ? 1 << 20
                 : limit == cudaLimitMallocHeapSize ? call.ask(Ask::KernelHeap, {0}).answer.numbers[0]
                                                    : 8 << 20;
    return nothing(call, value);
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    LOCKSTEP_ORDINARY("cudaDeviceCanAccessPeer");
    if (can) *can = 0;
    return nothing(call, can);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
    LOCKSTEP_ORDINARY("cudaDeviceEnablePeerAccess");
    return call.done(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
    LOCKSTEP_ORDINARY("cudaDeviceDisablePeerAccess");
    return call.done(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    LOCKSTEP_ORDINARY("cudaDeviceGetStreamPriorityRange");
    if (least) *least = 0;
    if (greatest) *greatest = kGreatestPriority;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
    LOCKSTEP_CALL("cudaDriverGetVersion");
    if (version) *version = CUDART_VERSION;
    return nothing(call, version);
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    LOCKSTEP_CALL("cudaRuntimeGetVersion");
    if (version) *version = CUDART_VERSION;
    return nothing(call, version);
}
cudaError_t cudaProfilerStart(void) {
    LOCKSTEP_ORDINARY("cudaProfilerStart");
    return nothing(call);
}
cudaError_t cudaProfilerStop(void) {
    LOCKSTEP_ORDINARY("cudaProfilerStop");
    return nothing(call);
}

// ---- Streams: each piece of work is done when it is asked for, which every order of streams allows.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    LOCKSTEP_ORDINARY("cudaStreamCreateWithPriority");
    return madeStream(call, stream, std::clamp(priority, kGreatestPriority, 0), flags);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    LOCKSTEP_ORDINARY("cudaStreamCreate");
    return madeStream(call, stream, 0, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    LOCKSTEP_ORDINARY("cudaStreamCreateWithFlags");
    return madeStream(call, stream, 0, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    LOCKSTEP_SYNCHRONIZING_SOME("cudaStreamDestroy");
    if (!isOfProgram(stream)) return call.done(cudaErrorInvalidResourceHandle);
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    LOCKSTEP_SYNCHRONIZING_SOME("cudaStreamSynchronize");
    if (const int error = waitIsForbidden(stream)) return call.done(error);
    waitedFor(stream);
    call.tell({.kind = OperationKind::Synchronize, .stream = numberOf(stream)});
    return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    LOCKSTEP_SYNCHRONIZING_SOME("cudaStreamQuery");
    if (const int error = waitIsForbidden(stream)) return call.done(error);
    waitedFor(stream);
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    LOCKSTEP_ORDINARY("cudaStreamWaitEvent");
    if (event && event->capture)
        joinCapture(stream, event->capture);
    else if (event)
        call.tell({.kind = OperationKind::StreamWait, .stream = numberOf(stream), .event = event->number});
    areStreamsTied = true;
    return call.done(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
    LOCKSTEP_SYNCHRONIZING_SOME("cudaStreamAddCallback");
    if (!callback) return call.done(cudaErrorInvalidValue);
    return perform(call, stream, cudaGraphNodeTypeHost, [callback, data](Call& now, cudaStream_t in) {
        waitedFor(in);  // a host thread that sees what the callback did has waited, too
        now.tell({.kind = OperationKind::HostFunction, .stream = numberOf(in), .isAsynchronous = true});
        callback(in, cudaSuccess, data);
        return int(cudaSuccess);
    });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t, unsigned int) {
    LOCKSTEP_ORDINARY("cudaStreamAttachMemAsync");
    return nothing(call, pointed(pointer).allocation);
}

// ---- Events: the time is that of the emulator.
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    LOCKSTEP_ORDINARY("cudaEventCreateWithFlags");
    return madeEvent(call, event, flags);
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
    LOCKSTEP_ORDINARY("cudaEventCreate");
    return madeEvent(call, event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    LOCKSTEP_ORDINARY("cudaEventDestroy");
    if (!event) return call.done(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaEventRecord");
    if (!event) return call.done(cudaErrorInvalidResourceHandle);
    event->capture = captureOf(stream);
    if (event->capture) return cudaSuccess;
    event->isRecorded = true;
    event->work = unwaited::number();
    event->at = std::chrono::steady_clock::now();
    call.tell({.kind = OperationKind::EventRecord, .stream = numberOf(stream), .event = event->number});
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    LOCKSTEP_SYNCHRONIZING_SOME("cudaEventSynchronize");
    if (event) {
        unwaited::waitedUpTo(event->work);
        call.tell({.kind = OperationKind::Synchronize, .event = event->number});
    }
    return call.done(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    LOCKSTEP_SYNCHRONIZING_SOME("cudaEventQuery");
    if (event) unwaited::waitedUpTo(event->work);
    return call.done(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
    LOCKSTEP_ORDINARY("cudaEventElapsedTime");
    if (!milliseconds) return call.done(cudaErrorInvalidValue);
    if (!from || !to || !from->isRecorded || !to->isRecorded || !from->isTimed || !to->isTimed)
        return call.done(cudaErrorInvalidResourceHandle);
    *milliseconds = std::chrono::duration<float, std::milli>(to->at - from->at).count();
    return cudaSuccess;
}

// ---- Errors.
cudaError_t cudaGetLastError(void) {
    LOCKSTEP_CALL("cudaGetLastError");
    call.ask(Ask::Asked);
    State& s = state();
    const int error = s.sticky ? s.sticky : s.lastError;
    s.lastError = 0;
    return cudaError_t(error);
}
cudaError_t cudaPeekAtLastError(void) {
    LOCKSTEP_CALL("cudaPeekAtLastError");
    call.ask(Ask::Asked);
    return cudaError_t(state().sticky ? state().sticky : state().lastError);
}
#define LOCKSTEP_NAME(number, name, text) \
    case name: return #name;
#define LOCKSTEP_TEXT(number, name, text) \
    case name: return text;
const char* cudaGetErrorName(cudaError_t error) {
    switch (error) { LOCKSTEP_CUDA_ERRORS(LOCKSTEP_NAME) }
    return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
    switch (error) { LOCKSTEP_CUDA_ERRORS(LOCKSTEP_TEXT) }
    return "unrecognized error code";
}
}
