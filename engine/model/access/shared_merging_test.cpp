// Every case was compiled with ptxas 13.0 for cc 9.0; the widths are those of its LDS and STS instructions.
#include "model/access/shared_merging.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::model {
namespace {

// %r1 is tid.x, %r2 the argument n, %r3 to %r9 are free; `tile` has 4096 bytes at 0, `odd` begins at 4228.
ptx::Module kernelOf(std::string_view body) {
    Expected<ptx::Module> module = ptx::parse(fmt::format(R"(
.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)
{{
    .reg .pred %p<3>;
    .reg .b16 %rs<5>;
    .reg .b32 %r<10>;
    .reg .f32 %f<10>;
    .reg .b64 %rd<5>;
    .reg .f64 %fd<5>;
    .shared .align 4 .b8 tile[4096];
    .shared .align 4 .b8 between[132];
    .shared .align 4 .b8 odd[4096];
    mov.u32 %r1, %tid.x;
    ld.param.u32 %r2, [k_param_1];
    ld.param.u64 %rd1, [k_param_0];
    mov.u32 %r3, tile;
    mov.u32 %r4, odd;
    mov.u32 %r5, between;
    mov.u32 %r6, dynamic;
{}
    ret;
}}
)",
                                                          body),
                                              "k.ptx");
    if (!module) {
        ADD_FAILURE() << describe(module.error());
        return {};
    }
    return std::move(*module);
}

// "16: 0 1 2 3; 8: 5 4": width and members, these as the n-th access to shared memory in the text, by
// ascending address.
std::string mergedIn(std::string_view body) {
    const ptx::Module module = kernelOf(body);
    if (module.functions.empty()) return {};
    std::vector<Pc> accesses;
    for (u32 pc = 0; pc < module.instructions.size(); ++pc)
        if (module.instructions[pc].name.find(".shared") != std::string_view::npos) accesses.emplace_back(pc);
    std::string text;
    for (const MergedAccess& merged : mergedSharedAccesses(module, module.functions[0], 0)) {
        text += fmt::format("{}{}{}:", text.empty() ? "" : "; ", merged.widthBytes,
                            merged.offsetBytes ? fmt::format("{:+}", merged.offsetBytes) : "");
        for (Pc pc : merged.members)
            text += fmt::format(" {}", std::ranges::find(accesses, pc) - accesses.begin());
    }
    return text;
}

struct Case {
    const char* name;
    const char* body;
    const char* expected;
};

void expectAll(std::span<const Case> cases) {
    for (const Case& c : cases)
        EXPECT_EQ(mergedIn(c.body), c.expected) << c.name;
}

constexpr const char* kRowOf16 = "shl.b32 %r7, %r1, 4; add.s32 %r8, %r3, %r7;\n";  // tile + 16 * tid.x

std::string row(std::string_view rest) { return std::string(kRowOf16) + std::string(rest); }

// `op` of shorts (or bytes) at these offsets.
std::string smallOnes(const char* op, const char* type, std::initializer_list<int> offsets) {
    std::string body;
    for (int offset : offsets)
        body += std::string_view(op) == "ld" ? fmt::format("ld.shared.{} %rs1, [%r8+{}];\n", type, offset)
                                             : fmt::format("st.shared.{} [%r8+{}], %rs1;\n", type, offset);
    return row(body);
}

TEST(SharedMerging, ShortsBecomeOneOf4OrOf8BytesAndBytesStay) {
    EXPECT_EQ(mergedIn(smallOnes("st", "u16", {0, 2})), "4: 0 1");
    EXPECT_EQ(mergedIn(smallOnes("st", "u16", {0, 2, 4})), "4: 0 1");
    EXPECT_EQ(mergedIn(smallOnes("st", "u16", {6, 4, 2, 0})), "8: 3 2 1 0");
    EXPECT_EQ(mergedIn(smallOnes("st", "u16", {0, 2, 4, 6, 8, 10, 12, 14})), "8: 0 1 2 3; 8: 4 5 6 7")
        << "never 16";
    EXPECT_EQ(mergedIn(smallOnes("st", "u16", {2, 4})), "");
    EXPECT_EQ(mergedIn(smallOnes("st", "u16", {2, 4, 6})), "4: 1 2");
    EXPECT_EQ(mergedIn(smallOnes("ld", "s16", {0, 2})), "4: 0 1");
    EXPECT_EQ(mergedIn(smallOnes("ld", "u16", {0, 2, 6})), "8: 0 1 2") << "a hole is read along";
    EXPECT_EQ(mergedIn(smallOnes("ld", "b16", {0, 2, 4, 6, 8, 10})), "8: 0 1 2 3; 4: 4 5");
    EXPECT_EQ(mergedIn("shl.b32 %r7, %r1, 2; add.s32 %r8, %r3, %r7; ld.shared.u16 %rs1, [%r8]; ld.shared.u16 "
                       "%rs2, [%r8+2]; ld.shared.u16 %rs3, [%r8+4]; ld.shared.u16 %rs4, [%r8+6];"),
              "4: 0 1; 4: 2 3");
    EXPECT_EQ(mergedIn("shl.b32 %r7, %r1, 1; add.s32 %r8, %r3, %r7; ld.shared.u16 %rs1, [%r8]; ld.shared.u16 "
                       "%rs2, [%r8+2];"),
              "");
    EXPECT_EQ(mergedIn(smallOnes("ld", "u8", {0, 1, 2, 3})), "");
    EXPECT_EQ(mergedIn(smallOnes("st", "u8", {0, 1, 2, 3})), "");
}

TEST(SharedMerging, TakesWhatFillsAnAlignedWindow) {
    const std::string bodies[] = {
        row("ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4]; ld.shared.f32 %f3,[%r8+8]; ld.shared.f32 "
            "%f4,[%r8+12];"),
        row("ld.shared.f32 %f1,[%r8+12]; ld.shared.f32 %f2,[%r8+8]; ld.shared.f32 %f3,[%r8+4]; ld.shared.f32 "
            "%f4,[%r8];"),
        row("ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4]; ld.shared.f32 %f3,[%r8+8];"),
        row("ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+8]; ld.shared.f32 %f3,[%r8+12];"),
        row("ld.shared.f32 %f1,[%r8+4]; ld.shared.f32 %f2,[%r8+8]; ld.shared.f32 %f3,[%r8+12]; ld.shared.f32 "
            "%f4,[%r8+16];"),
        row("ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4];"),
        row("ld.shared.f32 %f1,[%r8+8]; ld.shared.f32 %f2,[%r8+12];"),
        row("ld.shared.f32 %f1,[%r8+4]; ld.shared.f32 %f2,[%r8+8];"),
        row("ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+8];"),
        row("ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+12];"),
        row("ld.shared.f64 %fd1,[%r8]; ld.shared.f64 %fd2,[%r8+8];"),
        row("ld.shared.v2.f32 {%f1,%f2},[%r8]; ld.shared.v2.f32 {%f3,%f4},[%r8+8];"),
        row("ld.shared.v2.f32 {%f1,%f2},[%r8]; ld.shared.f64 %fd1,[%r8+8];"),
        row("ld.shared.u32 %r9,[%r8]; ld.shared.f32 %f2,[%r8+4];"),
        row("ld.shared.u8 %rs1,[%r8]; ld.shared.u8 %rs2,[%r8+1]; ld.shared.u8 %rs3,[%r8+2]; ld.shared.u8 "
            "%rs4,[%r8+3];"),
    };
    const Case cases[] = {
        {"four words", bodies[0].c_str(), "16: 0 1 2 3"},
        {"in any order", bodies[1].c_str(), "16: 3 2 1 0"},
        {"three, the fourth is read along", bodies[2].c_str(), "16: 0 1 2"},
        {"three around a hole", bodies[3].c_str(), "16: 0 1 2"},
        {"three behind a hole; the next window has one", bodies[4].c_str(), "16-4: 0 1 2"},
        {"the lower half", bodies[5].c_str(), "8: 0 1"},
        {"the upper half", bodies[6].c_str(), "8: 0 1"},
        {"two across the middle", bodies[7].c_str(), ""},
        {"two with a hole", bodies[8].c_str(), ""},
        {"the ends", bodies[9].c_str(), ""},
        {"two doubles", bodies[10].c_str(), "16: 0 1"},
        {"two pairs", bodies[11].c_str(), "16: 0 1"},
        {"a pair and a double are of two kinds", bodies[12].c_str(), ""},
        {"integers and floats", bodies[13].c_str(), "8: 0 1"},
        {"bytes", bodies[14].c_str(), ""},
    };
    expectAll(cases);
}

TEST(SharedMerging, NeedsAProofOfAlignment) {
    const Case cases[] = {
        {"8 bytes proven: halves",
         "shl.b32 %r7, %r1, 3; add.s32 %r8, %r3, %r7;"
         "ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4]; ld.shared.f32 %f3,[%r8+8]; ld.shared.f32 "
         "%f4,[%r8+12];",
         "8: 0 1; 8: 2 3"},
        {"4 bytes proven",
         "shl.b32 %r7, %r1, 2; add.s32 %r8, %r3, %r7; ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4];",
         ""},
        {"an array at 4228",
         "shl.b32 %r7, %r1, 4; add.s32 %r8, %r4, %r7; ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4]; "
         "ld.shared.f32 %f3,[%r8+8];",
         ""},
        {"a row of 36 words",
         "mad.lo.s32 %r8, %r1, 144, %r3; ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4];", "8: 0 1"},
        {"a row of 33 words",
         "mad.lo.s32 %r8, %r1, 132, %r3; ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4];", ""},
        {"an argument times 16",
         "mul.lo.s32 %r7, %r2, 16; add.s32 %r8, %r3, %r7; ld.shared.f32 %f1,[%r8]; ld.shared.f32 "
         "%f2,[%r8+4];",
         "8: 0 1"},
        {"masked",
         "and.b32 %r7, %r2, -16; add.s32 %r8, %r3, %r7; ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4];",
         "8: 0 1"},
        {"dynamic memory",
         "shl.b32 %r7, %r1, 4; add.s32 %r8, %r6, %r7; ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r8+4];",
         "8: 0 1"},
        {"behind an unknown number of words",
         "add.s32 %r7, %r1, %r2; shl.b32 %r7, %r7, 2; add.s32 %r8, %r6, %r7; ld.shared.f32 %f1,[%r8]; "
         "ld.shared.f32 %f2,[%r8+4];",
         ""},
        {"an address without a register",
         "ld.shared.f32 %f1,[tile+16]; ld.shared.f32 %f2,[tile+20]; ld.shared.f32 %f3,[tile+24];",
         "16: 0 1 2"},
        {"a walk through a row that begins at 8: nothing unknown in it",
         "add.s32 %r8, %r3, 8;\nL:\nld.shared.f32 %f1,[%r8+-8]; ld.shared.f32 %f2,[%r8+-4]; ld.shared.f32 "
         "%f3,[%r8]; ld.shared.f32 %f4,[%r8+4];"
         "add.s32 %r8, %r8, 16; setp.lt.s32 %p1, %r8, %r2;\n@%p1 bra L;",
         "16: 0 1 2 3"},
        {"the same walk by row: 8 bytes are all that is kept of 256 * tid + 8",
         "mad.lo.s32 %r7, %r1, 256, %r3; add.s32 %r8, %r7, 8;\nL:\n"
         "ld.shared.f32 %f1,[%r8+-8]; ld.shared.f32 %f2,[%r8+-4]; ld.shared.f32 %f3,[%r8]; ld.shared.f32 "
         "%f4,[%r8+4];"
         "add.s32 %r8, %r8, 16; setp.lt.s32 %p1, %r8, %r2;\n@%p1 bra L;",
         "8: 0 1; 8: 2 3"},
    };
    expectAll(cases);
}

TEST(SharedMerging, MovesNoLoadAcrossWhatMayChangeIt) {
    const auto loadsAround = [](std::string_view between) {
        return mergedIn(row(fmt::format("ld.shared.f32 %f1,[%r8]; {} ld.shared.f32 %f2,[%r8+4];", between)));
    };
    EXPECT_EQ(loadsAround("add.f32 %f5, %f1, %f1;"), "8: 0 1");
    EXPECT_EQ(loadsAround("st.global.f32 [%rd1], %f1;"), "8: 0 1");
    EXPECT_EQ(loadsAround("shfl.sync.bfly.b32 %r9, %r1, 1, 31, -1;"), "8: 0 1");
    EXPECT_EQ(loadsAround("red.global.add.u32 [%rd1], 1;"), "8: 0 1");
    EXPECT_EQ(loadsAround("bar.sync 0;"), "");
    EXPECT_EQ(loadsAround("bar.warp.sync -1;"), "");
    EXPECT_EQ(loadsAround("membar.gl;"), "");
    EXPECT_EQ(loadsAround("sqrt.rn.f32 %f5, %f1;"), "");  // its slow path is a branch
    EXPECT_EQ(loadsAround("st.shared.f32 [%r5], %f1;"), "");
    EXPECT_EQ(loadsAround("red.shared.add.u32 [%r5], 1;"), "");
    EXPECT_EQ(loadsAround("add.s32 %r8, %r8, 4;"),
              "");  // +4 from a register that has advanced by 4: not neighbors
    EXPECT_EQ(mergedIn(row("ld.volatile.shared.f32 %f1,[%r8]; ld.volatile.shared.f32 %f2,[%r8+4];")), "");
}

TEST(SharedMerging, FollowsARegisterThroughAdditionsOfConstants) {
    EXPECT_EQ(mergedIn(row("ld.shared.f32 %f1,[%r8]; add.s32 %r9, %r8, 4; ld.shared.f32 %f2,[%r9];")),
              "8: 0 1");
    EXPECT_EQ(mergedIn(row("mov.u32 %r9, %r8; ld.shared.f32 %f1,[%r8]; ld.shared.f32 %f2,[%r9+4];")),
              "8: 0 1");
}

TEST(SharedMerging, TakesStoresThatAreNeighborsInTheTextToo) {
    const std::string bodies[] = {
        row("st.shared.f32 [%r8],%f1; st.shared.f32 [%r8+8],%f2; st.shared.f32 [%r8+4],%f3; st.shared.f32 "
            "[%r8+12],%f4;"),
        row("st.shared.f32 [%r8],%f1; st.shared.f32 [%r8+4],%f2; st.shared.f32 [%r8+8],%f3;"),
        row("st.shared.f32 [%r8+4],%f1; st.shared.f32 [%r8+8],%f2;"),
        row("st.shared.f32 [%r8],%f1; st.global.f32 [%rd1],%f2; st.shared.f32 [%r8+4],%f2;"),
        row("st.shared.f32 [%r8],%f1; ld.shared.f32 %f2,[%r8+400]; st.shared.f32 [%r8+4],%f2;"),
        row("st.shared.f32 [%r8],%f1; st.shared.f32 [%r8+512],%f2; st.shared.f32 [%r8+4],%f3; st.shared.f32 "
            "[%r8+516],%f4;"),
        row("st.shared.f64 [%r8],%fd1; st.shared.f64 [%r8+8],%fd2;"),
    };
    const Case cases[] = {
        {"four words in any order", bodies[0].c_str(), "16: 0 2 1 3"},
        {"a hole is never written", bodies[1].c_str(), "8: 0 1"},
        {"two across the middle", bodies[2].c_str(), ""},
        {"global memory between", bodies[3].c_str(), "8: 0 1"},
        {"a load between", bodies[4].c_str(), ""},
        {"another window between", bodies[5].c_str(), ""},
        {"two doubles", bodies[6].c_str(), "16: 0 1"},
    };
    expectAll(cases);
}

}  // namespace
}  // namespace lockstep::model
