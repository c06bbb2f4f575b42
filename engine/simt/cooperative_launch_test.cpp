// Launches whose blocks meet, as cooperative groups do it: by a workspace that two special registers name.
#include "simt/emulator.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::simt {
namespace {

// Thread 0 of each block stores 1, meets the others, and stores how many have.
constexpr const char* kMeet = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry meet(.param .u64 out)
{
    .reg .b32 %r<12>; .reg .b64 %d<8>; .reg .pred %p<4>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %envreg1;
    mov.u32 %r2, %envreg2;
    mov.b64 %d2, {%r2, %r1};
    setp.ne.s64 %p1, %d2, 0;
    @%p1 bra valid;
    trap;
valid:
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %nctaid.x;
    mul.wide.u32 %d3, %r3, 4;
    add.s64 %d3, %d1, %d3;
    st.global.u32 [%d3], 1;
    atom.global.release.gpu.add.u32 %r5, [%d2+4], 1;
wait:
    ld.global.acquire.gpu.u32 %r6, [%d2+4];
    setp.lt.u32 %p2, %r6, %r4;
    @%p2 bra wait;
    mov.u32 %r7, 0;
    mov.u32 %r8, 0;
sum:
    mul.wide.u32 %d4, %r7, 4;
    add.s64 %d4, %d1, %d4;
    ld.global.u32 %r9, [%d4];
    add.u32 %r8, %r8, %r9;
    add.u32 %r7, %r7, 1;
    setp.lt.u32 %p3, %r7, %r4;
    @%p3 bra sum;
    mul.wide.u32 %d5, %r4, 4;
    add.s64 %d5, %d3, %d5;
    st.global.u32 [%d5], %r8;
    ret;
}
.visible .entry reserved(.param .u64 out)
{
    .shared .align 4 .b8 own[100];
    .reg .b32 %r<12>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %reserved_smem_offset_1;
    mov.u32 %r2, own;
    st.shared.u32 [%r2], 7;
    atom.shared.add.u32 %r3, [%r1], 5;
    ld.shared.u32 %r4, [%r1];
    mov.u32 %r5, %total_smem_size;
    mov.u32 %r6, %aggr_smem_size;
    mov.u32 %r7, %reserved_smem_offset_begin;
    mov.u32 %r8, %reserved_smem_offset_end;
    st.global.u32 [%d1], %r3;
    st.global.u32 [%d1+4], %r4;
    st.global.u32 [%d1+8], %r5;
    st.global.u32 [%d1+12], %r6;
    sub.u32 %r9, %r8, %r7;
    st.global.u32 [%d1+16], %r9;
    ret;
}
)";

struct Ran {
    std::vector<u32> values;
    std::vector<trace::Finding> findings;
};
Ran runKernel(const char* entry, u32 blocks, bool cooperative) {
    const Expected<ptx::Module> module = ptx::parse(kMeet, "meet.ptx");
    EXPECT_TRUE(module) << module.error().message.english();
    Buffer out{.name = "out", .type = ElementType::U32, .shape = {1000}, .bytes = {}};
    out.bytes.resize(4000);
    const Launch launch{
        .entry = entry, .grid = {blocks, 1, 1}, .block = {1, 1, 1}, .arguments = {BufferArgument{0}}};
    Options options;
    options.cooperative = cooperative;
    Expected<Result> result = run(*module, std::span(&launch, 1), std::span(&out, 1), options);
    EXPECT_TRUE(result) << result.error().message.english();
    Ran ran{std::vector<u32>(1000), result->findings};
    std::memcpy(ran.values.data(), out.bytes.data(), out.bytes.size());
    return ran;
}

TEST(CooperativeLaunch, ItsBlocksMeet) {
    for (u32 blocks : {1u, 2u, 33u, 400u}) {
        const Ran ran = runKernel("meet", blocks, true);
        EXPECT_TRUE(ran.findings.empty()) << blocks;
        for (u32 block = 0; block < blocks; ++block)
            ASSERT_EQ(ran.values[blocks + block], blocks);
    }
}

TEST(CooperativeLaunch, IsMissedByAKernelThatNeedsIt) {
    const Ran ran = runKernel("meet", 2, false);
    ASSERT_FALSE(ran.findings.empty());
    EXPECT_EQ(ran.findings[0].kind, trace::FindingKind::Limit);
    EXPECT_EQ(stopReasonOf(ran.findings[0]), trace::StopReason::NotCooperative);
    EXPECT_EQ(ran.values[0], 0u);
}

TEST(ReservedSharedMemory, IsZeroAndBehindTheBlocksOwn) {
    const Ran ran = runKernel("reserved", 1, false);
    EXPECT_TRUE(ran.findings.empty()) << "nobody has to write it first";
    EXPECT_EQ(ran.values[0], 0u);
    EXPECT_EQ(ran.values[1], 5u);
    EXPECT_EQ(ran.values[2], 100u) << "not part of %total_smem_size";
    EXPECT_EQ(ran.values[3], 1124u);
    EXPECT_EQ(ran.values[4], 1024u);
}

}  // namespace
}  // namespace lockstep::simt
