// What lanes exchange, in kernels of a few lines.
#include "explain/exchange/lane_exchange.h"

#include "explain/exchange/atomic_queue.h"
#include "simt/test_kernel.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>

namespace lockstep::explain {
namespace {

using Kind = LaneExchange::Kind;

struct Recorder {
    simt::KernelRun run;
    trace::Recording recording;

    explicit Recorder(const simt::KernelCase& c) : run(simt::runKernel(c)) {
        recording.initial = run.buffers;
        recording.launches.push_back({.entry = "k",
                                      .grid = {c.blocks, 1, 1},
                                      .block = {c.threads, 1, 1},
                                      .dynamicSharedBytes = c.sharedBytes,
                                      .arguments = {BufferArgument{0}, BufferArgument{1}}});
        recording.trace = run.result.trace;
    }
    Recorded recorded() const { return {run.module, recording}; }
    const trace::WarpTrace& warp() const { return recording.trace.blocks.front().warps.front(); }
    Cursor at(std::string_view text) const {
        Cursor cursor{};
        for (u32 s = 0; s < warp().steps.size(); ++s)
            if (run.module.textOf(warp().steps[s].pc).starts_with(text)) cursor.step = s;
        EXPECT_TRUE(run.module.textOf(warp().steps[cursor.step].pc).starts_with(text)) << text;
        return cursor;
    }
    std::optional<LaneExchange> exchange(std::string_view text) const {
        const Cursor cursor = at(text);
        auto registers = WarpRegisters::of(recorded(), cursor);
        EXPECT_TRUE(registers.has_value());
        return registers ? laneExchangeAt(recorded(), cursor, **registers) : std::nullopt;
    }
    std::vector<AtomicQueue> queues(std::string_view text) const {
        const Cursor cursor = at(text);
        const trace::FocusBlock& block = recording.trace.blocks.front();
        const trace::StoredAccess& access = warp().accesses[warp().steps[cursor.step].access];
        return atomicQueues(warp(), access,
                            AtomicOperands(run.module, recording.launches.front(), recording.initial.size(),
                                           block, cursor.warp, cursor.step));
    }
};

// in[%t] is the thread's number times 10.
simt::KernelCase kernel(const std::string& body, const std::string& before = {}) {
    simt::KernelCase c{.body = R"(
    mul.wide.u32 %d1, %t, 4;
    add.s64 %d2, %in, %d1;
    ld.global.u32 %r1, [%d2];
)" + body,
                       .before = before};
    for (u32 i = 0; i < c.in.size(); ++i)
        c.in[i] = 10 * i;
    return c;
}

TEST(LaneExchangeTest, AShuffleDownTakesFromTheLanesAbove) {
    const auto down = Recorder(kernel("shfl.sync.down.b32 %r0, %r1, 16, 31, 0xffffffff;")).exchange("shfl");
    ASSERT_TRUE(down);
    EXPECT_EQ(down->kind, Kind::Shuffle);
    EXPECT_EQ(down->function, "__shfl_down_sync");
    EXPECT_EQ(down->takers, LaneMask::firstLanes(16)) << "beyond the warp: its own";
    EXPECT_EQ(down->from[3], 19);
    EXPECT_EQ(down->from[20], 20);
    EXPECT_EQ(down->given.values.bits[19], 190u);
    EXPECT_EQ(down->received.values.bits[3], 190u);
    EXPECT_EQ(down->received.values.bits[20], 200u);
    EXPECT_FALSE(down->isPart);
}

TEST(LaneExchangeTest, ADistanceMayBeInARegister) {
    const auto butterfly = Recorder(kernel(R"(
    mov.u32 %r2, %laneid;
    and.b32 %r2, %r2, 1;
    add.u32 %r2, %r2, 2;
    shfl.sync.bfly.b32 %r0, %r1, %r2, 31, 0xffffffff;)"))
                               .exchange("shfl");
    ASSERT_TRUE(butterfly);
    EXPECT_EQ(butterfly->from[4], 4 ^ 2);
    EXPECT_EQ(butterfly->from[5], 5 ^ 3);
    EXPECT_EQ(butterfly->received.values.bits[5], 60u);
}

TEST(LaneExchangeTest, SegmentsAndInactiveLanesKeepTheirOwn) {
    const auto index =
        Recorder(kernel("shfl.sync.idx.b32 %r0, %r1, 2, 0x1807, 0xffffffff;")).exchange("shfl");
    ASSERT_TRUE(index);
    EXPECT_EQ(index->function, "__shfl_sync");
    for (const u32 lane : {0u, 9u, 31u})
        EXPECT_EQ(index->from[lane], lane / 8 * 8 + 2) << lane;
    const auto guarded = Recorder(kernel(R"(
    setp.lt.u32 %p1, %t, 8;
    @%p1 shfl.sync.up.b32 %r0, %r1, 1, 0, 0x000000ff;)"))
                             .exchange("@%p1 shfl");
    ASSERT_TRUE(guarded);
    EXPECT_EQ(guarded->active, LaneMask::firstLanes(8));
    EXPECT_EQ(guarded->takers, LaneMask{0xfe});
    EXPECT_EQ(guarded->from[7], 6);
}

TEST(LaneExchangeTest, ABitRegisterThatIsMovedFromAFloatHoldsOne) {
    const auto moved = Recorder(kernel(R"(
    cvt.rn.f32.u32 %f1, %r1;
    mov.b32 %r2, %f1;
    shfl.sync.down.b32 %r3, %r2, 1, 31, 0xffffffff;
    mov.b32 %f2, %r3;
    cvt.rzi.u32.f32 %r0, %f2;)"))
                           .exchange("shfl");
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->given.type, ptx::Type::F32);
    EXPECT_EQ(moved->received.type, ptx::Type::F32);
    EXPECT_EQ(std::bit_cast<f32>(u32(moved->received.values.bits[4])), 50.0f);
    const auto half = Recorder(kernel(R"(
    cvt.rn.f64.u32 %g1, %r1;
    mov.b64 {%r2, %r3}, %g1;
    shfl.sync.down.b32 %r0, %r2, 1, 31, 0xffffffff;)"))
                          .exchange("shfl");
    ASSERT_TRUE(half);
    EXPECT_TRUE(half->isPart);
}

TEST(LaneExchangeTest, VotesAreTakenInTheGroupsOfTheirMasks) {
    const std::string half = R"(
    setp.lt.u32 %p1, %t, 20;
    setp.lt.u32 %p2, %t, 16;
    selp.u32 %r2, 0x0000ffff, 0xffff0000, %p2;
)";
    const auto ballot =
        Recorder(kernel(half + "vote.sync.ballot.b32 %r0, %p1, 0xffffffff;")).exchange("vote");
    ASSERT_TRUE(ballot);
    EXPECT_EQ(ballot->kind, Kind::Vote);
    EXPECT_EQ(ballot->function, "__ballot_sync");
    EXPECT_EQ(ballot->groups, (std::vector<LaneMask>{LaneMask::all()}));
    EXPECT_EQ(ballot->given.values.bits[19], 1u);
    EXPECT_EQ(ballot->given.values.bits[20], 0u);
    EXPECT_EQ(ballot->received.values.bits[31], 0xfffffu);
    const auto all = Recorder(kernel(half + "vote.sync.all.pred %p3, !%p1, %r2; selp.u32 %r0, 1, 0, %p3;"))
                         .exchange("vote");
    ASSERT_TRUE(all);
    EXPECT_EQ(all->groups, (std::vector<LaneMask>{{0xffff}, {0xffff0000}}));
    EXPECT_EQ(all->given.values.bits[19], 0u) << "the operand is negated";
    EXPECT_EQ(all->given.values.bits[20], 1u);
    EXPECT_EQ(all->received.values.bits[31], 0u);
}

TEST(LaneExchangeTest, MatchesAndReductions) {
    const auto match = Recorder(kernel(R"(
    and.b32 %r2, %t, 7;
    match.any.sync.b32 %r0, %r2, 0xffffffff;)"))
                           .exchange("match");
    ASSERT_TRUE(match);
    EXPECT_EQ(match->kind, Kind::Match);
    EXPECT_EQ(match->received.values.bits[11], 0x08080808u);
    const auto sum = Recorder(kernel("redux.sync.add.s32 %r0, %r1, 0xffffffff;")).exchange("redux");
    ASSERT_TRUE(sum);
    EXPECT_EQ(sum->kind, Kind::Reduction);
    EXPECT_EQ(sum->function, "__reduce_add_sync");
    EXPECT_EQ(sum->received.values.bits[0], 10u * 31 * 32 / 2);
}

TEST(LaneExchangeTest, OtherInstructionsExchangeNothing) {
    const Recorder other(kernel("add.u32 %r0, %r1, 1;"));
    EXPECT_FALSE(other.exchange("add.u32"));
    EXPECT_FALSE(isExchange(other.run.module, other.warp().steps[other.at("ld.global").step].pc));
}

const char* const kCounters = ".shared .align 4 .b8 counters[16];";
// Lane l goes to counter l / 8 for lanes below 24, and to counter 0 above.
const std::string kPlace = R"(
    mov.u32 %r3, counters;
    shr.u32 %r4, %t, 3;
    and.b32 %r4, %r4, 3;
    setp.gt.u32 %p1, %t, 23;
    selp.u32 %r4, 0, %r4, %p1;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r3, %r4;
    mov.u32 %r5, 100;
    st.shared.u32 [%r4], %r5;
    bar.sync 0;
)";

TEST(AtomicQueueTest, OldValuesTellTheOrder) {
    const Recorder run(kernel(kPlace + "atom.shared.add.u32 %r0, [%r4], 2;", kCounters));
    const std::vector<AtomicQueue> queues = run.queues("atom");
    ASSERT_EQ(queues.size(), 3u);
    EXPECT_EQ(queues[0].lanes.size(), 16u) << "lanes 0 to 7 and 24 to 31";
    EXPECT_EQ(queues[1].lanes.size(), 8u);
    EXPECT_LT(queues[1].address, queues[2].address);
    for (const AtomicQueue& queue : queues) {
        EXPECT_TRUE(queue.isOrdered);
        // Each found what the one before it left: 100, 102 ...
        u32 expected = 100;
        for (const Lane lane : queue.lanes) {
            EXPECT_EQ(run.run.out()[lane.value], expected) << lane.value;
            expected += 2;
        }
    }
}

TEST(AtomicQueueTest, LanesThatLeaveTheWordAsItIsComeFirst) {
    const Recorder run(kernel(kPlace + "atom.shared.max.u32 %r0, [%r4], %r1;", kCounters));
    const std::vector<AtomicQueue> queues = run.queues("atom");
    ASSERT_FALSE(queues.empty());
    for (const AtomicQueue& queue : queues) {
        ASSERT_TRUE(queue.isOrdered);
        u32 expected = 100;
        for (const Lane lane : queue.lanes) {
            EXPECT_EQ(run.run.out()[lane.value], expected) << lane.value;
            expected = std::max(expected, 10 * lane.value);
        }
    }
}

TEST(AtomicQueueTest, WithoutOldValuesThereIsNoOrder) {
    const std::vector<AtomicQueue> queues =
        Recorder(kernel(kPlace + "red.shared.add.u32 [%r4], 1;", kCounters)).queues("red");
    ASSERT_EQ(queues.size(), 3u);
    EXPECT_FALSE(queues[0].isOrdered);
    EXPECT_EQ(queues[0].lanes.front(), Lane{0});
    EXPECT_EQ(queues[0].lanes.back(), Lane{31});
}

}  // namespace
}  // namespace lockstep::explain
