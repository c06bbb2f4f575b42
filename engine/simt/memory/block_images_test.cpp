// Instructions for textures and surfaces, as PTX.
#include "ptx/module.h"
#include "simt/emulator.h"
#include "simt/images/image.h"
#include "simt/memory/device_memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace lockstep::simt {
namespace {

constexpr u64 kPlace = u64{0x2000} << 32, kTexture = 0x7000, kSurface = kTexture + 1,
              kDestroyed = kTexture + 2;
constexpr u32 kShift = 30;

u32 bits(f32 value) { return std::bit_cast<u32>(value); }

struct ImageRun {
    std::vector<u32> out = std::vector<u32>(32);
    std::vector<f32> texels;
    std::vector<trace::Finding> findings;
};

// One warp, whose lane n stores %r0 to out[n]. The texture and the surface are of two layers of 4 x 2 floats:
// 0 to
// 15. %d1 and %d2 are their handles, %d3 one that was destroyed, %t and %f0 the lane's number.
ImageRun runOnImages(const std::string& body) {
    ImageRun run;
    for (u32 i = 0; i < 16; ++i)
        run.texels.push_back(f32(i));
    const auto module = ptx::parse(fmt::format(R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{{
    .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<16>, %t; .reg .b64 %d<8>, %out; .reg .f32 %f<16>;
    ld.param.u64 %out, [out];
    mov.u32 %t, %tid.x; cvt.rn.f32.u32 %f0, %t;
    mov.u64 %d1, {}; mov.u64 %d2, {}; mov.u64 %d3, {};
    mul.wide.u32 %d4, %t, 4; add.s64 %out, %out, %d4;
    mov.u32 %r0, 0;
    {}
    st.global.u32 [%out], %r0;
    ret;
}}
)",
                                               kTexture, kSurface, kDestroyed, body),
                                   "test.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    if (!module) return run;
    Image image{.allocation = 1,
                .host = reinterpret_cast<std::byte*>(run.texels.data()),
                .address = kPlace + (u64{1} << kShift),
                .dimensions = 2,
                .isLayered = true,
                .width = 4,
                .height = 2,
                .depth = 2,
                .rowBytes = 16,
                .sliceBytes = 32};
    image.modes.fill(Image::AddressMode::Clamp);
    Image surface = image, destroyed = image;
    surface.isTexture = false;
    destroyed.state = Image::State::Destroyed;
    const auto place = [](u64 number, auto& values) {
        return Allocation{.base = kPlace + (number << kShift),
                          .bytes = values.size() * 4,
                          .host = reinterpret_cast<std::byte*>(values.data()),
                          .buffer = s32(number)};
    };
    const LastingMemory memory{.allocations = {place(0, run.out), place(1, run.texels)},
                               .variableAddresses = std::vector<u64>(module->variables.size()),
                               .placeShift = kShift,
                               .firstPlace = kPlace >> kShift,
                               .allocationAt = {1, 2},
                               .images = {image, surface, destroyed},
                               .firstImage = kTexture};
    ScalarArgument argument{std::vector<std::byte>(8)};
    std::memcpy(argument.bytes.data(), &memory.allocations[0].base, 8);
    const Launch launch{.entry = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = {argument}};
    Options options;
    options.memory = &memory;
    const auto result = lockstep::simt::run(*module, {&launch, 1}, {}, options);
    EXPECT_TRUE(result) << describe(result.error());
    if (result) run.findings = result->findings;
    return run;
}

TEST(BlockImages, EachFormOfInstruction) {
    struct Case {
        const char* body;
        std::vector<u32> first;  // lanes
    };
    const Case cases[] = {
        {"tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%t, %f0, %f0, %f0}]; mov.b32 %r0, %f1;",
         {bits(0), bits(13), bits(14), bits(15), bits(15)}},
        {"tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%t, %r0}]; mov.b32 %r0, %f1;",
         {bits(0), bits(1), bits(2), bits(3), bits(3)}},
        {"tex.level.a2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%d1, {1, %f0, 0f00000000, %f0}], 0f3F800000; "
         "mov.u32 %r0, %r1;",
         {bits(8), bits(9), bits(10)}},
        {"txq.width.b32 %r0, [%d1];", {4, 4}},
        {"txq.array_size.b32 %r0, [%d1];", {2}},
        {"suq.height.b32 %r0, [%d2];", {2}},
        {"shl.b32 %r1, %t, 2; suld.b.a2d.b32.zero %r0, [%d2, {1, %r1, 1, 0}];",
         {bits(12), bits(13), bits(14), bits(15), 0, 0}},
        {"shl.b32 %r1, %t, 3; suld.b.2d.v2.b32.clamp {%r2, %r0}, [%d2, {%r1, 0}];",
         {bits(1), bits(3), bits(3)}},
        {"suld.b.2d.b64.zero %d5, [%d2, {8, 0}]; shr.u64 %d5, %d5, 32; cvt.u32.u64 %r0, %d5;",
         {bits(3), bits(3)}},
        {"suld.b.2d.b8.zero %h1, [%d2, {7, 0}]; cvt.u32.u16 %r0, %h1;", {0x3f}},
        {"setp.eq.u32 %p1, %t, 1; @%p1 suld.b.2d.b32.trap %r0, [%d2, {4, 0}];", {0, bits(1), 0}},
    };
    for (const Case& c : cases) {
        const ImageRun run = runOnImages(c.body);
        EXPECT_TRUE(run.findings.empty()) << c.body;
        EXPECT_EQ(std::vector<u32>(run.out.begin(), run.out.begin() + s64(c.first.size())), c.first)
            << c.body;
    }
}

TEST(BlockImages, StoresAndReductionsChangeTheTexels) {
    const ImageRun stored = runOnImages(
        "shl.b32 %r1, %t, 2; mov.b32 %r2, 0f42280000; sust.b.a2d.b32.zero [%d2, {1, %r1, 1, 0}], %r2;");
    EXPECT_TRUE(stored.findings.empty());
    EXPECT_EQ(stored.texels[11], 11);
    EXPECT_EQ(stored.texels[12], 42);
    EXPECT_EQ(stored.texels[15], 42);
    const ImageRun added = runOnImages("mov.u32 %r2, 1; sured.b.add.2d.u32.trap [%d2, {0, 0}], %r2;");
    EXPECT_EQ(bits(added.texels[0]), 32u);
}

TEST(BlockImages, WhatIsWrongIsFound) {
    using enum trace::ImageFault;
    struct Case {
        const char* body;
        trace::ImageFault fault;
    };
    const Case cases[] = {
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d3, {%f0, %f0}];", Destroyed},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d2, {%f0, %f0}];", NotATexture},
        {"mov.u64 %d1, 0; tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f0, %f0}];", NoObject},
        {"suld.b.2d.b32.zero %r0, [%d1, {0, 0}];", NotASurface},
        {"suld.b.2d.b32.trap %r0, [%d2, {16, 0}];", Outside},
        {"sust.b.2d.b32.trap [%d2, {0, -1}], %r0;", Outside},
        {"suld.b.2d.b32.zero %r0, [%d2, {2, 0}];", Misaligned},
    };
    for (const Case& c : cases) {
        const ImageRun run = runOnImages(c.body);
        ASSERT_EQ(run.findings.size(), 32u) << c.body;
        EXPECT_EQ(run.findings[0].kind, trace::FindingKind::InvalidTexture) << c.body;
        EXPECT_EQ(imageFaultOf(run.findings[0]), c.fault) << c.body;
    }
}

}  // namespace
}  // namespace lockstep::simt
