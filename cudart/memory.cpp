// Allocations, copies and fills.
#include "cudart/arrays.h"
#include "cudart/call.h"
#include "cudart/graph.h"
#include "cudart/pools.h"
#include "cudart/streams.h"
#include "cudart/unwaited.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

using namespace lockstep::cudart;

namespace {

constexpr std::size_t kPitch = 512;

cudaError_t release(Call& call, void* pointer, bool isOfHost) {
    if (!pointer) return cudaSuccess;
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    auto& all = state().allocations;
    const auto found = all.find(address);
    const bool isKnown = found != all.end() && (isOfHost ? found->second.memory == Memory::Host
                                                         : found->second.memory == Memory::Device ||
                                                               found->second.memory == Memory::Managed);
    const int error = isKnown
                          ? call.ask(Ask::Free, {address, std::uint64_t(found->second.memory)}).answer.error
                          : int(cudaErrorInvalidValue);
    if (error == cudaErrorInvalidValue) call.misused(Misuse::Nowhere, address);
    if (error) return call.done(error);
    unwaited::forget(address, address + found->second.bytes);
    givenBackToPool(address);
    munmap(found->second.here, found->second.mappedBytes);
    all.erase(found);
    return cudaSuccess;
}

// From the first row's begin to the last one's end; false: no memory is that large.
bool findSpan(std::size_t pitch, std::size_t widthBytes, std::size_t height, std::uint64_t& bytes) {
    return !__builtin_mul_overflow(height - 1, pitch, &bytes) &&
           !__builtin_add_overflow(bytes, widthBytes, &bytes);
}

// Is [pointer, pointer + bytes) what the call needs there? side: 0 the destination, 1 the source.
int checkSide(Call& call, const Pointed& at, std::uint64_t bytes, bool mustBeDevice, bool mustBeHost,
              std::uint64_t side, int kind) {
    if (at.isLost) {
        call.misused(Misuse::Nowhere, at.address);
        return cudaErrorInvalidValue;
    }
    const bool isBoth = at.allocation && at.allocation->memory != Memory::Device;
    if (!isBoth && ((mustBeDevice && !at.isDevice()) || (mustBeHost && at.isDevice()))) {
        call.misused(Misuse::WrongDirection, side, at.address, std::uint64_t(kind));
        return cudaErrorInvalidValue;
    }
    if (bytes > at.room()) {
        call.misused(Misuse::TooLong, at.address, bytes);
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

// What is done in the order of a stream, and not waited for.
struct Later {
    cudaStream_t stream = nullptr;
    bool is = false;
};
constexpr Later kAtOnce;

// The host sees memory like this, and may look before the work is done.
void tellLater(Call& call, Later later, const Pointed& to, std::size_t pitch, std::size_t widthBytes,
               std::size_t height) {
    constexpr std::size_t kMostRows = 256;
    const bool isSeen =
        to.allocation && (to.allocation->memory == Memory::Managed || to.allocation->memory == Memory::Host);
    if (!later.is || !isSeen || (height > kMostRows && pitch != widthBytes)) return;
    std::vector<WrittenRange> written;
    if (pitch == widthBytes)
        written.push_back({to.address, widthBytes * height});
    else
        for (std::size_t row = 0; row < height; ++row)
            written.push_back({to.address + row * pitch, widthBytes});
    unwaited::add(written, later.stream, call.caller());
}

// Rows of widthBytes; what lies between them is not touched.
int copyRows(Call& call, void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
             std::size_t widthBytes, std::size_t height, cudaMemcpyKind kind, Later later) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (!widthBytes || !height) return cudaSuccess;
    if (!to || !from) return cudaErrorInvalidValue;
    if (height > 1 && (toPitch < widthBytes || fromPitch < widthBytes)) return cudaErrorInvalidPitchValue;
    std::uint64_t toBytes = 0, fromBytes = 0;
    if (!findSpan(toPitch, widthBytes, height, toBytes) ||
        !findSpan(fromPitch, widthBytes, height, fromBytes))
        return cudaErrorInvalidValue;
    const Pointed target = pointed(to), source = pointed(from);
    const bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
               toHost = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost,
               fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
               fromHost = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;
    if (int error = checkSide(call, target, toBytes, toDevice, toHost, 0, kind)) return error;
    if (int error = checkSide(call, source, fromBytes, fromDevice, fromHost, 1, kind)) return error;
    char* const target0 = target.here();
    const char* const source0 = source.here();
    {
        const unwaited::Opened inItsOrder;
        for (std::size_t row = 0; row < height; ++row)
            std::memmove(target0 + row * toPitch, source0 + row * fromPitch, widthBytes);
    }
    tellLater(call, later, target, toPitch, widthBytes, height);
    return cudaSuccess;
}

int copy(Call& call, void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
         std::size_t widthBytes, std::size_t height, cudaMemcpyKind kind, Later later = kAtOnce) {
    const int error = copyRows(call, to, toPitch, from, fromPitch, widthBytes, height, kind, later);
    call.tell({.kind = OperationKind::Copy,
               .stream = numberOf(later.stream),
               .to = to,
               .from = from,
               .bytes = widthBytes * height,
               .error = error,
               .isAsynchronous = later.is});
    return error;
}

int fillRows(Call& call, void* pointer, std::size_t pitch, int value, std::size_t widthBytes,
             std::size_t height, Later later) {
    if (!widthBytes || !height) return cudaSuccess;
    if (!pointer) return cudaErrorInvalidValue;
    std::uint64_t bytes = 0;
    if (!findSpan(pitch, widthBytes, height, bytes)) return cudaErrorInvalidValue;
    const Pointed target = pointed(pointer);
    if (int error = checkSide(call, target, bytes, true, false, 0, -1)) return error;
    {
        const unwaited::Opened inItsOrder;
        for (std::size_t row = 0; row < height; ++row)
            std::memset(target.here() + row * pitch, value, widthBytes);
    }
    tellLater(call, later, target, pitch, widthBytes, height);
    return cudaSuccess;
}

int fill(Call& call, void* pointer, std::size_t pitch, int value, std::size_t widthBytes, std::size_t height,
         Later later = kAtOnce) {
    const int error = fillRows(call, pointer, pitch, value, widthBytes, height, later);
    call.tell({.kind = OperationKind::Fill,
               .stream = numberOf(later.stream),
               .to = pointer,
               .bytes = widthBytes * height,
               .error = error,
               .isAsynchronous = later.is});
    return error;
}

int copySymbol(Call& call, const void* symbol, void* host, std::size_t bytes, std::size_t offset,
               bool toSymbol, cudaMemcpyKind kind, Later later = kAtOnce) {
    const Variable* variable = variableOf(call, symbol);
    if (!variable) return cudaErrorInvalidSymbol;
    if (offset > variable->bytes || bytes > variable->bytes - offset) {
        call.misused(Misuse::TooLong, variable->address + offset, bytes);
        return cudaErrorInvalidValue;
    }
    char* const device = reinterpret_cast<char*>(variable->address) + offset;
    return toSymbol ? copy(call, device, bytes, host, bytes, bytes, 1, kind, later)
                    : copy(call, host, bytes, device, bytes, bytes, 1, kind, later);
}

int copy3D(Call& call, const cudaMemcpy3DParms* parameters, Later later = kAtOnce) {
    if (!parameters) return cudaErrorInvalidValue;
    cudaMemcpy3DParms plain = *parameters;
    const cudaMemcpy3DParms* const p = &plain;
    if (const int error = withoutArrays(call, plain)) return error;
    const auto at = [](const cudaPitchedPtr& pointer, const cudaPos& position, std::size_t z) {
        return static_cast<char*>(pointer.ptr) +
               ((position.z + z) * pointer.ysize + position.y) * pointer.pitch + position.x;
    };
    int error = cudaSuccess;
    for (std::size_t z = 0; z < p->extent.depth && !error; ++z)
        error = copyRows(call, at(p->dstPtr, p->dstPos, z), p->dstPtr.pitch, at(p->srcPtr, p->srcPos, z),
                         p->srcPtr.pitch, p->extent.width, p->extent.height, p->kind, later);
    call.tell({.kind = OperationKind::Copy,
               .stream = numberOf(later.stream),
               .to = at(p->dstPtr, p->dstPos, 0),
               .from = at(p->srcPtr, p->srcPos, 0),
               .bytes = p->extent.width * p->extent.height * p->extent.depth,
               .error = error,
               .isAsynchronous = later.is});
    return error;
}

int allocatePitch(Call& call, void** pointer, std::size_t* pitch, std::size_t widthBytes, std::size_t rows) {
    if (!pointer || !pitch) return cudaErrorInvalidValue;
    std::size_t padded = 0, bytes = 0;
    if (__builtin_add_overflow(widthBytes, kPitch - 1, &padded) ||
        __builtin_mul_overflow(padded / kPitch * kPitch, rows, &bytes))
        return cudaErrorMemoryAllocation;
    *pitch = padded / kPitch * kPitch;
    return allocate(call, pointer, bytes, Memory::Device, *pitch);
}

// Elements of 1, 2 or 4 bytes.
int fillElements(Call& call, const cudaMemsetParams& p, cudaStream_t stream) {
    if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return cudaErrorInvalidValue;
    const std::size_t rows = std::max<std::size_t>(p.height, 1), widthBytes = p.width * p.elementSize;
    const std::size_t pitch = rows > 1 ? p.pitch : widthBytes;
    if (const int error = fill(call, p.dst, pitch, int(p.value & 0xff), widthBytes, rows, {stream, true});
        error || p.elementSize == 1)
        return error;
    const unwaited::Opened inItsOrder;
    char* const first = pointed(p.dst).here();
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t at = 0; at < widthBytes; at += p.elementSize)
            std::memcpy(first + row * pitch + at, &p.value, p.elementSize);
    return cudaSuccess;
}

}  // namespace

namespace lockstep::cudart {

int copyBox(Call& call, const cudaMemcpy3DParms& parameters, cudaStream_t stream, bool isAsynchronous) {
    return copy3D(call, &parameters, {stream, isAsynchronous});
}
cudaError_t releaseDevice(Call& call, void* pointer) { return release(call, pointer, false); }

Work copyWork(const cudaMemcpy3DParms& parameters) {
    return [parameters](Call& call, cudaStream_t stream) {
        return copy3D(call, &parameters, {stream, true});
    };
}
Work fillWork(const cudaMemsetParams& parameters) {
    return [parameters](Call& call, cudaStream_t stream) { return fillElements(call, parameters, stream); };
}

}  // namespace lockstep::cudart

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    LOCKSTEP_SYNCHRONIZING("cudaMalloc");
    return call.done(allocate(call, pointer, bytes, Memory::Device));
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int) {
    LOCKSTEP_ORDINARY("cudaMallocManaged");
    return call.done(bytes ? allocate(call, pointer, bytes, Memory::Managed) : cudaErrorInvalidValue);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    LOCKSTEP_ORDINARY("cudaMallocHost");
    return call.done(allocate(call, pointer, bytes, Memory::Host));
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int) {
    LOCKSTEP_ORDINARY("cudaHostAlloc");
    return call.done(allocate(call, pointer, bytes, Memory::Host));
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t widthBytes, size_t height) {
    LOCKSTEP_ORDINARY("cudaMallocPitch");
    return call.done(allocatePitch(call, pointer, pitch, widthBytes, height));
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    LOCKSTEP_ORDINARY("cudaMalloc3D");
    if (!pointer) return call.done(cudaErrorInvalidValue);
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    std::size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return call.done(cudaErrorMemoryAllocation);
    return call.done(allocatePitch(call, &pointer->ptr, &pointer->pitch, extent.width, rows));
}
cudaError_t cudaFree(void* pointer) {
    LOCKSTEP_SYNCHRONIZING("cudaFree");
    return release(call, pointer, false);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaFreeAsync");
    if (captureOf(stream)) return call.refuse();  // nodes of graphs that free
    return release(call, pointer, false);
}
cudaError_t cudaFreeHost(void* pointer) {
    LOCKSTEP_SYNCHRONIZING("cudaFreeHost");
    return release(call, pointer, true);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
    LOCKSTEP_ORDINARY("cudaHostGetDevicePointer");
    const Pointed at = pointed(host);
    if (!device || !at.allocation || at.isDevice()) return call.done(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
    LOCKSTEP_ORDINARY("cudaHostGetFlags");
    const Pointed at = pointed(host);
    if (!flags || !at.allocation || at.isDevice()) return call.done(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpy");
    return call.done(copy(call, to, bytes, from, bytes, bytes, 1, kind));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpyAsync");
    return perform(call, stream, cudaGraphNodeTypeMemcpy, [=](Call& now, cudaStream_t in) {
        return copy(now, to, bytes, from, bytes, bytes, 1, kind, {in, true});
    });
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpyPeer");
    return call.done(copy(call, to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice));
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpyPeerAsync");
    return perform(call, stream, cudaGraphNodeTypeMemcpy, [=](Call& now, cudaStream_t in) {
        return copy(now, to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice, {in, true});
    });
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpy2D");
    return call.done(copy(call, to, toPitch, from, fromPitch, width, height, kind));
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpy2DAsync");
    return perform(call, stream, cudaGraphNodeTypeMemcpy, [=](Call& now, cudaStream_t in) {
        return copy(now, to, toPitch, from, fromPitch, width, height, kind, {in, true});
    });
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpy3D");
    return call.done(copy3D(call, parameters));
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpy3DAsync");
    if (!parameters) return call.done(cudaErrorInvalidValue);
    return perform(call, stream, cudaGraphNodeTypeMemcpy, copyWork(*parameters));
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
    LOCKSTEP_ORDINARY("cudaMemset");
    return call.done(fill(call, pointer, bytes, value, bytes, 1));
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemsetAsync");
    return perform(call, stream, cudaGraphNodeTypeMemset, [=](Call& now, cudaStream_t in) {
        return fill(now, pointer, bytes, value, bytes, 1, {in, true});
    });
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
    LOCKSTEP_ORDINARY("cudaMemset2D");
    return call.done(fill(call, pointer, pitch, value, width, height));
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemset2DAsync");
    return perform(call, stream, cudaGraphNodeTypeMemset, [=](Call& now, cudaStream_t in) {
        return fill(now, pointer, pitch, value, width, height, {in, true});
    });
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
    LOCKSTEP_ORDINARY("cudaMemset3D");
    int error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && !error; ++z)
        error = fill(call, static_cast<char*>(pointer.ptr) + z * pointer.ysize * pointer.pitch, pointer.pitch,
                     value, extent.width, extent.height);
    return call.done(error);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpyToSymbol");
    return call.done(copySymbol(call, symbol, const_cast<void*>(from), bytes, offset, true, kind));
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpyFromSymbol");
    return call.done(copySymbol(call, symbol, to, bytes, offset, false, kind));
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpyToSymbolAsync");
    return perform(call, stream, cudaGraphNodeTypeMemcpy, [=](Call& now, cudaStream_t in) {
        return copySymbol(now, symbol, const_cast<void*>(from), bytes, offset, true, kind, {in, true});
    });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpyFromSymbolAsync");
    return perform(call, stream, cudaGraphNodeTypeMemcpy, [=](Call& now, cudaStream_t in) {
        return copySymbol(now, symbol, to, bytes, offset, false, kind, {in, true});
    });
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    LOCKSTEP_ORDINARY("cudaGetSymbolAddress");
    const Variable* variable = variableOf(call, symbol);
    if (!pointer || !variable) return call.done(cudaErrorInvalidSymbol);
    *pointer = reinterpret_cast<void*>(variable->address);
    return cudaSuccess;
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
    LOCKSTEP_ORDINARY("cudaGetSymbolSize");
    const Variable* variable = variableOf(call, symbol);
    if (!bytes || !variable) return call.done(cudaErrorInvalidSymbol);
    *bytes = variable->bytes;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    LOCKSTEP_ORDINARY("cudaMemGetInfo");
    const Answered answered = call.ask(Ask::Room);
    if (free) *free = answered.answer.numbers[0];
    if (total) *total = answered.answer.numbers[1];
    return call.done(answered);
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int, cudaStream_t) {
    LOCKSTEP_ORDINARY("cudaMemPrefetchAsync");
    const Pointed at = pointed(pointer);
    return call.done(at.allocation && bytes <= at.room() ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, int) {
    LOCKSTEP_ORDINARY("cudaMemAdvise");
    const Pointed at = pointed(pointer);
    return call.done(at.allocation && bytes <= at.room() ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    LOCKSTEP_ORDINARY("cudaPointerGetAttributes");
    if (!attributes) return call.done(cudaErrorInvalidValue);
    const Pointed at = pointed(pointer);
    const bool isSeen = at.allocation && at.allocation->memory != Memory::Device;
    attributes->device = at.allocation ? 0 : -2;
    attributes->type = !at.allocation                             ? cudaMemoryTypeUnregistered
                       : at.allocation->memory == Memory::Device  ? cudaMemoryTypeDevice
                       : at.allocation->memory == Memory::Managed ? cudaMemoryTypeManaged
                                                                  : cudaMemoryTypeHost;
    attributes->devicePointer = at.allocation ? const_cast<void*>(pointer) : nullptr;
    attributes->hostPointer = isSeen || !at.allocation ? const_cast<void*>(pointer) : nullptr;
    return cudaSuccess;
}
}
