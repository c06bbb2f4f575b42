// An unsupported kernel does not affect the others in its file.
#include "simt/emulator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep::simt {
namespace {

TEST(Unsupported, IsTheKernelThatDoesItAndNoOther) {
    struct Case {
        const char *body, *sentence;
    };
    constexpr Case kCases[] = {
        {"tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2, %f3, %f3}];",
         "the emulator cannot run \"tex.cube.v4.f32.f32\""},
        {"tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1, %r2}];",
         "the emulator cannot run \"tex.2d.v4.f32.s32\": it uses a texture or surface reference"},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, nearest, {%f1, %f2}];",
         "the emulator cannot run \"tex.2d.v4.f32.f32\": a sampler of its own"},
        {"suld.b.1d.b32.trap %r1, [plane, {%r1}];",
         "the emulator cannot run \"suld.b.1d.b32.trap\": it uses a texture or surface reference"},
        {"sust.p.2d.v2.b32.trap [%d1, {%r1, %r2}], {%r1, %r2};",
         "the emulator cannot run \"sust.p.2d.v2.b32.trap\": a formatted access"},
        {"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1}];",
         "the emulator cannot run \"tex.1d.v4.f32.f32\": textures and surfaces exist only in whole programs"},
        {"txq.num_mipmap_levels.b32 %r1, [%d1];", "the emulator cannot run \"txq.num_mipmap_levels.b32\""},
        {"mov.u32 %r1, %pm0;",
         "the emulator cannot run \"mov.u32\": the special register %pm0 is not supported"},
        {"mov.u64 %d1, %pm3_64;",
         "the emulator cannot run \"mov.u64\": the special register %pm3_64 is not supported"},
        {"add.u32 %r1, %r2, %envreg7;",
         "the emulator cannot run \"add.u32\": the special register %envreg7 is not supported"},
    };
    const std::string handles =
        ".global .texref image; .global .surfref plane; .global .samplerref nearest = { addr_mode_0 = "
        "wrap, filter_mode = nearest };";
    const std::string registers = ".reg .b64 %d<4>; .reg .b32 %r<4>; .reg .f32 %f<8>;\n";
    const std::string before = ".version 8.3\n.target sm_90\n.address_size 64 " + handles +
                               "\n.visible .entry odd() {\n" + registers;
    const std::string behind =
        "\nret; }\n.visible .entry plain() {\n" + registers + "mov.u32 %r1, %tid.x; ret; }\n";
    for (const Case& c : kCases) {
        const Expected<ptx::Module> module =
            ptx::parse(fmt::format("{}{}{}", before, c.body, behind), "k.ptx");
        ASSERT_TRUE(module) << describe(module.error());
        EXPECT_TRUE(checkSupported(*module, "plain")) << c.body;
        const Expected<void> odd = checkSupported(*module, "odd");
        ASSERT_FALSE(odd) << c.body;
        EXPECT_EQ(odd.error().kind, FaultKind::Unsupported);
        EXPECT_TRUE(describe(odd.error()).starts_with(std::string("k.ptx:6:1: ") + c.sentence))
            << describe(odd.error());
    }
}

}  // namespace
}  // namespace lockstep::simt
