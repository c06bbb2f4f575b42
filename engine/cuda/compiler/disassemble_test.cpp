#include "cuda/compiler/disassemble.h"

#include "cuda/worker/child_process.h"
#include "sass/memory_opcode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace lockstep::cuda {
namespace {

using namespace std::chrono_literals;

TEST(ChildProcess, GivesWhatAProgramPrintedAndHowItEnded) {
    const Expected<ChildResult> result = runChild("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"}, {});
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(result->output, "out\nerr\n");
    EXPECT_EQ(result->exitStatus, 3);
    const Expected<ChildResult> killed = runChild("/bin/sh", {"-c", "kill -9 $$"}, {});
    ASSERT_TRUE(killed);
    EXPECT_EQ(killed->exitStatus, 128 + 9);
}

TEST(ChildProcess, IsStoppedWhenItTakesTooLongOrPrintsTooMuchOrIsNotWantedAnyMore) {
    const auto start = std::chrono::steady_clock::now();
    const Expected<ChildResult> slow = runChild("/bin/sleep", {"60"}, {.longest = 50ms});
    ASSERT_FALSE(slow);
    EXPECT_EQ(slow.error().kind, FaultKind::System);
    const std::atomic<bool> cancelled{true};
    const Expected<ChildResult> unwanted = runChild("/bin/sleep", {"60"}, {.cancelled = &cancelled});
    ASSERT_FALSE(unwanted);
    EXPECT_EQ(unwanted.error().kind, FaultKind::Cancelled);
    EXPECT_FALSE(runChild("/bin/sh", {"-c", "while true; do echo yes; done"}, {.mostBytes = 100'000}));
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

TEST(ChildProcess, ThatIsNotThereIsAFault) {
    const Expected<ChildResult> result = runChild("/no/such/program", {}, {});
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.english().find("/no/such/program cannot be started"), std::string::npos);
}

TEST(Toolkit, ThatIsMissingIsAFaultThatSaysHowToGetIt) {
    const char* before = std::getenv("LOCKSTEP_TOOLKIT");
    const std::string kept = before ? before : "";
    setenv("LOCKSTEP_TOOLKIT", "/no/such/folder", 1);
    const Expected<Toolkit> toolkit = findToolkit();
    if (before)
        setenv("LOCKSTEP_TOOLKIT", kept.c_str(), 1);
    else
        unsetenv("LOCKSTEP_TOOLKIT");
    ASSERT_FALSE(toolkit);
    EXPECT_EQ(toolkit.error().message.english(),
              "showing machine code needs ptxas and nvdisasm, which are not on this machine; run "
              "scripts/get-ptxas or install the CUDA toolkit");
    EXPECT_FALSE(toolkit.error().message.in(Language::Chinese).empty());
}

constexpr const char* kSumOfFour = R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry sum(.param .u64 out)
{
    .reg .f32 %f<8>;
    .reg .b64 %rd<2>;
    .shared .align 16 .b8 tile[16];
    ld.param.u64 %rd1, [out];
    ld.shared.f32 %f1, [tile];
    ld.shared.f32 %f2, [tile+4];
    ld.shared.f32 %f3, [tile+8];
    ld.shared.f32 %f4, [tile+12];
    add.f32 %f5, %f1, %f2;
    add.f32 %f6, %f3, %f4;
    add.f32 %f7, %f5, %f6;
    st.global.f32 [%rd1], %f7;
    ret;
}
)";

// These run only where the toolkit is installed.
class Disassembly : public testing::Test {
protected:
    void SetUp() override {
        if (const Expected<Toolkit> found = findToolkit(); !found)
            GTEST_SKIP() << found.error().message.english();
        Expected<ptx::Module> parsed = ptx::parse(kSumOfFour, "sum.ptx");
        ASSERT_TRUE(parsed) << describe(parsed.error());
        module_ = std::move(*parsed);
    }
    ptx::Module module_;
};

TEST_F(Disassembly, LeadsFromTheMachineToThePtx) {
    Disassembler disassembler;
    const auto code = disassembler.of(module_, 90);
    ASSERT_TRUE(code) << describe(code.error());
    EXPECT_TRUE((*code)->compiler.starts_with("ptxas 1")) << (*code)->compiler;
    EXPECT_EQ((*code)->computeCapability, 90u);
    const sass::Function* sum = (*code)->find("sum");
    ASSERT_TRUE(sum);
    EXPECT_TRUE(sum->registers);
    const auto load = std::ranges::find(sum->instructions, "LDS.128", &sass::Instruction::opcode);
    ASSERT_NE(load, sum->instructions.end()) << "four loads of 4 bytes in a row";
    EXPECT_GE(load->pc, Pc{1});
    EXPECT_LE(load->pc, Pc{4});
    const auto again = disassembler.of(module_, 90);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *code) << "kept";
}

TEST_F(Disassembly, OfADeviceThatPtxasDoesNotKnowIsAFault) {
    Disassembler disassembler;
    const auto code = disassembler.of(module_, 20);
    ASSERT_FALSE(code);
    EXPECT_NE(code.error().message.english().find("makes no machine code of this PTX for sm_20"),
              std::string::npos)
        << code.error().message.english();
    EXPECT_EQ(code.error().message.english().find("/tmp"), std::string::npos)
        << code.error().message.english();
}

TEST_F(Disassembly, StopsWhenItIsCancelled) {
    Disassembler disassembler;
    const std::atomic<bool> cancelled{true};
    const auto code = disassembler.of(module_, 90, {.cancelled = &cancelled});
    ASSERT_FALSE(code);
    EXPECT_EQ(code.error().kind, FaultKind::Cancelled);
    EXPECT_TRUE(disassembler.of(module_, 90)) << "and is made the next time";
}

TEST_F(Disassembly, StopsWhenItsTimeIsUp) {
    Disassembler disassembler;
    const auto late = disassembler.of(module_, 90, {.until = std::chrono::steady_clock::now()});
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().message.english(),
              "the time limit left none for machine code; give more with --limit");
    const auto cut = disassembler.of(module_, 90, {.until = std::chrono::steady_clock::now() + 1ms});
    ASSERT_FALSE(cut) << "ptxas takes longer than that";
    EXPECT_EQ(cut.error().message.english(), late.error().message.english());
    EXPECT_FALSE(disassembler.ready(module_, 90)) << "nothing is kept of it";
    ASSERT_TRUE(disassembler.of(module_, 90));
    const auto ready = disassembler.ready(module_, 90);
    ASSERT_TRUE(ready && *ready);
    EXPECT_FALSE(disassembler.ready(module_, 80));
}

}  // namespace
}  // namespace lockstep::cuda
