// For tests: a kernel made of a few lines of PTX, run on small buffers.
#pragma once

#include "ptx/module.h"
#include "simt/emulator.h"
#include "simt/opcodes/same_results.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::simt {

// The text around a kernel's body. %t is the thread within its block, %i within the grid; %out is the address
// of out[%i], where %r0 is stored at the end; %in is the address of the second buffer, in[0]; %n the number
// of threads.
inline std::string kernelText(const std::string& body, const std::string& before = {}) {
    return ".version 8.3\n.target sm_90\n.address_size 64\n" + before + R"(
.visible .entry k(.param .u64 out, .param .u64 in)
{
    .reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<32>; .reg .b64 %d<32>; .reg .f32 %f<16>; .reg .f64 %g<8>;
    .reg .b32 %t, %i, %n; .reg .b64 %out, %in, %outs;
    ld.param.u64 %outs, [out];
    ld.param.u64 %in, [in];
    mov.u32 %t, %tid.x;
    mov.u32 %i, %ctaid.x;
    mov.u32 %n, %ntid.x;
    mad.lo.s32 %i, %i, %n, %t;
    mul.wide.u32 %out, %i, 4;
    add.s64 %out, %outs, %out;
    mov.u32 %r0, 0;
)" + body + R"(
    st.global.u32 [%out], %r0;
    ret;
}
)";
}

struct KernelRun {
    ptx::Module module;
    std::vector<Buffer> buffers;  // out, in
    Result result;
    u64 followed = 0;  // blocks of a large grid that followed a script

    std::span<const u32> out() const { return buffers[0].as<u32>(); }
    // "out_of_bounds@12" a finding, with the line of the PTX text within the body (1 = its first line);
    // repeats once.
    std::string findings() const {
        std::string all;
        for (const trace::Finding& f : result.findings) {
            const std::string one(nameOf(f.kind));
            if (all.find(one) == std::string::npos) all += (all.empty() ? "" : " ") + one;
        }
        return all;
    }
};

struct KernelCase {
    std::string body = {}, before = {};
    u32 blocks = 1, threads = 32;
    std::vector<u32> in = std::vector<u32>(1024);
    u32 sharedBytes = 0;
    Options options = {};
};

inline KernelRun runKernel(const KernelCase& c) {
    KernelRun run;
    auto module = ptx::parse(kernelText(c.body, c.before), "test.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    if (!module) return run;
    run.module = std::move(*module);
    const auto bufferOf = [](const std::vector<u32>& values) {
        Buffer buffer;
        buffer.type = ElementType::U32;
        buffer.shape = {values.size()};
        buffer.bytes.resize(values.size() * 4);
        std::ranges::copy(values, buffer.as<u32>().begin());
        return buffer;
    };
    Options options = c.options;
    const bool isLimited = options.limit.has_value();
    if (!options.limit)
        options.limit = std::chrono::minutes(10);  // a kernel that never ends; sanitizers are slow
    const auto runOn = [&](Engine engine, u32 blocks, std::vector<Buffer>& buffers) -> std::optional<Result> {
        buffers = {bufferOf(std::vector<u32>(blocks * c.threads)), bufferOf(c.in)};
        const Launch launch{.entry = "k",
                            .grid = {blocks, 1, 1},
                            .block = {c.threads, 1, 1},
                            .dynamicSharedBytes = c.sharedBytes,
                            .arguments = {BufferArgument{0}, BufferArgument{1}}};
        options.engine = engine;
        auto result = lockstep::simt::run(run.module, {&launch, 1}, buffers, options);
        EXPECT_TRUE(result) << describe(result.error());
        if (!result) return {};
        return std::move(*result);
    };
    auto result = runOn(Engine::Plain, c.blocks, run.buffers);
    if (!result) return run;
    run.result = std::move(*result);
    if (isLimited || options.progress) return run;
    // For every test kernel: the fast paths must give the same result, also where most blocks follow a
    // script, which takes a larger grid.
    std::vector<Buffer> plain, fast;
    if (auto other = runOn(Engine::Fast, c.blocks, fast)) {
        EXPECT_EQ(firstDifference(run.result, run.buffers, *other, fast), "");
    }
    constexpr u32 kManyBlocks = 40, kMostThreads = 256;
    if (c.threads > kMostThreads) return run;
    const auto many = runOn(Engine::Plain, kManyBlocks, plain),
               manyFast = runOn(Engine::Fast, kManyBlocks, fast);
    if (many && manyFast) {
        EXPECT_EQ(firstDifference(*many, plain, *manyFast, fast), "");
        run.followed = manyFast->statistics.followed;
    }
    return run;
}

// Every thread's result, by its number in the grid.
inline void expectOut(const KernelRun& run, const std::function<u32(u32)>& want) {
    for (u32 i = 0; i < run.out().size(); ++i)
        ASSERT_EQ(run.out()[i], want(i)) << "thread " << i;
}

}  // namespace lockstep::simt
