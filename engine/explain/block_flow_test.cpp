// Where values came from, in kernels of a few lines.
#include "explain/block_flow.h"

#include "base/device_addresses.h"
#include "explain/access_flow.h"
#include "explain/site_flow.h"
#include "simt/test_kernel.h"

#include <algorithm>
#include <string>

namespace lockstep::explain {
namespace {

using Kind = Origin::Kind;

struct Followed {
    simt::KernelRun run;
    std::optional<BlockFlow> flow;

    explicit Followed(const simt::KernelCase& c) : run(simt::runKernel(c)) {
        const Launch launch{.entry = "k",
                            .grid = {c.blocks, 1, 1},
                            .block = {c.threads, 1, 1},
                            .dynamicSharedBytes = c.sharedBytes,
                            .arguments = {BufferArgument{0}, BufferArgument{1}}};
        Expected<BlockFlow> made = BlockFlow::of(run.module, launch, run.buffers.size(), block());
        EXPECT_TRUE(made) << describe(made.error());
        if (made) flow.emplace(std::move(*made));
    }
    const trace::FocusBlock& block() const { return run.result.trace.blocks.front(); }

    // Of the n-th time that the lane executes an instruction whose text begins like this.
    ThreadStep at(std::string_view text, u32 lane = 0, u32 warp = 0, u32 n = 0) const {
        const auto& steps = block().warps[warp].steps;
        for (u32 s = 0; s < steps.size(); ++s)
            if (steps[s].active.has(Lane{lane}) && run.module.textOf(steps[s].pc).starts_with(text) &&
                n-- == 0)
                return {Warp{warp}, Lane{lane}, s};
        ADD_FAILURE() << "no step executes " << text << " in lane " << lane;
        return {};
    }
    Origin stored(ThreadStep store, u32 first = 0, u32 bytes = 4) const {
        return flow->originOfStored(store, first, bytes);
    }
    // "load @ld.global.u32 lane 3 [1]": an origin as text.
    std::string text(const Origin& origin) const {
        constexpr std::array kNames{"load",    "computed", "immediate", "parameter",
                                    "special", "address",  "nothing",   "unknown"};
        std::string all = kNames[std::size_t(origin.kind)];
        if (origin.kind == Kind::Unknown) return all;
        const trace::Step& step = block().warps[origin.at.warp.value].steps[origin.at.step];
        all +=
            " @" + std::string(run.module.at(step.pc).name) + " lane " + std::to_string(origin.at.lane.value);
        return origin.element ? all + " [" + std::to_string(origin.element) + "]" : all;
    }
    std::string textOfStored(ThreadStep store, u32 first = 0, u32 bytes = 4) const {
        return text(stored(store, first, bytes));
    }
    // Elements of `in` behind what is stored, ascending: "3 7".
    std::string inputsOf(const Origin& origin, u32 since = 0) const {
        std::vector<u64> elements;
        for (const Origin& load : flow->loadsBehind(origin, since))
            if (const auto place = flow->loadedFrom(load); place->space == trace::Space::Global)
                elements.push_back((place->address - deviceAddressOf(1)) / 4);
        std::ranges::sort(elements);
        std::string all;
        for (const u64 element : elements)
            all += (all.empty() ? "" : " ") + std::to_string(element);
        return all;
    }
};

// in[%t], and the address of shared word %t.
const std::string kLoad = R"(
    mul.wide.u32 %d1, %t, 4;
    add.s64 %d2, %in, %d1;
    ld.global.u32 %r1, [%d2];
)";
const char* const kShared = ".shared .align 16 .b8 tile[512];";
const std::string kPlace = R"(
    mov.u32 %r20, tile;
    shl.b32 %r21, %t, 2;
    add.u32 %r22, %r20, %r21;
)";

TEST(BlockFlow, FollowsMovesFromALoadToAStore) {
    const Followed f({.body = kLoad + R"(
    mov.b32 %f1, %r1;
    mov.b32 %r2, %f1;
    st.global.u32 [%out], %r2;
    mov.u32 %r0, %r1;
)"});
    for (const u32 lane : {0u, 5u, 31u}) {
        const Origin origin = f.stored(f.at("st.global.u32 [%out], %r2", lane));
        EXPECT_EQ(f.text(origin), "load @ld.global.u32 lane " + std::to_string(lane));
        EXPECT_EQ(f.flow->loadedFrom(origin)->address, deviceAddressOf(1) + 4 * lane);
        EXPECT_EQ(origin.bytes, 4);
    }
    const ThreadStep store = f.at("st.global.u32 [%out], %r2");
    EXPECT_EQ(f.flow->definitionOf(store, 1), (Definition{Definition::Kind::Step, f.at("mov.b32 %r2").step}));
    EXPECT_EQ(f.flow->definitionOf(f.at("mov.u32 %t"), 1).kind, Definition::Kind::NoRegister);
}

TEST(BlockFlow, ComesFromALoadThatHeldTheSameAsOthers) {
    std::vector<u32> zeros(1024);
    const Followed f({.body = kLoad + R"(
    ld.global.u32 %r2, [%d2+4];
    mov.u32 %r3, 0;
    st.global.u32 [%out], %r1;
    st.global.u32 [%out], %r2;
    st.global.u32 [%out], %r3;
)",
                      .in = zeros});
    EXPECT_EQ(f.inputsOf(f.stored(f.at("st.global.u32 [%out], %r1", 3))), "3");
    EXPECT_EQ(f.inputsOf(f.stored(f.at("st.global.u32 [%out], %r2", 3))), "4");
    const Origin zero = f.stored(f.at("st.global.u32 [%out], %r3", 3));
    EXPECT_EQ(zero.kind, Kind::Immediate);
    EXPECT_TRUE(zero.isMadeUp());
    EXPECT_EQ(f.inputsOf(zero), "");
}

TEST(BlockFlow, KnowsWhatTheKernelMadeUp) {
    const Followed f({.body = R"(
    mov.u32 %r1, %laneid;
    mov.u64 %d1, %outs;
    mov.u32 %r20, tile;
    st.global.u32 [%out], %r1;
    st.global.u64 [%outs], %d1;
    st.global.u32 [%out], %r20;
    st.global.u32 [%out], %r9;
)",
                      .before = kShared});
    EXPECT_EQ(f.stored(f.at("st.global.u32 [%out], %r1")).kind, Kind::Special);
    EXPECT_EQ(f.stored(f.at("st.global.u64 [%outs], %d1"), 0, 8).kind, Kind::Parameter);
    EXPECT_EQ(f.stored(f.at("st.global.u32 [%out], %r20")).kind, Kind::Address);
    EXPECT_EQ(f.stored(f.at("st.global.u32 [%out], %r9")).kind, Kind::Nothing);
    EXPECT_EQ(f.flow->definitionOf(f.at("st.global.u32 [%out], %r9"), 1).kind, Definition::Kind::Nothing);
}

TEST(BlockFlow, KeepsWhatAGuardLeftInTheOtherLanes) {
    const Followed f({.body = kLoad + R"(
    setp.lt.u32 %p1, %t, 20;
    mov.u32 %r2, 0;
    @%p1 ld.global.u32 %r2, [%d2+4];
    st.global.u32 [%out], %r2;
)"});
    EXPECT_EQ(f.inputsOf(f.stored(f.at("st.global.u32 [%out], %r2", 19))), "20");
    EXPECT_EQ(f.stored(f.at("st.global.u32 [%out], %r2", 20)).kind, Kind::Immediate);
    const ThreadStep guarded = f.at("@%p1 ld.global.u32", 19);
    EXPECT_EQ(f.flow->definitionOfGuard(guarded),
              (Definition{Definition::Kind::Step, f.at("setp.lt.u32").step}));
    EXPECT_EQ(f.flow->definitionOf({Warp{0}, Lane{20}, guarded.step}, 1).kind, Definition::Kind::Unknown)
        << "it did not execute there";
}

TEST(BlockFlow, KeepsTheSidesOfABranchApart) {
    const Followed f({.body = kLoad + R"(
    and.b32 %r3, %t, 1;
    setp.eq.u32 %p1, %r3, 0;
    @%p1 bra EVEN;
    mov.u32 %r2, %r1;
    bra.uni MEET;
EVEN:
    add.u32 %r2, %r1, %t;
MEET:
    st.global.u32 [%out], %r2;
)"});
    const ThreadStep store = f.at("st.global.u32 [%out], %r2", 4);
    EXPECT_EQ(f.textOfStored(store), "computed @add.u32 lane 4");
    EXPECT_EQ(f.inputsOf(f.stored(store)), "4");
    EXPECT_EQ(f.textOfStored(f.at("st.global.u32 [%out], %r2", 5)), "load @ld.global.u32 lane 5");
    EXPECT_NE(f.flow->definitionOf(store, 1).step,
              f.flow->definitionOf({Warp{0}, Lane{5}, store.step}, 1).step);
}

TEST(BlockFlow, FollowsTheRoundsOfALoop) {
    const Followed f({.body = R"(
    mov.u32 %r1, 0;
    mov.u32 %r2, 0;
    mov.u64 %d1, %in;
LOOP:
    ld.global.u32 %r3, [%d1];
    add.u32 %r2, %r2, %r3;
    add.s64 %d1, %d1, 4;
    add.u32 %r1, %r1, 1;
    setp.le.u32 %p1, %r1, %t;
    @%p1 bra LOOP;
    st.global.u32 [%out], %r2;
)"});
    const Origin sum = f.stored(f.at("st.global.u32 [%out], %r2", 3));
    EXPECT_EQ(f.text(sum), "computed @add.u32 lane 3");
    EXPECT_EQ(f.inputsOf(sum), "0 1 2 3") << "as often as this lane went round";
    EXPECT_EQ(f.inputsOf(f.stored(f.at("st.global.u32 [%out], %r2", 0))), "0");
    EXPECT_EQ(f.inputsOf(sum, f.at("ld.global.u32", 3, 0, 2).step), "2 3") << "of the last two rounds";
}

TEST(BlockFlow, NamesEachLoadOnceHoweverOftenItIsUsed) {
    std::string body = kLoad + "    add.u32 %r2, %r1, %r1;\n";
    for (u32 i = 0; i < 40; ++i)
        body += "    add.u32 %r2, %r2, %r2;\n";
    const Followed f({.body = body + "    st.global.u32 [%out], %r2;\n"});
    EXPECT_EQ(f.flow->loadsBehind(f.stored(f.at("st.global.u32 [%out], %r2"))).size(), 1u);
}

TEST(BlockFlow, FindsTheStoreOfAnotherWarpBehindASharedLoad) {
    const Followed f({.body = kLoad + kPlace + R"(
    st.shared.u32 [%r22], %r1;
    bar.sync 0;
    mov.u32 %r3, 252;
    sub.u32 %r4, %r3, %r21;
    add.u32 %r4, %r20, %r4;
    ld.shared.u32 %r5, [%r4];
    mov.u32 %r0, %r5;
)",
                      .before = kShared,
                      .threads = 64});
    const ThreadStep load = f.at("ld.shared.u32", 2, 0);
    const WrittenBy by = f.flow->writtenBy(load);
    EXPECT_EQ(by.kind, WrittenBy::Kind::Store);
    EXPECT_EQ(by.at, f.at("st.shared.u32", 29, 1)) << "thread 61 stored what thread 2 loads";
    const Origin taken = f.stored(f.at("st.global.u32 [%out], %r0", 2, 0));
    EXPECT_EQ(f.text(taken), "load @ld.shared.u32 lane 2");
    EXPECT_EQ(f.inputsOf(*f.flow->originOfLoaded(taken)), "61");
}

TEST(BlockFlow, TakesTheLastStoreToAPlace) {
    const Followed f({.body = kLoad + kPlace + R"(
    st.shared.u32 [%r22], %r1;
    ld.shared.u32 %r2, [%r22];
    add.u32 %r3, %r2, 1;
    st.shared.u32 [%r22], %r3;
    ld.shared.u32 %r4, [%r22];
    ld.shared.u32 %r6, [%r22+256];
    st.shared.u16 [%r22], %r3;
    ld.shared.u32 %r7, [%r22];
    st.shared.u32 [tile+508], %r3;
    ld.shared.u32 %r8, [tile+508];
)",
                      .before = kShared});
    EXPECT_EQ(f.flow->writtenBy(f.at("ld.shared.u32 %r2")).at, f.at("st.shared.u32 [%r22], %r1"));
    EXPECT_EQ(f.flow->writtenBy(f.at("ld.shared.u32 %r4")).at, f.at("st.shared.u32 [%r22], %r3"));
    EXPECT_EQ(f.flow->writtenBy(f.at("ld.shared.u32 %r6")).kind, WrittenBy::Kind::Nothing) << "never stored";
    EXPECT_EQ(f.flow->writtenBy(f.at("ld.shared.u32 %r7")).kind, WrittenBy::Kind::Several) << "half each";
    EXPECT_EQ(f.flow->writtenBy(f.at("ld.shared.u32 %r8")).kind, WrittenBy::Kind::Several)
        << "all lanes wrote it at once";
    EXPECT_EQ(f.flow->writtenBy(f.at("ld.global.u32")).kind, WrittenBy::Kind::Nothing);
    EXPECT_EQ(f.flow->writtenBy(f.at("st.shared.u16")).kind, WrittenBy::Kind::Unknown) << "it is no load";
}

TEST(BlockFlow, FollowsGlobalAndLocalMemoryToo) {
    const Followed f({.body = kLoad + R"(
    .local .align 4 .b8 stack[16];
    st.global.u32 [%out], %r1;
    ld.global.u32 %r2, [%out];
    mov.u64 %d3, stack;
    st.local.u32 [%d3+4], %r2;
    ld.local.u32 %r3, [%d3+4];
    mov.u32 %r0, %r3;
)"});
    const Origin local = f.stored(f.at("st.global.u32 [%out], %r0", 7));
    EXPECT_EQ(f.text(local), "load @ld.local.u32 lane 7");
    const Origin global = *f.flow->originOfLoaded(local);
    EXPECT_EQ(f.text(global), "load @ld.global.u32 lane 7");
    EXPECT_EQ(f.flow->writtenBy(global.at).at, f.at("st.global.u32 [%out], %r1", 7));
    EXPECT_EQ(f.inputsOf(*f.flow->originOfLoaded(global)), "7");
}

TEST(BlockFlow, KnowsTheElementsOfVectors) {
    const Followed f({.body = R"(
    mul.wide.u32 %d1, %t, 16;
    add.s64 %d2, %in, %d1;
    ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d2];
    shl.b32 %r5, %t, 4;
    mov.u32 %r6, tile;
    add.u32 %r6, %r6, %r5;
    st.shared.v2.u32 [%r6], {%r4, %r2};
    ld.shared.u32 %r7, [%r6+4];
    st.global.u32 [%out], %r7;
)",
                      .before = kShared});
    const ThreadStep store = f.at("st.shared.v2.u32", 3);
    EXPECT_EQ(f.textOfStored(store, 0), "load @ld.global.v4.u32 lane 3 [3]");
    EXPECT_EQ(f.textOfStored(store, 4), "load @ld.global.v4.u32 lane 3 [1]");
    EXPECT_EQ(f.flow->loadedFrom(f.stored(store, 4))->address, deviceAddressOf(1) + 3 * 16 + 4);
    EXPECT_EQ(f.textOfStored(store, 0, 8), "computed @st.shared.v2.u32 lane 3") << "of two places";
    EXPECT_EQ(f.text(*f.flow->originOfLoaded(f.stored(f.at("st.global.u32 [%out], %r7", 3)))),
              "load @ld.global.v4.u32 lane 3 [1]");
}

TEST(BlockFlow, TakesValuesApartAndTogether) {
    const Followed f({.body = R"(
    mul.wide.u32 %d1, %t, 8;
    add.s64 %d2, %in, %d1;
    ld.global.u64 %d3, [%d2];
    mov.b64 {%r1, %r2}, %d3;
    mov.b64 %d4, {%r1, %r2};
    mov.b64 %d5, {%r2, %r1};
    st.global.u32 [%out], %r2;
    st.global.u64 [%outs], %d4;
    st.global.u64 [%outs], %d5;
)"});
    const Origin high = f.stored(f.at("st.global.u32 [%out], %r2", 3));
    EXPECT_EQ(f.flow->loadedFrom(high)->address, deviceAddressOf(1) + 3 * 8 + 4);
    EXPECT_EQ(high.byte, 4);
    const Origin whole = f.stored(f.at("st.global.u64 [%outs], %d4", 3), 0, 8);
    EXPECT_EQ(f.text(whole), "load @ld.global.u64 lane 3");
    EXPECT_EQ(whole.bytes, 8);
    EXPECT_EQ(f.stored(f.at("st.global.u64 [%outs], %d5", 3), 0, 8).kind, Kind::Computed)
        << "the other way round it is another value";
}

TEST(BlockFlow, FollowsConversionsThatKeepTheValue) {
    const Followed f({.body = R"(
    cvt.u64.u32 %d1, %t;
    add.s64 %d2, %in, %d1;
    ld.global.u8 %h1, [%d2];
    cvt.u32.u16 %r1, %h1;
    cvt.rn.f32.u32 %f1, %r1;
    cvt.f64.f32 %g1, %f1;
    st.global.u32 [%out], %r1;
    st.global.f32 [%out], %f1;
    st.global.f64 [%outs], %g1;
)"});
    const Origin byte = f.stored(f.at("st.global.u32 [%out], %r1", 3));
    EXPECT_EQ(f.text(byte), "load @ld.global.u8 lane 3");
    EXPECT_EQ(byte.bytes, 1) << "the rest is made of zeros";
    EXPECT_EQ(f.textOfStored(f.at("st.global.f32 [%out], %f1", 3)), "computed @cvt.rn.f32.u32 lane 3");
    EXPECT_EQ(f.textOfStored(f.at("st.global.f64 [%outs], %g1", 3), 0, 8), "computed @cvt.rn.f32.u32 lane 3");
}

TEST(BlockFlow, SelectsByThePredicate) {
    const Followed f({.body = kLoad + R"(
    ld.global.u32 %r2, [%d2+128];
    setp.lt.u32 %p1, %t, 16;
    selp.b32 %r3, %r1, %r2, %p1;
    selp.b32 %r4, %r1, 0, %p1;
    st.global.u32 [%out], %r3;
    st.global.u32 [%out], %r4;
)"});
    EXPECT_EQ(f.inputsOf(f.stored(f.at("st.global.u32 [%out], %r3", 15))), "15");
    EXPECT_EQ(f.inputsOf(f.stored(f.at("st.global.u32 [%out], %r3", 16))), "48");
    EXPECT_EQ(f.inputsOf(f.stored(f.at("st.global.u32 [%out], %r4", 15))), "15");
    EXPECT_EQ(f.stored(f.at("st.global.u32 [%out], %r4", 16)).kind, Kind::Immediate);
}

TEST(BlockFlow, SaysThatASelectionIsNotKnown) {
    const Followed f({.body = kLoad + R"(
    ld.global.u32 %r2, [%d2+128];
    mov.u32 %r5, %smid;
    setp.lt.u32 %p1, %r5, 16;
    selp.b32 %r3, %r1, %r2, %p1;
    st.global.u32 [%out], %r3;
)"});
    const Origin open = f.stored(f.at("st.global.u32 [%out], %r3", 1));
    EXPECT_EQ(open.kind, Kind::Unknown) << "every machine has its own number of this SM";
    EXPECT_EQ(f.inputsOf(open), "1 33");
}

TEST(BlockFlow, ReadsOtherLanesInShuffles) {
    const Followed f({.body = kLoad + R"(
    shfl.sync.down.b32 %r2, %r1, 4, 31, 0xffffffff;
    shfl.sync.idx.b32 %r3|%p1, %r1, 7, 31, 0xffffffff;
    add.u32 %r4, %r1, %r2;
    shfl.sync.bfly.b32 %r5, %r4, 1, 31, 0xffffffff;
    st.global.u32 [%out], %r2;
    st.global.u32 [%out], %r3;
    st.global.u32 [%out], %r5;
)"});
    EXPECT_EQ(f.textOfStored(f.at("st.global.u32 [%out], %r2", 3)), "load @ld.global.u32 lane 7");
    EXPECT_EQ(f.textOfStored(f.at("st.global.u32 [%out], %r2", 30)), "load @ld.global.u32 lane 30")
        << "beyond the warp: its own";
    EXPECT_EQ(f.textOfStored(f.at("st.global.u32 [%out], %r3", 3)), "load @ld.global.u32 lane 7");
    const Origin sum = f.stored(f.at("st.global.u32 [%out], %r5", 2));
    EXPECT_EQ(f.text(sum), "computed @add.u32 lane 3");
    EXPECT_EQ(f.inputsOf(sum), "3 7");
}

TEST(BlockFlow, BringsLanesTogetherThatComeToAShuffleInTurn) {
    const Followed f({.body = kLoad + R"(
    and.b32 %r3, %t, 1;
    setp.eq.u32 %p1, %r3, 0;
    mov.u32 %r6, 5;
    @%p1 bra EVEN;
    mov.u32 %r6, %r1;
    bra.uni MEET;
EVEN:
    mov.u32 %r6, %r1;
MEET:
    shfl.sync.bfly.b32 %r2, %r6, 1, 31, 0xffffffff;
    st.global.u32 [%out], %r2;
)"});
    for (const u32 lane : {4u, 5u})
        EXPECT_EQ(f.textOfStored(f.at("st.global.u32 [%out], %r2", lane)),
                  "load @ld.global.u32 lane " + std::to_string(lane ^ 1));
}

TEST(BlockFlow, NamesAllLanesBehindAVote) {
    const Followed f({.body = kLoad + R"(
    setp.ne.u32 %p1, %r1, 0;
    vote.sync.ballot.b32 %r2, %p1, 0xffffffff;
    st.global.u32 [%out], %r2;
)"});
    const Origin ballot = f.stored(f.at("st.global.u32 [%out], %r2", 2));
    EXPECT_EQ(f.text(ballot), "computed @vote.sync.ballot.b32 lane 2");
    EXPECT_EQ(f.flow->loadsBehind(ballot).size(), 32u);
}

const char* const kTwice = R"(
.func (.param .b32 result) pick(.param .b32 a, .param .b32 b)
{
    .reg .b32 %r<8>; .reg .pred %p<4>;
    ld.param.u32 %r1, [a];
    ld.param.u32 %r2, [b];
    and.b32 %r3, %r1, 0;
    setp.eq.u32 %p1, %r3, 0;
    @%p1 bra SECOND;
    st.param.u32 [result], %r1;
    ret;
SECOND:
    st.param.u32 [result], %r2;
    ret;
}
)";

TEST(BlockFlow, FollowsArgumentsAndResultsOfFunctions) {
    const Followed f({.body = kLoad + R"(
    setp.lt.u32 %p1, %t, 8;
    mov.u32 %r4, 9;
    @!%p1 bra OVER;
    {
    .param .b32 p0; .param .b32 p1; .param .b32 back;
    st.param.b32 [p0], 3;
    st.param.b32 [p1], %r1;
    call.uni (back), pick, (p0, p1);
    ld.param.b32 %r4, [back];
    }
OVER:
    st.global.u32 [%out], %r4;
)",
                      .before = kTwice});
    EXPECT_EQ(f.textOfStored(f.at("st.global.u32 [%out], %r4", 3)), "load @ld.global.u32 lane 3");
    EXPECT_EQ(f.stored(f.at("st.global.u32 [%out], %r4", 8)).kind, Kind::Immediate);
}

TEST(BlockFlow, FollowsCopiesThatNeedNoRegister) {
    const Followed f({.body = R"(
    mul.wide.u32 %d1, %t, 8;
    add.s64 %d2, %in, %d1;
    shl.b32 %r1, %t, 3;
    mov.u32 %r2, tile;
    add.u32 %r2, %r2, %r1;
    setp.lt.u32 %p1, %t, 4;
    selp.b32 %r5, 8, 0, %p1;
    cp.async.ca.shared.global [%r2], [%d2], 8;
    cp.async.ca.shared.global [%r2+256], [%d2], 8, %r5;
    cp.async.wait_all;
    ld.shared.u32 %r3, [%r2+4];
    ld.shared.u32 %r4, [%r2+260];
    st.global.u32 [%out], %r3;
    st.global.u32 [%out], %r4;
)",
                      .before = kShared});
    const Origin taken = f.stored(f.at("st.global.u32 [%out], %r3", 6));
    EXPECT_EQ(f.flow->writtenBy(taken.at).at, f.at("cp.async.ca.shared.global [%r2], [", 6));
    const Origin from = *f.flow->originOfLoaded(taken);
    EXPECT_EQ(from.kind, Kind::Load);
    EXPECT_EQ(f.flow->loadedFrom(from)->space, trace::Space::Global);
    EXPECT_EQ(f.flow->loadedFrom(from)->address, deviceAddressOf(1) + 6 * 8 + 4);
    EXPECT_EQ(f.inputsOf(*f.flow->originOfLoaded(f.stored(f.at("st.global.u32 [%out], %r4", 3)))), "6");
    EXPECT_EQ(f.flow->originOfLoaded(f.stored(f.at("st.global.u32 [%out], %r4", 4)))->kind, Kind::Immediate)
        << "filled with zeros";
}

TEST(BlockFlow, CountsAnAtomicAsALoadAndAStore) {
    const Followed f({.body = kLoad + kPlace + R"(
    st.shared.u32 [%r22], 0;
    atom.shared.add.u32 %r3, [%r22], %r1;
    ld.shared.u32 %r4, [%r22];
    st.global.u32 [%out], %r3;
    st.global.u32 [%out], %r4;
)",
                      .before = kShared});
    EXPECT_EQ(f.textOfStored(f.at("st.global.u32 [%out], %r3", 5)), "load @atom.shared.add.u32 lane 5");
    const Origin after = f.stored(f.at("st.global.u32 [%out], %r4", 5));
    EXPECT_EQ(f.flow->writtenBy(after.at).at, f.at("atom.shared.add.u32", 5));
    EXPECT_EQ(f.text(*f.flow->originOfLoaded(after)), "computed @atom.shared.add.u32 lane 5");
}

TEST(BlockFlow, FollowsIntegerArithmeticWithItsCarry) {
    const Followed f({.body = kLoad + R"(
    ld.global.u32 %r2, [%d2+128];
    add.cc.u32 %r3, %r1, %r1;
    addc.u32 %r4, %r2, 0;
    mad.lo.u32 %r5, %r1, %t, %r2;
    st.global.u32 [%out], %r4;
    st.global.u32 [%out], %r5;
)"});
    EXPECT_EQ(f.inputsOf(f.stored(f.at("st.global.u32 [%out], %r4", 3))), "3 35") << "through the carry";
    EXPECT_EQ(f.inputsOf(f.stored(f.at("st.global.u32 [%out], %r5", 3))), "3 35");
}

TEST(BlockFlow, KeepsOneNumberWhereLanesAgree) {
    std::string body = kLoad + "    mov.u32 %r3, 0;\nLOOP:\n";
    for (u32 i = 0; i < 50; ++i)
        body += "    add.u32 %r1, %r1, %t;\n";
    body += "    add.u32 %r3, %r3, 1;\n    setp.lt.u32 %p1, %r3, 100;\n    @%p1 bra LOOP;\n";
    const Followed f({.body = body});
    const std::size_t steps = f.block().warps[0].steps.size();
    EXPECT_LT(f.flow->bytesKept(), steps * 32);
}

TEST(BlockFlow, DoesNotKnowWhatAnInstructionDoesThatIsNotEmulated) {
    const std::string before = ".global .surfref plane;", behind = R"(
    add.u32 %r3, %r1, %r2;
    st.global.u32 [%out], %r1;
    st.global.u32 [%out], %r2;
    st.global.u32 [%out], %r3;
)";
    const Followed f({.body = kLoad + "    mov.u32 %r2, 5;\n" + behind, .before = before});
    // The same record, of a kernel that reads a surface instead.
    auto module =
        ptx::parse(simt::kernelText(kLoad + "    suld.b.1d.b32.trap %r2, [plane, {%r1}];\n" + behind, before),
                   "test.ptx");
    ASSERT_TRUE(module) << describe(module.error());
    Launch launch{.entry = "k",
                  .grid = {1, 1, 1},
                  .block = {32, 1, 1},
                  .dynamicSharedBytes = 0,
                  .arguments = {BufferArgument{0}, BufferArgument{1}}};
    const auto flow = BlockFlow::of(*module, launch, 2, f.block());
    ASSERT_TRUE(flow) << describe(flow.error());
    EXPECT_EQ(flow->originOfStored(f.at("st.global.u32 [%out], %r1", 3), 0, 4),
              f.stored(f.at("st.global.u32 [%out], %r1", 3)));
    EXPECT_EQ(flow->originOfStored(f.at("st.global.u32 [%out], %r2", 3), 0, 4).kind, Kind::Unknown);
    const Origin sum = flow->originOfStored(f.at("st.global.u32 [%out], %r3", 3), 0, 4);
    EXPECT_EQ(f.text(sum), "computed @add.u32 lane 3");
    EXPECT_EQ(flow->loadsBehind(sum).size(), 1u) << "what is known of it";
}

TEST(SiteFlow, CountsWhereTheValuesOfAnInstructionComeFrom) {
    const Followed f({.body = kLoad + kPlace + R"(
    setp.lt.u32 %p1, %t, 20;
    @!%p1 mov.u32 %r1, 0;
    st.shared.u32 [%r22], %r1;
    xor.b32 %r21, %r21, 4;
    add.u32 %r22, %r20, %r21;
    ld.shared.u32 %r2, [%r22];
    add.u32 %r0, %r2, 1;
)",
                      .before = kShared});
    std::vector<std::string> all;
    for (const SiteFlow& site : siteFlows(f.run.module, f.block(), *f.flow)) {
        std::string text(f.run.module.at(site.pc).name);
        for (const SiteFlow::Stored& from : site.stored)
            text += " " + std::string(nameOf(from.kind)) + "@" + std::string(f.run.module.at(from.pc).name) +
                    " " + std::to_string(from.values);
        for (const SiteFlow::Loaded& from : site.loaded)
            text += " " + std::string(nameOf(from.kind)) + " " + std::to_string(from.values) + "/" +
                    std::to_string(from.ofOtherThreads);
        all.push_back(text);
    }
    EXPECT_EQ(all,
              (std::vector<std::string>{"ld.global.u32 nothing 32/0",
                                        "st.shared.u32 load@ld.global.u32 20 immediate@mov.u32 12",
                                        "ld.shared.u32 store 32/32", "st.global.u32 computed@add.u32 32"}));
    const AccessFlows flows = accessFlows(f.run.module, f.block(), *f.flow, 100);
    ASSERT_EQ(flows.accesses.size(), 4u);
    EXPECT_EQ(flows.leftOut, 0u);
    EXPECT_EQ(flows.accesses[1].from.size(), 2u) << "loaded in 20 lanes, made up in 12";
    EXPECT_EQ(flows.accesses[1].from[0].ofLanes.size(), 0u) << "each lane its own";
    const AccessFlow::From& taken = flows.accesses[2].from.at(0);
    EXPECT_EQ(taken.kind, "store");
    EXPECT_EQ(taken.lanes.count(), 32);
    EXPECT_EQ(taken.step, flows.accesses[1].step);
    ASSERT_EQ(taken.ofLanes.size(), 32u);
    EXPECT_NE(taken.ofLanes[0], Lane{0});
    EXPECT_EQ(accessFlows(f.run.module, f.block(), *f.flow, 1).leftOut, 3u);
}

TEST(BlockFlow, NamesAKernelThatIsNotThere) {
    const Followed f({.body = kLoad});
    Launch other;
    other.entry = "other";
    const auto flow = BlockFlow::of(f.run.module, other, 2, f.block());
    ASSERT_FALSE(flow);
    EXPECT_EQ(flow.error().kind, FaultKind::NotFound);
}

}  // namespace
}  // namespace lockstep::explain
