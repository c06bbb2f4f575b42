// Where two runs part, and the turns that lead there: held to the runs themselves.
#include "explain/order/parting.h"

#include "explain/order/order_text.h"
#include "explain/order/turns.h"
#include "ptx/module.h"
#include "simt/order/order_trial.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::explain {
namespace {

using simt::AccessLog;
using simt::Order;
using simt::OrderTrial;

constexpr const char* kBefore = R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<9>; .reg .b64 %d<4>;
    .shared .align 4 .b8 words[256];
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, words;
    shl.b32 %r3, %r1, 2;
    add.u32 %r4, %r2, %r3;
    add.u32 %r5, %r1, 100;
)";
constexpr const char* kExchange = R"(
    st.shared.u32 [%r4], %r5;
    xor.b32 %r6, %r3, 128;
    add.u32 %r6, %r2, %r6;
    ld.shared.u32 %r7, [%r6];
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    st.global.u32 [%d3], %r7;
    ret;
}
)";
constexpr const char* kLastStore = R"(
    st.global.u32 [%d1], %r5;
    ret;
}
)";

// Both runs of a kernel of 64 threads.
struct Runs {
    ptx::Module module;
    trace::Recording recording;
    AccessLog recorded, changed;

    Runs(const char* body, const Order& order) {
        auto parsed = ptx::parse(std::string(kBefore) + body, "test.ptx");
        EXPECT_TRUE(parsed) << describe(parsed.error());
        module = std::move(*parsed);
        const Launch launch{.entry = "k",
                            .grid = {1, 1, 1},
                            .block = {64, 1, 1},
                            .dynamicSharedBytes = 0,
                            .arguments = {BufferArgument{0}}};
        recording.launches = {launch};
        Buffer out{.name = "out", .type = ElementType::U32, .shape = {64}, .bytes = {}};
        out.bytes.resize(64 * 4);
        recording.initial = {out};
        simt::OrderPlan plan;
        plan.launches = {{.isOrdered = true, .blocks = {}, .racing = {}}};
        plan.lanesPart = true;
        simt::Stop stop(nullptr, std::nullopt);
        auto trial = OrderTrial::make(module, recording.launches, recording.initial, plan, stop);
        EXPECT_TRUE(trial) << describe(trial.error());
        (*trial)->run({}, &recorded);
        (*trial)->run(order, &changed);
    }
    std::optional<OrderParting> parting() const { return partingOf(recorded, changed, {}); }
    std::string sentence(Language language = Language::English) const {
        const std::optional<OrderParting> found = parting();
        return found ? textOf(*found, recorded, changed, Recorded(module, recording)).in(language) : "";
    }
    static u32 valueOf(const AccessLog& log, LaneAccess lane) {
        u32 value;
        std::memcpy(&value, log.value(log.all()[lane.at], lane.index).data(), sizeof value);
        return value;
    }
};

TEST(OrderParting, OfARunWithItselfIsNone) { EXPECT_FALSE(Runs(kExchange, {}).parting()); }

TEST(OrderParting, IsTheFirstReadOfAnotherValue) {
    const Runs runs(kExchange, {.highestFirst = true});
    const std::optional<OrderParting> parting = runs.parting();
    ASSERT_TRUE(parting);
    EXPECT_EQ(parting->kind, OrderParting::Kind::ReadsBefore);
    EXPECT_EQ(Runs::valueOf(runs.recorded, parting->recorded), 100u);  // what thread 0 stores
    EXPECT_EQ(Runs::valueOf(runs.changed, parting->changed), 0u);
    ASSERT_TRUE(parting->other);
    EXPECT_FALSE(parting->otherIsChanged);
    EXPECT_EQ(Runs::valueOf(runs.recorded, *parting->other), 100u);
    EXPECT_EQ(runs.recorded.all()[parting->other->at].kind, trace::AccessKind::Store);
    const std::string sentence = runs.sentence();
    EXPECT_TRUE(sentence.starts_with("Thread 32 of block 0 reads words")) << sentence;
    EXPECT_NE(sentence.find(" before thread 0 of the same block writes it "), std::string::npos) << sentence;
    EXPECT_TRUE(sentence.ends_with(": 0 instead of 100.")) << sentence;
    EXPECT_NE(runs.sentence(Language::Chinese).find("之前"), std::string::npos);
}

TEST(OrderParting, IsTheOtherWayRoundWhereAStoreComesEarlier) {
    const Runs runs(kExchange, {.turns = Order::Turns::AfterEachAccess, .atEvery = true});
    const std::optional<OrderParting> parting = runs.parting();
    ASSERT_TRUE(parting);
    EXPECT_EQ(parting->kind, OrderParting::Kind::ReadsAfter);
    EXPECT_TRUE(parting->otherIsChanged);
    EXPECT_EQ(Runs::valueOf(runs.recorded, parting->recorded), 0u);
    EXPECT_EQ(Runs::valueOf(runs.changed, parting->changed), 132u);
    EXPECT_NE(runs.sentence().find(" after thread 32 of the same block writes it "), std::string::npos)
        << runs.sentence();
}

TEST(OrderParting, IsTheLastStoreWhereNothingIsRead) {
    const Runs runs(kLastStore, {.highestFirst = true});
    const std::optional<OrderParting> parting = runs.parting();
    ASSERT_TRUE(parting);
    EXPECT_EQ(parting->kind, OrderParting::Kind::LastStore);
    EXPECT_NE(Runs::valueOf(runs.recorded, parting->recorded), Runs::valueOf(runs.changed, parting->changed));
    EXPECT_NE(runs.sentence().find("stays instead of"), std::string::npos) << runs.sentence();
}

// Tickets begin at what thread 0 stores, with nothing that orders that store and the other warp's tickets: it
// is the store that is exchanged, not two of the atomic operations.
TEST(OrderParting, IsOfAPlainStoreRatherThanOfTwoAtomicOperations) {
    const Runs runs(R"(
    .reg .pred %p<2>;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra GO;
    st.shared.u32 [%r2], %r5;
GO:
    atom.shared.add.u32 %r7, [%r2], 1;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    st.global.u32 [%d3], %r7;
    ret;
}
)",
                    {.highestFirst = true});
    std::vector<RacingInstruction> racing;
    for (u32 pc = 0; pc < runs.module.instructions.size(); ++pc)
        if (const std::string_view name = runs.module.at(Pc{pc}).name;
            name.starts_with("st.shared") || name.starts_with("atom."))
            racing.push_back({.pc = Pc{pc}, .group = u32(racing.size())});
    ASSERT_EQ(racing.size(), 2u);
    const std::optional<OrderParting> parting = partingOf(runs.recorded, runs.changed, racing);
    ASSERT_TRUE(parting);
    const std::string sentence =
        textOf(*parting, runs.recorded, runs.changed, Recorded(runs.module, runs.recording)).english();
    EXPECT_TRUE(sentence.starts_with("Thread 32 of block 0 updates words")) << sentence;
    EXPECT_NE(sentence.find(" before thread 0 of the same block writes it "), std::string::npos) << sentence;
}

// The two logs' turns up to where the runs part.
struct TurnsOfBoth {
    RacingAccesses racing;
    OrderTurns recorded, changed;

    TurnsOfBoth(const Runs& runs, std::size_t most = 64) {
        const std::optional<OrderParting> parting = runs.parting();
        EXPECT_TRUE(parting);
        if (!parting) return;
        racing = racingAccesses(*parting, runs.recorded, runs.changed);
        recorded = turnsOf(runs.recorded, racing.recorded, runs.module, most);
        changed = turnsOf(runs.changed, racing.changed, runs.module, most);
    }
};

std::vector<u32> warpsOf(const OrderTurns& turns) {
    std::vector<u32> warps;
    for (const Turn& turn : turns.turns)
        warps.push_back(turn.warp.value);
    return warps;
}

TEST(OrderTurns, HaveTheRacingAccessesInBothOrders) {
    const Runs runs(kExchange, {.highestFirst = true});
    const TurnsOfBoth both(runs);
    // Recorded: warp 0 stores and loads, then warp 1 loads what it stored. Changed: warp 1 comes first.
    ASSERT_EQ(both.racing.recorded.size(), 2u);
    ASSERT_EQ(both.racing.changed.size(), 2u);
    EXPECT_EQ(runs.recorded.all()[both.racing.recorded[0].at].kind, trace::AccessKind::Store);
    EXPECT_EQ(runs.changed.all()[both.racing.changed[0].at].kind, trace::AccessKind::Load);
    EXPECT_EQ(Runs::valueOf(runs.changed, both.racing.changed[0]), 0u) << "nothing is stored yet";
    EXPECT_EQ(Runs::valueOf(runs.changed, both.racing.changed[1]), 100u);
}

TEST(OrderTurns, GoUpToTheLastRacingAccess) {
    const TurnsOfBoth both(Runs(kExchange, {.highestFirst = true}));
    // Warp 0's store races; its load and store of the result, then warp 1's store are turns in between.
    EXPECT_EQ(warpsOf(both.recorded), (std::vector<u32>{0, 0, 1, 1}));
    EXPECT_TRUE(both.recorded.turns.front().racing);
    EXPECT_TRUE(both.recorded.turns.back().racing);
    EXPECT_EQ(both.recorded.turns[1].accesses, 2u);
    EXPECT_EQ(warpsOf(both.changed), (std::vector<u32>{1, 1, 1, 0}));
    EXPECT_TRUE(both.changed.turns.back().racing);
    EXPECT_EQ(both.changed.before, 0u);
}

TEST(OrderTurns, LeaveEarlierOnesOutButNoRacingOne) {
    const TurnsOfBoth few(Runs(kExchange, {.highestFirst = true}), 1);
    EXPECT_EQ(few.changed.before, 0u) << "one turn is left before the first racing one";
    EXPECT_EQ(warpsOf(few.changed).size(), 4u);
    std::size_t racing = 0;
    for (const Turn& turn : few.recorded.turns)
        racing += turn.racing.has_value();
    EXPECT_EQ(racing, 2u);
}

TEST(OrderTurns, AnAccessIsSaidWithItsValue) {
    const Runs runs(kExchange, {.highestFirst = true});
    const TurnsOfBoth both(runs);
    const Recorded run(runs.module, runs.recording);
    EXPECT_EQ(textOf(both.racing.changed[0], runs.changed, run).english(), "thread 32 reads words[0]: 0");
    EXPECT_EQ(textOf(both.racing.recorded[0], runs.recorded, run).english(), "thread 0 writes words[0]: 100");
}

TEST(OrderTurns, NothingThatWasNotRecordedHasAStep) {
    const Runs runs(kExchange, {.highestFirst = true});
    const TurnsOfBoth both(runs);
    EXPECT_FALSE(stepOf(both.racing.changed[0], runs.changed, Recorded(runs.module, runs.recording)))
        << "this recording has no trace";
}

}  // namespace
}  // namespace lockstep::explain
