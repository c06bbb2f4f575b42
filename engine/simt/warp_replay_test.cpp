// What a warp's registers hold at a step follows from its record alone.
#include "simt/warp_replay.h"

#include "base/device_addresses.h"
#include "simt/test_kernel.h"

#include <algorithm>

namespace lockstep::simt {
namespace {

// One warp of `body` (test_kernel.h), replayed up to the first instruction of this name, or to its end.
struct Replayed {
    KernelRun run;
    std::optional<WarpReplay> replay;

    explicit Replayed(const KernelCase& c) : run(runKernel(c)) {
        const Launch launch{.entry = "k",
                            .grid = {c.blocks, 1, 1},
                            .block = {c.threads, 1, 1},
                            .dynamicSharedBytes = c.sharedBytes,
                            .arguments = {BufferArgument{0}, BufferArgument{1}}};
        Expected<WarpReplay> made =
            WarpReplay::of(run.module, launch, run.buffers.size(), run.result.trace.blocks.front(), Warp{0});
        EXPECT_TRUE(made) << describe(made.error());
        if (made) replay = std::move(*made);
        replay->seek(~0u);
    }
    const trace::WarpTrace& warp() const { return run.result.trace.blocks.front().warps.front(); }
    u32 stepOf(std::string_view name) const {
        const auto found = std::ranges::find_if(
            warp().steps, [&](const trace::Step& step) { return run.module.at(step.pc).name == name; });
        return u32(found - warp().steps.begin());
    }
    LaneValues valuesOf(std::string_view name) const {
        return replay->valuesOf(registerOf(functionNamed("k"), name));
    }
    ptx::FunctionId functionNamed(std::string_view name) const {
        return ptx::FunctionId{u32(std::ranges::find(run.module.functions, name, &ptx::Function::name) -
                                   run.module.functions.begin())};
    }
    ptx::RegisterId registerOf(ptx::FunctionId function, std::string_view name) const {
        const auto& registers = run.module.functions[function.value].registers;
        const auto found = std::ranges::find(registers, name, &ptx::Register::name);
        EXPECT_NE(found, registers.end()) << name;
        return ptx::RegisterId{u32(found - registers.begin())};
    }
    LaneValues valuesIn(const char* function, std::string_view name) const {
        const ptx::FunctionId id = functionNamed(function);
        return replay->valuesOf(id, registerOf(id, name));
    }
    // After the first step of this function's instruction.
    void seekBehind(const char* function, std::string_view name) {
        const ptx::Function& code = run.module.functions[functionNamed(function).value];
        const auto is = [&](const trace::Step& step) {
            return step.pc.value >= code.first.value && step.pc.value < code.end.value &&
                   run.module.at(step.pc).name == name;
        };
        const auto found = std::ranges::find_if(warp().steps, is);
        ASSERT_NE(found, warp().steps.end()) << name;
        replay->seek(u32(found - warp().steps.begin()) + 1);
    }
};

constexpr LaneMask kEven{0x55555555}, kOdd{0xaaaaaaaa};

const char* const kParity = R"(
    and.b32 %r1, %t, 1;
    setp.eq.u32 %p1, %r1, 0;
    mov.u32 %r2, 7;
    @%p1 bra EVEN;
    add.u32 %r3, %t, 100;
    mov.u32 %r2, %r3;
    bra.uni MEET;
EVEN:
    mul.lo.u32 %r4, %t, 10;
MEET:
    sub.u32 %r5, %r2, 1;
    @!%p1 mov.u32 %r6, 5;
)";

TEST(WarpReplay, FollowsEachLaneOnItsOwnWay) {
    Replayed warp({.body = kParity});
    const LaneValues predicate = warp.valuesOf("%p1"), way = warp.valuesOf("%r2"), odd = warp.valuesOf("%r3"),
                     even = warp.valuesOf("%r4"), behind = warp.valuesOf("%r5");
    EXPECT_EQ(predicate.known, LaneMask::all());
    EXPECT_EQ(way.known, LaneMask::all());
    EXPECT_EQ(odd.written, kOdd) << "the others did not come there";
    EXPECT_EQ(even.written, kEven);
    EXPECT_EQ(warp.valuesOf("%r6").written, kOdd) << "under a guard";
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const bool isOdd = lane % 2;
        EXPECT_EQ(predicate.bits[lane], !isOdd) << lane;
        EXPECT_EQ(way.bits[lane], isOdd ? 100 + lane : 7) << lane;
        EXPECT_EQ(behind.bits[lane], way.bits[lane] - 1) << lane;
        EXPECT_EQ(even.bits[lane], isOdd ? 0 : 10 * lane) << lane;
    }
}

TEST(WarpReplay, GoesBackAsWellAsForward) {
    Replayed warp({.body = kParity});
    const LaneValues last = warp.valuesOf("%r2");
    warp.replay->seek(warp.stepOf("setp.eq.u32"));
    EXPECT_EQ(warp.valuesOf("%r2").written, LaneMask{}) << "not yet";
    EXPECT_EQ(warp.valuesOf("%r1").written, LaneMask::all());
    warp.replay->seek(warp.stepOf("sub.u32"));
    EXPECT_EQ(warp.valuesOf("%r2"), last);
    EXPECT_EQ(warp.valuesOf("%r5").written, LaneMask{}) << "this step is the next";
    warp.replay->seek(warp.stepOf("sub.u32") + 1);
    EXPECT_EQ(warp.valuesOf("%r5").written, LaneMask::all());
}

TEST(WarpReplay, TakesWhatWasLoadedFromTheRecord) {
    std::vector<u32> in(1024);
    for (u32 i = 0; i < in.size(); ++i)
        in[i] = 3 * i;
    Replayed warp({.body = R"(
    mul.wide.u32 %d1, %t, 8;
    add.s64 %d1, %in, %d1;
    ld.global.v2.u32 {%r1, %r2}, [%d1];
    ld.global.s8 %r3, [%d1+4];
    atom.global.add.u32 %r4, [%in], 2;
    mov.u32 %r0, %r4;
    st.global.u32 [%d1], 77;
)",
                   .in = in});
    const LaneValues first = warp.valuesOf("%r1"), second = warp.valuesOf("%r2"),
                     narrow = warp.valuesOf("%r3"), old = warp.valuesOf("%r4"),
                     address = warp.valuesOf("%d1");
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        EXPECT_EQ(first.bits[lane], 6 * lane);
        EXPECT_EQ(second.bits[lane], 6 * lane + 3);
        EXPECT_EQ(narrow.bits[lane], u32(s32(s8(6 * lane + 3)))) << "with its sign";
        EXPECT_EQ(old.bits[lane], 2 * lane) << "as the lanes were served";
        EXPECT_EQ(address.bits[lane], deviceAddressOf(1) + 8 * lane);
    }
    warp.run.buffers.clear();
    warp.replay->seek(0), warp.replay->seek(~0u);
    EXPECT_EQ(warp.valuesOf("%r1"), first) << "no memory is looked at";
}

TEST(WarpReplay, BringsLanesTogetherWhereTheyExchange) {
    Replayed warp({.body = R"(
    and.b32 %r1, %t, 1;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra EVEN;
    add.u32 %r2, %t, 100;
    bra.uni MEET;
EVEN:
    mul.lo.u32 %r2, %t, 10;
MEET:
    shfl.sync.bfly.b32 %r3, %r2, 1, 31, 0xffffffff;
    vote.sync.ballot.b32 %r4, !%p1, 0xffffffff;
)"});
    const LaneValues other = warp.valuesOf("%r3"), ballot = warp.valuesOf("%r4");
    EXPECT_EQ(other.known, LaneMask::all());
    EXPECT_EQ(ballot.known, LaneMask::all());
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        EXPECT_EQ(other.bits[lane], lane % 2 ? (lane - 1) * 10 : lane + 101) << lane;
        EXPECT_EQ(ballot.bits[lane], kOdd.bits);
    }
}

TEST(WarpReplay, SaysWhatCannotBeKnown) {
    Replayed warp({.body = R"(
    mov.u32 %r1, %clock;
    add.u32 %r2, %r1, %t;
    mov.u32 %r3, %smid;
    sub.u32 %r4, %t, %t;
    selp.u32 %r5, %r1, %r4, %p2;
    mov.u32 %r1, 4;
)"});
    for (const char* name : {"%r2", "%r3", "%r5"}) {
        EXPECT_EQ(warp.valuesOf(name).written, LaneMask::all()) << name;
        EXPECT_EQ(warp.valuesOf(name).known, LaneMask{}) << name;
    }
    EXPECT_EQ(warp.valuesOf("%r1").known, LaneMask::all()) << "since it was written anew";
    EXPECT_EQ(warp.valuesOf("%r4").known, LaneMask::all());
}

const char* const kFunctions = R"(
.func (.param .b32 result) triple(.param .b32 a)
{
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [a];
    mul.lo.u32 %r2, %r1, 3;
    st.param.b32 [result], %r2;
    ret;
}
.func (.param .b32 result) factorial(.param .b32 a)
{
    .reg .b32 %r<4>; .reg .pred %p<2>;
    ld.param.u32 %r1, [a];
    mov.u32 %r2, 1;
    setp.le.u32 %p1, %r1, 1;
    @%p1 bra DONE;
    sub.u32 %r3, %r1, 1;
    { .param .b32 x; .param .b32 y;
      st.param.b32 [x], %r3;
      call.uni (y), factorial, (x);
      ld.param.b32 %r2, [y]; }
    mul.lo.u32 %r2, %r2, %r1;
DONE:
    st.param.b32 [result], %r2;
    ret;
}
)";

std::string calling(const char* function, const char* argument, const char* result) {
    return std::string("{ .param .b32 x; .param .b32 y; st.param.b32 [x], ") + argument + "; call (y), " +
           function + ", (x); ld.param.b32 " + result + ", [y]; }\n";
}

TEST(WarpReplay, GoesThroughFunctionsThatAreCalled) {
    Replayed warp({.body = "and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra EVEN;" +
                           calling("triple", "%t", "%r2") + "EVEN: mov.u32 %r3, 5;\n",
                   .before = kFunctions});
    const LaneValues given = warp.valuesOf("%r2");
    EXPECT_EQ(given.written, kOdd);
    EXPECT_EQ(given.known, kOdd) << "what a function gives back follows from what it was given";
    for (const Lane lane : kOdd)
        EXPECT_EQ(given.bits[lane.value], 3 * lane.value);

    const ptx::FunctionId triple = warp.functionNamed("triple");
    EXPECT_EQ(warp.replay->lanesIn(triple), LaneMask{}) << "all have come back";
    EXPECT_EQ(warp.valuesIn("triple", "%r2").written, LaneMask{}) << "and its registers are gone";
    warp.seekBehind("triple", "mul.lo.u32");
    EXPECT_EQ(warp.replay->lanesIn(triple), kOdd);
    const LaneValues inside = warp.valuesIn("triple", "%r2");
    EXPECT_EQ(inside.known, kOdd);
    EXPECT_EQ(inside.bits[7], 21u);
    EXPECT_EQ(warp.valuesOf("%r1").known, LaneMask::all()) << "the kernel's own are as they were";
    warp.seekBehind("triple", "ld.param.u32");
    EXPECT_EQ(warp.valuesIn("triple", "%r1").known, kOdd);
    EXPECT_EQ(warp.valuesIn("triple", "%r2").written, LaneMask{}) << "back, and not yet";
}

TEST(WarpReplay, KeepsTheCallsOfAFunctionThatCallsItselfApart) {
    Replayed warp(
        {.body = "and.b32 %r1, %t, 7;\n" + calling("factorial", "%r1", "%r2"), .before = kFunctions});
    const LaneValues result = warp.valuesOf("%r2");
    EXPECT_EQ(result.known, LaneMask::all());
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        u32 factorial = 1;
        for (u32 i = 2; i <= lane % 8; ++i)
            factorial *= i;
        EXPECT_EQ(result.bits[lane], factorial) << lane;
    }
    warp.seekBehind("factorial",
                    "mul.lo.u32");  // the innermost call that multiplies, of the deepest lanes
    const LaneValues innermost = warp.valuesIn("factorial", "%r1");
    EXPECT_EQ(innermost.bits[7], 2u);
}

TEST(WarpReplay, KnowsNoMoreOfAResultThanOfWhatWasGiven) {
    Replayed warp({.body = "mov.u32 %r1, %clock;\n" + calling("triple", "%r1", "%r2") +
                           calling("triple", "%t", "%r3") + calling("triple", "%r1", "%r4"),
                   .before = kFunctions});
    EXPECT_EQ(warp.valuesOf("%r2").known, LaneMask{});
    EXPECT_EQ(warp.valuesOf("%r2").written, LaneMask::all());
    EXPECT_EQ(warp.valuesOf("%r3").known, LaneMask::all());
    EXPECT_EQ(warp.valuesOf("%r4").known, LaneMask{}) << "nothing is left of the call before";
}

TEST(WarpReplay, KnowsNothingOfLanesThatAreNot) {
    Replayed warp({.body = "    add.u32 %r1, %t, 1;\n", .threads = 5});
    EXPECT_EQ(warp.valuesOf("%r1").written, LaneMask::firstLanes(5));
    EXPECT_EQ(warp.valuesOf("%r1").bits[4], 5u);
}

}  // namespace
}  // namespace lockstep::simt
