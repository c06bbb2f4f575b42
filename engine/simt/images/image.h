// Textures and surfaces: texels in memory, and how coordinates find them and values are read. What is here is
// from the CUDA C++ Programming Guide ("Texture and Surface Memory", "Texture Fetching") and the PTX ISA
// ("Texture Instructions", "Surface Instructions").
#pragma once

#include "base/integers.h"

#include <array>
#include <cstddef>
#include <optional>

namespace lockstep::simt {

// What a texture or surface object describes, for one launch.
struct Image {
    enum class State : u8 { Valid, Destroyed, Freed /* its memory was */ };
    enum class Values : u8 { Signed, Unsigned, Float };
    enum class AddressMode : u8 { Wrap, Clamp, Mirror, Border };  // as cudaTextureAddressMode

    State state = State::Valid;
    bool isTexture = true;  // or a surface
    u32 allocation = 0;     // of the launch's memory: its index
    u64 firstByte = 0;      // there
    std::byte* host = nullptr;
    u64 address = 0;        // on the device
    bool isLinear = false;  // plain memory of one dimension: only elements are fetched, none outside
    u8 dimensions = 1;      // without layers
    bool isLayered = false;
    u32 width = 1, height = 1, depth = 1;  // in texels; depth: or layers
    u64 rowBytes = 0, sliceBytes = 0;
    u8 channels = 1, channelBytes = 4;
    Values values = Values::Float;
    // Of textures.
    std::array<AddressMode, 3> modes{};
    bool isFiltered = false;                // linearly
    bool readsFractions = false;            // of 8 and 16 bits: 0 to 1, or -1 to 1
    bool hasNormalizedCoordinates = false;  // 0 to 1
    std::array<f32, 4> border{};

    u32 texelBytes() const { return u32{channels} * channelBytes; }
};

using Texel = std::array<u32, 4>;  // bits of f32, or of 32-bit integers

// The layer is clamped to those that there are.
Texel fetch(const Image& image, std::array<f32, 3> at, u32 layer);
// Coordinates are elements: no filter, nothing normalized.
Texel fetchElement(const Image& image, std::array<s32, 3> at, u32 layer);
// One component of the four texels that a bilinear filter would take.
Texel gather(const Image& image, f32 x, f32 y, u32 layer, u32 component);

enum class Boundary : u8 { Trap, Clamp, Zero };

// Where an access to a surface lies, in bytes from its first: x in bytes. None: it is outside, and not
// clamped.
std::optional<u64> surfaceOffset(const Image& image, std::array<s32, 3> at, u32 layer, u32 accessBytes,
                                 Boundary boundary);

}  // namespace lockstep::simt
