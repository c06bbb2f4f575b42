// Two small kernels and their buffers, for the tests and the fuzzer of references.
#pragma once

#include "run/run.h"

#include <cstring>

namespace lockstep::run {

// right copies 16 elements from in to out; wrong omits the last one of each block; other takes one argument.
inline constexpr const char* kCopyKernels = R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry right(.param .u64 in, .param .u64 out, .param .u32 n) {
    .reg .u64 %rd<8>; .reg .u32 %r<8>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra done;
    mul.wide.u32 %rd3, %r5, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    ld.global.u32 %r6, [%rd4]; st.global.u32 [%rd5], %r6;
done:
    ret;
}
.visible .entry wrong(.param .u64 in, .param .u64 out, .param .u32 n) {
    .reg .u64 %rd<8>; .reg .u32 %r<8>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    sub.u32 %r7, %r3, 1;
    setp.ge.u32 %p1, %r4, %r7;
    @%p1 bra done;
    mul.wide.u32 %rd3, %r5, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    ld.global.u32 %r6, [%rd4]; st.global.u32 [%rd5], %r6;
done:
    ret;
}
.visible .entry other(.param .u64 in) { ret; }
.visible .entry idle(.param .u64 in, .param .u64 out, .param .u32 n) { ret; }
)";

// 1.0, 2.0, ... in `in`, zeros in `out`; 2 blocks of 8 threads.
inline Experiment copyExperiment(const std::string& kernel) {
    Expected<ptx::Module> module = ptx::parse(kCopyKernels, "copy.ptx");
    Experiment experiment{.module = nullptr,
                          .launches = {},
                          .buffers = {},
                          .catalog = {},
                          .entry = kernel,
                          .source = "copy.ptx"};
    if (module) experiment.module = std::make_shared<ptx::Module>(std::move(*module));
    for (const char* name : {"in", "out"}) {
        Buffer buffer{
            .name = name, .type = ElementType::F32, .shape = {16}, .bytes = std::vector<std::byte>(64)};
        for (std::size_t i = 0; i < 16; ++i)
            buffer.as<f32>()[i] = *name == 'i' ? f32(i + 1) : 0;
        experiment.buffers.push_back(std::move(buffer));
    }
    const u32 n = 16;
    ScalarArgument count{std::vector<std::byte>(sizeof n)};
    std::memcpy(count.bytes.data(), &n, sizeof n);
    experiment.launches.push_back({.entry = kernel,
                                   .grid = {2, 1, 1},
                                   .block = {8, 1, 1},
                                   .arguments = {BufferArgument{0}, BufferArgument{1}, count}});
    return experiment;
}

}  // namespace lockstep::run
