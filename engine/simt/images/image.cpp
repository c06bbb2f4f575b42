#include "simt/images/image.h"

#include "base/half.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace lockstep::simt {
namespace {

using AddressMode = Image::AddressMode;

// Weights of a linear filter have 8 bits behind the point (CUDA C++ Programming Guide, "Linear Filtering").
constexpr s64 kOne = 256;

constexpr s64 kOutside = -1;  // an index, with AddressMode::Border

s64 remainder(s64 value, s64 by) {
    const s64 rest = value % by;
    return rest < 0 ? rest + by : rest;
}

// The texel for an index beyond the edges.
s64 addressed(s64 index, u32 size, AddressMode mode) {
    switch (mode) {
        case AddressMode::Wrap: return remainder(index, size);
        case AddressMode::Mirror: {
            const s64 twice = remainder(index, 2 * s64{size});
            return twice < size ? twice : 2 * s64{size} - 1 - twice;
        }
        case AddressMode::Border: return index >= 0 && index < size ? index : kOutside;
        case AddressMode::Clamp: break;
    }
    return std::clamp<s64>(index, 0, s64{size} - 1);
}

// In texels, not more than fixed-point numbers hold. Normalized coordinates have 21 bits behind the point on
// an H200; those beyond are cut off.
f64 inTexels(f32 coordinate, u32 size, const Image& image) {
    constexpr f64 kMost = 1 << 30, kSteps = 1 << 21;
    if (std::isnan(coordinate)) return 0;
    const f64 value = std::clamp(f64{coordinate}, -kMost, kMost);
    if (!image.hasNormalizedCoordinates) return value;
    return std::clamp(std::floor(value * kSteps) * size / kSteps, -kMost * kSteps, kMost * kSteps);
}

// Wrapping and mirroring need normalized coordinates, others are clamped (cudaTextureDesc).
AddressMode modeOf(const Image& image, u32 axis) {
    const AddressMode mode = image.modes[axis];
    const bool repeats = mode == AddressMode::Wrap || mode == AddressMode::Mirror;
    return repeats && !image.hasNormalizedCoordinates ? AddressMode::Clamp : mode;
}

u32 sizeOf(const Image& image, u32 axis) {
    if (axis >= image.dimensions) return 1;
    return axis == 0 ? image.width : axis == 1 ? image.height : image.depth;
}

u32 layerOf(const Image& image, u32 layer) {
    if (!image.isLayered) return 0;
    return std::min(layer, image.depth - 1);
}

// The element that stands for 1.
f32 mostOf(u32 bytes, bool isSigned) {
    return isSigned ? (bytes == 1 ? 0x7f : 0x7fff) : (bytes == 1 ? 0xff : 0xffff);
}

f32 fractionOf(u32 bits, u32 bytes, bool isSigned) {
    return (isSigned ? f32(s32(bits)) : f32(bits)) / mostOf(bytes, isSigned);
}

Texel texelAt(const Image& image, s64 x, s64 y, s64 z) {
    const std::byte* at =
        image.host + u64(z) * image.sliceBytes + u64(y) * image.rowBytes + u64(x) * image.texelBytes();
    Texel texel{};
    if (image.channelBytes == 4) {
        for (u32 i = 0; i < image.channels; ++i)
            std::memcpy(&texel[i], at + u64{i} * sizeof(u32), sizeof(u32));
        return texel;
    }
    for (u32 i = 0; i < image.channels; ++i, at += image.channelBytes) {
        u32 bits = 0;
        std::memcpy(&bits, at, image.channelBytes);
        const u32 unused = 32 - 8u * image.channelBytes;
        if (image.values == Image::Values::Signed) bits = u32(s32(bits << unused) >> unused);
        if (image.values == Image::Values::Float && image.channelBytes == 2)
            bits = std::bit_cast<u32>(halfToFloat(u16(bits)));
        else if (image.readsFractions) {
            const f32 fraction = fractionOf(bits, image.channelBytes, image.values == Image::Values::Signed);
            bits = std::bit_cast<u32>(image.isFiltered ? fraction : std::max(fraction, -1.0f));
        }
        texel[i] = bits;
    }
    return texel;
}

// What stands for texels outside.
Texel borderOf(const Image& image) {
    Texel texel{};
    for (u32 i = 0; i < image.channels; ++i) {
        f32 value = image.border[i];
        if (image.readsFractions) {
            const bool isSigned = image.values == Image::Values::Signed;
            const f32 most = mostOf(image.channelBytes, isSigned);
            value = std::round(std::clamp(value, isSigned ? -1.0f : 0.0f, 1.0f) * most) / most;
        }
        texel[i] = std::bit_cast<u32>(value);
    }
    return texel;
}

Texel texelOr(const Image& image, s64 x, s64 y, s64 z) {
    return x == kOutside || y == kOutside || z == kOutside ? borderOf(image) : texelAt(image, x, y, z);
}

// What a filter does with values, as measured on an H200. Subnormal numbers are 0, and any NaN is the
// canonical one.
f32 withoutSubnormal(f32 value) {
    const u32 bits = std::bit_cast<u32>(value);
    return bits & 0x7f800000 ? value : std::bit_cast<f32>(bits & 0x80000000);
}
// Fractions become numbers of 16 bits, so many of them are 1; of signed bytes with 3 bits more, of which the
// H200's last one is not known: a fortieth of their results differs by 1.
f64 stepsOf(const Image& image) { return image.values == Image::Values::Signed ? 0x7fff : 0xffff; }
f64 filterable(const Image& image, u32 bits) {
    const f32 value = std::bit_cast<f32>(bits);
    if (!image.readsFractions) return withoutSubnormal(value);
    const bool isSigned = image.values == Image::Values::Signed;
    const f64 most = mostOf(image.channelBytes, isSigned), number = std::round(f64{value} * most);
    return isSigned && image.channelBytes == 1 ? std::floor(number * 2064.0625) / 8
                                               : number * stepsOf(image) / most;
}

// The sum, rounded once: halves away from zero, but those of fractions up.
u32 rounded(const Image& image, f64 sum) {
    if (image.readsFractions)
        return std::bit_cast<u32>(f32(std::max(std::floor(sum + 0.5) / stepsOf(image), -1.0)));
    constexpr u32 kNan = 0x7fffffff, kDropped = 52 - 23;
    f32 value = std::bit_cast<f32>(kNan);
    if (!std::isnan(sum)) {
        const u64 bits = std::bit_cast<u64>(sum) + (std::isfinite(sum) ? u64{1} << (kDropped - 1) : u64{0});
        value = withoutSubnormal(f32(std::bit_cast<f64>(bits >> kDropped << kDropped)));
    }
    return std::bit_cast<u32>(image.channelBytes == 2 ? halfToFloat(floatToHalf(value)) : value);
}

// The two texels between which a coordinate lies on one axis, and the second one's weight.
struct Between {
    std::array<s64, 2> index{};
    s64 weight = 0;  // of kOne
};

Between between(const Image& image, f32 coordinate, u32 axis) {
    const u32 size = sizeOf(image, axis);
    const s64 fixed = s64(std::floor(inTexels(coordinate, size, image) * f64(kOne) + 0.5)) - kOne / 2;
    const s64 first = fixed >> 8;
    const AddressMode mode = modeOf(image, axis);
    Between result{{addressed(first, size, mode), addressed(first + 1, size, mode)}, fixed & (kOne - 1)};
    if (mode == AddressMode::Clamp && result.index[0] == result.index[1]) result.weight = 0;
    return result;
}

// The weights of all corners, of kOne together: bit n of the index is of axis n. So an H200 splits the whole:
// by x, by z, then by y, each time into 8 bits behind the point; of halves the larger share goes to the side
// that x has (measured: all 2D and 3D fetches of a table of 4,100 agree).
std::array<s64, 8> weightsOf(const std::array<Between, 3>& axes, u32 dimensions) {
    std::array<s64, 8> weights{kOne};
    if (dimensions == 2) {  // the same, in short
        const s64 x = axes[0].weight, y = axes[1].weight, both = (x * y + kOne / 2) >> 8;
        return {kOne - x - y + both, x - both, y - both, both};
    }
    constexpr std::array<u32, 3> kOrder{0, 2, 1};
    for (const u32 axis : kOrder) {
        if (axis >= dimensions) continue;
        for (u32 corner = 0; corner < 8; ++corner) {
            if (corner >> axis & 1) continue;
            const s64 half = corner & 1 ? kOne / 2 : kOne / 2 - 1;
            s64 &first = weights[corner], &second = weights[corner | 1u << axis];
            second = (first * axes[axis].weight + half) >> 8;
            first -= second;
        }
    }
    return weights;
}

Texel filtered(const Image& image, const std::array<f32, 3>& at, s64 layer) {
    // A texture of one dimension is one of two with a single row.
    const u32 dimensions = std::max<u32>(image.dimensions, 2);
    std::array<Between, 3> axes;
    for (u32 axis = 0; axis < dimensions; ++axis)
        axes[axis] = between(image, at[axis], axis);
    const std::array<s64, 8> weights = weightsOf(axes, dimensions);
    std::array<f64, 4> sums;
    sums.fill(-0.0);
    for (u32 corner = 0; corner < 1u << dimensions; ++corner) {
        if (weights[corner] == 0) continue;  // infinities of texels that do not count
        std::array<s64, 3> index{0, 0, layer};
        for (u32 axis = 0; axis < dimensions; ++axis)
            index[axis] = axes[axis].index[corner >> axis & 1];
        const Texel texel = texelOr(image, index[0], index[1], index[2]);
        for (u32 i = 0; i < image.channels; ++i)
            sums[i] += f64(weights[corner]) / f64(kOne) * filterable(image, texel[i]);
    }
    Texel result{};
    for (u32 i = 0; i < image.channels; ++i)
        result[i] = rounded(image, sums[i]);
    return result;
}

}  // namespace

Texel fetch(const Image& image, std::array<f32, 3> at, u32 layer) {
    if (image.isLinear) return Texel{};
    const s64 z = layerOf(image, layer);
    if (image.isFiltered) return filtered(image, at, z);
    std::array<s64, 3> index{0, 0, z};
    for (u32 axis = 0; axis < image.dimensions; ++axis) {
        const u32 size = sizeOf(image, axis);
        index[axis] = addressed(s64(std::floor(inTexels(at[axis], size, image))), size, modeOf(image, axis));
    }
    return texelOr(image, index[0], index[1], index[2]);
}

Texel fetchElement(const Image& image, std::array<s32, 3> at, u32 layer) {
    if (image.isLinear) return at[0] >= 0 && u32(at[0]) < image.width ? texelAt(image, at[0], 0, 0) : Texel{};
    std::array<s64, 3> index{0, 0, layerOf(image, layer)};
    for (u32 axis = 0; axis < image.dimensions; ++axis) {
        const AddressMode mode =
            image.modes[axis] == AddressMode::Border ? AddressMode::Border : AddressMode::Clamp;
        index[axis] = addressed(at[axis], sizeOf(image, axis), mode);
    }
    return texelOr(image, index[0], index[1], index[2]);
}

Texel gather(const Image& image, f32 x, f32 y, u32 layer, u32 component) {
    const Between across = between(image, x, 0), down = between(image, y, 1);
    const s64 z = layerOf(image, layer);
    const auto of = [&](u32 right, u32 below) {
        return texelOr(image, across.index[right], down.index[below], z)[component];
    };
    return {of(0, 1), of(1, 1), of(1, 0), of(0, 0)};
}

std::optional<u64> surfaceOffset(const Image& image, std::array<s32, 3> at, u32 layer, u32 accessBytes,
                                 Boundary boundary) {
    std::array<s64, 3> index{at[0], image.dimensions > 1 ? at[1] : 0, image.dimensions > 2 ? at[2] : 0};
    if (image.isLayered) index[2] = layer;
    const std::array<s64, 3> last{s64{image.width} * image.texelBytes() - accessBytes, s64{image.height} - 1,
                                  s64{image.depth} - 1};
    if (last[0] < 0) return std::nullopt;
    for (u32 axis = 0; axis < 3; ++axis) {
        if (index[axis] >= 0 && index[axis] <= last[axis]) continue;
        if (boundary != Boundary::Clamp) return std::nullopt;
        index[axis] = std::clamp<s64>(index[axis], 0, last[axis]);
    }
    return u64(index[2]) * image.sliceBytes + u64(index[1]) * image.rowBytes + u64(index[0]);
}

}  // namespace lockstep::simt
