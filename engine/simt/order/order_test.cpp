// Orders: what they may change, and what they must not.
#include "simt/order/order_trial.h"
#include "simt/test_kernel.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lockstep::simt {
namespace {

constexpr u32 kOrders = 300;

struct OrderCase {
    std::string body = {}, before = {};
    u32 blocks = 1, threads = 64;
    bool lanesPart = true;
    std::vector<Pc> racing = {};  // none: at every access
    bool withinWarps = true;
};

class Orders {
public:
    explicit Orders(const OrderCase& c) : case_(c) {
        auto module = ptx::parse(kernelText(c.body, c.before), "test.ptx");
        EXPECT_TRUE(module) << describe(module.error());
        module_ = std::move(*module);
        launch_ = {.entry = "k",
                   .grid = {c.blocks, 1, 1},
                   .block = {c.threads, 1, 1},
                   .dynamicSharedBytes = 0,
                   .arguments = {BufferArgument{0}, BufferArgument{1}}};
        plan_.launches = {{.isOrdered = true, .blocks = {}, .racing = c.racing}};
        plan_.lanesPart = c.lanesPart;
        choices_ = {.racing = c.racing,
                    .lanes = {1},
                    .lanesPart = c.lanesPart,
                    .withinWarps = c.withinWarps,
                    .betweenWarps = true};
        directed_ = directedOrders(choices_);
        for (u64 count : {u64{c.blocks} * c.threads, u64{1024}}) {
            Buffer buffer;
            buffer.type = ElementType::U32;
            buffer.shape = {count};
            buffer.bytes.resize(count * 4);
            initial_.push_back(std::move(buffer));
        }
        auto trial = OrderTrial::make(module_, {&launch_, 1}, initial_, plan_, stop_);
        EXPECT_TRUE(trial) << describe(trial.error());
        trial_ = std::move(*trial);
    }

    Order order(u32 number, u64 seed = 1) const { return orderOf(choices_, directed_, seed, number); }
    std::size_t directed() const { return directed_.size(); }
    OrderTrial::Outcome run(const Order& order, AccessLog* log = nullptr) { return trial_->run(order, log); }
    std::vector<u32> out() {
        const std::span<const Buffer> buffers = trial_->finish();
        const std::span<const u32> values = buffers[0].as<u32>();
        return {values.begin(), values.end()};
    }
    u32 in(u32 index) { return trial_->finish()[1].as<u32>()[index]; }

    // Both buffers after each of many orders.
    std::set<std::vector<std::byte>> results(u32 orders = kOrders) {
        std::set<std::vector<std::byte>> all;
        for (u32 number = 0; number < orders; ++number) {
            const OrderTrial::Outcome outcome = run(order(number));
            EXPECT_EQ(outcome.end, OrderRunner::End::Done) << "order " << number;
            std::vector<std::byte> bytes;
            for (const Buffer& buffer : trial_->finish())
                bytes.insert(bytes.end(), buffer.bytes.begin(), buffer.bytes.end());
            all.insert(bytes);
        }
        return all;
    }
    std::vector<u32> plainOut() {
        std::vector<Buffer> buffers = initial_;
        Options options;
        options.engine = Engine::Plain;
        const auto result = lockstep::simt::run(module_, {&launch_, 1}, buffers, options);
        EXPECT_TRUE(result);
        const std::span<const u32> values = buffers[0].as<u32>();
        return {values.begin(), values.end()};
    }
    const OrderCase& of() const { return case_; }

private:
    OrderCase case_;
    ptx::Module module_;
    Launch launch_;
    OrderPlan plan_;
    OrderChoices choices_;
    std::vector<Order> directed_;
    std::vector<Buffer> initial_;
    Stop stop_{nullptr, std::nullopt};
    std::unique_ptr<OrderTrial> trial_;
};

// Each thread writes s[t], and reads the word of thread t ^ `distance`; `between` may order the two.
OrderCase exchange(u32 distance, const std::string& between) {
    return {.body = R"(
    .shared .align 4 .b8 s[512];
    mov.u32 %r1, s;
    shl.b32 %r2, %t, 2;
    add.s32 %r3, %r1, %r2;
    add.s32 %r4, %t, 1;
    st.shared.u32 [%r3], %r4;
)" + between + R"(
    xor.b32 %r5, %t, )" +
                    std::to_string(distance) + R"(;
    shl.b32 %r5, %r5, 2;
    add.s32 %r5, %r1, %r5;
    ld.shared.u32 %r0, [%r5];
)"};
}

TEST(Orders, TheRecordedOneGivesWhatARunGives) {
    Orders orders(exchange(32, ""));
    EXPECT_EQ(orders.run({}).end, OrderRunner::End::Done);
    EXPECT_EQ(orders.out(), orders.plainOut());
}

TEST(Orders, AMissingBarrierLeavesSeveralResults) {
    EXPECT_GT(Orders(exchange(32, "")).results().size(), 1u);
}

TEST(Orders, ABarrierLeavesOneResult) { EXPECT_EQ(Orders(exchange(32, "bar.sync 0;")).results().size(), 1u); }

TEST(Orders, LanesPartWhereTheDeviceMay) {
    OrderCase within = exchange(1, "");
    within.threads = 32;
    EXPECT_GT(Orders(within).results().size(), 1u);
    within.lanesPart = false;
    EXPECT_EQ(Orders(within).results().size(), 1u);
}

TEST(Orders, AWarpBarrierLeavesOneResult) {
    OrderCase within = exchange(1, "bar.warp.sync 0xffffffff;");
    EXPECT_EQ(Orders(within).results().size(), 1u);
}

TEST(Orders, AShuffleBringsLanesTogether) {
    const OrderCase within{.body = R"(
    mul.lo.s32 %r1, %t, 3;
    st.global.u32 [%out], %r1;
    shfl.sync.bfly.b32 %r0, %r1, 1, 31, 0xffffffff;
)"};
    EXPECT_EQ(Orders(within).results().size(), 1u);
}

TEST(Orders, DivergedLanesMeetAtTheWarpBarrier) {
    const OrderCase diverged{.body = R"(
    .shared .align 4 .b8 s[512];
    mov.u32 %r1, s;
    shl.b32 %r2, %t, 2;
    add.s32 %r3, %r1, %r2;
    and.b32 %r4, %t, 1;
    setp.eq.u32 %p1, %r4, 0;
    @%p1 bra EVEN;
    add.s32 %r5, %t, 100;
    st.shared.u32 [%r3], %r5;
    bra.uni MET;
EVEN:
    add.s32 %r5, %t, 200;
    st.shared.u32 [%r3], %r5;
MET:
    bar.warp.sync 0xffffffff;
    xor.b32 %r6, %r2, 4;
    add.s32 %r6, %r1, %r6;
    ld.shared.u32 %r0, [%r6];
)"};
    EXPECT_EQ(Orders(diverged).results().size(), 1u);
}

TEST(Orders, AtomicsLoseNothing) {
    constexpr u32 kFew = 100;
    Orders orders({.body = "red.global.add.u32 [%in], 1;", .blocks = 3});
    EXPECT_EQ(orders.results(kFew).size(), 1u);
    EXPECT_EQ(orders.in(0), 3 * 64u);
}

TEST(Orders, PlainUpdatesLoseSomeInSomeOrder) {
    Orders orders({.body = R"(
    ld.global.u32 %r1, [%in];
    add.s32 %r1, %r1, 1;
    st.global.u32 [%in], %r1;
)"});
    EXPECT_GT(orders.results().size(), 1u);
}

TEST(Orders, EitherBlockMayBeTheLastToStore) {
    OrderCase blocks{.body = "mov.u32 %r1, %ctaid.x; add.s32 %r1, %r1, 7; st.global.u32 [%in], %r1;",
                     .blocks = 2,
                     .threads = 32};
    Orders orders(blocks);
    std::set<u32> last;
    for (u32 number = 0; number < kOrders; ++number) {
        orders.run(orders.order(number));
        last.insert(orders.in(0));
    }
    EXPECT_EQ(last, (std::set<u32>{7, 8}));
}

TEST(Orders, AWaitingLoopEndsInEveryOrder) {
    Orders orders({.body = R"(
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra WAIT;
    st.volatile.global.u32 [%in+4], 5;
    membar.gl;
    st.volatile.global.u32 [%in], 1;
    bra.uni DONE;
WAIT:
    ld.volatile.global.u32 %r2, [%in];
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra WAIT;
    ld.volatile.global.u32 %r0, [%in+4];
DONE:
)",
                   .blocks = 2,
                   .threads = 32});
    EXPECT_EQ(orders.results().size(), 1u);
    EXPECT_EQ(orders.out()[40], 5u);
}

// The lane that has the lock waits where the loop reconverges, and each attempt of the others is an access.
TEST(Orders, ALockWithinAWarpIsHandedOnInEveryOrder) {
    for (u32 blocks : {1u, 2u}) {
        Orders orders({.body = R"(
TAKE:
    atom.global.cas.b32 %r1, [%in], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra TAKE;
    ld.volatile.global.u32 %r2, [%in+4];
    add.s32 %r2, %r2, 1;
    st.volatile.global.u32 [%in+4], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [%in], 0;
    mov.u32 %r0, 7;
)",
                       .blocks = blocks,
                       .threads = 8});
        EXPECT_EQ(orders.results(40).size(), 1u);
        EXPECT_EQ(orders.in(1), blocks * 8);
    }
}

TEST(Orders, AThreadKeepsTheOrderOfItsProgram) {
    Orders orders({.body = R"(
    ld.global.u32 %r1, [%in];
    st.global.u32 [%in+4], %r1;
    ld.global.u32 %r2, [%in+8];
    st.global.u32 [%in+12], %r2;
)",
                   .blocks = 2});
    for (u32 number : {1u, 2u, 3u, 5u, 9u, 40u, 90u, 200u}) {
        AccessLog log;
        orders.run(orders.order(number), &log);
        std::map<std::tuple<u32, u32, u32>, u32> last;
        std::map<std::tuple<u32, u32, u32>, u32> count;
        for (const LoggedAccess& access : log.all())
            for (Lane lane : access.lanes) {
                const std::tuple thread{access.block.x, access.warp.value, lane.value};
                EXPECT_GT(access.pc.value, last[thread]) << "order " << number;
                last[thread] = access.pc.value;
                ++count[thread];
            }
        EXPECT_EQ(count.size(), 2 * 64u);
        for (const auto& [thread, accesses] : count)
            EXPECT_EQ(accesses, 5u);  // and the store at the kernel's end
    }
}

TEST(Orders, AnOrderCanBeRepeated) {
    Orders one(exchange(32, "")), other(exchange(32, ""));
    for (u32 number = 0; number < 100; ++number) {
        EXPECT_EQ(one.order(number), other.order(number));
        const u64 state = one.run(one.order(number)).state;
        one.run(one.order(number + 1));
        EXPECT_EQ(one.run(one.order(number)).state, state) << "order " << number;
        EXPECT_EQ(other.run(other.order(number)).state, state) << "order " << number;
    }
    const u32 drawn = u32(one.directed()) + 1;
    EXPECT_NE(one.order(drawn, 1), one.order(drawn, 2));
}

TEST(Orders, DelayedAccessesComeLast) {
    Orders orders(exchange(32, ""));
    Pc store;
    AccessLog log;
    orders.run({}, &log);
    store = log.all().front().pc;
    log.clear();
    orders.run({.delayed = store, .atEvery = true}, &log);
    // Both warps' stores stop before any read: the first to be chosen stores, and reads what is not there.
    EXPECT_EQ(log.all()[0].pc, store);
    EXPECT_NE(log.all()[1].pc, store);
}

}  // namespace
}  // namespace lockstep::simt
