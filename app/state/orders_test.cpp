// Other orders of the run on show, as the state has them: asked for, canceled, and never those of another
// run.
#include "app/state/first_run.h"
#include "app/state/update.h"
#include "base/check.h"
#include "run/resources.h"
#include "viz/orders_on_show.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

std::shared_ptr<const run::Run> firstRun() {
    static const auto run = runFirst();
    return run;
}

class OrdersTest : public testing::Test {
protected:
    void SetUp() override {
        const u64 ticket = std::get<StartRun>(update(state_, RunAgain{}).at(0)).ticket;
        (void)update(state_, RunArrived{.ticket = ticket, .run = firstRun()});
    }
    SearchOrders search(u32 orders) {
        return std::get<SearchOrders>(update(state_, TryOrders{orders}).at(0));
    }
    static std::shared_ptr<const viz::OrdersOnShow> tried(u32 orders) {
        run::OrderSearch search;
        search.tried = orders;
        return std::make_shared<const viz::OrdersOnShow>(std::move(search));
    }

    State state_ = initialState(catalogue(), firstChoice(catalogue()));
};

TEST_F(OrdersTest, AreTriedOnceAndShownWhenTheyArrive) {
    const SearchOrders wanted = search(100);
    EXPECT_EQ(wanted.of, firstRun());
    EXPECT_EQ(wanted.orders, 100u);
    EXPECT_TRUE(state_.orders.isUnderWay);
    EXPECT_TRUE(update(state_, TryOrders{1000}).empty()) << "they are under way";
    const auto done = tried(100);
    (void)update(state_, OrdersTried{wanted.ticket, done});
    EXPECT_EQ(state_.orders.shown, done);
    EXPECT_FALSE(state_.orders.isUnderWay);
    EXPECT_EQ(search(1000).orders, 1000u) << "more can be tried";
    EXPECT_EQ(state_.orders.shown, nullptr);
}

TEST_F(OrdersTest, WhatWasTriedBeforeTheyWereCanceledIsKept) {
    const SearchOrders wanted = search(1000);
    EXPECT_TRUE(update(state_, TryOrders{0}).empty());
    EXPECT_TRUE(wanted.progress->cancelled);
    const auto some = tried(7);
    (void)update(state_, OrdersTried{wanted.ticket, some});
    EXPECT_EQ(state_.orders.shown, some);
}

TEST_F(OrdersTest, AnotherRunCancelsThemAndTheyComeTooLate) {
    const SearchOrders wanted = search(1000);
    (void)update(state_, RunAgain{});
    EXPECT_TRUE(wanted.progress->cancelled);
    (void)update(state_, OrdersTried{wanted.ticket, tried(7)});
    EXPECT_EQ(state_.orders.shown, nullptr);
}

TEST_F(OrdersTest, MoreThatIsKnownOfTheRunLeavesThemThere) {
    const SearchOrders wanted = search(10);
    const auto same = std::make_shared<const run::Run>(*firstRun());
    (void)update(state_, MachineCodeRead{firstRun(), same});
    EXPECT_EQ(state_.run, same);
    EXPECT_EQ(state_.orders.of, same);
    (void)update(state_, OrdersTried{wanted.ticket, tried(10)});
    ASSERT_TRUE(state_.orders.shown);
    EXPECT_EQ(state_.orders.shown->search->tried, 10u);
}

TEST_F(OrdersTest, OfARunThatDidNotComeToItsEndNoneAreTried) {
    auto stopped = std::make_shared<run::Run>(*firstRun());
    stopped->recording.complete = false;
    (void)update(state_, ShowRun{stopped, "stopped.lks"});
    EXPECT_TRUE(update(state_, TryOrders{10}).empty());
}

}  // namespace
}  // namespace lockstep::app
