// Memory pools, and attributes of streams and devices that programs ask for.
#include "cudart/pools.h"

#include "cudart/call.h"
#include "cudart/graph.h"
#include "cudart/streams.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

using namespace lockstep::cudart;

// Of the one device; memory goes back to it as soon as it is freed.
struct CUmemPoolHandle_st {
    std::map<cudaMemPoolAttr, std::uint64_t> settings;
    std::uint64_t used = 0, mostUsed = 0;
};

namespace {

CUmemPoolHandle_st defaultPool;
cudaMemPool_t currentPool = &defaultPool;
struct Taken {
    cudaMemPool_t pool;
    std::uint64_t bytes;
};
std::map<std::uint64_t, Taken> taken;  // by address

std::map<cudaStream_t, std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>> attributes;

int take(Call& call, void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    if (!pool) return cudaErrorInvalidValue;
    if (captureOf(stream)) {  // nodes of graphs that allocate
        call.misused(Misuse::NotOffered);
        return cudaErrorNotSupported;
    }
    if (const int error = allocate(call, pointer, bytes, Memory::Device)) return error;
    if (!*pointer) return cudaSuccess;
    taken[reinterpret_cast<std::uint64_t>(*pointer)] = {pool, bytes};
    pool->used += bytes;
    pool->mostUsed = std::max(pool->mostUsed, pool->used);
    return cudaSuccess;
}

cudaError_t poolOf(Call& call, cudaMemPool_t* pool, int device, cudaMemPool_t answer) {
    if (device != 0) return call.done(cudaErrorInvalidDevice);
    if (!pool) return call.done(cudaErrorInvalidValue);
    *pool = answer;
    return cudaSuccess;
}

}  // namespace

namespace lockstep::cudart {

void givenBackToPool(std::uint64_t address) {
    const auto found = taken.find(address);
    if (found == taken.end()) return;
    found->second.pool->used -= found->second.bytes;
    taken.erase(found);
}

}  // namespace lockstep::cudart

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMallocAsync");
    return call.done(take(call, pointer, bytes, currentPool, stream));
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMallocFromPoolAsync");
    return call.done(take(call, pointer, bytes, pool, stream));
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    LOCKSTEP_ORDINARY("cudaDeviceGetDefaultMemPool");
    return poolOf(call, pool, device, &defaultPool);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    LOCKSTEP_ORDINARY("cudaDeviceGetMemPool");
    return poolOf(call, pool, device, currentPool);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    LOCKSTEP_ORDINARY("cudaDeviceSetMemPool");
    return poolOf(call, pool ? &currentPool : nullptr, device, pool);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    LOCKSTEP_ORDINARY("cudaMemPoolCreate");
    if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned)
        return call.done(cudaErrorInvalidValue);
    if (properties->location.type != cudaMemLocationTypeDevice ||
        properties->handleTypes != cudaMemHandleTypeNone)
        return call.refuse();
    if (properties->location.id != 0) return call.done(cudaErrorInvalidDevice);
    *pool = new CUmemPoolHandle_st;
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    LOCKSTEP_ORDINARY("cudaMemPoolDestroy");
    if (!pool || pool == &defaultPool) return call.done(cudaErrorInvalidValue);
    if (currentPool == pool) currentPool = &defaultPool;
    std::erase_if(taken, [&](const auto& each) { return each.second.pool == pool; });  // stays usable
    delete pool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    LOCKSTEP_ORDINARY("cudaMemPoolSetAttribute");
    if (!pool || !value) return call.done(cudaErrorInvalidValue);
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies:
            pool->settings[attribute] = std::uint64_t(*static_cast<int*>(value) != 0);
            return cudaSuccess;
        case cudaMemPoolAttrReleaseThreshold:
            std::memcpy(&pool->settings[attribute], value, sizeof(std::uint64_t));
            return cudaSuccess;
        case cudaMemPoolAttrUsedMemHigh:  // can only be set to 0, which is now
            pool->mostUsed = pool->used;
            return cudaSuccess;
        default: return call.refuse();
    }
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    LOCKSTEP_ORDINARY("cudaMemPoolGetAttribute");
    if (!pool || !value) return call.done(cudaErrorInvalidValue);
    const auto known = pool->settings.find(attribute);
    const bool isKnown = known != pool->settings.end();
    std::uint64_t number = isKnown ? known->second : 0;
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies:
            *static_cast<int*>(value) = isKnown ? int(number) : 1;
            return cudaSuccess;
        case cudaMemPoolAttrReleaseThreshold: break;
        case cudaMemPoolAttrUsedMemCurrent: number = pool->used; break;
        case cudaMemPoolAttrUsedMemHigh: number = pool->mostUsed; break;
        default: return call.refuse();  // what a GPU's pool reserves is its own affair
    }
    std::memcpy(value, &number, sizeof number);
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    LOCKSTEP_ORDINARY("cudaMemPoolTrimTo");
    return call.done(pool ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
    LOCKSTEP_ORDINARY("cudaMemPoolSetAccess");
    if (!pool || (count && !list)) return call.done(cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) {
        if (list[i].location.type != cudaMemLocationTypeDevice) return call.done(cudaErrorInvalidValue);
        if (list[i].location.id != 0) return call.done(cudaErrorInvalidDevice);
    }
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
    LOCKSTEP_ORDINARY("cudaMemPoolGetAccess");
    if (!flags || !pool || !location || location->type != cudaMemLocationTypeDevice)
        return call.done(cudaErrorInvalidValue);
    if (location->id != 0) return call.done(cudaErrorInvalidDevice);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
    LOCKSTEP_ORDINARY("cudaStreamSetAttribute");
    if (!value) return call.done(cudaErrorInvalidValue);
    if (attribute == cudaStreamAttributePriority && isOfProgram(stream)) stream->priority = value->priority;
    attributes[stream][attribute] = *value;
    return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
    LOCKSTEP_ORDINARY("cudaStreamGetAttribute");
    if (!value) return call.done(cudaErrorInvalidValue);
    *value = attributes[stream][attribute];
    if (attribute == cudaStreamAttributePriority)
        value->priority = isOfProgram(stream) ? stream->priority : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    LOCKSTEP_ORDINARY("cudaStreamGetPriority");
    if (!priority) return call.done(cudaErrorInvalidValue);
    *priority = isOfProgram(stream) ? stream->priority : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
    LOCKSTEP_ORDINARY("cudaStreamGetFlags");
    if (!flags) return call.done(cudaErrorInvalidValue);
    *flags = isBlocking(stream) ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache(void) {
    LOCKSTEP_ORDINARY("cudaCtxResetPersistingL2Cache");
    return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    LOCKSTEP_ORDINARY("cudaGetDeviceFlags");
    if (!flags) return call.done(cudaErrorInvalidValue);
    *flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    LOCKSTEP_ORDINARY("cudaDeviceGetPCIBusId");
    constexpr char kBus[] = "0000:00:00.0";
    if (device != 0) return call.done(cudaErrorInvalidDevice);
    if (!text || length < int(sizeof kBus)) return call.done(cudaErrorInvalidValue);
    std::memcpy(text, kBus, sizeof kBus);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
    LOCKSTEP_ORDINARY("cudaDeviceGetByPCIBusId");
    if (!device || !text) return call.done(cudaErrorInvalidValue);
    if (std::strcmp(text, "0000:00:00.0") != 0) return call.done(cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}
}
