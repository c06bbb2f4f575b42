// A loop that lanes leave at different iterations: if ptxas has unrolled it, the run says so.
#include "run/machine/uneven_loops.h"

#include "run/machine/machine_run.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

// Lane k iterates k + 1 times, or each lane 4 times; a load in the loop (line 8), a store after it (line 9).
std::string kernel(const char* turns) {
    return std::string(R"(.version 8.0
.target sm_52
.address_size 64
.file 1 "loop.cu"
.visible .entry loop(.param .u64 p)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, 0;
    mov.u32 %r5, 0;
    add.u32 %r3, )") +
           turns + R"(;
LOOP:
    .loc 1 8 0
    ld.global.u32 %r4, [%rd1];
    add.u32 %r5, %r5, %r4;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, %r3;
    @%p1 bra LOOP;
    .loc 1 9 0
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3+4], %r5;
    ret;
}
)";
}
constexpr u32 kLoad = 5, kStore = 12;

// With machine code that has so many copies of the load and the store.
auto runWith(const char* turns, u32 loads, u32 stores) {
    Expected<ptx::Module> module = ptx::parse(kernel(turns), "loop.ptx");
    Experiment experiment;
    EXPECT_TRUE(module) << describe(module.error());
    experiment.module = std::make_shared<ptx::Module>(std::move(*module));
    experiment.buffers = {
        {.name = "p", .type = ElementType::U32, .shape = {64}, .bytes = std::vector<std::byte>(256)}};
    experiment.launches = {{.entry = "loop",
                            .grid = {1, 1, 1},
                            .block = {32, 1, 1},
                            .dynamicSharedBytes = 0,
                            .arguments = {BufferArgument{0}}}};
    experiment.entry = "loop";
    Options options;
    options.backend = "emulator";
    auto run = run::run(std::move(experiment), options);
    EXPECT_TRUE(run) << describe(run.error());
    sass::Function function{.name = "loop", .instructions = {}, .registers = {}};
    for (u32 i = 0; i < loads; ++i)
        function.instructions.push_back(
            {.offsetBytes = 16 * i, .guard = {}, .opcode = "LDG.E", .operands = {}, .pc = Pc{kLoad}});
    for (u32 i = 0; i < stores; ++i)
        function.instructions.push_back({.offsetBytes = 16 * (loads + i),
                                         .guard = {},
                                         .opcode = "STG.E",
                                         .operands = {},
                                         .pc = Pc{kStore}});
    auto machine = std::make_shared<MachineRun>();
    machine->code = std::make_shared<const sass::MachineCode>(
        sass::MachineCode{.compiler = "by hand", .computeCapability = 90, .functions = {function}});
    run->machine = std::move(machine);
    return std::move(*run);
}

TEST(UnevenLoops, CopiesOfALoadInOneAreSaid) {
    const auto run = runWith("%r1, 1", 5, 1);
    const std::vector<bool> within = inUnevenLoops(run);
    EXPECT_TRUE(within[kLoad]);
    EXPECT_FALSE(within[kStore]);
    const std::optional<Fault> note = noteOnUnevenLoops(run);
    ASSERT_TRUE(note);
    EXPECT_EQ(note->message.english(),
              "line 8: machine code has 5 accesses to global memory for 1 of the PTX, in a loop that lanes "
              "leave at different turns: ptxas has unrolled it, each copy is a request of "
              "its own, and a profiler counts more requests than are given here");
    EXPECT_TRUE(
        note->message.in(Language::Chinese).starts_with("第 8 行：PTX 的 1 条全局内存读写在机器码里有 5 条"));
}

TEST(UnevenLoops, NothingIsSaidWhereTheNumberOfRequestsIsTheSame) {
    EXPECT_FALSE(noteOnUnevenLoops(runWith("%r1, 1", 1, 4))) << "one load; copies of what is behind the loop";
    EXPECT_FALSE(noteOnUnevenLoops(runWith("%r2, 4", 5, 1))) << "all lanes go round as often";
    auto modelled = runWith("%r1, 1", 5, 1);
    modelled.machine.reset();
    EXPECT_FALSE(noteOnUnevenLoops(modelled));
}

}  // namespace
}  // namespace lockstep::run
