// --then: a launch in CUDA's form, read and written.
#include "run/own/further_launch.h"

#include "run/own/open_text.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

TEST(FurtherLaunchTest, IsReadAsCudaWritesIt) {
    const auto launch = parseFurtherLaunch(
        " add<float, 4> <<< dim3(4, 2), 256, 1024 >>> (buffer:1, f32[4][8]=zero, i32:1000) ");
    ASSERT_TRUE(launch) << describe(launch.error());
    EXPECT_EQ(launch->entry, "add<float, 4>");
    EXPECT_EQ(launch->grid, (Dim3{4, 2, 1}));
    EXPECT_EQ(launch->block, (Dim3{256, 1, 1}));
    EXPECT_EQ(launch->dynamicSharedBytes, 1024u);
    EXPECT_EQ(launch->arguments, (std::vector<std::string>{"buffer:1", "f32[4][8]=zero", "i32:1000"}));
    EXPECT_EQ(textOf(*launch),
              "add<float, 4><<<dim3(4, 2), 256, 1024>>>(buffer:1, f32[4][8]=zero, i32:1000)");
    EXPECT_EQ(textOf(*parseFurtherLaunch("f<<<1,32>>>()")), "f<<<1, 32>>>()");
    EXPECT_EQ(bufferNamedIn("buffer:12"), 12u);
    EXPECT_FALSE(bufferNamedIn("buffer:x"));
    EXPECT_FALSE(bufferNamedIn("f32[4]=zero"));
}

TEST(FurtherLaunchTest, AMistakeIsAnswered) {
    for (const char* text :
         {"", "add", "add<<<4>>>(i32:1)", "add<<<4, 256>>>", "<<<4, 256>>>(i32:1)", "add<<<0, 256>>>(i32:1)",
          "add<<<4, 256, x>>>(i32:1)", "add<<<4, 256>>>(i32:1,)", "add<<<4, 256, 0, 0>>>(i32:1)"}) {
        const auto launch = parseFurtherLaunch(text);
        ASSERT_FALSE(launch) << text;
        EXPECT_NE(describe(launch.error()).find("write it as a launch in CUDA"), std::string::npos);
    }
}

constexpr const char* kTwo = R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 p, .param .u32 v) {
.reg .u64 %rd<3>; .reg .u32 %r<2>;
ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; cvta.to.global.u64 %rd2, %rd1; st.global.u32 [%rd2], %r1; ret; }
.visible .entry copy(.param .u64 from, .param .u64 to) {
.reg .u64 %rd<5>; .reg .u32 %r<2>;
ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to]; cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;
ld.global.u32 %r1, [%rd3]; st.global.u32 [%rd4], %r1; ret; }
)";

Expected<Experiment> opened(const char* further) {
    FileRequest request{.file = "two.ptx",
                        .entry = "fill",
                        .grid = {1, 1, 1},
                        .block = {1, 1, 1},
                        .defines = {},
                        .arguments = {"i32[1]=zero", "i32:7"},
                        .includeFolders = {}};
    request.further = {parseFurtherLaunch(further).value()};
    return openText(request, kTwo);
}

TEST(FurtherLaunchTest, RunsBehindTheFirstOnItsBuffers) {
    Expected<Experiment> experiment = opened("copy<<<1, 1>>>(buffer:0, i32[1]=zero)");
    ASSERT_TRUE(experiment) << describe(experiment.error());
    ASSERT_EQ(experiment->buffers.size(), 2u);
    EXPECT_EQ(withAllBuffers(experiment->launches).arguments.size(), 3u);
    Options options;
    options.backend = "emulator";
    const Expected<run::Run> run = run::run(std::move(*experiment), options);
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->recording.launches.size(), 2u);
    EXPECT_EQ(run->recording.final[1].bytes, run->recording.final[0].bytes);
    EXPECT_NE(run->recording.final[1].bytes, run->recording.initial[1].bytes);
}

TEST(FurtherLaunchTest, WhatDoesNotFitIsNamed) {
    const auto mistakeIn = [](const char* further) {
        const Expected<Experiment> experiment = opened(further);
        return experiment ? std::string() : describe(experiment.error());
    };
    EXPECT_EQ(
        mistakeIn("copy<<<1, 1>>>(buffer:1, buffer:0)"),
        "two.ptx: --then copy: there is no buffer:1; the launches before have 1 buffer, counted from 0");
    EXPECT_EQ(mistakeIn("copy<<<1, 1>>>(buffer:0)"),
              "two.ptx: --then copy: the kernel has 2 parameters, but there is 1 argument");
    EXPECT_EQ(mistakeIn("copy<<<1, 1>>>(buffer:0, i32:1)"),
              "two.ptx: --then copy: argument 1 ('i32:1') has 4 bytes, but the parameter has 8");
    EXPECT_NE(mistakeIn("cpoy<<<1, 1>>>(buffer:0, buffer:0)").find("--then cpoy: has no kernel 'cpoy'"),
              std::string::npos)
        << mistakeIn("cpoy<<<1, 1>>>(buffer:0, buffer:0)");
}

}  // namespace
}  // namespace lockstep::run
