#include "cudart/arrays.h"

#include "cudart/graph.h"

#include <algorithm>
#include <map>
#include <memory>

struct cudaArray {
    cudaChannelFormatDesc desc{};
    cudaExtent extent{};  // as it was asked for: no height or depth is 0
    unsigned flags = 0;
    std::uint64_t address = 0;
    std::size_t texelBytes = 0;

    std::size_t rowBytes() const { return extent.width * texelBytes; }
    // Of a layered array of one dimension, layers are the depth.
    std::size_t rows() const { return std::max<std::size_t>(extent.height, 1); }
    std::size_t slices() const { return std::max<std::size_t>(extent.depth, 1); }
    bool isLayered() const { return (flags & cudaArrayLayered) != 0; }
};

namespace lockstep::cudart {
namespace {

// Of all that were made and not freed; by reset, their memory is.
std::map<const cudaArray*, std::unique_ptr<cudaArray>>& arrays() {
    static auto& all = *new std::map<const cudaArray*, std::unique_ptr<cudaArray>>;
    return all;
}

const cudaArray* arrayOf(cudaArray_const_t array) {
    return arrays().contains(array) && state().allocations.contains(array->address) ? array : nullptr;
}

// Bytes of a texel; 0: not one of those that there are.
std::size_t texelBytesOf(const cudaChannelFormatDesc& d) {
    const int bits[] = {d.x, d.y, d.z, d.w};
    if (d.x != 8 && d.x != 16 && d.x != 32) return 0;
    if (d.f != cudaChannelFormatKindSigned && d.f != cudaChannelFormatKindUnsigned &&
        d.f != cudaChannelFormatKindFloat)
        return 0;
    if (d.f == cudaChannelFormatKindFloat && d.x == 8) return 0;
    std::size_t channels = 0;
    for (const int each : bits)
        channels += each == d.x;
    for (std::size_t i = 0; i < 4; ++i)
        if (bits[i] != (i < channels ? d.x : 0)) return 0;
    return channels == 3 ? 0 : channels * std::size_t(d.x) / 8;
}

// One side of a copy.
struct Side {
    cudaArray_t& array;
    cudaPos& position;
    cudaPitchedPtr& pointer;
};

int replaceArray(Call& call, const Side& side, const cudaExtent& extent) {
    if (!side.array) return cudaSuccess;
    const cudaArray* const array = arrayOf(side.array);
    if (!array) return cudaErrorInvalidValue;
    side.pointer = {reinterpret_cast<void*>(array->address), array->rowBytes(), array->rowBytes(),
                    array->rows()};
    side.array = nullptr;
    const auto fits = [](std::size_t first, std::size_t count, std::size_t all) {
        return first <= all && count <= all - first;
    };
    if (fits(side.position.x, extent.width, array->rowBytes()) &&
        fits(side.position.y, extent.height, array->rows()) &&
        fits(side.position.z, extent.depth, array->slices()))
        return cudaSuccess;
    call.misused(Misuse::TooLong, array->address, extent.width * extent.height * extent.depth);
    return cudaErrorInvalidValue;
}

// The copy of a rectangle; positions and widths in bytes.
struct Rectangle {
    cudaArray_const_t array = nullptr;
    std::size_t x = 0, y = 0;
    const void* pointer = nullptr;
    std::size_t pitch = 0;
};
cudaMemcpy3DParms boxOf(const Rectangle& to, const Rectangle& from, std::size_t widthBytes,
                        std::size_t height, cudaMemcpyKind kind) {
    cudaMemcpy3DParms box{};
    box.srcArray = const_cast<cudaArray_t>(from.array);
    box.srcPos = {from.x, from.y, 0};
    box.srcPtr = {const_cast<void*>(from.pointer), from.pitch, widthBytes, height};
    box.dstArray = const_cast<cudaArray_t>(to.array);
    box.dstPos = {to.x, to.y, 0};
    box.dstPtr = {const_cast<void*>(to.pointer), to.pitch, widthBytes, height};
    box.extent = {widthBytes, height, 1};
    box.kind = kind;
    return box;
}

int replaceBoth(Call& call, cudaMemcpy3DParms& p) {
    if (const int error = replaceArray(call, {p.srcArray, p.srcPos, p.srcPtr}, p.extent)) return error;
    return replaceArray(call, {p.dstArray, p.dstPos, p.dstPtr}, p.extent);
}

int copyRectangle(Call& call, const Rectangle& to, const Rectangle& from, std::size_t widthBytes,
                  std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                  bool isAsynchronous = false) {
    cudaMemcpy3DParms box = boxOf(to, from, widthBytes, height, kind);
    if (const int error = replaceBoth(call, box)) return error;
    return copyBox(call, box, stream, isAsynchronous);
}

// Bytes in the order of an array's rows, from a place in one of them on.
int copyRun(Call& call, Rectangle to, Rectangle from, std::size_t bytes, cudaMemcpyKind kind,
            cudaStream_t stream = nullptr, bool isAsynchronous = false) {
    for (Rectangle* side : {&to, &from}) {
        if (!side->array) continue;
        const cudaArray* const array = arrayOf(side->array);
        if (!array) return cudaErrorInvalidValue;
        side->pointer = reinterpret_cast<const char*>(array->address) + side->y * array->rowBytes() + side->x;
        *side = {.pointer = side->pointer};
    }
    to.pitch = from.pitch = bytes;
    return copyRectangle(call, to, from, bytes, 1, kind, stream, isAsynchronous);
}

int makeArray(Call& call, cudaArray_t* made, const cudaChannelFormatDesc* desc, const cudaExtent& extent,
              unsigned flags) {
    if (!made || !desc || !extent.width) return cudaErrorInvalidValue;
    *made = nullptr;
    if (flags & cudaArrayCubemap) {
        call.misused(Misuse::NotOffered);
        return cudaErrorNotSupported;
    }
    const std::size_t texel = texelBytesOf(*desc);
    const bool isLayered = (flags & cudaArrayLayered) != 0;
    if (!texel) return cudaErrorInvalidChannelDescriptor;
    if ((isLayered && !extent.depth) || (!isLayered && extent.depth && !extent.height))
        return cudaErrorInvalidValue;
    auto array = std::make_unique<cudaArray>(
        cudaArray{.desc = *desc, .extent = extent, .flags = flags, .texelBytes = texel});
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(extent.width, texel, &bytes) ||
        __builtin_mul_overflow(bytes, array->rows(), &bytes) ||
        __builtin_mul_overflow(bytes, array->slices(), &bytes))
        return cudaErrorMemoryAllocation;
    void* memory = nullptr;
    if (const int error = allocate(call, &memory, bytes, Memory::Device, array->rowBytes())) return error;
    array->address = reinterpret_cast<std::uint64_t>(memory);
    *made = array.get();
    arrays()[*made] = std::move(array);
    return cudaSuccess;
}

// ---- Objects.

struct Object {
    cudaResourceDesc resource{};
    cudaTextureDesc texture{};
    bool isTexture = false;
};
std::map<unsigned long long, Object>& objects() {
    static auto& all = *new std::map<unsigned long long, Object>;
    return all;
}

void describeTexels(ImageFacts& facts, const cudaChannelFormatDesc& desc) {
    facts.channelBytes = std::uint32_t(desc.x) / 8;
    facts.channels = std::uint32_t(texelBytesOf(desc)) / facts.channelBytes;
    facts.values = std::uint32_t(desc.f);
}

int notOffered(Call& call) {
    call.misused(Misuse::NotOffered);
    return cudaErrorNotSupported;
}

// Where the resource's texels are.
int describeResource(Call& call, const cudaResourceDesc& resource, ImageFacts& facts) {
    switch (resource.resType) {
        case cudaResourceTypeArray: {
            const cudaArray* const array = arrayOf(resource.res.array.array);
            if (!array) return cudaErrorInvalidValue;
            facts.address = array->address;
            facts.rowBytes = array->rowBytes();
            facts.sliceBytes = array->rowBytes() * array->rows();
            facts.width = std::uint32_t(array->extent.width);
            facts.height = std::uint32_t(array->rows());
            facts.depth = std::uint32_t(array->slices());
            facts.isLayered = array->isLayered();
            facts.dimensions = !array->extent.height ? 1 : array->extent.depth && !array->isLayered() ? 3 : 2;
            describeTexels(facts, array->desc);
            return cudaSuccess;
        }
        case cudaResourceTypeLinear:
        case cudaResourceTypePitch2D: {
            const bool isLinear = resource.resType == cudaResourceTypeLinear;
            const auto& linear = resource.res.linear;
            const auto& pitched = resource.res.pitch2D;
            const cudaChannelFormatDesc& desc = isLinear ? linear.desc : pitched.desc;
            const std::size_t texel = texelBytesOf(desc);
            if (!texel) return cudaErrorInvalidChannelDescriptor;
            const Pointed at = pointed(isLinear ? linear.devPtr : pitched.devPtr);
            // cudaDeviceProp::textureAlignment and texturePitchAlignment
            if (at.address % 512 || (!isLinear && pitched.pitchInBytes % 32)) return cudaErrorInvalidValue;
            if (at.isLost || !at.allocation) {
                call.misused(at.isLost ? Misuse::Nowhere : Misuse::WrongDirection, at.isLost ? at.address : 0,
                             at.address, ~std::uint64_t{0});
                return cudaErrorInvalidValue;
            }
            facts.address = at.address;
            facts.isLinear = isLinear;
            facts.dimensions = isLinear ? 1 : 2;
            facts.depth = 1;
            std::uint64_t width = pitched.width, height = pitched.height, bytes = 0;
            facts.rowBytes = pitched.pitchInBytes;
            if (isLinear) {
                width = linear.sizeInBytes / texel;
                height = 1;
                facts.rowBytes = linear.sizeInBytes;
            }
            const bool isNarrow = width < (std::uint64_t{1} << 31) && height < (std::uint64_t{1} << 31);
            if (!width || !height || !isNarrow || (!isLinear && facts.rowBytes < width * texel) ||
                __builtin_mul_overflow(facts.rowBytes, height - 1, &bytes) ||
                __builtin_add_overflow(bytes, width * texel, &bytes))
                return cudaErrorInvalidValue;
            if (bytes > at.room()) {
                call.misused(Misuse::TooLong, at.address, bytes);
                return cudaErrorInvalidValue;
            }
            facts.width = std::uint32_t(width);
            facts.height = std::uint32_t(height);
            facts.sliceBytes = facts.rowBytes * height;
            describeTexels(facts, desc);
            return cudaSuccess;
        }
        case cudaResourceTypeMipmappedArray: return notOffered(call);
    }
    return cudaErrorInvalidValue;
}

int describeTexture(Call& call, const cudaTextureDesc& texture, ImageFacts& facts) {
    if (texture.sRGB || texture.maxAnisotropy > 1) return notOffered(call);
    const bool isFloat = facts.values == cudaChannelFormatKindFloat;
    const bool readsFractions = texture.readMode == cudaReadModeNormalizedFloat;
    if (readsFractions && (isFloat || facts.channelBytes == 4)) return cudaErrorInvalidNormSetting;
    if (texture.filterMode == cudaFilterModeLinear && !facts.isLinear && !isFloat && !readsFractions)
        return cudaErrorInvalidFilterSetting;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (std::uint32_t(texture.addressMode[axis]) > cudaAddressModeBorder) return cudaErrorInvalidValue;
        facts.modes[axis] = std::uint32_t(texture.addressMode[axis]);
    }
    facts.isTexture = 1;
    facts.isFiltered = texture.filterMode == cudaFilterModeLinear;
    facts.readsFractions = readsFractions;
    facts.hasNormalizedCoordinates = texture.normalizedCoords != 0;
    std::copy_n(texture.borderColor, 4, facts.border);
    return cudaSuccess;
}

int makeObject(Call& call, const ImageFacts& facts, const Object& object, unsigned long long* made) {
    const Answered answered =
        call.ask({.ask = Ask::MakeImage, .textBytes = sizeof facts}, &facts, sizeof facts);
    if (answered.answer.error) return answered.answer.error;
    *made = answered.answer.numbers[0];
    objects()[*made] = object;
    return cudaSuccess;
}

int destroyObject(Call& call, unsigned long long object, bool isTexture) {
    if (!object) return cudaSuccess;
    const auto found = objects().find(object);
    if (found == objects().end() || found->second.isTexture != isTexture) return cudaErrorInvalidValue;
    objects().erase(found);
    return call.ask(Ask::DestroyImage, {object}).answer.error;
}

const Object* objectOf(unsigned long long number, bool isTexture) {
    const auto found = objects().find(number);
    return found != objects().end() && found->second.isTexture == isTexture ? &found->second : nullptr;
}

}  // namespace

int withoutArrays(Call& call, cudaMemcpy3DParms& p) {
    if (!p.srcArray && !p.dstArray) return cudaSuccess;
    const cudaArray* const from = p.srcArray ? arrayOf(p.srcArray) : nullptr;
    const cudaArray* const to = p.dstArray ? arrayOf(p.dstArray) : nullptr;
    if ((p.srcArray && !from) || (p.dstArray && !to)) return cudaErrorInvalidValue;
    if (from && to && from->texelBytes != to->texelBytes) return cudaErrorInvalidValue;
    // With an array, widths are in its texels, and so are positions in it.
    p.extent.width *= from ? from->texelBytes : to->texelBytes;
    if (from) p.srcPos.x *= from->texelBytes;
    if (to) p.dstPos.x *= to->texelBytes;
    return replaceBoth(call, p);
}

}  // namespace lockstep::cudart

using namespace lockstep::cudart;

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags) {
    LOCKSTEP_ORDINARY("cudaMallocArray");
    return call.done(makeArray(call, array, desc, {width, height, 0}, flags & ~unsigned{cudaArrayLayered}));
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned int flags) {
    LOCKSTEP_ORDINARY("cudaMalloc3DArray");
    return call.done(makeArray(call, array, desc, extent, flags));
}
cudaError_t cudaFreeArray(cudaArray_t array) {
    LOCKSTEP_SYNCHRONIZING("cudaFreeArray");
    if (!array) return cudaSuccess;
    const cudaArray* const known = arrayOf(array);
    if (!known) return call.done(cudaErrorInvalidValue);
    const cudaError_t error = releaseDevice(call, reinterpret_cast<void*>(known->address));
    if (!error) arrays().erase(array);
    return error;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
    LOCKSTEP_ORDINARY("cudaGetChannelDesc");
    const cudaArray* const known = arrayOf(array);
    if (!desc || !known) return call.done(cudaErrorInvalidValue);
    *desc = known->desc;
    return cudaSuccess;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
    LOCKSTEP_ORDINARY("cudaArrayGetInfo");
    const cudaArray* const known = arrayOf(array);
    if (!known) return call.done(cudaErrorInvalidValue);
    if (desc) *desc = known->desc;
    if (extent) *extent = known->extent;
    if (flags) *flags = known->flags;
    return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpyToArray");
    return call.done(copyRun(call, {to, x, y}, {.pointer = from}, bytes, kind));
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpyToArrayAsync");
    return perform(call, stream, cudaGraphNodeTypeMemcpy, [=](Call& now, cudaStream_t in) {
        return copyRun(now, {to, x, y}, {.pointer = from}, bytes, kind, in, true);
    });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpyFromArray");
    return call.done(copyRun(call, {.pointer = to}, {from, x, y}, bytes, kind));
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpyFromArrayAsync");
    return perform(call, stream, cudaGraphNodeTypeMemcpy, [=](Call& now, cudaStream_t in) {
        return copyRun(now, {.pointer = to}, {from, x, y}, bytes, kind, in, true);
    });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                   size_t fromX, size_t fromY, size_t bytes, cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpyArrayToArray");
    return call.done(copyRun(call, {to, toX, toY}, {from, fromX, fromY}, bytes, kind));
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpy2DToArray");
    return call.done(copyRectangle(call, {to, x, y}, {.pointer = from, .pitch = pitch}, width, height, kind));
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpy2DToArrayAsync");
    return perform(call, stream, cudaGraphNodeTypeMemcpy, [=](Call& now, cudaStream_t in) {
        return copyRectangle(now, {to, x, y}, {.pointer = from, .pitch = pitch}, width, height, kind, in,
                             true);
    });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpy2DFromArray");
    return call.done(copyRectangle(call, {.pointer = to, .pitch = pitch}, {from, x, y}, width, height, kind));
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaMemcpy2DFromArrayAsync");
    return perform(call, stream, cudaGraphNodeTypeMemcpy, [=](Call& now, cudaStream_t in) {
        return copyRectangle(now, {.pointer = to, .pitch = pitch}, {from, x, y}, width, height, kind, in,
                             true);
    });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                     size_t fromX, size_t fromY, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
    LOCKSTEP_SYNCHRONIZING("cudaMemcpy2DArrayToArray");
    return call.done(copyRectangle(call, {to, toX, toY}, {from, fromX, fromY}, width, height, kind));
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
    LOCKSTEP_ORDINARY("cudaCreateTextureObject");
    if (!object || !resource || !texture) return call.done(cudaErrorInvalidValue);
    *object = 0;
    if (view) return call.refuse();
    ImageFacts facts;
    if (const int error = describeResource(call, *resource, facts)) return call.done(error);
    if (const int error = describeTexture(call, *texture, facts)) return call.done(error);
    return call.done(makeObject(call, facts, {*resource, *texture, true}, object));
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    LOCKSTEP_ORDINARY("cudaDestroyTextureObject");
    return call.done(destroyObject(call, object, true));
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
    LOCKSTEP_ORDINARY("cudaGetTextureObjectResourceDesc");
    const Object* const known = objectOf(object, true);
    if (!resource || !known) return call.done(cudaErrorInvalidValue);
    *resource = known->resource;
    return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
    LOCKSTEP_ORDINARY("cudaGetTextureObjectTextureDesc");
    const Object* const known = objectOf(object, true);
    if (!texture || !known) return call.done(cudaErrorInvalidValue);
    *texture = known->texture;
    return cudaSuccess;
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    LOCKSTEP_ORDINARY("cudaCreateSurfaceObject");
    if (!object || !resource) return call.done(cudaErrorInvalidValue);
    *object = 0;
    if (resource->resType != cudaResourceTypeArray) return call.done(cudaErrorInvalidChannelDescriptor);
    ImageFacts facts;  // an H200 does not insist on cudaArraySurfaceLoadStore
    if (const int error = describeResource(call, *resource, facts)) return call.done(error);
    return call.done(makeObject(call, facts, {*resource, {}, false}, object));
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    LOCKSTEP_ORDINARY("cudaDestroySurfaceObject");
    return call.done(destroyObject(call, object, false));
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
    LOCKSTEP_ORDINARY("cudaGetSurfaceObjectResourceDesc");
    const Object* const known = objectOf(object, false);
    if (!resource || !known) return call.done(cudaErrorInvalidValue);
    *resource = known->resource;
    return cudaSuccess;
}
}
