// Accesses to textures and surfaces, lane by lane. They are not counted as requests: how an array's texels
// lie in memory is not documented.
#include "simt/memory/block_memory.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>

namespace lockstep::simt {
namespace {

using Kind = ImageOperation::Kind;
using trace::ImageFault;

template <class T> T laneOf(const Accessor& accessor, u32 at, u32 lane) {
    T value;
    std::memcpy(&value, accessor.frame + at + lane * sizeof value, sizeof value);
    return value;
}
template <class T> void setLane(const Accessor& accessor, u32 at, u32 lane, T value) {
    std::memcpy(accessor.frame + at + lane * sizeof value, &value, sizeof value);
}

void setValue(const ImageOperation& operation, const Accessor& accessor, u32 i, u32 lane, u64 value) {
    if (operation.elementBytes == 8)
        setLane<u64>(accessor, operation.values[i], lane, value);
    else
        setLane<u32>(accessor, operation.values[i], lane, u32(value));
}
u64 valueOf(const ImageOperation& operation, const Accessor& accessor, u32 i, u32 lane) {
    return operation.elementBytes == 8 ? laneOf<u64>(accessor, operation.values[i], lane)
                                       : laneOf<u32>(accessor, operation.values[i], lane);
}
void setAll(const ImageOperation& operation, const Accessor& accessor, u32 lane, u64 value) {
    if (operation.writes()) return;
    for (u32 i = 0; i < operation.elements; ++i)
        setValue(operation, accessor, i, lane, value);
}

template <class T>
std::array<T, 3> coordinatesOf(const ImageOperation& operation, const Accessor& accessor, u32 lane) {
    std::array<T, 3> at{};
    for (u32 i = 0; i < operation.dimensions; ++i)
        at[i] = laneOf<T>(accessor, operation.coordinates[i], lane);
    return at;
}
u32 layerOf(const ImageOperation& operation, const Accessor& accessor, u32 lane) {
    return operation.isLayered ? laneOf<u32>(accessor, operation.layer, lane) : 0;
}

// As an H200 answers: layers are the height of an image of one dimension, the depth of one of two.
u32 propertyOf(const Image& image, ImageOperation::Property property) {
    const u32 layers = image.isLayered ? image.depth : 0;
    switch (property) {
        case ImageOperation::Property::Width: return image.width;
        case ImageOperation::Property::Height:
            if (image.dimensions > 1) return image.height;
            return layers ? layers : u32(image.isTexture);
        case ImageOperation::Property::Depth:
            return image.dimensions > 2 ? image.depth : image.dimensions == 2 ? layers : 0;
        case ImageOperation::Property::Layers: return layers;
    }
    return 0;
}

std::string sizeText(const Image& image, const std::array<s32, 3>& at, u32 layer) {
    std::string where = fmt::format("x {}", at[0]),
                size = fmt::format("{}", image.width * image.texelBytes());
    if (image.dimensions > 1)
        where += fmt::format(", y {}", at[1]), size += fmt::format(" x {}", image.height);
    if (image.dimensions > 2)
        where += fmt::format(", z {}", at[2]), size += fmt::format(" x {}", image.depth);
    if (image.isLayered)
        where += fmt::format(", layer {}", s32(layer)), size += fmt::format(" x {}", image.depth);
    return where + " / " + size;
}

}  // namespace

void BlockMemory::reportImage(ImageFault fault, const ImageOperation& operation, const Accessor& accessor,
                              u32 lane, u64 address, const std::string& where) {
    if (!observers_.findings) return;
    trace::Finding f = finding(trace::FindingKind::InvalidTexture, accessor.pc, accessor.warp, lane);
    f.who.kind = operation.kind == Kind::Reduce  ? trace::AccessKind::Reduction
                 : operation.kind == Kind::Store ? trace::AccessKind::Store
                                                 : trace::AccessKind::Load;
    f.address = address;
    f.widthBytes = u8(operation.accessBytes());
    f.detail = detailOf(fault, where);
    observers_.findings->add(f);
}

const Image* BlockMemory::imageOf(u64 handle, const ImageOperation& operation, const Accessor& accessor,
                                  u32 lane) {
    const Image* const image = device_.findImage(handle);
    const bool isQuery = operation.kind == Kind::Query;
    const auto refuse = [&](ImageFault fault, u64 address) -> const Image* {
        reportImage(fault, operation, accessor, lane, address);
        return nullptr;
    };
    if (!image) return refuse(ImageFault::NoObject, handle);
    if (image->state == Image::State::Destroyed) return refuse(ImageFault::Destroyed, handle);
    if (image->state == Image::State::Freed) return refuse(ImageFault::Freed, image->address);
    if (!isQuery && image->isTexture == operation.isOfSurface())
        return refuse(image->isTexture ? ImageFault::NotASurface : ImageFault::NotATexture, handle);
    return image;
}

void BlockMemory::surfaceLane(const Image& image, const ImageOperation& operation, const Accessor& accessor,
                              u32 lane) {
    const std::array<s32, 3> at = coordinatesOf<s32>(operation, accessor, lane);
    const u32 layer = layerOf(operation, accessor, lane), bytes = operation.accessBytes();
    const std::optional<u64> offset = surfaceOffset(image, at, layer, bytes, operation.boundary);
    if (!offset || *offset % bytes) {
        if (!offset && operation.boundary == Boundary::Zero) return setAll(operation, accessor, lane, 0);
        reportImage(offset ? ImageFault::Misaligned : ImageFault::Outside, operation, accessor, lane,
                    image.address, sizeText(image, at, layer));
        return setAll(operation, accessor, lane, ~u64{0});
    }
    if (operation.writes() && observers_.snapshot) {
        const WrittenBytes written{image.firstByte + *offset, image.firstByte + *offset + bytes};
        observers_.snapshot->beforeWrite(image.allocation, [&] { return written; });
        if (observers_.snapshot->isWatched(image.allocation))
            observers_.snapshot->mark(image.allocation, written);
    }
    for (u32 i = 0; i < operation.elements; ++i) {
        std::byte* const place = image.host + *offset + u64{i} * operation.elementBytes;
        if (operation.kind == Kind::Load) {
            u64 value = 0;
            std::memcpy(&value, place, operation.elementBytes);
            setValue(operation, accessor, i, lane, value);
        } else if (operation.kind == Kind::Store) {
            const u64 value = valueOf(operation, accessor, i, lane);
            std::memcpy(place, &value, operation.elementBytes);
        } else {
            operation.atomic(place, valueOf(operation, accessor, i, lane), 0, concurrent_);
        }
    }
}

void BlockMemory::imageLane(const Image& image, const ImageOperation& operation, const Accessor& accessor,
                            u32 lane) {
    Texel texel{};
    if (operation.kind == Kind::Query) {
        texel[0] = propertyOf(image, operation.property);
    } else {
        const u32 layer = layerOf(operation, accessor, lane);
        if (operation.kind == Kind::Gather) {
            const std::array<f32, 3> at = coordinatesOf<f32>(operation, accessor, lane);
            texel = gather(image, at[0], at[1], layer, operation.component);
        } else if (operation.isFloat) {
            texel = simt::fetch(image, coordinatesOf<f32>(operation, accessor, lane), layer);
        } else {
            texel = fetchElement(image, coordinatesOf<s32>(operation, accessor, lane), layer);
        }
    }
    for (u32 i = 0; i < operation.elements; ++i)
        setValue(operation, accessor, i, lane, texel[i]);
}

void BlockMemory::image(const ImageOperation& operation, const Accessor& accessor, u32 mask) {
    const Image* image = nullptr;
    u64 known = 0;  // its handle: lanes mostly have the same
    for (Lane lane : LaneMask{mask}) {
        const u64 handle = laneOf<u64>(accessor, operation.handle, lane.value);
        if (!image || handle != known) {
            image = imageOf(handle, operation, accessor, lane.value);
            known = handle;
        }
        if (!image)
            setAll(operation, accessor, lane.value, 0);
        else if (operation.isOfSurface())
            surfaceLane(*image, operation, accessor, lane.value);
        else
            imageLane(*image, operation, accessor, lane.value);
    }
}

}  // namespace lockstep::simt
