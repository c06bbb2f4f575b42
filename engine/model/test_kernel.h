// For tests: a small tiled kernel as PTX, and a recording of it to fill in.
#pragma once

#include "base/device_addresses.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::model {

// mm<2>(const float* M, float* P): loads M into a tile, divides, diverges, reconverges. Lines 5 to 12 are the
// kernel's; file 2 is a header whose code is inlined at line 8; line 30 is a __device__ function of the
// kernel's own file, inlined at line 9.
inline constexpr const char* kTestPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.file 1 "mm.cu"
.file 2 "helpers.h"
.global .align 4 .b8 _ZN4mine5tableE[64];
.extern .shared .align 16 .b8 dynamic[];
.visible .entry _Z2mmILi2EEvPKfPf(.param .u64 _Z2mmILi2EEvPKfPf_param_0, .param .u64 _Z2mmILi2EEvPKfPf_param_1)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<6>;
    .loc 1 5 0
    .shared .align 4 .b8 _ZZ2mmILi2EEvPKfPfE3Mds[16];
    .shared .align 8 .b8 _ZZ2mmILi2EEvPKfPfE3Nds[24];
    ld.param.u64 %rd1, [_Z2mmILi2EEvPKfPf_param_0];
    .loc 1 6 3
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %tid.x;
    ld.global.f32 %f1, [%rd2];
    .loc 1 7 3
    mov.u32 %r2, _ZZ2mmILi2EEvPKfPfE3Mds;
    st.shared.f32 [%r2], %f1;
    mov.u32 %r3, _ZZ2mmILi2EEvPKfPfE3Nds;
    mov.u32 %r4, dynamic;
    bar.sync 0;
    .loc 2 3 1, function_name $L__info_string0, inlined_at 1 8 5
    ld.shared.f32 %f2, [%r2];
    .loc 1 30 1, function_name $L__info_string1, inlined_at 1 9 5
    div.s32 %r5, %r1, %r3;
    .loc 1 10 3
    setp.lt.s32 %p1, %r1, 2;
    @%p1 bra DONE;
    .loc 1 11 3
    atom.shared.add.u32 %r6, [%r3], 1;
    atom.shared.add.f32 %f3, [%r3], %f2;
    bar.warp.sync -1;
DONE:
    .loc 1 12 1
    st.global.f32 [%rd2], %f2;
    ret;
}
.section .debug_str
{
$L__info_string0:
.b8 104, 0
$L__info_string1:
.b8 103, 0
}
)";

inline ptx::Module testModule() {
    Expected<ptx::Module> module = ptx::parse(kTestPtx, "mm.ptx");
    if (!module) {
        ADD_FAILURE() << describe(module.error());
        return {};
    }
    return std::move(*module);
}

// The pc of the n-th instruction of that name.
inline Pc pcOf(const ptx::Module& module, std::string_view name, u32 nth = 0) {
    for (u32 pc = 0; pc < module.instructions.size(); ++pc)
        if (module.instructions[pc].name == name && nth-- == 0) return Pc{pc};
    ADD_FAILURE() << "no " << name;
    return Pc{0};
}

// One launch of 2x2 blocks of 2x2 threads; M is 3x3, P has 9 elements in a row.
inline trace::Recording testRecording() {
    trace::Recording recording;
    recording.backend = "emulator";
    recording.launches.push_back({.entry = "_Z2mmILi2EEvPKfPf",
                                  .grid = {2, 2, 1},
                                  .block = {2, 2, 1},
                                  .dynamicSharedBytes = 64,
                                  .arguments = {}});
    recording.initial.push_back(
        {.name = "M", .type = ElementType::F32, .shape = {3, 3}, .bytes = std::vector<std::byte>(36)});
    recording.initial.push_back(
        {.name = "P", .type = ElementType::F32, .shape = {9}, .bytes = std::vector<std::byte>(36)});
    return recording;
}

}  // namespace lockstep::model
